import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNearGate, scoreRound } from "../../../src/core/deep/assessment.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import type { ScoreReply } from "../../../src/core/deep/tasks.ts";
import type { Dimension, Pair, Scores } from "../../../src/core/deep/vocabulary.ts";
import {
  answered,
  assumption,
  component,
  draftReply,
  fact,
  factClaim,
  interview,
  reply,
  round,
  scoredRound,
  scores,
  triggerClaim,
} from "./build.ts";

const goal = (id: string) => ({ component: id, dimension: "goal" as const });

/** A state whose round 1 is scored with these clarities and whose round 2, aimed at `aimed`, is answered. */
function second(
  clarity: Readonly<Record<string, Scores>>,
  ambiguity: number,
  aimed: Pair | null,
  more: Partial<DeepState> = {},
): DeepState {
  const components = Object.entries(clarity).map(([id, all]) => component(id, all));
  const state = interview(components, {
    rounds: [scoredRound(1, ambiguity, clarity)],
    current_ambiguity: ambiguity,
    round_count: 1,
    ...more,
  });
  return answered(state, round(2, aimed));
}

const first = (...ids: string[]) => answered(interview(ids.map((id) => component(id))), round(1, goal(ids[0] ?? "a")));

describe("scoreRound", () => {
  it("D5.1 computes ambiguity from the minima of the active components and lists both", () => {
    const state = first("a", "b");
    const event = scoreRound(state, "r1", [
      reply({ a: { goal: 0.8, constraints: 0.5, criteria: 0.9 }, b: { goal: 0.6, constraints: 0.7, criteria: 0.4 } }),
    ]);
    expect(event.scores).toEqual(scores(0.6, 0.5, 0.4));
    expect(event.ambiguity).toBe(0.49);
    expect(event.component_scores).toEqual([
      { component: "a", scores: scores(0.8, 0.5, 0.9) },
      { component: "b", scores: scores(0.6, 0.7, 0.4) },
    ]);
    expect(event.milestone).toBe("progress");
  });

  it("D5.1 keeps deferred components out of the arithmetic, whatever the scorer says of them", () => {
    const base = interview([component("a"), component("b", scores(0, 0, 0), { status: "deferred" })]);
    const event = scoreRound(answered(base, round(1, goal("a"))), "r1", [
      reply({ a: { goal: 1, constraints: 1, criteria: 1 }, b: { goal: 0.1, constraints: 0.1, criteria: 0.1 } }),
    ]);
    expect(event.ambiguity).toBe(0);
    expect(event.component_scores.map((item) => item.component)).toEqual(["a"]);
    expect(event.corrections).toEqual(["scores of a deferred component dropped: b"]);
  });

  it("D5.2 lets a component or a dimension that the scorer leaves out keep its scores", () => {
    const state = second(
      { a: scores(0.5, 0.5, 0.5), b: scores(0.6, 0.6, 0.6), c: scores(0.7, 0.7, 0.7) },
      0.5,
      goal("a"),
    );
    const event = scoreRound(state, "r2", [reply({ a: { goal: 0.9 } })]);
    expect(event.component_scores).toEqual([
      { component: "a", scores: scores(0.9, 0.5, 0.5) },
      { component: "b", scores: scores(0.6, 0.6, 0.6) },
      { component: "c", scores: scores(0.7, 0.7, 0.7) },
    ]);
    expect(scoreRound(state, "r2", [reply({})]).ambiguity).toBe(0.5);
    expect(scoreRound(state, "r2", []).ambiguity).toBe(0.5);
  });

  it("D5.2 drops and records an unknown component and a dimension of another type", () => {
    const event = scoreRound(first("a"), "r1", [
      reply({ a: { goal: 0.9, constraints: 0.9, criteria: 0.9, context: 0 }, x: { goal: 0 } }),
    ]);
    expect(event.scores).toEqual(scores(0.9, 0.9, 0.9));
    expect(event.corrections).toEqual([
      "dimension outside a greenfield interview dropped: a/context",
      "scores of an unknown component dropped: x",
    ]);
  });

  it("D5.2 takes no number outside 0..1 for clarity", () => {
    const state = second({ a: scores(0.2, 0.2, 0.2) }, 0.8, goal("a"));
    for (const bad of [90, 7, 1.0001, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const event = scoreRound(state, "r2", [reply({ a: { goal: bad, constraints: bad, criteria: bad } })]);
      expect(event.scores).toEqual(scores(0.2, 0.2, 0.2));
      expect(event.corrections).toHaveLength(3);
    }
  });

  it("D5.2 takes the lower of two scores for one pair", () => {
    const state = first("a");
    const twice = reply({ a: { goal: 0.9, constraints: 0.9, criteria: 0.9 } });
    const event = scoreRound(state, "r1", [
      { ...twice, components: [...twice.components, ...reply({ a: { goal: 0.4 } }).components] },
    ]);
    expect(event.scores.goal).toBe(0.4);
  });

  it("D5.5 has no pacing brake: the first round may reach the gate, a later one may fall or rise as far as it will", () => {
    expect(scoreRound(first("a"), "r1", [reply({ a: { goal: 1, constraints: 1, criteria: 1 } })]).ambiguity).toBe(0);
    const clear = second({ a: scores(0.9, 0.9, 0.9) }, 0.1, goal("a"));
    expect(scoreRound(clear, "r2", [reply({ a: { goal: 0, constraints: 0, criteria: 0 } })]).ambiguity).toBe(1);
    const vague = second({ a: scores(0.1, 0.1, 0.1) }, 0.9, goal("a"));
    expect(scoreRound(vague, "r2", [reply({ a: { goal: 1, constraints: 1, criteria: 1 } })]).ambiguity).toBe(0);
  });

  it("D2.6 leaves the pairs of a component that this answer added null, and counts them as 0", () => {
    const base = second({ a: scores(0.9, 0.9, 0.9) }, 0.1, goal("a"));
    const joined = component("b", {}, { joined_round: 2 });
    const state = {
      ...base,
      topology: { ...base.topology, components: [...base.topology.components, joined] },
      rounds: base.rounds.map((item) => (item.round === 2 ? { ...item, kind: "topology" as const } : item)),
    };
    const event = scoreRound(state, "r2", [
      reply({ a: { goal: 0.9 }, b: { goal: 0.9, constraints: 0.9, criteria: 0.9 } }),
    ]);
    expect(event.component_scores[1]).toEqual({ component: "b", scores: scores(null, null, null) });
    expect(event.scores).toEqual(scores(null, null, null));
    expect(event.ambiguity).toBe(1);
    expect(event.panel_due).toMatchObject({ from: "refined", to: "initial", architect: true });
    const settled = {
      ...state,
      topology: { ...state.topology, components: [component("a", scores(0.9, 0.9, 0.9), { joined_round: 1 })] },
    };
    expect(scoreRound(settled, "r2", [reply({ a: { goal: 0.8 } })]).scores.goal).toBe(0.8);
  });

  it("D5.8 scores a corrected goal line, which has no number, against the last scored round", () => {
    const base = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    const state = answered({ ...base, rounds: base.rounds.slice(0, 1) }, round(null, null));
    const event = scoreRound(state, "c1", [
      reply(
        { a: { goal: 0.4, constraints: 0.5, criteria: 0.5 } },
        { triggers: [triggerClaim("B", goal("a"))], facts: [factClaim("All of it", goal("a"))] },
      ),
    ]);
    expect(event.triggers[0]).toMatchObject({
      round: null,
      status: "active",
      prior_ambiguity: 0.5,
      new_ambiguity: 0.54,
    });
    expect(event.facts[0]).toMatchObject({ source_round: null, provenance: "user" });
    expect(event.ontology.round).toBeNull();
  });

  it("D4.6 compares a round that is scored again with the round before it, not with its own first score", () => {
    const base = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    const high = scores(0.95, 0.95, 0.95);
    const again = {
      ...base,
      topology: { ...base.topology, components: [component("a", high)] },
      rounds: base.rounds.map((item) =>
        item.round === 2 ? { ...item, component_scores: [{ component: "a", scores: high }], ambiguity: 0.05 } : item,
      ),
      current_ambiguity: 0.05,
    };
    const event = scoreRound(again, "r2", [reply({ a: { goal: 0.45 } }, { triggers: [triggerClaim("C", goal("a"))] })]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.45, 0.5, 0.5));
    expect(event.triggers[0]).toMatchObject({
      prior_dimension_score: 0.5,
      prior_ambiguity: 0.5,
      enforced: false,
      status: "active",
    });
  });

  it("D5.8 compares with the last of several scored rounds, and with none that was superseded or left unresolved", () => {
    const one = scores(0.2, 0.2, 0.2);
    const two = scores(0.5, 0.5, 0.5);
    const rounds = [
      scoredRound(1, 0.8, { a: one }),
      scoredRound(2, 0.5, { a: two }),
      scoredRound(3, 0.1, { a: scores(0.9, 0.9, 0.9) }, { superseded: true }),
      scoredRound(4, 0.1, { a: scores(0.9, 0.9, 0.9) }, { lifecycle: "unresolved" }),
    ];
    const state = answered(interview([component("a", two)], { rounds, round_count: 4 }), round(5, goal("a")));
    const given = [reply({ a: { goal: 0.4 } }, { triggers: [triggerClaim("B", goal("a"))] })];
    expect(scoreRound(state, "r5", given).triggers[0]).toMatchObject({
      prior_ambiguity: 0.5,
      prior_dimension_score: 0.5,
    });
    // The same round with a later one scored: an edit.
    const later = { ...state, rounds: [...state.rounds, scoredRound(6, 0.1, { a: scores(0.9, 0.9, 0.9) })] };
    const edited = { ...later, topology: { ...later.topology, components: [component("a", scores(0.9, 0.9, 0.9))] } };
    expect(scoreRound(edited, "r5", given).triggers[0]).toMatchObject({
      prior_ambiguity: 0.5,
      prior_dimension_score: 0.5,
    });
  });

  it("D6.1 compares entities with the snapshot before the round, also when the round is scored again", () => {
    const named = (...names: string[]) => names.map((name) => ({ name, type: "t", fields: [], relationships: [] }));
    const snapshot = (number: number | null, ...names: string[]) => ({
      ...scoreRound(first("a"), "r1", [reply({}, { entities: named(...names) })]).ontology,
      round: number,
    });
    const base = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    const seen = (snapshots: DeepState["ontology_snapshots"]) =>
      scoreRound({ ...base, ontology_snapshots: snapshots }, "r2", [reply({}, { entities: named("A") })]).ontology;
    expect(seen([])).toMatchObject({ stability_ratio: null, new: 1, round: 2 });
    expect(seen([snapshot(0, "B"), snapshot(1, "A")])).toMatchObject({ stable: 1, removed: 0 });
    expect(seen([snapshot(1, "A"), snapshot(null, "B")])).toMatchObject({ new: 1, removed: 1 });
    expect(seen([snapshot(0, "C", "D"), snapshot(1, "A"), snapshot(2, "B"), snapshot(3, "C")])).toMatchObject({
      stable: 1,
      removed: 0,
    });
  });

  it("D4.6 knows a second scoring by the first one's snapshot when the record was made anew", () => {
    const base = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    const { ontology } = scoreRound(base, "r2", [reply({})]);
    const state = {
      ...base,
      topology: { ...base.topology, components: [component("a", scores(0.9, 0.9, 0.9))] },
      ontology_snapshots: [ontology],
    };
    expect(scoreRound(state, "r2", [reply({})]).scores).toEqual(scores(0.5, 0.5, 0.5));
    expect(
      scoreRound({ ...state, ontology_snapshots: [{ ...ontology, round: 1 }] }, "r2", [reply({})]).scores.goal,
    ).toBe(0.9);
  });

  it("D7.2 adds the architect to a panel that is due when the answer brought a new outcome", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    const due = (label: "B" | "D") =>
      scoreRound(state, "r2", [
        reply({ a: { goal: 0.1, constraints: 0.3 } }, { triggers: [triggerClaim(label, goal("a"))] }),
      ]).panel_due;
    expect(due("D")).toMatchObject({ cause: "milestone", to: "initial", architect: true });
    expect(due("B")).toMatchObject({ cause: "milestone", to: "initial", architect: false });
  });

  it("D5.2 puts into the record what the answer newly said", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"), { established_facts: [fact("f1", goal("a"))] });
    const long = {
      ...state,
      rounds: state.rounds.map((item) =>
        item.round === 2 ? { ...item, custom_input: "It goes on. ".repeat(80) } : item,
      ),
    };
    const event = scoreRound(long, "r2", [
      reply({}, { facts: [factClaim("Statement f1", goal("a")), factClaim("Never on Sundays", goal("a"))] }),
    ]);
    expect(event.record).toContain("Fact: Never on Sundays");
    expect(event.record).not.toContain("Statement f1");
  });

  it("D5.8 an event says only what is new or changed", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"), { established_facts: [fact("f1", goal("a"))] });
    const event = scoreRound(state, "r2", [
      reply({ a: { goal: 0.6 } }, { facts: [factClaim("Another thing", goal("a"))] }),
    ]);
    expect(event.facts.map((item) => item.id)).toEqual(["f2"]);
    expect(event.triggers).toEqual([]);
    expect(event.assumptions).toEqual([]);
  });

  it("D5.2 gives each pair's gap, clears it when none is left, and says what lowered a pair that the scorer found clear", () => {
    const clear = reply({ a: { goal: 0.95, constraints: 0.95, criteria: 0.95 } });
    const noGap: ScoreReply = {
      ...clear,
      components: clear.components.map((item) => ({
        ...item,
        dimensions: item.dimensions.map((one) => ({ ...one, gap: "" })),
      })),
    };
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
    expect(scoreRound(state, "r2", [noGap]).gaps.map((item) => item.gap)).toEqual(["", "", ""]);
    const opted = {
      ...state,
      assumptions: [assumption("as1", 2, goal("a"))],
      rounds: state.rounds.map((item) =>
        item.round === 2 ? { ...item, answered_by: "architect-assisted" as const } : item,
      ),
    };
    expect(scoreRound(opted, "r2", [noGap]).gaps[0]?.gap).toBe("who else uses it");
    expect(scoreRound(opted, "r2", [clear]).gaps[0]?.gap).toBe("what is left");
    const held = {
      ...state,
      established_facts: [fact("f0", goal("a")), fact("f1", goal("a"), { status: "disputed", ceiling: 0.5 })],
    };
    const other = answered(
      { ...held, rounds: held.rounds.slice(0, 1) },
      round(2, { component: "a", dimension: "criteria" }),
    );
    expect(scoreRound(other, "r2", [noGap]).gaps.map((item) => item.gap)).toEqual(["Statement f1", "", ""]);
    const triggered = scoreRound(state, "r2", [{ ...noGap, triggers: [triggerClaim("B", goal("a"))] }]);
    expect(triggered.gaps[0]?.gap).toBe("the words of the answer");
  });

  it("D5.6 takes ontology and draft from the first sample, and only a draft that is a question about an active pair", () => {
    const entities = [{ name: "Task", type: "core domain", fields: [], relationships: [] }];
    const draft = [draftReply(goal("a"), { recommended: "that" })];
    const event = scoreRound(first("a"), "r1", [reply({}, { entities, draft }), reply({}), reply({})]);
    expect(event.ontology.entities).toEqual(entities);
    expect(event.draft).toMatchObject({
      question: "What happens first?",
      recommended: 1,
      nature: "decision",
      fact: null,
    });
    expect(event.corrections).toEqual([]);
    const dropped = (more: Parameters<typeof draftReply>[1], pair: Pair = goal("a")) =>
      scoreRound(first("a"), "r1", [reply({}, { draft: [draftReply(pair, more)] })], {
        other: ["Other"],
        placeholder: ["TODO"],
      }).draft;
    expect(dropped({ question: "Who? And when?" })).toBeNull();
    expect(dropped({ question: "TODO" })).toBeNull();
    expect(dropped({}, goal("x"))).toBeNull();
    expect(dropped({}, { component: "a", dimension: "context" })).toBeNull();
    expect(scoreRound(first("a"), "r1", [reply({}, { draft: [...draft, ...draft] })]).draft).toBeNull();
  });

  it("throws only when there is no such round", () => {
    expect(() => scoreRound(first("a"), "r9", [])).toThrow("no round r9");
  });
});

