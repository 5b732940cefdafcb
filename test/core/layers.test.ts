import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Layers, pickPreset, resolveSettings } from "../../src/core/layers.ts";
import { defaultLimits, defaultModel } from "../../src/core/settings.ts";
import { UsageError } from "../../src/errors.ts";

const none: Layers = { flags: {}, project: null, user: null, preset: null };
const project = (deepInterview: unknown) => ({ name: "./.gjc/settings.json", value: { gjc: { deepInterview } } });
const user = (deepInterview: unknown) => ({ name: "~/.gjc/settings.json", value: { gjc: { deepInterview } } });
const threshold = (layers: Partial<Layers>) => {
  const resolved = resolveSettings({ ...none, ...layers });
  return [resolved.threshold, resolved.thresholdSource];
};

/** What a person can write for the threshold, and what it is worth. */
const written: readonly (readonly [name: string, value: unknown, valid: number | null])[] = [
  ["absent", undefined, null],
  ["valid", 0.1, 0.1],
  ['"0.05"', "0.05", null],
  ["0", 0, null],
  ["1.5", 1.5, null],
  ["null", null, null],
];

describe("the threshold's layers", () => {
  it.each(written.flatMap((own) => written.map((other) => [own, other] as const)))(
    "D0.1 D0.2 project %j over user %j: the first valid one counts, one notice for each that was passed over",
    ([, own, ownValid], [, other, otherValid]) => {
      const value = (given: unknown) => (given === undefined ? {} : { ambiguityThreshold: given });
      const userValue = otherValid === null ? other : 0.2;
      const resolved = resolveSettings({ ...none, project: project(value(own)), user: user(value(userValue)) });
      const expected =
        ownValid !== null
          ? [0.1, "./.gjc/settings.json"]
          : otherValid !== null
            ? [0.2, "~/.gjc/settings.json"]
            : [0.05, "default"];
      expect([resolved.threshold, resolved.thresholdSource]).toEqual(expected);
      const passed = [
        ...(own !== undefined && ownValid === null ? ["./.gjc/settings.json"] : []),
        ...(ownValid === null && other !== undefined && otherValid === null ? ["~/.gjc/settings.json"] : []),
      ];
      expect(resolved.notices.map((notice) => notice.split(":")[0])).toEqual(passed);
    },
  );

  it("D0.2 names file, key, value and reason in the notice", () => {
    const { notices } = resolveSettings({ ...none, user: user({ ambiguityThreshold: "0.05" }) });
    expect(notices).toEqual([
      '~/.gjc/settings.json: gjc.deepInterview.ambiguityThreshold is the text "0.05", but it has to be a number above 0, at least 0.0001, and at most 1; the value is passed over.',
    ]);
    const shown = (value: unknown) =>
      resolveSettings({ ...none, user: user({ ambiguityThreshold: value }) }).notices[0] ?? "";
    expect(shown(null)).toContain(" is null, ");
    expect(shown(1.5)).toContain(" is 1.5, ");
    expect(shown([0.05])).toContain(" is a list, ");
    expect(shown(0.00009)).toContain(" is 0.00009, ");
  });

  it("D0.1 goes from flag to project, user, preset and default", () => {
    const all: Layers = {
      flags: { threshold: "0.3" },
      project: project({ ambiguityThreshold: 0.1 }),
      user: user({ ambiguityThreshold: 0.2 }),
      preset: "quick",
    };
    expect(threshold(all)).toEqual([0.3, "flag:--threshold"]);
    expect(threshold({ ...all, flags: {} })).toEqual([0.1, "./.gjc/settings.json"]);
    expect(threshold({ ...all, flags: {}, project: null })).toEqual([0.2, "~/.gjc/settings.json"]);
    expect(threshold({ preset: "quick" })).toEqual([0.6, "preset:--quick"]);
    expect(threshold({ preset: "standard" })).toEqual([0.5, "preset:--standard"]);
    expect(threshold({ preset: "deep" })).toEqual([0.35, "preset:--deep"]);
    expect(threshold({})).toEqual([0.05, "default"]);
  });

  it("D0.1 says so when a preset is beaten, and only then", () => {
    const beaten = resolveSettings({ ...none, user: user({ ambiguityThreshold: 0.2 }), preset: "deep" });
    expect(beaten.notices).toEqual([
      "--deep (threshold 35%) has no effect: ~/.gjc/settings.json sets the threshold to 0.2.",
    ]);
    expect(resolveSettings({ ...none, flags: { threshold: "0.1" }, preset: "quick" }).notices).toHaveLength(1);
    expect(resolveSettings({ ...none, preset: "quick" }).notices).toEqual([]);
  });

  it("D0.1 takes at most one preset", () => {
    expect(pickPreset({})).toBeNull();
    expect(pickPreset({ quick: false, deep: true })).toBe("deep");
    expect(() => pickPreset({ quick: true, deep: true })).toThrow(UsageError);
  });

  it("D0.2 refuses an invalid flag instead of passing it over", () => {
    for (const given of ["0", "1.5", "", " ", "abc", "0x1", "-0.1", "+0.1", "5%", "0.05 ", "1e-9", "null", "0,05"]) {
      expect(() => threshold({ flags: { threshold: given } })).toThrow(UsageError);
    }
    expect(threshold({ flags: { threshold: "1e-2" } })).toEqual([0.01, "flag:--threshold"]);
    expect(threshold({ flags: { threshold: ".5" } })).toEqual([0.5, "flag:--threshold"]);
    expect(threshold({ flags: { threshold: 0.2 } })).toEqual([0.2, "flag:--threshold"]);
  });

  it("D0.2 keeps four decimals, rounded half up", () => {
    expect(threshold({ project: project({ ambiguityThreshold: 0.12345 }) })[0]).toBe(0.1235);
    expect(threshold({ flags: { threshold: "0.00014" } })[0]).toBe(0.0001);
  });

  it("D0.1 D0.2 always gives a valid threshold and never throws, whatever a file holds", () => {
    const json = fc.oneof(fc.jsonValue(), fc.double(), fc.record({ ambiguityThreshold: fc.jsonValue() }));
    fc.assert(
      fc.property(json, json, (own, other) => {
        const resolved = resolveSettings({ ...none, project: project(own), user: { name: "user", value: other } });
        expect(resolved.threshold).toBeGreaterThanOrEqual(0.0001);
        expect(resolved.threshold).toBeLessThanOrEqual(1);
        expect(Number.isInteger(Math.round(resolved.threshold * 1e8) / 1e4)).toBe(true);
      }),
    );
  });
});

