/** A language as the offline interviewer reads it: lexicon and bank together, with their words indexed once. */
import { detectLanguage } from "../../core/deep/detect.ts";
import type { Lexicon } from "../../core/lexicon.ts";
import { fold } from "../../core/text.ts";
import type { Bank } from "./bank.ts";

export interface Tongue {
  readonly lexicon: Lexicon;
  readonly bank: Bank;
  readonly stop: ReadonlySet<string>;
  /** Words that only mark (must, at most, users): they give an answer its kind, but no content of their own. */
  readonly markers: ReadonlySet<string>;
  /** Stems of every word of the lists: what anybody can take from them to look concrete. */
  readonly listed: ReadonlySet<string>;
  readonly classes: ReadonlyMap<string, string>;
  readonly suffixes: readonly string[];
  /** A number with its unit, over a folded text. */
  readonly measure: RegExp;
  readonly never: ReadonlySet<string>;
  readonly broken: readonly RegExp[];
  /** Finds any of the named lists' phrases in a folded text. */
  readonly find: (list: keyof Bank["words"] | "constraint" | "exclusion", folded: string) => readonly string[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Letters right before or after a match would make it part of another word, where words have edges. */
function phrasePattern(phrases: readonly string[], mode: Bank["mode"]): RegExp {
  const wanted = [...new Set(phrases.map(fold))].filter((item) => item !== "").sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return /(?!)/gu;
  const any = wanted.map(escaped).join("|");
  if (mode === "words") return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${any})(?![\\p{L}\\p{M}\\p{N}])`, "gu");
  return new RegExp(`(?<![A-Za-z])(?:${any})(?![A-Za-z])`, "gu");
}

/** `50 mb`, `seven years`, `20 working days`, `3초`, `95%`, `$5`. */
function measurePattern({ words, mode }: Bank): RegExp {
  const any = (items: readonly string[]) =>
    [...items]
      .sort((a, b) => b.length - a.length)
      .map((item) => escaped(fold(item)))
      .join("|");
  const between = mode === "words" ? "[\\s-]?(?:\\p{L}+\\s)?" : "\\s?";
  const end = mode === "words" ? "(?![\\p{L}\\p{N}])" : "";
  const number = `(?:[0-9０-９][0-9０-９.,]*|(?<![\\p{L}])(?:${any(words.numbers)})(?![A-Za-z]))`;
  return new RegExp(
    `${number}${between}(?:${any(words.units)})${end}|[0-9０-９]\\s?[%％]|[$€£¥₩]\\s?[0-9]|[0-9][0-9.,]*(?:ms|s|m|h|kb|mb|gb|tb|px)(?![\\p{L}\\p{N}])`,
    "u",
  );
}

type ListName = Exclude<keyof Bank["words"], "opposites">;
const markerLists: readonly ListName[] = [
  "hedges",
  "negations",
  "limits",
  "musts",
  "numbers",
  "conditions",
  "orders",
  "reasons",
  "additions",
  "exceptions",
];

const evidenceLists: readonly ListName[] = ["units", "actors", "observables", "relations", "minimums"];

/** A word without its longest known ending, as long as something is left to tell words apart by. */
export function stripSuffix(folded: string, suffixes: readonly string[], mode: Bank["mode"]): string {
  if (mode === "runs") return folded;
  const least = mode === "glued" ? 1 : 3;
  const suffix = suffixes.find((item) => folded.endsWith(item) && folded.length - item.length >= least);
  return suffix === undefined ? folded : folded.slice(0, folded.length - suffix.length);
}

export function createTongue(lexicon: Lexicon, bank: Bank): Tongue {
  const patterns = new Map<string, RegExp>();
  const listOf = (name: ListName | "opposites" | "constraint" | "exclusion"): readonly string[] => {
    if (name === "constraint" || name === "exclusion") return lexicon[name];
    if (name === "opposites") return bank.words.opposites.flat(2);
    return bank.words[name];
  };
  const find: Tongue["find"] = (name, folded) => {
    const pattern = patterns.get(name) ?? phrasePattern(listOf(name), bank.mode);
    patterns.set(name, pattern);
    return folded.match(pattern) ?? [];
  };
  const phrases = [...markerLists.flatMap((name) => bank.words[name]), ...lexicon.constraint, ...lexicon.exclusion];
  const classes = new Map<string, string>();
  for (const [name, words] of Object.entries(bank.grammar.classes))
    for (const word of words) classes.set(fold(word), name);
  const suffixes = [...bank.words.suffixes].sort((a, b) => b.length - a.length);
  const listed = [...phrases, ...evidenceLists.flatMap((name) => bank.words[name])].flatMap((phrase) =>
    fold(phrase).split(" "),
  );
  return {
    lexicon,
    bank,
    listed: new Set(listed.flatMap((word) => [word, stripSuffix(word, suffixes, bank.mode)])),
    stop: new Set(bank.words.stop.map(fold)),
    // The words of a phrase ("in order to") mark nothing by themselves.
    markers: new Set(phrases.map(fold).filter((phrase) => !phrase.includes(" "))),
    classes,
    suffixes,
    measure: measurePattern(bank),
    never: new Set(bank.grammar.never.map(([left, right]) => `${left} ${right}`)),
    broken: bank.grammar.broken.map((pattern) => new RegExp(pattern, "giu")),
    find,
  };
}

export interface Tongues {
  /** The language to write in: that of the tag, else English. */
  readonly forTag: (tag: string) => Tongue;
  /** The language to read a text in: its own when it ships, else that of the tag. */
  readonly forText: (text: string, tag: string) => Tongue;
}

/** A bank by its language's tag; undefined where there is none. */
export type BankSource = (tag: string) => Bank | undefined;

/**
 * A language is indexed when it is first asked for, English at once: every other falls back to it. Throws when it is
 * missing.
 */
export function createTongues(lexicons: readonly Lexicon[], banks: readonly Bank[] | BankSource): Tongues {
  const bankOf = typeof banks === "function" ? banks : (tag: string) => banks.find((bank) => bank.tag === tag);
  const made = new Map<string, Tongue | undefined>();
  const make = (tag: string): Tongue | undefined => {
    const lexicon = lexicons.find((item) => item.tag === tag);
    const bank = lexicon === undefined ? undefined : bankOf(tag);
    return lexicon === undefined || bank === undefined ? undefined : createTongue(lexicon, bank);
  };
  const get = (tag: string): Tongue | undefined => {
    if (!made.has(tag)) made.set(tag, make(tag));
    return made.get(tag);
  };
  const english = get("en");
  if (english === undefined) throw new Error("the offline interviewer needs the English lexicon and bank");
  const forTag = (tag: string) => get(tag) ?? get(tag.split("-")[0] ?? tag) ?? english;
  return {
    forTag,
    forText: (text, tag) => {
      const own = forTag(tag);
      const detected = detectLanguage(text, lexicons);
      return detected?.known === true ? (get(detected.tag) ?? own) : own;
    },
  };
}
