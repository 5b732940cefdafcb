/**
 * D5.1: ambiguity from clarity scores. Code computes it, in integers of 1e-4 (deep-interview Terms); no number of the
 * model's is ever used. Null counts as 0; deferred components are outside.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import type { DeepState, Round } from "./schema.ts";
import { activeComponents, noScores, pairKey } from "./state.ts";
import type { Component, Dimension, Pair, Scores } from "./vocabulary.ts";

/** In the order in which ties are decided (D3.1). */
const all = ["goal", "constraints", "criteria", "context"] as const;

const hundredths = {
  greenfield: { goal: 40, constraints: 30, criteria: 30, context: 0 },
  brownfield: { goal: 35, constraints: 25, criteria: 25, context: 15 },
} as const satisfies Record<DeepState["type"], Record<Dimension, number>>;

/** Weights in hundredths; they add up to 100. `context` weighs nothing in a greenfield interview. */
export function weights(type: DeepState["type"]): Readonly<Record<Dimension, number>> {
  return hundredths[type];
}

/** The dimensions that an interview of this type scores, in the order of ties. */
export function dimensionsOf(type: DeepState["type"]): readonly Dimension[] {
  return all.filter((dimension) => hundredths[type][dimension] > 0);
}

function lower(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : Math.min(left, right);
}

/** Per dimension the lowest of the given scores; null as soon as one is not scored, or when there are none. */
export function lowest(list: readonly Scores[]): Scores {
  const [first, ...rest] = list;
  if (first === undefined) return noScores;
  return rest.reduce(
    (least, scores) => ({
      goal: lower(least.goal, scores.goal),
      constraints: lower(least.constraints, scores.constraints),
      criteria: lower(least.criteria, scores.criteria),
      context: lower(least.context, scores.context),
    }),
    first,
  );
}

/** D5.1: the overall score of a dimension is the minimum over the active components. */
export function minima(components: readonly Pick<Component, "status" | "clarity_scores">[]): Scores {
  return lowest(components.filter((item) => item.status === "active").map((item) => item.clarity_scores));
}

/** Ambiguity 0..1 of overall dimension scores: 1 - sum(weight x score), rounded half up to 1e-4. */
export function ambiguityOf(type: DeepState["type"], scores: Scores): number {
  const clarity = all.reduce((sum, dimension) => sum + hundredths[type][dimension] * toUnits(scores[dimension]), 0);
  return fromUnits(Math.floor((1_000_000 - clarity + 50) / 100));
}

/** The lowest dimension of a component, ties in the order of the dimensions. */
export function weakestDimension(type: DeepState["type"], scores: Scores): Dimension {
  const [first = "goal", ...rest] = dimensionsOf(type);
  return rest.reduce((low, item) => (toUnits(scores[item]) < toUnits(scores[low]) ? item : low), first);
}

/** Scores of the active components by pair key, in units; null where a pair is not scored. */
export type Matrix = ReadonlyMap<string, Units | null>;

/** The pairs that are scored: active components in topology order, dimensions in the order of ties. */
export function activePairs(state: DeepState): Pair[] {
  const dimensions = dimensionsOf(state.type);
  return activeComponents(state).flatMap(({ id }) => dimensions.map((dimension) => ({ component: id, dimension })));
}

export function roundScoresOf(state: DeepState, matrix: Matrix): Round["component_scores"] {
  return activeComponents(state).map(({ id }) => {
    const scores = { ...noScores };
    for (const dimension of dimensionsOf(state.type)) {
      const units = matrix.get(pairKey({ component: id, dimension })) ?? null;
      scores[dimension] = units === null ? null : fromUnits(units);
    }
    return { component: id, scores };
  });
}

export function minimaOf(state: DeepState, matrix: Matrix): Scores {
  return lowest(roundScoresOf(state, matrix).map((item) => item.scores));
}

/** The formula on the minima of a matrix, in units. */
export function formulaOf(state: DeepState, matrix: Matrix): Units {
  return toUnits(ambiguityOf(state.type, minimaOf(state, matrix)));
}
