import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scoreRound } from "../../../src/core/deep/assessment.ts";
import type { DeepState, Round } from "../../../src/core/deep/schema.ts";
import { chooseTarget } from "../../../src/core/deep/targeting.ts";
import type { ScoreReply } from "../../../src/core/deep/tasks.ts";
import type { Fact, Pair } from "../../../src/core/deep/vocabulary.ts";
import {
  answered,
  applyScored,
  ask,
  assumption,
  component,
  fact,
  factClaim,
  interview,
  reply,
  round,
  scoredRound,
  scores,
  trigger,
  triggerClaim,
} from "./build.ts";

const goal: Pair = { component: "a", dimension: "goal" };
const criteria: Pair = { component: "a", dimension: "criteria" };
const half = scores(0.5, 0.5, 0.5);

function second(aimed: Pair | null, more: Partial<DeepState> = {}, change: Partial<Round> = {}): DeepState {
  const state = interview([component("a", half), component("b", half)], {
    rounds: [scoredRound(1, 0.5, { a: half, b: half })],
    current_ambiguity: 0.5,
    round_count: 1,
    ...more,
  });
  return answered(state, round(2, aimed, change));
}

const byId = (facts: readonly Fact[], id: string) => facts.find((item) => item.id === id);

describe("promotion", () => {
  it("D5.4 stores a statement with its round, evidence and whose it is, under the next id", () => {
    const state = second(goal, { established_facts: [fact("f4", criteria)] });
    const event = scoreRound(state, "r2", [reply({}, { facts: [factClaim("Users sign in by mail", goal)] })]);
    expect(event.facts).toEqual([
      {
        id: "f5",
        statement: "Users sign in by mail",
        component: "a",
        dimension: "goal",
        source_round: 2,
        evidence: "the words of the answer",
        provenance: "user",
        status: "established",
        contradicts: null,
        superseded_by: null,
        ceiling: null,
      },
    ]);
  });

  it("D5.4 says what an assumption or an accepted candidate is the source of", () => {
    const told = (by: Round["answered_by"]) =>
      scoreRound(second(goal, {}, { answered_by: by }), "r2", [reply({}, { facts: [factClaim("One", goal)] })]).facts[0]
        ?.provenance;
    expect(told("architect-assisted")).toBe("assumption");
    expect(told("research")).toBe("research");
    expect(told("script")).toBe("user");
  });

  it("D5.4 stores a statement once however often it is said, and again after it was superseded", () => {
    const known = fact("f1", goal, { statement: "Exports are CSV" });
    const say = (list: Fact[]) =>
      scoreRound(second(criteria, { established_facts: list }), "r2", [
        reply({}, { facts: [factClaim(" exports ARE csv", goal)] }),
      ]).facts;
    expect(say([known])).toEqual([]);
    expect(say([{ ...known, status: "superseded" }]).map((item) => item.id)).toEqual(["f2"]);
  });

  it("D5.2 drops a fact outside the topology, and a contradiction of nothing, and records both", () => {
    const event = scoreRound(second(goal), "r2", [
      reply(
        {},
        {
          facts: [
            factClaim("One", { component: "x", dimension: "goal" }),
            factClaim("Two", { component: "a", dimension: "context" }),
            factClaim("Three", goal, "f9"),
          ],
        },
      ),
    ]);
    expect(event.facts.map((item) => [item.statement, item.contradicts])).toEqual([["Three", null]]);
    expect(event.corrections).toEqual([
      "fact outside the topology dropped: x/goal",
      "fact outside the topology dropped: a/context",
      "fact contradicts no standing fact: f9",
    ]);
  });
});

