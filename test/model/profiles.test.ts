import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/errors.ts";
import {
  findProfile,
  maxTokens,
  overrideProfiles,
  profileOf,
  replyTokens,
  shippedProfiles,
} from "../../src/model/profiles.ts";
import { DEFAULT_MODEL, modelFor, roleNames } from "../../src/model/roles.ts";

describe("shipped profiles", () => {
  it("say when their prices were read", () => {
    expect(shippedProfiles.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it("know the default model, with a price, and send it neither temperature nor a forced tool", () => {
    const profile = findProfile(shippedProfiles, DEFAULT_MODEL);
    expect(profile).toMatchObject({ temperature: false, forced_tool: false, effort: true, thinking: "always" });
    expect(profile?.price).toMatchObject({
      input: 4,
      output: 20,
      cache_read: 0.2,
      cache_write_5m: 5,
      cache_write_1h: 8,
    });
  });

  it("keep writes to a cache dearer than plain input, and reads cheaper", () => {
    for (const { price } of Object.values(shippedProfiles.models)) {
      for (const rates of price === null ? [] : [price, ...(price.above === undefined ? [] : [price.above])]) {
        expect(rates.cache_read).toBeLessThan(rates.input);
        expect(rates.cache_write_5m).toBeGreaterThan(rates.input);
        expect(rates.cache_write_1h).toBeGreaterThan(rates.cache_write_5m);
        expect(rates.output).toBeGreaterThan(rates.input);
      }
    }
  });

  it("take temperature from no model after Opus 4.6", () => {
    const warm = Object.keys(shippedProfiles.models).filter((id) => shippedProfiles.models[id]?.temperature);
    expect(warm.sort()).toEqual([
      "claude-haiku-4-5",
      "claude-opus-4-5",
      "claude-opus-4-6",
      "claude-sonnet-4-5",
      "claude-sonnet-4-6",
    ]);
  });
});

describe("findProfile", () => {
  it("knows an id and the id with a date, and no other that begins alike", () => {
    expect(findProfile(shippedProfiles, "claude-haiku-4-5-20251001")).toBe(shippedProfiles.models["claude-haiku-4-5"]);
    for (const model of ["claude-opus-5-7", "claude-opus-5-5-fast", "anthropic/claude-opus-5-5", "gpt-9", ""]) {
      expect(findProfile(shippedProfiles, model)).toBeNull();
      expect(profileOf(shippedProfiles, model).price).toBeNull();
    }
  });
});

describe("overrideProfiles", () => {
  it("replaces single fields of a model that ships, and adds one that does not", () => {
    const profiles = overrideProfiles(
      shippedProfiles,
      { "claude-opus-5-5": { temperature: true }, "my-model": { max_output_tokens: 4000 } },
      "settings.json",
    );
    expect(findProfile(profiles, "claude-opus-5-5")).toMatchObject({ temperature: true, price: { input: 4 } });
    expect(findProfile(profiles, "my-model")).toMatchObject({ max_output_tokens: 4000, price: null });
    expect(findProfile(shippedProfiles, "claude-opus-5-5")?.temperature).toBe(false);
  });

  it("refuses what does not fit, and names file, model and field", () => {
    for (const wrong of [{ m: { temperature: "no" } }, { m: { colour: 1 } }, { m: { price: { input: -1 } } }, []]) {
      expect(() => overrideProfiles(shippedProfiles, wrong, "settings.json")).toThrow(UsageError);
    }
    expect(() => overrideProfiles(shippedProfiles, { m: { temperature: "no" } }, "settings.json")).toThrow(
      /settings\.json[\s\S]*m\.temperature/,
    );
  });
});

describe("maxTokens", () => {
  it("leaves room for thinking where the model thinks, within what it can write", () => {
    const thinking = profileOf(shippedProfiles, "claude-opus-5-5");
    const plain = profileOf(shippedProfiles, "claude-opus-4-6");
    const reply = replyTokens(shippedProfiles, "score");
    expect(maxTokens(shippedProfiles, thinking, "score")).toBe(reply + shippedProfiles.thinking_room);
    expect(maxTokens(shippedProfiles, plain, "score")).toBe(reply);
    expect(maxTokens(shippedProfiles, { ...thinking, max_output_tokens: 900 }, "score")).toBe(900);
  });
});

describe("modelFor", () => {
  it("takes the task's own model, else its role's, else the default", () => {
    const roles = { default: "d", panel: "p", scorer: "s", closure: "c" };
    expect(["panel", "score", "closure", "question"].map((task) => modelFor(roles, task))).toEqual([
      "p",
      "s",
      "c",
      "d",
    ]);
    expect(modelFor({}, "score")).toBe(DEFAULT_MODEL);
    expect(roleNames).toContain("architect");
  });
});
