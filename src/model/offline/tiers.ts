/**
 * How far an answer lifts a pair. One answer in full brings the pair it was aimed at to 0.92 at most; a second one closes
 * half of what is left. An option reaches 0.55 and a few words 0.38, so that each pair wants an answer in full of its own,
 * and one good answer alone keeps any interview above 0.6.
 */
import type { Assessment } from "./assess.ts";
import { type Dimension, isDimension } from "./bank.ts";
import { evidenceOf, pointsFor } from "./evidence.ts";
import type { Input } from "./inputs.ts";
import { type Matrix, pairOf } from "./lowering.ts";
import type { Tongue } from "./tongue.ts";
import { shareIn, statementsOf, stemsOf } from "./words.ts";

/** What the idea alone says of a pair, whatever it holds: its own words are asked about first. */
export const baseline = 0.05;

const most = {
  vague: 0.25,
  weak: 0.5,
  fragment: 0.38,
  option: 0.55,
  secondOption: 0.62,
  answer: 0.92,
  neighbour: 0.95,
} as const;
const least = 0.5;
/** Below this an answer in full says next to nothing. */
const vague = 0.15;
/** What may be a sentence by chance does not clear a pair alone. */
const sure = 2;

/** The level that an answer gives the pair it was aimed at; 0 for one that says nothing. */
export function tiersOf(verdict: Assessment, dimension: Dimension, now: number): number {
  const points = pointsFor(dimension, verdict.evidence);
  switch (verdict.verdict) {
    case "evasive":
    case "repetition":
    case "copy":
    case "nonsense":
    case "untied":
    case "discredited":
      return 0;
    case "fragment":
      return Math.min(most.fragment, 0.25 + 0.13 * points);
    case "option":
      return now >= most.option ? Math.min(most.secondOption, now + 0.04) : most.option;
    case "sentence": {
      const quality = points * verdict.weight;
      if (quality < vague) return most.vague;
      if (verdict.strength < sure) return Math.max(most.vague, most.weak * quality);
      const first = least + (most.answer - least) * quality;
      return first > now ? first : now + (1 - now) * 0.5 * quality;
    }
  }
}

/**
 * What an answer says beside its target makes pairs surer that have had an answer of their own: of the same component,
 * and of components that it names. A pair without one is not cleared in passing.
 */
export function spillOver(
  input: Input<"score">,
  start: Matrix,
  read: Tongue,
): { readonly key: string; readonly level: number }[] {
  const found: { key: string; level: number }[] = [];
  for (const sentence of statementsOf(input.answer)) {
    const evidence = evidenceOf(sentence, read);
    const stems = stemsOf(sentence, read);
    for (const component of input.components) {
      if (component.id !== input.target.component && shareIn(stemsOf(component.name, read), stems) < 1) continue;
      for (const dimension of input.dimensions.filter(isDimension)) {
        const key = pairOf(component.id, dimension);
        const now = start.get(key) ?? 0;
        const points = pointsFor(dimension, evidence);
        if (now >= least && points >= 0.5)
          found.push({ key, level: Math.min(most.neighbour, now + (1 - now) * 0.2 * points) });
      }
    }
  }
  return found;
}
