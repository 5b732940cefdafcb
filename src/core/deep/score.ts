/**
 * D5.8: an answer's score, in the order of the rules: samples, carry-over, clarity cap, fact updates, dispute ceiling,
 * trigger enforcement, ambiguity, milestone. Everything that the score changes comes out as one event.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import { type Admitted, admitTriggers } from "./admit.ts";
import { type Bounds, bind, type Capping, capBounds, tighten, updateCaps } from "./caps.ts";
import { type Combined, combineSamples, medianOf } from "./combine.ts";
import { checkDraft, noWords, readDraft } from "./draft.ts";
import type { DeepEventOf } from "./events.ts";
import { ceilingBounds, type FactUpdate, setCeilings, updateFacts } from "./facts.ts";
import { activePairs, dimensionsOf, formulaOf, type Matrix, minimaOf, roundScoresOf } from "./formula.ts";
import { type Ground, isJoining, openGround, priorEntities } from "./ground.ts";
import { bandOf, panelDue } from "./milestones.ts";
import { matchOntology } from "./ontology.ts";
import { compactRecord } from "./record.ts";
import type { DeepState, Draft, Pair, Trigger } from "./schema.ts";
import { findComponent, isPair, pairKey } from "./state.ts";
import type { DraftReply, ScoreReply } from "./tasks.ts";
import { type Enforced, enforceTriggers, recordTriggers, resolveTriggers, storedAmbiguity } from "./triggers.ts";

export { ambiguityOf, dimensionsOf, minima, weakestDimension, weights } from "./formula.ts";

/** D5.6: so close to the threshold two more samples are taken, in units. */
const near = 500;

interface Outcome {
  readonly combined: Combined;
  readonly capping: Capping;
  readonly admitted: Admitted;
  readonly update: FactUpdate;
  readonly enforced: Enforced;
  /** The samples under every bound, and their medians: the final scores. */
  readonly matrices: readonly Matrix[];
  readonly scores: Matrix;
  readonly ambiguity: Units;
}

/** The rules up to the ambiguity. Whatever lowers a pair is an upper bound, so the same bounds hold for every sample. */
function apply(ground: Ground, samples: readonly ScoreReply[]): Outcome {
  const { state, aimed, direct } = ground;
  const combined = combineSamples(ground, samples);
  const capping = updateCaps(ground, combined.median);
  const admitted = admitTriggers(ground, combined.triggers);
  const settles = direct && aimed !== null && !admitted.claims.some((claim) => isPair(claim, aimed));
  const update = updateFacts(ground, {
    facts: combined.facts,
    triggers: admitted.claims,
    stands: combined.stands,
    refused: admitted.refused,
    settles,
  });
  const bounds: Bounds = tighten(capBounds(capping.caps), ceilingBounds(ground, update.facts));
  const enforced = enforceTriggers(ground, admitted.claims, combined.matrices, bounds);
  const matrices = combined.matrices.map((matrix) => bind(matrix, enforced.bounds));
  return {
    combined,
    capping,
    admitted,
    update,
    enforced,
    matrices,
    scores: medianOf(matrices),
    ambiguity: storedAmbiguity(state, matrices),
  };
}

/** Whether the first sample, after all rules, lies within 0.05 of the threshold; never with one sample a score. */
export function isNearGate(state: DeepState, roundId: string, first: ScoreReply): boolean {
  if (state.limits.scoringSamples <= 1) return false;
  return Math.abs(apply(openGround(state, roundId), [first]).ambiguity - toUnits(state.threshold)) <= near;
}

/** The breaches of D5.3 in one reply, by index of its trigger: what the scorer is told once before code corrects it. */
export function breachesOf(state: DeepState, roundId: string, reply: ScoreReply): Pair[] {
  const { admitted, enforced } = apply(openGround(state, roundId), [reply]);
  return admitted.claims.filter((_, index) => enforced.breached[index]).map(({ component, dimension }) => ({ component, dimension }));
}
