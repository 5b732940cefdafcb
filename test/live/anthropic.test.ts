/**
 * Against the real service, with the credential of the environment; costs money and never runs by default. It holds
 * what no double can: that the service takes our schemas and requests as they are, and that a prefix is read again.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { replies, shared } from "../../src/core/deep/tasks.ts";
import { createAnthropic } from "../../src/model/anthropic.ts";
import { createLadder } from "../../src/model/ladder.ts";
import { hasCredential } from "../../src/model/sdk.ts";
import { createModel } from "../../src/model/text.ts";
import type { Clock, Prompts } from "../../src/ports.ts";
import { taskNamed } from "../model/doubles.ts";
import { values } from "../model/values.ts";

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }),
};

/** Asks for a given value back, so that the schema is what is tested and not the wording. */
const prompts: Prompts = {
  render: async (task) => ({
    system: "You answer with the JSON you are given, unchanged. ".repeat(60),
    blocks: [
      { text: "This part is the same for every task. ".repeat(120), cache: task.prefix !== null },
      { text: `${JSON.stringify(task.input["value"] ?? task.input)}\n\ntask: ${task.name}`, cache: false },
    ],
  }),
  document: () => Promise.reject(new Error("no document here")),
};

describe.skipIf(!hasCredential(process.env))("the real service", () => {
  const ladder = createLadder();
  const transport = createAnthropic({ env: process.env, ladder, ttl: "5m" });
  const model = createModel({ transport, prompts, clock });

  for (const name of Object.keys(replies) as (keyof typeof replies)[]) {
    it(`takes the schema of ${name} and answers to it`, { timeout: 120_000 }, async () => {
      const value = shared.has(name) ? { reply: values[name] } : values[name];
      const outcome = await model.run(taskNamed(name, { input: { value } }), { check: () => [] });
      expect(outcome).toMatchObject({ ok: true });
      expect(outcome.usage.usd).toBeGreaterThan(0);
      expect(ladder.moves()).toEqual([]);
    });
  }

  it("reads the shared prefix from the cache in the second call", { timeout: 240_000 }, async () => {
    const prefix = { stable: {}, rounds: [] };
    const ask = (name: "score" | "panel") =>
      model.run(taskNamed(name, { prefix, input: { value: { reply: values[name] } } }), { check: () => [] });
    await ask("score");
    expect((await ask("panel")).usage.cache_read_tokens).toBeGreaterThan(0);
  });
});
