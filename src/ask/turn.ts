/**
 * The asker of the turn protocol: a call brings the replies it was started with, everything else stays pending for the
 * next call (D4.7). What a person would be shown is collected for the `report` of the step that is printed.
 */
import type { Message, Reply } from "../core/machine.ts";
import type { Asker } from "../ports.ts";
import { askInTurn } from "./several.ts";

export interface TurnAsker extends Asker {
  /** Everything told so far, in order. */
  readonly messages: readonly Message[];
  /** Ids of the questions whose prepared reply was handed over. */
  readonly taken: readonly string[];
}

/** @param replies prepared replies by question id; each is given once, so that a refused one is not given again */
export function createTurnAsker({ replies }: { readonly replies: ReadonlyMap<string, Reply> }): TurnAsker {
  const messages: Message[] = [];
  const taken: string[] = [];
  const asker = askInTurn(
    {
      ask: async (question) => {
        const reply = taken.includes(question.id) ? undefined : replies.get(question.id);
        if (reply === undefined) return null;
        taken.push(question.id);
        return reply;
      },
      tell: (message) => {
        messages.push(message);
      },
      working: () => () => undefined,
    },
    "go-on",
  );
  return { ...asker, messages, taken };
}
