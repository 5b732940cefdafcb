import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

type Claim = ScoreReply["triggers"][number];
type Claimed = ScoreReply["facts"][number];

const claim = (label: Claim["label"], more: Partial<Claim> = {}): Claim => ({
  label,
  status: "active",
  component: "import",
  dimension: "constraints",
  evidence: "the words",
  contradicts: "",
  proposed: "",
  rationale: "",
  ...more,
});
const fact = (statement: string, contradicts = ""): Claimed => ({
  statement,
  component: "import",
  dimension: "constraints",
  evidence: "the words",
  contradicts,
});
const single = (): TaskReply<"topology"> => {
  const base = (plain.topology as () => TaskReply<"topology">)();
  return { ...base, components: base.components.slice(0, 1) };
};
const open = async (make: NonNullable<Replies["score"]>, start: object = {}, more: Replies = {}): Promise<World> => {
  const world = await createWorld({
    replies: { ...plain, score: make, ...more },
    start: { threshold: 0.05, ...start },
  });
  await lock(world);
  return world;
};
const calls = (world: World, name = "score") => tasksOf(world).filter((task) => task === name).length;
const last = (world: World) => world.state().rounds.at(-1);

describe("what a scorer may say", () => {
  it("D5.2 a component that it leaves out keeps its scores", async () => {
    const world = await open((task, count) => {
      const reply = score(task, count === 1 ? 0.5 : 0.7);
      return count === 1 ? reply : { ...reply, components: reply.components.slice(0, 1) };
    });
    await play(world, pick("a"), pick("a"));
    expect(last(world)?.component_scores.map((item) => item.scores.goal)).toEqual([0.7, 0.5]);
    expect(last(world)?.ambiguity).toBe(0.5);
  });

  it("D5.2 one that names no component at all is valid, and leaves every score", async () => {
    const world = await open((task, count) =>
      count === 1 ? score(task, 0.5) : { ...score(task, 0.9), components: [] },
    );
    await play(world, pick("a"), pick("a"));
    expect([calls(world), last(world)?.ambiguity]).toEqual([2, 0.5]);
  });

  const dims = [{ dimension: "goal" as const, justification: "j", score: 0.9, gap: "g" }];
  it.each<[string, Partial<ScoreReply>]>([
    ["an unknown component", { components: [{ component: "telepathy", dimensions: dims }] }],
    [
      "a dimension that a greenfield interview has not",
      { components: [{ component: "import", dimensions: [{ ...dims[0], dimension: "context" } as never] }] },
    ],
    [
      "a missing gap",
      { components: [{ component: "import", dimensions: [{ ...dims[0], score: 0.5, gap: "" } as never] }] },
    ],
    ["a fact that contradicts nothing", { facts: [fact("A", "f9")] }],
    ["a trigger on a fact that is not there", { triggers: [claim("A", { contradicts: "f9" })] }],
    ["a trigger on a component that is not there", { triggers: [claim("B", { component: "gone" })] }],
    ["a trigger D that proposes nothing", { triggers: [claim("D")] }],
    ["a trigger that is unresolved for no reason", { triggers: [claim("B", { status: "unresolved" })] }],
    ["a trigger without evidence", { triggers: [claim("B", { evidence: " " })] }],
    ["a score twice", { components: [{ component: "import", dimensions: [dims[0] as never, dims[0] as never] }] }],
  ])("D5.2 %s is refused, and asked for again once", async (_, bad) => {
    const world = await open((task, count) => (count === 1 ? score(task, 0.4, bad) : score(task, 0.4)));
    await ask(world, pick("a"));
    expect([calls(world), last(world)?.ambiguity]).toEqual([2, 0.6]);
    const stubborn = await open((task) => score(task, 0.4, bad));
    await expect(ask(stubborn, pick("a"))).rejects.toMatchObject({ exitCode: 5 });
    expect(stubborn.state().rounds).toMatchObject([{ lifecycle: "answered", scores: null }]);
  });

  it.each(["90", "7", "1.0001", "-0.1", "true", '"0.9"', "[0.9]", "NaN", "null", "1e999", "-1"])(
    "D5.2 %s is never a score: asked for again, and the answer stays unscored",
    async (value) => {
      const raw = (task: Parameters<NonNullable<Replies["score"]>>[0]) =>
        JSON.stringify({ reply: score(task, 0.123) }).replaceAll("0.123", value);
      const world = await open((task, count) => (count === 1 ? raw(task) : score(task, 0.4)));
      await ask(world, pick("a"));
      expect([calls(world), last(world)?.ambiguity]).toEqual([2, 0.6]);
      const stubborn = await open(raw);
      await expect(ask(stubborn, pick("a"))).rejects.toMatchObject({ exitCode: 5 });
      expect(stubborn.state()).toMatchObject({ current_ambiguity: 1, rounds: [{ lifecycle: "answered" }] });
    },
  );

  it("D8.2 a score that failed is tried again on the next run, and nobody is asked again", async () => {
    let down = true;
    const world = await open((task) => (down ? new Error("down") : score(task, 0.4)));
    await expect(ask(world, say("words"))).rejects.toMatchObject({ exitCode: 5 });
    await world.reopen();
    await expect(ask(world)).rejects.toMatchObject({ exitCode: 5 });
    down = false;
    await world.reopen();
    expect((await ask(world)).round).toBe(2);
    expect(world.state().rounds).toMatchObject([{ round: 1, custom_input: "words", lifecycle: "scored" }]);
    expect(calls(world, "interpret")).toBe(1);
  });

  it("D5.1 the overall score is the minimum over active components, by the weights of the type", async () => {
    const values: Record<string, number> = {
      "import/goal": 0.9,
      "import/constraints": 0.2,
      "import/criteria": 0.8,
      "export/goal": 0.5,
      "export/constraints": 0.6,
      "export/criteria": 0.9,
    };
    const world = await open((task) => score(task, (component, dimension) => values[`${component}/${dimension}`] ?? 0));
    await ask(world, pick("a"));
    expect(last(world)).toMatchObject({
      scores: { goal: 0.5, constraints: 0.2, criteria: 0.8, context: null },
      ambiguity: 0.5,
    });
    const brown = await createWorld({
      replies: {
        ...plain,
        topology: single,
        explore: () => ({ summary: "", findings: [], earlier: [] }),
        score: (task) =>
          score(task, (_, dimension) => ({ goal: 0.8, constraints: 0.6, criteria: 0.4 })[dimension] ?? 0.2),
      },
      start: { type: "brownfield" },
    });
    await lock(brown);
    await ask(brown, pick("a"));
    // 1 - (0.35 * 0.8 + 0.25 * 0.6 + 0.25 * 0.4 + 0.15 * 0.2)
    expect(last(brown)?.ambiguity).toBe(0.44);
  });

  it("D5.5 there is no pacing brake: clear at once is clear at once", async () => {
    const world = await open((task) => score(task, 1));
    expect((await ask(world, pick("a"))).kind).toBe("restate");
    expect(world.state()).toMatchObject({ current_ambiguity: 0, round_count: 1 });
  });
});

