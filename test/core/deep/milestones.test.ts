import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandOf, isStalled, panelDue } from "../../../src/core/deep/milestones.ts";
import type { DeepState, Round } from "../../../src/core/deep/schema.ts";
import type { Scores } from "../../../src/core/deep/vocabulary.ts";
import { component, interview, scoredRound, scores } from "./build.ts";

describe("bandOf", () => {
  it("D7.1 names the seed's four bands, each with its upper edge, and ready first", () => {
    const table = [
      [1, 0.05, "initial"],
      [0.6001, 0.05, "initial"],
      [0.6, 0.05, "progress"],
      [0.3001, 0.05, "progress"],
      [0.3, 0.05, "refined"],
      [0.0501, 0.05, "refined"],
      [0.05, 0.05, "ready"],
      [0, 0.05, "ready"],
      [0.7, 0.8, "ready"],
      [0.5, 0.5, "ready"],
      [1, 1, "ready"],
    ] as const;
    for (const [ambiguity, threshold, band] of table) expect(bandOf(ambiguity, threshold)).toBe(band);
  });
});

/** Rounds of one component whose goal, constraints and criteria are all the same; ambiguity is the rest. */
function flat(...clarity: number[]): Round[] {
  return clarity.map((value, index) =>
    scoredRound(index + 1, Math.round((1 - value) * 10_000) / 10_000, { a: scores(value, value, value) }),
  );
}

function stateOf(rounds: readonly Round[], more: Partial<DeepState> = {}): DeepState {
  return interview([component("a")], { rounds: [...rounds], round_count: rounds.length, ...more });
}

