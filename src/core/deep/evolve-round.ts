/**
 * Folding questions, replies, answers and scores (D3, D4, D5, D7). An answer is in the state as soon as its event is;
 * everything a score changed comes with `round.scored` and is only put in its place here.
 */
import type { DeepEventOf } from "./events.ts";
import type { Folds } from "./fold.ts";
import type { Asked, DeepState, Round } from "./schema.ts";
import { isDirect, isPair, noScores, stageBetween, upsert } from "./state.ts";
import type { Fact } from "./vocabulary.ts";

function setAsked(state: DeepState, questionId: string, change: Partial<Asked>): Asked[] {
  return state.asked.map((asked) => (asked.question.id === questionId ? { ...asked, ...change } : asked));
}

function putRound(state: DeepState, round: Round): Round[] {
  return upsert(state.rounds, [round], (item) => item.round_id);
}

/** Numbered rounds have a number above 0; round 0 is the topology gate. */
function isNumbered(round: number | null): round is number {
  return round !== null && round > 0;
}

/** D3.6: a round resolved by the user's own judgement ends the streak; the architect's or a candidate's lengthens it. */
function nextStreak(state: DeepState, round: Round): number {
  return isDirect(round) ? 0 : state.auto_answer_streak + 1;
}

export const questionFolds: Folds<
  | "question.asked"
  | "question.closed"
  | "reply.received"
  | "reply.interpreted"
  | "reply.returned"
  | "panel.convened"
  | "research.completed"
> = {
  "question.asked": (state, event) => {
    const { question, aim } = event;
    const numbered =
      isNumbered(question.round) && aim !== null && question.kind !== "refine" && question.kind !== "collect";
    const asked: Asked = { question, aim, status: "pending", answer_hash: null };
    const next: DeepState = {
      ...state,
      stage: { type: "asking" },
      asked: [...state.asked, asked],
      pending: question.id,
      results: {},
      failures: {},
      inbox:
        event.collecting === null || state.inbox === null
          ? state.inbox
          : { ...state.inbox, waits_for: "collect", collecting: event.collecting },
    };
    return numbered ? aimed(next, event) : next;
  },
  "question.closed": (state, event) => ({
    ...state,
    pending: null,
    asked: setAsked(state, event.question_id, { status: "answered", answer_hash: event.answer_hash }),
  }),
  "reply.received": (state, event) => ({
    ...state,
    stage: { type: "asking" },
    pending: null,
    reply_count: state.reply_count + 1,
    asked: setAsked(state, event.question_id, { status: "answered", answer_hash: event.answer_hash }),
    inbox: {
      // Collected words belong to the question that they were collected for.
      question_id: state.inbox?.waits_for === "collect" ? state.inbox.question_id : event.question_id,
      // So does the option that asked for them.
      reply:
        state.inbox?.waits_for === "collect" ? { ...event.reply, options: state.inbox.reply.options } : event.reply,
      waits_for: event.interpret ? "interpret" : "collect",
      explain: event.explain,
      interpretation: null,
      collecting: null,
    },
  }),
  "reply.interpreted": (state, event) => ({
    ...state,
    results: {},
    failures: {},
    inbox:
      state.inbox === null
        ? null
        : { ...state.inbox, waits_for: "refine", interpretation: event.interpretation, collecting: null },
  }),
  "reply.returned": (state, event) => ({
    ...state,
    results: {},
    failures: {},
    // A refine or collect that is put again keeps what it is about.
    inbox: state.inbox?.question_id === event.question_id ? null : state.inbox,
    stage: { type: "asking" },
    pending: event.question_id,
    asked: setAsked(state, event.question_id, { status: "pending", answer_hash: null }),
  }),
  "panel.convened": (state, event) => {
    const { review } = event;
    const folds = review.cause !== "auto-answer";
    return {
      ...state,
      lateral_reviews: [...state.lateral_reviews, review],
      lateral_panel_failures: state.lateral_panel_failures + review.failed.length,
      findings: folds ? [...state.findings, ...review.findings] : state.findings,
      panel_due: folds ? null : state.panel_due,
      results: keepResults(state, "question-"),
      failures: {},
    };
  },
  "research.completed": (state, event) => ({
    ...state,
    candidates: event.candidates,
    researched_round: event.round,
    auto_researched_rounds:
      event.candidates.length > 0 ? [...state.auto_researched_rounds, event.round] : state.auto_researched_rounds,
    architect_failures: state.architect_failures + (event.candidates.length > 0 ? 0 : 1),
    results: keepResults(state, "question-"),
    failures: {},
  }),
};

