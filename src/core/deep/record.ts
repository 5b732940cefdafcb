/**
 * The compact record of a round that every later prompt carries (model.md, prompt layout): at most 600 characters, the
 * decisions and constraints of the answer first, so that a constraint at the end of a long answer is still in it.
 */
import { cut } from "../text.ts";
import type { Round } from "./schema.ts";
import { isDirect, pairKey } from "./state.ts";

const most = 600;
/** An answer up to this length is kept whole; of a longer one the facts it gave, its beginning and its end. */
const whole = 300;
/** A part that would be cut shorter than this is left out. */
const least = 16;

/** `statements`: what this scoring promoted to facts. */
export function compactRecord(round: Round, statements: readonly string[]): string {
  const { first, rest } = partsOf(round, statements);
  let record = headOf(round);
  for (const part of shorten(first, most - record.length)) record = `${record}\n${part}`;
  for (const part of rest) {
    const room = most - record.length - 1;
    if (Math.min(part.length, room) >= least) record = `${record}\n${cut(part, room)}`;
  }
  return record;
}

function headOf(round: Round): string {
  const { component, dimension, answered_by: by } = round;
  const name = round.round === null ? "Correction" : `Round ${round.round}`;
  const pair = component === null || dimension === null ? [] : [cut(pairKey({ component, dimension }), 100)];
  return [name, ...pair, ...(by === null || by === "user" ? [] : [by])].join(" | ");
}

interface Parts {
  /** What has to be in it; shortened when it does not fit, the longest parts first. */
  readonly first: readonly string[];
  /** What is in it as far as there is room. */
  readonly rest: readonly string[];
}

function partsOf(round: Round, statements: readonly string[]): Parts {
  const question = `Question: ${oneLine(round.question_text)}`;
  const { interpretation } = round;
  if (interpretation !== null && isDirect(round)) {
    const { decision, constraints, out_of_scope, reasoning, context } = interpretation;
    const first = [
      ...list("Decision", [decision]),
      ...list("Constraint", constraints),
      ...list("Out of scope", out_of_scope),
    ];
    return { first, rest: [question, ...list("Reasoning", reasoning), ...list("Context", context)] };
  }
  const answer = oneLine(answerOf(round));
  if (answer.length <= whole) return { first: list("Answer", [answer]), rest: [question] };
  return { first: [...list("Fact", statements), ...list("Answer", [endsOf(answer)])], rest: [question] };
}

/** The words that count: the architect's unless the user gave own ones since (D4.6). */
function answerOf(round: Round): string {
  if (round.auto_answer !== null && !isDirect(round)) return round.auto_answer;
  const labels = round.selected_options.map(
    (picked) => round.options.find((option) => option.id === picked)?.label ?? picked,
  );
  return [labels.join("; "), round.custom_input ?? ""].filter((part) => part !== "").join(". ");
}

function list(label: string, items: readonly string[]): string[] {
  return items.map(oneLine).flatMap((item) => (item === "" ? [] : [`${label}: ${item}`]));
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function endsOf(text: string): string {
  const half = whole / 2;
  const from = text.length - half;
  const code = text.charCodeAt(from);
  // Not in the middle of a surrogate pair.
  return `${cut(text, half)} ${text.slice(code >= 0xdc00 && code <= 0xdfff ? from + 1 : from)}`;
}

/** Head and tail of one long part: what binds often stands last. */
function endsWithin(part: string, length: number): string {
  const tail = Math.floor(length * 0.4);
  if (part.length <= length || tail < 2 * least) return cut(part, length);
  const from = part.length - tail;
  const code = part.charCodeAt(from);
  return `${cut(part, length - tail - 1)} ${part.slice(code >= 0xdc00 && code <= 0xdfff ? from + 1 : from)}`;
}

/** Shortens the longest parts until all fit, each on a line of its own. */
function shorten(parts: readonly string[], room: number): string[] {
  let left = room - parts.length;
  const lengths = new Map<number, number>();
  const byLength = [...parts.entries()].toSorted(([, a], [, b]) => a.length - b.length);
  for (const [position, [index, part]] of byLength.entries()) {
    const share = Math.floor(left / (parts.length - position));
    lengths.set(index, Math.min(part.length, share));
    left -= lengths.get(index) ?? 0;
  }
  return parts.flatMap((part, index) => {
    const length = lengths.get(index) ?? 0;
    return length === part.length || length >= least ? [endsWithin(part, length)] : [];
  });
}
