/**
 * The state before the first event, and the questions that the rest of the core asks of it.
 */
import type { Question } from "../machine.ts";
import { defaultLimits } from "../settings.ts";
import { noUsage } from "../usage.ts";
import type { Asked, DeepState, Round } from "./schema.ts";
import type { Aim, Assumption, Component, Dimension, Pair, Scores } from "./vocabulary.ts";

export const noScores: Scores = { goal: null, constraints: null, criteria: null, context: null };

export const blankState: DeepState = {
  interview_id: "",
  type: "greenfield",
  initial_idea: "",
  initial_context_summary: null,
  rounds: [],
  established_facts: [],
  current_ambiguity: 1,
  threshold: 0.05,
  threshold_source: "default",
  language: null,
  codebase_context: null,
  topology: {
    status: "pending",
    confirmed_at: null,
    components: [],
    deferrals: [],
    last_targeted_component_id: null,
    grouping: null,
    remark: null,
  },
  ontology_snapshots: [],
  auto_researched_rounds: [],
  auto_answered_rounds: [],
  lateral_reviews: [],
  lateral_panel_failures: 0,
  auto_answer_streak: 0,
  refined_rounds: [],
  closure_overrides: [],
  restated_goal: null,
  ambiguity_milestone: "initial",
  architect_failures: 0,
  session_id: "",
  started_at: "",
  updated_at: "",
  limits: defaultLimits,
  options: { model: "", research_setup: false, deliberate: false, scripted: false },
  idea_sha256: null,
  idea_chars: 0,
  signals: { source: false, packages: false, git: false },
  type_forced: false,
  small: false,
  scan: null,
  stage: { type: "intake" },
  cancelled_at: null,
  asked: [],
  pending: null,
  inbox: null,
  reply_count: 0,
  results: {},
  failures: {},
  owed: [],
  triggers: [],
  assumptions: [],
  caps: [],
  left_open: [],
  target_history: [],
  round_count: 0,
  round_cap: defaultLimits.maxRounds,
  draft: null,
  panel_due: null,
  findings: [],
  candidates: [],
  researched_round: null,
  soft_limit_asked: false,
  closing_reason: null,
  must_ask: false,
  restate: { line: null, corrections: 0, silent_correction: false },
  closure: { audited: false, failed: false, gaps: [], asked: [], raised: null },
  prose: null,
  spec: null,
  handoff: null,
  foreign: { envelope: {}, state: {} },
  meter: noUsage,
  round_meters: [],
};

export function activeComponents(state: DeepState): readonly Component[] {
  return state.topology.components.filter((component) => component.status === "active");
}

export function findComponent(state: DeepState, id: string): Component | undefined {
  return state.topology.components.find((component) => component.id === id);
}

export function isPair(a: Pair, b: Pair): boolean {
  return a.component === b.component && a.dimension === b.dimension;
}

export function findAsked(state: DeepState, questionId: string): Asked | undefined {
  return state.asked.find((asked) => asked.question.id === questionId);
}

export function pendingQuestion(state: DeepState): Question | null {
  return state.pending === null ? null : (findAsked(state, state.pending)?.question ?? null);
}

export function findRound(state: DeepState, roundId: string): Round | undefined {
  return state.rounds.find((round) => round.round_id === roundId);
}

/** Scored rounds and corrections, oldest first; what an edit superseded is out. */
export function scoredRounds(state: DeepState): readonly Round[] {
  return state.rounds.filter((round) => round.lifecycle === "scored" && !round.superseded);
}

export function lastScored(state: DeepState): Round | undefined {
  return scoredRounds(state).at(-1);
}

/** Between rounds: an older interview may hold answers on disk that were never scored; those come first (D2.4, D8.2). */
export function stageBetween(rounds: readonly Round[]): DeepState["stage"] {
  const waiting = rounds.find((round) => round.lifecycle === "answered" && !round.superseded);
  return waiting === undefined ? { type: "choosing" } : { type: "scoring", round_id: waiting.round_id };
}

export function findAssumption(state: DeepState, id: string): Assumption | undefined {
  return state.assumptions.find((assumption) => assumption.id === id);
}

/** Facts, triggers and gaps are put as "name / dimension" to people and as "id/dimension" in keys. */
export function pairKey(pair: Pair): string {
  return `${pair.component}/${pair.dimension}`;
}

export function scoreOf(state: DeepState, component: string, dimension: Dimension): number | null {
  return findComponent(state, component)?.clarity_scores[dimension] ?? null;
}

/** Whether the answer is somebody's own: a person's or a script's, not the architect's and not an accepted candidate. */
export function isDirect(round: Round): boolean {
  return round.answered_by === "user" || round.answered_by === "script";
}

export function upsert<T>(list: readonly T[], changed: readonly T[], key: (item: T) => string): T[] {
  const byKey = new Map(changed.map((item) => [key(item), item]));
  const kept = list.map((item) => byKey.get(key(item)) ?? item);
  const known = new Set(list.map(key));
  return [...kept, ...changed.filter((item) => !known.has(key(item)))];
}

export type RoundKind = Round["kind"];

/** A round record for a question, before its answer is known. */
export function createRound(
  state: DeepState,
  kind: RoundKind,
  question: Question,
  aim: Aim,
  hashes: { readonly question: string },
): Round {
  const id = question.deepInterview?.round_id ?? `c${state.rounds.length + 1}`;
  return {
    round_key: `${state.interview_id}::rid:${id}`,
    round_id: id,
    round: kind === "correction" ? null : question.round,
    kind,
    question_id: question.id,
    question_text: question.text,
    header: question.header,
    question_hash: hashes.question,
    options: question.options,
    aim,
    answer_hash: null,
    selected_options: [],
    custom_input: null,
    interpretation: null,
    answered_by: null,
    auto_answer: null,
    component: aim.component,
    dimension: aim.dimension,
    ambiguity_at_ask: state.current_ambiguity,
    lifecycle: "answered",
    answered_at: null,
    scored_at: null,
    component_scores: [],
    scores: null,
    ambiguity: null,
    sampling_margin: 0,
    samples: [],
    spread: [],
    milestone: null,
    triggers: [],
    corrections: [],
    record: null,
    superseded: false,
  };
}
