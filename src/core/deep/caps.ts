/**
 * D4.5: what an assumption alone made clearer stays capped until the user answers that pair directly or confirms or
 * revises the assumption.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import type { Ground } from "./ground.ts";
import { activePairs, type Matrix } from "./score.ts";
import { findAssumption, isPair, pairKey } from "./state.ts";
import type { Assumption, Cap } from "./vocabulary.ts";

export interface Capping {
  /** Every cap that holds after this round. */
  readonly caps: readonly Cap[];
  /** Assumptions that this round's direct answer settled. */
  readonly assumptions: readonly Assumption[];
}

function isLifted(ground: Ground, cap: Cap): boolean {
  const { state, direct, aimed, again, assumption } = ground;
  if (direct && aimed !== null && isPair(cap, aimed)) return true;
  // A second scoring of the same assumed answer makes its caps anew.
  if (again && cap.assumption_id === assumption?.id) return true;
  const status = findAssumption(state, cap.assumption_id)?.status;
  return status === "confirmed" || status === "revised";
}

/** The caps that this round's own assumption brings: one for every pair that it made clearer. */
function newCaps(ground: Ground, scores: Matrix): Cap[] {
  const { assumption, prior, state } = ground;
  if (assumption === null || (assumption.confidence === "high" && assumption.uncertainty === null)) return [];
  const most = toUnits(state.limits.autoAnswerClarityCap);
  return activePairs(state).flatMap((pair) => {
    const was = prior.get(pairKey(pair)) ?? 0;
    if ((scores.get(pairKey(pair)) ?? 0) <= was) return [];
    return [{ ...pair, cap: fromUnits(Math.max(was, most)), assumption_id: assumption.id }];
  });
}

export function updateCaps(ground: Ground, scores: Matrix): Capping {
  const { state, direct, aimed } = ground;
  const settled = state.assumptions.filter(
    (item) => direct && aimed !== null && isPair(item, aimed) && ["open", "kept", "left_open"].includes(item.status),
  );
  return {
    caps: [...state.caps.filter((cap) => !isLifted(ground, cap)), ...newCaps(ground, scores)],
    assumptions: settled.map((item) => ({ ...item, status: "answered" })),
  };
}

/** What a pair may not score above, by pair key. */
export type Bounds = ReadonlyMap<string, Units>;

export function tighten(bounds: Bounds, limits: Iterable<readonly [string, Units]>): Bounds {
  const next = new Map(bounds);
  for (const [key, units] of limits) next.set(key, Math.min(units, next.get(key) ?? units));
  return next;
}

export function capBounds(caps: readonly Cap[]): Bounds {
  return tighten(
    new Map(),
    caps.map((cap) => [pairKey(cap), toUnits(cap.cap)] as const),
  );
}

/** Scores under their bounds; what is not scored stays so. Bounds and medians commute, so every sample is bound alike. */
export function bind(matrix: Matrix, bounds: Bounds): Matrix {
  return new Map(
    [...matrix].map(([key, units]) => [key, units === null ? null : Math.min(units, bounds.get(key) ?? units)]),
  );
}
