/**
 * A reply as it is typed in line mode: a number, a letter or a label, own words, a slash word, and two ways to write
 * more than one line. Documented in the help line of `line.ts`.
 */
import type { Question, Reply } from "../core/machine.ts";
import { findOption } from "../core/replies.ts";
import { readWords, replyWith } from "./command.ts";

/** The text of one reply, and whether it was quoted: then it is words, whatever it looks like. */
export interface Typed {
  readonly text: string;
  readonly block: boolean;
}

const blockStart = /^<<\s*([\p{L}\p{N}_-]*)\s*$/u;

/** An odd number of backslashes at the end says that the reply goes on; the last one is dropped. */
function goesOn(line: string): boolean {
  return (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}

/**
 * Reads one reply: `\` at the end of a line goes on with the next; `<<` alone starts a block that ends with a line `<<`,
 * `<<WORD` one that ends with a line `WORD`. Null when the input ends before the reply does: half a reply is none.
 */
export async function readTyped(next: () => Promise<string | null>): Promise<Typed | null> {
  const first = await next();
  if (first === null) return null;
  const start = blockStart.exec(first);
  const lines: string[] = [];
  if (start !== null) {
    const end = start[1] === undefined || start[1] === "" ? "<<" : start[1];
    for (;;) {
      const line = await next();
      if (line === null) return null;
      if (line.trim() === end) return { text: lines.join("\n"), block: true };
      lines.push(line);
    }
  }
  let line = first;
  while (goesOn(line)) {
    lines.push(line.slice(0, -1));
    const more = await next();
    if (more === null) return null;
    line = more;
  }
  lines.push(line);
  return { text: lines.join("\n"), block: false };
}

/** The id of the option that a word names: its label or id, else its number, else its letter. */
function optionOf(question: Question, word: string): string | null {
  const { options } = question;
  const named = findOption(question, word);
  if (named !== undefined) return named.id;
  const key = word.trim().replace(/[.)]$/, "").toLowerCase();
  const index = /^[1-9]\d?$/.test(key) ? Number(key) - 1 : /^[a-z]$/.test(key) ? key.charCodeAt(0) - 97 : -1;
  return options[index]?.id ?? null;
}

/** The ids that a list such as `1, 3` names, or null when any part of it names none. */
function optionsOf(question: Question, text: string): string[] | null {
  const words = text.split(/[,;\s]+/u).filter((word) => word !== "");
  const ids = words.map((word) => optionOf(question, word));
  return ids.length > 0 && ids.every((id) => id !== null) ? [...new Set(ids)] : null;
}

/** What typed words are, or null when they are nothing, or no option where only an option is a reply. */
export function interpretTyped(question: Question, typed: Typed): Reply | null {
  if (typed.text.trim() === "") return null;
  if (!typed.block) {
    const single = optionOf(question, typed.text);
    if (single !== null) return replyWith([single]);
    const several = question.multi_select ? optionsOf(question, typed.text) : null;
    if (several !== null) return replyWith(several);
    const reply = readWords(typed.text);
    if (reply.as !== null) return reply;
  }
  return question.allow_free_text ? { options: [], text: typed.text, as: null, by: "user" } : null;
}
