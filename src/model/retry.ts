/**
 * Retries are ours: 408, 409, 429, 5xx, connection faults, cut streams and timeouts, with exponential pauses and
 * jitter; `retry-after` in both forms is honoured up to a cap (faults 24). Every attempt is in the usage.
 */
import type { Usage } from "../core/machine.ts";
import { addUsage } from "../core/usage.ts";
import type { Clock } from "../ports.ts";
import { noUsage } from "./meter.ts";
import type { Completion, TransportFault, TransportResult } from "./transport.ts";

export interface RetryPolicy {
  /** Attempts of one call, the first included. */
  readonly attempts: number;
  /** Attempts beyond the first of all calls together: those of one interview. */
  readonly retriesPerInterview: number;
  /** The pause before the second attempt; it doubles from there. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** A longer wait than this is not sat out: the run stops, resumable. */
  readonly retryAfterCapMs: number;
  /** One attempt, until the last byte: a long reply with much thinking fits. */
  readonly timeoutMs: number;
  /** No further attempt once a call has taken this long, pauses included. */
  readonly patienceMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  retriesPerInterview: 60,
  baseMs: 1000,
  maxMs: 30_000,
  retryAfterCapMs: 60_000,
  timeoutMs: 600_000,
  patienceMs: 900_000,
};

const GRACE_MS = 1000;

export interface Attempts {
  readonly result: Completion | (TransportFault & { readonly reason: string });
  readonly attempts: number;
  readonly usage: Usage;
}

export interface Retries {
  run(attempt: (signal: AbortSignal) => Promise<TransportResult>, signal: AbortSignal): Promise<Attempts>;
}

export interface RetryDeps {
  readonly clock: Clock;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** A signal that aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
  readonly policy: RetryPolicy;
}

/** One for each interview: the budget of retries is kept in it. */
export function createRetries(deps: RetryDeps): Retries {
  let left = deps.policy.retriesPerInterview;
  return {
    async run(attempt, signal) {
      const started = deps.clock.monotonic();
      let usage = noUsage;
      for (let attempts = 1; ; attempts += 1) {
        const result = await once(deps, attempt, signal);
        usage = addUsage(usage, result.usage);
        if (result.ok) return { result, attempts, usage };
        const stop = (why: string): Attempts => ({ result: { ...result, reason: why }, attempts, usage });
        if (signal.aborted) return { result: { ...aborted(noUsage), reason: "aborted" }, attempts, usage };
        if (!result.retryable) return stop(result.message);
        const askedMs = retryAfterMs(result.retryAfter, deps.clock.now());
        if (askedMs !== null && askedMs > deps.policy.retryAfterCapMs)
          return stop(tooLong(result, askedMs, deps.policy));
        const isLate = deps.clock.monotonic() - started >= deps.policy.patienceMs;
        if (attempts >= deps.policy.attempts || isLate) return stop(`${result.message} (after ${attempts} attempts)`);
        if (left <= 0) return stop(`${result.message} (the retries of this interview are used up)`);
        left -= 1;
        await pause(deps.clock, Math.max(askedMs ?? 0, backoffMs(attempts, deps)), signal);
        if (signal.aborted) return { result: { ...aborted(noUsage), reason: "aborted" }, attempts, usage };
      }
    },
  };
}

/** The pause after attempt `attempts`: doubled each time, of which the upper half is random. */
export function backoffMs(attempts: number, deps: Pick<RetryDeps, "random" | "policy">): number {
  const full = Math.min(deps.policy.maxMs, deps.policy.baseMs * 2 ** (attempts - 1));
  return Math.round(full / 2 + (full / 2) * deps.random());
}

/** Milliseconds that a `retry-after` asks for, from seconds or an HTTP date; null when it asks for nothing. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (text === "") return null;
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : null;
}

function tooLong(fault: TransportFault, askedMs: number, policy: RetryPolicy): string {
  const cap = Math.round(policy.retryAfterCapMs / 1000);
  return `${fault.message} (the provider asks to wait ${Math.round(askedMs / 1000)} s, more than ${cap} s; resume later)`;
}

async function once(
  deps: RetryDeps,
  attempt: (signal: AbortSignal) => Promise<TransportResult>,
  signal: AbortSignal,
): Promise<TransportResult> {
  const deadline = deps.deadline(deps.policy.timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const started = deps.clock.monotonic();
  const result = await settled(deps, attempt(either), either);
  const ms = Math.max(0, deps.clock.monotonic() - started);
  const timed = { ...result, usage: { ...result.usage, ms } };
  if (timed.ok || signal.aborted || !deadline.aborted) return timed;
  const seconds = Math.round(deps.policy.timeoutMs / 1000);
  return { ...timed, kind: "timeout", retryable: true, message: `no complete answer within ${seconds} s` };
}

/** The attempt, or an abort a moment after the signal even if the attempt never ends. */
async function settled(
  deps: RetryDeps,
  attempt: Promise<TransportResult>,
  signal: AbortSignal,
): Promise<TransportResult> {
  const over = new AbortController();
  const left = new Promise<TransportResult>((resolve) => {
    onAbort(signal, over.signal, () => {
      // The attempt gets a moment to end by itself, since it knows what it has used.
      onAbort(deps.deadline(GRACE_MS), over.signal, () => resolve(aborted({ ...noUsage, calls: 1 })));
    });
  });
  try {
    return await Promise.race([attempt, left]);
  } finally {
    over.abort();
  }
}

/** Calls back on an abort, past ones included, until `over`. */
function onAbort(signal: AbortSignal, over: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true, signal: over });
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A call that was ended by its own caller. */
export function aborted(usage: Usage): TransportFault {
  return {
    ok: false,
    kind: "aborted",
    status: null,
    retryable: false,
    retryAfter: null,
    message: "aborted",
    usage,
    requestId: null,
  };
}
