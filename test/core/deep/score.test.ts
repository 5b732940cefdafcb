import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandOf } from "../../../src/core/deep/milestones.ts";
import { ambiguityOf, dimensionsOf, minima, weakestDimension, weights } from "../../../src/core/deep/score.ts";
import type { Component, Scores } from "../../../src/core/deep/vocabulary.ts";
import { percent, toUnits } from "../../../src/core/ratio.ts";
import { component, scores } from "./build.ts";

const type = fc.constantFrom("greenfield" as const, "brownfield" as const);
const score = fc.integer({ min: 0, max: 10_000 }).map((units) => units / 10_000);
const maybe = fc.option(score, { freq: 6 });
const anyScores: fc.Arbitrary<Scores> = fc.record({ goal: maybe, constraints: maybe, criteria: maybe, context: maybe });

/** The seed's formula over exact decimals: a score's four digits are read from its text, not from its value. */
function digits(value: number | null): bigint {
  if (value === null) return 0n;
  const [whole = "0", rest = ""] = value.toFixed(4).split(".");
  return BigInt(whole) * 10_000n + BigInt(rest);
}

function naiveAmbiguity(kind: "greenfield" | "brownfield", all: Scores): number {
  const parts =
    kind === "greenfield"
      ? [digits(all.goal) * 40n, digits(all.constraints) * 30n, digits(all.criteria) * 30n]
      : [digits(all.goal) * 35n, digits(all.constraints) * 25n, digits(all.criteria) * 25n, digits(all.context) * 15n];
  const millionths = 1_000_000n - parts.reduce((sum, part) => sum + part, 0n);
  const half = millionths % 100n >= 50n ? 1n : 0n;
  return Number(millionths / 100n + half) / 10_000;
}

describe("weights", () => {
  it("D5.1 are the seed's, add up to a whole, and leave context out of a greenfield interview", () => {
    expect(weights("greenfield")).toEqual({ goal: 40, constraints: 30, criteria: 30, context: 0 });
    expect(weights("brownfield")).toEqual({ goal: 35, constraints: 25, criteria: 25, context: 15 });
    expect(dimensionsOf("greenfield")).toEqual(["goal", "constraints", "criteria"]);
    expect(dimensionsOf("brownfield")).toEqual(["goal", "constraints", "criteria", "context"]);
  });
});

describe("ambiguityOf", () => {
  it("D5.1 is the formula in exact decimals for any scores, rounded half up to four places", () => {
    fc.assert(
      fc.property(type, anyScores, (kind, all) => {
        expect(ambiguityOf(kind, all)).toBe(naiveAmbiguity(kind, all));
      }),
      { numRuns: 1000 },
    );
  });

  it("D5.1 counts what is not scored as 0", () => {
    expect(ambiguityOf("greenfield", scores(null, null, null))).toBe(1);
    expect(ambiguityOf("greenfield", scores(1, null, 1))).toBe(0.3);
    expect(ambiguityOf("brownfield", scores(1, 1, 1, null))).toBe(0.15);
    expect(ambiguityOf("greenfield", scores(1, 1, 1, 0))).toBe(0);
  });

  it("D5.1 rounds half up, so that a half never counts as clarity", () => {
    // 0.35 x 0.0001 + 0.15 x 0.0001 is exactly half of the last place.
    expect(ambiguityOf("brownfield", scores(0.0001, 0, 0, 0.0001))).toBe(1);
    expect(ambiguityOf("brownfield", scores(0.0002, 0, 0, 0.0001))).toBe(0.9999);
  });

  it("D5.7 meets a threshold that sums of binary fractions miss by a hair", () => {
    expect(1 - (0.9 * 0.4 + 0.9 * 0.3 + 0.9 * 0.3) <= 0.1 && 1 - (0.95 * 0.4 + 0.95 * 0.3 + 0.95 * 0.3) <= 0.05).toBe(
      false,
    );
    expect(ambiguityOf("greenfield", scores(0.9, 0.9, 0.9))).toBe(0.1);
    expect(ambiguityOf("greenfield", scores(0.95, 0.95, 0.95))).toBe(0.05);
  });

  it("D5.7 is at or below the threshold whenever every pair is as clear as the threshold asks", () => {
    const threshold = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(type, threshold, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (kind, limit, over) => {
        const [goal = 0, constraints = 0, criteria = 0, context = 0] = over.map(
          (more) => (10_000 - limit + (more % (limit + 1))) / 10_000,
        );
        expect(toUnits(ambiguityOf(kind, scores(goal, constraints, criteria, context)))).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe("the gate", () => {
  it("D5.7 is told alike by stored values and by what is shown as percent", () => {
    const near = fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(near, ([limit, off]) => {
        const units = Math.min(10_000, Math.max(0, limit + off));
        const shown = Number.parseFloat(percent(units / 10_000)) <= Number.parseFloat(percent(limit / 10_000));
        expect(bandOf(units / 10_000, limit / 10_000) === "ready").toBe(shown);
        expect(percent(units / 10_000) === percent(limit / 10_000)).toBe(units === limit);
      }),
      { numRuns: 500 },
    );
  });

  it("D5.7 is not passed at 12% under a threshold of 10%, nor at 6.4% under 5%", () => {
    expect(bandOf(0.12, 0.1)).toBe("refined");
    expect(bandOf(0.064, 0.05)).toBe("refined");
    expect(percent(0.064)).toBe("6.4%");
  });
});

describe("minima", () => {
  const clarity = fc.record({ goal: maybe, constraints: maybe, criteria: maybe, context: maybe });
  const components: fc.Arbitrary<Component[]> = fc
    .array(fc.tuple(clarity, fc.boolean()), { minLength: 1, maxLength: 6 })
    .map((list) =>
      list.map(([all, active], index) =>
        component(`c${index}`, all, { status: active || index === 0 ? "active" : "deferred" }),
      ),
    );

  it("D5.1 are the lowest score of each dimension over the active components, null before 0", () => {
    fc.assert(
      fc.property(components, (list) => {
        const found = minima(list);
        for (const dimension of ["goal", "constraints", "criteria", "context"] as const) {
          const values: (number | null)[] = [];
          for (const item of list) if (item.status === "active") values.push(item.clarity_scores[dimension]);
          const expected = values.includes(null) ? null : Math.min(...values.map((value) => value ?? -1));
          expect(found[dimension]).toBe(expected);
        }
      }),
    );
  });

  it("D5.1 never change by what a deferred component scores", () => {
    fc.assert(
      fc.property(components, clarity, (list, other) => {
        const changed = list.map((item) => (item.status === "deferred" ? { ...item, clarity_scores: other } : item));
        expect(minima([...changed, component("later", other, { status: "deferred" })])).toEqual(minima(list));
      }),
    );
  });

  it("D5.1 of no active component leave everything unclear", () => {
    const found = minima([component("a", scores(1, 1, 1), { status: "deferred" })]);
    expect(ambiguityOf("greenfield", found)).toBe(1);
  });
});

describe("weakestDimension", () => {
  it("D3.1 decides ties in the order goal, constraints, criteria, context", () => {
    expect(weakestDimension("brownfield", scores(0.5, 0.5, 0.5, 0.5))).toBe("goal");
    expect(weakestDimension("brownfield", scores(0.6, 0.5, 0.5, 0.5))).toBe("constraints");
    expect(weakestDimension("brownfield", scores(0.6, 0.6, 0.6, 0.5))).toBe("context");
    expect(weakestDimension("greenfield", scores(0.6, 0.6, 0.55, null))).toBe("criteria");
  });
});
