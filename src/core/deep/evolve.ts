/**
 * The fold: one event onto the state. Pure and total; `next.ts` says what happens after it.
 */
import type { Stamp } from "../machine.ts";
import type { DeepEvent } from "./events.ts";
import { closeFolds, taskFolds } from "./evolve-close.ts";
import { answerFolds, questionFolds } from "./evolve-round.ts";
import { startFolds } from "./evolve-start.ts";
import type { Fold, Folds } from "./fold.ts";
import type { DeepState } from "./schema.ts";

const folds: Folds<DeepEvent["type"]> = {
  ...startFolds,
  ...questionFolds,
  ...answerFolds,
  ...closeFolds,
  ...taskFolds,
};

export function evolve(state: DeepState, event: DeepEvent & Stamp): DeepState {
  const apply = folds[event.type] as Fold<typeof event.type>;
  return { ...apply(state, event), updated_at: event.at };
}