describe("samples near the gate", () => {
  const values = (...list: number[]) =>
    list.map((value) => reply({ a: { goal: value, constraints: value, criteria: value } }));

  it("D5.6 is near within 0.05 of the threshold on either side, after every rule, and never with one sample a score", () => {
    const near = (value: number, more: Partial<DeepState> = {}) => {
      const [only] = values(value);
      if (only === undefined) throw new Error("one sample");
      return isNearGate({ ...first("a"), threshold: 0.2, ...more }, "r1", only);
    };
    expect(near(0.7499)).toBe(false);
    expect(near(0.75)).toBe(true);
    expect(near(0.8)).toBe(true);
    expect(near(0.85)).toBe(true);
    expect(near(0.8501)).toBe(false);
    const { limits } = first("a");
    expect(near(0.8, { limits: { ...limits, scoringSamples: 1 } })).toBe(false);
  });

  it("D5.6 judges nearness by what is stored: a cap counts", () => {
    const state = first("a");
    const opted = {
      ...state,
      assumptions: [assumption("as1", 1, goal("a"))],
      rounds: state.rounds.map((item) => ({ ...item, answered_by: "architect-assisted" as const })),
    };
    const [high] = values(1);
    if (high === undefined) throw new Error("one sample");
    expect(isNearGate(opted, "r1", high)).toBe(false);
    expect(isNearGate({ ...opted, threshold: 0.15 }, "r1", high)).toBe(true);
  });

  it("D5.6 takes the median of each pair and stores spread and samples", () => {
    const event = scoreRound(first("a"), "r1", values(0.9, 0.7, 0.8));
    expect(event.scores).toEqual(scores(0.8, 0.8, 0.8));
    expect(event.ambiguity).toBe(0.2);
    expect(event.sampling_margin).toBe(0);
    expect(event.spread).toEqual(
      (["goal", "constraints", "criteria"] as const).map((dimension) => ({ component: "a", dimension, spread: 0.2 })),
    );
    expect(event.samples.map((sample) => sample.ambiguity)).toEqual([0.1, 0.3, 0.2]);
  });

  it("D5.6 stores the larger of the medians' ambiguity and the median of the samples', and the difference as margin", () => {
    const event = scoreRound(first("a", "b", "c"), "r1", [
      reply({ a: scores(0.5, 1, 1), b: scores(1, 1, 1), c: scores(1, 1, 1) }),
      reply({ a: scores(1, 1, 1), b: scores(0.5, 1, 1), c: scores(1, 1, 1) }),
      reply({ a: scores(1, 1, 1), b: scores(1, 1, 1), c: scores(0.5, 1, 1) }),
    ]);
    expect(event.scores).toEqual(scores(1, 1, 1));
    expect(event.ambiguity).toBe(0.2);
    expect(event.sampling_margin).toBe(0.2);
  });

  it("D5.6 takes the lower of two when a sample failed, and one sample as it is", () => {
    expect(scoreRound(first("a"), "r1", values(0.9, 0.7))).toMatchObject({ ambiguity: 0.3, sampling_margin: 0 });
    expect(scoreRound(first("a"), "r1", values(0.9))).toMatchObject({ ambiguity: 0.1, spread: [] });
  });

  it("D5.6 counts a trigger or a fact only when most samples have it", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, null);
    const with_ = (index: number) =>
      reply(
        { a: { goal: 0.4 } },
        {
          triggers: [triggerClaim("B", goal("a"))],
          facts: [factClaim(`Only ${index}`, goal("a")), factClaim("Users  SIGN in", goal("a"))],
        },
      );
    const without = reply(
      { a: { goal: 0.4 } },
      { triggers: [triggerClaim("C", goal("a")), triggerClaim("B", { component: "a", dimension: "criteria" })] },
    );
    const one = scoreRound(state, "r2", [with_(1), without, reply({ a: { goal: 0.4 } })]);
    expect(one.triggers).toEqual([]);
    expect(one.facts).toEqual([]);
    const two = scoreRound(state, "r2", [with_(1), without, with_(2)]);
    expect(two.triggers.map((item) => item.label)).toEqual(["B"]);
    expect(two.facts.map((item) => item.statement)).toEqual(["Users  SIGN in"]);
  });

  it("D5.6 knows a fact that samples word differently, unless its numbers differ", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, null);
    const says = (...statements: string[]) =>
      reply({}, { facts: statements.map((text) => factClaim(text, goal("a"))) });
    const told = scoreRound(state, "r2", [
      says("Exports run at most once a day"),
      says("The exports run at most once a day"),
      says(),
    ]);
    expect(told.facts.map((item) => item.statement)).toEqual(["Exports run at most once a day"]);
    const numbers = scoreRound(state, "r2", [
      says("At most 5 users at a time"),
      says("At most 50 users at a time"),
      says(),
    ]);
    expect(numbers.facts).toEqual([]);
    const both = scoreRound(state, "r2", [
      says("Only admins may export", "Only admins may import"),
      says("Only admins may import", "Only admins may export"),
    ]);
    expect(both.facts.map((item) => item.statement)).toEqual(["Only admins may export", "Only admins may import"]);
  });

  it("D5.6 needs both of two samples for a trigger, a fact and a side", () => {
    const facts = [
      fact("f1", goal("a"), { status: "disputed" as const, ceiling: 0.4 }),
      fact("f2", goal("a"), { contradicts: "f1" }),
    ];
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"), { established_facts: facts });
    const full = reply(
      {},
      {
        triggers: [triggerClaim("B", { component: "a", dimension: "criteria" })],
        facts: [factClaim("One", goal("a"))],
        stands: ["f1"],
      },
    );
    const half = scoreRound(state, "r2", [full, reply({})]);
    expect(half.triggers).toEqual([]);
    expect(half.facts.map((item) => [item.id, item.status])).toEqual([
      ["f1", "superseded"],
      ["f2", "established"],
    ]);
    const both = scoreRound(state, "r2", [full, full]);
    expect(both.triggers).toHaveLength(1);
    expect(both.facts.map((item) => [item.id, item.status])).toEqual([
      ["f1", "established"],
      ["f2", "superseded"],
      ["f3", "established"],
    ]);
  });

  it("D5.6 reads a trigger as most samples do, and tells contradictions of two facts apart", () => {
    const facts = ["f1", "f2"].map((id) => fact(id, goal("a")));
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, null, { established_facts: facts });
    const raise = (...claims: ReturnType<typeof triggerClaim>[]) => reply({ a: { goal: 0.3 } }, { triggers: claims });
    const hard = triggerClaim("B", goal("a"), { evidence: "as it is" });
    const soft = triggerClaim("B", goal("a"), { status: "disputed", rationale: "may be", evidence: "perhaps" });
    expect(scoreRound(state, "r2", [raise(soft), raise(hard), raise(hard)]).triggers).toMatchObject([
      { status: "active", evidence: "as it is" },
    ]);
    const against = (id: string) => triggerClaim("A", goal("a"), { contradicts: id });
    const event = scoreRound(state, "r2", [
      raise(against("f1"), against("f2")),
      raise(against("f2"), against("f1")),
      raise(against("f2")),
    ]);
    expect(event.triggers.map((item) => item.contradicted_fact)).toEqual(["f1", "f2"]);
  });

  it("D5.6 does not take half of a longer statement for it", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, null);
    const says = (text: string) => reply({}, { facts: [factClaim(text, goal("a"))] });
    const long = "Exports run nightly, keep ninety days of history, and are readable by auditors only";
    expect(scoreRound(state, "r2", [says(long), says("Exports run nightly"), reply({})]).facts).toEqual([]);
  });

  it("D5.6 knows a contradiction of one fact in any words", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5) }, 0.5, null, { established_facts: [fact("f1", goal("a"))] });
    const says = (text: string) => reply({}, { facts: [factClaim(text, goal("a"), "f1")] });
    const event = scoreRound(state, "r2", [says("No such limit"), says("It may be unlimited"), reply({})]);
    expect(event.facts.find((item) => item.id === "f1")?.status).toBe("disputed");
    expect(event.facts.find((item) => item.id === "f2")).toMatchObject({
      statement: "No such limit",
      contradicts: "f1",
    });
  });
});

