/**
 * How far an answer lifts a pair. One answer in full brings the pair it was aimed at to 0.92 at most; a second one closes
 * half of what is left. An option reaches 0.55, a few words 0.38, what is said of a neighbour 0.45: below what any
 * threshold under 0.38 lets pass, so that each pair wants an answer of its own.
 */
import type { Assessment } from "./assess.ts";
import { type Dimension, isDimension } from "./bank.ts";
import { evidenceOf, joinEvidence, pointsFor } from "./evidence.ts";
import type { Input, PromptComponent } from "./inputs.ts";
import { pairOf } from "./lowering.ts";
import type { Tongue } from "./tongue.ts";
import { shareIn, statementsOf, stemsOf } from "./words.ts";

const baseline = 0.1;
const most = { baseline: 0.25, fragment: 0.38, option: 0.55, secondOption: 0.62, neighbour: 0.45, other: 0.3, answer: 0.92 } as const;
const least = 0.5;

/** What the idea alone says of a pair: little, whatever it holds. */
export function baselineOf(component: PromptComponent, dimension: Dimension, tongue: Tongue): number {
  const points = pointsFor(dimension, joinEvidence(statementsOf(component.description).map((item) => evidenceOf(item, tongue))));
  return Math.min(most.baseline, baseline + (points >= 0.5 ? 0.05 : 0));
}

/** The level that an answer gives the pair it was aimed at; 0 for one that says nothing. */
export function tiersOf(verdict: Assessment, dimension: Dimension, now: number): number {
  const points = pointsFor(dimension, verdict.evidence);
  switch (verdict.verdict) {
    case "evasive":
    case "repetition":
    case "copy":
    case "nonsense":
    case "untied":
      return 0;
    case "fragment":
      return Math.min(most.fragment, 0.25 + 0.13 * points);
    case "option":
      return now >= most.option ? Math.min(most.secondOption, now + 0.04) : most.option;
    case "sentence": {
      const quality = points * verdict.weight;
      const first = least + (most.answer - least) * quality;
      return first > now ? first : now + (1 - now) * 0.5 * quality;
    }
  }
}

/** What an answer says beside its target: of the same component's other dimensions, and of components it names. */
export function spillOver(input: Input<"score">, read: Tongue): { readonly key: string; readonly level: number }[] {
  const found: { key: string; level: number }[] = [];
  for (const sentence of statementsOf(input.answer)) {
    const evidence = evidenceOf(sentence, read);
    const stems = stemsOf(sentence, read);
    for (const component of input.components) {
      const isTarget = component.id === input.target.component;
      if (!isTarget && shareIn(stemsOf(component.name, read), stems) < 1) continue;
      const top = isTarget ? most.neighbour : most.other;
      for (const dimension of input.dimensions.filter(isDimension)) {
        const points = pointsFor(dimension, evidence);
        if (points >= 0.4) found.push({ key: pairOf(component.id, dimension), level: 0.15 + (top - 0.15) * points });
      }
    }
  }
  return found;
}