describe("triggers", () => {
  const rounds =
    (...list: readonly (readonly [number, ...Claim[]])[]): NonNullable<Replies["score"]> =>
    (task) => {
      const { round } = inputOf<"score">(task);
      const [value, ...triggers] = list[Math.min((round ?? 1) - 1, list.length - 1)] ?? [0.4];
      return score(task, value, { triggers });
    };

  it("D5.3 a breach gets one repair call; a second one is corrected by code, once, and recorded", async () => {
    const world = await open(rounds([0.5], [0.8, claim("B")]), {}, { topology: single });
    await play(world, pick("a"), pick("a"));
    expect(calls(world)).toBe(3);
    // The pair becomes min(0.8, 0.5) - 0.05; the others rose, so that ambiguity fell all the same: nothing falls further.
    expect(last(world)?.component_scores[0]?.scores).toMatchObject({ goal: 0.8, constraints: 0.45, criteria: 0.8 });
    expect(world.state().triggers[0]).toMatchObject({
      label: "B",
      status: "unresolved",
      enforced: true,
      rationale: "other pairs rose",
      prior_dimension_score: 0.5,
      new_dimension_score: 0.45,
      prior_ambiguity: 0.5,
      new_ambiguity: 0.305,
    });
  });

  it("D5.3 a scorer that mends its reply is not corrected", async () => {
    const world = await open(
      (task, count) =>
        count === 1 ? score(task, 0.5) : score(task, count === 2 ? 0.8 : 0.45, { triggers: [claim("B")] }),
      {},
      { topology: single },
    );
    await play(world, pick("a"), pick("a"));
    expect(world.state().triggers[0]).toMatchObject({ status: "active", enforced: false });
    expect(last(world)?.ambiguity).toBe(0.55);
  });

  it("D5.3 ambiguity is never below what the round's own scores give, and never falls under an active trigger", async () => {
    const world = await open(
      (task, count) =>
        count === 1
          ? score(task, 0.5)
          : score(task, (_, dimension) => (dimension === "goal" ? 0.8 : 0.5), {
              triggers: [claim("A", { dimension: "goal" })],
            }),
      {},
      { topology: single },
    );
    await play(world, pick("a"), pick("a"));
    // Prior 0.50, goal 0.50; the scorer says goal 0.80 and a contradiction.
    expect(last(world)?.scores).toMatchObject({ goal: 0.45, constraints: 0.5, criteria: 0.5 });
    expect(last(world)?.ambiguity).toBe(0.52);
    expect(world.state().triggers[0]).toMatchObject({
      status: "active",
      enforced: true,
      prior_ambiguity: 0.5,
      new_ambiguity: 0.52,
    });
  });

  it("D5.3 in the first scored round there is nothing to rise against", async () => {
    const world = await open(rounds([0.8, claim("B")]));
    await ask(world, pick("a"));
    expect([calls(world), last(world)?.ambiguity, world.state().triggers[0]?.status]).toEqual([1, 0.2, "active"]);
  });

  it("D5.4 D3.1 a direct answer aimed at a trigger's pair, without a new one there, resolves it", async () => {
    const world = await open(rounds([0.5], [0.45, claim("B")], [0.6]), {}, { topology: single });
    const question = await play(world, pick("a"), pick("a"));
    expect(question.deepInterview?.dimension).toBe("constraints");
    await ask(world, pick("a"));
    expect(world.state().triggers[0]).toMatchObject({ status: "resolved", resolved_round: 3 });
  });

  it("D5.4 an opt-out or an answer with a new trigger there does not", async () => {
    const again = await open(
      rounds([0.5], [0.45, claim("B")], [0.4, claim("B", { evidence: "still" })]),
      {},
      { topology: single },
    );
    await play(again, pick("a"), pick("a"), pick("a"));
    expect(again.state().triggers.map((item) => item.status)).toEqual(["active", "active"]);
    const left = await open(rounds([0.5], [0.45, claim("B")], [0.6]), {}, { topology: single });
    await play(left, pick("a"), pick("a"), user({ as: "opt-out" }));
    expect(left.state().triggers[0]?.status).toBe("active");
  });
});

