/**
 * The journal of a deep interview: past facts, each complete in itself, so that folding them needs no rule that could
 * change between versions (architecture: the journal is the truth, the state is derived).
 */
import * as z from "zod";
import { Question, Reply, TaskCompleted, TaskFailed } from "../machine.ts";
import { Limits } from "../settings.ts";
import * as f from "./finding.ts";
import * as s from "./schema.ts";
import * as v from "./vocabulary.ts";

/**
 * D8.2: the events that were decided together with this one and follow it. A write that was cut off between them is made
 * whole from here, so that no reply is asked for again and none is half taken.
 */
const followed_by = z.array(z.unknown()).optional();

/** Ids, idea, threshold and its source, limits and type, before anything is asked (D0.4, D1.4). */
const Started = z.object({
  type: z.literal("interview.started"),
  interview_id: z.string(),
  session_id: z.string(),
  /** Its head and tail when it is oversized; then `idea_sha256` names the blob with the whole (D1.3). */
  idea: z.string(),
  idea_sha256: z.string().nullable(),
  idea_chars: z.int(),
  threshold: v.Score,
  threshold_source: z.string(),
  limits: Limits,
  options: s.InterviewOptions,
  project_type: v.ProjectType,
  type_forced: z.boolean(),
  signals: f.ProjectSignals,
  /** Given with `--language`; null lets the topology task say (D1.6). */
  language: v.Language.nullable(),
  /** A small, bounded request that needs no interview (D1.1). */
  small: z.boolean(),
  notices: z.array(z.string()),
});

/** A state written by another tool, or by an older version (D2.4, state.md). */
const Imported = z.object({
  type: z.literal("state.imported"),
  interview_id: z.string(),
  session_id: z.string(),
  /** The whole file as it was found; what is not ours in it is kept. */
  envelope: z.record(z.string(), z.unknown()),
  /** For a state that names none: the resolved ones. */
  threshold: v.Score,
  threshold_source: z.string(),
  limits: Limits,
  options: s.InterviewOptions,
});

const IdeaSummarised = z.object({ type: z.literal("idea.summarised"), summary: z.string(), failed: z.boolean() });
const ProjectScanned = z.object({ type: z.literal("project.scanned"), scan: f.ProjectScan });
const ContextExplored = z.object({
  type: z.literal("context.explored"),
  context: f.CodebaseContext,
  /** Findings dropped because their path or symbol does not exist. */
  dropped: z.int(),
});

const TopologyProposed = z.object({
  type: z.literal("topology.proposed"),
  components: z.array(v.Component),
  grouping: z.string().nullable(),
  language: v.Language.nullable(),
  project_type: v.ProjectType,
  fallback: z.boolean(),
});
const TopologyEdited = z.object({
  type: z.literal("topology.edited"),
  edits: z.array(v.TopologyEdit),
  components: z.array(v.Component),
  deferrals: z.array(v.Deferral.omit({ confirmed_at: true })),
  followed_by,
});
const TopologyLocked = z.object({ type: z.literal("topology.locked"), remark: z.string().nullable() });
/** D2.2: an active component deferred in any later reply. */
const ComponentDeferred = z.object({
  type: z.literal("component.deferred"),
  component_id: z.string(),
  reason: z.string(),
  followed_by,
});

const QuestionAsked = z.object({
  type: z.literal("question.asked"),
  question: Question,
  aim: v.Aim.nullable(),
  /** For `collect`: what the words are for. */
  collecting: s.Collecting.nullable(),
});
/** The words as they came, on disk before anything reads them (D8.2). */
const ReplyReceived = z.object({
  type: z.literal("reply.received"),
  question_id: z.string(),
  reply: Reply,
  answer_hash: z.string(),
  /** Whether the interpret task has to read it before it counts. */
  interpret: z.boolean(),
  explain: z.boolean(),
  followed_by,
});
/** The free text read: an interpretation to confirm, or null for a short answer (D4.3). */
const ReplyInterpreted = z.object({
  type: z.literal("reply.interpreted"),
  question_id: z.string(),
  interpretation: v.Interpretation.nullable(),
  followed_by,
});
/** The reply was no answer (D4.1): the same question stays. */
const ReplyReturned = z.object({
  type: z.literal("reply.returned"),
  question_id: z.string(),
  why: z.enum(["explain", "not-an-answer", "too-early", "no-active-component", "unclear-edit"]),
  text: z.string(),
});
/** A question that needs no further reply and is not a round: refine, collect, topology, soft limit, restate, bridge. */
const QuestionClosed = z.object({
  type: z.literal("question.closed"),
  question_id: z.string(),
  choice: z.string(),
  reply: Reply,
  answer_hash: z.string(),
  followed_by,
});