// The rules of D5.8 written out once more, as plainly as possible, on plain lists of integers.
const dims = ["goal", "constraints", "criteria"] as const satisfies readonly Dimension[];
const weight = [40, 30, 30];

interface Case {
  readonly components: number;
  readonly prior: readonly (number | null)[];
  readonly samples: readonly (readonly (number | null)[])[];
  readonly caps: readonly (number | null)[];
  readonly ceilings: readonly (number | null)[];
  readonly triggered: readonly number[];
  readonly priorAmbiguity: number | null;
  readonly assumed: "no" | "capped" | "sure";
}

function naiveFormula(values: readonly (number | null)[]): number {
  let sum = 0;
  for (let d = 0; d < 3; d += 1) {
    let least = 10_000;
    for (let i = d; i < values.length; i += 3) least = Math.min(least, values[i] ?? 0);
    sum += (weight[d] ?? 0) * least;
  }
  return Math.round((1_000_000 - sum) / 100 + 1e-9);
}

function middle(values: readonly (number | null)[]): number | null {
  const ranked = [...values].sort((x, y) => (x === null ? -1 : x) - (y === null ? -1 : y));
  return ranked[ranked.length % 2 === 1 ? (ranked.length - 1) / 2 : ranked.length / 2 - 1] ?? null;
}

