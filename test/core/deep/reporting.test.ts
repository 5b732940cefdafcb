import { describe, expect, it } from "vitest";
import { scoreRound } from "../../../src/core/deep/assessment.ts";
import type { DeepEventOf } from "../../../src/core/deep/events.ts";
import { evolve } from "../../../src/core/deep/evolve.ts";
import type { Config } from "../../../src/core/deep/phrase.ts";
import type { ReportView } from "../../../src/core/deep/report.ts";
import { reportView } from "../../../src/core/deep/reporting.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import type { ScoreReply } from "../../../src/core/deep/tasks.ts";
import { loadLanguages } from "../../../src/prompt/languages.ts";
import { answered, component, interview, reply, round, scores, trigger, triggerClaim } from "./build.ts";

const config: Config = { languages: await loadLanguages(), sha256: () => "" };
const at = "2026-08-01T10:00:00.000Z";
const pair = { component: "a", dimension: "goal" as const };

/** One and the next state, and the report between them. */
function score(
  before: DeepState,
  scored: Parameters<typeof reply>[0],
  more: Partial<ScoreReply> = {},
  number: number | null = before.round_count + 1,
): { readonly view: ReportView; readonly after: DeepState; readonly event: DeepEventOf<"round.scored"> } {
  const state = answered(before, round(number, pair, { question_id: "q1" }));
  const id = number === null ? "c1" : `r${number}`;
  const event = scoreRound(state, id, [reply(scored, more)]);
  const after = evolve(state, { ...event, seq: 9, at });
  return { view: reportView(config, state, event, after), after, event };
}

const two = (more: Partial<DeepState> = {}) =>
  interview([component("a"), component("b")], { threshold: 0.05, language: null, ...more });
const even = (value: number) => ({
  a: scores(value, value, value),
  b: scores(value, value, value),
});

describe("the table", () => {
  it("D8.1 has a row a dimension: the minimum of the active components, weight, product, and the weakest one's gap", () => {
    const { view } = score(two(), { a: scores(0.5, 0.8, 0.96), b: scores(0.7, 0.6, 0.97) });
    expect(view.rows).toEqual([
      { label: "Goal", score: 0.5, weight: 0.4, weighted: 0.2, gap: "what is left" },
      { label: "Constraints", score: 0.6, weight: 0.3, weighted: 0.18, gap: "what is left" },
      { label: "Success Criteria", score: 0.96, weight: 0.3, weighted: 0.288, gap: "what is left" },
    ]);
    expect(view).toMatchObject({ round: 1, prior_ambiguity: "100%", ambiguity: "33.2%", direction: "down" });
  });

  it("D8.1 names the gap of the weakest component on the dimension, and Clear where there is none", () => {
    const scored = reply({ a: scores(0.5, 0.96, 0.96), b: scores(0.6, 0.97, 0.97) });
    const components = scored.components.map((item) => ({
      ...item,
      dimensions: item.dimensions.map((one) => ({
        ...one,
        gap: one.dimension === "goal" ? `open at ${item.component}` : "",
      })),
    }));
    const { view } = score(two(), {}, { components });
    expect(view.rows.map(({ gap }) => gap)).toEqual(["open at a", "Clear", "Clear"]);
  });

  it("D8.1 has a fourth row in a brownfield interview, and its weights", () => {
    const state = two({ type: "brownfield" });
    const { view } = score(state, { a: scores(0.4, 0.4, 0.4, 0.4), b: scores(0.4, 0.4, 0.4, 0.4) });
    expect(view.rows.map(({ label, weight, weighted }) => [label, weight, weighted])).toEqual([
      ["Goal", 0.35, 0.14],
      ["Constraints", 0.25, 0.1],
      ["Success Criteria", 0.25, 0.1],
      ["Context (brownfield)", 0.15, 0.06],
    ]);
  });

  it("D8.1 leaves a pair that was never scored blank", () => {
    const { view } = score(two(), { a: { goal: 0.5 }, b: { goal: 0.5 } });
    expect(view.rows.map(({ score: value, weighted }) => [value, weighted])).toEqual([
      [0.5, 0.2],
      [null, 0],
      [null, 0],
    ]);
  });

  it("D8.1 D5.3 says which way ambiguity went, and names the trigger when it rose", () => {
    const first = score(two(), even(0.5)).after;
    expect(score(first, even(0.5)).view).toMatchObject({ direction: "flat", trigger: "" });
    expect(score(first, even(0.6)).view).toMatchObject({ direction: "down", trigger: "" });
    expect(score(first, even(0.4)).view).toMatchObject({ direction: "up", trigger: "" });
    const risen = score(
      first,
      { a: scores(0.3, 0.5, 0.5), b: scores(0.5, 0.5, 0.5) },
      { triggers: [triggerClaim("B", pair)] },
    );
    expect(risen.view).toMatchObject({
      prior_ambiguity: "50%",
      ambiguity: "58%",
      direction: "up",
      trigger: "B internal inconsistency",
    });
  });

  it("D8.1 D5.6 shows a sampling margin where the stored ambiguity is above the formula", () => {
    const state = answered(two(), round(1, pair));
    const event = { ...scoreRound(state, "r1", [reply(even(0.5))]), sampling_margin: 0.0125 };
    const after = evolve(state, { ...event, seq: 9, at });
    expect(reportView(config, state, event, after).sampling_margin).toBe("1.25%");
    expect(score(two(), even(0.5)).view.sampling_margin).toBeNull();
  });
});

