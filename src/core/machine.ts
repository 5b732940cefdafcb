/**
 * What every interview kind is to the loop: a fold over events (`evolve`) and an order for what has to happen now
 * (`next`), both pure. The loop carries a step out through a port, appends what happened and goes round again;
 * it knows no rule of any kind.
 */
import * as z from "zod";

/** Where an option comes from; an option built from a panel finding names its persona. */
export const Option = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  recommended: z.boolean(),
});
export type Option = z.infer<typeof Option>;

export const QuestionKind = z.enum([
  "topology",
  "round",
  "refine",
  "collect",
  "confirm-assumption",
  "soft-limit",
  "restate",
  "bridge",
  "frontier",
  "narrow",
  "revise",
  "approval",
]);
export type QuestionKind = z.infer<typeof QuestionKind>;

/** A question as every surface shows it and as the turn protocol prints it. */
export const Question = z.object({
  id: z.string(),
  kind: QuestionKind,
  /** The numbered round it belongs to, 0 for the topology gate, null when it has none. */
  round: z.int().nullable(),
  header: z.string().nullable(),
  text: z.string(),
  options: z.array(Option),
  allow_free_text: z.boolean(),
  multi_select: z.boolean(),
  deepInterview: z
    .object({
      round_id: z.string(),
      round: z.int(),
      component: z.string().nullable(),
      dimension: z.string().nullable(),
      ambiguity: z.number(),
    })
    .nullable(),
});
export type Question = z.infer<typeof Question>;

/** What a surface may say about the kind of a reply; `defer` is said only by a script (`--on-unanswered defer`). */
export const ReplyAs = z.enum(["answer", "opt-out", "explain", "finish", "cancel", "defer"]);
export type ReplyAs = z.infer<typeof ReplyAs>;

/**
 * What came back for a question. `options` are ids or labels; `text` is byte for byte what was typed.
 * Nothing in `options`, no text and no `as` is no reply at all, and records nothing (D4.1, D4.7).
 */
export const Reply = z.object({
  options: z.array(z.string()),
  text: z.string().nullable(),
  as: ReplyAs.nullable(),
  /** Who gave it: a person, or a script's entry, or a script's default where the script had no entry. */
  by: z.enum(["user", "script"]),
});
export type Reply = z.infer<typeof Reply>;