/** A worded question outlives the panel and the research that it called for. */
function keepResults(state: DeepState, prefix: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state.results).filter(([id]) => id.startsWith(prefix)));
}

/** What asking a numbered question changes: rotation, rhythm guard, triggers aimed at, gaps put to the user. */
function aimed(state: DeepState, event: DeepEventOf<"question.asked">): DeepState {
  const aim = event.aim;
  if (aim === null) return state;
  const round = event.question.round ?? state.round_count;
  const { component, dimension } = aim;
  const raised = state.closure.raised;
  return {
    ...state,
    round_count: Math.max(state.round_count, round),
    must_ask: false,
    draft: null,
    candidates: [],
    auto_answer_streak: aim.user_only ? 0 : state.auto_answer_streak,
    findings: aim.folded.length > 0 ? [] : state.findings,
    lateral_reviews: markFolded(state, aim.folded),
    triggers: state.triggers.map((trigger) =>
      trigger.id === aim.trigger_id ||
      // A question about a new outcome asks nothing about its pair (D2.6).
      (aim.style !== "topology" &&
        component !== null &&
        dimension !== null &&
        trigger.label !== "D" &&
        isPair(trigger, { component, dimension }))
        ? { ...trigger, aimed: true }
        : trigger,
    ),
    target_history: component === null ? state.target_history : [...state.target_history, component],
    topology: component === null ? state.topology : { ...state.topology, last_targeted_component_id: component },
    closure:
      raised === null ? state.closure : { ...state.closure, raised: null, asked: [...state.closure.asked, raised.key] },
    closure_overrides: raised === null ? state.closure_overrides : [...state.closure_overrides, { round, gap: raised }],
  };
}

/** D7.5: each review whose findings stood for the question gets those of its personas that became options of it. */
function markFolded(state: DeepState, folded: readonly string[]): DeepState["lateral_reviews"] {
  return state.lateral_reviews.map((review) => {
    const own = review.findings.filter((finding) => state.findings.includes(finding)).map(({ persona }) => persona);
    return own.length === 0 ? review : { ...review, folded: folded.filter((name) => own.some((own) => own === name)) };
  });
}

export const answerFolds: Folds<
  | "answer.recorded"
  | "round.opted-out"
  | "answer.assumed"
  | "answer.revised"
  | "round.unresolved"
  | "assumption.settled"
  | "round.scored"
  | "answer.superseded"
