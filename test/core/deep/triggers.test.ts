import { describe, expect, it } from "vitest";
import { scoreRound } from "../../../src/core/deep/assessment.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import type { Pair, Scores } from "../../../src/core/deep/vocabulary.ts";
import {
  aim,
  answered,
  applyScored,
  component,
  fact,
  interview,
  reply,
  round,
  scoredRound,
  scores,
  trigger,
  triggerClaim,
} from "./build.ts";

const goal = (id: string): Pair => ({ component: id, dimension: "goal" });
const constraints = (id: string): Pair => ({ component: id, dimension: "constraints" });

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

const half = { a: scores(0.5, 0.5, 0.5) };

describe("an active trigger", () => {
  it("D5.3 stands as it is when its pair fell and ambiguity rose, with the seed's fields", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.3 } }, { triggers: [triggerClaim("B", goal("a"), { evidence: "offline and live" })] }),
    ]);
    expect(event.triggers).toEqual([
      {
        id: "t1",
        round: 2,
        label: "B",
        status: "active",
        component: "a",
        dimension: "goal",
        prior_dimension_score: 0.5,
        new_dimension_score: 0.3,
        prior_ambiguity: 0.5,
        new_ambiguity: 0.58,
        evidence: "offline and live",
        proposed: null,
        contradicted_fact: null,
        rationale: null,
        enforced: false,
        aimed: false,
        resolved_round: null,
      },
    ]);
    expect(event.corrections).toEqual([]);
  });

  it("D5.3 that improved its pair costs it 0.05 below where it stood, and ambiguity rises", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("A", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.45, 0.5, 0.5));
    expect(event.ambiguity).toBe(0.52);
    expect(event.triggers[0]).toMatchObject({
      status: "active",
      enforced: true,
      new_dimension_score: 0.45,
      rationale: null,
    });
    expect(event.corrections).toEqual(["trigger t1 (A): code lowered a/goal"]);
  });

  it("D5.3 that left its pair where it was costs 0.05 below the new score", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.5 } }, { triggers: [triggerClaim("C", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.45);
    expect(event.triggers[0]).toMatchObject({ status: "active", enforced: true });
  });

  it("D5.3 never brings a pair below 0", () => {
    const event = scoreRound(second({ a: scores(0.03, 0.5, 0.5) }, 0.688, goal("a")), "r2", [
      reply({ a: { goal: 0.9 } }, { triggers: [triggerClaim("C", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0);
    expect(event.ambiguity).toBe(0.7);
  });

  it("D5.3 becomes unresolved when another component is as weak on its dimension, and nothing falls further", () => {
    const event = scoreRound(second({ a: scores(0.8, 0.5, 0.5), b: scores(0.3, 0.9, 0.9) }, 0.58, goal("a")), "r2", [
      reply({ a: { goal: 0.9 } }, { triggers: [triggerClaim("B", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.75);
    expect(event.ambiguity).toBe(0.58);
    expect(event.triggers[0]).toMatchObject({ status: "unresolved", enforced: true, rationale: "masked by b/goal" });
    expect(event.corrections).toContain("trigger t1 (B): unresolved, masked by b/goal");
  });

  it("D5.3 names the weakest of several that mask it, the first in the topology on a tie", () => {
    const mask = (b: number, c: number) =>
      scoreRound(
        second({ a: scores(0.8, 0.5, 0.5), b: scores(b, 0.9, 0.9), c: scores(c, 0.9, 0.9) }, 0.9, goal("a")),
        "r2",
        [reply({}, { triggers: [triggerClaim("B", goal("a"))] })],
      ).triggers[0]?.rationale;
    expect(mask(0.3, 0.2)).toBe("masked by c/goal");
    expect(mask(0.2, 0.2)).toBe("masked by b/goal");
    expect(mask(0.75, 0.9)).toBe("masked by b/goal");
    expect(mask(0.76, 0.9)).toBe("other pairs rose");
  });

  it("D5.3 becomes unresolved when other pairs rose by more than it fell", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.8, constraints: 0.9, criteria: 0.9 } }, { triggers: [triggerClaim("A", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.45, 0.9, 0.9));
    expect(event.ambiguity).toBe(0.28);
    expect(event.triggers[0]).toMatchObject({ status: "unresolved", enforced: true, rationale: "other pairs rose" });
  });

  it("D5.3 that fell is corrected too as long as ambiguity has not risen", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.4, constraints: 0.6, criteria: 0.5 } }, { triggers: [triggerClaim("B", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.4, 0.6, 0.5));
    expect(event.ambiguity).toBe(0.51);
    const level = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.41, constraints: 0.62, criteria: 0.5 } }, { triggers: [triggerClaim("B", goal("a"))] }),
    ]);
    expect(level.component_scores[0]?.scores).toEqual(scores(0.36, 0.62, 0.5));
    expect(level.triggers[0]).toMatchObject({ status: "active", enforced: true });
  });

  it("D5.3 is corrected once for a pair that two triggers are on", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("A", goal("a")), triggerClaim("B", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.45);
    expect(event.triggers.map((item) => item.enforced)).toEqual([true, true]);
  });

  it("D5.3 has nothing to rise against in the first scored round", () => {
    const state = answered(interview([component("a")]), round(1, goal("a")));
    const event = scoreRound(state, "r1", [
      reply({ a: { goal: 0.4, constraints: 0.5, criteria: 0.5 } }, { triggers: [triggerClaim("C", goal("a"))] }),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.4);
    expect(event.triggers[0]).toMatchObject({
      status: "active",
      enforced: false,
      prior_dimension_score: null,
      prior_ambiguity: 1,
    });
  });

  it("D5.3 has nothing to rise against from a prior ambiguity of 1.0, but its pair still must not improve", () => {
    const zero = second({ a: scores(0, 0, 0) }, 1, goal("a"));
    const flat = scoreRound(zero, "r2", [reply({ a: { goal: 0 } }, { triggers: [triggerClaim("C", goal("a"))] })]);
    expect(flat.triggers[0]).toMatchObject({ status: "active", enforced: false });
    const better = scoreRound(zero, "r2", [
      reply({ a: { goal: 0.6, constraints: 0.4 } }, { triggers: [triggerClaim("C", goal("a"))] }),
    ]);
    expect(better.component_scores[0]?.scores).toEqual(scores(0, 0.4, 0));
    expect(better.triggers[0]).toMatchObject({ status: "active", enforced: true });
  });

  it("D5.3 counts a pair that was never scored as 0", () => {
    const state = second({ a: scores(0.5, 0.5, 0.5), b: scores(null, null, null) }, 1, goal("b"));
    const event = scoreRound(
      { ...state, rounds: state.rounds.map((item) => (item.round === 1 ? { ...item, ambiguity: 0.9 } : item)) },
      "r2",
      [reply({ b: { goal: 0.4 } }, { triggers: [triggerClaim("C", goal("b"))] })],
    );
    expect(event.component_scores[1]?.scores.goal).toBe(0);
  });

  it("D5.3 compares with the stored ambiguity of the prior scored round, its sampling margin included", () => {
    const state = second(half, 0.53, goal("a"));
    const event = scoreRound(state, "r2", [reply({ a: { goal: 0.45 } }, { triggers: [triggerClaim("B", goal("a"))] })]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.4);
    expect(event.triggers[0]).toMatchObject({
      prior_ambiguity: 0.53,
      new_ambiguity: 0.54,
      status: "active",
      enforced: true,
    });
  });
});

