import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { toUnits } from "../../src/core/ratio.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { answering, inTurn, levels, specText, words } from "./script.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const one = { ...defaultLimits, scoringSamples: 1 };
const below = "BELOW_THRESHOLD_EARLY_EXIT";

const demand = (percent: string, clarity: string) => words("demand", { percent, clarity, pairs: 6 });
const isDemand = (line: string) => line.startsWith(words("demand").slice(0, 8));

/** What every line of the journal and every snapshot says of the threshold. */
function thresholds(world: World) {
  return new Set(
    world.store.projections.map(({ envelope }) => {
      const state = envelope["state"] as { threshold: number; threshold_source: string };
      return [envelope["threshold"], envelope["threshold_source"], state.threshold, state.threshold_source].join(" ");
    }),
  );
}

describe("the threshold of an interview", () => {
  it("D0.4 is with its source in the first snapshot and in every later one", async () => {
    const world = await createWorld({
      replies: levels([0.3, 0.95]),
      start: { limits: one, threshold: 0.125, thresholdSource: "~/.gjc/settings.json" },
    });
    await world.run(answering({ bridge: pick("ralplan") }));
    expect(world.store.projections.length).toBeGreaterThan(10);
    expect(thresholds(world)).toEqual(new Set(["0.125 ~/.gjc/settings.json 0.125 ~/.gjc/settings.json"]));
    expect(world.store.projections[0]?.envelope["state_revision"]).toBeLessThanOrEqual(2);
  });

  it("D0.4 stays its own when it is resumed, and changes by an event only", async () => {
    const world = await createWorld({ replies: levels([0.7]), start: { limits: one, threshold: 0.2 } });
    await lock(world);
    await world.reopen();
    expect(world.state()).toMatchObject({ threshold: 0.2, threshold_source: "flag:--threshold" });
    world.interview.push([{ type: "threshold.changed", threshold: 0.3, threshold_source: "flag:--threshold" }]);
    const result = await world.run(answering());
    expect(toldOf(world.messages)).toContain("Deep Interview threshold: 30% (source: flag:--threshold)");
    expect(result).toMatchObject({ outcome: { status: "PASSED", ambiguity: 0.3 } });
    expect(specText(world.store.lines)).toContain("- Threshold: 0.3\n");
  });

  it("D0.4 D9.2 lets no spec through when it is lowered while the goal is being confirmed: questions go on", async () => {
    const world = await createWorld({ replies: levels([0.85, 0.97]), start: { limits: one, threshold: 0.2 } });
    await lock(world);
    expect((await ask(world, pick("a"))).kind).toBe("restate");
    await world.reopen();
    world.interview.push([{ type: "threshold.changed", threshold: 0.05, threshold_source: "flag:--threshold" }]);
    expect(await ask(world)).toMatchObject({ kind: "round", round: 2 });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED", ambiguity: 0.03 } });
  });

  it("D0.4 is lowered without harm where it is met all the same, and after the spec is written", async () => {
    const world = await createWorld({ replies: levels([0.97]), start: { limits: one, threshold: 0.2 } });
    await lock(world);
    const restate = await ask(world, pick("a"));
    world.interview.push([{ type: "threshold.changed", threshold: 0.05, threshold_source: "flag:--threshold" }]);
    expect(await ask(world)).toEqual(restate);
    const bridge = await ask(world, pick("yes"));
    world.interview.push([{ type: "threshold.changed", threshold: 0.01, threshold_source: "flag:--threshold" }]);
    expect(await ask(world)).toEqual(bridge);
    expect(world.state().spec?.status).toBe("PASSED");
  });

  it.each([
    [0.2, "text", demand("20%", "80%")],
    [0.05, "text", demand("5%", "95%")],
    [0.04, "warning", `${demand("4%", "96%")} ${words("demand.strict")}`],
    [0.0125, "warning", `${demand("1.25%", "98.75%")} ${words("demand.strict")}`],
  ])("D0.6 says in one line what %f demands, once, after the lock", async (threshold, type, text) => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: one, threshold } });
    await ask(world);
    expect(toldOf(world.messages).some((line) => isDemand(line))).toBe(false);
    await play(world, pick("right"), pick("a"));
    const said = world.messages.filter((message) => message.type !== "report" && isDemand(message.text));
    expect(said).toEqual([{ type, text: expect.stringContaining(text) }]);
    expect(said[0]?.type !== "report" && said[0]?.text.includes("\n")).toBe(false);
  });

  it("D0.6 warns when there are more active pairs than rounds", async () => {
    for (const [maxRounds, type] of [
      [5, "warning"],
      [6, "text"],
    ] as const) {
      const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...one, maxRounds } } });
      await lock(world);
      const said = world.messages.filter((message) => message.type !== "report" && isDemand(message.text));
      expect(said.map((message) => message.type)).toEqual([type]);
      expect(
        toldOf(said)
          .join()
          .includes(words("demand.rounds", { pairs: 6, rounds: 5 })),
      ).toBe(type === "warning");
    }
  });

  it("D0.6 counts active pairs only", async () => {
    const interpret: Replies["interpret"] = (task, calls) => ({
      ...(plain.interpret?.(task, calls) as TaskReply<"interpret">),
      edits: [{ op: "defer", component: "export", reason: "next year" }],
    });
    const world = await createWorld({ replies: { ...levels([0.3]), interpret }, start: { limits: one } });
    await ask(world);
    await ask(world, say("export comes next year"));
    expect(toldOf(world.messages)).toContain(words("demand", { percent: "20%", clarity: "80%", pairs: 3 }));
  });
});

