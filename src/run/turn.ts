/**
 * The turn protocol's one move: go on until a question is pending, another process has the model, or the interview is
 * done; then say so. Nothing stays running between moves, and the same journal always gives the same answer.
 */
import type { Message, Question, Reply } from "../core/machine.ts";
import { StateError, UsageError } from "../errors.ts";
import type { Asker, Deps } from "../ports.ts";
import type { Interview } from "./interview.ts";
import { type LoopResult, runLoop } from "./loop.ts";

/** Nobody is here to ask: every question stays pending; what is told is read from the journal instead. */
export const nobody: Asker = {
  ask: async () => null,
  askMany: async () => [],
  tell: () => undefined,
  working: () => () => undefined,
};

export interface Move {
  readonly result: LoopResult;
  /** Markdown since the question before the pending one, or null. */
  readonly report: string | null;
}

type TurnDeps = Omit<Deps, "asker" | "ids">;

export async function move<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  deps: TurnDeps,
  signal: AbortSignal,
): Promise<Move> {
  const result = await runLoop(interview as Interview<S, never>, { ...deps, asker: nobody }, signal);
  return { result, report: await markdownOf(interview.report(), deps) };
}

/** What a person would have been shown, as Markdown; null when there is nothing. */
export async function markdownOf(messages: readonly Message[], deps: Pick<Deps, "prompts">): Promise<string | null> {
  const parts: string[] = [];
  for (const message of messages) {
    parts.push(
      message.type === "report"
        ? await deps.prompts.document({ template: "progress", view: message.view })
        : message.text,
    );
  }
  const text = parts.map((part) => part.trim()).join("\n\n");
  return text === "" ? null : text;
}

export interface Given {
  readonly questionId: string;
  readonly reply: Reply;
}

/** How a question of this interview stands, for replies that come late or twice. */
export interface Standing {
  readonly question: Question;
  readonly isPending: boolean;
  /** The hash of the answer that was taken, or null. */
  readonly answerHash: string | null;
}

/**
 * Takes one reply of a host. The same answer again is a no-op; another one to an answered question is refused and names
 * `edit`; an unknown question is a usage error; nothing at all changes nothing (D4.7).
 */
export async function takeReply<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  given: Given,
  standing: Standing | null,
  hashOf: (question: Question, reply: Reply) => string,
): Promise<void> {
  if (standing === null) {
    throw new UsageError("unknown-question", `this interview has no question "${given.questionId}"`, {
      next: "`deep-interview next` prints the pending step with its question id.",
    });
  }
  if (!standing.isPending) {
    if (standing.answerHash === hashOf(standing.question, given.reply)) return;
    throw new StateError("answered", `question ${given.questionId} has another answer already`, {
      next: "`deep-interview next` prints the pending step; an answer once taken stays.",
    });
  }
  interview.reply(standing.question, given.reply);
  await interview.flush();
}
