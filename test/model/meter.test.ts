import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBudget, estimateTokens, noTokens, noUsage, tokensOf, usageOf } from "../../src/model/meter.ts";
import { findProfile, shippedProfiles } from "../../src/model/profiles.ts";
import type { Plan } from "../../src/model/transport.ts";
import { price } from "./doubles.ts";

const plan: Plan = { model: "m", inputTokens: 1000, replyTokens: 500, maxOutputTokens: 2000, price };
const count = fc.nat({ max: 2_000_000 });

describe("usageOf", () => {
  it("prices each kind of token at its own rate", () => {
    const tokens = { input: 1e6, cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6, output: 1e6 };
    expect(usageOf(tokens, price).usd).toBeCloseTo(4 + 0.2 + 5 + 8 + 20, 9);
  });

  it("never has a price for tokens of a model that has none, and costs nothing where there were no tokens", () => {
    expect(usageOf({ ...noTokens, output: 1 }, null).usd).toBeNull();
    expect(usageOf(noTokens, null).usd).toBe(0);
  });

  it("takes the higher rates for the whole of a prompt above the step, cache included", () => {
    const haiku = findProfile(shippedProfiles, "claude-haiku-5-5")?.price ?? null;
    expect(usageOf({ ...noTokens, input: 100_000, output: 1000 }, haiku).usd).toBeCloseTo(0.01 + 0.0005, 9);
    expect(usageOf({ ...noTokens, input: 1, cacheRead: 100_000, output: 1000 }, haiku).usd).toBeCloseTo(
      (0.5 + 100_000 * 0.05 + 1000 * 2.5) / 1e6,
      9,
    );
  });

  it("counts every token once", () => {
    fc.assert(
      fc.property(count, count, count, count, count, (input, cacheRead, cacheWrite5m, cacheWrite1h, output) => {
        const usage = usageOf({ input, cacheRead, cacheWrite5m, cacheWrite1h, output }, price);
        expect(tokensOf(usage)).toBe(input + cacheRead + cacheWrite5m + cacheWrite1h + output);
      }),
    );
  });
});

describe("createBudget", () => {
  it("lets a call through with what is left for its answer", () => {
    const grant = createBudget().grant({ tokens: 2000, usd: null }, plan);
    expect(grant).toMatchObject({ ok: true, maxOutputTokens: 1000 });
    expect(createBudget().grant({ tokens: null, usd: null }, plan)).toMatchObject({ ok: true, maxOutputTokens: null });
    expect(createBudget().grant({ tokens: 1e9, usd: 1e9 }, plan)).toMatchObject({ maxOutputTokens: 2000 });
  });

  it("stops before the call whose reply would not fit, and says what is missing", () => {
    expect(createBudget().grant({ tokens: 1499, usd: null }, plan)).toMatchObject({
      ok: false,
      reason: "the token budget would be broken: this call needs about 1500, 1499 are left",
    });
    const usd = createBudget().grant({ tokens: null, usd: 0.017 }, plan);
    expect(usd).toMatchObject({ ok: false, reason: expect.stringContaining("USD budget") });
  });

  it("cannot be broken by a granted call, whatever the call costs within its limits", () => {
    const amount = fc.double({ min: 0, max: 1, noNaN: true });
    const input = fc.nat({ max: 50_000 });
    fc.assert(
      fc.property(amount, fc.nat({ max: 100_000 }), input, amount, (usd, tokens, inputTokens, share) => {
        const sized = { ...plan, inputTokens };
        const grant = createBudget().grant({ tokens, usd }, sized);
        if (!grant.ok || grant.maxOutputTokens === null) return;
        const output = Math.floor(grant.maxOutputTokens * share);
        const used = usageOf({ ...noTokens, cacheWrite1h: inputTokens, output }, price);
        expect(tokensOf(used)).toBeLessThanOrEqual(tokens);
        expect(used.usd).toBeLessThanOrEqual(usd + 1e-9);
        expect(grant.maxOutputTokens).toBeGreaterThanOrEqual(plan.replyTokens);
      }),
    );
  });

  it("refuses a USD budget for a model without a price, and names the way out", () => {
    const grant = createBudget().grant({ tokens: null, usd: 100 }, { ...plan, price: null });
    expect(grant).toMatchObject({ ok: false, reason: expect.stringContaining("no price is known for the model m") });
  });

  it("counts what calls at the same time are expected to take, and what they have used", () => {
    const budget = createBudget();
    const told = { tokens: 4000, usd: null };
    const first = budget.grant(told, plan);
    const second = budget.grant(told, plan);
    // Each is expected to take 1500; the third has no room for its reply until one is settled for less.
    expect(first).toMatchObject({ ok: true, maxOutputTokens: 2000 });
    expect(second).toMatchObject({ ok: true, maxOutputTokens: 1500 });
    expect(budget.grant(told, plan).ok).toBe(false);
    if (first.ok) first.settle({ ...noUsage, calls: 1, input_tokens: 500, output_tokens: 500 });
    expect(budget.grant(told, plan)).toMatchObject({ ok: true, maxOutputTokens: 500 });
  });

  it("leaves room for a whole panel where its calls fit by what they are expected to take", () => {
    const budget = createBudget();
    const grants = [1, 2, 3, 4].map(() => budget.grant({ tokens: null, usd: 0.1 }, plan));
    expect(grants.map((grant) => grant.ok)).toEqual([true, true, true, true]);
  });

  it("takes a new remainder as it is told: what was used is in it already", () => {
    const budget = createBudget();
    const first = budget.grant({ tokens: 4000, usd: null }, plan);
    if (first.ok) first.settle({ ...noUsage, calls: 1, output_tokens: 2000 });
    expect(budget.grant({ tokens: 4000, usd: null }, plan)).toMatchObject({ ok: true, maxOutputTokens: 1000 });
    const again = createBudget();
    const call = again.grant({ tokens: 4000, usd: null }, plan);
    if (call.ok) call.settle({ ...noUsage, calls: 1, output_tokens: 2000 });
    expect(again.grant({ tokens: 3999, usd: null }, plan)).toMatchObject({ ok: true, maxOutputTokens: 2000 });
  });

  it("takes off what a call used that began under an earlier remainder and ended under this one", () => {
    const budget = createBudget();
    const early = budget.grant({ tokens: 9000, usd: null }, plan);
    const late = budget.grant({ tokens: 8000, usd: null }, plan);
    if (late.ok) late.settle(noUsage);
    if (early.ok) early.settle({ ...noUsage, calls: 1, output_tokens: 7000 });
    expect(budget.grant({ tokens: 8000, usd: null }, plan).ok).toBe(false);
    expect(budget.grant({ tokens: 7999, usd: null }, plan)).toMatchObject({ ok: true, maxOutputTokens: 2000 });
  });
});

describe("estimateTokens", () => {
  it("is not below four characters a token for Latin text, nor below one a character for Han and Hangul", () => {
    expect(estimateTokens("a".repeat(400))).toBeGreaterThanOrEqual(100);
    expect(estimateTokens("한국어".repeat(100))).toBeGreaterThanOrEqual(300);
  });
});
