/** Words of a text for comparing: content words by stem, function words apart, in any of the three ways of writing. */
import { fold, sentences } from "../../core/text.ts";
import { stripSuffix, type Tongue } from "./tongue.ts";

export interface Word {
  readonly text: string;
  readonly folded: string;
  readonly stem: string;
  readonly role: "content" | "function" | "marker" | "number";
}

const spaced = /[\p{L}\p{N}%](?:[\p{L}\p{M}\p{N}'’_.,/@#+-]*[\p{L}\p{M}\p{N}%#+])?/gu;
/** A seam between Latin letters or digits and another script parts a name from the particle glued to it. */
const seams = /(?<=[A-Za-z0-9%)])(?=\P{ASCII})|(?<=\P{ASCII})(?=[A-Za-z0-9(])/gu;
const runs =
  /[A-Za-z0-9][A-Za-z0-9_./@#+%-]*|\p{Script=Katakana}[\p{Script=Katakana}ー]*|[\p{Script=Han}々]+|\p{Script=Hiragana}+|\p{L}+/gu;
const numeral = /^[0-9０-９]/u;

export function wordsOf(text: string, tongue: Tongue): Word[] {
  const { mode } = tongue.bank;
  const pattern = mode === "runs" ? runs : spaced;
  const source = mode === "glued" ? text.replace(seams, " ") : text;
  return (source.normalize("NFC").match(pattern) ?? []).map((part) => toWord(part, tongue));
}

function toWord(text: string, tongue: Tongue): Word {
  const folded = fold(text);
  const role = roleOf(folded, tongue);
  return { text, folded, stem: role === "content" ? stemOf(folded, tongue) : folded, role };
}

function roleOf(folded: string, tongue: Tongue): Word["role"] {
  if (numeral.test(folded)) return "number";
  if (tongue.stop.has(folded)) return "function";
  if (tongue.markers.has(folded)) return "marker";
  if (tongue.bank.mode === "runs" && /^\p{Script=Hiragana}+$/u.test(folded)) return "function";
  if (tongue.bank.mode === "glued" && tongue.markers.has(stemOf(folded, tongue))) return "marker";
  return "content";
}

export function stemOf(folded: string, tongue: Tongue): string {
  return stripSuffix(folded, tongue.suffixes, tongue.bank.mode);
}

const known = new WeakMap<Tongue, Map<string, ReadonlySet<string>>>();
/** Texts whose stems are kept: an interview asks for the same ones again and again. */
const mostKept = 400;

/** Content stems of a text, each once. */
export function stemsOf(text: string, tongue: Tongue): ReadonlySet<string> {
  const kept = known.get(tongue) ?? new Map<string, ReadonlySet<string>>();
  known.set(tongue, kept);
  const found = kept.get(text);
  if (found !== undefined) return found;
  const made = new Set(wordsOf(text, tongue).flatMap((word) => (word.role === "content" ? [word.stem] : [])));
  if (kept.size >= mostKept) kept.clear();
  kept.set(text, made);
  return made;
}

/** `export` and `exporter`, `검토` and `검토자`: one begins the other, or they agree for most of their letters. */
export function isAlike(left: string, right: string): boolean {
  if (left === right) return true;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (/\P{ASCII}/u.test(short) && !/^[\p{Script=Latin}]/u.test(short)) return short.length >= 2 && long.includes(short);
  let common = 0;
  while (common < short.length && short[common] === long[common]) common += 1;
  return common >= 4 && common >= 0.7 * long.length;
}

/** How many of `stems` have a likeness in `among`. */
export function countShared(stems: Iterable<string>, among: ReadonlySet<string>): number {
  let count = 0;
  for (const stem of stems) if (hasAlike(stem, among)) count += 1;
  return count;
}

export function hasAlike(stem: string, among: ReadonlySet<string>): boolean {
  if (among.has(stem)) return true;
  for (const other of among) if (isAlike(stem, other)) return true;
  return false;
}

/** Which share of `stems` is found in `among`; 0 for none at all. */
export function shareIn(stems: ReadonlySet<string>, among: ReadonlySet<string>): number {
  return stems.size === 0 ? 0 : countShared(stems, among) / stems.size;
}

/** The labels under which a confirmed interpretation is written out (D4.3), taken off its lines. */
const label = /^[\s>*#-]*(?:decision|reasoning|constraints|out of scope|codebase context)(?:\s*\([^)]*\))?\s*:\s*/iu;

/** Sentences of an answer, list marks and section labels off, each exactly as it stands otherwise. */
export function statementsOf(answer: string): string[] {
  return sentences(answer)
    .map((sentence) => sentence.replace(label, "").replace(/^[\s>*•・-]+|[\s;；,]+$/gu, ""))
    .filter((sentence) => sentence !== "");
}
