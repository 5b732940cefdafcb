import { describe, expect, it } from "vitest";
import { checkScore } from "../../../src/core/deep/check.ts";
import { noWords } from "../../../src/core/deep/draft.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import type { ScoreReply } from "../../../src/core/deep/tasks.ts";
import type { Dimension, Pair } from "../../../src/core/deep/vocabulary.ts";
import {
  answered,
  component,
  draftReply,
  fact,
  factClaim,
  interview,
  reply,
  round,
  scoredRound,
  scores,
  scoreTask,
  triggerClaim,
} from "./build.ts";

const goal: Pair = { component: "a", dimension: "goal" };
const half = scores(0.5, 0.5, 0.5);

function state(more: Partial<DeepState> = {}): DeepState {
  const base = interview([component("a", half), component("b", half), component("late", {}, { status: "deferred" })], {
    rounds: [scoredRound(1, 0.5, { a: half, b: half })],
    current_ambiguity: 0.5,
    established_facts: [fact("f1", goal), fact("f2", goal, { status: "superseded" })],
    round_count: 1,
    ...more,
  });
  return answered(base, round(2, goal));
}

function faults(given: ScoreReply, base: DeepState = state()): string[] {
  return checkScore(base, scoreTask(2), given, noWords).map((item) => `${item.severity} ${item.path}`);
}

function one(score: number, gap = "some", dimension: Dimension = "goal", id = "a"): ScoreReply {
  return reply({}, { components: [{ component: id, dimensions: [{ dimension, justification: "", score, gap }] }] });
}

