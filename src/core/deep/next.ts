/** What has to happen now, by where the interview stands. Pure; each stage has a file of its own. */
import { assume, type Code } from "./assist.ts";
import { nextChoosing } from "./choosing.ts";
import { nextClosing, nextRestating } from "./closing.ts";
import { DeepEvent } from "./events.ts";
import { nextBridge, nextCrystallizing, outcomeOf } from "./finishing.ts";
import { nextIntake, nextTopology } from "./intake.ts";
import { nextInterpreting } from "./interpreting.ts";
import type { DeepState } from "./schema.ts";
import { nextScoring } from "./scoring.ts";
import { pendingQuestion } from "./state.ts";
import { type DeepStep, record } from "./step.ts";

export function next(code: Code, state: DeepState): DeepStep {
  const { config } = code;
  const { stage } = state;
  if (stage.type === "finished") return { type: "done", outcome: outcomeOf(state) };
  // A write was cut off between events that belong together: the rest of them comes first (D8.2).
  const [owed] = state.owed;
  if (owed !== undefined) return record(DeepEvent.parse(owed));
  const question = pendingQuestion(state);
  // The spec is there already when the bridge asks, so that it may go unanswered (D11.1).
  if (question !== null) return { type: "ask", question, optional: question.kind === "bridge" };
  switch (stage.type) {
    case "intake":
      return nextIntake(config, state);
    case "topology":
      return nextTopology(config, state);
    case "asking":
      return nextAsking(code, state);
    case "choosing":
      return nextChoosing(code, state);
    case "assuming":
      return assume(state, stage.round_id);
    case "scoring":
      return nextScoring(code, state, stage.round_id);
    case "closing":
      return nextClosing(config, state);
    case "restating":
      return nextRestating(config, state);
    case "crystallizing":
      return nextCrystallizing(config, state);
    case "bridge":
      return nextBridge(config, state);
  }
}

/** No question is pending, so a typed reply is waiting to be read. */
function nextAsking(code: Code, state: DeepState): DeepStep {
  if (state.inbox?.waits_for === "interpret") return nextInterpreting(code.config, state, state.inbox);
  return nextChoosing(code, state);
}
