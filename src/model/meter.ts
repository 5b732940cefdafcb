/**
 * Tokens to usage to cost, and the guard that stops before a call that would break a budget. Every attempt counts.
 */
import type { Task, Usage } from "../core/machine.ts";
import { addUsage } from "../core/usage.ts";
import type { Price, Rates } from "./profiles.ts";
import type { Plan } from "./transport.ts";

/** Tokens of one attempt. `input` is what was neither read from the cache nor written to it. */
export interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
}

export const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };

/** No call at all; its price is known. */
export const noUsage: Usage = {
  calls: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  ms: 0,
  usd: 0,
};

/** The usage of one attempt; `usd` is null when tokens were used at a price that nobody knows. */
export function usageOf(tokens: Tokens, price: Price | null): Usage {
  return {
    calls: 1,
    input_tokens: tokens.input,
    cache_read_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
    output_tokens: tokens.output,
    ms: 0,
    usd: costOf(tokens, price),
  };
}

function costOf(tokens: Tokens, price: Price | null): number | null {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  if (prompt + tokens.output === 0) return 0;
  if (price === null) return null;
  const rates = ratesFor(price, prompt);
  const millions =
    tokens.input * rates.input +
    tokens.cacheRead * rates.cache_read +
    tokens.cacheWrite5m * rates.cache_write_5m +
    tokens.cacheWrite1h * rates.cache_write_1h +
    tokens.output * rates.output;
  return millions / 1_000_000;
}

function ratesFor(price: Price, promptTokens: number): Rates {
  return price.above !== undefined && promptTokens > price.above.prompt_tokens ? price.above : price;
}

/** All the tokens of a usage, as a token budget counts them. */
export function tokensOf(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens;
}

/** High on purpose: three bytes a token covers English, code and scripts whose characters are a token each. */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

export type Grant =
  /** `maxOutputTokens` keeps the answer inside the budget; null: no budget is set. */
  | { readonly ok: true; readonly maxOutputTokens: number | null; readonly settle: (usage: Usage) => void }
  | { readonly ok: false; readonly reason: string };

export interface Budget {
  /** Whether a call fits in what is left. A grant holds what is expected until it is settled with what was used. */
  grant(budget: Task["budget"], plan: Plan): Grant;
}

/**
 * Calls that run at the same time were all told the same remainder, so what the others are expected to take, or have
 * used since that remainder was told, comes off it. One call alone cannot break a budget: its answer is cut to what is
 * left. Parallel ones could together, by thinking far longer than expected; holding the worst case of each would stop
 * an interview at its first panel.
 */
export function createBudget(): Budget {
  let figures = "";
  let used = noUsage;
  const held = new Set<{ tokens: number; usd: number }>();
  return {
    grant(budget, plan) {
      const now = JSON.stringify([budget.tokens, budget.usd]);
      if (now !== figures) [figures, used] = [now, noUsage];
      const holds = [...held].reduce((sum, h) => ({ tokens: sum.tokens + h.tokens, usd: sum.usd + h.usd }), none);
      const left = {
        tokens: budget.tokens === null ? null : budget.tokens - tokensOf(used) - holds.tokens,
        usd: budget.usd === null ? null : budget.usd - (used.usd ?? Number.POSITIVE_INFINITY) - holds.usd,
      };
      const room = roomFor(left, plan);
      if (typeof room === "string") return { ok: false, reason: room };
      const hold = expected(plan);
      held.add(hold);
      const settle = (usage: Usage): void => {
        held.delete(hold);
        // A remainder that was told before this moment cannot have this call in it.
        used = addUsage(used, usage);
      };
      return { ok: true, maxOutputTokens: room, settle };
    },
  };
}

const none = { tokens: 0, usd: 0 };

function expected(plan: Plan): { tokens: number; usd: number } {
  const outputTokens = plan.replyTokens;
  const usd =
    plan.price === null ? 0 : inputUsd(plan, plan.price) + (outputTokens * rateOf(plan, plan.price)) / 1_000_000;
  return { tokens: plan.inputTokens + outputTokens, usd };
}

/** As if the whole prompt were written to the dearest cache. */
function inputUsd(plan: Plan, price: Price): number {
  const rates = ratesFor(price, plan.inputTokens);
  return (plan.inputTokens * Math.max(rates.input, rates.cache_write_5m, rates.cache_write_1h)) / 1_000_000;
}

function rateOf(plan: Plan, price: Price): number {
  return ratesFor(price, plan.inputTokens).output;
}

/** Output tokens that fit, null without a budget, or why the call must not be made. */
function roomFor(left: Task["budget"], plan: Plan): number | null | string {
  const rooms: number[] = [];
  if (left.tokens !== null) {
    const room = left.tokens - plan.inputTokens;
    if (room < plan.replyTokens)
      return short("token", `about ${plan.inputTokens + plan.replyTokens}`, `${Math.max(0, left.tokens)}`);
    rooms.push(room);
  }
  if (left.usd !== null) {
    if (plan.price === null) {
      return `no price is known for the model ${plan.model}, so a USD budget cannot be kept; add its price to the model profiles, or set a token budget`;
    }
    const output = rateOf(plan, plan.price);
    const rest = left.usd - inputUsd(plan, plan.price);
    const room = output === 0 ? plan.maxOutputTokens : Math.floor((rest * 1_000_000) / output);
    const needs = expected(plan).usd;
    if (rest < 0 || room < plan.replyTokens)
      return short("USD", `up to ${needs.toFixed(4)}`, Math.max(0, left.usd).toFixed(4));
    rooms.push(room);
  }
  return rooms.length === 0 ? null : Math.min(...rooms, plan.maxOutputTokens);
}

function short(unit: string, needs: string, left: string): string {
  return `the ${unit} budget would be broken: this call needs ${needs}, ${left} are left`;
}
