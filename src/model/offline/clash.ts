/** Whether two statements cannot both hold: other numbers for the same thing, a negation, or opposites of the lexicon. */
import { fold } from "../../core/text.ts";
import type { Tongue } from "./tongue.ts";
import { countShared, isAlike, stemsOf, wordsOf } from "./words.ts";

interface Quantity {
  readonly value: number;
  readonly unit: string;
}

/** How much two statements have to share before they are about the same thing. */
const demands = {
  own: { words: 1, share: 0.5, denied: 2 },
  other: { words: 2, share: 0.5, denied: 3 },
  "same-answer": { words: 2, share: 0.5, denied: 2 },
} as const;

export function clash(left: string, right: string, tongue: Tongue, relation: keyof typeof demands): boolean {
  const a = stemsOf(left, tongue);
  const b = stemsOf(right, tongue);
  const shared = countShared(a, b);
  const share = shared / Math.max(1, Math.min(a.size, b.size));
  const demand = demands[relation];
  if (oppose(left, right, tongue) && shared >= 1 && !isHedged(left, right, tongue)) return true;
  if (shared < demand.words || share < demand.share || isHedged(left, right, tongue)) return false;
  if (numbersDiffer(left, right, tongue)) return true;
  const denies = (text: string) => tongue.find("negations", fold(text)).length % 2 === 1;
  return denies(left) !== denies(right) && shared >= demand.denied && share >= 0.6;
}

/** An exception or a condition may let both hold. */
function isHedged(left: string, right: string, tongue: Tongue): boolean {
  return [left, right].some((text) => tongue.find("exceptions", fold(text)).length > 0);
}

function oppose(left: string, right: string, tongue: Tongue): boolean {
  const [a, b] = [fold(left), fold(right)];
  const has = (text: string, phrases: readonly string[]) =>
    phrases.some((phrase) => tongue.find("opposites", text).includes(fold(phrase)));
  return tongue.bank.words.opposites.some(
    ([one, other]) =>
      (has(a, one) && !has(a, other) && has(b, other) && !has(b, one)) ||
      (has(a, other) && !has(a, one) && has(b, one) && !has(b, other)),
  );
}

/** The same unit with another number on both sides, limits of one direction. */
function numbersDiffer(left: string, right: string, tongue: Tongue): boolean {
  const isLeast = (text: string) => tongue.find("minimums", fold(text)).length > 0;
  if (isLeast(left) !== isLeast(right)) return false;
  const ours = quantities(left, tongue);
  const theirs = quantities(right, tongue);
  const pairs = ours.flatMap((one) =>
    theirs.filter((other) => isSameUnit(one, other)).map((other) => [one, other] as const),
  );
  return pairs.length > 0 && pairs.every(([one, other]) => one.value !== other.value);
}

function isSameUnit(left: Quantity, right: Quantity): boolean {
  return left.unit !== "" && isAlike(left.unit, right.unit);
}

function quantities(text: string, tongue: Tongue): Quantity[] {
  const words = wordsOf(text.replace(/([0-9])(?=\p{L})/gu, "$1 "), tongue);
  const named = tongue.bank.words.numbers.slice(0, 13).map(fold);
  return words.flatMap((word, index): Quantity[] => {
    const spelled = named.indexOf(word.folded);
    const value = word.role === "number" ? Number(word.folded.replace(/[,%]/g, "")) : spelled;
    if (value < 0 || Number.isNaN(value)) return [];
    if (word.folded.endsWith("%")) return [{ value, unit: "%" }];
    const next = words[index + 1];
    return next === undefined || next.role === "function" ? [] : [{ value, unit: unitOf(next.stem, tongue) }];
  });
}

/** Units are compared without their plural. */
function unitOf(stem: string, tongue: Tongue): string {
  const suffix = tongue.suffixes.find((item) => stem.endsWith(item) && stem.length - item.length >= 2);
  return suffix === undefined ? stem : stem.slice(0, stem.length - suffix.length);
}
