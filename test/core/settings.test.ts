import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  defaultLimits,
  exampleSettings,
  Limits,
  modelRoles,
  settings,
  settingsSchema,
  Threshold,
  thresholdLine,
} from "../../src/core/settings.ts";
import { DEFAULT_MODEL, roleNames } from "../../src/model/roles.ts";

describe("the table of settings", () => {
  it("D0.5 has every limit once, at the default that the rules name", () => {
    expect(settings.flatMap(({ limit }) => limit ?? []).sort()).toEqual(Object.keys(Limits.shape).sort());
    expect(
      Object.fromEntries(settings.flatMap(({ key, limit, fallback }) => (limit ? [[key, fallback]] : []))),
    ).toEqual({
      maxRounds: 20,
      softWarningRound: 10,
      earlyExitRound: 3,
      stallWindow: 3,
      stallBand: 0.05,
      ontologyEscalationRound: 8,
      autoAnswerClarityCap: 0.85,
      autoAnswerStreak: 3,
      restateLoops: 2,
      "scoring.samples": 3,
      promptBudgetTokens: 4000,
      panelConcurrency: 4,
      "budget.questions": null,
      "budget.tokens": null,
      "budget.usd": null,
    });
    expect(Limits.parse(defaultLimits)).toEqual(defaultLimits);
  });

  it("has defaults that are valid, keys that are unique, and a line about each", () => {
    for (const { key, schema, fallback } of settings)
      expect([key, schema.safeParse(fallback).success]).toEqual([key, true]);
    expect(new Set(settings.map(({ key }) => key)).size).toBe(settings.length);
    for (const { about, valid } of settings) {
      expect(about).toMatch(/^[A-Z].{10,90}\.$/);
      expect(valid).toMatch(/^(?:a|an) \w/);
    }
  });

  it("D0.2 takes thresholds above 0 and up to 1, from 0.0001 on, and nothing but numbers", () => {
    for (const valid of [0.0001, 0.05, 0.125, 1]) expect(Threshold.safeParse(valid).success).toBe(true);
    for (const invalid of ["0.05", 0, -0.1, 1.0001, 1.5, 0.00009, null, true, [0.05], Number.NaN, Infinity]) {
      expect(Threshold.safeParse(invalid).success).toBe(false);
    }
  });

  it("takes odd numbers of samples only, so that a median is one of them", () => {
    const samples = settings.find(({ key }) => key === "scoring.samples")?.schema;
    expect([1, 2, 3, 4, 5, 0].map((count) => samples?.safeParse(count).success)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it("knows every role that a task can have a model by, and the model that all have by default", () => {
    expect(settings.find(({ key }) => key === "models.default")?.fallback).toBe(DEFAULT_MODEL);
    expect(roleNames.filter((role) => !modelRoles.some((known) => known === role))).toEqual([]);
  });
});

describe("what derives from the table", () => {
  const example = readFileSync(new URL("../../settings.example.json", import.meta.url), "utf8");

  it("D0.5 is settings.example.json, with every setting at its default", () => {
    expect(example).toBe(`${JSON.stringify(exampleSettings(), null, 2)}\n`);
    for (const { key } of settings) expect(example).toContain(`"${key.slice(key.lastIndexOf(".") + 1)}":`);
  });

  it("is a schema that the example fits, that refuses invalid values and lets other tools' keys through", () => {
    const schema = settingsSchema();
    expect(schema.safeParse(JSON.parse(example)).success).toBe(true);
    expect(schema.safeParse({ gjc: { theme: 1, deepInterview: { maxRounds: 3 } }, other: true }).success).toBe(true);
    expect(schema.safeParse({ gjc: { deepInterview: { maxRounds: "3" } } }).success).toBe(false);
    const json = JSON.stringify(z.toJSONSchema(schema));
    for (const { about } of settings) expect(json).toContain(JSON.stringify(about).slice(1, -1));
  });
});

describe("the threshold line", () => {
  it("D0.3 prints percent exactly, with up to two decimals and no trailing zeros, and the source", () => {
    expect(thresholdLine(0.05, "default")).toBe("Deep Interview threshold: 5% (source: default)");
    expect(thresholdLine(0.125, "flag:--threshold")).toBe("Deep Interview threshold: 12.5% (source: flag:--threshold)");
    expect(thresholdLine(0.0001, "./.gjc/settings.json")).toContain(" 0.01% ");
    expect(thresholdLine(1, "preset:--deep")).toContain(" 100% ");
    expect(thresholdLine(0.29, "default")).toContain(" 29% ");
  });

  it("D0.3 loses nothing of any threshold of four decimals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (units) => {
        const printed = / ([\d.]+)% /.exec(thresholdLine(units / 10_000, "default"))?.[1] ?? "";
        expect(Math.round(Number(printed) * 100)).toBe(units);
        expect(printed).not.toMatch(/\.\d*0$|\.$/);
      }),
    );
  });
});