function least(value: number | null, limit: number | null | undefined): number | null {
  return value === null || limit === null || limit === undefined ? value : Math.min(value, limit);
}

function naive(input: Case): { final: (number | null)[]; stored: number; enforced: boolean[]; unresolved: boolean[] } {
  const size = input.components * 3;
  let samples = input.samples.map((sample) =>
    Array.from({ length: size }, (_, i) => sample[i] ?? input.prior[i] ?? null),
  );
  const median = Array.from({ length: size }, (_, i) => middle(samples.map((sample) => sample[i] ?? null)));
  const limit: (number | null)[] = Array.from({ length: size }, (_, i) => {
    let bound = input.caps[i] ?? null;
    if (input.assumed === "capped" && (median[i] ?? 0) > (input.prior[i] ?? 0)) {
      const cap = Math.max(input.prior[i] ?? 0, 8_500);
      bound = bound === null ? cap : Math.min(bound, cap);
    }
    const ceiling = input.ceilings[i] ?? null;
    return ceiling === null ? bound : Math.min(bound ?? 10_000, ceiling);
  });
  const bindAll = () => {
    samples = samples.map((sample) => sample.map((value, i) => least(value, limit[i])));
  };
  const finalOf = () => Array.from({ length: size }, (_, i) => middle(samples.map((sample) => sample[i] ?? null)));
  const storedOf = () => {
    const own = samples.map(naiveFormula).sort((x, y) => x - y);
    const mid = own.length % 2 === 1 ? own[(own.length - 1) / 2] : own[own.length / 2];
    return Math.max(naiveFormula(finalOf()), mid ?? 0);
  };
  bindAll();
  const { priorAmbiguity: p } = input;
  const free = p === null;
  const risen = () => free || p === 10_000 || storedOf() > p;
  const before = finalOf();
  const ok = risen();
  const enforced = input.triggered.map((i) => !free && ((before[i] ?? 0) > (input.prior[i] ?? 0) || !ok));
  input.triggered.forEach((i, at) => {
    if (enforced[at]) limit[i] = Math.max(0, Math.min(before[i] ?? 0, input.prior[i] ?? 0) - 500);
  });
  bindAll();
  const met = risen();
  return { final: finalOf(), stored: storedOf(), enforced, unresolved: input.triggered.map(() => !met) };
}

