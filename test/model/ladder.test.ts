import { describe, expect, it } from "vitest";
import { createLadder, refusedFeature } from "../../src/model/ladder.ts";

describe("createLadder", () => {
  it("goes down one rung at a time, says why, and ends at words", () => {
    const ladder = createLadder();
    expect(ladder.at("e", "schema").form).toBe("schema");
    expect(ladder.down("e", "schema", "no format")).toBe(true);
    expect(ladder.down("e", "tool", "no tools")).toBe(true);
    expect(ladder.at("e", "schema").form).toBe("json");
    expect(ladder.down("e", "json", "still prose")).toBe(false);
    expect(ladder.moves()).toEqual([
      { endpoint: "e", what: "schema -> tool", why: "no format" },
      { endpoint: "e", what: "tool -> json", why: "no tools" },
    ]);
  });

  it("keeps endpoints apart", () => {
    const ladder = createLadder();
    ladder.at("a", "schema");
    ladder.down("a", "schema", "x");
    expect(ladder.at("b", "schema").form).toBe("schema");
  });

  it("counts a move that another call made, and moves no further for it", () => {
    const ladder = createLadder();
    ladder.at("e", "schema");
    expect([ladder.down("e", "schema", "x"), ladder.down("e", "schema", "x")]).toEqual([true, true]);
    expect(ladder.at("e", "schema").form).toBe("tool");
    expect(ladder.moves()).toHaveLength(1);
  });

  it("leaves an extra out once, and keeps it out on the next rung", () => {
    const ladder = createLadder();
    ladder.at("e", "schema");
    expect([ladder.drop("e", "effort", "x"), ladder.drop("e", "effort", "x")]).toEqual([true, false]);
    ladder.down("e", "schema", "x");
    expect([...ladder.at("e", "schema").without]).toEqual(["effort"]);
  });
});

describe("refusedFeature", () => {
  it("names the feature that a refusal is about", () => {
    for (const [message, feature] of [
      ["output_config.format: Extra inputs are not permitted", "format"],
      ["Unknown parameter: 'output_config'", "format"],
      ["The schema is too complex: 19 unions, 16 are allowed", "format"],
      ["structured outputs are not supported for this model", "format"],
      ["output_config.effort: this model does not support effort", "effort"],
      ["`temperature` may only be set to 1 for this model", "temperature"],
      ["tool_choice forces tool use, which this model does not support", "forced-tool"],
      ["tools: Extra inputs are not permitted", "tool"],
      ["cache_control.ttl: Extra inputs are not permitted", "cache-ttl"],
      ["cache_control is not supported", "cache"],
    ] as const) {
      expect(refusedFeature(message)).toBe(feature);
    }
  });

  it("names none for a refusal about something else", () => {
    for (const message of [
      "max_tokens: 0 is too small",
      "prompt is too long: 210000 tokens",
      "your credit balance is too low",
    ]) {
      expect(refusedFeature(message)).toBeNull();
    }
  });
});
