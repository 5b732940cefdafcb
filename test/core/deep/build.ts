/**
 * Small builders for states, rounds and scorer replies of a deep interview; every field has a plain default.
 */
import type { DeepEventOf } from "../../../src/core/deep/events.ts";
import type * as s from "../../../src/core/deep/schema.ts";
import { blankState, noScores, upsert } from "../../../src/core/deep/state.ts";
import type { DraftReply, ScoreReply } from "../../../src/core/deep/tasks.ts";
import type * as v from "../../../src/core/deep/vocabulary.ts";
import type { Task } from "../../../src/core/machine.ts";

export type PartialScores = Partial<v.Scores>;

/** Scores in the order goal, constraints, criteria, context. */
export function scores(
  goal: number | null,
  constraints: number | null,
  criteria: number | null,
  context: number | null = null,
): v.Scores {
  return { goal, constraints, criteria, context };
}

export function component(id: string, clarity: PartialScores = {}, more: Partial<v.Component> = {}): v.Component {
  return {
    id,
    name: id.toUpperCase(),
    description: `What ${id} does`,
    status: "active",
    evidence: [],
    deliverables: [],
    clarity_scores: { ...noScores, ...clarity },
    gaps: { goal: "", constraints: "", criteria: "", context: "" },
    weakest_dimension: null,
    joined_round: null,
    ...more,
  };
}

/** A state after round 0 with these components; the rest as a fresh interview has it. */
export function interview(components: readonly v.Component[], more: Partial<s.DeepState> = {}): s.DeepState {
  return {
    ...blankState,
    interview_id: "i1",
    session_id: "s1",
    initial_idea: "A tool",
    topology: { ...blankState.topology, status: "confirmed", components: [...components] },
    stage: { type: "choosing" },
    ...more,
  };
}

export function aim(more: Partial<v.Aim> = {}): v.Aim {
  return {
    component: null,
    dimension: null,
    why: "",
    style: "plain",
    trigger_id: null,
    assumption_id: null,
    gap_key: null,
    user_only: false,
    researched: false,
    folded: [],
    ...more,
  };
}

/** An answered round `r{n}`, aimed at `component/dimension`; null for a correction of the restated goal, `c1`. */
export function round(n: number | null, pair: v.Pair | null, more: Partial<s.Round> = {}): s.Round {
  const id = n === null ? "c1" : `r${n}`;
  return {
    round_key: `i1::rid:${id}`,
    round_id: id,
    round: n,
    kind: n === null ? "correction" : "round",
    question_id: `q-${id}`,
    question_text: "What happens first?",
    header: null,
    question_hash: "",
    options: [],
    aim: aim({ component: pair?.component ?? null, dimension: pair?.dimension ?? null }),
    answer_hash: null,
    selected_options: [],
    custom_input: "An answer",
    interpretation: null,
    answered_by: "user",
    auto_answer: null,
    component: pair?.component ?? null,
    dimension: pair?.dimension ?? null,
    ambiguity_at_ask: 1,
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
    ...more,
  };
}

export function fact(id: string, pair: v.Pair, more: Partial<v.Fact> = {}): v.Fact {
  return {
    id,
    statement: `Statement ${id}`,
    component: pair.component,
    dimension: pair.dimension,
    source_round: 1,
    evidence: `Evidence ${id}`,
    provenance: "user",
    status: "established",
    contradicts: null,
    superseded_by: null,
    ceiling: null,
    ...more,
  };
}

export function trigger(id: string, label: v.TriggerLabel, pair: v.Pair, more: Partial<v.Trigger> = {}): v.Trigger {
  return {
    id,
    round: 1,
    label,
    status: "active",
    component: pair.component,
    dimension: pair.dimension,
    prior_dimension_score: null,
    new_dimension_score: null,
    prior_ambiguity: 1,
    new_ambiguity: 1,
    evidence: `Evidence ${id}`,
    proposed: label === "D" ? `Outcome ${id}` : null,
    contradicted_fact: null,
    rationale: null,
    enforced: false,
    aimed: false,
    resolved_round: null,
    ...more,
  };
}

export function assumption(
  id: string,
  roundNumber: number,
  pair: v.Pair,
  more: Partial<v.Assumption> = {},
): v.Assumption {
  return {
    id,
    round: roundNumber,
    component: pair.component,
    dimension: pair.dimension,
    answer: "The assumed answer",
    reasons: ["because"],
    confidence: "medium",
    uncertainty: "who else uses it",
    status: "open",
    ...more,
  };
}

/** A scorer's reply; `scored` is by component id, pairs left out stay out. Every gap is filled in. */
export function reply(scored: Readonly<Record<string, PartialScores>>, more: Partial<ScoreReply> = {}): ScoreReply {
  const dimensions = ["goal", "constraints", "criteria", "context"] as const;
  return {
    task: "score",
    components: Object.entries(scored).map(([id, clarity]) => ({
      component: id,
      dimensions: dimensions.flatMap((dimension) => {
        const score = clarity[dimension];
        return score === undefined || score === null
          ? []
          : [{ dimension, justification: "because", score, gap: "what is left" }];
      }),
    })),
    triggers: [],
    facts: [],
    stands: [],
    entities: [],
    draft: [],
    ...more,
  };
}