describe("a contradiction", () => {
  const state = second(criteria, { established_facts: [fact("f1", goal)] });
  const event = scoreRound(state, "r2", [
    reply(
      { a: { goal: 0.3 } },
      { facts: [factClaim("The other way", goal, "f1")], triggers: [triggerClaim("A", goal, { contradicts: "f1" })] },
    ),
  ]);

  it("D5.4 marks the old fact disputed and keeps it, stores the new one, and sets the ceiling to where the pair was brought", () => {
    expect(byId(event.facts, "f1")).toEqual(fact("f1", goal, { status: "disputed", ceiling: 0.3 }));
    expect(event.corrections).toEqual([]);
    expect(byId(event.facts, "f2")).toMatchObject({
      statement: "The other way",
      status: "established",
      contradicts: "f1",
    });
  });

  it("D5.4 sets the ceiling below what the scorer gave when code had to lower the pair", () => {
    const improved = scoreRound(state, "r2", [
      reply({ a: { goal: 0.8 } }, { triggers: [triggerClaim("A", goal, { contradicts: "f1" })] }),
    ]);
    expect(byId(improved.facts, "f1")?.ceiling).toBe(0.45);
  });

  it("D5.4 stores the contradicting statement also when the scorer only named the trigger", () => {
    const only = scoreRound(state, "r2", [
      reply(
        { a: { goal: 0.3 } },
        { triggers: [triggerClaim("A", goal, { contradicts: "f1", evidence: "No, never" })] },
      ),
    ]);
    expect(byId(only.facts, "f2")).toMatchObject({
      statement: "No, never",
      contradicts: "f1",
      component: "a",
      dimension: "goal",
    });
    const loose = scoreRound(state, "r2", [
      reply(
        { a: { goal: 0.3 } },
        { facts: [factClaim("Never on Sundays", goal)], triggers: [triggerClaim("A", goal, { contradicts: "f1" })] },
      ),
    ]);
    expect(loose.facts.filter((item) => item.contradicts === "f1").map((item) => item.statement)).toEqual([
      "Never on Sundays",
    ]);
    expect(loose.facts).toHaveLength(2);
  });

  it("D5.4 quotes the trigger when it cannot tell which of several statements contradicts", () => {
    const told = (...pairs: Pair[]) =>
      scoreRound(state, "r2", [
        reply(
          { a: { goal: 0.3 } },
          {
            facts: pairs.map((pair, index) => factClaim(`Statement number ${index}`, pair)),
            triggers: [triggerClaim("A", criteria, { contradicts: "f1", evidence: "No, never" })],
          },
        ),
      ]).facts.filter((item) => item.contradicts === "f1");
    expect(told(goal, goal).map((item) => item.statement)).toEqual(["No, never"]);
    expect(told(criteria).map((item) => item.statement)).toEqual(["Statement number 0"]);
    expect(told({ component: "b", dimension: "goal" }).map((item) => item.statement)).toEqual(["No, never"]);
  });

  it("D5.4 is not made anew by stating the old side again", () => {
    const known = [fact("f1", goal, { status: "disputed", ceiling: 0.3 }), fact("f2", goal, { contradicts: "f1" })];
    const told = scoreRound(second(criteria, { established_facts: known }), "r2", [
      reply({}, { facts: [factClaim("Statement f1", goal, "f2")] }),
    ]);
    expect(told.facts).toEqual([]);
  });

  it("D5.4 is seen between a fact and an earlier one that is only stated again", () => {
    const two = second(criteria, { established_facts: [fact("f1", goal), fact("f2", goal)] });
    const told = scoreRound(two, "r2", [reply({}, { facts: [factClaim("Statement f2", goal, "f1")] })]);
    expect(byId(told.facts, "f1")?.status).toBe("disputed");
    expect(byId(told.facts, "f2")).toMatchObject({ contradicts: "f1", status: "established" });
  });

  it("D5.4 holds the pair under its ceiling until it is resolved, whatever other answers score, and does not pull it down", () => {
    const disputed = applyScored(state, event);
    const later = (score: number) =>
      scoreRound(answered(disputed, round(3, criteria)), "r3", [
        reply({ a: { goal: score, constraints: 1, criteria: 1 } }),
      ]).component_scores[0]?.scores;
    expect(later(1)).toEqual(scores(0.3, 1, 1));
    expect(later(0.3)).toEqual(scores(0.3, 1, 1));
    expect(later(0.1)).toEqual(scores(0.1, 1, 1));
  });

  it("D5.4 made again elsewhere lowers the ceiling, and nothing raises it", () => {
    const disputed = applyScored(state, event);
    const again = (score: number) =>
      scoreRound(answered(disputed, round(3, criteria)), "r3", [
        reply(
          { a: { goal: score } },
          { triggers: [triggerClaim("A", goal, { contradicts: "f1", status: "disputed", rationale: "again" })] },
        ),
      ]);
    expect(byId(again(0.2).facts, "f1")?.ceiling).toBe(0.2);
    expect(byId(again(0.9).facts, "f1")?.ceiling).toBe(0.3);
  });

  it("D5.4 of a state that names no ceiling keeps the pair where it is", () => {
    const imported = second(criteria, { established_facts: [fact("f1", goal, { status: "disputed" })] });
    expect(scoreRound(imported, "r2", [reply({ a: { goal: 0.9 } })]).component_scores[0]?.scores.goal).toBe(0.5);
  });
});

