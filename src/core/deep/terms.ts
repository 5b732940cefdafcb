/**
 * Words of a text as search terms, and the names of code that it mentions (D1.1, D1.2). No language is special: what
 * decides is the script of a character, and how often a term occurs among the files it is looked for in.
 */
import { fold } from "../text.ts";

/** Scripts that write words without blanks or glue particles to them, so that a word has no edge to look for. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const seams = new RegExp(`(?<=[\\p{ASCII}])(?=${unspaced.source})|(?<=${unspaced.source})(?=\\p{ASCII})`, "gu");

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** `getUser를` is a name and a particle: a blank goes between an unspaced script and what is not one. */
export function separate(text: string): string {
  return text.replace(seams, " ");
}

function pairs(word: string): string[] {
  const chars = [...word];
  return chars.length < 2 ? [] : chars.slice(1).map((char, index) => `${chars[index]}${char}`);
}

/** The humps of an identifier: `userName` is `user` and `Name`, `HTTPServer` is `HTTP` and `Server`. */
function splitCamel(word: string): string[] {
  return word.split(/(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

/**
 * The distinct terms of a text: words and parts of identifiers, case folded; one- and two-letter words of alphabets are
 * left out, and a run of an unspaced script gives its pairs of characters.
 */
export function terms(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [run] of separate(text.normalize("NFC")).matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (isUnspaced(run)) for (const pair of pairs(run)) found.add(pair);
    else for (const part of [run, ...splitCamel(run)]) if ([...part].length > 2) found.add(fold(part));
  }
  return found;
}

/**
 * Looks terms up by likeness: equal, or alike for their first four letters and for three quarters of the longer one, so
 * that `exports` finds `exporter`. Gives back which of the wanted terms a set of terms holds.
 */
export function createMatcher(wanted: Iterable<string>): (present: Iterable<string>) => Set<string> {
  const byStart = new Map<string, string[]>();
  for (const term of wanted) {
    const key = term.slice(0, 4);
    byStart.set(key, [...(byStart.get(key) ?? []), term]);
  }
  return (present) => {
    const hits = new Set<string>();
    for (const term of present) {
      for (const candidate of byStart.get(term.slice(0, 4)) ?? []) if (isAlike(candidate, term)) hits.add(candidate);
    }
    return hits;
  };
}

function isAlike(left: string, right: string): boolean {
  if (left === right) return true;
  let common = 0;
  while (common < left.length && left[common] === right[common]) common += 1;
  return common >= 4 && common >= 0.75 * Math.max(left.length, right.length);
}

/** With an extension, and longer than `e.g`. */
const path = /^(?=.{4})(?:[\p{L}\p{N}_@.-]*\/)*[\p{L}\p{N}_@.-]*\.[A-Za-z]\w{0,7}$/u;
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

export type CodeName = { readonly kind: "path" | "symbol"; readonly name: string };

/** How a symbol is written; the two names of a rename are written alike. */
export function nameStyle(name: string): "snake" | "pascal" | "camel" | "plain" {
  if (/.[_$]./.test(name)) return "snake";
  if (/^\p{Lu}/u.test(name)) return /\p{Ll}/u.test(name) ? "pascal" : "plain";
  return /\p{Lu}/u.test(name) ? "camel" : "plain";
}

/**
 * Names of code in a text, in order and once each: paths and file names, and identifiers that are no plain words
 * (`getUser`, `user_id`) or are marked as code (`` `paginate` ``, `paginate()`).
 */
export function codeNames(text: string): CodeName[] {
  const found = new Map<string, CodeName>();
  for (const [token] of separate(text).matchAll(/[^\s,;:!?"'“”‘’«»「」()<>]+(?:\(\))?/gu)) {
    const bare = token.replace(/^[`*([{]+|[`*)\]}.]+$/gu, "").replace(/\($/, "");
    const marked = token.startsWith("`") || token.includes("()");
    const isName = identifier.test(bare) && (marked || ["snake", "camel"].includes(nameStyle(bare)) || isPascal(bare));
    if (isName) found.set(bare, { kind: "symbol", name: bare });
    else if (path.test(bare)) found.set(bare, { kind: "path", name: bare });
  }
  return [...found.values()];
}

/** A second capital among small letters: `UserStore`, `OAuth`, but not `Users` or `API`. */
function isPascal(name: string): boolean {
  return /^\p{Lu}/u.test(name) && /\p{Ll}/u.test(name) && /.\p{Lu}/u.test(name);
}