describe("the lines below it", () => {
  it("D8.1 say what was targeted, how many are active and deferred, and where rotation stands", () => {
    const state = interview([component("a"), component("b"), component("c", {}, { status: "deferred" })]);
    const targeted = { ...state, topology: { ...state.topology, last_targeted_component_id: "a" } };
    expect(score(targeted, even(0.5)).view.topology).toEqual({
      targeted: "A",
      active: 2,
      deferred: 1,
      last_targeted: "a",
    });
  });

  it("D2.2 show the locked topology in the next report, and in that alone", () => {
    const locked = two();
    const state = { ...locked, topology: { ...locked.topology, confirmed_at: "2026-08-01T09:00:00.000Z" } };
    const first = score(state, even(0.5));
    expect(first.view.locked).toEqual([
      { name: "A", status: "active", description: "What a does" },
      { name: "B", status: "active", description: "What b does" },
    ]);
    expect(score(first.after, even(0.5)).view.locked).toEqual([]);
  });

  it("D6.2 list who matched whom beside the numbers; the first stability is N/A", () => {
    const entity = (name: string) => ({ name, type: "core domain", fields: ["id", "at"], relationships: [] });
    const first = score(two(), even(0.5), { entities: [entity("Order")] });
    expect(first.view.ontology).toMatchObject({ entities: 1, stability: "N/A", new: 1, changed: 0, stable: 0 });
    const second = score(first.after, even(0.5), { entities: [entity("order"), entity("Bill"), entity("Tax")] });
    expect(second.view.ontology).toMatchObject({ entities: 3, stability: "33.33%", new: 2, changed: 0, stable: 1 });
    expect(second.view.ontology.matching).toHaveLength(3);
  });

  it("D8.1 D7.1 name the milestone before and after, and the panel that it convenes", () => {
    const first = score(two(), even(0.5));
    expect(first.view.milestone).toEqual({ from: "initial", to: "progress", panel: true });
    const same = score({ ...first.after, panel_due: null }, even(0.52));
    expect(same.view.milestone).toEqual({ from: "progress", to: "progress", panel: false });
  });

  it("D8.1 name the next target with its reason, and close on its dimension", () => {
    const { view } = score(two(), { a: scores(0.9, 0.9, 0.9), b: scores(0.9, 0.3, 0.9) });
    expect(view.next).toEqual({ component: "B", dimension: "constraints", why: "what is left" });
    expect(view.closing).toBe("Focusing next question on: constraints");
  });

  it("D8.1 name a trigger's pair and what happened there", () => {
    const first = score(two(), even(0.5)).after;
    const claims = { triggers: [triggerClaim("A", { component: "b", dimension: "criteria" })] };
    const { view } = score(first, { a: scores(0.5, 0.5, 0.5), b: scores(0.5, 0.5, 0.2) }, claims);
    expect(view.next).toMatchObject({ component: "B", dimension: "criteria" });
    expect(view.next?.why).toContain("contradict");
  });

  it("D8.1 say that the threshold is met, and name no further target", () => {
    const { view } = score(two(), even(0.96));
    expect(view).toMatchObject({ next: null, closing: "Clarity threshold met! Ready to proceed." });
  });

  it("D8.1 D2.6 name the question that is owed although the threshold is met", () => {
    const owed = trigger("t1", "D", { component: "b", dimension: "goal" }, { status: "unresolved" });
    const { view } = score(two({ triggers: [owed] }), even(0.96));
    expect(view.next).toMatchObject({ component: "B", dimension: "goal" });
  });

  it("D8.1 D9.3 D11.2 name the target of a round that has to be asked in any case", () => {
    const { view } = score(two({ must_ask: true }), even(0.96));
    expect(view.next).toMatchObject({ component: "A", dimension: "goal" });
  });

  it.each<[string, Partial<DeepState>]>([
    ["the cap", { round_cap: 1 }],
    ["the question budget", { limits: { ...two().limits, budgetQuestions: 1 } }],
    ["an exit that waited for this score", { closing_reason: "early-exit" }],
  ])("D8.1 D9.2 name no target after %s, for none will be asked about", (_, more) => {
    const { view } = score(two(more), even(0.5));
    expect(view).toMatchObject({ next: null, closing: "" });
  });

  it("D8.1 D4.5 name no target when nothing is left to ask", () => {
    const left_open = (["goal", "constraints", "criteria"] as const).map((dimension) => ({
      component: "a",
      dimension,
      reason: "left-open",
    }));
    const { view } = score(two({ left_open }), { a: scores(0.5, 0.5, 0.5), b: scores(0.97, 0.97, 0.97) });
    expect(view.next).toBeNull();
  });

  it("D8.1 D9.3 have no round number after a correction of the goal", () => {
    const first = score(two(), even(0.5)).after;
    expect(score(first, even(0.5), {}, null).view.round).toBeNull();
  });
});

