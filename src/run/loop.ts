/**
 * The one loop: ask the machine what has to happen, carry it out through a port, record what happened, go round again.
 * It knows no rule of any interview kind; every surface drives this same function.
 */
import pLimit from "p-limit";
import type { Fault, Outcome, Question, Step, Task, TaskCompleted, TaskFailed } from "../core/machine.ts";
import { noUsage } from "../core/usage.ts";
import { Interrupted, ModelError, ModelReplyError, UsageError } from "../errors.ts";
import type { Deps, TaskOutcome } from "../ports.ts";
import type { Interview } from "./interview.ts";

/** Why the loop came back. */
export type LoopResult =
  /** `question`: one that may go unanswered and that nobody answered. */
  | { readonly type: "done"; readonly outcome: Outcome; readonly question: Question | null }
  /** A question is pending and nobody answered it. */
  | { readonly type: "pending"; readonly questions: readonly Question[] }
  /** The next model call would break a budget; nothing was called. */
  | { readonly type: "stopped"; readonly reason: string }
  /** Another process has the model work in hand. */
  | { readonly type: "working"; readonly holder: string };

type Shared = TaskCompleted | TaskFailed;
type LoopDeps = Pick<Deps, "model" | "prompts" | "asker" | "store" | "explorer" | "clock" | "hash">;

/** More orders in a row that touch nothing outside than any interview can need: the machine would turn for ever. */
const maxRecords = 500;
/** Model steps in a row, with no question between them, that no interview needs. */
const maxRuns = 100;
/** Replies in a row that say nothing to one question, after which it is left pending. */
const maxEmptyReplies = 20;

export async function runLoop<S, E extends { readonly type: string }>(
  interview: Interview<S, E | Shared>,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<LoopResult> {
  try {
    return await goRound(interview, deps, signal);
  } finally {
    // Whatever ended it, the snapshot is that of the last event when the caller goes on.
    await interview.settle();
  }
}

async function goRound<S, E extends { readonly type: string }>(
  interview: Interview<S, E | Shared>,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<LoopResult> {
  const { machine } = interview;
  let records = 0;
  let runs = 0;
  for (;;) {
    const step = machine.next(interview.state());
    runs = step.type === "run" ? runs + 1 : step.type === "record" ? runs : 0;
    if (runs > maxRuns) throw new Error("the interview calls the model without end");
    if (step.type === "record") {
      records += 1;
      if (records > maxRecords) throw new Error("the interview records without end");
      interview.push(step.events);
      continue;
    }
    records = 0;
    await settle(interview, deps);
    const result = await carryOut(interview, deps, step, signal);
    if (result !== null) {
      await settle(interview, deps);
      return result;
    }
  }
}

async function settle<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  deps: LoopDeps,
): Promise<void> {
  for (const message of await interview.flush()) deps.asker.tell(message);
}

async function carryOut<S, E extends { readonly type: string }>(
  interview: Interview<S, E | Shared>,
  deps: LoopDeps,
  step: Exclude<Step<E | Shared>, { type: "record" }>,
  signal: AbortSignal,
): Promise<LoopResult | null> {
  const { machine } = interview;
  switch (step.type) {
    case "done":
      return { type: "done", outcome: step.outcome, question: null };
    case "ask":
      return askOne(interview, deps, step.question, step.optional, signal);
    case "ask-many":
      return askAll(interview, deps, step.questions, signal);
    case "scan":
      interview.push(machine.scanned(interview.state(), await deps.explorer.scan(step.idea)));
      return null;
    case "write": {
      const text = await deps.prompts.document(step.document);
      interview.push(machine.written(interview.state(), text, deps.hash.sha256(text)));
      return null;
    }
    case "run":
      return runTasks(interview, deps, step, signal);
  }
}

async function askOne<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  deps: LoopDeps,
  question: Question,
  optional: boolean,
  signal: AbortSignal,
): Promise<LoopResult | null> {
  for (let tries = 0; tries < maxEmptyReplies; tries += 1) {
    const reply = await deps.asker.ask(question, { optional, signal });
    if (reply === null) break;
    try {
      if (interview.reply(question, reply)) return null;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      deps.asker.tell({ type: "warning", text: error.message });
    }
  }
  if (optional) return { type: "done", outcome: interview.machine.outcome(interview.state()), question };
  return { type: "pending", questions: [question] };
}