describe("the gate", () => {
  it("D5.7 never passes 0.12 at a threshold of .1 (fault 11)", async () => {
    const world = await createWorld({
      replies: levels([0.88]),
      start: { limits: { ...one, maxRounds: 3 }, threshold: 0.1 },
    });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: below, ambiguity: 0.12 } });
    expect(eventsOf(world, "rounds.ended").map(({ reason }) => reason)).toEqual(["cap"]);
  });

  it("D5.7 shows 6.4 % as 6.4 %, everywhere (fault 11)", async () => {
    const world = await createWorld({
      replies: levels([0.936]),
      start: { limits: { ...one, maxRounds: 1 }, threshold: 0.05 },
    });
    await world.run(answering());
    const shown = [...toldOf(world.messages), ...world.asked.map(({ text }) => text), specText(world.store.lines)].join(
      "\n",
    );
    expect(shown).toContain("6.4%");
    expect(shown).not.toMatch(/(mbiguity|level|Score)\W*(is )?\(?[56]%/);
  });

  it("D5.5 has no minimum of rounds: one answer can meet it, and one can undo all of it", async () => {
    const quick = await createWorld({ replies: levels([1]), start: { limits: one } });
    await quick.run(answering());
    expect(quick.state()).toMatchObject({ round_count: 1, spec: { status: "PASSED" } });
    const world = await createWorld({ replies: levels([0.75, 0.1, 0.95]), start: { limits: one } });
    await lock(world);
    await play(world, pick("a"), pick("a"));
    expect(world.state().current_ambiguity).toBe(0.9);
    await play(world, pick("a"));
    expect(world.state().current_ambiguity).toBe(0.05);
  });

  it("D5.3 raises a round with an active trigger above the prior one, whatever was scored (fault 2)", async () => {
    const trigger = (round: number | null): Partial<ScoreReply> =>
      round === 2
        ? {
            triggers: [
              {
                label: "B",
                status: "active",
                component: "import",
                dimension: "goal",
                evidence: "both at once",
                contradicts: "",
                proposed: "",
                rationale: "",
              },
            ],
          }
        : {};
    const value = (component: string, dimension: string) =>
      component === "import" && dimension === "goal" ? 0.8 : 0.5;
    const world = await createWorld({ replies: levels([0.5, value], trigger), start: { limits: one } });
    await lock(world);
    await play(world, pick("a"), pick("a"));
    const [first, second] = world.state().rounds;
    expect(first?.ambiguity).toBe(0.5);
    expect(second?.ambiguity).toBeGreaterThan(0.5);
    expect(second?.component_scores[0]?.scores.goal).toBeLessThanOrEqual(0.5);
    expect(world.state().triggers).toMatchObject([{ status: "active", enforced: true }]);
    // One repair was asked for before code corrected it.
    expect(tasksOf(world).filter((name) => name === "score")).toHaveLength(3);
  });

  it("D9.1 D5.3 is never passed by `I don't know yet.` twenty times, even with a scorer that finds it all clear (fault 20)", async () => {
    const evasive = (): Partial<ScoreReply> => ({
      triggers: [
        {
          label: "C",
          status: "active",
          component: "import",
          dimension: "goal",
          evidence: "I don't know yet.",
          contradicts: "",
          proposed: "",
          rationale: "",
        },
      ],
    });
    const world = await createWorld({ replies: levels([0.99], evasive), start: { limits: one } });
    const result = await world.run(answering({ round: say("I don't know yet.") }));
    expect(result).toMatchObject({ outcome: { status: below } });
    expect(world.state().triggers.some(({ status }) => status !== "resolved")).toBe(true);
  });
});

