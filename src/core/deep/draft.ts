/**
 * D3.3, D3.4: what a drafted question must be, whoever drafted it: one question, two to four options besides the asker's
 * own "other". The words that name a catch-all or stand for nothing are data of every language.
 */
import type { Fault } from "../machine.ts";
import { fold, foldPhrase, hasWords } from "../text.ts";
import type { Draft } from "./finding.ts";
import type { DraftReply } from "./tasks.ts";

/** The lists of every lexicon together. */
export interface DraftWords {
  readonly other: readonly string[];
  readonly placeholder: readonly string[];
}

export const noWords: DraftWords = { other: [], placeholder: [] };

const fewest = 2;
const most = 4;

/** `3)`, `(c)`, `d.`, `-` before a label. */
const enumerator = /^\s*(?:[-*•]\s+|\(?(?:\p{N}{1,2}|\p{L})[).．、:]\s*)+/u;
/** `(please specify)` after a label. */
const aside = /\s*[(（][^()（）]*[)）]\s*$/u;

function bare(text: string): string {
  return foldPhrase(text.replace(enumerator, "").replace(aside, ""));
}

function isAmong(text: string, words: readonly string[]): boolean {
  const wanted = [foldPhrase(text), bare(text)];
  return words.some((word) => wanted.includes(foldPhrase(word)));
}

/** Whether a label is only the asker's own "other": `Other`, `3) Other.`, `Other (please specify)`, `Other: type your own`. */
export function isCatchAll(label: string, words: DraftWords): boolean {
  if (isAmong(label, words.other)) return true;
  const parts = label.split(/\s*[:：–—/]\s*|\s+-\s+/u).filter((part) => hasWords(part));
  return parts.length > 1 && parts.every((part) => isAmong(part, words.other));
}

/** Whether a text says nothing: empty, without a letter or digit, or a word that stands for nothing. */
export function isPlaceholder(text: string, words: DraftWords): boolean {
  return !hasWords(text) || isAmong(text, words.placeholder);
}

/** The options that count: no catch-all, no placeholder, each label once; in their order. */
export function usableOptions(options: DraftReply["options"], words: DraftWords): DraftReply["options"] {
  const seen = new Set<string>();
  return options.filter((option) => {
    const key = bare(option.label);
    if (isCatchAll(option.label, words) || isPlaceholder(option.label, words) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** ASCII, fullwidth, small, Arabic, Armenian, Ethiopic, Limbu, Old Nubian, Vai, Bamum, and the doubled and mixed ones. */
const marks = /[?？﹖؟\u055e\u1367\u1945\u2cfa\u2cfb\ua60f\ua6f7⁇⁈⁉‽]+[!！?？؟‽\s]*/gu;
/** Scripts whose sentences are asked without a mark. */
const unmarked = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** A Japanese question may close with its particle and a full stop. */
const particle = /か[。．.]/gu;
/** Quoted speech, code and addresses: a mark in them asks the user nothing. */
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|\bhttps?:\/\/\S+/gu;
const item = /^\s*(?:\(?\p{N}{1,2}[).．、]|[-*•])\s+\S/u;

/**
 * How many questions a text asks. A run of marks is one; a list whose items are the questions counts by its items; a
 * list of things after the one question does not.
 */
export function countQuestions(text: string): number {
  // The Greek mark looks like a semicolon and is one after NFC; so it counts in Greek text only.
  const normal = /\p{Script=Greek}/u.test(text) ? text.replace(/[;\u037e](?=\s|$)/gu, "?") : text.normalize("NFC");
  const plain = normal.replace(quoted, " ");
  const body = hasWords(plain) && countMarks(plain) > 0 ? plain : normal;
  const lines = body.split("\n").filter((line) => hasWords(line));
  const items = lines.filter((line) => item.test(line));
  const marked = countMarks(body);
  if (items.length > 1 && lines[0] !== undefined && item.test(lines[0])) return Math.max(items.length, marked);
  if (marked > 0) return marked;
  return unmarked.test(body) ? 1 : 0;
}

function countMarks(text: string): number {
  return (text.match(marks)?.length ?? 0) + (text.match(particle)?.length ?? 0);
}

/** Faults of a drafted question that its schema cannot express. Paths are relative to the draft. */
export function checkDraft(draft: DraftReply, words: DraftWords): Fault[] {
  const faults: Fault[] = [];
  const reject = (path: string, message: string) => faults.push({ path, message, severity: "reject" });
  if (isPlaceholder(draft.question, words)) reject("question", "must be a question, not empty and no placeholder");
  else {
    const count = countQuestions(draft.question);
    if (count !== 1) reject("question", `must ask exactly one question, with its question mark; it asks ${count}`);
  }
  const options = usableOptions(draft.options, words).length;
  if (options < fewest || options > most) {
    reject(
      "options",
      `must be ${fewest} to ${most} different answers without a catch-all such as "other"; usable: ${options}`,
    );
  }
  return faults;
}

/** The draft as the state keeps it: usable options only, the recommended one by index, and in doubt a decision (D3.4). */
export function readDraft(reply: DraftReply, words: DraftWords): Draft {
  const options = usableOptions(reply.options, words);
  const wanted = fold(reply.recommended);
  const index = options.findIndex(
    (option) => fold(option.label) === wanted || bare(option.label) === bare(reply.recommended),
  );
  const { statement, path } = reply.fact;
  const isFact = reply.nature === "fact" && hasWords(statement) && path.trim() !== "";
  return {
    component: reply.component,
    dimension: reply.dimension,
    why: reply.why,
    question: reply.question.trim(),
    options: options.map((option) => ({ ...option })),
    recommended: wanted === "" || index === -1 ? null : index,
    research: reply.research,
    nature: isFact ? "fact" : "decision",
    fact: isFact ? { ...reply.fact } : null,
  };
}
