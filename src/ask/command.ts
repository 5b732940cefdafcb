/**
 * Typed words that say what kind of reply they are (D4.2: a surface may say it). Only a whole reply counts: `/usr/bin`
 * and "please /skip that" are answers. `/explain` may go on with what is unclear.
 */
import type { Reply } from "../core/machine.ts";

type Command = "opt-out" | "explain" | "finish" | "cancel";

const commands: Readonly<Record<string, Command>> = {
  "/explain": "explain",
  "/skip": "opt-out",
  "/finish": "finish",
  "/cancel": "cancel",
};

/** A reply that is no answer. */
export function replyAs(as: Command, text: string | null = null): Reply {
  return { options: [], text, as, by: "user" };
}

export function replyWith(ids: readonly string[]): Reply {
  return { options: [...ids], text: null, as: null, by: "user" };
}

/** The reply that own words are: byte for byte, but for a whole slash word. */
export function readWords(text: string): Reply {
  const trimmed = text.trim();
  const word = /^\/\w+/u.exec(trimmed)?.[0].toLowerCase() ?? "";
  const command = commands[word];
  const rest = trimmed.slice(word.length);
  if (command === "explain" && /^(?:\s|$)/u.test(rest))
    return replyAs(command, rest.trim() === "" ? null : rest.trim());
  if (command !== undefined && rest === "") return replyAs(command);
  return { options: [], text, as: null, by: "user" };
}
