/**
 * The asker that replies from an answers file (cli.md). What the script does not say is never made up as the user's
 * word: a few fixed questions have a default that is marked as the script's own, the rest follows `--on-unanswered`.
 */
import type { Question, Reply, ReplyAs } from "../core/machine.ts";
import { findOption } from "../core/replies.ts";
import type { Asker } from "../ports.ts";
import type { Answers, Entry } from "./answers.ts";
import { createFault } from "./problems.ts";
import { askInTurn } from "./several.ts";

export type OnUnanswered = "ask" | "fail" | "defer" | "assume";

export interface ScriptOptions {
  readonly answers: Answers;
  readonly onUnanswered: OnUnanswered;
  /** Who is asked under `ask`; null where nobody is there. */
  readonly person: Asker | null;
  /** D3.6: a question that only the user may answer; `assume` defers it. */
  readonly isUserOnly: (question: Question) => boolean;
  /** Where messages and the progress of work go. */
  readonly display: Pick<Asker, "tell" | "working">;
  /** Questions answered before, in order: a resumed script goes on where it was, with the entries that served them used up. */
  readonly answered?: readonly Question[];
  /** Whose words wait for their reading to be confirmed, when the interview stopped there. */
  readonly lastBy?: Reply["by"];
  /** Shows what was asked and what the script said. */
  readonly show?: (question: Question, reply: Reply) => void;
}

export interface ScriptedAsker extends Asker {
  /** Entries that no question has met so far, with file and line. */
  unused(): string[];
}

/** How often one question may get the same entry or default: a reply that is refused again and again ends there. */
const maxRepeats = 3;

const say = (as: ReplyAs): Reply => ({ options: [], text: null, as, by: "script" });

/** Counts how often something served a question, and says whether it may again. */
function createCounter() {
  const counts = new Map<unknown, Map<string, number>>();
  return (what: unknown, questionId: string): boolean => {
    const byQuestion = counts.get(what) ?? new Map<string, number>();
    counts.set(what, byQuestion);
    const count = (byQuestion.get(questionId) ?? 0) + 1;
    byQuestion.set(questionId, count);
    return count <= maxRepeats;
  };
}

/** The option that stands for a default, by the ids that it may have. */
function choose(question: Question, ids: readonly string[]): Reply | null {
  const option = question.options.find((candidate) => ids.includes(candidate.id));
  return option === undefined ? null : { options: [option.id], text: null, as: null, by: "script" };
}

/** "Not scripted" of cli.md: what an unscripted question gets, or null when there is nothing to give. */
function defaultReply(question: Question, options: ScriptOptions): Reply | null {
  const { onUnanswered, isUserOnly } = options;
  const moves = onUnanswered === "defer" || onUnanswered === "assume";
  switch (question.kind) {
    case "refine":
      return choose(question, ["send"]);
    case "restate":
      return choose(question, ["yes"]);
    case "soft-limit":
      return choose(question, ["continue"]);
    case "confirm-assumption":
      return moves ? choose(question, ["leave", "keep"]) : null;
    case "topology":
      return moves && (question.round ?? 0) > 0 ? choose(question, ["defer"]) : null;
    case "round":
      if (!moves) return null;
      return say(onUnanswered === "defer" || isUserOnly(question) ? "defer" : "opt-out");
    case "collect":
    case "bridge":
    case "frontier":
    case "narrow":
    case "revise":
    case "approval":
      return null;
  }
}

/** An entry's words as a reply to this question. */
function replyFrom(entry: Entry, question: Question, file: string): Reply {
  const { reply, as } = entry;
  if (reply === null || as === "explain") return { options: [], text: reply?.join("\n") ?? null, as, by: "script" };
  const options = reply.map((name) => findOption(question, name)?.id ?? null);
  const ids = options.filter((id) => id !== null);
  if (ids.length === options.length && (ids.length === 1 || question.multi_select)) {
    return { options: ids, text: null, as, by: "script" };
  }
  const [text] = reply;
  if (reply.length === 1 && text !== undefined && question.allow_free_text)
    return { options: [], text, as, by: "script" };
  const labels = question.options.map((option) => `"${option.label}"`).join(", ");
  const message = `the reply fits no option of the question "${question.text}"; there are ${labels}`;
  throw createFault(file, entry.line, message, "answers-reply", "Correct the entry and resume the interview.");
}

export function createScriptedAsker(options: ScriptOptions): ScriptedAsker {
  const { answers, onUnanswered, person, display } = options;
  const used = new Map<Entry, number>();
  const mayRepeat = createCounter();
  // A reading is sent on unseen only where the words that it reads were the script's own.
  let lastBy: Reply["by"] = options.lastBy ?? "script";

  const isFree = (entry: Entry, question: Question) =>
    (used.get(entry) ?? 0) < entry.times && (entry.times !== Number.POSITIVE_INFINITY || mayRepeat(entry, question.id));
  const pick = (question: Question): Entry | undefined => {
    const matching = answers.entries.find((entry) => entry.when?.(question) === true && isFree(entry, question));
    if (matching !== undefined || (question.kind !== "round" && question.kind !== "collect")) return matching;
    return answers.entries.find((entry) => entry.when === null && isFree(entry, question));
  };
  const take = (question: Question): Entry | undefined => {
    const entry = pick(question);
    if (entry !== undefined) used.set(entry, (used.get(entry) ?? 0) + 1);
    return entry;
  };
  for (const question of options.answered ?? []) take(question);
  const asker = askInTurn(
    {
      async ask(question, context) {
        const entry = take(question);
        if (entry !== undefined) {
          const reply = replyFrom(entry, question, answers.file);
          lastBy = "script";
          options.show?.(question, reply);
          return reply;
        }
        if (onUnanswered === "ask" && person !== null && !(question.kind === "refine" && lastBy === "script")) {
          const reply = await person.ask(question, context);
          if (reply !== null) lastBy = "user";
          return reply;
        }
        const reply = defaultReply(question, options);
        if (reply === null || !mayRepeat(defaultReply, question.id)) return null;
        options.show?.(question, reply);
        return reply;
      },
      tell: (message) => display.tell(message),
      working: (labels) => display.working(labels),
    },
    "go-on",
  );
  return {
    ...asker,
    unused: () =>
      answers.entries
        .filter((entry) => !used.has(entry))
        .map((entry) => `${answers.file}:${entry.line}: this entry was never used`),
  };
}