describe("isStalled", () => {
  it("D7.4 needs three scored rounds within the band, above the threshold", () => {
    expect(isStalled(stateOf(flat(0.5, 0.52)))).toBe(false);
    expect(isStalled(stateOf(flat(0.5, 0.52, 0.55)))).toBe(true);
    expect(isStalled(stateOf(flat(0.5, 0.52, 0.5501)))).toBe(false);
    expect(isStalled(stateOf(flat(0.1, 0.5, 0.52, 0.55)))).toBe(true);
    expect(isStalled(stateOf(flat(0.93, 0.94, 0.95)))).toBe(false);
    expect(isStalled(stateOf(flat(0.93, 0.94, 0.9499)))).toBe(true);
  });

  it("D7.4 is no stall when a pair rose by more than the band while others fell", () => {
    const rounds = [
      scoredRound(1, 0.5, { a: scores(0.5, 0.5, 0.5) }),
      scoredRound(2, 0.5, { a: scores(0.5, 0.4, 0.6) }),
      scoredRound(3, 0.5, { a: scores(0.5, 0.5, 0.5) }),
    ];
    expect(isStalled(stateOf(rounds))).toBe(false);
    const small = rounds.map((item, index) =>
      index === 1 ? scoredRound(2, 0.5, { a: scores(0.5, 0.48, 0.52) }) : item,
    );
    expect(isStalled(stateOf(small))).toBe(true);
  });

  it("D7.4 sees a rise hidden behind a weaker component, and the first scores of one that joined", () => {
    const masked = [0.5, 0.6, 0.7].map((value, index) =>
      scoredRound(index + 1, 0.9, { a: scores(0.1, 0.1, 0.1), b: scores(value, 0.5, 0.5) }),
    );
    expect(isStalled(stateOf(masked))).toBe(false);
    const joined = [
      scoredRound(1, 0.9, { a: scores(0.1, 0.1, 0.1) }),
      scoredRound(2, 0.9, { a: scores(0.1, 0.1, 0.1) }),
      scoredRound(3, 0.9, { a: scores(0.1, 0.1, 0.1), b: scores(0.5, 0.5, 0.5) }),
    ];
    expect(isStalled(stateOf(joined))).toBe(false);
  });

  it("D7.4 leaves out rounds that were superseded or never scored, and follows the limits", () => {
    const [first, second, third] = flat(0.5, 0.5, 0.5);
    if (first === undefined || second === undefined || third === undefined) throw new Error("three rounds");
    expect(isStalled(stateOf([first, { ...second, superseded: true }, third]))).toBe(false);
    expect(isStalled(stateOf([first, { ...second, lifecycle: "unresolved" }, third]))).toBe(false);
    const state = stateOf(flat(0.5, 0.6));
    expect(isStalled({ ...state, limits: { ...state.limits, stallWindow: 2, stallBand: 0.1 } })).toBe(true);
  });

  it("D7.4 agrees with the rule written out pair by pair", () => {
    const units = fc.integer({ min: 0, max: 12 }).map((step) => step * 100);
    const one: fc.Arbitrary<Scores> = fc
      .tuple(units, units, units)
      .map(([g, c, k]) => scores(g / 1e4, c / 1e4, k / 1e4));
    const item = fc.record({ ambiguity: units, all: one });
    fc.assert(
      fc.property(fc.array(item, { minLength: 3, maxLength: 5 }), units, (list, limit) => {
        const rounds = list.map(({ ambiguity, all }, index) => scoredRound(index + 1, ambiguity / 1e4, { a: all }));
        const window = list.slice(-3);
        const spread = window.flatMap((x) => window.map((y) => Math.abs(x.ambiguity - y.ambiguity)));
        const rises = (["goal", "constraints", "criteria"] as const).flatMap((dimension) =>
          window.flatMap((x, i) =>
            window.slice(i).map((y) => Math.round(((y.all[dimension] ?? 0) - (x.all[dimension] ?? 0)) * 1e4)),
          ),
        );
        const expected =
          spread.every((gap) => gap <= 500) &&
          (window[2]?.ambiguity ?? 0) > limit &&
          rises.every((rise) => rise <= 500);
        expect(isStalled(stateOf(rounds, { threshold: limit / 1e4 }))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("panelDue", () => {
  const measure = (ambiguity: number, value = 0.5) => ({
    ambiguity,
    component_scores: [{ component: "a", scores: scores(value, value, value) }],
  });
  const due = (before: Round[], ambiguity: number, more: Partial<DeepState> = {}, reshaped = false, value = 0.5) =>
    panelDue(stateOf(before, more), { before, number: before.length + 1, now: measure(ambiguity, value), reshaped });

  it("D7.1 compares the band with the prior scored round's, and the first with initial", () => {
    expect(due([], 0.8)).toBeNull();
    expect(due([], 0.5)).toEqual({
      cause: "milestone",
      from: "initial",
      to: "progress",
      architect: false,
      escalated: false,
    });
    const before = [scoredRound(1, 0.2, {}, { milestone: "refined" })];
    expect(due(before, 0.25)).toBeNull();
    expect(due(before, 0.31)).toMatchObject({ cause: "milestone", from: "refined", to: "progress" });
    expect(due(before, 0.05)).toMatchObject({ cause: "milestone", from: "refined", to: "ready" });
  });

  it("D7.2 adds the architect when the round changed the shape, and convenes nobody for that alone", () => {
    expect(due([], 0.5, {}, true)).toMatchObject({ cause: "milestone", architect: true, escalated: false });
    expect(due([], 0.8, {}, true)).toBeNull();
  });

  it("D7.4 escalates on a stall, with the architect, and keeps a change of band", () => {
    const before = flat(0.5, 0.5).map((item) => ({ ...item, milestone: "progress" as const }));
    expect(due(before, 0.5)).toEqual({ cause: "escalation", from: null, to: null, architect: true, escalated: true });
    const edge = flat(0.38, 0.38).map((item) => ({ ...item, milestone: "initial" as const }));
    expect(due(edge, 0.6, {}, false, 0.4)).toMatchObject({
      cause: "escalation",
      from: "initial",
      to: "progress",
      escalated: true,
    });
  });

  it("D7.4 escalates from round 8 on while ambiguity is above 0.30", () => {
    const moving = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        scoredRound(index + 1, 0.59 - index * 0.03, { a: scores(index / 10, 0, 0) }, { milestone: "progress" }),
      );
    expect(due(moving(6), 0.32, {}, false, 0.9)).toBeNull();
    expect(due(moving(7), 0.32, {}, false, 0.9)).toMatchObject({ cause: "escalation", escalated: true });
    expect(due(moving(7), 0.3, {}, false, 0.9)).toMatchObject({ cause: "milestone", escalated: false });
  });

  it("D7.4 escalates again only after three more rounds", () => {
    const rounds = (count: number) =>
      flat(...Array.from({ length: count }, () => 0.5)).map((item) => ({ ...item, milestone: "progress" as const }));
    const review = {
      round: 4,
      cause: "escalation" as const,
      from: null,
      to: null,
      personas: [],
      failed: [],
      findings: [],
      folded: [],
    };
    expect(due(rounds(5), 0.5, { lateral_reviews: [review] })).toBeNull();
    expect(due(rounds(6), 0.5, { lateral_reviews: [review] })).toMatchObject({ escalated: true });
    expect(due(rounds(5), 0.5, { lateral_reviews: [{ ...review, cause: "auto-answer" }] })).toMatchObject({
      escalated: true,
    });
  });

  it("D7.1 looks at the last of several rounds, and D7.4 at the last of several escalations", () => {
    const before = [
      scoredRound(1, 0.9, {}, { milestone: "initial" }),
      scoredRound(2, 0.2, {}, { milestone: "refined" }),
    ];
    expect(due(before, 0.25)).toBeNull();
    const unnamed = [scoredRound(1, 0.9, {}), scoredRound(2, 0.2, {})];
    expect(due(unnamed, 0.4)).toMatchObject({ from: "refined", to: "progress" });
    const review = (round: number) => ({
      round,
      cause: "escalation" as const,
      from: null,
      to: null,
      personas: [],
      failed: [],
      findings: [],
      folded: [],
    });
    const flatly = flat(...Array.from({ length: 8 }, () => 0.5)).map((item) => ({
      ...item,
      milestone: "progress" as const,
    }));
    expect(due(flatly, 0.5, { lateral_reviews: [review(4), review(7)] })).toBeNull();
  });
});
