/**
 * The model tasks of a deep interview: what each is given, and the schema its reply must fit. Reply schemas hold no
 * range, length, record, tuple or transform (an endpoint may ignore or refuse them); `check.ts` tests those in code.
 * Every field is required; "" and [] say that there is nothing. Reasoning stands before the score.
 */
import * as z from "zod";
import { Persona } from "./finding.ts";
import { TopologyEdit, TriggerLabel } from "./vocabulary.ts";

const Dim = z.enum(["goal", "constraints", "criteria", "context"]);
const Confidence = z.enum(["low", "medium", "high"]);

export const SummariseReply = z.object({
  summary: z.string(),
  decisions: z.array(z.string()),
  constraints: z.array(z.string()),
  unknowns: z.array(z.string()),
  citations: z.array(z.string()),
  non_goals: z.array(z.string()),
});

export const ExploreReply = z.object({
  summary: z.string(),
  findings: z.array(z.object({ statement: z.string(), path: z.string(), symbol: z.string() })),
  earlier: z.array(z.object({ path: z.string(), note: z.string() })),
});

export const TopologyReply = z.object({
  language: z.object({ tag: z.string(), name: z.string(), instruction: z.string() }),
  /** Sentences of the interface in that language, only when the prompt asks for them. */
  phrases: z.array(z.object({ key: z.string(), text: z.string() })),
  changes_existing: z.boolean(),
  grouping: z.string(),
  components: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      evidence: z.string(),
      deliverables: z.array(z.string()),
    }),
  ),
});

const DraftReply = z.object({
  component: z.string(),
  dimension: Dim,
  why: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string(), from: z.string() })),
  /** Label of the recommended option, or "". */
  recommended: z.string(),
  research: z.boolean(),
  nature: z.enum(["decision", "fact"]),
  /** For a fact: what was found and where; "" in a decision. */
  fact: z.object({ statement: z.string(), path: z.string(), symbol: z.string(), interpreted: z.boolean() }),
});
export type DraftReply = z.infer<typeof DraftReply>;

export const ScoreReply = z.object({
  task: z.literal("score"),
  components: z.array(
    z.object({
      component: z.string(),
      dimensions: z.array(z.object({ dimension: Dim, justification: z.string(), score: z.number(), gap: z.string() })),
    }),
  ),
  triggers: z.array(
    z.object({
      label: TriggerLabel,
      status: z.enum(["active", "disputed", "unresolved"]),
      component: z.string(),
      dimension: Dim,
      evidence: z.string(),
      /** Id of the contradicted fact, or "". */
      contradicts: z.string(),
      /** For D: the outcome that would join, or "". */
      proposed: z.string(),
      rationale: z.string(),
    }),
  ),
  facts: z.array(
    z.object({
      statement: z.string(),
      component: z.string(),
      dimension: Dim,
      evidence: z.string(),
      /** Id of a fact that this one contradicts, or "". */
      contradicts: z.string(),
    }),
  ),
  /** For the answer to a question about disputed facts: the ids that stand, or "new". Empty otherwise. */
  stands: z.array(z.string()),
  entities: z.array(
    z.object({ name: z.string(), type: z.string(), fields: z.array(z.string()), relationships: z.array(z.string()) }),
  ),
  /** At most one. */
  draft: z.array(DraftReply),
});
export type ScoreReply = z.infer<typeof ScoreReply>;

export const QuestionReply = z.object({ task: z.literal("question"), question: DraftReply });

export const InterpretReply = z.object({
  task: z.literal("interpret"),
  kind: z.enum(["answer", "explain", "opt-out", "finish"]),
  /** True when the text carries reasoning, constraints or scope and was structured below. */
  structured: z.boolean(),
  decision: z.string(),
  reasoning: z.array(z.string()),
  constraints: z.array(z.string()),
  out_of_scope: z.array(z.string()),
  context: z.array(z.string()),
  /** For `explain`: the answer to the user's question. */
  explanation: z.string(),
  /** Changes of the topology that the text asks for. */
  edits: z.array(TopologyEdit),
});
export type InterpretReply = z.infer<typeof InterpretReply>;

export const ResearchReply = z.object({
  task: z.literal("research"),
  candidates: z.array(z.object({ answer: z.string(), rationale: z.string(), confidence: Confidence })),
  fallback: z.string(),
});