function pairAt(index: number): Pair {
  return { component: `c${Math.floor(index / 3)}`, dimension: dims[index % 3] ?? "goal" };
}

function decimal(value: number | null): number | null {
  return value === null ? null : value / 10_000;
}

function toState(input: Case): DeepState {
  const list = Array.from({ length: input.components }, (_, c) =>
    component(
      `c${c}`,
      scores(
        decimal(input.prior[c * 3] ?? null),
        decimal(input.prior[c * 3 + 1] ?? null),
        decimal(input.prior[c * 3 + 2] ?? null),
      ),
    ),
  );
  const state = interview(list, {
    rounds:
      input.priorAmbiguity === null
        ? []
        : [scoredRound(1, input.priorAmbiguity / 10_000, {}, { milestone: "progress" })],
    caps: input.caps.flatMap((cap, i) =>
      cap === null ? [] : [{ ...pairAt(i), cap: cap / 10_000, assumption_id: "as0" }],
    ),
    established_facts: input.ceilings.flatMap((ceiling, i) =>
      ceiling === null ? [] : [fact(`f${i + 1}`, pairAt(i), { status: "disputed", ceiling: ceiling / 10_000 })],
    ),
    assumptions: [
      assumption("as1", 2, pairAt(0), input.assumed === "sure" ? { confidence: "high", uncertainty: null } : {}),
    ],
  });
  const by = input.assumed === "no" ? "user" : "architect-assisted";
  return answered(state, round(2, null, { answered_by: by }));
}

