import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scoreRound } from "../../../src/core/deep/assessment.ts";
import type { DeepState, Round } from "../../../src/core/deep/schema.ts";
import type { Assumption, Pair } from "../../../src/core/deep/vocabulary.ts";
import {
  answered,
  applyScored,
  assumption,
  component,
  interview,
  reply,
  round,
  scoredRound,
  scores,
  triggerClaim,
} from "./build.ts";

const goal: Pair = { component: "a", dimension: "goal" };
const criteria: Pair = { component: "a", dimension: "criteria" };

/** Round 1 left everything at one half; round 2, aimed at the goal, was answered by the architect. */
function assumed(more: Partial<Assumption> = {}): DeepState {
  const half = scores(0.5, 0.5, 0.5);
  const state = interview([component("a", half)], {
    rounds: [scoredRound(1, 0.5, { a: half })],
    assumptions: [assumption("as1", 2, goal, more)],
    current_ambiguity: 0.5,
    round_count: 1,
  });
  return answered(state, round(2, goal, { answered_by: "architect-assisted", auto_answer: "The assumed answer" }));
}

const high = reply({ a: { goal: 0.99, constraints: 0.6, criteria: 0.5 } });

function next(state: DeepState, pair: Pair | null, more: Partial<Round> = {}): DeepState {
  return answered(state, round(state.round_count + 1, pair, more));
}