/** Token use and cost of one model call or of many together; `usd` is null when any price is unknown. */
export const Usage = z.object({
  calls: z.int(),
  input_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  ms: z.number(),
  usd: z.number().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** A piece of model work. Its `input` is plain JSON that a prompt file renders and rule-based adapters read. */
export interface Task {
  /** Unique in the interview and stable across restarts, such as `score-r3-2`. */
  readonly id: string;
  readonly name: string;
  readonly round: number | null;
  /** The prompt or fragment file, by its front matter's name. */
  readonly prompt: string;
  /** The shared, append-only prefix (cache layout): null for tasks that stand alone. */
  readonly prefix: PromptPrefix | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Which failure the interview goes on after, with the task's fallback; any other one stops it, resumable. */
  readonly tolerates: "nothing" | "bad-reply" | "any";
  /** What is left of the budgets before this call; null where none is set. */
  readonly budget: { readonly tokens: number | null; readonly usd: number | null };
}

/** The part that score, question, panel, interpret, auto-answer and research of one round have in common. */
export interface PromptPrefix {
  /** Idea, topology as locked, codebase context: stable after round 0. */
  readonly stable: Readonly<Record<string, unknown>>;
  /** One compact record a round, never rewritten. */
  readonly rounds: readonly string[];
}

/** What is wrong with a model reply: where, and what would be right. `correct` faults are mended by code after one repair. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  readonly severity: "reject" | "correct";
}

/** Events that every kind's journal has: model results, on arrival. */
export const TaskCompleted = z.object({
  type: z.literal("task.completed"),
  task_id: z.string(),
  task: z.string(),
  round: z.int().nullable(),
  model: z.string(),
  attempts: z.int(),
  value: z.unknown(),
  usage: Usage,
});
export type TaskCompleted = z.infer<typeof TaskCompleted>;

export const TaskFailed = z.object({
  type: z.literal("task.failed"),
  task_id: z.string(),
  task: z.string(),
  round: z.int().nullable(),
  code: z.string(),
  reason: z.string(),
  attempts: z.int(),
  /** The task's fallback takes over; false: the interview stopped here and tries again when it is resumed. */
  final: z.boolean(),
  usage: Usage,
});
export type TaskFailed = z.infer<typeof TaskFailed>;

/** What a journal adds to an event. */
export interface Stamp {
  readonly seq: number;
  /** ISO-8601 with milliseconds, UTC. */
  readonly at: string;
}

/** Something to show a person; a surface renders it. Derived from the journal, so that any process shows the same. */
export type Message =
  | { readonly type: "announcement"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "report"; readonly view: Readonly<Record<string, unknown>> };

/** A document to render from a template and to keep together with its state. */
export interface Document {
  readonly template: string;
  readonly view: Readonly<Record<string, unknown>>;
}

export type Outcome = {
  readonly status: string;
  readonly ambiguity: number | null;
  readonly spec_path: string | null;
  /** Whether the interview reached what it is for; decides between exit codes 0 and 3. */
  readonly passed: boolean;
  /** The entry that goes on from here, such as `/skill:ralplan <spec>`. */
  readonly handoff: string | null;
};

/** A document as it is committed: its text, and where it belongs. */
export interface Artifact {
  readonly slug: string;
  readonly text: string;
  readonly sha256: string;
  readonly version: number;
  readonly created_at: string;
}

/** What has to happen now. */
export type Step<E> =
  | { readonly type: "record"; readonly events: readonly E[] }
  | { readonly type: "ask"; readonly question: Question; readonly optional: boolean }
  | { readonly type: "ask-many"; readonly questions: readonly Question[] }
  | { readonly type: "run"; readonly tasks: readonly Task[]; readonly concurrency: number }
  | { readonly type: "scan"; readonly idea: string }
  | { readonly type: "write"; readonly document: Document }
  | { readonly type: "done"; readonly outcome: Outcome };

/** A reply that could not be taken, and why; nothing is recorded. */
export interface Refusal {
  readonly refused: string;
  readonly code: string;
}

export interface Machine<S, E extends { readonly type: string }> {
  readonly kind: string;
  /** The state before the first event. */
  readonly initial: S;
  /** Pure and total: any event of the journal, in its order, gives the next state. */
  evolve(state: S, event: E & Stamp): S;
  /** Pure: the same state always gives the same step. */
  next(state: S): Step<E>;
  /** What a reply to a pending question means, as events. An empty list: no reply at all, the question stays. */
  reply(state: S, question: Question, reply: Reply): readonly E[] | Refusal;
  /** Faults of a model reply that its schema cannot express. Ranges, references, coverage, rules of transition. */
  check(state: S, task: Task, value: unknown): readonly Fault[];
  /** What a look into the project gave, as events. */
  scanned(state: S, scan: unknown): readonly E[];
  /** The rendered document, checked by reading it back; throws when it disagrees with the state. */
  written(state: S, text: string, sha256: string): readonly E[];
  /** What a person is shown because of an event. */
  tell(before: S, event: E & Stamp, after: S): readonly Message[];
  /** Whether the event put a question; what was told since the one before belongs to it. */
  isAsking(event: E): boolean;
  /** What the interview came to so far. */
  outcome(state: S): Outcome;
  /** The snapshot that others read; `revision` is the last event's sequence number. */
  envelope(state: S, revision: number): Readonly<Record<string, unknown>>;
  /** The document that an event commits, for the store to lay out as a file. */
  artifact(event: E & Stamp): Artifact | null;
  /** State files of the tools that go on from here, by file name. */
  seeds(state: S): Readonly<Record<string, unknown>>;
}
