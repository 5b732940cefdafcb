/**
 * Folding gates, closure, restate, spec and what comes after it (D8.3, D8.4, D9, D10, D11), and the model results that
 * wait for a decision.
 */
import { addUsage } from "../usage.ts";
import type { Folds } from "./fold.ts";
import { isGateMet } from "./gates.ts";
import type { DeepState } from "./schema.ts";
import { findAsked } from "./state.ts";

export const closeFolds: Folds<
  | "soft-limit.passed"
  | "rounds.ended"
  | "closure.audited"
  | "gap.raised"
  | "restate.proposed"
  | "restate.confirmed"
  | "restate.corrected"
  | "spec.drafted"
  | "spec.written"
  | "interview.refined"
  | "handoff.chosen"
  | "interview.closed"
  | "interview.resumed"
  | "threshold.changed"
> = {
  "soft-limit.passed": (state) => ({ ...state, stage: { type: "choosing" }, soft_limit_asked: true }),
  "rounds.ended": (state, event) => ({
    ...state,
    // An answer that is on disk is still scored before the interview closes.
    stage: state.stage.type === "scoring" ? state.stage : { type: "closing" },
    closing_reason: event.reason,
    pending: null,
    inbox: state.stage.type === "scoring" ? state.inbox : null,
    closure: { ...state.closure, raised: null },
  }),
  "closure.audited": (state, event) => ({
    ...state,
    closure: { ...state.closure, audited: true, failed: event.failed, gaps: event.gaps },
    results: {},
    failures: {},
  }),
  "gap.raised": (state, event) => ({
    ...state,
    stage: { type: "choosing" },
    closing_reason: null,
    closure: { ...state.closure, raised: event.gap },
  }),
  "restate.proposed": (state, event) => ({
    ...state,
    stage: { type: "restating" },
    restate: { ...state.restate, line: event.line },
    results: {},
    failures: {},
  }),
  "restate.confirmed": (state, event) => ({
    ...state,
    stage: { type: "crystallizing" },
    inbox: null,
    pending: null,
    restated_goal: event.line,
  }),
  "restate.corrected": (state, event) => {
    const corrections = state.restate.corrections + 1;
    const tooMany = corrections >= state.limits.restateLoops;
    return {
      ...state,
      stage: { type: "scoring", round_id: event.round.round_id },
      pending: null,
      inbox: null,
      closing_reason: null,
      rounds: [...state.rounds, { ...event.round, answered_at: event.at }],
      auto_answer_streak: 0,
      restate: { ...state.restate, line: null, corrections: tooMany ? 0 : corrections },
      must_ask: tooMany,
    };
  },
  "spec.drafted": (state, event) => ({ ...state, prose: event.prose, results: {}, failures: {} }),
  "spec.written": (state, event) => ({
    ...state,
    stage: { type: "bridge" },
    spec: {
      slug: event.slug,
      path: event.path,
      sha256: event.sha256,
      status: event.status,
      version: event.version,
      persisted_at: event.at,
    },
  }),
  "interview.refined": (state) => ({
    ...state,
    // D2.4: an older interview whose topology was never captured has no pair to ask about before round 0.
    stage: state.topology.status === "legacy_missing" ? { type: "intake" } : { type: "choosing" },
    closing_reason: null,
    must_ask: true,
    round_cap: state.round_count + state.limits.maxRounds,
    left_open: [],
    soft_limit_asked: true,
    restated_goal: null,
    prose: null,
    restate: { line: null, corrections: 0, silent_correction: false },
    closure: { audited: false, failed: false, gaps: [], asked: [], raised: null },
  }),
  "handoff.chosen": (state, event) => ({
    ...state,
    stage: { type: "finished", how: "handoff" },
    handoff: { to: event.to, at: event.at },
  }),
  "interview.closed": (state, event) => ({
    ...state,
    stage: { type: "finished", how: event.how },
    cancelled_at: event.how === "cancelled" ? state.stage : null,
  }),
  "interview.resumed": (state) => ({ ...state, stage: state.cancelled_at ?? state.stage, cancelled_at: null }),
  "threshold.changed": (state, event) =>
    reopened({ ...state, threshold: event.threshold, threshold_source: event.threshold_source }),
};

/** D0.4: a gate that is no longer met lets no spec through: what was about to be written is left, and questions go on. */
function reopened(state: DeepState): DeepState {
  const { stage, inbox, pending } = state;
  const root = findAsked(state, inbox?.question_id ?? pending ?? "")?.question.kind;
  const isClosing = stage.type === "closing" || stage.type === "restating" || stage.type === "crystallizing";
  const isHeld = state.closing_reason === "gate" && (isClosing || (stage.type === "asking" && root === "restate"));
  if (!isHeld || isGateMet(state)) return state;
  return {
    ...state,
    stage: { type: "choosing" },
    closing_reason: null,
    pending: null,
    inbox: null,
    asked: state.asked.map((asked) => (asked.status === "pending" ? { ...asked, status: "closed" } : asked)),
    restated_goal: null,
    restate: { ...state.restate, line: null },
    closure: { ...state.closure, audited: false, failed: false, gaps: [] },
    prose: null,
    results: {},
    failures: {},
  };
}

export const taskFolds: Folds<"task.completed" | "task.failed"> = {
  "task.completed": (state, event) => ({
    ...state,
    results: { ...state.results, [event.task_id]: event.value },
    meter: addUsage(state.meter, event.usage),
    round_meters: meterRound(state.round_meters, event.round, event.usage),
  }),
  "task.failed": (state, event) => ({
    ...state,
    failures: event.final ? { ...state.failures, [event.task_id]: event.reason } : state.failures,
    meter: addUsage(state.meter, event.usage),
    round_meters: meterRound(state.round_meters, event.round, event.usage),
  }),
};

type Meters = Parameters<Folds<"task.failed">["task.failed"]>[0]["round_meters"];

function meterRound(meters: Meters, round: number | null, usage: Meters[number]["usage"]): Meters {
  const found = meters.find((meter) => meter.round === round);
  if (found === undefined) return [...meters, { round, usage }];
  return meters.map((meter) => (meter === found ? { round, usage: addUsage(meter.usage, usage) } : meter));
}