describe("the clarity cap", () => {
  it("D4.5 holds a pair that an auto-answer improved at 0.85, and every pair that it improved", () => {
    const event = scoreRound(assumed(), "r2", [high]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.85, 0.6, 0.5));
    expect(event.caps).toEqual([
      { ...goal, cap: 0.85, assumption_id: "as1" },
      { component: "a", dimension: "constraints", cap: 0.85, assumption_id: "as1" },
    ]);
  });

  it("D4.5 needs both a high confidence and no uncertainty to do without", () => {
    const goalOf = (more: Partial<Assumption>) =>
      scoreRound(assumed(more), "r2", [high]).component_scores[0]?.scores.goal;
    expect(goalOf({ confidence: "high", uncertainty: null })).toBe(0.99);
    expect(goalOf({ confidence: "high", uncertainty: "some" })).toBe(0.85);
    expect(goalOf({ confidence: "medium", uncertainty: null })).toBe(0.85);
    expect(goalOf({ confidence: "low", uncertainty: null })).toBe(0.85);
  });

  it("D4.5 leaves a pair that stood above the cap where it stood", () => {
    const state = assumed();
    const clear = { ...state, topology: { ...state.topology, components: [component("a", scores(0.9, 0.5, 0.5))] } };
    const event = scoreRound(clear, "r2", [high]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.9);
    expect(event.caps[0]).toMatchObject({ ...goal, cap: 0.9 });
  });

  it("D4.5 follows the setting", () => {
    const state = assumed();
    const event = scoreRound({ ...state, limits: { ...state.limits, autoAnswerClarityCap: 0.7 } }, "r2", [high]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.7);
  });

  it("D4.5 does not cap what the auto-answer did not improve", () => {
    const event = scoreRound(assumed(), "r2", [reply({ a: { goal: 0.5, constraints: 0.4 } })]);
    expect(event.caps).toEqual([]);
  });

  it("D4.5 goes on through later rounds that the user answers about other pairs", () => {
    const state = next(applyScored(assumed(), scoreRound(assumed(), "r2", [high])), criteria);
    const event = scoreRound(state, "r3", [reply({ a: { goal: 1, constraints: 1, criteria: 1 } })]);
    expect(event.component_scores[0]?.scores).toEqual(scores(0.85, 0.85, 1));
    expect(event.caps).toHaveLength(2);
    expect(event.assumptions).toEqual([]);
  });

  it("D4.5 ends for a pair that the user answers directly, which settles the assumption of that pair", () => {
    const state = next(applyScored(assumed(), scoreRound(assumed(), "r2", [high])), goal);
    const event = scoreRound(state, "r3", [reply({ a: { goal: 1, constraints: 1, criteria: 1 } })]);
    expect(event.component_scores[0]?.scores).toEqual(scores(1, 0.85, 1));
    expect(event.caps.map((cap) => cap.dimension)).toEqual(["constraints"]);
    expect(event.assumptions).toEqual([assumption("as1", 2, goal, { status: "answered" })]);
  });

  it("D4.5 does not end by another assumption or an accepted candidate", () => {
    for (const by of ["architect-assisted", "research"] as const) {
      const state = next(applyScored(assumed(), scoreRound(assumed(), "r2", [high])), goal, { answered_by: by });
      const event = scoreRound(state, "r3", [reply({ a: { goal: 1 } })]);
      expect(event.component_scores[0]?.scores.goal).toBe(0.85);
    }
  });

  it("D4.5 ends for every pair when the assumption was confirmed or revised, and not when it was left open or kept", () => {
    const scored = applyScored(assumed(), scoreRound(assumed(), "r2", [high]));
    const settledAs = (status: Assumption["status"]) => {
      const settled = { ...scored, assumptions: scored.assumptions.map((item) => ({ ...item, status })) };
      return scoreRound(next(settled, criteria), "r3", [reply({ a: { goal: 1, constraints: 1, criteria: 1 } })]);
    };
    for (const status of ["confirmed", "revised"] as const) {
      expect(settledAs(status).component_scores[0]?.scores).toEqual(scores(1, 1, 1));
      expect(settledAs(status).caps).toEqual([]);
    }
    for (const status of ["open", "kept", "left_open"] as const) {
      expect(settledAs(status).component_scores[0]?.scores).toEqual(scores(0.85, 0.85, 1));
    }
  });

  it("D4.6 is made anew when the same assumed answer is scored again, and is gone when it was revised", () => {
    const scored = applyScored(assumed(), scoreRound(assumed(), "r2", [high]));
    const again = (more: Partial<DeepState>, change: Partial<Round>) => ({
      ...scored,
      ...more,
      rounds: scored.rounds.map((item) =>
        item.round === 2 ? { ...item, lifecycle: "answered" as const, ...change } : item,
      ),
    });
    const same = scoreRound(again({}, {}), "r2", [reply({ a: { goal: 0.7, constraints: 0.5 } })]);
    expect(same.caps).toEqual([{ ...goal, cap: 0.85, assumption_id: "as1" }]);
    const revised = again(
      { assumptions: [assumption("as1", 2, goal, { status: "revised" })] },
      { answered_by: "user", custom_input: "No: this" },
    );
    const event = scoreRound(revised, "r2", [high]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.99);
    expect(event.caps).toEqual([]);
  });

  it("D4.4 never takes a valid auto-answer for evasive, and records what was dropped", () => {
    const event = scoreRound(assumed(), "r2", [
      { ...high, triggers: [triggerClaim("C", goal), triggerClaim("B", criteria)] },
    ]);
    expect(event.triggers.map((item) => item.label)).toEqual(["B"]);
    expect(event.corrections).toContain("trigger C dropped, the answer was assumed: a/goal");
  });

  it("D4.5 holds over any run of auto-answers: no pair passes the cap or where the user had brought it", () => {
    const dims = ["goal", "constraints", "criteria"] as const;
    const score = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
    const step = fc.record({
      by: fc.constantFrom("user" as const, "architect-assisted" as const),
      at: fc.nat(2),
      all: fc.tuple(score, score, score),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let state = interview([component("a")]);
        // The most each pair may reach without the user: null as long as no assumption holds it.
        const bound = new Map<string, number>();
        for (const { by, at, all } of steps) {
          const pair: Pair = { component: "a", dimension: dims[at] ?? "goal" };
          const before = state.topology.components[0]?.clarity_scores;
          const number = state.round_count + 1;
          if (by === "architect-assisted")
            state = { ...state, assumptions: [...state.assumptions, assumption(`as${number}`, number, pair)] };
          state = answered(state, round(number, pair, { answered_by: by }));
          state = applyScored(state, scoreRound(state, `r${number}`, [reply({ a: scores(...all) })]));
          if (by === "user") bound.delete(pair.dimension);
          for (const [index, dimension] of dims.entries()) {
            const was = before?.[dimension] ?? 0;
            if (by === "architect-assisted" && (all[index] ?? 0) > was)
              bound.set(dimension, Math.min(bound.get(dimension) ?? 1, Math.max(was, 0.85)));
            const now = state.topology.components[0]?.clarity_scores[dimension] ?? 0;
            expect(now).toBe(Math.min(all[index] ?? 0, bound.get(dimension) ?? 1));
          }
        }
      }),
    );
  });
});