describe("what it cost", () => {
  const usage = (calls: number, usd: number | null) => ({
    calls,
    input_tokens: 100,
    cache_read_tokens: 20,
    cache_write_tokens: 3,
    output_tokens: 4,
    ms: 1,
    usd,
  });

  it("D8.1 gives calls, tokens and cost of the round and of all", () => {
    const state = two({
      meter: usage(5, 0.25),
      round_meters: [
        { round: null, usage: usage(3, 0.15) },
        { round: 1, usage: usage(2, 0.1) },
      ],
    });
    expect(score(state, even(0.5)).view.meter).toBe(
      "2 model call(s), 127 tokens, $0.1000 this round; 5 call(s), $0.2500 in all.",
    );
    // A correction is filed under the round before it.
    const first = score(state, even(0.5)).after;
    expect(score(first, even(0.5), {}, null).view.meter).toContain("2 model call(s), 127 tokens");
  });

  it("D8.1 says that a price is not known, and nothing where no model was called", () => {
    const state = two({ meter: usage(1, null), round_meters: [{ round: 1, usage: usage(1, null) }] });
    expect(score(state, even(0.5)).view.meter).toContain("cost unknown this round; 1 call(s), cost unknown in all.");
    expect(score(two(), even(0.5)).view.meter).toBe("");
  });
});