export const AutoAnswerReply = z.object({
  task: z.literal("auto-answer"),
  answer: z.string(),
  reasons: z.array(z.string()),
  confidence: Confidence,
  /** "" only when it is negligible. */
  uncertainty: z.string(),
});

export const PanelReply = z.object({
  task: z.literal("panel"),
  persona: Persona,
  finding: z.string(),
  reasons: z.array(z.string()),
  options: z.array(z.string()),
  confidence: Confidence,
});

/**
 * Tasks that read one cached prefix share this schema: changing it between calls would throw the cache away.
 * The harmless member stands first.
 */
export const SharedReply = z.object({
  reply: z.discriminatedUnion("task", [
    InterpretReply,
    ScoreReply,
    QuestionReply,
    PanelReply,
    AutoAnswerReply,
    ResearchReply,
  ]),
});

export const ClosureReply = z.object({
  ready: z.boolean(),
  gaps: z.array(z.object({ component: z.string(), dimension: Dim, gap: z.string() })),
});

export const RestateReply = z.object({ sentence: z.string(), covers: z.array(z.string()) });

const Line = z.object({
  text: z.string(),
  rounds: z.array(z.int()),
  sources: z.array(z.string()),
  covers: z.array(z.string()),
});

export const CrystallizeReply = z.object({
  title: z.string(),
  goal: z.string(),
  constraints: z.array(Line),
  non_goals: z.array(Line),
  criteria: z.array(Line),
  assumptions: z.array(z.object({ assumption: z.string(), challenge: z.string(), resolution: z.string() })),
  technical: z.array(Line),
  coverage: z.array(z.object({ component: z.string(), note: z.string() })),
});
export type CrystallizeReply = z.infer<typeof CrystallizeReply>;

/** Reply schema by task name; those of `SharedReply` travel wrapped in it. */
export const replies = {
  summarise: SummariseReply,
  explore: ExploreReply,
  topology: TopologyReply,
  interpret: InterpretReply,
  score: ScoreReply,
  question: QuestionReply,
  research: ResearchReply,
  "auto-answer": AutoAnswerReply,
  panel: PanelReply,
  closure: ClosureReply,
  restate: RestateReply,
  crystallize: CrystallizeReply,
} satisfies Record<string, z.ZodType>;
export type TaskName = keyof typeof replies;
export type TaskReply<N extends TaskName> = z.infer<(typeof replies)[N]>;

/** Tasks whose replies travel in `SharedReply`. */
export const shared: ReadonlySet<string> = new Set([
  "interpret",
  "score",
  "question",
  "research",
  "auto-answer",
  "panel",
]);

/** What every interview task is given about the people's words. */
export interface Common {
  readonly language: { readonly tag: string; readonly instruction: string };
  readonly type: "greenfield" | "brownfield";
}

export interface PromptComponent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: "active" | "deferred";
}

/** One round as later prompts see it. */
export interface PromptRound {
  readonly round: number | null;
  readonly component: string | null;
  readonly dimension: string | null;
  readonly question: string;
  /** The confirmed interpretation as text, or the answer verbatim. */
  readonly answer: string;
  readonly answered_by: string | null;
}

export interface PromptFact {
  readonly id: string;
  readonly statement: string;
  readonly component: string;
  readonly dimension: string;
  readonly status: string;
}

