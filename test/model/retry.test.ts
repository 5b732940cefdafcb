import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs, createRetries, defaultRetryPolicy, type RetryPolicy, retryAfterMs } from "../../src/model/retry.ts";
import type { TransportResult } from "../../src/model/transport.ts";
import { completion, createClock, fault } from "./doubles.ts";

const policy = defaultRetryPolicy;
const never = (): AbortSignal => new AbortController().signal;

function createSubject(results: readonly TransportResult[], over: Partial<RetryPolicy> = {}, random = 0) {
  const clock = createClock();
  const retries = createRetries({ clock, random: () => random, deadline: never, policy: { ...policy, ...over } });
  let at = 0;
  const attempt = async (): Promise<TransportResult> => {
    const result = results[at];
    at += 1;
    if (result === undefined) throw new Error(`nobody expected attempt ${at}`);
    return result;
  };
  return { clock, retries, attempt, made: () => at };
}

describe("retryAfterMs", () => {
  const now = Date.UTC(2026, 0, 1);

  it("24 reads seconds and HTTP dates to the same wait", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (seconds) => {
        expect(retryAfterMs(String(seconds), now)).toBe(seconds * 1000);
        expect(retryAfterMs(new Date(now + seconds * 1000).toUTCString(), now)).toBe(seconds * 1000);
      }),
    );
  });

  it("24 asks for nothing when it is missing, past, zero or nonsense", () => {
    for (const header of [null, "", " ", "0", "-5", "soon", "NaN", "1e9x", new Date(now - 1000).toUTCString()]) {
      expect(retryAfterMs(header, now)).toBeNull();
    }
  });
});

describe("backoffMs", () => {
  it("24 grows, stays between half and the whole of its step, and never beyond its cap", () => {
    const random = fc.double({ min: 0, max: 0.999999, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), random, (attempts, x) => {
        const ms = backoffMs(attempts, { random: () => x, policy });
        const full = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempts - 1));
        expect(ms).toBeGreaterThanOrEqual(full / 2);
        expect(ms).toBeLessThanOrEqual(full);
      }),
    );
  });
});

describe("createRetries", () => {
  it("24 counts every attempt in the usage, with the time each took", async () => {
    const clock = createClock();
    const retries = createRetries({ clock, random: () => 0, deadline: never, policy });
    const results = [fault(), fault(), completion("x")];
    const { result, attempts, usage } = await retries.run(async () => {
      await clock.sleep(70);
      return results.shift() ?? fault();
    }, never());
    expect(result.ok).toBe(true);
    expect(attempts).toBe(3);
    expect(usage).toMatchObject({ calls: 3, ms: 210, input_tokens: 10 });
  });

  it("24 sits a wait out up to the cap, however the jitter falls, and stops for a longer one", async () => {
    const waited = createSubject([fault({ retryAfter: "60" }), completion("x")], {}, 0.99);
    expect((await waited.retries.run(waited.attempt, never())).result.ok).toBe(true);
    expect(waited.clock.slept).toEqual([60_000]);
    const stopped = createSubject([fault({ retryAfter: "61" })]);
    const { result } = await stopped.retries.run(stopped.attempt, never());
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining("61 s, more than 60 s") });
    expect(stopped.clock.slept).toEqual([]);
  });

  it("24 spends at most the attempts of one call and the retries of one interview", async () => {
    const { retries, attempt, made } = createSubject(
      Array.from({ length: 30 }, () => fault()),
      {
        attempts: 3,
        retriesPerInterview: 5,
      },
    );
    const counts = [];
    for (let call = 0; call < 5; call += 1) counts.push((await retries.run(attempt, never())).attempts);
    expect(counts).toEqual([3, 3, 2, 1, 1]);
    expect(made()).toBe(10);
    const { result } = await retries.run(attempt, never());
    expect(result).toMatchObject({ reason: expect.stringContaining("used up") });
  });

  it("24 makes no further attempt once a call has outlasted the caller's patience", async () => {
    const clock = createClock();
    const retries = createRetries({ clock, random: () => 0, deadline: never, policy });
    const { attempts } = await retries.run(async () => {
      await clock.sleep(500_000);
      return fault({ kind: "timeout" });
    }, never());
    expect(attempts).toBe(2);
  });

  it("does not repeat what another attempt cannot mend", async () => {
    const { retries, attempt } = createSubject([fault({ retryable: false, status: 401, message: "no" })]);
    expect(await retries.run(attempt, never())).toMatchObject({ attempts: 1, result: { reason: "no" } });
  });

  it("leaves at an abort: while it waits, while it asks, and before it begins", async () => {
    const user = new AbortController();
    const waiting = createSubject([fault()]);
    const sleep = waiting.clock.sleep;
    waiting.clock.sleep = (ms, signal) => {
      user.abort();
      return sleep(ms, signal);
    };
    expect((await waiting.retries.run(waiting.attempt, user.signal)).result).toMatchObject({ kind: "aborted" });
    const asking = new AbortController();
    const { retries } = createSubject([]);
    const { result } = await retries.run(async () => {
      asking.abort();
      return fault();
    }, asking.signal);
    expect(result).toMatchObject({ ok: false, kind: "aborted" });
  });

  it("24 gives up on an attempt that neither answers nor heeds its signal", async () => {
    const deadlines: AbortController[] = [];
    const deadline = (): AbortSignal => {
      const controller = new AbortController();
      deadlines.push(controller);
      queueMicrotask(() => controller.abort());
      return controller.signal;
    };
    const retries = createRetries({
      clock: createClock(),
      random: () => 0,
      deadline,
      policy: { ...policy, attempts: 2 },
    });
    const { result, attempts } = await retries.run(() => new Promise<never>(() => undefined), never());
    expect(result).toMatchObject({ kind: "timeout", reason: expect.stringContaining("within 600 s") });
    expect(attempts).toBe(2);
  });
});