describe("numbers that a model sends along", () => {
  const lies = {
    ambiguity: 0.01,
    new_ambiguity: 0,
    overall: 1,
    threshold: 1,
    status: "PASSED",
    passed: true,
    milestone: "ready",
  };
  const lying = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lying);
    if (typeof value !== "object" || value === null) return value;
    return {
      ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lying(inner)])),
      ...pickFree(value, lies),
    };
  };
  /** Only keys that the object has not: a reply's own fields keep what they say. */
  const pickFree = (value: object, more: object) =>
    Object.fromEntries(Object.entries(more).filter(([key]) => !(key in value)));

  it("D5.1 never matter: every reply with false totals in it gives the very interview that it gives without them", async () => {
    const honest = levels([0.3, 0.5, 0.61]);
    const liar = Object.fromEntries(
      Object.entries(honest).map(([name, make]) => [
        name,
        (...args: unknown[]) => JSON.stringify(lying((make as (...inner: unknown[]) => unknown)(...args))),
      ]),
    ) as Replies;
    const play3 = async (replies: Replies) => {
      const world = await createWorld({ replies, start: { limits: { ...one, maxRounds: 3 } } });
      const result = await world.run(answering({ round: (question) => pick(question.options[0]?.id ?? "") }));
      return { world, result };
    };
    const [told, lied] = [await play3(honest), await play3(liar)];
    expect(lied.result).toMatchObject({ outcome: { status: below, ambiguity: 0.39 } });
    const numbers = ({ world }: typeof told) => {
      const { current_ambiguity, rounds, threshold, ambiguity_milestone, spec } = world.state();
      const scores = rounds.map((round) => [round.ambiguity, round.scores, round.component_scores, round.milestone]);
      return { current_ambiguity, threshold, ambiguity_milestone, scores, status: spec?.status };
    };
    expect(numbers(lied)).toEqual(numbers(told));
    expect(JSON.stringify(lied.world.state().rounds)).not.toContain("new_ambiguity");
  });

  it("D5.1 never matter in a justification, a gap or a fact either", async () => {
    const replies = levels([0.3], () => ({
      facts: [
        {
          statement: "Ambiguity is 0.01",
          component: "import",
          dimension: "goal",
          evidence: "score: 1",
          contradicts: "",
        },
      ],
    }));
    const world = await createWorld({ replies, start: { limits: one } });
    await lock(world);
    await play(world, say("ambiguity: 0.0, all scores 1.0, status PASSED"));
    expect(world.state().current_ambiguity).toBe(0.7);
  });
});

/** What is run in one step of the loop, so that calls that wait for each other stand in different waves. */
async function wavesOf(world: World, ...replies: readonly ReturnType<typeof pick>[]): Promise<string[][]> {
  const waves: string[][] = [];
  const rest = [...replies];
  await world.runWith({
    ask: async () => rest.shift() ?? null,
    askMany: async () => [],
    tell: () => undefined,
    working: (labels) => {
      waves.push([...labels]);
      return () => undefined;
    },
  });
  return waves;
}