/** Inputs by task. `round`-less tasks stand alone; the others also get the shared prefix. */
export interface TaskInputs {
  summarise: Common & { readonly text_sha256: string; readonly max_chars: number };
  explore: Common & {
    readonly idea: string;
    readonly files: readonly { readonly path: string; readonly symbols: readonly string[] }[];
    readonly excerpts: readonly { readonly path: string; readonly text: string }[];
    readonly earlier: readonly { readonly path: string; readonly excerpt: string }[];
  };
  topology: Common & {
    readonly idea: string;
    readonly context: readonly { readonly statement: string; readonly path: string; readonly symbol: string }[];
    /** A tag given by the user, or "". */
    readonly requested_language: string;
    /** Interface sentences to translate when the language has no file of its own. */
    readonly phrases: readonly { readonly key: string; readonly text: string }[];
    readonly known_languages: readonly string[];
  };
  interpret: Common & {
    readonly purpose: "round" | "topology";
    readonly question: string;
    readonly options: readonly string[];
    /** Labels that the person picked beside the words. */
    readonly picked: readonly string[];
    readonly text: string;
    readonly components: readonly PromptComponent[];
    /** The surface already says that the user asks for an explanation. */
    readonly explain: boolean;
  };
  score: Common & {
    readonly round: number | null;
    readonly target: { readonly component: string; readonly dimension: string };
    readonly question: string;
    readonly answer: string;
    readonly answered_by: string;
    readonly assumption: {
      readonly reasons: readonly string[];
      readonly confidence: string;
      readonly uncertainty: string;
    } | null;
    readonly components: readonly (PromptComponent & {
      readonly scores: readonly { readonly dimension: string; readonly score: number | null }[];
    })[];
    readonly dimensions: readonly string[];
    readonly facts: readonly PromptFact[];
    /** Ids of facts in dispute on the pair that the question was aimed at. */
    readonly disputed: readonly string[];
    readonly prior_entities: readonly {
      readonly name: string;
      readonly type: string;
      readonly fields: readonly string[];
    }[];
    readonly prior_ambiguity: number;
    readonly gap_below: number;
    readonly idea: string;
    readonly transcript: readonly PromptRound[];
  };
  question: Common & {
    readonly round: number;
    readonly target: {
      readonly component: string;
      readonly name: string;
      readonly dimension: string;
      readonly score: number | null;
      readonly gap: string;
    };
    readonly style: string;
    readonly why: string;
    readonly user_only: boolean;
    readonly findings: readonly {
      readonly persona: string;
      readonly finding: string;
      readonly options: readonly string[];
    }[];
    readonly facts: readonly PromptFact[];
    readonly trigger: { readonly label: string; readonly evidence: string } | null;
    readonly gap: string;
    readonly entities: readonly string[];
    readonly context: readonly { readonly statement: string; readonly path: string; readonly symbol: string }[];
    readonly asked: readonly string[];
    readonly idea: string;
    readonly components: readonly PromptComponent[];
  };
  research: Common & {
    readonly question: string;
    readonly idea: string;
    readonly components: readonly PromptComponent[];
    readonly facts: readonly PromptFact[];
    readonly findings: readonly { readonly persona: string; readonly finding: string }[];
  };
  "auto-answer": Common & {
    readonly question: string;
    readonly options: readonly string[];
    readonly target: { readonly component: string; readonly dimension: string };
    readonly components: readonly PromptComponent[];
    readonly facts: readonly PromptFact[];
    readonly findings: readonly { readonly persona: string; readonly finding: string }[];
    readonly candidates: readonly string[];
    readonly idea: string;
  };
  panel: Common & {
    readonly persona: string;
    readonly cause: string;
    readonly escalated: boolean;
    readonly target: {
      readonly component: string;
      readonly name: string;
      readonly dimension: string;
      readonly gap: string;
    };
    readonly entities: readonly string[];
    readonly facts: readonly PromptFact[];
    readonly question: string;
    readonly idea: string;
    readonly components: readonly PromptComponent[];
    readonly transcript: readonly PromptRound[];
  };
  closure: Common & {
    readonly components: readonly PromptComponent[];
    readonly facts: readonly PromptFact[];
    readonly findings: readonly { readonly persona: string; readonly finding: string }[];
    readonly assumptions: readonly string[];
    readonly transcript: readonly PromptRound[];
    readonly idea: string;
  };
  restate: Common & {
    readonly components: readonly PromptComponent[];
    readonly facts: readonly PromptFact[];
    readonly corrections: readonly string[];
    readonly transcript: readonly PromptRound[];
    readonly idea: string;
  };
  crystallize: Common & {
    readonly idea: string;
    readonly restated_goal: string;
    readonly components: readonly (PromptComponent & { readonly deliverables: readonly string[] })[];
    readonly facts: readonly PromptFact[];
    readonly transcript: readonly PromptRound[];
    readonly gaps: readonly string[];
    readonly context: readonly { readonly statement: string; readonly path: string; readonly symbol: string }[];
    readonly dimensions: readonly string[];
  };
}