> = {
  "answer.recorded": (state, event) => {
    const round: Round = { ...event.round, lifecycle: "answered", answered_at: event.at };
    return {
      ...state,
      // Answered by the user, the pair is open no longer.
      left_open: isDirect(round)
        ? state.left_open.filter((pair) => !(pair.component === round.component && pair.dimension === round.dimension))
        : state.left_open,
      stage: { type: "scoring", round_id: round.round_id },
      pending: null,
      inbox: null,
      rounds: putRound(state, round),
      asked: setAsked(state, round.question_id, { status: "answered", answer_hash: round.answer_hash }),
      auto_answer_streak: nextStreak(state, round),
      refined_rounds:
        round.interpretation !== null && round.round !== null
          ? [...state.refined_rounds, round.round]
          : state.refined_rounds,
      results: {},
      failures: {},
    };
  },
  "round.opted-out": (state, event) => ({
    ...state,
    stage: { type: "assuming", round_id: event.round.round_id },
    pending: null,
    inbox: null,
    rounds: putRound(state, { ...event.round, answered_at: event.at }),
    asked: setAsked(state, event.round.question_id, { status: "answered", answer_hash: event.round.answer_hash }),
    results: {},
    failures: {},
  }),
  "answer.assumed": (state, event) => ({
    ...state,
    stage: { type: "scoring", round_id: event.round_id },
    rounds: state.rounds.map((round) =>
      round.round_id === event.round_id
        ? { ...round, answered_by: "architect-assisted", auto_answer: event.assumption.answer, answered_at: event.at }
        : round,
    ),
    assumptions: [...state.assumptions, event.assumption],
    auto_answered_rounds: [...state.auto_answered_rounds, event.assumption.round],
    auto_answer_streak: state.auto_answer_streak + 1,
    results: {},
    failures: {},
  }),
  "answer.revised": (state, event) => revised(state, event),
  "round.unresolved": (state, event) => {
    const { component, dimension } = event.round;
    return {
      ...state,
      stage: { type: "choosing" },
      pending: null,
      inbox: null,
      rounds: putRound(state, { ...event.round, lifecycle: "unresolved" }),
      asked: setAsked(state, event.round.question_id, { status: "closed", answer_hash: event.round.answer_hash }),
      architect_failures: state.architect_failures + (event.why === "architect-failed" ? 1 : 0),
      left_open:
        event.leave_open && component !== null && dimension !== null
          ? [...state.left_open, { component, dimension, reason: event.why }]
          : state.left_open,
      results: {},
      failures: {},
    };
  },
  "assumption.settled": (state, event) => ({
    ...state,
    // At the gate nothing follows it; in a numbered round the answer's own event says where to go on.
    stage: { type: "choosing" },
    assumptions: state.assumptions.map((assumption) =>
      assumption.id === event.assumption_id ? { ...assumption, status: event.status } : assumption,
    ),
  }),
  "round.scored": (state, event) => scored(state, event),
  "answer.superseded": (state, event) => ({
    ...state,
    stage: { type: "asking" },
    pending: event.question_id,
    inbox: null,
    restated_goal: null,
    rounds: state.rounds.map((round) => (round.round === event.round ? { ...round, superseded: true } : round)),
    asked: setAsked(state, event.question_id, { status: "pending", answer_hash: null }),
  }),
};

/** Whether a later round has a score: then that one says where the interview stands (fault 10). */
function isOvertaken(state: DeepState, roundId: string): boolean {
  const index = state.rounds.findIndex((round) => round.round_id === roundId);
  return state.rounds.slice(index + 1).some((round) => round.lifecycle === "scored" && !round.superseded);
}

function scored(state: DeepState, event: DeepEventOf<"round.scored"> & { at: string }): DeepState {
  const next = withScore(state, event);
  if (!isOvertaken(state, event.round_id)) return next;
  const { current_ambiguity, ambiguity_milestone, draft, panel_due, topology } = state;
  const ontology_snapshots = state.ontology_snapshots.map((snapshot) =>
    snapshot.round === event.ontology.round ? event.ontology : snapshot,
  );
  return { ...next, current_ambiguity, ambiguity_milestone, draft, panel_due, topology, ontology_snapshots };
}

