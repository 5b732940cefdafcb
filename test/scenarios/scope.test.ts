import { describe, expect, it } from "vitest";
import type { InterpretReply, ScoreReply } from "../../src/core/deep/tasks.ts";
import type { TopologyEdit } from "../../src/core/deep/vocabulary.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, sentence, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

type Claim = ScoreReply["triggers"][number];

function claim(label: Claim["label"], more: Partial<Claim> = {}): Claim {
  return {
    label,
    status: "active",
    component: "import",
    dimension: "criteria",
    evidence: "and it sends invoices",
    contradicts: "",
    proposed: label === "D" ? "Invoices" : "",
    rationale: "",
    ...more,
  };
}

/** Round by round: the score of every pair, and the triggers that the scorer reports. */
function open(rounds: readonly (readonly [number, ...Claim[]])[], more: Replies = {}): Promise<World> {
  return createWorld({
    replies: {
      ...plain,
      score: (task) => {
        const { round } = inputOf<"score">(task);
        const [value, ...triggers] = rounds[Math.min((round ?? 1) - 1, rounds.length - 1)] ?? [0.4];
        return score(task, value, { triggers });
      },
      ...more,
    },
    start: { threshold: 0.05 },
  });
}

const interpret = (...edits: TopologyEdit[]): Replies => ({
  interpret: () => ({ ...(plain.interpret as () => InterpretReply)(), edits }),
});
const joined = (world: World) => world.state().topology.components.find((item) => item.id === "invoices");
const trigger = (world: World) => world.state().triggers[0];
/** Round 1 brings the outcome in; the question of round 2 is the one about it. */
const expanded = async (more: Replies = {}) => {
  const world = await open([[0.5, claim("D")], [0.5]], more);
  await lock(world);
  return { world, question: await ask(world, say("Files come in, and it sends invoices")) };
};

