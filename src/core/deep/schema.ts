/**
 * The state that others read (D1.4: the seed's fields with the seed's names) and what the program itself goes on from:
 * rounds, stages, the reply on its way, the spec's prose.
 */
import * as z from "zod";
import { Option, Question, Reply, Usage } from "../machine.ts";
import { Limits } from "../settings.ts";
import {
  Candidate,
  CodebaseContext,
  Draft,
  Finding,
  LateralReview,
  PanelCause,
  ProjectScan,
  ProjectSignals,
} from "./finding.ts";
import {
  Aim,
  Assumption,
  Cap,
  Dimension,
  Fact,
  Interpretation,
  Language,
  Milestone,
  OntologySnapshot,
  ProjectType,
  Provenance,
  Score,
  Scores,
  Topology,
  Trigger,
} from "./vocabulary.ts";

export const RoundScores = z.object({ component: z.string(), scores: Scores });

/** The seed's round record. It exists from the moment the answer is on disk. */
export const Round = z.object({
  round_key: z.string(),
  round_id: z.string(),
  /** Null: a correction of the restated goal, which has no number (D9.3). */
  round: z.int().nullable(),
  kind: z.enum(["round", "confirm-assumption", "topology", "correction"]),
  question_id: z.string(),
  question_text: z.string(),
  header: z.string().nullable(),
  question_hash: z.string(),
  options: z.array(Option),
  aim: Aim,
  answer_hash: z.string().nullable(),
  selected_options: z.array(z.string()),
  custom_input: z.string().nullable(),
  interpretation: Interpretation.nullable(),
  /** `architect-assisted` answers are assumptions; `research` are accepted candidates. */
  answered_by: z.enum(["user", "script", "architect-assisted", "research"]).nullable(),
  auto_answer: z.string().nullable(),
  component: z.string().nullable(),
  dimension: Dimension.nullable(),
  ambiguity_at_ask: Score,
  lifecycle: z.enum(["answered", "scored", "unresolved"]),
  answered_at: z.string().nullable(),
  scored_at: z.string().nullable(),
  /** Per active component, after every rule of D5.8. */
  component_scores: z.array(RoundScores),
  /** The minimum over active components. */
  scores: Scores.nullable(),
  ambiguity: Score.nullable(),
  /** D5.6: what the stored ambiguity is above the formula on the medians; 0 elsewhere. */
  sampling_margin: Score,
  samples: z.array(z.object({ ambiguity: Score, component_scores: z.array(RoundScores) })),
  /** D5.6: per pair, largest minus smallest sample; empty with one sample. */
  spread: z.array(z.object({ component: z.string(), dimension: Dimension, spread: Score })),
  milestone: Milestone.nullable(),
  triggers: z.array(z.string()),
  /** What code dropped or corrected in the scorer's reply, in words for the audit. */
  corrections: z.array(z.string()),
  /** The most the answer could carry in every later prompt (600 characters). */
  record: z.string().nullable(),
  superseded: z.boolean(),
});
export type Round = z.infer<typeof Round>;

export const Gap = z.object({
  /** `pair:…`, `fact:…`, `trigger:…`, `assumption:…` or `audit:…`; the same key is put to the user at most once. */
  key: z.string(),
  component: z.string(),
  dimension: Dimension,
  text: z.string(),
});
export type Gap = z.infer<typeof Gap>;

/** A line of prose in the spec, with the rounds and sources it rests on. Provenance is computed by code from them. */
export const SpecLine = z.object({
  text: z.string(),
  rounds: z.array(z.int()),
  /** Paths it cites. */
  sources: z.array(z.string()),
  provenance: Provenance,
  /** Components and deliverables it covers. */
  covers: z.array(z.string()),
});
export type SpecLine = z.infer<typeof SpecLine>;

/** The prose of the spec; every number and table comes from the state instead. */
export const SpecProse = z.object({
  title: z.string(),
  goal: z.string(),
  constraints: z.array(SpecLine),
  non_goals: z.array(SpecLine),
  criteria: z.array(SpecLine),
  assumptions: z.array(z.object({ assumption: z.string(), challenge: z.string(), resolution: z.string() })),
  technical: z.array(SpecLine),
  coverage: z.array(z.object({ component: z.string(), note: z.string() })),
});
export type SpecProse = z.infer<typeof SpecProse>;

export const SpecStatus = z.enum(["PASSED", "BELOW_THRESHOLD_EARLY_EXIT"]);

/** A question that was asked, and what became of it: the ground of idempotence in the turn protocol. */
export const Asked = z.object({
  question: Question,
  aim: Aim.nullable(),
  status: z.enum(["pending", "answered", "closed"]),
  answer_hash: z.string().nullable(),
});
export type Asked = z.infer<typeof Asked>;

/** Where the interview stands. Everything `next` decides on. */
export const Stage = z.discriminatedUnion("type", [
  /** Summarise the idea, look into the project. */
  z.object({ type: z.literal("intake") }),
  /** Round 0: enumerate, confirm, edit, lock. */
  z.object({ type: z.literal("topology") }),
  /** Between rounds: panel, gates, then the next question. */
  z.object({ type: z.literal("choosing") }),
  /** A question is pending; its reply may be waiting to be interpreted. */
  z.object({ type: z.literal("asking") }),
  /** The user opted out: panel, then one architect answer. */
  z.object({ type: z.literal("assuming"), round_id: z.string() }),
  /** An answer is on disk and wants its score. */
  z.object({ type: z.literal("scoring"), round_id: z.string() }),
  z.object({ type: z.literal("closing") }),
  z.object({ type: z.literal("restating") }),
  z.object({ type: z.literal("crystallizing") }),
  z.object({ type: z.literal("bridge") }),
  z.object({ type: z.literal("finished"), how: z.enum(["pending-approval", "handoff", "cancelled"]) }),
]);
export type Stage = z.infer<typeof Stage>;