describe("keys in a file", () => {
  const file = (value: unknown) => resolveSettings({ ...none, project: { name: "./.gjc/settings.json", value } });

  it("D0.1 may be nested or flat dotted in any mixture, and the flat one wins inside one file", () => {
    const spellings = [
      { gjc: { deepInterview: { ambiguityThreshold: 0.1, scoring: { samples: 5 } } } },
      { "gjc.deepInterview.ambiguityThreshold": 0.1, "gjc.deepInterview.scoring.samples": 5 },
      { "gjc.deepInterview": { ambiguityThreshold: 0.1, "scoring.samples": 5 } },
      { gjc: { "deepInterview.ambiguityThreshold": 0.1, "deepInterview.scoring": { samples: 5 } } },
    ];
    for (const spelling of spellings) {
      const { threshold: value, limits, notices } = file(spelling);
      expect([value, limits.scoringSamples, notices]).toEqual([0.1, 5, []]);
    }
    const nested = { gjc: { deepInterview: { ambiguityThreshold: 0.4 } } };
    const flat = { "gjc.deepInterview.ambiguityThreshold": 0.1 };
    expect(file({ ...nested, ...flat }).threshold).toBe(0.1);
    expect(file({ ...flat, ...nested }).threshold).toBe(0.1);
  });

  it("D0.1 D0.2 an invalid flat value is passed over for the next layer, not for the nested one beside it", () => {
    const value = { gjc: { deepInterview: { ambiguityThreshold: 0.4 } }, "gjc.deepInterview.ambiguityThreshold": 0 };
    expect([file(value).threshold, file(value).notices.length]).toEqual([0.05, 1]);
  });

  it("D0.2 are named with the nearest known one when they are unknown", () => {
    const nearest = (key: string, value: unknown = 1) =>
      /nearest one is gjc\.deepInterview\.([\w.-]+?)\.$/.exec(
        file({ gjc: { deepInterview: { [key]: value } } }).notices[0] ?? "",
      )?.[1];
    expect(nearest("ambiguityTreshold")).toBe("ambiguityThreshold");
    expect(nearest("threshold")).toBe("ambiguityThreshold");
    expect(nearest("max_rounds")).toBe("maxRounds");
    expect(nearest("MAXROUNDS")).toBe("maxRounds");
    expect(nearest("samples")).toBe("scoring.samples");
    expect(nearest("usd")).toBe("budget.usd");
    expect(nearest("scoring", { sample: 3 })).toBe("scoring.samples");
    expect(nearest("models", { panels: "x" })).toBe("models.panel");
  });

  it("D0.2 give one notice for an unknown group, and none for other tools' keys", () => {
    const { notices } = file({ gjc: { theme: "x", deepInterview: { extra: { a: 1, b: 2 } } }, editor: {} });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("gjc.deepInterview.extra;");
  });

  it("are passed over with a notice where an object is expected and something else stands", () => {
    expect(file({ gjc: 5 }).notices).toEqual([
      "./.gjc/settings.json: gjc is 5, but it has to be an object; it is passed over.",
    ]);
    expect(file({ gjc: { deepInterview: [1] } }).notices[0]).toContain("gjc.deepInterview is a list,");
    expect(file({ gjc: { deepInterview: { scoring: 5 } } }).notices[0]).toContain("gjc.deepInterview.scoring is 5,");
  });

  it("bring no control character and no long text to a terminal", () => {
    const esc = String.fromCharCode(27);
    const { notices } = file({
      gjc: { deepInterview: { [`${esc}[31mkey\u202e`]: 1, maxRounds: `${esc}]0;title${"x".repeat(500)}` } },
    });
    expect(notices).toHaveLength(2);
    for (const notice of notices) {
      expect(notice).not.toMatch(/\p{C}/u);
      expect(notice.length).toBeLessThan(300);
    }
  });
});