describe("a new top-level outcome", () => {
  it("D2.6 the next question, an ordinary numbered round of kind topology, asks add, fold in or defer", async () => {
    const { world, question } = await expanded();
    expect(question).toMatchObject({ kind: "topology", round: 2, allow_free_text: true });
    expect(question.options.map((option) => option.id)).toEqual(["add", "fold", "defer"]);
    expect(question.text).toContain("Invoices");
    expect(question.header).toBe(
      "Round 2 | Component: Import | Targeting: criteria | Why now: the scope grew here | Ambiguity: 50%",
    );
    expect(question.deepInterview).toMatchObject({ round_id: "r2", component: "import", dimension: "criteria" });
    // Nothing joins before the user says so.
    expect(world.state().topology.components.map((item) => item.id)).toEqual(["import", "export"]);
    expect(trigger(world)).toMatchObject({ label: "D", proposed: "Invoices", aimed: true });
  });

  it("D2.6 add: the component joins, the trigger is resolved, the round is scored, and its pairs stay null in that scoring", async () => {
    const { world } = await expanded();
    const next = await ask(world, pick("add"));
    expect(joined(world)).toMatchObject({
      name: "Invoices",
      description: "and it sends invoices",
      status: "active",
      joined_round: 2,
      clarity_scores: { goal: null, constraints: null, criteria: null, context: null },
    });
    expect(trigger(world)).toMatchObject({ status: "resolved", resolved_round: 2 });
    const [, round] = world.state().rounds;
    expect(round).toMatchObject({
      round: 2,
      kind: "topology",
      lifecycle: "scored",
      selected_options: ["Add it as a component"],
      answered_by: "user",
    });
    expect(round?.component_scores.find((item) => item.component === "invoices")?.scores).toEqual({
      goal: null,
      constraints: null,
      criteria: null,
      context: null,
    });
    expect(round?.scores).toEqual({ goal: null, constraints: null, criteria: null, context: null });
    expect(round?.ambiguity).toBe(1);
    const input = inputOf<"score">((world.model.tasks ?? []).filter((task) => task.name === "score")[1] as never);
    expect(input.components.map((item) => item.id)).toEqual(["import", "export"]);
    // Its pairs are the lowest now, and the next scoring takes it in.
    expect(next.deepInterview).toMatchObject({ round: 3, component: "invoices", dimension: "goal" });
    await ask(world, pick("a"));
    expect(world.state().rounds[2]?.scores).toMatchObject({ goal: 0.5 });
  });

  it("D2.6 an eager scorer's numbers for a component that only just joined are dropped", async () => {
    const { world } = await expanded({
      score: (task) => {
        const { round } = inputOf<"score">(task);
        const reply = score(task, 0.5, { triggers: round === 1 ? [claim("D")] : [] });
        const dimensions = reply.components[0]?.dimensions ?? [];
        return round === 2
          ? { ...reply, components: [...reply.components, { component: "invoices", dimensions }] }
          : reply;
      },
    });
    await ask(world, pick("add"));
    expect(joined(world)?.clarity_scores.goal).toBeNull();
    expect(world.state().rounds[1]?.corrections.join()).toContain("invoices");
  });

  it("D2.6 fold: it becomes a deliverable of the component, the trigger is resolved, the round is scored", async () => {
    const { world } = await expanded();
    const next = await ask(world, pick("fold"));
    expect(joined(world)).toBeUndefined();
    expect(world.state().topology.components[0]?.deliverables).toEqual(["Invoices"]);
    expect(trigger(world)).toMatchObject({ status: "resolved", resolved_round: 2 });
    expect(world.state().rounds[1]).toMatchObject({ lifecycle: "scored", ambiguity: 0.5 });
    expect(next).toMatchObject({ kind: "round", round: 3 });
  });

  it("D2.6 defer: it is named as left for later with reason and time, and stays outside the arithmetic", async () => {
    const { world } = await expanded();
    await ask(world, pick("defer"));
    expect(joined(world)).toMatchObject({ status: "deferred", joined_round: 2 });
    expect(world.state().topology.deferrals).toEqual([
      {
        component_id: "invoices",
        reason: sentence("scope.deferred", { round: 2 }),
        confirmed_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(trigger(world)).toMatchObject({ status: "resolved" });
    expect(world.state().rounds[1]).toMatchObject({ lifecycle: "scored", ambiguity: 0.5 });
    expect(world.state().rounds[1]?.component_scores.map((item) => item.component)).toEqual(["import", "export"]);
  });

  it.each<[string, TopologyEdit[], string | undefined]>([
    ["add", [{ op: "add", name: "Invoices", description: "" }], "active"],
    ["defer", [{ op: "defer", component: "Invoices", reason: "" }], "deferred"],
    [
      "defer what it adds",
      [
        { op: "add", name: "Invoices", description: "" },
        { op: "defer", component: "Invoices", reason: "" },
      ],
      "deferred",
    ],
    ["remove", [{ op: "remove", component: "Invoices" }], "deferred"],
    ["merge", [{ op: "merge", components: ["Invoices", "export"], name: "", description: "" }], undefined],
  ])("D2.6 free words choose as well: %s", async (_, edits, status) => {
    const { world } = await expanded(interpret(...edits));
    expect((await ask(world, say("as I say"))).round).toBe(3);
    expect(joined(world)?.status).toBe(status);
    expect(trigger(world)).toMatchObject({ status: "resolved" });
    expect(world.state().rounds[1]).toMatchObject({ lifecycle: "scored", custom_input: "as I say" });
    if (status === undefined) expect(world.state().topology.components[1]?.deliverables).toEqual(["Invoices"]);
  });

  it("D2.6 words that decide nothing about it leave the question, and nothing joins", async () => {
    const { world, question } = await expanded(interpret());
    expect((await ask(world, say("who knows"))).id).toBe(question.id);
    expect(world.state().topology.components.map((item) => [item.id, item.deliverables.length])).toEqual([
      ["import", 0],
      ["export", 0],
    ]);
    expect(trigger(world)?.status).toBe("active");
    expect((await ask(world, pick("add"))).round).toBe(3);
  });

  it("D2.6 D2.2 words that defer a present component do that, and are not taken for the new one's fate", async () => {
    const edits: TopologyEdit[] = [
      { op: "add", name: "Invoices", description: "" },
      { op: "defer", component: "export", reason: "later" },
    ];
    const { world } = await expanded(interpret(...edits));
    await ask(world, say("Add it, and leave Export for later"));
    expect(world.state().topology.components.map((item) => [item.id, item.status])).toEqual([
      ["import", "active"],
      ["export", "deferred"],
      ["invoices", "active"],
    ]);
    expect(toldOf(world.messages)).toContain("Export is deferred: later.");
  });

  it("D2.6 an option with a remark is that option, whatever the remark says", async () => {
    const { world } = await expanded(interpret({ op: "remove", component: "Invoices" }));
    await ask(world, user({ options: ["add"], text: "even if I am not sure" }));
    expect(joined(world)?.status).toBe("active");
    expect(world.state().rounds[1]).toMatchObject({
      selected_options: ["Add it as a component"],
      custom_input: "even if I am not sure",
    });
  });

  it("D2.6 who opts out adds nothing: it is deferred", async () => {
    const { world } = await expanded();
    await ask(world, user({ as: "opt-out" }));
    expect(joined(world)?.status).toBe("deferred");
    expect(tasksOf(world)).not.toContain("auto-answer");
    expect(world.state().auto_answered_rounds).toEqual([]);
  });

  it("D2.6 comes before every other target, also when code masked its trigger, and each is asked once", async () => {
    // The other component hides the fall, so that ambiguity cannot rise: the trigger is unresolved, its question owed.
    const world = await open([], {
      score: (task) => {
        const { round } = inputOf<"score">(task);
        const value = (component: string) => (component === "export" ? 0.1 : 0.5);
        const triggers = round === 2 ? [claim("D"), claim("D", { proposed: "Archive", evidence: "an archive" })] : [];
        return score(task, value, { triggers });
      },
    });
    await lock(world);
    const first = await play(world, pick("a"), pick("a"));
    expect(world.state().triggers.map((item) => [item.status, item.rationale])).toEqual([
      ["unresolved", "masked by export/criteria"],
      ["unresolved", "masked by export/criteria"],
    ]);
    expect([first.kind, first.round, first.text.includes("Invoices")]).toEqual(["topology", 3, true]);
    const second = await ask(world, pick("fold"));
    expect([second.kind, second.round, second.text.includes("Archive")]).toEqual(["topology", 4, true]);
    expect((await ask(world, pick("defer"))).kind).toBe("round");
    expect(world.state().triggers.map((item) => item.status)).toEqual(["resolved", "resolved"]);
  });

  it("D2.6 D5.3 what the question itself offered is no expansion again, and neither is what was folded or deferred", async () => {
    const world = await open([
      [0.5, claim("D")],
      [0.5, claim("D")],
      [0.5, claim("D", { proposed: " invoices " })],
    ]);
    await lock(world);
    const rounds = await play(world, pick("a"), pick("fold"), pick("a"));
    expect(rounds).toMatchObject({ kind: "round", round: 4 });
    expect(world.state().triggers).toHaveLength(1);
    expect(world.asked.filter((item) => item.kind === "topology" && item.round !== 0)).toHaveLength(1);
  });

  it("D2.6 D3.1 a contradiction on the same pair is not taken for asked about by it", async () => {
    const world = await open([[0.5], [0.4, claim("B", { evidence: "both" }), claim("D")], [0.4]]);
    await lock(world);
    const scope = await play(world, pick("a"), pick("a"));
    expect(scope.kind).toBe("topology");
    const next = await ask(world, pick("fold"));
    expect(next.kind).toBe("round");
    expect(next.header).toContain("Component: Import | Targeting: criteria | Why now: ");
    expect(eventsOf(world, "question.asked").at(-1)?.aim?.trigger_id).toBe("t1");
  });

  it("D2.6 it is asked before the gate is tested, so that no outcome is lost at the end", async () => {
    const world = await open([[0.97, claim("D")], [0.97]]);
    await lock(world);
    // In the first scored round there is nothing to rise against, so the score stands and would pass.
    const question = await ask(world, pick("a"));
    expect(world.state().current_ambiguity).toBe(0.03);
    expect(question).toMatchObject({ kind: "topology", round: 2 });
    const next = await ask(world, pick("add"));
    expect(next.deepInterview).toMatchObject({ round: 3, component: "invoices" });
  });

  it("D2.6 the name of a new outcome is data: numbers and ids of others in it name nothing", async () => {
    const world = await open([[0.5, claim("D", { proposed: "2" })], [0.5]]);
    await lock(world);
    await play(world, pick("a"), pick("defer"));
    expect(world.state().topology.components.map((item) => [item.name, item.status])).toEqual([
      ["Import", "active"],
      ["Export", "active"],
      ["2", "deferred"],
    ]);
  });

  it("D7.2 the panel that follows holds the architect", async () => {
    const { world } = await expanded();
    expect(world.state().lateral_reviews.at(-1)?.personas ?? []).toContain("architect");
  });
});