async function askAll<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  deps: LoopDeps,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<LoopResult | null> {
  const replies = await deps.asker.askMany(questions, { signal });
  let taken = false;
  for (const [index, question] of questions.entries()) {
    const reply = replies[index] ?? null;
    if (reply === null || !interview.reply(question, reply)) continue;
    taken = true;
    // Each accepted answer is on disk before the next is looked at.
    await settle(interview, deps);
  }
  return taken ? null : { type: "pending", questions };
}

async function runTasks<S, E extends { readonly type: string }>(
  interview: Interview<S, E | Shared>,
  deps: LoopDeps,
  step: Extract<Step<E>, { type: "run" }>,
  signal: AbortSignal,
): Promise<LoopResult | null> {
  const claim = await deps.store.claim();
  if ("held" in claim) return { type: "working", holder: claim.held };
  const stop = deps.asker.working(step.tasks.map((task) => task.name));
  try {
    return await gather(interview, deps, step, signal);
  } finally {
    stop();
    await claim.release();
  }
}

/** Runs the tasks side by side; each result is journalled as it comes, so that a crash loses only what was in flight. */
async function gather<S, E extends { readonly type: string }>(
  interview: Interview<S, E | Shared>,
  deps: LoopDeps,
  step: Extract<Step<E>, { type: "run" }>,
  signal: AbortSignal,
): Promise<LoopResult | null> {
  const { machine } = interview;
  const limit = pLimit(Math.max(1, step.concurrency));
  const state = interview.state();
  let writing: Promise<unknown> = Promise.resolve();
  const failures: { task: Task; outcome: Extract<TaskOutcome, { ok: false }> }[] = [];
  let left = step.tasks.length;
  await Promise.all(
    step.tasks.map((task) =>
      limit(async () => {
        const outcome = await runTask(deps, task, (value) => machine.check(state, task, value), signal);
        if (!outcome.ok && !isTolerated(task, outcome)) failures.push({ task, outcome });
        left -= 1;
        const last = left === 0;
        writing = writing.then(async () => {
          const event = eventOf(task, outcome);
          if (event !== null) interview.push([event]);
          if (!last) await settle(interview, deps);
        });
      }),
    ),
  );
  await writing;
  return failures.length === 0 ? null : stopFor(interview, deps, failures, signal);
}

/** An adapter may also throw when it is aborted; the other results of this step are kept all the same. */
async function runTask(
  deps: LoopDeps,
  task: Task,
  check: (value: unknown) => readonly Fault[],
  signal: AbortSignal,
): Promise<TaskOutcome> {
  try {
    return await deps.model.run(task, { check, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ok: false, code: "aborted", reason: "aborted", attempts: 0, usage: noUsage };
  }
}

function isTolerated(task: Task, outcome: Extract<TaskOutcome, { ok: false }>): boolean {
  if (outcome.code === "budget" || outcome.code === "aborted") return false;
  return task.tolerates === "any" || (task.tolerates === "bad-reply" && outcome.code === "reply");
}

function eventOf(task: Task, outcome: TaskOutcome): Shared | null {
  const base = {
    task_id: task.id,
    task: task.name,
    round: task.round,
    attempts: outcome.attempts,
    usage: outcome.usage,
  };
  if (outcome.ok) return { type: "task.completed", ...base, model: outcome.model, value: outcome.value };
  if (outcome.code === "budget" || outcome.code === "aborted") return null;
  return {
    type: "task.failed",
    ...base,
    code: outcome.code,
    reason: outcome.reason,
    final: isTolerated(task, outcome),
  };
}

async function stopFor<S, E extends { readonly type: string }>(
  interview: Interview<S, E>,
  deps: LoopDeps,
  failures: readonly { task: Task; outcome: Extract<TaskOutcome, { ok: false }> }[],
  signal: AbortSignal,
): Promise<LoopResult> {
  await settle(interview, deps);
  const next = `Nothing is lost: deep-interview resume --session ${deps.store.sessionId}`;
  for (const { task, outcome } of failures) {
    if (outcome.code === "aborted") throw interruption(signal, next);
    if (outcome.code === "budget") continue;
    const message = `the ${task.name} task failed: ${outcome.reason}`;
    throw outcome.code === "reply"
      ? new ModelReplyError("model-reply", message, { next })
      : new ModelError("model-provider", message, { next });
  }
  return { type: "stopped", reason: failures[0]?.outcome.reason ?? "budget" };
}

/** Who aborted says how: a signal handler aborts with the `Interrupted` that it wants thrown. */
function interruption(signal: AbortSignal, next: string): Interrupted {
  if (signal.reason instanceof Interrupted) return signal.reason;
  return new Interrupted("SIGINT", "interrupted while the model was working", { next });
}
