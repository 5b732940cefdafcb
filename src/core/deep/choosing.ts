/**
 * Between rounds (D3.1, D4.5, D4.6, D7.1, D8.4, D9.2): the order in which panel, limits and gate are looked at before the
 * next question is made. The order is the rule; each line says which.
 */
import { type Code, convene } from "./assist.ts";
import { nextClosing } from "./closing.ts";
import type { DeepEventOf } from "./events.ts";
import { isGateMet } from "./gates.ts";
import { lookIntoProject } from "./intake.ts";
import { assumptionQuestion, softLimitQuestion } from "./questions.ts";
import { planRound, prepareRound } from "./rounds.ts";
import type { DeepState } from "./schema.ts";
import { lastScored } from "./state.ts";
import { type DeepStep, record } from "./step.ts";
import { chooseTarget, isExhausted, type Target } from "./targeting.ts";
import type { Aim, Assumption } from "./vocabulary.ts";

type EndReason = DeepEventOf<"rounds.ended">["reason"];

export function nextChoosing(code: Code, state: DeepState): DeepStep {
  const look = lookIntoProject(state);
  if (look !== null) return look;
  const crossing = crossingAssumption(state);
  if (crossing !== null) return askCrossing(code, state, crossing);
  const due = convenePanel(state);
  if (due !== null) return due;
  const { raised } = state.closure;
  if (raised !== null) return prepareRound(code, state, planRound(code.config, state, raised));
  // An exit whose last answer had still to be scored (D8.3): said once, so it is not recorded again.
  if (state.closing_reason !== null) return nextClosing(code.config, state);
  const ended = whyRoundsEnd(state);
  if (ended !== null) return record({ type: "rounds.ended", reason: ended });
  const target = chooseTarget(state);
  if (target?.reason === "scope") return prepareRound(code, state, planRound(code.config, state, target));
  // D11.2, D9.3: a refined interview, and one whose second correction did not do, asks once before the gate is tested.
  if (isGateMet(state) && !state.must_ask) return record({ type: "rounds.ended", reason: "gate" });
  // D4.5: where nothing is left to ask, nobody is asked whether to go on.
  if (target === null || (isExhausted(state) && !state.must_ask))
    return record({ type: "rounds.ended", reason: "exhausted" });
  if (isSoftLimitDue(state)) {
    return record({
      type: "question.asked",
      question: softLimitQuestion(code.config, state),
      aim: null,
      collecting: null,
    });
  }
  return prepareRound(code, state, planRound(code.config, state, target));
}

/** What the report names as the next target (D8.1): null when no further question is due. */
export function nextTarget(state: DeepState): Target | null {
  if (state.closing_reason !== null || whyRoundsEnd(state) !== null) return null;
  const target = chooseTarget(state);
  if (target === null || target.reason === "scope" || state.must_ask) return target;
  return isGateMet(state) || isExhausted(state) ? null : target;
}

/** D8.4, cli.md: the cap and the question budget, once their round is done, whatever the ambiguity. */
function whyRoundsEnd(state: DeepState): EndReason | null {
  if (state.must_ask && state.round_count < state.round_cap) return null;
  if (state.round_count >= state.round_cap) return "cap";
  const budget = state.limits.budgetQuestions;
  return budget !== null && state.round_count >= budget ? "budget" : null;
}

/** D8.4: once, at the round itself, and never again after `Refine further`. */
function isSoftLimitDue(state: DeepState): boolean {
  return !state.soft_limit_asked && state.round_count >= state.limits.softWarningRound;
}

/** D4.6: an auto-answer that brought ambiguity to the threshold and that nobody has confirmed. */
function crossingAssumption(state: DeepState): Assumption | null {
  const last = lastScored(state);
  if (last?.answered_by !== "architect-assisted" || !isGateMet(state)) return null;
  const assumption = state.assumptions.find((item) => item.round === last.round);
  return assumption?.status === "open" ? assumption : null;
}

function askCrossing(code: Code, state: DeepState, assumption: Assumption): DeepStep {
  const aim: Aim = {
    component: assumption.component,
    dimension: assumption.dimension,
    why: "",
    style: "confirm-assumption",
    trigger_id: null,
    assumption_id: assumption.id,
    gap_key: null,
    user_only: false,
    researched: false,
    folded: [],
  };
  const question = assumptionQuestion(code.config, state, assumption, { round: null });
  return record({ type: "question.asked", question, aim, collecting: null });
}

/** D7.1, D7.4: before the next question, or before the closure audit when the band is `ready`. */
function convenePanel(state: DeepState): DeepStep | null {
  const due = state.panel_due;
  if (due === null) return null;
  const target = chooseTarget(state) ?? { component: null, dimension: null };
  return convene(state, due.cause, state.round_count, target, "");
}
