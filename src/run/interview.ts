/**
 * One interview in memory: its state as the fold of its journal, and the batch of events that is not on disk yet. Events
 * are folded when they are known and flushed before anything outside is touched, so that no answer and no model result
 * can be acted on before it is durable (D8.2).
 */
import type { Artifact, Machine, Message, Question, Reply, Stamp } from "../core/machine.ts";
import { StateError, UsageError } from "../errors.ts";
import type { Clock, Store } from "../ports.ts";

export interface Interview<S, E extends { readonly type: string }> {
  readonly machine: Machine<S, E>;
  state(): S;
  /** Sequence number of the last event, flushed or not. */
  revision(): number;
  /** Folds events in; they are on disk after the next `flush`. */
  push(events: readonly E[]): void;
  /**
   * Appends what was pushed, and gives what there is to tell. The snapshot is replaced behind it, while the model works
   * or the user thinks, unless the next flush is there first; a document is on disk before it is told of.
   */
  flush(): Promise<readonly Message[]>;
  /** Waits until the snapshot is that of the last event on disk. */
  settle(): Promise<void>;
  /** Takes a reply to a question as events; throws `UsageError` when it is refused. False: it said nothing. */
  reply(question: Question, reply: Reply): boolean;
  /** What was told since the question before the pending one, from the journal alone. */
  report(): readonly Message[];
}

interface Options<S, E extends { readonly type: string }> {
  readonly machine: Machine<S, E>;
  readonly store: Store;
  readonly clock: Clock;
  /** Parses a journal line; throws for a line that no version of this program wrote. */
  readonly parse: (event: unknown) => E;
}

/** Reads the journal and folds it. An empty journal gives the machine's initial state. */
export async function openInterview<S, E extends { readonly type: string }>(
  options: Options<S, E>,
): Promise<Interview<S, E>> {
  const { machine, store, clock, parse } = options;
  const lines = (await store.events()).map((line) => ({ ...parse(line), seq: line.seq, at: line.at }));
  const fold = createFold(machine, lines);
  let pending: readonly E[] = [];
  let at = "";
  let flushed = lines.length;
  const snapshot = createSnapshot(async ({ state, revision, spec }: Standing<S>) => {
    const seeds = machine.seeds(state);
    await store.project({ envelope: machine.envelope(state, revision), spec, seeds });
  });
  let laidOut = fold.artifact();
  const standing = () => ({ state: fold.state(), revision: fold.log.length, spec: fold.artifact() });
  if (lines.length > 0) {
    snapshot.owe(standing());
    await snapshot.settle();
  }
  const push = (events: readonly E[]): void => {
    if (pending.length === 0) at = new Date(clock.now()).toISOString();
    fold.push(events, at);
    pending = [...pending, ...events];
  };
  return {
    machine,
    state: fold.state,
    revision: () => fold.log.length,
    push,
    async flush() {
      if (pending.length === 0) return [];
      const batch = pending;
      pending = [];
      const owed = standing();
      await Promise.all([snapshot.running(), store.append(batch, flushed, at)]);
      flushed += batch.length;
      snapshot.owe(owed);
      if (owed.spec !== laidOut) await snapshot.settle();
      laidOut = owed.spec;
      return fold.takeMessages();
    },
    settle: snapshot.settle,
    reply(question, reply) {
      const replied = machine.reply(fold.state(), question, reply);
      if ("refused" in replied) throw new UsageError(replied.code, replied.refused);
      push(replied);
      return replied.length > 0;
    },
    report: () => reportOf(machine, fold.log),
  };
}

/** A state as of a revision, with the document that goes with it. */
interface Standing<S> {
  readonly state: S;
  readonly revision: number;
  readonly spec: Artifact | null;
}

/** Writes of the snapshot, one after the other, of the newest state only; whoever waits next gets a failure. */
function createSnapshot<T>(write: (owed: T) => Promise<void>) {
  let owed: T | null = null;
  let writing: Promise<void> = Promise.resolve();
  const start = (): void => {
    if (owed === null) return;
    const next = owed;
    owed = null;
    writing = writing.then(() => write(next));
    // Until somebody waits for it, it is nobody's unhandled rejection.
    writing.catch(() => undefined);
  };
  return {
    /** To be written as soon as there is nothing else to do. */
    owe(next: T): void {
      owed = next;
      setImmediate(start);
    },
    running: () => writing,
    settle(): Promise<void> {
      start();
      return writing;
    },
  };
}

/** The fold in memory: state, log, the last document, and what there is to tell of events pushed here. */
function createFold<S, E extends { readonly type: string }>(machine: Machine<S, E>, lines: readonly (E & Stamp)[]) {
  const log = [...lines];
  let state = log.reduce((folded, event) => machine.evolve(folded, event), machine.initial);
  let artifact = log.reduce<Artifact | null>((last, event) => machine.artifact(event) ?? last, null);
  let messages: Message[] = [];
  return {
    log,
    state: () => state,
    artifact: () => artifact,
    push(events: readonly E[], at: string): void {
      for (const event of events) {
        const stamped: E & Stamp = { ...event, seq: log.length + 1, at };
        const before = state;
        state = machine.evolve(before, stamped);
        messages.push(...machine.tell(before, stamped, state));
        artifact = machine.artifact(stamped) ?? artifact;
        log.push(stamped);
      }
    },
    takeMessages(): readonly Message[] {
      const told = messages;
      messages = [];
      return told;
    },
  };
}

/** Everything told since the last question but one was put; a repeated explanation is not news. */
function reportOf<S, E extends { readonly type: string }>(
  machine: Machine<S, E>,
  log: readonly (E & Stamp)[],
): Message[] {
  const asking = log.flatMap((event, index) => (machine.isAsking(event) ? [index] : []));
  const from = asking.at(-2) ?? -1;
  const last = asking.at(-1) ?? -1;
  let state = machine.initial;
  return log.flatMap((event, index) => {
    const before = state;
    state = machine.evolve(before, event);
    if (index <= from || (index < last && event.type === "reply.returned")) return [];
    return machine.tell(before, event, state);
  });
}

/** Journal lines that parse as JSON and chain, but hold an event that this version does not know. */
export function unknownEvent(type: unknown, seq: number): StateError {
  return new StateError(
    "journal-version",
    `event ${seq} of the journal ("${String(type)}") was not written by this version`,
    {
      next: "Use the version that wrote it, or clear the session: deep-interview state clear --force --mode deep-interview",
    },
  );
}
