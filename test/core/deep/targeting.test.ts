import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchOntology } from "../../../src/core/deep/ontology.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import { chooseTarget, isExhausted, needsOntologyQuestion } from "../../../src/core/deep/targeting.ts";
import type { Component, Dimension, Scores } from "../../../src/core/deep/vocabulary.ts";
import { aim, ask, component, interview, round, scoredRound, scores, trigger } from "./build.ts";

const goal = (id: string) => ({ component: id, dimension: "goal" as const });

describe("chooseTarget: the lowest pair", () => {
  it("D3.1 aims at the lowest active pair, null before everything", () => {
    const state = interview([component("a", scores(0.5, 0.6, 0.7)), component("b", scores(0.9, 0.3, 0.9))]);
    expect(chooseTarget(state)).toEqual({
      component: "b",
      dimension: "constraints",
      trigger_id: null,
      reason: "lowest",
    });
    const fresh = interview([component("a", scores(0.5, 0.6, 0.7)), component("b", scores(0.9, 0.9, null))]);
    expect(chooseTarget(fresh)).toMatchObject({ component: "b", dimension: "criteria" });
  });

  it("D3.1 decides ties inside a component in the order goal, constraints, criteria, context", () => {
    const at = (all: Scores, type: DeepState["type"] = "brownfield") =>
      chooseTarget(interview([component("a", all)], { type }))?.dimension;
    expect(at(scores(0.4, 0.4, 0.4, 0.4))).toBe("goal");
    expect(at(scores(0.5, 0.4, 0.4, 0.4))).toBe("constraints");
    expect(at(scores(0.5, 0.5, 0.4, 0.4))).toBe("criteria");
    expect(at(scores(0.5, 0.5, 0.5, 0.4))).toBe("context");
    expect(at(scores(0.5, 0.5, 0.5, null), "greenfield")).toBe("goal");
  });

  it("D3.1 takes pairs within 0.05 of the lowest for similarly weak, and no pair beyond", () => {
    const two = (other: number) =>
      interview([component("a", scores(0.5, 0.9, 0.9)), component("b", scores(0.9, 0.9, other))], {
        target_history: ["a"],
      });
    expect(chooseTarget(two(0.55))).toMatchObject({ component: "b", dimension: "criteria" });
    expect(chooseTarget(two(0.5501))).toMatchObject({ component: "a", dimension: "goal" });
  });

  it("D3.1 takes the component targeted longest ago, never before once, then topology order", () => {
    const all = scores(0.5, 0.5, 0.5);
    const three = (history: string[]) =>
      chooseTarget(
        interview(
          ["a", "b", "c"].map((id) => component(id, all)),
          { target_history: history },
        ),
      )?.component;
    expect(three([])).toBe("a");
    expect(three(["a"])).toBe("b");
    expect(three(["b", "a"])).toBe("c");
    expect(three(["c", "a", "b"])).toBe("c");
    expect(three(["a", "b", "c", "a"])).toBe("b");
  });

  it("D3.1 knows the last target of a state that another tool wrote", () => {
    const base = interview(["a", "b"].map((id) => component(id, scores(0.5, 0.5, 0.5))));
    const state = { ...base, topology: { ...base.topology, last_targeted_component_id: "a" } };
    expect(chooseTarget(state)?.component).toBe("b");
  });

  it("D4.5 leaves out pairs left open and deferred components, and says null when none is left", () => {
    const base = interview([
      component("a", scores(0.1, 0.2, 0.3)),
      component("b", scores(0, 0, 0), { status: "deferred" }),
    ]);
    const open = (...dimensions: Dimension[]) => ({
      ...base,
      left_open: dimensions.map((dimension) => ({ component: "a", dimension, reason: "left-open" })),
    });
    expect(chooseTarget(base)).toMatchObject(goal("a"));
    expect(chooseTarget(open("goal"))).toMatchObject({ component: "a", dimension: "constraints" });
    expect(chooseTarget(open("goal", "constraints", "criteria"))).toBeNull();
  });
});