describe("the end of a dispute", () => {
  const disputed: Partial<DeepState> = {
    established_facts: [
      fact("f1", goal, { status: "disputed", ceiling: 0.3 }),
      fact("f2", goal, { contradicts: "f1", source_round: 1 }),
    ],
    triggers: [trigger("t1", "A", goal, { contradicted_fact: "f1", aimed: true })],
  };
  const settle = (more: Partial<ScoreReply>, change: Partial<Round> = {}, aimed: Pair = goal) =>
    scoreRound(second(aimed, disputed, change), "r2", [reply({ a: { goal: 0.95 } }, more)]);
  const standing = (event: ReturnType<typeof settle>) =>
    ["f1", "f2", "f3"].flatMap((id) => {
      const item = byId(event.facts, id);
      return item === undefined ? [] : [[id, item.status, item.superseded_by, item.ceiling]];
    });

  it("D5.4 lets the old side stand when it is named, and the new one is superseded by it", () => {
    const event = settle({ stands: ["f1"] });
    expect(standing(event)).toEqual([
      ["f1", "established", null, null],
      ["f2", "superseded", "f1", null],
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.95);
    expect(event.triggers.map((item) => [item.id, item.status])).toEqual([["t1", "resolved"]]);
  });

  it("D5.4 lets the newer statement stand when it is named, or when no side is", () => {
    for (const stands of [["f2"], [], ["new"]]) {
      expect(standing(settle({ stands }))).toEqual([
        ["f1", "superseded", "f2", null],
        ["f2", "established", null, null],
      ]);
    }
  });

  it("D5.4 lets a third statement of the answer itself stand, linked to a side or only called new", () => {
    const linked = settle({ facts: [factClaim("Only on weekdays", goal, "f1")] });
    const loose = settle({ stands: ["new"], facts: [factClaim("Only on weekdays", goal)] });
    for (const event of [linked, loose]) {
      expect(standing(event)).toEqual([
        ["f1", "superseded", "f3", null],
        ["f2", "superseded", "f3", null],
        ["f3", "established", null, null],
      ]);
    }
  });

  it("D5.4 reads the side also from what the answer states again or contradicts", () => {
    const old = [
      ["f1", "established", null, null],
      ["f2", "superseded", "f1", null],
    ];
    expect(standing(settle({ facts: [factClaim("Statement f1", goal)] }))).toEqual(old);
    expect(standing(settle({ triggers: [triggerClaim("A", goal, { contradicts: "f2" })] }))).toEqual(old);
    // Facts listed wholesale name no side.
    expect(
      standing(settle({ facts: [factClaim("Statement f1", goal), factClaim("Statement f2", goal)] }))[0]?.[1],
    ).toBe("superseded");
  });

  it("D5.4 drops a trigger A against a fact in dispute, wherever the scorer puts it, and records that", () => {
    const event = settle({
      triggers: [triggerClaim("A", goal, { contradicts: "f1" }), triggerClaim("A", criteria, { contradicts: "f1" })],
    });
    expect(event.triggers.map((item) => item.id)).toEqual(["t1"]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.95);
    expect(
      event.corrections.filter((line) => line.startsWith("trigger A dropped, the fact is in dispute already")),
    ).toHaveLength(2);
    expect(byId(event.facts, "f1")?.status).toBe("superseded");
  });

  it("D5.4 does not come with a new trigger on the pair: the ceiling stays", () => {
    const event = settle({ stands: ["f1"], triggers: [triggerClaim("B", goal)] });
    expect(standing(event)).toEqual([]);
    expect(event.component_scores[0]?.scores.goal).toBeLessThanOrEqual(0.3);
    expect(event.triggers.map((item) => [item.id, item.status])).toEqual([["t2", "active"]]);
  });

  it("D5.4 comes with a new trigger A against another fact elsewhere", () => {
    const state = second(goal, {
      ...disputed,
      established_facts: [...(disputed.established_facts ?? []), fact("f3", criteria)],
    });
    const event = scoreRound(state, "r2", [
      reply(
        { a: { goal: 0.9, criteria: 0.1 } },
        { stands: ["f1"], triggers: [triggerClaim("A", criteria, { contradicts: "f3" })] },
      ),
    ]);
    expect(byId(event.facts, "f1")?.status).toBe("established");
    expect(byId(event.facts, "f3")).toMatchObject({ status: "disputed", ceiling: 0.1 });
  });

  it("D5.4 needs a direct answer to a question about it", () => {
    for (const by of ["architect-assisted", "research"] as const) {
      const event = settle(
        { stands: ["f1"], triggers: [triggerClaim("A", goal, { contradicts: "f1" })] },
        { answered_by: by },
      );
      expect(standing(event)).toEqual([]);
      expect(event.component_scores[0]?.scores.goal).toBe(0.3);
    }
    expect(standing(settle({ stands: ["f1"] }, {}, criteria))).toEqual([]);
    expect(standing(settle({ stands: ["f1"] }, { kind: "topology" }))).toEqual([]);
  });

  it("D5.4 comes too when the question was aimed at the pair of the trigger that contradicts it", () => {
    const state = second(criteria, {
      ...disputed,
      triggers: [trigger("t1", "A", criteria, { contradicted_fact: "f1", aimed: true })],
    });
    const event = scoreRound(state, "r2", [reply({ a: { goal: 0.95 } }, { stands: ["f1"] })]);
    expect(standing(event)[0]).toEqual(["f1", "established", null, null]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.95);
  });

  it("D5.4 ends a chain of contradictions as one dispute", () => {
    const chain = [
      fact("f1", goal, { status: "disputed", ceiling: 0.3 }),
      fact("f2", goal, { status: "disputed", contradicts: "f1", ceiling: 0.2 }),
      fact("f3", goal, { contradicts: "f2" }),
    ];
    const event = scoreRound(second(goal, { established_facts: chain }), "r2", [
      reply({ a: { goal: 0.9 } }, { stands: ["f2"] }),
    ]);
    expect(event.facts.map((item) => [item.id, item.status, item.superseded_by])).toEqual([
      ["f1", "superseded", "f2"],
      ["f2", "established", null],
      ["f3", "superseded", "f2"],
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.9);
  });

  it("D5.4 lets every side stand that is named, and the rest is superseded by the last of them", () => {
    const chain = [
      fact("f1", goal, { status: "disputed", ceiling: 0.3 }),
      fact("f2", goal, { contradicts: "f1" }),
      fact("f3", goal, { contradicts: "f1" }),
    ];
    const event = scoreRound(second(goal, { established_facts: chain }), "r2", [reply({}, { stands: ["f1", "f2"] })]);
    expect(event.facts.map((item) => [item.id, item.status, item.superseded_by])).toEqual([
      ["f1", "established", null],
      ["f2", "established", null],
      ["f3", "superseded", "f2"],
    ]);
  });

  it("D5.4 takes only a statement linked to the dispute for the new side when there is one", () => {
    const event = settle({
      stands: ["new"],
      facts: [factClaim("Only on weekdays", goal, "f2"), factClaim("In two languages", goal)],
    });
    expect(byId(event.facts, "f3")).toMatchObject({ statement: "Only on weekdays", status: "established" });
    expect(byId(event.facts, "f4")).toMatchObject({ status: "established", superseded_by: null });
    expect(byId(event.facts, "f1")?.superseded_by).toBe("f3");
    const named = settle({ stands: ["f1"], facts: [factClaim("In two languages", goal)] });
    expect(byId(named.facts, "f3")).toMatchObject({ status: "established", superseded_by: null });
    const elsewhere = settle({ stands: ["new"], facts: [factClaim("In two languages", criteria)] });
    expect(byId(elsewhere.facts, "f1")?.superseded_by).toBe("f2");
  });

  it("D5.4 ends two disputes of one pair each for itself", () => {
    const both = [
      fact("f1", goal, { status: "disputed", ceiling: 0.3 }),
      fact("f2", goal, { contradicts: "f1" }),
      fact("f3", goal, { status: "disputed", ceiling: 0.4 }),
      fact("f4", goal, { contradicts: "f3" }),
    ];
    const event = scoreRound(second(goal, { established_facts: both }), "r2", [reply({}, { stands: ["f1"] })]);
    expect(event.facts.map((item) => [item.id, item.superseded_by])).toEqual([
      ["f1", null],
      ["f2", "f1"],
      ["f3", "f4"],
      ["f4", null],
    ]);
  });

  it("D5.4 records a side named that is none", () => {
    expect(settle({ stands: ["f9"] }).corrections).toEqual(["no side of the dispute asked about: f9"]);
    expect(settle({ stands: ["new"] }).corrections).toEqual([]);
    expect(settle({ stands: ["f1"] }).corrections).toEqual([]);
  });
});

describe("a round that is scored again", () => {
  it("D4.6 takes back what its first scoring stated, and the dispute that only that made", () => {
    const base = second(
      goal,
      { established_facts: [fact("f1", goal)], assumptions: [assumption("as1", 2, goal)] },
      { answered_by: "architect-assisted" },
    );
    const firstly = scoreRound(base, "r2", [
      reply(
        { a: { goal: 0.3 } },
        {
          facts: [factClaim("Assumed", goal, "f1"), factClaim("Also assumed", criteria)],
          triggers: [triggerClaim("A", goal, { contradicts: "f1" })],
        },
      ),
    ]);
    const scored = applyScored(base, firstly);
    const revised = {
      ...scored,
      rounds: scored.rounds.map((item) => (item.round === 2 ? { ...item, answered_by: "user" as const } : item)),
    };
    const event = scoreRound(revised, "r2", [reply({ a: { goal: 0.9 } }, { facts: [factClaim("In my words", goal)] })]);
    expect(event.facts.map((item) => [item.id, item.status, item.superseded_by, item.ceiling])).toEqual([
      ["f1", "established", null, null],
      ["f2", "superseded", "f4", null],
      ["f3", "superseded", null, null],
      ["f4", "established", null, null],
    ]);
    expect(event.component_scores[0]?.scores.goal).toBe(0.9);
    expect(event.triggers.map((item) => [item.id, item.status])).toEqual([["t1", "resolved"]]);
  });

  it("D4.6 leaves a dispute that another statement made too, and one that it did not make", () => {
    const known = [
      fact("f1", goal, { status: "disputed", ceiling: 0.3 }),
      fact("f2", goal, { contradicts: "f1", source_round: 1 }),
      fact("f3", goal, { contradicts: "f1", source_round: 2 }),
      fact("f4", criteria, { status: "disputed", ceiling: 0.2 }),
      fact("f5", criteria, { contradicts: "f4", source_round: 1 }),
    ];
    const base = second({ component: "b", dimension: "goal" }, { established_facts: known });
    const event = scoreRound(base, "r2", [reply({})]);
    expect(event.facts.map((item) => [item.id, item.status])).toEqual([["f3", "superseded"]]);
  });
});

// Random interviews: whatever a scorer claims, the ledger keeps its promises, and the interview can end.
const dims = ["goal", "constraints", "criteria"] as const;
const pair = fc
  .tuple(fc.constantFrom("a", "b"), fc.constantFrom(...dims))
  .map(([id, dimension]): Pair => ({ component: id, dimension }));
const score = fc.integer({ min: 0, max: 20 }).map((step) => step / 20);
const claim = fc.record({
  at: pair,
  text: fc.constantFrom("one", "two", "three", "four"),
  contradicts: fc.option(fc.nat(6)),
});
const raised = fc.record({
  label: fc.constantFrom("A" as const, "B" as const, "C" as const),
  at: pair,
  contradicts: fc.nat(6),
  status: fc.constantFrom("active" as const, "active" as const, "disputed" as const),
});
const turn = fc.record({
  by: fc.constantFrom("user" as const, "user" as const, "architect-assisted" as const),
  targeted: fc.boolean(),
  at: pair,
  all: fc.array(score, { minLength: 6, maxLength: 6 }),
  claims: fc.array(claim, { maxLength: 2 }),
  raised: fc.array(raised, { maxLength: 2 }),
  stands: fc.array(
    fc.oneof(
      fc.constant("new"),
      fc.nat(6).map((n) => `f${n}`),
    ),
    { maxLength: 1 },
  ),
});

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function play(state: DeepState, item: Turn): { before: DeepState; aimed: Pair; state: DeepState } {
  const target = item.targeted
    ? (chooseTarget(state) ?? { ...item.at, trigger_id: null, reason: "lowest" as const })
    : { ...item.at, trigger_id: null, reason: "lowest" as const };
  const asked = ask(state, target, { answered_by: item.by });
  const number = asked.round_count;
  const before =
    item.by === "user"
      ? asked
      : { ...asked, assumptions: [...asked.assumptions, assumption(`as${number}`, number, target)] };
  const known = (n: number) => (before.established_facts.some((one) => one.id === `f${n}`) ? `f${n}` : "");
  const [ag = 0, ac = 0, ak = 0, bg = 0, bc = 0, bk = 0] = item.all;
  const event = scoreRound(before, `r${number}`, [
    reply(
      { a: scores(ag, ac, ak), b: scores(bg, bc, bk) },
      {
        facts: item.claims.map(({ at, text, contradicts }) =>
          factClaim(text, at, contradicts === null ? "" : known(contradicts)),
        ),
        triggers: item.raised.map(({ label, at, contradicts, status }) =>
          triggerClaim(label, at, {
            status,
            rationale: "a reason",
            contradicts: label === "A" ? known(contradicts) : "",
          }),
        ),
        stands: item.stands,
      },
    ),
  ]);
  return { before, aimed: target, state: applyScored(before, event) };
}

const scoreAt = (state: DeepState, at: Pair) =>
  state.topology.components.find((item) => item.id === at.component)?.clarity_scores[at.dimension] ?? 0;
const turns = fc.array(turn, { minLength: 1, maxLength: 12 });

describe("the ledger as a law", () => {
  it("D5.4 never loses a fact or a word of it, and no pair passes its ceiling while its fact is disputed", () => {
    fc.assert(
      fc.property(turns, (list) => {
        let state = interview([component("a"), component("b")]);
        for (const item of list) {
          const played = play(state, item);
          for (const old of played.before.established_facts) {
            const now = byId(played.state.established_facts, old.id);
            expect(now).toMatchObject({
              statement: old.statement,
              source_round: old.source_round,
              evidence: old.evidence,
            });
            if (old.status === "superseded") expect(now).toEqual(old);
            if (old.status === "disputed" && now?.status === "disputed")
              expect(now.ceiling ?? 2).toBeLessThanOrEqual(old.ceiling ?? 1);
          }
          for (const now of played.state.established_facts) {
            expect(now.ceiling === null).toBe(now.status !== "disputed");
            if (now.status === "disputed") expect(scoreAt(played.state, now)).toBeLessThanOrEqual(now.ceiling ?? 0);
            if (now.status === "superseded")
              expect(byId(played.state.established_facts, now.superseded_by ?? "")).toBeDefined();
            else expect(now.superseded_by).toBeNull();
          }
          state = played.state;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("D5.4 a direct answer aimed at a pair leaves it neither disputed nor triggered, unless it brings a trigger there", () => {
    fc.assert(
      fc.property(turns, (list) => {
        let state = interview([component("a"), component("b")]);
        for (const item of list) {
          const { before, aimed, state: next } = play(state, item);
          const at = (one: Pair) => one.component === aimed.component && one.dimension === aimed.dimension;
          const number = next.round_count;
          const fresh = next.triggers.filter((one) => one.round === number && at(one));
          if (item.by === "user" && fresh.length === 0) {
            const disputed = before.established_facts.filter((one) => at(one) && one.status === "disputed");
            for (const old of disputed) expect(byId(next.established_facts, old.id)?.status).not.toBe("disputed");
            expect(next.triggers.filter((one) => at(one) && one.status !== "resolved")).toEqual([]);
            // Released at once: only disputes made by this very answer can still hold the pair down.
            const held =
              next.caps.some(at) || next.established_facts.some((one) => at(one) && one.status === "disputed");
            const given =
              item.all[(aimed.component === "a" ? 0 : 3) + dims.indexOf(aimed.dimension as (typeof dims)[number])];
            if (!held) expect(scoreAt(next, aimed)).toBe(given);
          } else {
            for (const old of before.established_facts)
              if (old.status === "disputed") expect(byId(next.established_facts, old.id)?.status).toBe("disputed");
          }
          state = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("D5.4 the interview can end: from any tangle of disputes, triggers and caps, clear direct answers reach the gate", () => {
    fc.assert(
      fc.property(turns, (list) => {
        let state = interview([component("a"), component("b")]);
        for (const item of list) state = play(state, item).state;
        const clear = {
          by: "user" as const,
          targeted: true,
          at: { component: "a", dimension: "goal" as const },
          all: [1, 1, 1, 1, 1, 1],
          claims: [],
          raised: [],
          stands: [],
        };
        let asked = 0;
        while (state.current_ambiguity > 0.05 && asked < 40) {
          state = play(state, clear).state;
          asked += 1;
        }
        // One question a trigger or pair is enough.
        expect(asked).toBeLessThanOrEqual(6 + state.triggers.length);
        expect(state.current_ambiguity).toBeLessThanOrEqual(0.05);
      }),
      { numRuns: 300 },
    );
  });
});
