import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/core/settings.ts";
import { addUsage, noUsage } from "../../src/core/usage.ts";
import { answering, levels } from "./script.ts";
import { ask, eventsOf, lock, tasksOf } from "./turns.ts";
import { createWorld, pick, user } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };

describe("a budget of tokens", () => {
  it("D8.2 stops before the call that would break it: no spec, nothing recorded, nothing asked again, resumable where it is", async () => {
    // A call is taken for 20 tokens and uses 15: five fit, the sixth does not.
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, budgetTokens: 90 } } });
    const result = await world.run(answering());
    expect(result).toEqual({ type: "stopped", reason: expect.stringContaining("token budget") });
    expect(tasksOf(world)).toHaveLength(5);
    expect(world.state()).toMatchObject({ spec: null, closing_reason: null, meter: { calls: 5 } });
    expect(eventsOf(world, "task.failed")).toEqual([]);
    const [revision, asked] = [world.interview.revision(), world.asked.length];
    await world.reopen();
    expect((await world.run(answering())).type).toBe("stopped");
    expect([world.interview.revision(), world.asked.length, tasksOf(world).length]).toEqual([revision, asked, 5]);
  });

  it("D8.2 keeps the answer whose score did not fit any more", async () => {
    // Topology, question, and no more.
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, budgetTokens: 45 } } });
    await lock(world);
    const result = await world.run(answering({ round: pick("b") }));
    expect(result.type).toBe("stopped");
    expect(world.state().rounds).toMatchObject([
      { round: 1, lifecycle: "answered", selected_options: ["Another way for import"] },
    ]);
  });

  it("stops a panel that did not fit as a whole, keeps the personas that did, and no failure is counted", async () => {
    const world = await createWorld({ replies: levels([0.5]), start: { limits: { ...limits, budgetTokens: 95 } } });
    await lock(world);
    const result = await world.run(answering());
    expect(result.type).toBe("stopped");
    expect(world.state()).toMatchObject({ lateral_panel_failures: 0, lateral_reviews: [] });
    expect(eventsOf(world, "task.completed").filter(({ task }) => task === "panel").length).toBeGreaterThan(0);
  });

  it("stops a USD budget at once where no price is known, and says what to do about it", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, budgetUsd: 5 } } });
    const result = await world.run(answering());
    expect(result).toEqual({ type: "stopped", reason: expect.stringContaining("no price is known for the model") });
    expect(tasksOf(world)).toEqual([]);
  });
});

describe("the meter of an interview", () => {
  it("D8.1 adds up every call, failed ones included, by round and in all", async () => {
    const replies = { ...levels([0.3]), "auto-answer": () => "rubbish" };
    const world = await createWorld({ replies, start: { limits: { ...limits, maxRounds: 2 } } });
    await lock(world);
    await ask(world, user({ as: "opt-out" }));
    await world.run(answering());
    const { meter, round_meters } = world.state();
    expect(meter.calls).toBe(tasksOf(world).length);
    expect(meter).toMatchObject({ input_tokens: 10 * meter.calls, output_tokens: 5 * meter.calls });
    expect(round_meters.reduce((sum, item) => addUsage(sum, item.usage), noUsage)).toMatchObject({
      calls: meter.calls,
      input_tokens: meter.input_tokens,
    });
    expect(round_meters.map(({ round }) => round)).toEqual([null, 1, 2]);
  });

  it("D8.1 gives one report after each scored round, and none after any other", async () => {
    const world = await createWorld({ replies: levels([0.3, 0.4, 0.5, 0.95]), start: { limits } });
    let count = 0;
    await world.run(
      answering({
        round: () => {
          count += 1;
          return count === 2 ? user({ as: "defer", by: "script" }) : pick("a");
        },
      }),
    );
    const reports = world.messages.flatMap((message) => (message.type === "report" ? [message.view] : []));
    expect(reports.map((view) => view["round"])).toEqual(
      eventsOf(world, "round.scored").map(({ round_id: id }) => Number(id.slice(1))),
    );
    expect(reports.length).toBeGreaterThan(1);
  });
});