/** What a `collect` question gathers the words for. */
export const Collecting = z.enum([
  "topology",
  "constraint",
  "out-of-scope",
  "context",
  "rewrite",
  "adjust",
  "scope",
  "revise",
]);
export type Collecting = z.infer<typeof Collecting>;

/** A reply that is not yet an answer: durable before anything reads it, kept until it is confirmed (D4.3, D8.2). */
export const Inbox = z.object({
  /** The question that it answers, also while a `refine` or `collect` about it is pending. */
  question_id: z.string(),
  reply: Reply,
  /** `interpret`: the task has to read it; `refine`: the user confirms the reading; `collect`: more words are owed. */
  waits_for: z.enum(["interpret", "refine", "collect"]),
  /** The surface itself says that the user asks for an explanation. */
  explain: z.boolean(),
  interpretation: Interpretation.nullable(),
  collecting: Collecting.nullable(),
});
export type Inbox = z.infer<typeof Inbox>;

export const InterviewOptions = z.object({
  model: z.string(),
  research_setup: z.boolean(),
  deliberate: z.boolean(),
  /** A person answers (`interactive`) or a script does: decides only how long a prompt cache is kept. */
  scripted: z.boolean(),
});

export const DeepState = z.object({
  // The seed's fields (D1.4).
  interview_id: z.string(),
  type: ProjectType,
  initial_idea: z.string(),
  initial_context_summary: z.string().nullable(),
  rounds: z.array(Round),
  established_facts: z.array(Fact),
  current_ambiguity: Score,
  threshold: Score,
  threshold_source: z.string(),
  language: Language.nullable(),
  codebase_context: CodebaseContext.nullable(),
  topology: Topology,
  ontology_snapshots: z.array(OntologySnapshot),
  auto_researched_rounds: z.array(z.int()),
  auto_answered_rounds: z.array(z.int()),
  lateral_reviews: z.array(LateralReview),
  lateral_panel_failures: z.int(),
  auto_answer_streak: z.int(),
  refined_rounds: z.array(z.int()),
  closure_overrides: z.array(z.object({ round: z.int(), gap: Gap })),
  restated_goal: z.string().nullable(),
  ambiguity_milestone: Milestone,
  architect_failures: z.int(),
  // What the program itself needs to go on.
  session_id: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  limits: Limits,
  options: InterviewOptions,
  /** SHA-256 and length of the raw idea when it was summarised; the words are kept as a blob. */
  idea_sha256: z.string().nullable(),
  idea_chars: z.int(),
  signals: ProjectSignals,
  type_forced: z.boolean(),
  /** The idea reads as a small, bounded request (D1.1). */
  small: z.boolean(),
  scan: ProjectScan.nullable(),
  stage: Stage,
  /** Where a cancelled interview stood. */
  cancelled_at: Stage.nullable(),
  asked: z.array(Asked),
  pending: z.string().nullable(),
  inbox: Inbox.nullable(),
  /** Replies received so far: makes task ids unique and stable. */
  reply_count: z.int(),
  /** Model results that nothing has been decided on yet, by task id. */
  results: z.record(z.string(), z.unknown()),
  failures: z.record(z.string(), z.string()),
  /** Events that were decided together with the last one and are not in the journal yet (D8.2). */
  owed: z.array(z.unknown()),
  triggers: z.array(Trigger),
  assumptions: z.array(Assumption),
  caps: z.array(Cap),
  /** Pairs taken out of targeting, and why (D4.5). */
  left_open: z.array(z.object({ component: z.string(), dimension: Dimension, reason: z.string() })),
  /** Component ids in the order in which questions were aimed at them. */
  target_history: z.array(z.string()),
  /** Numbered rounds asked so far. */
  round_count: z.int(),
  /** The last round that the cap allows; `Refine further` raises it (D11.2). */
  round_cap: z.int(),
  draft: Draft.nullable(),
  panel_due: z
    .object({
      cause: PanelCause,
      from: Milestone.nullable(),
      to: Milestone.nullable(),
      architect: z.boolean(),
      escalated: z.boolean(),
    })
    .nullable(),
  /** Findings that no question has carried yet. */
  findings: z.array(Finding),
  candidates: z.array(Candidate),
  /** The round whose question has been researched. */
  researched_round: z.int().nullable(),
  soft_limit_asked: z.boolean(),
  /** Why no further round is asked: D9.2. */
  closing_reason: z.enum(["gate", "early-exit", "cap", "budget", "exhausted"]).nullable(),
  must_ask: z.boolean(),
  restate: z.object({ line: z.string().nullable(), corrections: z.int(), silent_correction: z.boolean() }),
  closure: z.object({
    audited: z.boolean(),
    failed: z.boolean(),
    gaps: z.array(Gap),
    asked: z.array(z.string()),
    /** The gap that the next question is about. */
    raised: Gap.nullable(),
  }),
  prose: SpecProse.nullable(),
  spec: z
    .object({
      slug: z.string(),
      path: z.string(),
      sha256: z.string(),
      status: SpecStatus,
      version: z.int(),
      persisted_at: z.string(),
    })
    .nullable(),
  handoff: z.object({ to: z.string(), at: z.string() }).nullable(),
  /** Fields of an imported state that are not ours: they pass through every write. */
  foreign: z.object({ envelope: z.record(z.string(), z.unknown()), state: z.record(z.string(), z.unknown()) }),
  meter: Usage,
  round_meters: z.array(z.object({ round: z.int().nullable(), usage: Usage })),
});
export type DeepState = z.infer<typeof DeepState>;
