/**
 * The deep interview's vocabulary: dimensions, rounds, facts, triggers, topology, ontology and the state that others
 * read (D1.4: the seed's fields with the seed's names). Persisted names are snake_case, as the seed writes them.
 * Scores and ambiguity are 0..1 with at most four decimals (see `score.ts`).
 */
import * as z from "zod";
import { Option, Question, Reply, Usage } from "../machine.ts";
import { Limits } from "../settings.ts";

export const Dimension = z.enum(["goal", "constraints", "criteria", "context"]);
export type Dimension = z.infer<typeof Dimension>;

export const ProjectType = z.enum(["greenfield", "brownfield"]);
export type ProjectType = z.infer<typeof ProjectType>;

export const Score = z.number().min(0).max(1);
/** A score per dimension; null until scored, and always null for `context` in a greenfield interview. */
export const Scores = z.object({
  goal: Score.nullable(),
  constraints: Score.nullable(),
  criteria: Score.nullable(),
  context: Score.nullable(),
});
export type Scores = z.infer<typeof Scores>;

export const Pair = z.object({ component: z.string(), dimension: Dimension });
export type Pair = z.infer<typeof Pair>;

export const Language = z.object({
  /** BCP 47, such as `ko` or `pt-BR`. */
  tag: z.string(),
  name: z.string(),
  /** One sentence that goes into every prompt whose text a user sees. */
  instruction: z.string(),
  /** Sentences of the interface that no language file holds, as the topology task translated them. */
  phrases: z.record(z.string(), z.string()),
});
export type Language = z.infer<typeof Language>;

export const Component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(["active", "deferred"]),
  evidence: z.array(z.string()),
  /** Deliverables that the idea names and this component stands for (D10.3). */
  deliverables: z.array(z.string()),
  clarity_scores: Scores,
  gaps: z.object({ goal: z.string(), constraints: z.string(), criteria: z.string(), context: z.string() }),
  weakest_dimension: Dimension.nullable(),
  /** The round whose answer added it; null when it is of round 0. */
  joined_round: z.int().nullable(),
});
export type Component = z.infer<typeof Component>;

export const Deferral = z.object({ component_id: z.string(), reason: z.string(), confirmed_at: z.string() });

export const TopologyEdit = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), name: z.string(), description: z.string() }),
  z.object({ op: z.literal("remove"), component: z.string() }),
  z.object({ op: z.literal("merge"), components: z.array(z.string()), name: z.string(), description: z.string() }),
  z.object({
    op: z.literal("split"),
    component: z.string(),
    into: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
  z.object({ op: z.literal("rename"), component: z.string(), name: z.string() }),
  z.object({ op: z.literal("defer"), component: z.string(), reason: z.string() }),
]);
export type TopologyEdit = z.infer<typeof TopologyEdit>;

export const Topology = z.object({
  status: z.enum(["pending", "confirmed", "legacy_missing"]),
  confirmed_at: z.string().nullable(),
  components: z.array(Component),
  deferrals: z.array(Deferral),
  last_targeted_component_id: z.string().nullable(),
  /** Why more than six candidates were grouped; null when none were. */
  grouping: z.string().nullable(),
  /** What the user said beside confirming it. */
  remark: z.string().nullable(),
});
export type Topology = z.infer<typeof Topology>;

/** Who a statement rests on. `script` is a person's answers file; a default is never the user's word. */
export const Provenance = z.enum(["user", "document", "code", "research", "assumption"]);
export type Provenance = z.infer<typeof Provenance>;

/** The confirmed reading of a free-text answer (D4.3). */
export const Interpretation = z.object({
  decision: z.string(),
  reasoning: z.array(z.string()),
  constraints: z.array(z.string()),
  out_of_scope: z.array(z.string()),
  context: z.array(z.string()),
});
export type Interpretation = z.infer<typeof Interpretation>;

export const Style = z.enum(["plain", "ontology", "fact", "closure", "topology", "confirm-assumption"]);
export type Style = z.infer<typeof Style>;

/** What a question is aimed at, and why now; code chose it (D3.1). */
export const Aim = z.object({
  component: z.string().nullable(),
  dimension: Dimension.nullable(),
  why: z.string(),
  style: Style,
  trigger_id: z.string().nullable(),
  assumption_id: z.string().nullable(),
  /** The closure gap that it is about (D9.1). */
  gap_key: z.string().nullable(),
  /** D3.6: no candidates, no draft, and nobody but the user answers. */
  user_only: z.boolean(),
  researched: z.boolean(),
  /** Personas whose findings became options. */
  folded: z.array(z.string()),
});
export type Aim = z.infer<typeof Aim>;

export const TriggerLabel = z.enum(["A", "B", "C", "D"]);
export type TriggerLabel = z.infer<typeof TriggerLabel>;

export const Trigger = z.object({
  id: z.string(),
  round: z.int().nullable(),
  label: TriggerLabel,
  status: z.enum(["active", "disputed", "unresolved", "resolved"]),
  component: z.string(),
  dimension: Dimension,
  prior_dimension_score: Score.nullable(),
  new_dimension_score: Score.nullable(),
  prior_ambiguity: Score,
  new_ambiguity: Score,
  evidence: z.string(),
  /** For D: the outcome that would join (D2.6). */
  proposed: z.string().nullable(),
  contradicted_fact: z.string().nullable(),
  rationale: z.string().nullable(),
  /** Code lowered the pair because the scorer did not (D5.3). */
  enforced: z.boolean(),
  /** A question was aimed at its pair since. */
  aimed: z.boolean(),
  resolved_round: z.int().nullable(),
});
export type Trigger = z.infer<typeof Trigger>;

