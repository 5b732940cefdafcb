/**
 * What an answer holds for a dimension: numbers with units, limits, named actors, observable results, exclusions,
 * conditions, order; hedges count against it. The weights say what makes each dimension clear.
 */
import { fold } from "../../core/text.ts";
import type { Dimension } from "./bank.ts";
import type { Tongue } from "./tongue.ts";

export const kinds = [
  "number",
  "measure",
  "limit",
  "must",
  "exclusion",
  "actor",
  "result",
  "condition",
  "order",
  "reason",
  "name",
  "path",
  "relation",
] as const;
export type Kind = (typeof kinds)[number];

export interface Evidence {
  readonly kinds: ReadonlySet<Kind>;
  readonly hedges: number;
}

const digits = /(?<![A-Za-z0-9_./-])[0-9０-９][0-9０-９.,:]*\s?%?/u;
const path =
  /(?<![\p{L}\p{N}])(?:[\w@.-]+\/)+[\w@.-]+|\b[\w-]+\.(?:[jt]sx?|mjs|py|go|rs|java|rb|sql|json|ya?ml|toml|md|css|html|c|h|cpp|cs|php|kt|swift)\b|`[^`]+`/u;
/** Capitals inside a sentence, acronyms, identifiers; any Latin word in a script of its own. */
const nameInLatin = /(?<=[\p{L}\p{N},;:]\s)\p{Lu}[\p{L}\p{N}]+|\b[A-Z][A-Z0-9]{1,}\b|\b\w*[a-z][A-Z]\w*\b|\b\w+_\w+\b/u;
const latinWord = /[A-Za-z][A-Za-z0-9.+#-]+/u;

export function evidenceOf(sentence: string, tongue: Tongue): Evidence {
  const folded = fold(sentence);
  const found = new Set<Kind>();
  const has = (list: Parameters<Tongue["find"]>[0]) => tongue.find(list, folded).length > 0;
  const hasNumber = digits.test(sentence) || has("numbers");
  if (hasNumber) found.add("number");
  if (tongue.measure.test(folded)) found.add("measure");
  if (has("limits")) found.add("limit");
  if (has("musts")) found.add("must");
  if (has("negations") || has("exclusion")) found.add("exclusion");
  if (has("actors")) found.add("actor");
  if (has("observables")) found.add("result");
  if (has("conditions")) found.add("condition");
  if (has("orders")) found.add("order");
  if (has("reasons")) found.add("reason");
  if (has("relations")) found.add("relation");
  if (path.test(sentence)) found.add("path");
  if (tongue.bank.mode === "words" ? nameInLatin.test(sentence) : latinWord.test(sentence)) found.add("name");
  return { kinds: found, hedges: tongue.find("hedges", folded).length };
}

/** Points by kind: enough of them, 1 or more, make a dimension as clear as one answer can. */
const weights: Readonly<Record<Dimension, Partial<Record<Kind, number>>>> = {
  goal: {
    actor: 0.3,
    result: 0.3,
    condition: 0.2,
    order: 0.2,
    number: 0.15,
    measure: 0.1,
    name: 0.15,
    exclusion: 0.1,
    must: 0.1,
    reason: 0.1,
  },
  constraints: {
    measure: 0.35,
    number: 0.15,
    limit: 0.3,
    exclusion: 0.3,
    must: 0.25,
    name: 0.15,
    condition: 0.1,
    actor: 0.1,
    reason: 0.05,
  },
  criteria: {
    measure: 0.25,
    number: 0.25,
    result: 0.3,
    condition: 0.2,
    actor: 0.2,
    exclusion: 0.15,
    limit: 0.15,
    name: 0.1,
    order: 0.1,
  },
  context: { path: 0.45, relation: 0.3, name: 0.2, exclusion: 0.2, must: 0.1, result: 0.1, actor: 0.1, condition: 0.1 },
};

/** 0..1: how well the evidence answers for a dimension. Several weak kinds add up, hedges take away. */
export function pointsFor(dimension: Dimension, evidence: Evidence): number {
  let points = 0;
  for (const kind of evidence.kinds) points += weights[dimension][kind] ?? 0;
  return Math.max(0, Math.min(1, points) - Math.min(0.5, 0.2 * evidence.hedges));
}

export function joinEvidence(parts: readonly Evidence[]): Evidence {
  return {
    kinds: new Set(parts.flatMap((part) => [...part.kinds])),
    hedges: parts.reduce((sum, part) => sum + part.hedges, 0),
  };
}

/** The kinds that a dimension still lacks, weightiest first. */
export function lacking(dimension: Dimension, evidence: Evidence): Kind[] {
  return Object.entries(weights[dimension])
    .sort(([, left], [, right]) => right - left)
    .flatMap(([name]) => kinds.filter((kind) => kind === name && !evidence.kinds.has(kind)));
}
