/**
 * The model port over any endpoint that answers in text: render, call, read, one repair turn that lists the faults,
 * outcome. What the loop gets is a value that fits, or the reason why there is none; expected trouble is never thrown.
 */
import type { Fault, Task, Usage } from "../core/machine.ts";
import { cut } from "../core/text.ts";
import { addUsage } from "../core/usage.ts";
import type { Clock, Model, Prompts, RenderedPrompt, TaskOutcome } from "../ports.ts";
import { type Contract, type Contracts, deepContracts } from "./contract.ts";
import { type Budget, createBudget, noUsage } from "./meter.ts";
import { endWithTask, renderForm, renderRepair } from "./repair.ts";
import { isRejected, type Reading, readReply } from "./reply.ts";
import { createRetries, defaultRetryPolicy, type Retries, type RetryPolicy } from "./retry.ts";
import { reasonOf } from "./secrets.ts";
import type { Call, Completion, Form, Transport, Turn } from "./transport.ts";

/** One call with all its attempts, for a meter's table. */
export interface CallRecord {
  readonly task: string;
  readonly round: number | null;
  readonly model: string;
  readonly attempts: number;
  readonly isRepair: boolean;
  readonly usage: Usage;
  readonly requestId: string | null;
  /** How the reply was asked for; null when none came. */
  readonly form: Form | null;
  readonly faults: readonly Fault[];
}

export interface ModelOptions {
  readonly transport: Transport;
  readonly prompts: Prompts;
  readonly clock: Clock;
  readonly kind?: Model["kind"];
  /** Reply schemas by task; the deep interview's by default. */
  readonly contracts?: Contracts;
  readonly retry?: Partial<RetryPolicy>;
  /** Jitter: 0 <= x < 1. */
  readonly random?: () => number;
  readonly deadline?: (ms: number) => AbortSignal;
  /** Runs work when a place is free, such as what `p-limit` makes; without one nothing waits. */
  readonly pool?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly observe?: (record: CallRecord) => void;
}

/** Characters of a wrong reply that go back with its repair. */
const MAX_ECHO = 20_000;

interface Deps {
  readonly transport: Transport;
  readonly prompts: Prompts;
  readonly contracts: Contracts;
  readonly retries: Retries;
  readonly budget: Budget;
  readonly observe: (record: CallRecord) => void;
}

/** A model for one interview: its retries and what its parallel calls hold of a budget are counted in it. */
export function createModel(options: ModelOptions): Model {
  const deps: Deps = {
    transport: options.transport,
    prompts: options.prompts,
    contracts: options.contracts ?? deepContracts,
    budget: createBudget(),
    observe: options.observe ?? (() => undefined),
    retries: createRetries({
      clock: options.clock,
      random: options.random ?? Math.random,
      deadline: options.deadline ?? ((ms) => AbortSignal.timeout(ms)),
      policy: { ...defaultRetryPolicy, ...options.retry },
    }),
  };
  const pool = options.pool ?? ((work) => work());
  return {
    label: options.transport.label,
    kind: options.kind ?? "anthropic",
    run: (task, { check, signal }) =>
      pool(() => runTask(deps, { task, check, signal: signal ?? new AbortController().signal })),
  };
}

interface Job {
  readonly task: Task;
  readonly check: (value: unknown) => readonly Fault[];
  readonly signal: AbortSignal;
}

/** What the calls of one task have come to so far. */
interface Spent {
  usage: Usage;
  attempts: number;
}

type Failure = { readonly code: "provider" | "budget" | "aborted" | "reply"; readonly reason: string };
interface Kept {
  readonly value: unknown;
  readonly model: string;
}

