/**
 * The borders of the program: what the loop needs from the outside, as interfaces with their contracts.
 * `Deps` is built once, by `cli/main` or by the library entry.
 */
import type { Artifact, Document, Fault, Message, Question, Reply, Stamp, Task, Usage } from "./core/machine.ts";

/** What a model call came to. Expected trouble is a value, never an exception. */
export type TaskOutcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly model: string;
      readonly attempts: number;
      readonly usage: Usage;
    }
  | {
      readonly ok: false;
      /** `provider` (after all retries), `reply` (after the repair), `budget` (not called), `aborted`. */
      readonly code: "provider" | "reply" | "budget" | "aborted";
      readonly reason: string;
      readonly attempts: number;
      readonly usage: Usage;
    };

export interface Model {
  /** What the first object, the spec's metadata and the meter call it. */
  readonly label: string;
  /** `offline` never touches the network; `host` hands tasks to the agent host's own model. */
  readonly kind: "anthropic" | "offline" | "cassette" | "host";
  /**
   * Runs one task: render, call, extract, validate, repair once. `check` adds the faults that only the interview can see;
   * a value with `correct` faults left after the repair is accepted. Must not throw but for a bug or `AbortError`.
   */
  run(task: Task, options: { check: (value: unknown) => readonly Fault[]; signal?: AbortSignal }): Promise<TaskOutcome>;
}

/** A prompt as it goes to a model: cache-stable blocks first. */
export interface RenderedPrompt {
  readonly system: string;
  /** User blocks in order. `cache` marks a breakpoint. */
  readonly blocks: readonly { readonly text: string; readonly cache: boolean }[];
}

export interface Prompts {
  /** Renders a task's prompt file. Throws UsageError for a user's own file that does not fit its inputs. */
  render(task: Task): Promise<RenderedPrompt>;
  /** Renders a template that people read: the spec, the progress report. */
  document(document: Document): Promise<string>;
}

/** Where a question meets a person, a script or a host. */
export interface Asker {
  /**
   * Asks one question. Resolves with null when nothing came and nothing will (closed input, an empty result, a script
   * without an entry): the question stays pending. Rejects with `Interrupted` when the user leaves.
   */
  ask(question: Question, context: { optional: boolean; signal: AbortSignal }): Promise<Reply | null>;
  /** Asks several at once; each reply is handed over as it comes. */
  askMany(questions: readonly Question[], context: { signal: AbortSignal }): Promise<readonly (Reply | null)[]>;
  tell(message: Message): void;
  /** Work begins; the function returned ends it. `label` is a task name such as `score`. */
  working(labels: readonly string[]): () => void;
}

/** An event with what the journal adds to it. `prev` and `hash` chain the lines. */
export type Stamped<E> = E & Stamp & { readonly prev: string; readonly hash: string };

/**
 * The files of one session's interview. Opening it verifies the journal (`StateError` for damage), drops a torn last line
 * with a notice, and finishes what a crash left half done.
 */
export interface Store {
  readonly sessionId: string;
  /** Absolute path of the snapshot that others read. */
  readonly statePath: string;
  /** Absolute path of the session's folder. */
  readonly root: string;
  /** Every event so far, parsed and chained. */
  events(): Promise<readonly Stamped<Record<string, unknown> & { type: string }>[]>;
  /**
   * Appends under the lock, with fsync, if `after` is still the last sequence number; else rejects with
   * `StateError("conflict")` and nothing is written. `at` (ISO-8601) is the time of all of them.
   */
  append<E extends { type: string }>(events: readonly E[], after: number, at: string): Promise<readonly Stamped<E>[]>;
  /** Makes the spec, index and seed files that the state names, then replaces the snapshot atomically (idempotent). */
  project(projection: Projection): Promise<void>;
  putBlob(text: string): Promise<{ sha256: string }>;
  getBlob(sha256: string): Promise<string>;
  /** Claims the model work; `held` names the process that has it. */
  claim(): Promise<{ release: () => Promise<void> } | { held: string }>;
}

/** What the state says should be on disk beside the journal. */
export interface Projection {
  /** The envelope of state.md without receipt; the store adds and checks the receipt. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly spec: Artifact | null;
  /** Further state files of the session, by file name, such as the seed of ralplan. */
  readonly seeds: Readonly<Record<string, unknown>>;
}

/** Reads the project; never writes, never follows a link out of it, never opens secret-looking files (D1.2). */
export interface Explorer {
  signals(): Promise<{ source: boolean; packages: boolean; git: boolean }>;
  scan(idea: string): Promise<unknown>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  uuid(): string;
}

export interface Hash {
  /** Lower-case hex SHA-256 of the UTF-8 bytes. */
  sha256(text: string): string;
}

export interface Deps {
  readonly model: Model;
  readonly prompts: Prompts;
  readonly asker: Asker;
  readonly store: Store;
  readonly explorer: Explorer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: Hash;
}
