/**
 * D4.1-D4.3 by rules: whether typed words answer, ask about the question, opt out or finish, and what of them is a
 * decision, a reason, a constraint, or out of scope. Every sentence lands in exactly one place, verbatim. Control words
 * inside a sentence are no control (fault 14).
 */

import type { InterpretReply } from "../../core/deep/tasks.ts";
import { controlOf } from "../../core/replies.ts";
import { fold, foldPhrase, hasWords, sentences } from "../../core/text.ts";
import { readEdits } from "./edits.ts";
import { say } from "./gaps.ts";
import type { Input } from "./inputs.ts";
import type { Tongue, Tongues } from "./tongue.ts";
import { wordsOf } from "./words.ts";

type InterpretInput = Input<"interpret">;

const plain = {
  structured: false,
  reasoning: [],
  constraints: [],
  out_of_scope: [],
  context: [],
  explanation: "",
  edits: [],
};

export function interpretTask(input: InterpretInput, tongues: Tongues, cautious: boolean): InterpretReply {
  const write = tongues.forTag(input.language.tag);
  const read = tongues.forText(input.text, input.language.tag);
  const base = { task: "interpret" as const, kind: "answer" as const, decision: input.text.trim(), ...plain };
  if (input.explain || isQuestionAboutIt(input, read))
    return { ...base, kind: "explain", decision: "", explanation: explain(input, read, write) };
  const control = controlIn(input.text, read);
  if (control !== null) return { ...base, kind: control, decision: "" };
  const edits = cautious ? [] : readEdits(input, read);
  if (input.purpose === "topology" || cautious) return { ...base, edits };
  return { ...base, ...structure(input.text, read), edits };
}

/** Every part between commas and stops is a control phrase or says nothing, and at least one is a control phrase. */
function controlIn(text: string, read: Tongue): "opt-out" | "finish" | null {
  const fillers = new Set(read.bank.replies.fillers.map(foldPhrase));
  const evasions = new Set(read.lexicon.evasions.map(foldPhrase));
  const joints = read.bank.mode === "words" ? read.lexicon.conjunctions : [];
  const parts = text
    .split(/[,.;!?…\n。！？、，—–]+/u)
    .flatMap((part) => splitJoined(part, joints))
    .map((part) => stripFillers(foldPhrase(part), fillers))
    .filter(hasWords);
  let found: "opt-out" | "finish" | null = null;
  for (const part of parts) {
    const control = controlOf([read.lexicon], part);
    if (control === "opt-out" || control === "finish") found ??= control;
    else if (!evasions.has(part) && !fillers.has(part)) return null;
  }
  return found;
}

function splitJoined(part: string, joints: readonly string[]): string[] {
  const folded = fold(part);
  const joint = joints.find((word) => folded.includes(` ${fold(word)} `));
  return joint === undefined ? [part] : folded.split(` ${fold(joint)} `);
}

/** "please build it", "I think you decide": what stands around the phrase says nothing. */
function stripFillers(part: string, fillers: ReadonlySet<string>): string {
  let rest = part;
  for (let changed = true; changed; ) {
    changed = false;
    for (const filler of fillers) {
      if (rest.startsWith(`${filler} `)) [rest, changed] = [rest.slice(filler.length + 1), true];
      else if (rest.endsWith(` ${filler}`)) [rest, changed] = [rest.slice(0, -filler.length - 1), true];
    }
  }
  return rest;
}

/** Only when all of it asks, and it asks about the question: its options, its words, its purpose. */
function isQuestionAboutIt(input: InterpretInput, read: Tongue): boolean {
  const parts = sentences(input.text);
  const fillers = new Set(read.bank.replies.fillers.map(foldPhrase));
  const asking = parts.filter((part) => !fillers.has(foldPhrase(part)));
  if (asking.length === 0) return false;
  const patterns = read.bank.replies.explain.map((pattern) => new RegExp(pattern, "iu"));
  return asking.every((part) => patterns.some((pattern) => pattern.test(foldPhrase(part)) || pattern.test(fold(part))));
}