export function triggerClaim(
  label: v.TriggerLabel,
  pair: v.Pair,
  more: Partial<ScoreReply["triggers"][number]> = {},
): ScoreReply["triggers"][number] {
  return {
    label,
    status: "active",
    component: pair.component,
    dimension: pair.dimension,
    evidence: "the words of the answer",
    contradicts: "",
    proposed: label === "D" ? "Another outcome" : "",
    rationale: "",
    ...more,
  };
}

export function factClaim(statement: string, pair: v.Pair, contradicts = ""): ScoreReply["facts"][number] {
  return {
    statement,
    component: pair.component,
    dimension: pair.dimension,
    evidence: "the words of the answer",
    contradicts,
  };
}

export function draftReply(pair: v.Pair, more: Partial<DraftReply> = {}): DraftReply {
  return {
    component: pair.component,
    dimension: pair.dimension,
    why: "It is the weakest.",
    question: "What happens first?",
    options: [
      { label: "This", description: "", from: "" },
      { label: "That", description: "", from: "" },
    ],
    recommended: "",
    research: false,
    nature: "decision",
    fact: { statement: "", path: "", symbol: "", interpreted: false },
    ...more,
  };
}

/** A score task as far as checks look at it. */
export function scoreTask(roundNumber: number | null): Task {
  return {
    id: `score-r${roundNumber}-1`,
    name: "score",
    round: roundNumber,
    prompt: "score",
    prefix: null,
    input: {},
    tolerates: "nothing",
    budget: { tokens: null, usd: null },
  };
}

/** Puts an answered round into the state, as the last one. */
export function answered(state: s.DeepState, item: s.Round): s.DeepState {
  return {
    ...state,
    stage: { type: "scoring", round_id: item.round_id },
    rounds: upsert(state.rounds, [item], (known) => known.round_id),
    round_count: Math.max(state.round_count, item.round ?? 0),
  };
}

/** What a score changes in the state, and nothing else. */
export function applyScored(state: s.DeepState, event: DeepEventOf<"round.scored">): s.DeepState {
  const scoresOf = new Map(event.component_scores.map((item) => [item.component, item.scores]));
  const { ambiguity, component_scores, milestone, sampling_margin, samples, spread, corrections, record } = event;
  return {
    ...state,
    stage: { type: "choosing" },
    rounds: state.rounds.map((item) =>
      item.round_id === event.round_id
        ? {
            ...item,
            lifecycle: "scored",
            scores: event.scores,
            ambiguity,
            component_scores,
            milestone,
            sampling_margin,
            samples,
            spread,
            corrections,
            record,
          }
        : item,
    ),
    topology: {
      ...state.topology,
      components: state.topology.components.map((item) => ({
        ...item,
        clarity_scores: scoresOf.get(item.id) ?? item.clarity_scores,
      })),
    },
    current_ambiguity: ambiguity,
    ambiguity_milestone: milestone,
    triggers: upsert(state.triggers, event.triggers, (item) => item.id),
    established_facts: upsert(state.established_facts, event.facts, (item) => item.id),
    assumptions: upsert(state.assumptions, event.assumptions, (item) => item.id),
    caps: event.caps,
    ontology_snapshots: [...state.ontology_snapshots, event.ontology],
    draft: event.draft,
    panel_due: event.panel_due,
  };
}

/** A state whose last round `r{n}` has these scores per component and the ambiguity given. */
export function scoredRound(
  n: number | null,
  ambiguity: number,
  clarity: Readonly<Record<string, v.Scores>>,
  more: Partial<s.Round> = {},
): s.Round {
  return round(n, null, {
    lifecycle: "scored",
    ambiguity,
    component_scores: Object.entries(clarity).map(([id, item]) => ({ component: id, scores: item })),
    ...more,
  });
}

/** Asks the question that a target calls for, as the fold of `question.asked` does, and gives back its answered round. */
export function ask(
  state: s.DeepState,
  target: v.Pair & { readonly trigger_id?: string | null; readonly reason?: string },
  more: Partial<s.Round> = {},
): s.DeepState {
  const { component: id, dimension, trigger_id = null, reason } = target;
  const scope = reason === "scope";
  const number = state.round_count + 1;
  const next: s.DeepState = {
    ...state,
    target_history: [...state.target_history, id],
    topology: { ...state.topology, last_targeted_component_id: id },
    triggers: state.triggers.map((item) =>
      item.id === trigger_id || (item.label !== "D" && item.component === id && item.dimension === dimension)
        ? { ...item, aimed: true }
        : item,
    ),
  };
  const pair = { component: id, dimension };
  const kind = scope ? "topology" : "round";
  return answered(
    next,
    round(number, pair, { kind, aim: aim({ ...pair, trigger_id, style: scope ? "topology" : "plain" }), ...more }),
  );
}