describe("the other settings", () => {
  it("D0.5 are chosen key by key, each with the source it comes from", () => {
    const { limits, values } = resolveSettings({
      ...none,
      flags: { budgetUsd: "1.5", budgetQuestions: "7" },
      project: project({ maxRounds: 30, stallBand: 2, budget: { tokens: 1000, usd: 9 } }),
      user: user({ maxRounds: 40, stallBand: 0.1, softWarningRound: 12 }),
    });
    expect(limits).toEqual({
      ...defaultLimits,
      maxRounds: 30,
      stallBand: 0.1,
      softWarningRound: 12,
      budgetTokens: 1000,
      budgetUsd: 1.5,
      budgetQuestions: 7,
    });
    const source = (key: string) => values.find((value) => value.key === key)?.source;
    expect(source("maxRounds")).toBe("./.gjc/settings.json");
    expect(source("stallBand")).toBe("~/.gjc/settings.json");
    expect(source("budget.usd")).toBe("flag:--budget-usd");
    expect(source("earlyExitRound")).toBe("default");
  });

  it.each([
    ["maxRounds", 0],
    ["maxRounds", 2.5],
    ["maxRounds", "20"],
    ["maxRounds", 1e21],
    ["earlyExitRound", -1],
    ["stallWindow", 1],
    ["stallBand", 1.1],
    ["autoAnswerClarityCap", null],
    ["scoring.samples", 2],
    ["promptBudgetTokens", 10],
    ["panelConcurrency", true],
    ["budget.questions", 0],
    ["budget.usd", 0],
    ["models.score", ""],
    ["models.default", 7],
  ])("D0.5 passes over an invalid %s of %j with one notice that names it", (key, value) => {
    const { notices, limits } = resolveSettings({ ...none, user: user({ [key]: value }) });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`gjc.deepInterview.${key} is `);
    expect(limits).toEqual(defaultLimits);
  });

  it("D0.5 null takes a budget away that another layer sets", () => {
    const { limits } = resolveSettings({
      ...none,
      project: project({ budget: { usd: null } }),
      user: user({ budget: { usd: 3, tokens: 5 } }),
    });
    expect([limits.budgetUsd, limits.budgetTokens]).toEqual([null, 5]);
  });

  it("refuses an invalid budget flag, naming it", () => {
    for (const [name, flag] of [
      ["budgetQuestions", "--budget-questions"],
      ["budgetTokens", "--budget-tokens"],
      ["budgetUsd", "--budget-usd"],
    ] as const) {
      expect(() => resolveSettings({ ...none, flags: { [name]: "0" } })).toThrow(flag);
    }
    expect(() => resolveSettings({ ...none, flags: { budgetQuestions: "2.5" } })).toThrow(UsageError);
  });

  it("D0.5 gives models by role, and one model for everything when a flag names it", () => {
    const layers = {
      ...none,
      project: project({ models: { score: "a", panel: null } }),
      user: user({ "models.panel": "b" }),
    };
    expect(resolveSettings(layers).models).toEqual({ default: defaultModel, score: "a" });
    expect(resolveSettings({ ...layers, flags: { model: "c" } }).models).toEqual({ default: "c" });
    expect(resolveSettings(none).models).toEqual({ default: defaultModel });
  });

  it("hands model profiles on unread, with the file they stand in", () => {
    const value = { "some-model": { temperature: true } };
    expect(resolveSettings({ ...none, user: user({ modelProfiles: value }) }).modelProfiles).toEqual({
      key: "modelProfiles",
      value,
      source: "~/.gjc/settings.json",
    });
    expect(resolveSettings(none).modelProfiles).toBeNull();
  });

  it("mentions a limit that somebody set and that can never be reached, and takes it all the same", () => {
    const { limits, notices } = resolveSettings({ ...none, project: project({ softWarningRound: 30 }) });
    expect(limits.softWarningRound).toBe(30);
    expect(notices).toEqual([
      "./.gjc/settings.json: gjc.deepInterview.softWarningRound is 30, above maxRounds (20), so it is never reached.",
    ]);
    expect(resolveSettings({ ...none, project: project({ maxRounds: 5 }) }).notices).toEqual([]);
  });
});