describe("chooseTarget: what comes before the lowest pair", () => {
  const base = interview([
    component("a", scores(0.1, 0.9, 0.9)),
    component("b", scores(0.9, 0.9, 0.9)),
    component("c", scores(0.9, 0.9, 0.9), { status: "deferred" }),
  ]);
  const b = goal("b");

  it("D3.1 aims at an active trigger's pair first: A, B, D, C, the oldest of a kind", () => {
    const at = (...triggers: DeepState["triggers"]) => chooseTarget({ ...base, triggers })?.trigger_id;
    expect(at(trigger("t1", "C", b), trigger("t2", "B", b), trigger("t3", "A", b), trigger("t4", "A", b))).toBe("t3");
    expect(at(trigger("t1", "C", b), trigger("t2", "B", b))).toBe("t2");
    expect(at(trigger("t1", "C", b), trigger("t2", "C", b))).toBe("t1");
    expect(chooseTarget({ ...base, triggers: [trigger("t1", "C", b)] })).toEqual({
      ...b,
      trigger_id: "t1",
      reason: "trigger",
    });
  });

  it("D3.1 leaves out triggers that were aimed at, are not active, or whose pair is out of targeting", () => {
    const lowest = { component: "a", dimension: "goal", trigger_id: null, reason: "lowest" };
    const at = (...triggers: DeepState["triggers"]) => chooseTarget({ ...base, triggers });
    expect(at(trigger("t1", "A", b, { aimed: true }))).toEqual(lowest);
    expect(at(trigger("t1", "A", b, { status: "disputed" }), trigger("t2", "B", b, { status: "unresolved" }))).toEqual(
      lowest,
    );
    expect(at(trigger("t1", "A", b, { status: "resolved" }))).toEqual(lowest);
    expect(at(trigger("t1", "A", goal("c")))).toEqual(lowest);
    expect(
      chooseTarget({ ...base, triggers: [trigger("t1", "A", b)], left_open: [{ ...b, reason: "left-open" }] }),
    ).toEqual(lowest);
  });

  it("D3.1 D2.6 asks about a new outcome before anything else, also when its trigger was masked, and only once", () => {
    const owed = { ...b, trigger_id: "t2", reason: "scope" };
    expect(chooseTarget({ ...base, triggers: [trigger("t1", "A", b), trigger("t2", "D", b)] })).toEqual(owed);
    expect(chooseTarget({ ...base, triggers: [trigger("t2", "D", b, { status: "unresolved" })] })).toEqual(owed);
    expect(chooseTarget({ ...base, triggers: [trigger("t2", "D", b, { aimed: true })] })).toMatchObject({
      reason: "lowest",
    });
    expect(chooseTarget({ ...base, triggers: [trigger("t2", "D", b, { status: "resolved" })] })).toMatchObject({
      reason: "lowest",
    });
  });
});

const dimensions = ["goal", "constraints", "criteria"] as const;
const unit = fc.integer({ min: 0, max: 10_000 });

/** Every open pair with its score in integers, spelled out. */
function pairsOf(state: DeepState): { id: string; dimension: Dimension; units: number }[] {
  const list: { id: string; dimension: Dimension; units: number }[] = [];
  for (const item of state.topology.components) {
    for (const dimension of dimensions) {
      const left = state.left_open.some((open) => open.component === item.id && open.dimension === dimension);
      if (item.status === "active" && !left)
        list.push({ id: item.id, dimension, units: Math.round((item.clarity_scores[dimension] ?? 0) * 10_000) });
    }
  }
  return list;
}

function components(values: readonly (readonly number[])[], deferred: readonly boolean[] = []): Component[] {
  return values.map(([g = 0, c = 0, k = 0], index) =>
    component(`c${index}`, scores(g / 10_000, c / 10_000, k / 10_000), {
      status: deferred[index] ? "deferred" : "active",
    }),
  );
}