async function runTask(deps: Deps, job: Job): Promise<TaskOutcome> {
  const { task } = job;
  const contract = deps.contracts(task.name);
  const prompt = endWithTask(await deps.prompts.render(task), task.name);
  const spent: Spent = { usage: noUsage, attempts: 0 };
  const accept = ({ value, model }: Kept): TaskOutcome => ({ ok: true, value, model, ...spent });
  let kept: Kept | null = null;
  let turns: readonly Turn[] = [];
  for (let isRepair = false; ; isRepair = true) {
    const answer = await callOnce(deps, job, { contract, prompt, turns, isRepair }, spent);
    if ("code" in answer) {
      // A first reply that code can mend is worth more than a repair that never came.
      return kept !== null && answer.code !== "aborted" ? accept(kept) : { ok: false, ...answer, ...spent };
    }
    const { completion, reading } = answer;
    const result: Kept = { value: reading.value, model: completion.model };
    if (reading.faults.length === 0) return accept(result);
    if (!isRejected(reading.faults)) {
      if (isRepair) return accept(result);
      kept = result;
    }
    const isSimpler = reading.isProse && (deps.transport.simplify?.(task.name, completion.form) ?? false);
    if (isRepair && !isSimpler) {
      return kept === null ? { ok: false, code: "reply", reason: replyReason(task, reading), ...spent } : accept(kept);
    }
    turns = await repairTurns(deps, task, completion, reading);
  }
}

interface Request {
  readonly contract: Contract;
  readonly prompt: RenderedPrompt;
  readonly turns: readonly Turn[];
  readonly isRepair: boolean;
}

/** One call with its retries, inside the budget; adds what it used to `spent`. */
async function callOnce(
  deps: Deps,
  job: Job,
  request: Request,
  spent: Spent,
): Promise<{ readonly completion: Completion; readonly reading: Reading } | Failure> {
  const { task, signal } = job;
  if (signal.aborted) return { code: "aborted", reason: "aborted" };
  const draft: Call = {
    task: task.name,
    prompt: request.prompt,
    wire: request.contract.wire,
    turns: request.turns,
    maxOutputTokens: null,
    wording: (form, schema) => renderForm(deps.prompts, task, form, schema),
  };
  const grant = deps.budget.grant(task.budget, deps.transport.plan(draft));
  if (!grant.ok) return { code: "budget", reason: grant.reason };
  const call: Call = { ...draft, maxOutputTokens: grant.maxOutputTokens };
  const { result, attempts, usage } = await deps.retries.run((inner) => deps.transport.complete(call, inner), signal);
  grant.settle(usage);
  spent.usage = addUsage(spent.usage, usage);
  spent.attempts += attempts;
  const reading = result.ok ? readReply(result, request.contract, job.check) : null;
  deps.observe({
    task: task.name,
    round: task.round,
    model: result.ok ? result.model : deps.transport.modelFor(task.name),
    attempts,
    isRepair: request.isRepair,
    usage,
    requestId: result.requestId,
    form: result.ok ? result.form : null,
    faults: reading?.faults ?? [],
  });
  if (result.ok && reading !== null) return { completion: result, reading };
  if (result.ok || result.kind === "aborted") return { code: "aborted", reason: "aborted" };
  const id = result.requestId === null ? "" : ` (request ${result.requestId})`;
  return { code: "provider", reason: reasonOf(`${result.reason}${id}`) };
}

/** A cut or refused reply is not shown again: it would be cut or refused again. */
async function repairTurns(deps: Deps, task: Task, completion: Completion, reading: Reading): Promise<readonly Turn[]> {
  const repair: Turn = { role: "user", text: await renderRepair(deps.prompts, task, reading.faults) };
  const isWhole = completion.stopReason !== "refusal" && completion.stopReason !== "max_tokens";
  if (!isWhole || completion.text.trim() === "") return [repair];
  return [{ role: "assistant", text: cut(completion.text.trimEnd(), MAX_ECHO) }, repair];
}

function replyReason(task: Task, reading: Reading): string {
  const faults = reading.faults.map((fault) => (fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`));
  return reasonOf(`the reply to ${task.name} does not fit, also after the repair: ${faults.slice(0, 5).join("; ")}`);
}
