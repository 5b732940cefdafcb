/**
 * D5.8: an answer's score, in the order of the rules: samples, carry-over, clarity cap, fact updates, dispute ceiling,
 * trigger enforcement, ambiguity, milestone. Everything that the score changes comes out as one event.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import { type Admitted, admitTriggers } from "./admit.ts";
import { type Bounds, bind, type Capping, capBounds, tighten, updateCaps } from "./caps.ts";
import { type Combined, combineSamples, medianOf } from "./combine.ts";
import { checkDraft, type DraftWords, noWords, readDraft } from "./draft.ts";
import type { DeepEventOf } from "./events.ts";
import { ceilingBounds, type FactUpdate, setCeilings, updateFacts } from "./facts.ts";
import type { Draft } from "./finding.ts";
import { type Ground, isJoining, openGround, priorEntities } from "./ground.ts";
import { bandOf, panelDue } from "./milestones.ts";
import { matchOntology } from "./ontology.ts";
import { compactRecord } from "./record.ts";
import type { DeepState } from "./schema.ts";
import { activePairs, dimensionsOf, formulaOf, type Matrix, minimaOf, roundScoresOf } from "./score.ts";
import { findComponent, isPair, pairKey } from "./state.ts";
import type { DraftReply, ScoreReply } from "./tasks.ts";
import { type Enforced, enforceTriggers, recordTriggers, resolveTriggers, storedAmbiguity } from "./triggers.ts";
import type { Pair, Trigger } from "./vocabulary.ts";

/** D5.6: so close to the threshold two more samples are taken, in units. */
const near = 500;

interface Outcome {
  readonly combined: Combined;
  readonly capping: Capping;
  readonly admitted: Admitted;
  readonly update: FactUpdate;
  /** A direct answer without a new trigger at the pair it was asked about (D5.4). */
  readonly settles: boolean;
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
    settles,
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
  return admitted.claims
    .filter((_, index) => enforced.breached[index])
    .map(({ component, dimension }) => ({ component, dimension }));
}

/**
 * The event of a scored round (D5.8). `samples`: those that came, in order; with none every pair keeps its score.
 * `words`: what no drafted question or option may consist of (D3.3).
 * Throws only when there is no such round.
 */
export function scoreRound(
  state: DeepState,
  roundId: string,
  samples: readonly ScoreReply[],
  words: DraftWords = noWords,
): DeepEventOf<"round.scored"> {
  const ground = openGround(state, roundId);
  const outcome = apply(ground, samples);
  const { combined, capping, admitted, update, enforced, scores } = outcome;
  const ambiguity = fromUnits(outcome.ambiguity);
  const componentScores = roundScoresOf(state, scores);
  const triggers = recordTriggers(ground, admitted.claims, enforced, outcome);
  const facts = setCeilings(update, scores);
  const fresh = facts.filter((fact) => !state.established_facts.some((known) => known.id === fact.id));
  const draft = keepDraft(state, combined.draft, words);
  const earlier = resolveTriggers(ground, outcome.settles, update.settled);
  return {
    type: "round.scored",
    round_id: roundId,
    component_scores: componentScores,
    gaps: gapsOf(ground, outcome, triggers),
    scores: minimaOf(state, scores),
    ambiguity,
    sampling_margin: fromUnits(outcome.ambiguity - formulaOf(state, scores)),
    samples: outcome.matrices.map((matrix) => ({
      ambiguity: fromUnits(formulaOf(state, matrix)),
      component_scores: roundScoresOf(state, matrix),
    })),
    spread: [...combined.spread],
    milestone: bandOf(ambiguity, state.threshold),
    triggers: [...earlier, ...triggers],
    facts: facts.filter((fact) => !state.established_facts.includes(fact)),
    assumptions: [...capping.assumptions],
    caps: [...capping.caps],
    ontology: matchOntology(priorEntities(ground), combined.entities, ground.round.round),
    draft: draft.draft,
    corrections: [
      ...combined.corrections,
      ...admitted.corrections,
      ...update.corrections,
      ...describe(triggers),
      ...draft.corrections,
    ],
    record: compactRecord(
      ground.round,
      fresh.map((fact) => fact.statement),
    ),
    panel_due: panelDue(state, {
      before: ground.before,
      number: ground.round.round ?? state.round_count,
      now: { ambiguity, component_scores: componentScores },
      reshaped:
        triggers.some((trigger) => trigger.label === "D") ||
        state.topology.components.some(({ id }) => isJoining(ground, id)),
    }),
  };
}

function describe(triggers: readonly Trigger[]): string[] {
  return triggers.flatMap((trigger) => [
    ...(trigger.enforced ? [`trigger ${trigger.id} (${trigger.label}): code lowered ${pairKey(trigger)}`] : []),
    ...(trigger.status === "unresolved" && trigger.enforced
      ? [`trigger ${trigger.id} (${trigger.label}): unresolved, ${trigger.rationale}`]
      : []),
  ]);
}

/** A draft that is no question, or not about an active pair, is left out: the question task then words one. */
function keepDraft(
  state: DeepState,
  reply: DraftReply | null,
  words: DraftWords,
): { readonly draft: Draft | null; readonly corrections: string[] } {
  if (reply === null) return { draft: null, corrections: [] };
  const active =
    findComponent(state, reply.component)?.status === "active" && dimensionsOf(state.type).includes(reply.dimension);
  if (!active) return { draft: null, corrections: [`draft question about no active pair dropped: ${pairKey(reply)}`] };
  const [fault] = checkDraft(reply, words);
  if (fault !== undefined)
    return { draft: null, corrections: [`draft question dropped: ${fault.path} ${fault.message}`] };
  return { draft: readDraft(reply, words), corrections: [] };
}

/** The scorer's gaps; where code lowered a pair that the scorer found clear, what lowered it. */
function gapsOf(ground: Ground, outcome: Outcome, triggers: readonly Trigger[]): DeepEventOf<"round.scored">["gaps"] {
  const { state } = ground;
  const given = new Map(outcome.combined.gaps.map((item) => [pairKey(item), item.gap]));
  return activePairs(state).flatMap((pair) => {
    const key = pairKey(pair);
    const lowered = (outcome.scores.get(key) ?? 0) < (outcome.combined.median.get(key) ?? 0);
    const gap = given.get(key) ?? "";
    if (gap === "" && lowered) return [{ ...pair, gap: whyLowered(ground, outcome, triggers, pair) }];
    return given.has(key) ? [{ ...pair, gap }] : [];
  });
}

function whyLowered(ground: Ground, { update, capping }: Outcome, triggers: readonly Trigger[], pair: Pair): string {
  const trigger = triggers.find((item) => isPair(item, pair));
  if (trigger !== undefined) return trigger.evidence;
  const fact = update.facts.find((item) => item.status === "disputed" && isPair(item, pair));
  if (fact !== undefined) return fact.statement;
  const cap = capping.caps.find((item) => isPair(item, pair));
  const assumption = ground.state.assumptions.find((item) => item.id === cap?.assumption_id);
  return assumption?.uncertainty ?? assumption?.answer ?? "";
}