function toReplies(input: Case): ScoreReply[] {
  return input.samples.map((sample) => {
    const scored: Record<string, Partial<Scores>> = {};
    for (let i = 0; i < input.components * 3; i += 1) {
      const { component: id, dimension } = pairAt(i);
      const value = sample[i] ?? null;
      if (value !== null) scored[id] = { ...scored[id], [dimension]: value / 10_000 };
    }
    return reply(scored, { triggers: input.triggered.map((i) => triggerClaim("B", pairAt(i))) });
  });
}

const units = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }),
  fc.integer({ min: 0, max: 20 }).map((step) => step * 500),
);
const cases: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 4 }).chain((count) => {
  const row = (freq: number) => fc.array(fc.option(units, { freq }), { minLength: count * 3, maxLength: count * 3 });
  const rare = fc.array(fc.option(units, { freq: 1 }), { minLength: count * 3, maxLength: count * 3 });
  return fc.record({
    components: fc.constant(count),
    prior: row(8),
    samples: fc.array(row(8), { minLength: 1, maxLength: 3 }),
    caps: rare,
    ceilings: rare,
    triggered: fc.uniqueArray(fc.nat(count * 3 - 1), { maxLength: 3 }),
    priorAmbiguity: fc.option(fc.oneof(units, fc.constant(10_000)), { freq: 6 }),
    assumed: fc.constantFrom("no" as const, "no" as const, "capped" as const, "sure" as const),
  });
});