describe("a trigger that is not active", () => {
  it("D5.3 binds neither its pair nor ambiguity when it has a rationale", () => {
    for (const status of ["disputed", "unresolved"] as const) {
      const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
        reply(
          { a: { goal: 0.8 } },
          { triggers: [triggerClaim("B", goal("a"), { status, rationale: "both may hold" })] },
        ),
      ]);
      expect(event.component_scores[0]?.scores.goal).toBe(0.8);
      expect(event.triggers[0]).toMatchObject({ status, rationale: "both may hold", enforced: false });
    }
  });

  it("D5.3 is active after all when it gives no reason", () => {
    const event = scoreRound(second(half, 0.5, goal("a")), "r2", [
      reply(
        { a: { goal: 0.8 } },
        { triggers: [triggerClaim("B", goal("a"), { status: "unresolved", rationale: "  " })] },
      ),
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.45);
    expect(event.corrections).toContain("trigger B taken as active, unresolved without a rationale: a/goal");
  });
});

describe("triggers that code drops", () => {
  const state = second({ ...half, b: scores(0.5, 0.5, 0.5) }, 0.5, goal("a"));
  const deferred = {
    ...state,
    topology: {
      ...state.topology,
      components: [...state.topology.components, component("late", {}, { status: "deferred", name: "Reports" })],
    },
  };
  const admit = (claim: ReturnType<typeof triggerClaim>, base: DeepState = deferred) =>
    scoreRound(base, "r2", [reply({ a: { goal: 0.4 } }, { triggers: [claim] })]);

  it("D5.3 affect no active component or no dimension of the interview", () => {
    expect(admit(triggerClaim("D", goal("late"))).corrections).toEqual([
      "trigger D dropped, no active component: late/goal",
    ]);
    expect(admit(triggerClaim("A", goal("x"))).triggers).toEqual([]);
    expect(admit(triggerClaim("B", { component: "a", dimension: "context" })).triggers).toEqual([]);
  });

  it("D5.3 D2.6 propose nothing, or what is a component, active or deferred, or was raised before", () => {
    const d = (proposed: string, base?: DeepState) =>
      admit(triggerClaim("D", goal("a"), { proposed }), base).triggers.length;
    expect(d("Billing")).toBe(1);
    expect(d(" ")).toBe(0);
    expect(d("reports")).toBe(0);
    expect(d("B")).toBe(0);
    const raised = {
      ...deferred,
      triggers: [trigger("t1", "D", goal("a"), { proposed: "Billing", status: "resolved" })],
    };
    expect(d(" billing", raised)).toBe(0);
    expect(d("Invoices", raised)).toBe(1);
  });

  it("D5.3 say the same twice", () => {
    const event = scoreRound(deferred, "r2", [
      reply({ a: { goal: 0.4 } }, { triggers: [triggerClaim("B", goal("a")), triggerClaim("B", goal("a"))] }),
    ]);
    expect(event.triggers).toHaveLength(1);
    expect(event.corrections).toEqual(["trigger B dropped, said twice: a/goal"]);
  });

  it("D5.3 keep a trigger A whose fact no longer stands, without the fact", () => {
    const base = { ...deferred, established_facts: [fact("f1", goal("a"), { status: "superseded" })] };
    const event = admit(triggerClaim("A", goal("a"), { contradicts: "f1" }), base);
    expect(event.triggers[0]).toMatchObject({ label: "A", contradicted_fact: null });
    expect(event.facts).toEqual([]);
  });

  it("D2.6 have an outcome that would join only when they are a D, and ids that count on", () => {
    const base = { ...deferred, triggers: [trigger("t7", "C", goal("b"), { status: "resolved" })] };
    const event = scoreRound(base, "r2", [
      reply(
        { a: { goal: 0.3 } },
        {
          triggers: [
            triggerClaim("D", goal("a"), { proposed: "Billing" }),
            triggerClaim("B", goal("b"), { proposed: "x" }),
          ],
        },
      ),
    ]);
    expect(event.triggers.map((item) => [item.id, item.proposed])).toEqual([
      ["t8", "Billing"],
      ["t9", null],
    ]);
  });
});

