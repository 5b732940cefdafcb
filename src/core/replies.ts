/**
 * D4.1, D4.2: what kind of reply came. An option label is always an answer; exact control phrases are matched here, in
 * any letter case and language that ships; everything else that could be a non-answer is left to the interpret task.
 */
import type { Lexicon } from "./lexicon.ts";
import type { Option, Question, Reply } from "./machine.ts";
import { fold, foldPhrase, hasWords } from "./text.ts";

export type ReplyKind =
  | { readonly type: "nothing" }
  | { readonly type: "option"; readonly options: readonly Option[]; readonly text: string | null }
  | { readonly type: "opt-out" | "explain" | "finish" | "cancel" | "defer"; readonly text: string | null }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "unknown-option"; readonly name: string };

/** What surfaces put behind the recommended option, in any language: a few words in brackets at the end. */
const mark = /\s*[([（［][^()[\]（）［］]{1,30}[)\]）］]\s*$/u;

/** An option by its id or its label; the recommended one also with its mark, such as "(Recommended)". */
export function findOption(question: Question, name: string): Option | undefined {
  return question.options.find((option) => option.id === name.trim()) ?? findByLabel(question, name, fold);
}

function findByLabel(question: Question, name: string, folded: (text: string) => string): Option | undefined {
  const wanted = folded(name);
  const bare = folded(name.replace(mark, ""));
  return (
    question.options.find((option) => folded(option.label) === wanted) ??
    question.options.find((option) => option.recommended && folded(option.label) === bare) ??
    question.options.find((option) => folded(option.label.replace(/\s*\(recommended\)\s*$/i, "")) === bare)
  );
}

/** A whole reply that is one of the exact control phrases of any language, or null. */
export function controlOf(
  lexicons: readonly Lexicon[],
  text: string,
): "opt-out" | "explain" | "finish" | "cancel" | null {
  const said = foldPhrase(text);
  const is = (words: readonly string[]) => words.some((word) => foldPhrase(word) === said);
  for (const { control } of lexicons) {
    if (is(control.cancel)) return "cancel";
    if (is(control.finish)) return "finish";
    if (is(control.opt_out)) return "opt-out";
    if (is(control.explain)) return "explain";
  }
  return null;
}

/** What a reply is. The words are never changed; comparing happens on folded copies. */
export function classifyReply(lexicons: readonly Lexicon[], question: Question, reply: Reply): ReplyKind {
  const text = reply.text !== null && reply.text.trim() !== "" ? reply.text : null;
  if (reply.as !== null && reply.as !== "answer") return { type: reply.as, text };
  const options: Option[] = [];
  for (const name of reply.options) {
    const option = findOption(question, name);
    if (option === undefined) return { type: "unknown-option", name };
    options.push(option);
  }
  if (options.length > 0) return { type: "option", options, text };
  if (text === null) return { type: "nothing" };
  const label = findByLabel(question, text, foldPhrase);
  if (label !== undefined) return { type: "option", options: [label], text: null };
  if (reply.as !== "answer") {
    const control = controlOf(lexicons, text);
    if (control !== null) return { type: control, text };
  }
  return hasWords(text) || reply.as === "answer" || (isRead(question) && isVisible(text))
    ? { type: "text", text }
    : { type: "nothing" };
}

/** Whose words the interpret task judges (D4.2): there a sign without a word, such as a thumbs-up, may be one, too. */
function isRead(question: Question): boolean {
  return question.kind === "round" || question.kind === "topology";
}

function isVisible(text: string): boolean {
  return /[^\s\p{C}\p{Z}\p{M}]/u.test(text);
}

/** D4.7, state.md: one answer in NFC and in NFD is one answer; the words themselves are stored as they came. */
export function answerHash(sha256: (text: string) => string, reply: Reply): string {
  const custom = reply.text === null ? null : reply.text.normalize("NFC");
  return sha256(JSON.stringify({ selected: reply.options.map((name) => name.normalize("NFC")), custom }));
}

/** state.md: the first 32 hex digits over the text in NFC. */
export function questionHash(sha256: (text: string) => string, text: string): string {
  return sha256(text.normalize("NFC")).slice(0, 32);
}
