/**
 * The fold: one event onto the state. Pure and total; `next.ts` says what happens after it.
 */
import * as z from "zod";
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

const Owed = z.object({ type: z.string() });

export function evolve(state: DeepState, event: DeepEvent & Stamp): DeepState {
  const apply = folds[event.type] as Fold<typeof event.type>;
  return { ...apply(state, event), owed: owedAfter(state, event), updated_at: event.at };
}

/** D8.2: what the event brings with it, or what is left of what was owed; whatever else comes in between pays nothing. */
function owedAfter({ owed }: DeepState, event: DeepEvent): unknown[] {
  if ("followed_by" in event && event.followed_by !== undefined) return event.followed_by;
  const due = Owed.safeParse(owed[0]);
  return due.success && due.data.type === event.type ? owed.slice(1) : owed;
}

/** Events that are decided together: the first names the others, so that they are one even when a write is cut off. */
export function together(events: readonly DeepEvent[]): readonly DeepEvent[] {
  const [first, ...rest] = events;
  if (first === undefined || rest.length === 0) return events;
  switch (first.type) {
    case "question.closed":
    case "reply.received":
    case "reply.interpreted":
    case "topology.edited":
    case "component.deferred":
    case "assumption.settled":
    case "round.unresolved":
      return [{ ...first, followed_by: rest }, ...rest];
    default:
      throw new Error(`${first.type} does not say what follows it`);
  }
}