/** A numbered round has its answer (lifecycle `answered`), or ended without one (`unresolved`). */
const AnswerRecorded = z.object({ type: z.literal("answer.recorded"), round: s.Round });
/** D4.4: the user opted out; the panel and the architect answer come next. */
const OptedOut = z.object({ type: z.literal("round.opted-out"), round: s.Round });
const AnswerAssumed = z.object({ type: z.literal("answer.assumed"), round_id: z.string(), assumption: v.Assumption });
const AnswerRevised = z.object({
  type: z.literal("answer.revised"),
  round_id: z.string(),
  assumption_id: z.string(),
  text: z.string(),
  by: z.enum(["user", "script"]),
});
const RoundUnresolved = z.object({
  type: z.literal("round.unresolved"),
  round: s.Round,
  why: z.enum(["architect-failed", "deferred", "left-open", "early-exit", "user-only"]),
  /** The pair leaves targeting (D4.5). */
  leave_open: z.boolean(),
  assumption_id: z.string().nullable(),
  followed_by,
});
const AssumptionSettled = z.object({
  type: z.literal("assumption.settled"),
  assumption_id: z.string(),
  status: v.Assumption.shape.status,
  followed_by,
});

/** Everything that a score changed, after D5.8; lists are of what is new or changed. */
const RoundScored = z.object({
  type: z.literal("round.scored"),
  round_id: z.string(),
  component_scores: z.array(s.RoundScores),
  gaps: z.array(z.object({ component: z.string(), dimension: v.Dimension, gap: z.string() })),
  scores: v.Scores,
  ambiguity: v.Score,
  sampling_margin: v.Score,
  samples: s.Round.shape.samples,
  spread: s.Round.shape.spread,
  milestone: v.Milestone,
  triggers: z.array(v.Trigger),
  facts: z.array(v.Fact),
  assumptions: z.array(v.Assumption),
  caps: z.array(v.Cap),
  ontology: v.OntologySnapshot,
  draft: f.Draft.nullable(),
  corrections: z.array(z.string()),
  record: z.string(),
  panel_due: s.DeepState.shape.panel_due,
});

const PanelConvened = z.object({ type: z.literal("panel.convened"), review: f.LateralReview });
const ResearchCompleted = z.object({
  type: z.literal("research.completed"),
  round: z.int(),
  /** Empty: the research failed, the plain question is asked. */
  candidates: z.array(f.Candidate),
});

const SoftLimitPassed = z.object({ type: z.literal("soft-limit.passed"), choice: z.enum(["continue", "proceed"]) });
/** No further round: why, and what the user is told (D8.3, D8.4, D9.2). */
const RoundsEnded = z.object({
  type: z.literal("rounds.ended"),
  reason: z.enum(["gate", "early-exit", "cap", "budget", "exhausted"]),
});
const ClosureAudited = z.object({ type: z.literal("closure.audited"), gaps: z.array(s.Gap), failed: z.boolean() });
const GapRaised = z.object({ type: z.literal("gap.raised"), gap: s.Gap });
const RestateProposed = z.object({ type: z.literal("restate.proposed"), line: z.string() });
const RestateConfirmed = z.object({ type: z.literal("restate.confirmed"), line: z.string().nullable() });
const RestateCorrected = z.object({ type: z.literal("restate.corrected"), round: s.Round });
const SpecDrafted = z.object({ type: z.literal("spec.drafted"), prose: s.SpecProse, fallback: z.boolean() });
/** The commit point of artifact, index line and state (D10.5): the files are made from this event. */
const SpecWritten = z.object({
  type: z.literal("spec.written"),
  slug: z.string(),
  path: z.string(),
  sha256: z.string(),
  status: s.SpecStatus,
  version: z.int(),
  text: z.string(),
});
const InterviewRefined = z.object({ type: z.literal("interview.refined") });
const HandoffChosen = z.object({ type: z.literal("handoff.chosen"), to: z.string() });
const InterviewClosed = z.object({
  type: z.literal("interview.closed"),
  how: z.enum(["pending-approval", "cancelled"]),
});
/** A cancelled interview goes on where it was. */
const InterviewResumed = z.object({ type: z.literal("interview.resumed") });
const ThresholdChanged = z.object({
  type: z.literal("threshold.changed"),
  threshold: v.Score,
  threshold_source: z.string(),
});
/** `edit`: the answer stays in the journal and is out of the state; its question is the pending one again. */
const AnswerSuperseded = z.object({ type: z.literal("answer.superseded"), round: z.int(), question_id: z.string() });

export const DeepEvent = z.discriminatedUnion("type", [
  Started,
  Imported,
  IdeaSummarised,
  ProjectScanned,
  ContextExplored,
  TopologyProposed,
  TopologyEdited,
  TopologyLocked,
  ComponentDeferred,
  QuestionAsked,
  ReplyReceived,
  ReplyInterpreted,
  ReplyReturned,
  QuestionClosed,
  AnswerRecorded,
  OptedOut,
  AnswerAssumed,
  AnswerRevised,
  RoundUnresolved,
  AssumptionSettled,
  RoundScored,
  PanelConvened,
  ResearchCompleted,
  SoftLimitPassed,
  RoundsEnded,
  ClosureAudited,
  GapRaised,
  RestateProposed,
  RestateConfirmed,
  RestateCorrected,
  SpecDrafted,
  SpecWritten,
  InterviewRefined,
  HandoffChosen,
  InterviewClosed,
  InterviewResumed,
  ThresholdChanged,
  AnswerSuperseded,
  TaskCompleted,
  TaskFailed,
]);
export type DeepEvent = z.infer<typeof DeepEvent>;
export type DeepEventOf<T extends DeepEvent["type"]> = Extract<DeepEvent, { type: T }>;
