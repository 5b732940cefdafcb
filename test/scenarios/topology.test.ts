import { describe, expect, it } from "vitest";
import type { ReportView } from "../../src/core/deep/report.ts";
import type { InterpretReply, TaskReply } from "../../src/core/deep/tasks.ts";
import type { TopologyEdit } from "../../src/core/deep/vocabulary.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, promptsOf, sentence, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const fixture =
  "Build an intake pipeline that ingests CSVs, normalizes records, provides a detailed reviewer UI with inline comments and approvals, and exports audit-ready reports";

function topology(...names: readonly string[]): TaskReply<"topology"> {
  const base = (plain.topology as () => TaskReply<"topology">)();
  return {
    ...base,
    components: names.map((name) => ({ name, description: `${name} works`, evidence: "said", deliverables: [] })),
  };
}

function reading(...edits: readonly TopologyEdit[]): InterpretReply {
  const base = (plain.interpret as () => InterpretReply)();
  return { ...base, edits: [...edits] };
}

const siblings = ["Ingestion", "Normalization", "Review UI", "Export"];
const open = (more: Replies = {}, names: readonly string[] = siblings) =>
  createWorld({
    replies: { ...plain, topology: () => topology(...names), score: (task) => score(task, 0.4), ...more },
  });
const names = (world: World) => world.state().topology.components.map((item) => item.name);
const active = (world: World) =>
  world.state().topology.components.flatMap((item) => (item.status === "active" ? [item.name] : []));

const readBy = (world: World) =>
  inputOf<"interpret">((world.model.tasks ?? []).findLast((task) => task.name === "interpret") as never);

describe("round 0: the question", () => {
  it("D2.1 runs once, before any scoring, as one question with options and free text", async () => {
    const world = await open();
    const question = await ask(world);
    expect(question).toMatchObject({ kind: "topology", round: 0, allow_free_text: true, multi_select: false });
    expect(question.header).toBe("Round 0 | Topology confirmation | Ambiguity: not scored yet");
    expect(question.options.map((option) => option.id)).toEqual(["right", "edit", "defer"]);
    expect(question.text).toContain("4 top-level component(s)");
    for (const [index, name] of siblings.entries())
      expect(question.text).toContain(`${index + 1}. ${name}: ${name} works`);
    expect(tasksOf(world)).toEqual(["topology"]);
    await play(world, pick("right"), pick("a"), pick("a"));
    expect(tasksOf(world).filter((name) => name === "topology")).toHaveLength(1);
    expect(world.asked.filter((item) => item.kind === "topology")).toHaveLength(1);
    expect(world.state().rounds.every((round) => (round.round ?? 0) > 0)).toBe(true);
  });

  it("D2.1 says why more than six were grouped", async () => {
    const world = await open({ topology: () => ({ ...topology("A", "B"), grouping: "eight reports are one" }) });
    expect((await ask(world)).text).toContain("Grouped: eight reports are one");
    expect((await open().then(ask)).text).not.toContain("Grouped");
  });

  it.each([
    ["none", []],
    ["seven", ["A", "B", "C", "D", "E", "F", "G"]],
    ["one name twice", ["A", "a"]],
    ["an empty name", ["A", " "]],
  ])("D2.1 a list with %s is sent back once, then the clause splitter's stands", async (_, list) => {
    let calls = 0;
    const make = (always: boolean) =>
      open({
        topology: () => {
          calls += 1;
          return always || calls === 1 ? topology(...list) : topology("Mended");
        },
      });
    const world = await make(false);
    await ask(world);
    expect([names(world), calls]).toEqual([["Mended"], 2]);
    const failed = await make(true);
    await ask(failed);
    expect(eventsOf(failed, "topology.proposed")[0]?.fallback).toBe(true);
    expect(names(failed).length).toBeGreaterThanOrEqual(1);
    expect(names(failed).length).toBeLessThanOrEqual(6);
  });

  it("D2.3 the four-component fixture yields four siblings, without a model as well", async () => {
    const world = await createWorld({
      replies: { ...plain, topology: () => "I would call it a pipeline.", score: (task) => score(task, 0.4) },
      start: { idea: fixture },
    });
    await lock(world);
    expect(names(world)).toEqual(siblings);
    expect(world.state().topology.components.map((item) => item.status)).toEqual(siblings.map(() => "active"));
  });

  it("D2.3 a component that is clear never stands in for its siblings", async () => {
    const clear = (component: string) => (component === "review-ui" ? 1 : 0.1);
    const world = await open({ score: (task) => score(task, clear) });
    let question = await lock(world);
    const targets: (string | null | undefined)[] = [];
    for (let round = 1; round <= 6; round += 1) {
      targets.push(question.deepInterview?.component);
      question = await ask(world, pick("a"));
    }
    expect(targets[0]).toBe("ingestion");
    expect(new Set(targets)).toEqual(
      new Set(
        ["ingestion", "normalization", "export", "review-ui"].filter(
          (id) => id !== "review-ui" || targets.includes(id),
        ),
      ),
    );
    for (const id of ["ingestion", "normalization", "export"]) expect(targets).toContain(id);
    expect(targets.filter((id) => id === "review-ui").length).toBeLessThanOrEqual(1);
    expect(world.state().current_ambiguity).toBe(0.9);
  });
});