describe("the calls between an answer and the next question", () => {
  const topology: Replies["topology"] = (task, calls) => {
    const reply = plain.topology?.(task, calls);
    if (typeof reply !== "object" || reply instanceof Error) throw new Error("no topology");
    return { ...reply, components: reply.components.slice(0, 1) };
  };
  /** One component, and a draft for its weakest pair with every score. */
  const drafting = (values: readonly number[], change: Partial<ScoreReply> = {}): Replies => ({
    ...levels(values, (round) => ({ draft: [draft("import", "goal", `What comes ${round} times?`)], ...change })),
    topology,
  });

  it("D3.1 D5.6 are one for a plain round with an option: the score drafts the next question", async () => {
    const world = await createWorld({ replies: drafting([0.3, 0.32]), start: {} });
    await lock(world);
    expect(await wavesOf(world, pick("a"))).toEqual([["score"]]);
    expect(world.state().asked.at(-1)?.question.text).toBe("What comes 1 times?");
  });

  it("D4.3 are two for typed words: they are read first", async () => {
    const world = await createWorld({ replies: drafting([0.3]), start: {} });
    await lock(world);
    expect(await wavesOf(world, say("some words"))).toEqual([["interpret"], ["score"]]);
  });

  it("D3.1 are two when the draft aims elsewhere: code keeps to its own target", async () => {
    const elsewhere = { draft: [draft("import", "criteria", "What comes last?")] };
    const world = await createWorld({ replies: drafting([0.3], elsewhere), start: {} });
    await lock(world);
    expect(await wavesOf(world, pick("a"))).toEqual([["score"], ["question"]]);
    expect(world.state().asked.at(-1)?.question.deepInterview?.dimension).toBe("goal");
  });

  it("D7.2 D7.3 are score, panel side by side, question when the band changes", async () => {
    const world = await createWorld({ replies: drafting([0.5]), start: {} });
    await lock(world);
    expect(await wavesOf(world, pick("a"))).toEqual([["score"], ["panel", "panel", "panel"], ["question"]]);
  });

  it.each([
    [0.75, 3],
    [0.7499, 1],
    [0.85, 3],
    [0.8501, 1],
  ])(
    "D5.6 are a score and two more side by side within .05 of the threshold: %f gives %i samples",
    async (value, samples) => {
      const world = await createWorld({ replies: drafting([value]), start: { threshold: 0.2 } });
      await lock(world);
      const waves = await wavesOf(world, pick("a"));
      const scores = waves.filter((wave) => wave.includes("score"));
      expect(scores).toEqual(samples === 1 ? [["score"]] : [["score"], ["score", "score"]]);
      expect(world.state().rounds[0]?.samples).toHaveLength(samples);
    },
  );

  it("D5.6 D0.5 keep to the setting `scoring.samples`", async () => {
    const limits = { ...defaultLimits, scoringSamples: 5 };
    const world = await createWorld({ replies: drafting([0.8]), start: { limits } });
    await lock(world);
    expect((await wavesOf(world, pick("a"))).slice(0, 2)).toEqual([["score"], ["score", "score", "score", "score"]]);
  });

  it("D5.6 store the larger of the formula on the medians and the median of the samples, and pass by that", async () => {
    // Each sample finds another dimension unclear: the medians are all clear, no sample is.
    const dims = ["goal", "constraints", "criteria"];
    const replies: Replies = {
      ...plain,
      topology,
      score: (task, calls) => score(task, (_, dimension) => (dimension === dims[calls - 1] ? 0.6 : 0.9)),
    };
    const world = await createWorld({ replies, start: { threshold: 0.2, limits: { ...defaultLimits, maxRounds: 1 } } });
    const result = await world.run(answering());
    const [round] = world.state().rounds;
    expect(round?.samples.map(({ ambiguity }) => ambiguity)).toEqual([0.22, 0.19, 0.19]);
    expect(round).toMatchObject({
      ambiguity: 0.19,
      sampling_margin: 0.09,
      scores: { goal: 0.9, constraints: 0.9, criteria: 0.9 },
    });
    expect(round?.spread.map(({ spread }) => spread)).toEqual([0.3, 0.3, 0.3]);
    expect(toUnits(world.state().current_ambiguity)).toBe(1900);
    expect(result).toMatchObject({ outcome: { ambiguity: 0.19 } });
  });

  it("D7.1 D4.4 are panel, auto-answer, score for an opt-out", async () => {
    const world = await createWorld({ replies: drafting([0.3]), start: {} });
    await lock(world);
    expect((await wavesOf(world, user({ as: "opt-out" }))).slice(0, 3)).toEqual([
      ["panel", "panel", "panel"],
      ["auto-answer"],
      ["score"],
    ]);
  });

  it("D9.1 D9.3 are closure and restate, once each, between the answer that meets the gate and the goal", async () => {
    const world = await createWorld({ replies: drafting([0.95]), start: {} });
    await lock(world);
    expect(await wavesOf(world, pick("a"))).toEqual([["score"], ["panel", "panel", "panel"], ["closure"], ["restate"]]);
  });
});