describe("chooseTarget as a law", () => {
  const values = fc.array(fc.tuple(unit, unit, unit), { minLength: 1, maxLength: 6 });

  it("D3.1 is within 0.05 of the lowest open pair, the weakest of its component, and never of a deferred one", () => {
    const input = fc.tuple(
      values,
      fc.array(fc.boolean(), { maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(input, ([list, deferred, history, open]) => {
        const state = interview(components(list, deferred), {
          target_history: history.map((index) => `c${index}`),
          left_open: open.map(([index, at]) => ({
            component: `c${index}`,
            dimension: dimensions[at] ?? "goal",
            reason: "left-open",
          })),
        });
        const pairs = pairsOf(state);
        const target = chooseTarget(state);
        if (pairs.length === 0) {
          expect(target).toBeNull();
          return;
        }
        const chosen = pairs.find((pair) => pair.id === target?.component && pair.dimension === target.dimension);
        const least = Math.min(...pairs.map((pair) => pair.units));
        expect(chosen?.units).toBeLessThanOrEqual(least + 500);
        expect(chosen?.units).toBe(
          Math.min(...pairs.filter((pair) => pair.id === chosen?.id).map((pair) => pair.units)),
        );
        // Nobody similarly weak was asked less recently.
        const ago = (id: string) => state.target_history.lastIndexOf(id);
        for (const pair of pairs)
          if (pair.units <= least + 500) expect(ago(chosen?.id ?? "")).toBeLessThanOrEqual(ago(pair.id));
      }),
      { numRuns: 500 },
    );
  });

  it("D3.1 asks none of 2 to 6 similarly weak components twice while another waits, however scores move in the band", () => {
    const input = fc.record({
      count: fc.integer({ min: 2, max: 6 }),
      floor: fc.integer({ min: 0, max: 9_000 }),
      moves: fc.array(fc.array(fc.tuple(fc.nat(500), fc.nat(500), fc.nat(500)), { minLength: 6, maxLength: 6 }), {
        minLength: 14,
        maxLength: 14,
      }),
    });
    fc.assert(
      fc.property(input, ({ count, floor, moves }) => {
        let state = interview([]);
        const asked: string[] = [];
        for (const move of moves) {
          const list = move.slice(0, count).map((offsets) => offsets.map((offset) => floor + offset));
          state = { ...state, topology: { ...state.topology, components: components(list) } };
          const target = chooseTarget(state);
          if (target === null) throw new Error("a pair is left");
          asked.push(target.component);
          state = ask(state, target);
          // All are in the band at all times, so that a window of `count` questions holds each of them once.
          const window = asked.slice(-count);
          expect(new Set(window).size).toBe(window.length);
        }
      }),
    );
  });

  it("D3.1 lets no component that stays similarly weak wait for more than one question to each of the others", () => {
    const round = fc.array(fc.tuple(unit, unit, unit), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(round, { minLength: 30, maxLength: 30 }), (moves) => {
        let state = interview([]);
        const waiting = new Map<string, number>();
        for (const list of moves) {
          state = { ...state, topology: { ...state.topology, components: components(list) } };
          const pairs = pairsOf(state);
          const least = Math.min(...pairs.map((pair) => pair.units));
          const weak = new Set(pairs.filter((pair) => pair.units <= least + 500).map((pair) => pair.id));
          const target = chooseTarget(state);
          if (target === null) throw new Error("a pair is left");
          for (const id of ["c0", "c1", "c2", "c3", "c4"])
            waiting.set(id, weak.has(id) && id !== target.component ? (waiting.get(id) ?? 0) + 1 : 0);
          expect(Math.max(...waiting.values())).toBeLessThan(5);
          state = ask(state, target);
        }
      }),
    );
  });
});

describe("isExhausted", () => {
  const at = (all: Scores, ambiguity: number, more: Partial<DeepState> = {}) =>
    isExhausted(
      interview([component("a", all)], {
        rounds: [scoredRound(1, ambiguity, { a: all })],
        current_ambiguity: ambiguity,
        ...more,
      }),
    );

  it("D4.5 is when every pair still in targeting is at or above 1 - threshold and ambiguity is above it", () => {
    const left_open = [{ ...goal("a"), reason: "left-open" }];
    expect(at(scores(0.85, 0.95, 0.95), 0.09, { left_open })).toBe(true);
    expect(at(scores(0.85, 0.95, 0.9499), 0.0901, { left_open })).toBe(false);
    expect(at(scores(0.85, 0.95, 0.95), 0.09)).toBe(false);
    expect(at(scores(0.95, 0.95, 0.95), 0.05)).toBe(false);
    expect(at(scores(0.95, 0.95, 0.95), 0.06)).toBe(true);
    expect(at(scores(0.5, 0.5, 0.5), 0.5, { threshold: 0.5 })).toBe(false);
  });

  it("D4.5 is when no pair is left in targeting", () => {
    const left_open = dimensions.map((dimension) => ({ component: "a", dimension, reason: "left-open" }));
    expect(at(scores(0.1, 0.1, 0.1), 0.9, { left_open })).toBe(true);
  });

  it("D4.5 is never before a scored round", () => {
    expect(isExhausted(interview([]))).toBe(false);
  });
});

describe("needsOntologyQuestion", () => {
  const flat = (count: number) =>
    Array.from({ length: count }, (_, index) => scoredRound(index + 1, 0.5, { a: scores(0.5, 0.5, 0.5) }));
  const core = (...names: string[]) =>
    names.map((name) => ({ name, type: "core domain", fields: [], relationships: [] }));
  const shaky = [
    matchOntology(null, core("A"), 1),
    matchOntology(core("A"), core("A", "B"), 2),
    matchOntology(core("A", "B"), core("A", "B", "C"), 3),
  ];

  it("D3.5 is on a stall or on an unstable core noun", () => {
    expect(needsOntologyQuestion(interview([component("a")], { rounds: flat(2) }))).toBe(false);
    expect(needsOntologyQuestion(interview([component("a")], { rounds: flat(3) }))).toBe(true);
    expect(needsOntologyQuestion(interview([component("a")], { ontology_snapshots: shaky }))).toBe(true);
    expect(needsOntologyQuestion(interview([component("a")], { ontology_snapshots: shaky.slice(0, 2) }))).toBe(false);
  });

  it("D3.5 is at most once in three rounds", () => {
    const rounds = flat(6);
    const asked = (at: number, count: number) =>
      needsOntologyQuestion(
        interview([component("a")], {
          rounds: rounds
            .slice(0, count)
            .map((item) => (item.round === at ? { ...item, aim: aim({ style: "ontology" }) } : item)),
        }),
      );
    expect(asked(4, 4)).toBe(false);
    expect(asked(4, 5)).toBe(false);
    expect(asked(4, 6)).toBe(true);
  });

  it("D3.5 counts rounds that ended without an answer, and no correction", () => {
    const [first, second, third] = flat(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error("three rounds");
    const asked = { ...round(4, null, { aim: aim({ style: "ontology" }) }), lifecycle: "unresolved" as const };
    const correction = scoredRound(null, 0.5, { a: scores(0.5, 0.5, 0.5) });
    expect(
      needsOntologyQuestion(interview([component("a")], { rounds: [first, second, third, asked, correction] })),
    ).toBe(false);
  });

  it("D3.5 does not count a round that an edit superseded", () => {
    const old = { ...round(4, null, { aim: aim({ style: "ontology" }) }), superseded: true };
    expect(needsOntologyQuestion(interview([component("a")], { rounds: [...flat(3), old] }))).toBe(true);
  });
});
