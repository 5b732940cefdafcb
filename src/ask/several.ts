/**
 * Several questions in turn (F2.3): what was answered before the user left or the input ended is handed over, the rest
 * stays pending.
 */
import type { Question, Reply } from "../core/machine.ts";
import type { Asker } from "../ports.ts";

/**
 * Gives an asker of single questions its `askMany`.
 * @param atNull what a question without a reply means for those after it: closed input ends a list, a gap in a script not
 */
export function askInTurn(asker: Omit<Asker, "askMany">, atNull: "stop" | "go-on"): Asker {
  // Somebody who leaves in the middle leaves for good, but not before the loop has the replies given so far.
  let left: { readonly reason: unknown } | null = null;
  const ask: Asker["ask"] = async (question, context) => {
    if (left === null) return asker.ask(question, context);
    const { reason } = left;
    left = null;
    throw reason;
  };
  return {
    ask,
    tell: (message) => asker.tell(message),
    working: (labels) => asker.working(labels),
    async askMany(questions: readonly Question[], { signal }) {
      const replies: (Reply | null)[] = [];
      for (const question of questions) {
        try {
          const reply = await ask(question, { optional: false, signal });
          replies.push(reply);
          if (reply === null && atNull === "stop") break;
        } catch (reason) {
          if (replies.length === 0) throw reason;
          left = { reason };
          break;
        }
      }
      return questions.map((_, index) => replies[index] ?? null);
    },
  };
}
