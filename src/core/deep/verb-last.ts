/** D2.3: outcome clauses of languages whose clauses end with the verb: its stem and one of the clause endings. */
import type { ClauseWords, Lexicon } from "../lexicon.ts";
import { hasWords } from "../text.ts";
import type { Clause } from "./clause.ts";

interface Verb {
  readonly stem: string;
  readonly outcome: string;
}

const patterns = new WeakMap<ClauseWords, { readonly pattern: RegExp; readonly verbs: ReadonlyMap<string, Verb> }>();

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const longestFirst = (items: readonly string[]) =>
  [...new Set(items)].sort((left, right) => right.length - left.length);

function verbsOf(words: ClauseWords) {
  const known = patterns.get(words);
  if (known !== undefined) return known;
  const verbs = new Map<string, Verb>();
  for (const { name, verbs: stems } of words.outcomes)
    for (const stem of stems) verbs.set(stem, { stem, outcome: name });
  for (const stem of words.carriers) if (!verbs.has(stem)) verbs.set(stem, { stem, outcome: "" });
  const stems = longestFirst([...verbs.keys()])
    .map(escaped)
    .join("|");
  const endings = longestFirst(words.endings.map((ending) => ending.add))
    .map(escaped)
    .join("|");
  const made = { pattern: new RegExp(`(${stems})\\s?(?:${endings})[.。!！、,]?`, "gu"), verbs };
  patterns.set(words, made);
  return made;
}

export function splitVerbLast(sentence: string, lexicon: Lexicon, words: ClauseWords): Clause[] {
  const { pattern, verbs } = verbsOf(words);
  const clauses: Clause[] = [];
  let start = 0;
  for (const match of sentence.matchAll(pattern)) {
    const verb = verbs.get(match[1] ?? "");
    if (verb === undefined) continue;
    const body = sentence.slice(start, match.index);
    const end = match.index + match[0].length;
    clauses.push(toClause(sentence.slice(start, end), body, verb, words));
    start = end;
  }
  const rest = sentence.slice(start);
  if (clauses.length === 0 && hasWords(rest)) clauses.push(...bareParts(rest, words));
  return clauses.filter((clause) => !lexicon.exclusion.some((word) => clause.text.includes(word)));
}

function trimmed(text: string, words: ClauseWords): string {
  let result = text.trim().replace(/^[、，,・\s]+|[、，,・.。\s]+$/gu, "");
  for (const lead of longestFirst(words.leads)) if (result.startsWith(lead)) result = result.slice(lead.length).trim();
  return result;
}

/** The object stands before its mark; a text without one is all object. */
function objectOf(body: string, words: ClauseWords): string {
  const at = Math.max(...words.object_marks.map((mark) => body.lastIndexOf(mark)));
  const cutOff = at > 0 ? body.slice(0, at) : body;
  const after = Math.max(-1, ...[...words.details, ...words.links].map((word) => endOf(cutOff, word)));
  return trimmed(cutOff.slice(Math.max(0, after)), words);
}

function joinsOf(words: ClauseWords): RegExp {
  return new RegExp(["[、，,・]", ...words.joins.map(escaped)].join("|"), "u");
}

function endOf(text: string, word: string): number {
  const at = text.lastIndexOf(word);
  return at < 0 ? -1 : at + word.length;
}

function toClause(text: string, body: string, verb: Verb, words: ClauseWords): Clause {
  const object = objectOf(body, words);
  const before = body.slice(0, Math.max(0, body.lastIndexOf(object)));
  const detailed = words.details.find((word) => before.includes(word));
  const details =
    detailed === undefined ? [] : trimmed(before.slice(0, before.lastIndexOf(detailed)), words).split(joinsOf(words));
  return {
    kind: verb.outcome === "" ? "carried" : "outcome",
    outcome: verb.outcome,
    text: trimmed(text, words),
    object,
    details: details.filter(hasWords),
  };
}

/** No verb at all: nouns in a list, when each stands for something to deliver; else one clause. */
function bareParts(text: string, words: ClauseWords): Clause[] {
  const parts = text
    .split(joinsOf(words))
    .map((part) => trimmed(part, words))
    .filter(hasWords);
  const isThing = (part: string) => words.things.some((thing) => thing.words.some((word) => part.endsWith(word)));
  const make = (kind: Clause["kind"], part: string): Clause => ({
    kind,
    text: part,
    outcome: "",
    object: part,
    details: [],
  });
  if (parts.length > 1 && parts.every(isThing)) return parts.map((part) => make("thing", part));
  return [make(isThing(trimmed(text, words)) ? "thing" : "bare", trimmed(text, words))];
}