function withScore(state: DeepState, event: DeepEventOf<"round.scored"> & { at: string }): DeepState {
  const components = state.topology.components.map((component) => {
    const now = event.component_scores.find((item) => item.component === component.id);
    if (now === undefined) return component;
    const gaps = { ...component.gaps };
    for (const gap of event.gaps) if (gap.component === component.id) gaps[gap.dimension] = gap.gap;
    return { ...component, clarity_scores: now.scores, gaps, weakest_dimension: weakest(now.scores, state.type) };
  });
  return {
    ...state,
    stage: stageBetween(state.rounds.filter((round) => round.round_id !== event.round_id)),
    rounds: state.rounds.map((round) =>
      round.round_id !== event.round_id
        ? round
        : {
            ...round,
            lifecycle: "scored",
            scored_at: event.at,
            component_scores: event.component_scores,
            scores: event.scores,
            ambiguity: event.ambiguity,
            sampling_margin: event.sampling_margin,
            samples: event.samples,
            spread: event.spread,
            milestone: event.milestone,
            triggers: event.triggers.filter((trigger) => trigger.round === round.round).map((trigger) => trigger.id),
            corrections: event.corrections,
            record: event.record,
          },
    ),
    topology: { ...state.topology, components },
    current_ambiguity: event.ambiguity,
    ambiguity_milestone: event.milestone,
    triggers: upsert(state.triggers, event.triggers, (trigger) => trigger.id),
    established_facts: upsert(state.established_facts, event.facts, (fact) => fact.id),
    assumptions: upsert(state.assumptions, event.assumptions, (assumption) => assumption.id),
    caps: event.caps,
    ontology_snapshots: [...state.ontology_snapshots, event.ontology],
    draft: event.draft,
    panel_due: event.panel_due,
    closure: { ...state.closure, audited: false, failed: false, gaps: [], raised: null },
    restate: { ...state.restate, line: null },
    results: {},
    failures: {},
  };
}

function weakest(scores: Round["component_scores"][number]["scores"], type: DeepState["type"]) {
  const dimensions =
    type === "brownfield"
      ? (["goal", "constraints", "criteria", "context"] as const)
      : (["goal", "constraints", "criteria"] as const);
  return [...dimensions].sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))[0] ?? null;
}

/** D4.6: the revised answer is scored against what stood before the assumed one, whose facts go with it. */
function revised(state: DeepState, event: DeepEventOf<"answer.revised"> & { at: string }): DeepState {
  const round = state.rounds.find((item) => item.round_id === event.round_id);
  const prior = state.rounds
    .filter((item) => item.lifecycle === "scored" && !item.superseded && item.round_id !== event.round_id)
    .at(-1);
  const gone = new Set(
    state.established_facts.filter((fact) => fact.source_round === round?.round).map((fact) => fact.id),
  );
  return {
    ...state,
    stage: { type: "scoring", round_id: event.round_id },
    inbox: null,
    pending: null,
    reply_count: state.reply_count + 1,
    auto_answer_streak: 0,
    panel_due: null,
    current_ambiguity: prior?.ambiguity ?? 1,
    ambiguity_milestone: prior?.milestone ?? "initial",
    topology: {
      ...state.topology,
      components: state.topology.components.map((component) => ({
        ...component,
        clarity_scores:
          prior?.component_scores.find((item) => item.component === component.id)?.scores ??
          (prior === undefined ? noScores : component.clarity_scores),
      })),
    },
    established_facts: state.established_facts
      .filter((fact) => !gone.has(fact.id))
      .map((fact) => restoreFact(state, fact, gone)),
    triggers: state.triggers.filter((trigger) => trigger.round !== round?.round),
    ontology_snapshots: state.ontology_snapshots.slice(0, -1),
    caps: state.caps.filter((cap) => cap.assumption_id !== event.assumption_id),
    rounds: state.rounds.map((item) =>
      item.round_id === event.round_id
        ? {
            ...item,
            lifecycle: "answered",
            custom_input: event.text,
            auto_answer: null,
            answered_by: event.by,
            answered_at: event.at,
          }
        : item,
    ),
    results: {},
    failures: {},
  };
}

/** A fact that only the withdrawn answer disputed or replaced stands again. */
function restoreFact(state: DeepState, fact: Fact, gone: ReadonlySet<string>): Fact {
  if (fact.superseded_by !== null && gone.has(fact.superseded_by))
    return { ...fact, status: "established", superseded_by: null };
  const disputes = state.established_facts.filter((other) => other.contradicts === fact.id);
  const onlyGone = disputes.length > 0 && disputes.every((other) => gone.has(other.id));
  return fact.status === "disputed" && onlyGone ? { ...fact, status: "established", ceiling: null } : fact;
}
