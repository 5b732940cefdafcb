/**
 * D5.2, D5.6: one or more samples of a score made into one reply. A pair that a sample leaves out keeps its score; what
 * is unknown is dropped and recorded; per pair the median; triggers and facts need a majority; the rest is the first's.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import { hasWords } from "../text.ts";
import { agreeOnFacts, agreeOnIds, agreeOnTriggers, type FactClaim, type TriggerClaim } from "./agreement.ts";
import { type Ground, isJoining } from "./ground.ts";
import type { Round } from "./schema.ts";
import { activePairs, dimensionsOf, type Matrix } from "./score.ts";
import { findComponent, pairKey } from "./state.ts";
import type { DraftReply, ScoreReply } from "./tasks.ts";
import type { Entity, Pair } from "./vocabulary.ts";

export interface Combined {
  /** Every sample after carry-over, before any cap. With no sample at all: the prior scores, once. */
  readonly matrices: readonly Matrix[];
  readonly median: Matrix;
  readonly gaps: readonly (Pair & { readonly gap: string })[];
  readonly triggers: readonly TriggerClaim[];
  readonly facts: readonly FactClaim[];
  readonly stands: readonly string[];
  readonly entities: readonly Entity[];
  readonly draft: DraftReply | null;
  readonly spread: Round["spread"];
  readonly corrections: readonly string[];
}

interface Sample {
  readonly scores: ReadonlyMap<string, { readonly units: Units; readonly gap: string }>;
  readonly corrections: readonly string[];
}

/** A bad scale is never made into a score (faults 20): such a number counts as left out. */
function isScore(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= 1;
}

function readSample(ground: Ground, reply: ScoreReply): Sample {
  const scores = new Map<string, { units: Units; gap: string }>();
  const corrections: string[] = [];
  const allowed = dimensionsOf(ground.state.type);
  for (const { component, dimensions } of reply.components) {
    const why = whyOutside(ground, component);
    if (why !== null) {
      corrections.push(`scores of ${why} dropped: ${component}`);
      continue;
    }
    for (const { dimension, score, gap } of dimensions) {
      const key = pairKey({ component, dimension });
      const known = scores.get(key);
      if (!allowed.includes(dimension))
        corrections.push(`dimension outside a ${ground.state.type} interview dropped: ${key}`);
      else if (!isScore(score)) corrections.push(`score outside 0..1 dropped: ${key}`);
      else if (known === undefined) scores.set(key, { units: toUnits(score), gap: gap.trim() });
      else {
        corrections.push(`scored twice, the lower one stands: ${key}`);
        if (toUnits(score) < known.units) scores.set(key, { units: toUnits(score), gap: gap.trim() });
      }
    }
  }
  return { scores, corrections };
}

function whyOutside(ground: Ground, component: string): string | null {
  const found = findComponent(ground.state, component);
  if (found === undefined) return "an unknown component";
  if (found.status === "deferred") return "a deferred component";
  return isJoining(ground, component) ? "a component that only just joined" : null;
}

/** A sample's scores over what stood before; a component that this very answer added stays null (D2.6). */
function carryOver(ground: Ground, sample: Sample | null): Matrix {
  return new Map(
    activePairs(ground.state).map((pair) => {
      const key = pairKey(pair);
      if (isJoining(ground, pair.component)) return [key, null];
      return [key, sample?.scores.get(key)?.units ?? ground.prior.get(key) ?? null];
    }),
  );
}

/** The middle value, null as the least; of two middle ones the lower. */
function median(values: readonly (Units | null)[]): Units | null {
  const sorted = values.toSorted((a, b) => (a ?? -1) - (b ?? -1));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Per pair the median over samples. */
export function medianOf(matrices: readonly Matrix[]): Matrix {
  const keys = matrices[0]?.keys() ?? [];
  return new Map([...keys].map((key) => [key, median(matrices.map((matrix) => matrix.get(key) ?? null))]));
}

export function combineSamples(ground: Ground, replies: readonly ScoreReply[]): Combined {
  const samples = replies.map((reply) => readSample(ground, reply));
  const matrices = samples.length === 0 ? [carryOver(ground, null)] : samples.map((item) => carryOver(ground, item));
  const middle = medianOf(matrices);
  const trimmed = replies.map((reply) => trimClaims(reply));
  const drafts = replies[0]?.draft ?? [];
  const corrections = samples.flatMap((sample) => sample.corrections);
  if (drafts.length > 1) corrections.push("more than one draft question dropped");
  return {
    matrices,
    median: middle,
    gaps: gapsOf(ground, samples, middle),
    triggers: agreeOnTriggers(trimmed.map((reply) => reply.triggers)),
    facts: agreeOnFacts(trimmed.map((reply) => reply.facts)),
    stands: agreeOnIds(trimmed.map((reply) => reply.stands)),
    entities: (replies[0]?.entities ?? []).filter((entity) => hasWords(entity.name)),
    draft: drafts.length === 1 ? (drafts[0] ?? null) : null,
    spread: matrices.length > 1 ? spreadOf(ground, matrices) : [],
    corrections: [...new Set(corrections)],
  };
}

function trimClaims(reply: ScoreReply): Pick<ScoreReply, "triggers" | "facts" | "stands"> {
  const trim = <T extends { readonly contradicts: string }>(claim: T): T => ({
    ...claim,
    contradicts: claim.contradicts.trim(),
  });
  return {
    triggers: reply.triggers.map(trim),
    facts: reply.facts.filter((claim) => hasWords(claim.statement)).map(trim),
    stands: reply.stands.map((id) => id.trim()),
  };
}

/** What is still unclear, in the words of the first sample that has the median; a pair nobody scored keeps its own. */
function gapsOf(ground: Ground, samples: readonly Sample[], middle: Matrix): Combined["gaps"] {
  return activePairs(ground.state).flatMap((pair) => {
    const key = pairKey(pair);
    const found = samples.find((sample) => sample.scores.get(key)?.units === middle.get(key));
    const gap = found?.scores.get(key)?.gap;
    return gap === undefined ? [] : [{ ...pair, gap }];
  });
}

function spreadOf(ground: Ground, matrices: readonly Matrix[]): Round["spread"] {
  return activePairs(ground.state).map((pair) => {
    const units = matrices.map((matrix) => matrix.get(pairKey(pair)) ?? 0);
    return { ...pair, spread: fromUnits(Math.max(...units) - Math.min(...units)) };
  });
}