describe("disputed facts", () => {
  /** Round 1 states, round 2 contradicts, round 3 answers the question about it. */
  const disputed = async (third: Partial<ScoreReply>, value = 0.9) => {
    const world = await open(
      (task) => {
        const { round } = inputOf<"score">(task);
        if (round === 1) return score(task, 0.5, { facts: [fact("Kept two years")] });
        if (round === 2)
          return score(task, 0.4, {
            facts: [fact("Kept one year", "f1")],
            triggers: [claim("A", { contradicts: "f1" })],
          });
        return score(task, value, round === 3 ? third : {});
      },
      {},
      { topology: single },
    );
    const question = await play(world, pick("a"), pick("a"));
    return { world, question };
  };
  const facts = (world: World) =>
    world.state().established_facts.map((item) => [item.id, item.status, item.superseded_by, item.ceiling]);

  it("D5.4 a contradiction marks the old fact disputed and keeps it; the new statement is stored when it is made", async () => {
    const { world, question } = await disputed({});
    expect(facts(world)).toEqual([
      ["f1", "disputed", null, 0.4],
      ["f2", "established", null, null],
    ]);
    expect(question.deepInterview?.dimension).toBe("constraints");
    expect(promptsOf(world, "question").at(-1)).toContain("[import/constraints, disputed] Kept two years");
  });

  it("D5.4 while it is disputed its pair cannot rise above the score to which the dispute brought it", async () => {
    // The answer to another pair's question, scored high.
    const { world } = await disputed({ triggers: [claim("B", { status: "disputed", rationale: "both" })] });
    await ask(world, pick("a"));
    expect(world.state().topology.components[0]?.clarity_scores).toMatchObject({
      goal: 0.9,
      constraints: 0.4,
      criteria: 0.9,
    });
    expect(facts(world)[0]?.[1]).toBe("disputed");
  });

  it.each<[string, Partial<ScoreReply>, unknown[][]]>([
    [
      "the old one stands",
      { stands: ["f1"] },
      [
        ["f1", "established", null, null],
        ["f2", "superseded", "f1", null],
      ],
    ],
    [
      "the new one stands",
      { stands: ["f2"] },
      [
        ["f1", "superseded", "f2", null],
        ["f2", "established", null, null],
      ],
    ],
    [
      "no side is named: the newer stands",
      {},
      [
        ["f1", "superseded", "f2", null],
        ["f2", "established", null, null],
      ],
    ],
    [
      "a third statement replaces both",
      { facts: [fact("Kept for ever", "f1")], stands: ["new"] },
      [
        ["f1", "superseded", "f3", null],
        ["f2", "superseded", "f3", null],
        ["f3", "established", null, null],
      ],
    ],
  ])(
    "D5.4 the direct answer to its question settles it, and the ceiling goes at once: %s",
    async (_, third, expected) => {
      const { world } = await disputed(third);
      await ask(world, pick("a"));
      expect(facts(world)).toEqual(expected);
      expect(world.state().topology.components[0]?.clarity_scores.constraints).toBe(0.9);
      expect(world.state().triggers.every((item) => item.status === "resolved")).toBe(true);
    },
  );

  it("D5.4 a trigger A in that answer against the fact in dispute is not new: dropped, and recorded", async () => {
    const { world } = await disputed({ triggers: [claim("A", { contradicts: "f1" })], stands: ["f2"] });
    await ask(world, pick("a"));
    expect(facts(world)[0]?.[1]).toBe("superseded");
    expect(last(world)?.corrections.join()).toContain("in dispute already");
    expect(world.state().triggers).toHaveLength(1);
  });

  it("D5.4 D9.1 an interview with a settled dispute can end, and one with an open dispute cannot pass", async () => {
    const { world } = await disputed({ stands: ["f1"] }, 1);
    await ask(world, pick("a"));
    await play(world, pick("yes"));
    expect(world.state().spec?.status).toBe("PASSED");
    const { world: other } = await disputed({}, 1);
    await ask(other, user({ as: "finish" }));
    await play(other, pick("yes"));
    expect(other.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
  });
});

describe("near the gate", () => {
  const samples =
    (values: readonly number[]): NonNullable<Replies["score"]> =>
    (task, count) =>
      score(task, values[(count - 1) % values.length] ?? 0.5);

  it("D5.6 two more samples are taken within 0.05 of the threshold, in parallel, and none elsewhere", async () => {
    const near = await open(samples([0.9, 0.94, 0.92]), {}, { topology: single });
    await ask(near, pick("a"));
    expect(calls(near)).toBe(3);
    expect(last(near)).toMatchObject({ ambiguity: 0.08, sampling_margin: 0 });
    expect(last(near)?.samples.map((sample) => sample.ambiguity)).toEqual([0.1, 0.06, 0.08]);
    expect(last(near)?.spread[0]).toEqual({ component: "import", dimension: "goal", spread: 0.04 });
    const far = await open(samples([0.8999]), {}, { topology: single });
    await ask(far, pick("a"));
    expect(calls(far)).toBe(1);
    expect(last(far)?.spread).toEqual([]);
  });

  it("D5.6 the larger of the medians' ambiguity and the samples' median is stored, and the gate compares that", async () => {
    // Every pair's median is 0.97; each sample has one low pair, so that each is at 0.06 or more.
    const low = ["goal", "constraints", "criteria"];
    const world = await open(
      (task, count) => score(task, (_, dimension) => (dimension === low[(count - 1) % 3] ? 0.85 : 0.97)),
      {},
      { topology: single },
    );
    await ask(world, pick("a"));
    expect(last(world)?.scores).toMatchObject({ goal: 0.97, constraints: 0.97, criteria: 0.97 });
    expect(last(world)).toMatchObject({ ambiguity: 0.066, sampling_margin: 0.036 });
    // Not met, although every pair is as clear as the threshold asks (D4.5).
    expect(eventsOf(world, "rounds.ended").map((event) => event.reason)).toEqual(["exhausted"]);
  });

  it("D5.6 triggers and facts need a majority; entities and draft come from the first", async () => {
    const world = await open(
      (task, count) =>
        score(task, 0.92, {
          triggers: count === 2 ? [claim("B")] : [],
          facts: [fact("Kept one year"), ...(count === 3 ? [fact("Kept in Rome")] : [])],
          entities: [{ name: `Noun ${count}`, type: "core domain", fields: [], relationships: [] }],
        }),
      {},
      { topology: single },
    );
    await ask(world, pick("a"));
    expect(world.state().triggers).toEqual([]);
    expect(world.state().established_facts.map((item) => item.statement)).toEqual(["Kept one year"]);
    expect(world.state().ontology_snapshots[0]?.entities.map((entity) => entity.name)).toEqual(["Noun 1"]);
  });

  it("D5.6 a sample that fails is left out; the others count", async () => {
    const world = await open(
      (task, count) => (count === 2 ? new Error("down") : score(task, count === 1 ? 0.9 : 0.94)),
      {},
      { topology: single },
    );
    await ask(world, pick("a"));
    expect(last(world)?.samples).toHaveLength(2);
    expect(last(world)?.lifecycle).toBe("scored");
  });

  it("D5.6 D0.5 the number of samples is a setting", async () => {
    const world = await open(
      samples([0.92]),
      { limits: { ...defaultLimits, scoringSamples: 1 } },
      { topology: single },
    );
    await ask(world, pick("a"));
    expect(calls(world)).toBe(1);
  });

  it("D5.7 stored values decide, and a shown number never rounds across the threshold", async () => {
    const at = async (value: number) => {
      const world = await open((task) => score(task, value), { threshold: 0.1 }, { topology: single });
      const question = await turn(world, pick("a"));
      return [question?.kind, question?.header ?? "", world.state().current_ambiguity];
    };
    expect(await at(0.9)).toEqual(["restate", "", 0.1]);
    expect(await at(0.8999)).toEqual(["round", expect.stringContaining("Ambiguity: 10.01%"), 0.1001]);
    expect(await at(0.88)).toEqual(["round", expect.stringContaining("Ambiguity: 12%"), 0.12]);
  });
});

describe("the ontology of an interview", () => {
  it("D6.1 D6.2 each scoring leaves a snapshot with its matching written out before the numbers", async () => {
    const lists = [
      [{ name: "Order", type: "core domain", fields: ["id", "total"], relationships: [] }],
      [
        { name: "order ", type: "core domain", fields: ["id"], relationships: [] },
        { name: "Client", type: "supporting", fields: ["mail", "name"], relationships: [] },
      ],
      [{ name: "Customer", type: "supporting", fields: ["mail", "name", "vat"], relationships: [] }],
      [],
    ];
    const world = await open((task, count) => score(task, 0.4 + count * 0.01, { entities: lists[count - 1] ?? [] }));
    await play(world, pick("a"), pick("a"), pick("a"), pick("a"));
    const snapshots = world.state().ontology_snapshots;
    expect(
      snapshots.map((item) => [item.round, item.stability_ratio, item.stable, item.changed, item.new, item.removed]),
    ).toEqual([
      [1, null, 0, 0, 1, 0],
      [2, 0.5, 1, 0, 1, 0],
      [3, 1, 0, 1, 0, 1],
      [4, null, 0, 0, 0, 1],
    ]);
    expect(snapshots[2]?.matching_reasoning.join("\n")).toContain(
      'changed: Client -> Customer (same type "supporting", 2 of 3 fields shared: mail, name)',
    );
    const prior = inputOf<"score">(
      (world.model.tasks ?? []).filter((task) => task.name === "score")[2] as never,
    ).prior_entities;
    expect(prior.map((entity) => entity.name)).toEqual(["order ", "Client"]);
  });
});
