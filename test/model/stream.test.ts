import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, createGathered, type Gathered, gather, gatherWhole } from "../../src/model/stream.ts";
import { eventsOf, type Said } from "./endpoint.ts";

function gathered(events: readonly unknown[], ttl: "5m" | "1h" = "1h"): Gathered {
  const into = createGathered();
  for (const event of events) gather(into, event, ttl);
  return into;
}
const answer = (said: Said) => answerOf(gathered(eventsOf(said)), "reply");

describe("gather", () => {
  it("puts any text together again, whatever pieces it came in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(answer({ text }).text).toBe(text);
      }),
    );
  });

  it("takes the input of our tool for the reply, byte for byte, so that a key that stands twice is seen", () => {
    const json = '{"score":0.2,"score":0.9}';
    expect(answer({ tool: { name: "reply", json } })).toEqual({ text: json, toolCall: null });
  });

  it("names another tool that was called in place of a text", () => {
    expect(answer({ tool: { name: "write_file", json: "{}" } })).toEqual({ text: "", toolCall: "write_file" });
  });

  it("passes over thinking and events of kinds that nobody knows", () => {
    const [start, ...rest] = eventsOf({ text: '{"a":1}' }).map((event) => JSON.parse(JSON.stringify(event)));
    const thinking = [
      { type: "content_block_start", index: 5, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 5, delta: { type: "thinking_delta", thinking: "hm" } },
      { type: "from_the_future", index: 1 },
      null,
      "text",
    ];
    const result = gathered([start, ...thinking, ...rest]);
    expect(answerOf(result, "reply")).toEqual({ text: '{"a":1}', toolCall: null });
    expect(result.isComplete).toBe(true);
  });

  it("24 is not complete before its last event", () => {
    const events = eventsOf({ text: "abc" });
    for (let keep = 0; keep < events.length; keep += 1) expect(gathered(events.slice(0, keep)).isComplete).toBe(false);
  });

  it("counts tokens once though the service repeats them, and prices writes by the lifetime asked for when it says none", () => {
    const usage = { input_tokens: 7, cache_creation_input_tokens: 300, cache_read_input_tokens: 11 };
    const start = { type: "message_start", message: { model: "m", usage } };
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { ...usage, output_tokens: 9 } };
    const hour = { input: 7, cacheRead: 11, cacheWrite5m: 0, cacheWrite1h: 300, output: 9 };
    expect(gathered([start, end], "1h").tokens).toEqual(hour);
    expect(gathered([start, end], "5m").tokens).toEqual({ ...hour, cacheWrite5m: 300, cacheWrite1h: 0 });
    const said = { ...usage, cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 } };
    const split = gathered([{ type: "message_start", message: { usage: said } }, end], "5m").tokens;
    expect(split).toEqual({ ...hour, cacheWrite5m: 100, cacheWrite1h: 200 });
  });
});

describe("gatherWhole", () => {
  it("reads a message that came in one piece, and nothing that is none", () => {
    const into = createGathered();
    expect(gatherWhole(into, { error: "x" }, "1h")).toBe(false);
    expect(into.isComplete).toBe(false);
    const content = [{ type: "thinking" }, { type: "text", text: "a" }, { type: "text", text: "b" }];
    expect(gatherWhole(into, { type: "message", content, stop_reason: "end_turn" }, "1h")).toBe(true);
    expect(answerOf(into, "reply").text).toBe("ab");
  });
});