describe("round 0: the answer", () => {
  const edit = async (edits: readonly TopologyEdit[], more: Replies = {}) => {
    const world = await open({ interpret: () => reading(...edits), ...more });
    await ask(world);
    const question = await ask(world, say("as I say"));
    return { world, question };
  };

  it("D2.2 locks the seed's shape with the time of confirmation", async () => {
    const world = await open();
    await lock(world);
    const { topology: locked } = world.state();
    expect(locked).toMatchObject({ status: "confirmed", deferrals: [], last_targeted_component_id: "ingestion" });
    expect(locked.confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(locked.components[0]).toMatchObject({
      id: "ingestion",
      name: "Ingestion",
      description: "Ingestion works",
      status: "active",
      evidence: ["said"],
      clarity_scores: { goal: null, constraints: null, criteria: null, context: null },
      weakest_dimension: null,
    });
  });

  it.each<[string, TopologyEdit[], string[]]>([
    ["add", [{ op: "add", name: "Billing", description: "Bills" }], [...siblings, "Billing"]],
    ["remove", [{ op: "remove", component: "2" }], ["Ingestion", "Review UI", "Export"]],
    [
      "merge",
      [{ op: "merge", components: ["1", "2"], name: "Intake", description: "" }],
      ["Intake", "Review UI", "Export"],
    ],
    [
      "split",
      [
        {
          op: "split",
          component: "export",
          into: [
            { name: "PDF", description: "" },
            { name: "Mail", description: "" },
          ],
        },
      ],
      ["Ingestion", "Normalization", "Review UI", "PDF", "Mail"],
    ],
    [
      "rename",
      [{ op: "rename", component: "Review UI", name: "Desk" }],
      ["Ingestion", "Normalization", "Desk", "Export"],
    ],
    ["defer", [{ op: "defer", component: "export", reason: "next year" }], siblings],
    [
      "several at once",
      [
        { op: "remove", component: "1" },
        { op: "rename", component: "2", name: "Clean" },
        { op: "merge", components: ["3", "4"], name: "Rest", description: "" },
      ],
      ["Clean", "Rest"],
    ],
  ])("D2.2 the answer may %s", async (_, edits, expected) => {
    const { world, question } = await edit(edits);
    expect(names(world)).toEqual(expected);
    expect(world.state().topology.status).toBe("confirmed");
    expect(question.round).toBe(1);
  });

  it("D2.2 a deferral keeps its reason and time, and leaves the arithmetic", async () => {
    const { world } = await edit([{ op: "defer", component: "export", reason: "next year" }]);
    const { topology: locked } = world.state();
    expect(locked.deferrals).toEqual([
      { component_id: "export", reason: "next year", confirmed_at: locked.confirmed_at },
    ]);
    expect(active(world)).toEqual(["Ingestion", "Normalization", "Review UI"]);
    await turn(world, pick("a"));
    expect(
      inputOf<"score">((world.model.tasks ?? []).find((task) => task.name === "score") as never).components.map(
        (item) => item.id,
      ),
    ).not.toContain("export");
    expect(world.state().rounds[0]?.component_scores.map((item) => item.component)).not.toContain("export");
  });

  it("D2.2 a deferral that gives no reason says so in its reason", async () => {
    const { world } = await edit([{ op: "defer", component: "export", reason: " " }]);
    expect(world.state().topology.deferrals[0]?.reason).toBe(sentence("component.deferred.reason"));
  });

  it.each<[string, string]>([
    ["edit", "Add, remove, merge or split components"],
    ["defer", "Defer one or more components"],
  ])("D2.2 a bare %s option gets one collect for its content", async (id, label) => {
    const world = await open({ interpret: () => reading({ op: "defer", component: "export", reason: "" }) });
    await ask(world);
    const collect = await ask(world, pick(id));
    expect(collect).toMatchObject({ kind: "collect", round: 0, options: [], allow_free_text: true });
    expect(tasksOf(world)).toEqual(["topology"]);
    const question = await ask(world, say("number 4"));
    expect(question.round).toBe(1);
    expect(world.asked.filter((item) => item.kind === "collect")).toHaveLength(1);
    // What the words mean hangs on the option that they were asked for.
    expect(readBy(world)).toMatchObject({ picked: [label], text: "number 4" });
    expect(promptsOf(world, "interpret")[0]?.split(label)).toHaveLength(3);
    expect(active(world)).toEqual(siblings.slice(0, 3));
  });

  it("D2.2 an option with words needs no collect", async () => {
    const world = await open({ interpret: () => reading({ op: "remove", component: "4" }) });
    await ask(world);
    const question = await ask(world, user({ options: ["edit"], text: "drop 4" }));
    expect([question.round, names(world)]).toEqual([1, siblings.slice(0, 3)]);
    expect(readBy(world)).toMatchObject({ picked: ["Add, remove, merge or split components"], text: "drop 4" });
  });

  it("D2.2 words beside the confirmation are kept and stand in later prompts", async () => {
    const world = await open({ interpret: () => reading() });
    await ask(world);
    await ask(world, user({ options: ["right"], text: "but the desk matters most" }));
    expect(world.state().topology).toMatchObject({ status: "confirmed", remark: "but the desk matters most" });
    expect(promptsOf(world, "question")[0]).toContain("but the desk matters most");
  });

  it.each<[string, TopologyEdit[]]>([
    ["removed", siblings.map((component) => ({ op: "remove", component }))],
    ["deferred", siblings.map((component) => ({ op: "defer", component, reason: "" }))],
  ])("D2.2 no active component left (%s) is refused: nothing changes and the question stays", async (_, edits) => {
    const { world, question } = await edit(edits);
    expect(question).toMatchObject({ id: "q1", kind: "topology", round: 0 });
    expect([names(world), world.state().topology.status]).toEqual([siblings, "pending"]);
    expect(toldOf(world.messages)).toContain("At least one component has to stay active.");
    expect((await ask(world, pick("right"))).round).toBe(1);
  });

  it.each<[string, TopologyEdit]>([
    ["nothing known", { op: "remove", component: "Telepathy" }],
    ["a number that was not shown", { op: "remove", component: "5" }],
    ["one part only", { op: "split", component: "1", into: [{ name: "Half", description: "" }] }],
    ["one component twice", { op: "merge", components: ["1", "ingestion"], name: "X", description: "" }],
    ["no name", { op: "rename", component: "1", name: " " }],
    ["nothing to add", { op: "add", name: "", description: "x" }],
  ])("D2.2 an edit that names %s changes nothing, also not with a good one beside it", async (_, bad) => {
    const { world, question } = await edit([{ op: "rename", component: "1", name: "Other" }, bad]);
    expect([question.id, names(world)]).toEqual(["q1", siblings]);
    expect(toldOf(world.messages).join("\n")).toContain("I could not tell what to change");
  });

  it("D2.2 words that the interpret task cannot read are asked for again, and lock nothing", async () => {
    const world = await open({ interpret: () => "?" });
    await ask(world);
    const again = await ask(world, say("mrge teh frist tow"));
    expect([again.id, world.state().topology.status]).toEqual(["q1", "pending"]);
    // Also where they were collected.
    await ask(world, pick("edit"));
    expect((await ask(world, say("mrge"))).id).toBe("q1");
    expect((await ask(world, pick("right"))).round).toBe(1);
  });

  it("D2.2 words under an edit option that name no change are asked for again, and lock nothing", async () => {
    const world = await open({ interpret: () => reading() });
    await ask(world);
    await ask(world, pick("edit"));
    expect((await ask(world, say("hm, not sure"))).id).toBe("q1");
    expect((await ask(world, user({ options: ["defer"], text: "well" }))).id).toBe("q1");
    expect(world.state().topology.status).toBe("pending");
    // The same words without an option are a remark on a topology that was not objected to.
    await ask(world, say("good, but the desk matters most"));
    expect(world.state().topology).toMatchObject({ status: "confirmed", remark: "good, but the desk matters most" });
  });

  it("D2.2 who does not say what should change is asked the question itself again", async () => {
    const world = await open();
    await ask(world);
    await ask(world, pick("defer"));
    expect((await ask(world, user({ as: "opt-out" }))).id).toBe("q1");
    expect(world.state()).toMatchObject({ inbox: null, topology: { status: "pending" } });
    expect((await ask(world, pick("right"))).round).toBe(1);
  });

  it("D2.2 is shown in the next report and in none after it, and is not asked again", async () => {
    const world = await open();
    await lock(world);
    await play(world, pick("a"), pick("a"));
    const reports = world.messages.flatMap((message) =>
      message.type === "report" ? [message.view as unknown as ReportView] : [],
    );
    expect(reports.map((view) => view.locked.map((item) => item.name))).toEqual([siblings, []]);
    expect(world.asked.filter((item) => item.round === 0)).toHaveLength(1);
  });

  it("D2.2 a name that another component has does not take its id", async () => {
    const { world } = await edit([{ op: "add", name: "Export", description: "again" }]);
    expect(world.state().topology.components.map((item) => item.id)).toEqual([
      "ingestion",
      "normalization",
      "review-ui",
      "export",
      "export-2",
    ]);
  });
});

describe("a component deferred later", () => {
  const later: InterpretReply = { ...reading({ op: "defer", component: "export", reason: "not this year" }) };

  it("D2.2 any later reply may defer an active component: its reason and time are kept, and its pairs leave", async () => {
    const world = await open({ interpret: () => later });
    await lock(world);
    const question = await ask(world, say("People type. And leave Export for later."));
    expect(question.round).toBe(2);
    const { topology: now } = world.state();
    expect(now.components.find((item) => item.id === "export")?.status).toBe("deferred");
    expect(now.deferrals).toEqual([
      { component_id: "export", reason: "not this year", confirmed_at: expect.stringMatching(/Z$/) },
    ]);
    expect(toldOf(world.messages)).toContain("Export is deferred: not this year.");
    const scored = inputOf<"score">((world.model.tasks ?? []).find((task) => task.name === "score") as never);
    expect(scored.components.map((item) => item.id)).toEqual(["ingestion", "normalization", "review-ui"]);
    expect(world.state().rounds[0]?.lifecycle).toBe("scored");
  });

  it("D2.2 also a remark beside an option, which stays the answer", async () => {
    const world = await open({ interpret: () => ({ ...later, kind: "opt-out" }) });
    await lock(world);
    await ask(world, user({ options: ["b"], text: "and leave Export for later" }));
    expect(active(world)).toEqual(siblings.slice(0, 3));
    expect(world.state().rounds[0]).toMatchObject({
      selected_options: ["Another way for ingestion"],
      custom_input: "and leave Export for later",
      lifecycle: "scored",
      answered_by: "user",
      interpretation: null,
    });
  });

  it("D2.2 also an answer that is refined first", async () => {
    const world = await open({
      interpret: () => ({ ...later, structured: true, decision: "People type", reasoning: ["they must"] }),
    });
    await lock(world);
    expect((await ask(world, say("People type, because they must. Leave Export for later."))).kind).toBe("refine");
    await ask(world, pick("send"));
    expect(active(world)).toEqual(siblings.slice(0, 3));
    expect(world.state().rounds[0]?.lifecycle).toBe("scored");
  });

  it("D2.2 the last active component cannot be deferred, nor one that is not active, nor one that is none", async () => {
    const edits: TopologyEdit[] = ["Import", "export", "telepathy", "import"].map((component) => ({
      op: "defer",
      component,
      reason: "",
    }));
    const world = await open({ interpret: () => reading(...edits) }, ["Import", "Export"]);
    await lock(world);
    await ask(world, say("leave it all"));
    expect(active(world)).toEqual(["Export"]);
    expect(world.state().topology.deferrals.map((item) => item.component_id)).toEqual(["import"]);
  });

  it("D2.2 the component that the round itself was about can be deferred, and the next question is about another", async () => {
    const world = await open({ interpret: () => reading({ op: "defer", component: "ingestion", reason: "" }) });
    await lock(world);
    const question = await ask(world, say("not now"));
    expect(question.deepInterview?.component).not.toBe("ingestion");
    expect(world.state().rounds[0]?.lifecycle).toBe("scored");
  });
});

describe("round 0 and scoring", () => {
  it("D2.5 round 0 is no unscored round, blocks no scoring, and counts nowhere", async () => {
    const values: Record<string, number> = { goal: 0.69, constraints: 0.07, criteria: 0.29 };
    const world = await open({ score: (task) => score(task, (_, dimension) => values[dimension] ?? 0) });
    await lock(world);
    expect([world.state().rounds, world.state().round_count]).toEqual([[], 1]);
    await ask(world, pick("a"));
    const [round, ...more] = world.state().rounds;
    expect(more).toEqual([]);
    expect(round).toMatchObject({
      round: 1,
      lifecycle: "scored",
      scores: { goal: 0.69, constraints: 0.07, criteria: 0.29 },
    });
    expect(round?.ambiguity).toBe(0.616);
  });
});