describe("triggers that an answer resolves", () => {
  const open = [
    trigger("t1", "B", goal("a"), { aimed: true }),
    trigger("t2", "C", constraints("a")),
    trigger("t3", "B", goal("a"), { status: "unresolved" }),
  ];
  const resolved = (event: ReturnType<typeof scoreRound>) =>
    event.triggers.filter((item) => item.status === "resolved").map((item) => [item.id, item.resolved_round]);

  it("D5.4 are those of the pair that a direct answer was aimed at, also when ambiguity fell", () => {
    const event = scoreRound(second(half, 0.5, goal("a"), { triggers: open }), "r2", [reply({ a: { goal: 0.9 } })]);
    expect(resolved(event)).toEqual([
      ["t1", 2],
      ["t3", 2],
    ]);
  });

  it("D5.4 are none when the answer brought a new trigger there, but one elsewhere does not matter", () => {
    const bring = (pair: Pair) =>
      scoreRound(second(half, 0.5, goal("a"), { triggers: open }), "r2", [
        reply({ a: { goal: 0.4 } }, { triggers: [triggerClaim("C", pair)] }),
      ]);
    expect(resolved(bring(goal("a")))).toEqual([]);
    expect(resolved(bring({ component: "a", dimension: "criteria" }))).toHaveLength(2);
  });

  it("D5.4 are none by an auto-answer or an accepted candidate", () => {
    for (const by of ["architect-assisted", "research"] as const) {
      const state = second(half, 0.5, goal("a"), { triggers: open });
      const assisted = {
        ...state,
        rounds: state.rounds.map((item) => (item.round === 2 ? { ...item, answered_by: by } : item)),
      };
      expect(resolved(scoreRound(assisted, "r2", [reply({ a: { goal: 0.9 } })]))).toEqual([]);
    }
  });

  it("D2.6 is the one that a topology question is about, and no other", () => {
    const triggers = [...open, trigger("t4", "D", goal("a"), { aimed: true })];
    const state = second(half, 0.5, goal("a"), { triggers });
    const scope = {
      ...state,
      rounds: state.rounds.map((item) =>
        item.round === 2
          ? { ...item, kind: "topology" as const, aim: aim({ ...goal("a"), trigger_id: "t4", style: "topology" }) }
          : item,
      ),
    };
    expect(resolved(scoreRound(scope, "r2", [reply({ a: { goal: 0.6 } })]))).toEqual([["t4", 2]]);
  });

  it("D2.6 is never a D whose own question was not asked yet", () => {
    const state = second(half, 0.5, goal("a"), { triggers: [trigger("t1", "D", goal("a"))] });
    expect(resolved(scoreRound(state, "r2", [reply({ a: { goal: 0.9 } })]))).toEqual([]);
  });

  it("D4.6 are those of a first scoring when the round is scored again", () => {
    const state = second(half, 0.5, goal("a"), { triggers: [trigger("t0", "C", constraints("a"))] });
    const scored = applyScored(
      state,
      scoreRound(state, "r2", [
        reply({ a: { goal: 0.4 } }, { triggers: [triggerClaim("D", constraints("a"), { proposed: "Billing" })] }),
      ]),
    );
    const event = scoreRound(scored, "r2", [
      reply({ a: { goal: 0.6 } }, { triggers: [triggerClaim("D", constraints("a"), { proposed: "Billing" })] }),
    ]);
    expect(event.triggers.map((item) => [item.id, item.status])).toEqual([
      ["t1", "resolved"],
      ["t2", "unresolved"],
    ]);
  });

  it("D5.4 are also a contradiction elsewhere whose dispute the answer ended", () => {
    const state = second(half, 0.5, goal("a"), {
      established_facts: [fact("f1", goal("a"), { status: "disputed", ceiling: 0.4 })],
      triggers: [
        trigger("t1", "A", constraints("a"), { contradicted_fact: "f1" }),
        trigger("t2", "A", constraints("a"), { contradicted_fact: "f7" }),
        trigger("t3", "B", constraints("a")),
      ],
    });
    expect(resolved(scoreRound(state, "r2", [reply({ a: { goal: 0.6 } })]))).toEqual([["t1", 2]]);
  });
});

describe("twenty evasive answers", () => {
  it("D5.3 never close an interview, however well the scorer thinks of the rest", () => {
    let state = interview([component("a"), component("b")]);
    for (let number = 1; number <= 20; number += 1) {
      state = answered(state, round(number, goal("a"), { custom_input: "I don't know yet." }));
      const scored = number === 1 ? scores(0, 0.5, 0.5) : scores(1, 1, 1);
      const event = scoreRound(state, `r${number}`, [
        reply({ a: scored, b: scored }, { triggers: [triggerClaim("C", goal("a"))] }),
      ]);
      state = applyScored(state, event);
      expect(event.scores.goal).toBe(0);
      expect(event.milestone).not.toBe("ready");
    }
  });
});
