/**
 * D5.3: what an active trigger demands of the scores. Its pair must not improve and ambiguity must rise against the
 * prior scored round; a breach is corrected once, and nothing falls further. Also the triggers that an answer resolves.
 */
import { fromUnits, type Units } from "../ratio.ts";
import type { TriggerClaim } from "./agreement.ts";
import { type Bounds, bind, tighten } from "./caps.ts";
import { medianOf } from "./combine.ts";
import type { Ground } from "./ground.ts";
import type { DeepState } from "./schema.ts";
import { activePairs, formulaOf, type Matrix } from "./score.ts";
import { isPair, pairKey } from "./state.ts";
import type { Pair, Trigger } from "./vocabulary.ts";

/** A corrected pair falls by this much, in units. */
const fall = 500;
const whole = 10_000;

/**
 * D5.6: the stored ambiguity, in units: the larger of the formula on the medians and the median of the samples' own.
 */
export function storedAmbiguity(state: DeepState, matrices: readonly Matrix[]): Units {
  const own = matrices.map((matrix) => formulaOf(state, matrix)).toSorted((a, b) => a - b);
  return Math.max(formulaOf(state, medianOf(matrices)), own[Math.floor(own.length / 2)] ?? 0);
}

export interface Enforced {
  readonly bounds: Bounds;
  /** By index of the claim: whether it breached the rule, and its pair was corrected. */
  readonly breached: readonly boolean[];
  /** Why the active ones are unresolved after all, by index; null where they stand. */
  readonly unresolved: readonly (string | null)[];
}

/** `matrices` are the samples before bounds; `bounds` what caps and disputes allow. */
export function enforceTriggers(
  ground: Ground,
  claims: readonly TriggerClaim[],
  matrices: readonly Matrix[],
  bounds: Bounds,
): Enforced {
  const { state, prior } = ground;
  const bound = matrices.map((matrix) => bind(matrix, bounds));
  const now = medianOf(bound);
  const risen = hasRisen(ground, storedAmbiguity(state, bound));
  const improved = (pair: Pair) => (now.get(pairKey(pair)) ?? 0) > (prior.get(pairKey(pair)) ?? 0);
  const breached = claims.map(
    (claim) => claim.status === "active" && ground.priorAmbiguity !== null && (improved(claim) || !risen),
  );
  const lowered = claims
    .filter((_, index) => breached[index])
    .map((claim) => {
      const key = pairKey(claim);
      return [key, Math.max(0, Math.min(now.get(key) ?? 0, prior.get(key) ?? 0) - fall)] as const;
    });
  const tightened = tighten(bounds, lowered);
  const after = matrices.map((matrix) => bind(matrix, tightened));
  const met = hasRisen(ground, storedAmbiguity(state, after));
  const final = medianOf(after);
  return {
    bounds: tightened,
    breached,
    unresolved: claims.map((claim) => (claim.status === "active" && !met ? whyHidden(state, claim, final) : null)),
  };
}

/** In the first scored round, and from a prior ambiguity of 1.0, there is nothing to rise against. */
function hasRisen({ priorAmbiguity }: Ground, ambiguity: Units): boolean {
  return priorAmbiguity === null || priorAmbiguity >= whole || ambiguity > priorAmbiguity;
}

/** Why the fall of a pair does not show: another component is as low on that dimension, or other pairs rose. */
function whyHidden(state: DeepState, pair: Pair, scores: Matrix): string {
  const own = scores.get(pairKey(pair)) ?? 0;
  const [first, ...rest] = activePairs(state).filter(
    (other) =>
      other.dimension === pair.dimension &&
      other.component !== pair.component &&
      (scores.get(pairKey(other)) ?? 0) <= own,
  );
  if (first === undefined) return "other pairs rose";
  const low = rest.reduce((a, b) => ((scores.get(pairKey(b)) ?? 0) < (scores.get(pairKey(a)) ?? 0) ? b : a), first);
  return `masked by ${pairKey(low)}`;
}

/** The number after the letter of ids such as `t12`; the next id is one above the largest. */
export function nextNumber(ids: readonly string[]): number {
  return 1 + Math.max(0, ...ids.map((id) => Number(/^\p{L}(\d+)$/u.exec(id)?.[1] ?? 0)));
}

/** The triggers that this scoring brings, with the seed's fields. `scores` and `ambiguity` are the final ones, in units. */
export function recordTriggers(
  ground: Ground,
  claims: readonly TriggerClaim[],
  enforced: Enforced,
  outcome: { readonly scores: Matrix; readonly ambiguity: Units },
): Trigger[] {
  const { state, prior, priorAmbiguity, round } = ground;
  const start = nextNumber(state.triggers.map((trigger) => trigger.id));
  const score = (matrix: Matrix, pair: Pair) => {
    const units = matrix.get(pairKey(pair)) ?? null;
    return units === null ? null : fromUnits(units);
  };
  return claims.map((claim, index) => {
    const hidden = enforced.unresolved[index] ?? null;
    return {
      id: `t${start + index}`,
      round: round.round,
      label: claim.label,
      status: hidden === null ? claim.status : "unresolved",
      component: claim.component,
      dimension: claim.dimension,
      prior_dimension_score: score(prior, claim),
      new_dimension_score: score(outcome.scores, claim),
      prior_ambiguity: fromUnits(priorAmbiguity ?? whole),
      new_ambiguity: fromUnits(outcome.ambiguity),
      evidence: claim.evidence,
      proposed: claim.label === "D" ? claim.proposed : null,
      contradicted_fact: claim.contradicts === "" ? null : claim.contradicts,
      rationale: hidden ?? (claim.rationale.trim() === "" ? null : claim.rationale),
      enforced: enforced.breached[index] ?? false,
      aimed: false,
      resolved_round: null,
    };
  });
}

/**
 * D5.4, D2.6: earlier triggers that this answer resolves: those of the pair it was aimed at when it brought none there
 * (`settles`), a topology question's own, and a contradiction whose dispute is over. A D waits for its own question.
 */
export function resolveTriggers(ground: Ground, settles: boolean, settledFacts: ReadonlySet<string>): Trigger[] {
  const { state, round, aimed, again } = ground;
  const isResolved = (trigger: Trigger): boolean => {
    // What a first scoring of this same round brought does not outlive the second.
    if (again && round.round !== null && trigger.round === round.round) return true;
    if (round.kind === "topology" && trigger.id === round.aim.trigger_id) return true;
    if (trigger.contradicted_fact !== null && settledFacts.has(trigger.contradicted_fact)) return true;
    return settles && aimed !== null && isPair(trigger, aimed) && (trigger.label !== "D" || trigger.aimed);
  };
  return state.triggers
    .filter((trigger) => trigger.status !== "resolved" && isResolved(trigger))
    .map((trigger) => ({ ...trigger, status: "resolved", resolved_round: round.round }));
}