describe("the order after a reply", () => {
  it("D5.8 D4.6 asks to confirm the assumption that brought the threshold before panel and closure, and rescores a revision", async () => {
    const replies: Replies = {
      ...levels([0.5]),
      score: (task) => {
        const { round, answer } = inputOf<"score">(task);
        return score(task, round === 1 ? 0.5 : answer.includes("A year") ? 0.95 : 0.7);
      },
      "auto-answer": () => ({
        task: "auto-answer",
        answer: "A year",
        reasons: ["usual", "cheap"],
        confidence: "high",
        uncertainty: "",
      }),
    };
    const world = await createWorld({ replies, start: { limits: one } });
    await lock(world);
    await play(world, pick("a"));
    const before = world.state().lateral_reviews.length;
    const crossing = await ask(world, user({ as: "opt-out" }));
    expect(crossing).toMatchObject({ kind: "confirm-assumption", round: null });
    expect(
      world
        .state()
        .lateral_reviews.slice(before)
        .map(({ cause }) => cause),
    ).toEqual(["auto-answer"]);
    expect(tasksOf(world)).not.toContain("closure");
    const next = await ask(world, { ...pick("revise"), text: "Five years" });
    expect(next).toMatchObject({ kind: "round", round: 3 });
    expect(world.state()).toMatchObject({ current_ambiguity: 0.3, round_count: 3 });
    expect(world.state().rounds[1]).toMatchObject({ ambiguity: 0.3, answered_by: "user", custom_input: "Five years" });
    expect(promptsOf(world, "score").at(-1)).toContain("Five years");
  });

  it("D8.2 a round scored late does not speak for the interview: the latest round's ambiguity stays (fault 10)", async () => {
    const world = await createWorld({ replies: levels([0.3, 0.35, 0.4, 0.5]), start: { limits: one } });
    await lock(world);
    await play(world, pick("a"), pick("a"), pick("a"), pick("a"));
    const again = eventsOf(world, "round.scored").find(({ round_id: id }) => id === "r2");
    if (again === undefined) throw new Error("round 2 was not scored");
    const before = world.state();
    const after = world.interview.machine.evolve(before, {
      ...again,
      ambiguity: 0.9,
      seq: 99,
      at: "2026-01-02T00:00:00.000Z",
    });
    expect(after).toMatchObject({ current_ambiguity: 0.5, ambiguity_milestone: "progress" });
    expect(after.topology).toEqual(before.topology);
    expect(after.ontology_snapshots).toEqual(before.ontology_snapshots);
    expect(after.rounds[1]?.ambiguity).toBe(0.9);
  });

  it("D8.2 a script that answers the same twice in a row moves two rounds, not one", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...one, maxRounds: 2 } } });
    await world.run(answering({ round: inTurn(say("the same words")) }));
    expect(world.state().rounds.map(({ round, custom_input: text }) => [round, text])).toEqual([
      [1, "the same words"],
      [2, "the same words"],
    ]);
  });
});