export const Fact = z.object({
  id: z.string(),
  statement: z.string(),
  component: z.string(),
  dimension: Dimension,
  /** Null: stated by a correction of the restated goal, which has no number. */
  source_round: z.int().nullable(),
  evidence: z.string(),
  provenance: Provenance,
  status: z.enum(["established", "disputed", "superseded"]),
  contradicts: z.string().nullable(),
  superseded_by: z.string().nullable(),
  /** While disputed: the score its pair cannot rise above (D5.4). */
  ceiling: Score.nullable(),
});
export type Fact = z.infer<typeof Fact>;

export const Assumption = z.object({
  id: z.string(),
  round: z.int(),
  component: z.string(),
  dimension: Dimension,
  answer: z.string(),
  reasons: z.array(z.string()),
  confidence: z.enum(["low", "medium", "high"]),
  uncertainty: z.string().nullable(),
  /** `open`: not asked yet; `kept`: the user chose to keep questioning at the gate (D4.6), `left_open` (D4.5). */
  status: z.enum(["open", "confirmed", "revised", "left_open", "kept", "answered"]),
});
export type Assumption = z.infer<typeof Assumption>;

/** D4.5: the most that a pair improved by an auto-answer alone may score. */
export const Cap = z.object({ component: z.string(), dimension: Dimension, cap: Score, assumption_id: z.string() });
export type Cap = z.infer<typeof Cap>;

export const Entity = z.object({
  name: z.string(),
  type: z.string(),
  fields: z.array(z.string()),
  relationships: z.array(z.string()),
});
export type Entity = z.infer<typeof Entity>;

export const OntologySnapshot = z.object({
  round: z.int().nullable(),
  entities: z.array(Entity),
  stability_ratio: z.number().nullable(),
  new: z.int(),
  changed: z.int(),
  stable: z.int(),
  removed: z.int(),
  matching_reasoning: z.array(z.string()),
});
export type OntologySnapshot = z.infer<typeof OntologySnapshot>;

export const Milestone = z.enum(["initial", "progress", "refined", "ready"]);
export type Milestone = z.infer<typeof Milestone>;

export const Persona = z.enum(["researcher", "contrarian", "simplifier", "architect"]);
export type Persona = z.infer<typeof Persona>;

export const Finding = z.object({
  persona: Persona,
  finding: z.string(),
  reasons: z.array(z.string()),
  options: z.array(z.string()),
  confidence: z.enum(["low", "medium", "high"]),
});
export type Finding = z.infer<typeof Finding>;

export const PanelCause = z.enum(["milestone", "escalation", "auto-answer", "research", "code-fact"]);
export type PanelCause = z.infer<typeof PanelCause>;

export const LateralReview = z.object({
  round: z.int(),
  cause: PanelCause,
  from: Milestone.nullable(),
  to: Milestone.nullable(),
  personas: z.array(Persona),
  failed: z.array(Persona),
  findings: z.array(Finding),
  /** Personas whose findings reached a question. */
  folded: z.array(z.string()),
});
export type LateralReview = z.infer<typeof LateralReview>;

export const Candidate = z.object({
  answer: z.string(),
  rationale: z.string(),
  confidence: z.enum(["low", "medium", "high"]),
});
export type Candidate = z.infer<typeof Candidate>;

/** A finding about the existing code; path and symbol were checked to exist. */
export const ContextFinding = z.object({
  statement: z.string(),
  path: z.string(),
  symbol: z.string().nullable(),
});
export type ContextFinding = z.infer<typeof ContextFinding>;

export const CodebaseContext = z.object({
  summary: z.string(),
  findings: z.array(ContextFinding),
  /** Earlier specs and plans of this project closest to the idea, as data. */
  earlier: z.array(z.object({ path: z.string(), note: z.string() })),
});
export type CodebaseContext = z.infer<typeof CodebaseContext>;

/** A bounded, read-only look at the project (`run/explore.ts` makes it). */
export const ProjectScan = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.int(), symbols: z.array(z.string()) })),
  excerpts: z.array(z.object({ path: z.string(), text: z.string() })),
  earlier: z.array(z.object({ path: z.string(), excerpt: z.string() })),
  truncated: z.boolean(),
});
export type ProjectScan = z.infer<typeof ProjectScan>;

/** What the first look at the folder says (D1.1); no file is opened for it. */
export const ProjectSignals = z.object({ source: z.boolean(), packages: z.boolean(), git: z.boolean() });
export type ProjectSignals = z.infer<typeof ProjectSignals>;

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

/** A question drafted by the scorer or worded by the question task. */
export const Draft = z.object({
  component: z.string(),
  dimension: Dimension,
  why: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string(), from: z.string() })),
  recommended: z.int().nullable(),
  research: z.boolean(),
  nature: z.enum(["decision", "fact"]),
  fact: z.object({ statement: z.string(), path: z.string(), symbol: z.string(), interpreted: z.boolean() }).nullable(),
});
export type Draft = z.infer<typeof Draft>;

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