describe("scoreRound as a law", () => {
  it("D5.8 agrees with the rules written out plainly, for any state and any samples", () => {
    fc.assert(
      fc.property(cases, (input) => {
        const event = scoreRound(toState(input), "r2", toReplies(input));
        const expected = naive(input);
        const final = event.component_scores.flatMap((item) => dims.map((dimension) => item.scores[dimension]));
        expect(final).toEqual(expected.final.map(decimal));
        expect(event.ambiguity).toBe(expected.stored / 10_000);
        const enforced = event.triggers.map((item) => item.enforced);
        expect(enforced).toEqual(expected.enforced);
        expect(event.triggers.map((item) => item.status === "unresolved")).toEqual(expected.unresolved);
      }),
      { numRuns: 1500 },
    );
  });

  it("D5.1 stores the formula on the minima that it stores, plus the sampling margin, to the last place", () => {
    fc.assert(
      fc.property(cases, (input) => {
        const event = scoreRound(toState(input), "r2", toReplies(input));
        const stored = event.component_scores.flatMap((item) => dims.map((dimension) => item.scores[dimension]));
        const formula = naiveFormula(stored.map((value) => (value === null ? null : Math.round(value * 10_000))));
        expect(Math.round((event.ambiguity - event.sampling_margin) * 10_000)).toBe(formula);
        expect(event.sampling_margin).toBeGreaterThanOrEqual(0);
        if (input.samples.length < 3) expect(event.sampling_margin).toBe(0);
        for (const dimension of dims) {
          const all = event.component_scores.map((item) => item.scores[dimension]);
          expect(event.scores[dimension]).toBe(all.includes(null) ? null : Math.min(...all.map(Number)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("D5.3 never lets an active trigger go with an ambiguity that has not risen, nor its pair with a better score", () => {
    fc.assert(
      fc.property(cases, (input) => {
        fc.pre(input.priorAmbiguity !== null && input.triggered.length > 0);
        const event = scoreRound(toState(input), "r2", toReplies(input));
        const prior = (input.priorAmbiguity ?? 0) / 10_000;
        for (const item of event.triggers) {
          if (item.status === "active" && prior < 1) expect(event.ambiguity).toBeGreaterThan(prior);
          if (item.status !== "active") {
            expect(event.ambiguity).toBeLessThanOrEqual(prior);
            expect(item.rationale).toMatch(/^(masked by c\d\/(goal|constraints|criteria)|other pairs rose)$/);
          }
          expect(item.new_dimension_score ?? 0).toBeLessThanOrEqual(item.prior_dimension_score ?? 0);
          expect(item.new_ambiguity).toBe(event.ambiguity);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("D5.8 gives the same event for the same input, and changes neither", () => {
    fc.assert(
      fc.property(cases, (input) => {
        const state = toState(input);
        const replies = toReplies(input);
        const frozen = JSON.stringify([state, replies]);
        expect(scoreRound(state, "r2", replies)).toEqual(scoreRound(state, "r2", replies));
        expect(JSON.stringify([state, replies])).toBe(frozen);
      }),
    );
  });
});
