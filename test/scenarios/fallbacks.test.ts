import { describe, expect, it } from "vitest";
import type { TaskName, TaskReply } from "../../src/core/deep/tasks.ts";
import type { Question } from "../../src/core/machine.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { answering, inTurn, levels, specText, words } from "./script.ts";
import { ask, eventsOf, lock, play, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };
const rubbish = "I am afraid that I cannot put this as JSON.";
const bad = () => rubbish;
const down = () => new Error("overloaded");

const callsOf = (world: World, name: string) => tasksOf(world).filter((task) => task === name).length;
const failures = (world: World) =>
  eventsOf(world, "task.failed").map(({ task, code, final }) => ({ task, code, final }));

const research: Replies["question"] = (task) => {
  const { target, round } = inputOf<"question">(task);
  return {
    task: "question",
    question: { ...draft(target.component, target.dimension as "goal", `Which one, ${round}?`), research: true },
  };
};

describe("a reply that is wrong, also after its repair", () => {
  it("costs one repair turn, no more, before the fallback of any task", async () => {
    const replies: Replies = {
      ...levels([0.95]),
      ...(Object.fromEntries(
        ["topology", "question", "closure", "restate", "crystallize", "panel"].map((name) => [name, bad]),
      ) as Replies),
    };
    const world = await createWorld({
      replies,
      start: { limits, idea: "A tool that imports files and exports reports" },
    });
    await world.run(answering());
    for (const name of ["topology", "question", "closure", "restate", "crystallize"])
      expect(callsOf(world, name)).toBe(2);
    expect(callsOf(world, "panel")).toBe(6);
  });

  it("D2.1 of topology is replaced by the clause splitter's components, confirmed as usual", async () => {
    const replies = { ...levels([0.3]), topology: bad };
    const idea = "Build an intake pipeline that ingests CSVs, normalizes records and exports reports";
    const world = await createWorld({ replies, start: { limits, idea } });
    const question = await ask(world);
    expect(question).toMatchObject({ kind: "topology", round: 0 });
    expect(world.state().topology.components.length).toBeGreaterThan(1);
    expect(eventsOf(world, "topology.proposed")).toMatchObject([{ fallback: true }]);
    expect(await ask(world, pick("right"))).toMatchObject({ kind: "round", round: 1 });
  });

  it("D3.3 of question is replaced by a template for the same target", async () => {
    const world = await createWorld({ replies: { ...levels([0.3]), question: bad }, start: { limits } });
    const question = await lock(world);
    expect(question.deepInterview).toMatchObject({ component: "import", dimension: "goal", round: 1 });
    expect(question.text).toBe(words("template.goal", { component: "Import" }));
    expect(question.options.length).toBeGreaterThanOrEqual(2);
    expect(question.allow_free_text).toBe(true);
  });

  it("D4.3 of interpret has the raw words confirmed", async () => {
    const world = await createWorld({ replies: { ...levels([0.3]), interpret: bad }, start: { limits } });
    await lock(world);
    const typed = "CSV only, because Excel breaks dates";
    const refine = await ask(world, say(typed));
    expect(refine.kind).toBe("refine");
    expect(refine.text).toContain(`Decision: ${typed}`);
    await ask(world, pick("send"));
    expect(world.state().rounds[0]).toMatchObject({ custom_input: typed, lifecycle: "scored" });
  });

  it("D4.3 of interpret at the topology has the edit said again", async () => {
    const world = await createWorld({ replies: { ...levels([0.3]), interpret: bad }, start: { limits } });
    const question = await ask(world);
    expect(await ask(world, say("put both in one"))).toEqual(question);
    expect(toldOf(world.messages).at(-1)).toBe(words("topology.unclear"));
    expect(world.state().topology.status).toBe("pending");
  });

  it("D8.2 of score leaves the round answered, stops with exit 5, and scores on the next try without asking again", async () => {
    let isBroken = true;
    const replies: Replies = { ...plain, score: (task) => (isBroken ? rubbish : score(task, 0.3)) };
    const world = await createWorld({ replies, start: { limits } });
    await lock(world);
    await expect(ask(world, pick("a"))).rejects.toMatchObject({ exitCode: 5, code: "model-reply" });
    expect(world.state().rounds).toMatchObject([
      { round: 1, lifecycle: "answered", selected_options: ["One way for import"] },
    ]);
    expect(failures(world)).toEqual([{ task: "score", code: "reply", final: false }]);
    await world.reopen();
    // It persists, and costs nothing but the call.
    await expect(ask(world)).rejects.toMatchObject({ exitCode: 5 });
    isBroken = false;
    await world.reopen();
    expect(await ask(world)).toMatchObject({ kind: "round", round: 2 });
    expect(world.state().rounds[0]).toMatchObject({ lifecycle: "scored", ambiguity: 0.7 });
    expect(world.state().asked.map(({ question }) => question.round)).toEqual([0, 1, 2]);
  });

  it.each([
    [90, 90, 90],
    [7, 7, 7],
    [-1, 0.9, 0.9],
    ["0.9", "0.9", "0.9"],
    [true, true, true],
    [[0.9], [0.9], [0.9]],
    [null, null, null],
  ])("D8.2 D5.2 never takes %j, %j, %j for clarity (fault 20)", async (...values) => {
    const replies: Replies = {
      ...plain,
      score: (task) => {
        const reply = score(task, 0.5);
        const components = reply.components.map((component) => ({
          ...component,
          dimensions: component.dimensions.map((item, index) => ({ ...item, score: values[index] })),
        }));
        return JSON.stringify({ ...reply, components });
      },
    };
    const world = await createWorld({ replies, start: { limits } });
    await lock(world);
    await expect(ask(world, pick("a"))).rejects.toMatchObject({ exitCode: 5 });
    expect(world.state()).toMatchObject({ current_ambiguity: 1, rounds: [{ lifecycle: "answered", ambiguity: null }] });
  });

  it("D5.6 of a further sample is done without: the first one stands, and two are no more than one", async () => {
    const replies: Replies = { ...plain, score: (task) => (task.id.endsWith("-1") ? score(task, 0.78) : rubbish) };
    const world = await createWorld({ replies, start: { limits: defaultLimits } });
    await lock(world);
    await ask(world, pick("a"));
    expect(world.state().rounds[0]).toMatchObject({ lifecycle: "scored", ambiguity: 0.22, spread: [] });
    expect(world.state().rounds[0]?.samples).toHaveLength(1);
  });

  it("D9.1 D10.4 of closure leaves code's gaps, asks nothing about it, and never passes", async () => {
    const world = await createWorld({ replies: { ...levels([0.95]), closure: bad }, start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT", ambiguity: 0.05 } });
    expect(world.state().asked.map(({ question }) => question.kind)).toEqual([
      "topology",
      "round",
      "restate",
      "bridge",
    ]);
    expect(specText(world.store.lines)).toContain(words("gap.audit-failed"));
  });

  it("D9.3 of restate is replaced by one line over every component's goal", async () => {
    const topology: Replies["topology"] = (task, calls) => {
      const reply = plain.topology?.(task, calls) as TaskReply<"topology">;
      return {
        ...reply,
        components: reply.components.map((item) => ({ ...item, description: `${item.description}\nof all kinds.` })),
      };
    };
    const replies = { ...levels([0.95]), topology, restate: bad };
    const world = await createWorld({ replies, start: { limits, idea: "Files in,\nreports out." } });
    await lock(world);
    await ask(world, pick("a"));
    expect(world.state().restate.line).toBe(
      words("restate.template", {
        idea: "Files in",
        components: "Import (Reads files of all kinds); Export (Writes reports of all kinds)",
      }),
    );
  });

  it("D10.2 of crystallize is replaced by prose from the facts, and may still pass", async () => {
    const facts = (["import", "export"] as const).flatMap((component) =>
      (["goal", "constraints", "criteria"] as const).map((dimension) => ({
        statement: `${component} has its ${dimension}`,
        component,
        dimension,
        evidence: "said",
        contradicts: "",
      })),
    );
    const replies = { ...levels([0.95], () => ({ facts })), crystallize: bad };
    const world = await createWorld({ replies, start: { limits } });
    const result = await world.run(answering());
    expect(eventsOf(world, "spec.drafted")).toMatchObject([{ fallback: true }]);
    expect(specText(world.store.lines)).toContain("- [ ] export has its criteria (round 1; user; covers export)");
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
  });

  it("D1.3 of summarise is replaced by head and tail of the idea", async () => {
    const idea = `The beginning of it. ${"Many words. ".repeat(2000)}And never on Sundays.`;
    const world = await createWorld({ replies: { ...levels([0.3]), summarise: bad }, start: { limits, idea } });
    await lock(world);
    const { initial_idea, initial_context_summary, idea_chars } = world.state();
    expect(initial_idea).toBe(initial_context_summary);
    expect(initial_idea).toMatch(/^The beginning of it\.[\s\S]*And never on Sundays\.$/);
    expect(initial_idea.length).toBeLessThanOrEqual(4000);
    expect(idea_chars).toBe(idea.length);
  });

  it("D1.2 of explore leaves what the look into the project saw by itself", async () => {
    const scan = {
      files: [{ path: "src/a.ts", bytes: 10, symbols: ["login"] }],
      excerpts: [],
      earlier: [],
      truncated: false,
    };
    const world = await createWorld({
      replies: { ...levels([0.3]), explore: bad },
      explorer: { scan },
      start: { limits, type: "brownfield", signals: { source: true, packages: true, git: true } },
    });
    expect(await lock(world)).toMatchObject({ kind: "round", round: 1 });
    expect(world.state().codebase_context).not.toBeNull();
  });

  it.each([bad, down])("D3.7 of research leaves the plain question, counts it, and shows nothing", async (broken) => {
    const world = await createWorld({
      replies: { ...levels([0.3]), question: research, research: broken },
      start: { limits },
    });
    const question = await lock(world);
    expect(question).toMatchObject({ kind: "round", round: 1, text: "Which one, 1?" });
    expect(world.state()).toMatchObject({ architect_failures: 1, auto_researched_rounds: [] });
    expect(toldOf(world.messages).join("\n")).not.toMatch(/research|overloaded|fail/i);
  });

  it.each([bad, down])("D4.4 of auto-answer leaves the round unresolved, counts it, and goes on", async (broken) => {
    const world = await createWorld({ replies: { ...levels([0.3]), "auto-answer": broken }, start: { limits } });
    await lock(world);
    const question = await ask(world, user({ as: "opt-out" }));
    expect(question).toMatchObject({ kind: "round", round: 2 });
    expect(world.state()).toMatchObject({
      architect_failures: 1,
      auto_answered_rounds: [],
      rounds: [{ round: 1, lifecycle: "unresolved", ambiguity: null }],
    });
  });

  it.each([bad, down])("D7.3 of a persona is left out, in silence", async (broken) => {
    const world = await createWorld({ replies: { ...levels([0.5]), panel: broken }, start: { limits } });
    await lock(world);
    expect(await ask(world, pick("a"))).toMatchObject({ kind: "round", round: 2 });
    expect(world.state().lateral_panel_failures).toBe(3);
  });
});

describe("a provider that is down", () => {
  const needed: readonly TaskName[] = [
    "topology",
    "question",
    "interpret",
    "score",
    "closure",
    "restate",
    "crystallize",
  ];

  it.each(needed)(
    "D8.2 stops the interview at %s with exit 5, and it goes on where it was, asking nothing twice",
    async (name) => {
      let isDown = true;
      const base: Replies = levels([0.5, 0.95]);
      const make = base[name] as (...args: unknown[]) => unknown;
      const replies = {
        ...base,
        [name]: (...args: unknown[]) => (isDown ? new Error("529") : make(...args)),
      } as Replies;
      const world = await createWorld({ replies, start: { limits } });
      const put = new Map<string, Question>();
      const answers = answering({ round: inTurn(say("some words"), pick("a")) });
      const answered = new Set<string>();
      const answer: Parameters<World["run"]>[0] = (question, state) => {
        expect(answered.has(question.id), `${question.id} was answered already`).toBe(false);
        put.set(question.id, question);
        answered.add(question.id);
        return answers(question, state);
      };
      await expect(world.run(answer)).rejects.toMatchObject({
        exitCode: 5,
        code: "model-provider",
        next: expect.stringContaining("resume --session s1"),
      });
      expect(failures(world)).toEqual([{ task: name, code: "provider", final: false }]);
      isDown = false;
      await world.reopen();
      expect(await world.run(answer)).toMatchObject({ type: "done", outcome: { status: "PASSED" } });
    },
  );

  it("D8.2 keeps the results of the other samples when one of the needed calls fails", async () => {
    let isDown = true;
    const replies: Replies = {
      ...levels([0.5]),
      panel: (task, calls) => plain.panel?.(task, calls) ?? "",
      question: (task, calls) =>
        inputOf<"question">(task).round === 2 && isDown ? new Error("503") : (plain.question?.(task, calls) ?? ""),
    };
    const world = await createWorld({ replies, start: { limits } });
    await lock(world);
    await expect(ask(world, pick("a"))).rejects.toMatchObject({ exitCode: 5 });
    const before = callsOf(world, "panel");
    isDown = false;
    await world.reopen();
    await play(world, pick("a"));
    expect(callsOf(world, "panel")).toBe(before);
  });
});