/** Which option is meant: by its letter, its number, or its words. */
function optionMeant(input: InterpretInput, read: Tongue): number {
  const text = fold(input.text);
  const byName = input.options.findIndex((option) => text.includes(foldPhrase(option)));
  if (byName >= 0) return byName;
  const numbers = /(?<![\p{L}\p{N}])([1-4])(?![\p{L}\p{N}%])/u.exec(text);
  if (numbers !== null) return Number(numbers[1]) - 1;
  const letter = /(?<![\p{L}\p{N}'’])([b-d]|a(?=\s*[?.!"')\]]*$|\s+mean|[)"']))(?![\p{L}\p{N}])/u.exec(
    text.replace(/[?？]+$/u, ""),
  );
  if (letter !== null) return "abcd".indexOf(letter[1] ?? "");
  return read.bank.replies.ordinals.findIndex((word) => text.includes(fold(word)));
}

function explain(input: InterpretInput, read: Tongue, write: Tongue): string {
  const index = optionMeant(input, read);
  const option = input.options[index];
  const question = input.question.split("\n").filter(hasWords).at(-1) ?? input.question;
  if (option !== undefined) return say(write, "explain.option", { number: index + 1, option, question });
  const options = input.options.map((item, position) => `${position + 1}. ${item}`).join("\n");
  return say(write, "explain.question", { question, options });
}

/** D4.3. A short answer, or one that carries no reason, limit or scope, is left alone. */
function structure(text: string, read: Tongue): Partial<InterpretReply> {
  const made = {
    decision: [] as string[],
    reasoning: [] as string[],
    constraints: [] as string[],
    out_of_scope: [] as string[],
  };
  for (const sentence of sentences(text)) {
    const folded = fold(sentence);
    if (read.find("exclusion", folded).length > 0 && isExclusion(folded, read)) made.out_of_scope.push(sentence);
    else if (read.find("reasons", folded).length > 0) splitReason(sentence, made, read);
    else if (read.find("constraint", folded).length > 0) made.constraints.push(sentence);
    else made.decision.push(sentence);
  }
  const carries = made.reasoning.length + made.constraints.length + made.out_of_scope.length > 0;
  if (!carries || wordsOf(text, read).length < 5) return {};
  const reading =
    made.decision.length === 0 ? promote(made) : { ...made, decision: made.decision.map(closed).join(" ") };
  const isLone = reading.reasoning.length + reading.constraints.length + reading.out_of_scope.length === 0;
  // One sentence alone is its own reading: there is nothing to confirm about it.
  return isLone ? {} : { structured: true, ...reading };
}

/** Joined statements stay apart. */
function closed(statement: string, index: number, all: readonly string[]): string {
  return index === all.length - 1 || /[.!?;:。！？]$/u.test(statement) ? statement : `${statement};`;
}

/** "no" alone makes no sentence an exclusion: "no more than 5" is a limit. */
function isExclusion(folded: string, read: Tongue): boolean {
  const limits = read.find("limits", folded);
  return !read.find("exclusion", folded).every((word) => limits.some((limit) => limit.includes(word)));
}

/** A reason is parted from what it is the reason of, where it stands behind it. */
function splitReason(
  sentence: string,
  made: { decision: string[]; reasoning: string[]; constraints: string[] },
  read: Tongue,
): void {
  const [mark] = read.find("reasons", fold(sentence));
  const at = mark === undefined ? -1 : sentence.toLowerCase().indexOf(mark);
  const split = at < 0 ? 0 : read.bank.replies.reason_side === "after" ? at : at + (mark?.length ?? 0);
  const [first, second] = [sentence.slice(0, split).trim(), sentence.slice(split).trim()];
  const [head, reason] = read.bank.replies.reason_side === "after" ? [first, second] : [second, first];
  if (!hasWords(head) || !hasWords(reason)) {
    made.reasoning.push(sentence);
    return;
  }
  made.reasoning.push(reason);
  const isLimit = read.find("constraint", fold(head)).length > 0;
  (isLimit ? made.constraints : made.decision).push(head);
}

/** Something has to be the decision: the first limit, else the first exclusion, else the first reason. */
function promote(made: { reasoning: string[]; constraints: string[]; out_of_scope: string[] }) {
  const { constraints, out_of_scope, reasoning } = made;
  const [decision, ...rest] = constraints;
  if (decision !== undefined) return { decision, constraints: rest, out_of_scope, reasoning };
  const [excluded, ...others] = out_of_scope;
  if (excluded !== undefined) return { decision: excluded, constraints, out_of_scope: others, reasoning };
  return { decision: reasoning[0] ?? "", constraints, out_of_scope, reasoning: reasoning.slice(1) };
}