describe("checkScore: scores", () => {
  it("D5.2 accepts a reply that names every pair, some or none", () => {
    expect(faults(reply({ a: half, b: half }))).toEqual([]);
    expect(faults(reply({ b: { criteria: 0.2 } }))).toEqual([]);
    expect(faults(reply({}))).toEqual([]);
  });

  it("D5.2 rejects what is no number from 0 to 1", () => {
    for (const bad of [90, 7, 1.0001, -0.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect([bad, faults(one(bad))]).toEqual([bad, ["reject components[0].dimensions[0].score"]]);
    }
    for (const good of [0, 0.5, 1]) expect(faults(one(good))).toEqual([]);
  });

  it("D5.2 rejects an unknown component, a dimension of another type and a pair scored twice", () => {
    expect(faults(one(0.5, "some", "goal", "x"))).toEqual(["reject components[0].component"]);
    expect(faults(one(0.5, "some", "context"))).toEqual(["reject components[0].dimensions[0].dimension"]);
    expect(faults(one(0.5, "some", "context"), state({ type: "brownfield" }))).toEqual([]);
    const single = one(0.5);
    expect(faults({ ...single, components: [...single.components, ...single.components] })).toEqual([
      "reject components[1].dimensions[0]",
    ]);
  });

  it("D5.2 asks for a gap below 0.9, or below 1 - threshold where that is more", () => {
    expect(faults(one(0.8999, " "))).toEqual(["reject components[0].dimensions[0].gap"]);
    expect(faults(one(0.9, ""), state({ threshold: 0.2 }))).toEqual([]);
    expect(faults(one(0.9, ""))).toEqual(["reject components[0].dimensions[0].gap"]);
    expect(faults(one(0.9499, ""))).toEqual(["reject components[0].dimensions[0].gap"]);
    expect(faults(one(0.95, ""))).toEqual([]);
  });

  it("D5.2 names the ids there are", () => {
    const [first] = checkScore(state(), scoreTask(2), one(0.5, "some", "goal", "x"), noWords);
    expect(first?.message).toBe('unknown component "x"; the ids are a, b, late');
  });
});

describe("checkScore: triggers and facts", () => {
  const claimed = (more: Parameters<typeof triggerClaim>[2], label: "A" | "B" | "C" | "D" = "B", pair: Pair = goal) =>
    faults(reply({ a: { goal: 0.3 } }, { triggers: [triggerClaim(label, pair, more)] }));

  it("D5.3 rejects a trigger on no active component, without evidence, or without the rationale that its status needs", () => {
    expect(claimed({})).toEqual([]);
    expect(claimed({}, "B", { component: "x", dimension: "goal" })).toEqual(["reject triggers[0].component"]);
    expect(claimed({}, "D", { component: "late", dimension: "goal" })).toEqual(["reject triggers[0].component"]);
    expect(claimed({}, "B", { component: "a", dimension: "context" })).toEqual(["reject triggers[0].dimension"]);
    expect(claimed({ evidence: "" })).toEqual(["reject triggers[0].evidence"]);
    for (const status of ["disputed", "unresolved"] as const) {
      expect(claimed({ status })).toEqual(["reject triggers[0].rationale"]);
      expect(claimed({ status, rationale: "both may hold" })).toEqual([]);
    }
  });

  it("D5.3 rejects a new outcome without a name", () => {
    expect(claimed({ proposed: "" }, "D")).toEqual(["reject triggers[0].proposed"]);
    expect(claimed({ proposed: "Billing" }, "D")).toEqual([]);
  });

  it("D5.4 rejects a contradiction of a fact that is not there or no longer stands", () => {
    expect(claimed({ contradicts: "f1" }, "A")).toEqual([]);
    expect(claimed({ contradicts: "f2" }, "A")).toEqual(["reject triggers[0].contradicts"]);
    expect(claimed({ contradicts: "f9" }, "A")).toEqual(["reject triggers[0].contradicts"]);
    const told = (id: string) => faults(reply({}, { facts: [factClaim("One", goal, id)] }));
    expect(told("")).toEqual([]);
    expect(told("f1")).toEqual([]);
    expect(told("f9")).toEqual(["reject facts[0].contradicts"]);
  });

  it("D5.4 rejects a fact without statement or evidence, or outside the topology, and takes one of a deferred component", () => {
    const told = (more: Partial<ReturnType<typeof factClaim>>) =>
      faults(reply({}, { facts: [{ ...factClaim("One", goal), ...more }] }));
    expect(told({ statement: " " })).toEqual(["reject facts[0].statement"]);
    expect(told({ evidence: "" })).toEqual(["reject facts[0].evidence"]);
    expect(told({ component: "x" })).toEqual(["reject facts[0].component"]);
    expect(told({ dimension: "context" })).toEqual(["reject facts[0].dimension"]);
    expect(told({ component: "late" })).toEqual([]);
  });

  it("D5.4 gives one repair for a side that is no standing fact", () => {
    expect(faults(reply({}, { stands: ["f1", "new"] }))).toEqual([]);
    expect(faults(reply({}, { stands: ["f2", "f9"] }))).toEqual(["correct stands[0]", "correct stands[1]"]);
  });
});

describe("checkScore: the transition", () => {
  const active = (score: number, more: Partial<ScoreReply> = {}) =>
    faults(reply({ a: { goal: score } }, { triggers: [triggerClaim("B", goal)], ...more }));

  it("D5.3 gives one repair for a pair that improved, and for an ambiguity that has not risen", () => {
    expect(active(0.3)).toEqual([]);
    expect(active(0.8)).toEqual(["correct triggers"]);
    expect(active(0.5)).toEqual(["correct triggers"]);
  });

  it("D5.3 has nothing to say in the first scored round, nor of a trigger that code drops", () => {
    const first = answered(interview([component("a"), component("b")]), round(1, goal));
    expect(faults(reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("C", goal)] }), first)).toEqual([]);
    const base = state();
    const assisted = {
      ...base,
      rounds: base.rounds.map((item) =>
        item.round === 2 ? { ...item, answered_by: "architect-assisted" as const } : item,
      ),
    };
    expect(faults(reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("C", goal)] }), assisted)).toEqual([]);
  });

  it("D5.3 finds the round by the task when the stage does not say it", () => {
    const base: DeepState = { ...state(), stage: { type: "choosing" } };
    expect(faults(reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("B", goal)] }), base)).toEqual([
      "correct triggers",
    ]);
    const none = { ...base, rounds: base.rounds.slice(0, 1) };
    expect(faults(reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("B", goal)] }), none)).toEqual([]);
  });

  it("D5.3 tells of the transition only when the reply can be read", () => {
    expect(active(0.8, { facts: [factClaim("", goal)] })).toEqual(["reject facts[0].statement"]);
  });
});

describe("checkScore: the draft", () => {
  it("D3.3 gives one repair for a draft that is no question about an active pair, without failing the score", () => {
    const draft = (more: Parameters<typeof draftReply>[1], pair: Pair = goal) =>
      faults(reply({}, { draft: [draftReply(pair, more)] }));
    expect(draft({})).toEqual([]);
    expect(draft({ question: "Who? And when?" })).toEqual(["correct draft[0].question"]);
    expect(draft({ options: [] })).toEqual(["correct draft[0].options"]);
    expect(draft({}, { component: "late", dimension: "goal" })).toEqual(["correct draft[0].component"]);
    expect(faults(reply({}, { draft: [draftReply(goal), draftReply(goal)] }))).toEqual(["correct draft"]);
  });
});
