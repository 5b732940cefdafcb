import { describe, expect, it } from "vitest";
import { codeGaps, isGateMet, isPassed, standingGaps } from "../../../src/core/deep/gates.ts";
import { type Config, fill } from "../../../src/core/deep/phrase.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import { loadLanguages } from "../../../src/prompt/languages.ts";
import { assumption, component, fact, interview, scoredRound, scores, trigger } from "./build.ts";

const config: Config = { languages: await loadLanguages(), sha256: () => "" };
const clear = scores(0.96, 0.96, 0.96);
const goal = { component: "a", dimension: "goal" as const };
const closed: DeepState["closure"] = { audited: true, failed: false, gaps: [], asked: [], raised: null };

/** Two clear components, scored, at the gate and audited: nothing stands in the way. */
function ready(more: Partial<DeepState> = {}): DeepState {
  return interview([component("a", clear), component("b", clear)], {
    threshold: 0.05,
    current_ambiguity: 0.04,
    rounds: [scoredRound(1, 0.04, { a: clear, b: clear })],
    closure: closed,
    ...more,
  });
}

const keys = (state: DeepState) => codeGaps(config, state).map(({ key }) => key);
const standing = (state: DeepState) => standingGaps(config, state).map(({ key }) => key);

describe("the gate", () => {
  it.each([
    [0.05, 0.05, true],
    [0.0501, 0.05, false],
    [0.0499, 0.05, true],
    [0.3, 0.3, true],
    // Sums of decimals do not decide.
    [0.1 + 0.2, 0.3, true],
  ])("D5.7 compares stored values as whole ten-thousandths: %f at %f is %s", (current_ambiguity, threshold, met) => {
    expect(isGateMet(ready({ current_ambiguity, threshold }))).toBe(met);
  });

  it("D5.7 is met by a scored round only, whatever the threshold", () => {
    expect(isGateMet(ready({ rounds: [], current_ambiguity: 1, threshold: 1 }))).toBe(false);
    const superseded = scoredRound(1, 0.04, {}, { superseded: true });
    expect(isGateMet(ready({ rounds: [superseded] }))).toBe(false);
  });
});

describe("the gaps that code sees", () => {
  it("D9.1 are none in a clear interview", () => {
    expect(keys(ready())).toEqual([]);
  });

  it.each(["goal", "constraints", "criteria"] as const)(
    "D9.1 hold an active pair that was never scored: %s",
    (dimension) => {
      const state = ready({
        topology: interview([component("a", clear), component("b", { ...clear, [dimension]: null })]).topology,
      });
      expect(codeGaps(config, state)).toEqual([
        {
          key: `pair:b/${dimension}`,
          component: "b",
          dimension,
          text: fill(config.languages.phrases["en"]?.["gap.pair"] ?? "", { component: "B", dimension }),
        },
      ]);
    },
  );

  it("D9.1 hold the context of a brownfield interview, and not that of a greenfield one", () => {
    expect(keys(ready({ type: "brownfield" }))).toEqual(["pair:a/context", "pair:b/context"]);
  });

  it.each([
    ["established", []],
    ["disputed", ["fact:f1"]],
    ["superseded", []],
  ] as const)("D9.1 hold a fact that is %s: %j", (status, expected) => {
    expect(keys(ready({ established_facts: [fact("f1", goal, { status })] }))).toEqual(expected);
  });

  it.each([
    ["active", ["trigger:t1"]],
    ["disputed", ["trigger:t1"]],
    ["unresolved", ["trigger:t1"]],
    ["resolved", []],
  ] as const)("D9.1 hold a trigger that is %s: %j", (status, expected) => {
    expect(keys(ready({ triggers: [trigger("t1", "B", goal, { status })] }))).toEqual(expected);
  });

  const cap = { ...goal, cap: 0.85, assumption_id: "as1" };
  it.each([
    ["left_open", [], ["assumption:as1"]],
    ["kept", [], ["assumption:as1"]],
    ["open", [cap], ["assumption:as1"]],
    // A sure one that holds up nothing is no gap (D4.5).
    ["open", [], []],
    ["confirmed", [cap], []],
    ["revised", [], []],
    ["answered", [], []],
  ] as const)("D9.1 hold an assumption that is %s with the caps %j: %j", (status, caps, expected) => {
    expect(keys(ready({ assumptions: [assumption("as1", 1, goal, { status })], caps: [...caps] }))).toEqual(expected);
  });

  it("D9.1 leave deferred components out, whatever is open there", () => {
    const deferred = component("a", {}, { status: "deferred" });
    const state = ready({
      topology: interview([deferred, component("b", clear)]).topology,
      established_facts: [fact("f1", goal, { status: "disputed" })],
      triggers: [trigger("t1", "B", goal)],
      assumptions: [assumption("as1", 1, goal, { status: "kept" })],
    });
    expect(keys(state)).toEqual([]);
  });
});

describe("the gaps that stand", () => {
  it("D9.1 D4.5 hold a pair that was left open, once, with what is known of it", () => {
    const gaps = { goal: "who starts it", constraints: "", criteria: "", context: "" };
    const topology = interview([component("a", clear, { gaps }), component("b", clear)]).topology;
    const left_open = [{ ...goal, reason: "deferred" }];
    expect(standingGaps(config, ready({ topology, left_open }))).toEqual([
      { key: "pair:a/goal", ...goal, text: "who starts it" },
    ]);
    // Code sees a gap there already.
    const disputed = ready({ topology, left_open, established_facts: [fact("f1", goal, { status: "disputed" })] });
    expect(standing(disputed)).toEqual(["fact:f1"]);
  });

  it("D9.1 hold what the last audit named on active components", () => {
    const gaps = ["a", "b"].map((id) => ({
      key: `audit:${id}/goal`,
      component: id,
      dimension: "goal" as const,
      text: "open",
    }));
    expect(standing(ready({ closure: { ...closed, gaps } }))).toEqual(["audit:a/goal", "audit:b/goal"]);
    const topology = interview([component("a", {}, { status: "deferred" }), component("b", clear)]).topology;
    expect(standing(ready({ topology, closure: { ...closed, gaps } }))).toEqual(["audit:b/goal"]);
  });

  it("D9.1 hold an audit that could not be made", () => {
    expect(standing(ready({ closure: { ...closed, failed: true } }))).toEqual(["audit:failed"]);
  });
});

describe("whether the interview passed", () => {
  const prose = {
    title: "A tool",
    goal: "It works",
    constraints: [],
    non_goals: [],
    criteria: [],
    assumptions: [],
    technical: [],
    coverage: [],
  };
  const gap = {
    text: "Unresolved: a/criteria",
    rounds: [],
    sources: [],
    provenance: "assumption" as const,
    covers: [],
  };

  it("D10.4 it did at the threshold, audited, with nothing open", () => {
    expect(isPassed(config, ready())).toBe(true);
    expect(isPassed(config, ready({ prose }))).toBe(true);
  });

  it.each<[string, Partial<DeepState>]>([
    ["above the threshold", { current_ambiguity: 0.0501 }],
    ["without an audit", { closure: { ...closed, audited: false } }],
    ["with an audit that failed", { closure: { ...closed, failed: true } }],
    ["with a gap of the audit", { closure: { ...closed, gaps: [{ key: "audit:a/goal", ...goal, text: "open" }] } }],
    ["with a dispute", { established_facts: [fact("f1", goal, { status: "disputed" })] }],
    ["with a trigger", { triggers: [trigger("t1", "C", goal)] }],
    ["with an assumption kept", { assumptions: [assumption("as1", 1, goal, { status: "kept" })] }],
    ["with a pair left open", { left_open: [{ ...goal, reason: "deferred" }] }],
    ["with a criterion that is a gap", { prose: { ...prose, criteria: [gap] } }],
    [
      "with a constraint that is a gap",
      { prose: { ...prose, constraints: [{ ...gap, text: "Unresolved: a/constraints" }] } },
    ],
    ["with a goal that is a gap", { prose: { ...prose, goal: "Unresolved: a/goal\nUnresolved: b/goal" } }],
  ])("D10.4 it did not %s", (_, more) => {
    expect(isPassed(config, ready(more))).toBe(false);
  });

  it("D10.4 a criterion that merely begins with the word is none", () => {
    const criteria = [{ ...gap, text: "Unresolved: tickets are listed first", rounds: [1] }];
    expect(isPassed(config, ready({ prose: { ...prose, criteria } }))).toBe(true);
  });
});
