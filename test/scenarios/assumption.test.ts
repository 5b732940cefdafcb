import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, sentence, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const optOut = user({ as: "opt-out" });
const single = (): TaskReply<"topology"> => {
  const base = (plain.topology as () => TaskReply<"topology">)();
  return { ...base, components: base.components.slice(0, 1) };
};
const sure = (confidence: "low" | "medium" | "high", uncertainty: string): Replies => ({
  "auto-answer": () => ({ ...(plain["auto-answer"] as () => TaskReply<"auto-answer">)(), confidence, uncertainty }),
});
/** The scores of each round in order: one number, or one by dimension. */
type Scores = number | Partial<Record<"goal" | "constraints" | "criteria", number>>;
const open = async (rounds: readonly Scores[], more: Replies = {}, start: object = {}): Promise<World> => {
  let calls = -1;
  const world = await createWorld({
    replies: {
      ...plain,
      topology: single,
      score: (task) => {
        calls += 1;
        const values = rounds[Math.min(calls, rounds.length - 1)] ?? 0.4;
        return score(task, (_, dimension) =>
          typeof values === "number" ? values : (values[dimension as "goal"] ?? 0.9),
        );
      },
      ...more,
    },
    start: { threshold: 0.05, limits: { ...defaultLimits, scoringSamples: 1 }, ...start },
  });
  await lock(world);
  return world;
};
const scoresOf = (world: World) => world.state().topology.components[0]?.clarity_scores;

describe("what an assumption may make clear", () => {
  it("D4.5 a pair that an auto-answer alone improved is min(new, max(prior, 0.85))", async () => {
    const world = await open([
      { goal: 0.3, constraints: 0.9, criteria: 0.5 },
      { goal: 0.95, constraints: 0.97, criteria: 0.6 },
    ]);
    await play(world, pick("a"), optOut);
    // goal 0.3 -> 0.95 is held at 0.85, constraints 0.9 -> 0.97 at 0.9, criteria 0.5 -> 0.6 is below.
    expect(scoresOf(world)).toMatchObject({ goal: 0.85, constraints: 0.9, criteria: 0.6 });
    expect(world.state().caps.map((cap) => [cap.dimension, cap.cap])).toEqual([
      ["goal", 0.85],
      ["constraints", 0.9],
      ["criteria", 0.85],
    ]);
  });

  it.each([
    ["high", "", null],
    ["high", "the law", 0.85],
    ["medium", "", 0.85],
    ["low", "", 0.85],
  ] as const)(
    "D4.5 only high confidence without uncertainty is not capped: %s, %j",
    async (confidence, uncertainty, cap) => {
      const world = await open(
        [
          { goal: 0.3, criteria: 0.5 },
          { goal: 0.95, criteria: 0.5 },
        ],
        sure(confidence, uncertainty),
      );
      await play(world, pick("a"), optOut);
      expect(scoresOf(world)?.goal).toBe(cap ?? 0.95);
    },
  );

  it("D4.5 the cap holds in later rounds about other pairs, until the user answers that pair directly", async () => {
    const world = await open([
      { goal: 0.3, constraints: 0.5, criteria: 0.6 },
      { goal: 0.95, constraints: 0.5, criteria: 0.6 },
      { goal: 0.95, constraints: 0.97, criteria: 0.6 },
      { goal: 0.95, constraints: 0.97, criteria: 0.92 },
    ]);
    // Round 2 opts out of the goal; the next two are about the other pairs.
    await play(world, pick("a"), optOut);
    expect(scoresOf(world)?.goal).toBe(0.85);
    await ask(world, pick("a"));
    expect(scoresOf(world)?.goal).toBe(0.85);
    const about = await ask(world, pick("a"));
    // The goal is the lowest now, and rests on the assumption: it is put to the user.
    expect([about.kind, about.deepInterview?.dimension]).toEqual(["confirm-assumption", "goal"]);
    await ask(world, user({ options: ["revise"], text: "a year and a day" }));
    expect(scoresOf(world)?.goal).toBe(0.95);
    expect(world.state().caps).toEqual([]);
  });

  it("D4.5 D0.5 the cap is a setting", async () => {
    const world = await open(
      [
        { goal: 0.3, criteria: 0.5 },
        { goal: 0.95, criteria: 0.5 },
      ],
      {},
      { limits: { ...defaultLimits, scoringSamples: 1, autoAnswerClarityCap: 0.6 } },
    );
    await play(world, pick("a"), optOut);
    expect(scoresOf(world)?.goal).toBe(0.6);
  });
});

describe("a confirm-assumption question", () => {
  it("D4.5 D3.2 is about the pair that the assumption holds up, also where that is not the one it was made for", async () => {
    const world = await open([{ goal: 0.9, constraints: 0.3, criteria: 0.9 }]);
    const question = await ask(world, optOut);
    expect(question.kind).toBe("confirm-assumption");
    expect(question.header).toContain("Component: Import | Targeting: constraints |");
    expect(question.deepInterview).toMatchObject({ component: "import", dimension: "constraints" });
    expect(question.text).toContain("For Import / goal I assumed");
    await ask(world, pick("confirm"));
    expect(world.state().caps).toEqual([]);
  });

  /** The goal is the lowest pair and rests on the assumption of round 1. */
  const asked = async (next: readonly Scores[] = [{ goal: 0.97 }], more: Replies = {}) => {
    const world = await open([{ goal: 0.6 }, ...next], more);
    const question = await ask(world, optOut);
    expect(question.kind).toBe("confirm-assumption");
    return { world, question };
  };

  it("D4.5 is a numbered round with target and header, and says what was assumed and how sure it is", async () => {
    const { world, question } = await asked();
    expect(question).toMatchObject({
      round: 2,
      allow_free_text: true,
      deepInterview: { round: 2, component: "import", dimension: "goal" },
    });
    expect(question.header).toBe(
      "Round 2 | Component: Import | Targeting: goal | Why now: it rests on an assumption that you have not confirmed | Ambiguity: 25%",
    );
    expect(question.options.map((option) => option.id)).toEqual(["confirm", "revise", "leave"]);
    for (const part of ["Keep records for a year", "usual; cheap", "medium", "the law may ask for more"])
      expect(question.text).toContain(part);
    expect(world.state().round_count).toBe(2);
    expect(tasksOf(world)).not.toContain("closure");
  });

  it("D4.5 confirmed: scored as the user's direct answer, the cap is lifted", async () => {
    const { world } = await asked();
    await ask(world, pick("confirm"));
    expect(world.state().rounds[1]).toMatchObject({
      round: 2,
      kind: "confirm-assumption",
      answered_by: "user",
      lifecycle: "scored",
      custom_input: "Keep records for a year",
      selected_options: ["Confirm it"],
    });
    const input = inputOf<"score">((world.model.tasks ?? []).findLast((task) => task.name === "score") as never);
    expect(input).toMatchObject({
      answer: "Confirm it\nKeep records for a year",
      answered_by: "user",
      assumption: null,
    });
    expect(scoresOf(world)?.goal).toBe(0.97);
    expect(world.state()).toMatchObject({ caps: [], assumptions: [{ status: "confirmed" }] });
  });

  it("D4.5 a remark on the confirmation is not lost", async () => {
    const { world } = await asked();
    await ask(world, user({ options: ["confirm"], text: "but only in the EU" }));
    const input = inputOf<"score">((world.model.tasks ?? []).findLast((task) => task.name === "score") as never);
    expect(input.answer).toContain("Keep records for a year");
    expect(input.answer).toContain("but only in the EU");
    expect(world.state().assumptions[0]?.status).toBe("confirmed");
  });

  it("D4.5 revised: one collect for the words, scored as a direct answer, the cap is lifted", async () => {
    const { world, question } = await asked();
    const collect = await ask(world, pick("revise"));
    expect(collect).toMatchObject({ kind: "collect", round: 2 });
    await ask(world, say("Seven years, then delete"));
    expect(world.state().rounds[1]).toMatchObject({
      question_id: question.id,
      round: 2,
      answered_by: "user",
      lifecycle: "scored",
      custom_input: "Seven years, then delete",
    });
    expect(scoresOf(world)?.goal).toBe(0.97);
    expect(world.state()).toMatchObject({ caps: [], assumptions: [{ status: "revised" }] });
    expect(world.asked.filter((item) => item.kind === "collect")).toHaveLength(1);
    expect(tasksOf(world)).not.toContain("interpret");
  });

  it("D4.5 words typed there are the revision", async () => {
    for (const reply of [say("Seven years"), user({ options: ["revise"], text: "Seven years" })]) {
      const { world } = await asked();
      await ask(world, reply);
      expect(world.state().rounds[1]).toMatchObject({ custom_input: "Seven years", lifecycle: "scored" });
      expect(world.state().assumptions[0]?.status).toBe("revised");
    }
  });

  it("D4.5 D4.2 words that ask, leave or pass are no revision: the same question stays, or it is left open", async () => {
    const reading = (change: Partial<TaskReply<"interpret">>): Replies => ({
      interpret: () => ({ ...(plain.interpret as () => TaskReply<"interpret">)(), ...change }),
    });
    const asks = await asked([], reading({ kind: "explain", explanation: "It was assumed for you." }));
    expect(await ask(asks.world, say("What does option 2 mean?"))).toEqual(asks.question);
    expect(toldOf(asks.world.messages).at(-1)).toBe("It was assumed for you.");
    expect(asks.world.state()).toMatchObject({ inbox: null, assumptions: [{ status: "open" }] });
    expect(asks.world.state().rounds).toHaveLength(1);
    const passes = await asked([], reading({ kind: "opt-out" }));
    await ask(passes.world, say("I would rather not say"));
    expect(passes.world.state().assumptions[0]?.status).toBe("left_open");
    const leaves = await asked([], reading({ kind: "finish" }));
    expect(await ask(leaves.world, say("just start the work now"))).toEqual(leaves.question);
    // What stands beside an option is that option's, whatever it reads like; an unread revision is one all the same.
    const picked = await asked([], reading({ kind: "opt-out" }));
    await ask(picked.world, user({ options: ["confirm"], text: "as you like" }));
    expect(picked.world.state().assumptions[0]?.status).toBe("confirmed");
    const unread = await asked([], { interpret: () => "?" });
    await ask(unread.world, say("Seven years"));
    expect(unread.world.state().rounds[1]?.custom_input).toBe("Seven years");
  });

  it("D4.5 D2.2 words there may defer a component, too", async () => {
    const defer = { op: "defer" as const, component: "export", reason: "next year" };
    const world = await open([{ goal: 0.6 }, { goal: 0.9 }], {
      topology: plain.topology as () => TaskReply<"topology">,
      interpret: () => ({ ...(plain.interpret as () => TaskReply<"interpret">)(), edits: [defer] }),
    });
    const question = await ask(world, optOut);
    expect(question.kind).toBe("confirm-assumption");
    await ask(world, say("Seven years, and leave Export for next year"));
    expect(world.state().topology.deferrals).toMatchObject([{ component_id: "export", reason: "next year" }]);
    expect(world.state().rounds[1]?.lifecycle).toBe("scored");
  });

  it("D4.5 left open: not scored, out of targeting, listed as a gap", async () => {
    const { world } = await asked([{ goal: 0.6, constraints: 0.7 }]);
    const next = await ask(world, pick("leave"));
    expect(world.state().rounds[1]).toMatchObject({
      round: 2,
      lifecycle: "unresolved",
      answered_by: null,
      scores: null,
    });
    expect(world.state()).toMatchObject({
      left_open: [{ component: "import", dimension: "goal" }],
      assumptions: [{ status: "left_open" }],
    });
    expect(tasksOf(world).filter((name) => name === "score")).toHaveLength(1);
    // The goal, 0.6, is still the lowest, and not asked about again.
    expect(next.deepInterview).toMatchObject({ round: 3, dimension: "constraints" });
  });

  it.each([["opt-out"], ["defer"]] as const)("D4.5 D4.7 %s never confirms it", async (as) => {
    const { world } = await asked();
    await ask(world, user({ as }));
    expect(world.state().assumptions[0]?.status).toBe("left_open");
    expect(world.state().rounds[1]?.lifecycle).toBe("unresolved");
  });

  it("D4.5 nothing said to the collect puts the same question again", async () => {
    const { world, question } = await asked();
    await ask(world, pick("revise"));
    expect(await ask(world, user({ as: "opt-out" }))).toEqual(question);
    expect(world.state()).toMatchObject({ inbox: null, assumptions: [{ status: "open" }] });
    await ask(world, pick("confirm"));
    expect(world.state().assumptions[0]?.status).toBe("confirmed");
  });

  it("D4.5 D8.3 an exit there records it unanswered, and the assumption stays a gap", async () => {
    for (const more of [[], [pick("revise")]]) {
      const world = await open([{ goal: 0.3 }, { goal: 0.6 }]);
      await play(world, pick("a"), optOut, ...more);
      // Round 3 asks for confirmation.
      expect(world.state().asked.some((item) => item.question.kind === "confirm-assumption")).toBe(true);
      await ask(world, user({ as: "finish" }));
      expect(world.state().rounds[2]).toMatchObject({ round: 3, lifecycle: "unresolved", custom_input: null });
      const last = await play(world, pick("yes"));
      expect(last.kind).toBe("bridge");
      expect(world.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
    }
  });
});

describe("an assumption that would end the interview", () => {
  const certain = sure("high", "");
  const crossing = async (next: readonly Scores[] = [0.97], more: Replies = certain) => {
    const world = await open([{ goal: 0.5, constraints: 0.6, criteria: 0.6 }, 0.97, ...next], more);
    await play(world, pick("a"));
    const question = await ask(world, optOut);
    return { world, question };
  };

  it("D4.6 is confirmed by the user first, in a question without a number", async () => {
    const { world, question } = await crossing();
    expect(question).toMatchObject({ kind: "confirm-assumption", round: null, header: null });
    expect(question.options.map((option) => option.id)).toEqual(["confirm", "revise", "keep"]);
    expect(question.text).toContain(sentence("assumption.crossing", { ambiguity: "3%" }));
    expect(world.state()).toMatchObject({ round_count: 2, current_ambiguity: 0.03 });
    expect(tasksOf(world)).not.toContain("closure");
    expect(eventsOf(world, "rounds.ended")).toEqual([]);
  });

  it("D4.6 confirmed: the interview goes on to its end, and passes", async () => {
    const { world } = await crossing();
    expect((await ask(world, pick("confirm"))).kind).toBe("restate");
    await ask(world, pick("yes"));
    expect(world.state().spec?.status).toBe("PASSED");
    expect(world.state().rounds).toHaveLength(2);
  });

  it("D4.6 revised: the words replace the assumed answer, and the round is scored again against what stood before it", async () => {
    const { world } = await crossing([{ goal: 0.7, constraints: 0.6, criteria: 0.6 }]);
    await ask(world, pick("revise"));
    const next = await ask(world, say("Seven years"));
    expect(world.state().rounds).toHaveLength(2);
    expect(world.state().rounds[1]).toMatchObject({
      round: 2,
      answered_by: "user",
      custom_input: "Seven years",
      auto_answer: null,
      lifecycle: "scored",
      ambiguity: 0.36,
    });
    const scorings = (world.model.tasks ?? [])
      .filter((task) => task.name === "score")
      .map((task) => inputOf<"score">(task));
    expect(scorings.at(-1)).toMatchObject({
      answer: "Seven years",
      answered_by: "user",
      assumption: null,
      prior_ambiguity: 0.44,
    });
    expect(scorings.at(-1)?.components[0]?.scores.map((item) => item.score)).toEqual([0.5, 0.6, 0.6]);
    expect(world.state()).toMatchObject({
      current_ambiguity: 0.36,
      auto_answer_streak: 0,
      assumptions: [{ status: "revised" }],
      caps: [],
    });
    expect(world.state().ontology_snapshots).toHaveLength(2);
    expect(next.round).toBe(3);
  });

  it("D4.6 what the withdrawn answer stated, disputed and set off goes with it", async () => {
    const fact = (statement: string, contradicts = ""): ScoreReply["facts"][number] => ({
      statement,
      component: "import",
      dimension: "constraints",
      evidence: "said",
      contradicts,
    });
    let calls = 0;
    const { world } = await crossing([], {
      ...certain,
      score: (task) => {
        calls += 1;
        const a = {
          label: "A" as const,
          status: "unresolved" as const,
          component: "import",
          dimension: "constraints" as const,
          evidence: "the opposite",
          contradicts: "f1",
          proposed: "",
          rationale: "others rose",
        };
        if (calls === 1) return score(task, 0.5, { facts: [fact("Two years")] });
        return calls === 2
          ? score(task, 0.97, { facts: [fact("One year", "f1")], triggers: [a] })
          : score(task, 0.6, { facts: [fact("Seven years")] });
      },
    });
    expect(world.state().established_facts.map((item) => [item.statement, item.status])).toEqual([
      ["Two years", "disputed"],
      ["One year", "established"],
    ]);
    await ask(world, user({ options: ["revise"], text: "Seven years" }));
    expect(world.state().established_facts.map((item) => [item.statement, item.status])).toEqual([
      ["Two years", "established"],
      ["Seven years", "established"],
    ]);
    expect(world.state().established_facts[0]?.ceiling).toBeNull();
    expect(world.state().triggers).toEqual([]);
  });

  it("D4.6 kept questioning: a closure gap whatever its confidence, put to the user once, and never passed over", async () => {
    const { world } = await crossing();
    const gap = await ask(world, pick("keep"));
    expect(world.state().assumptions[0]?.status).toBe("kept");
    expect(gap).toMatchObject({ kind: "confirm-assumption", round: 3 });
    expect(gap.text).toContain("The math says ready, but I am not accepting it yet because");
    expect(world.state().closure_overrides).toMatchObject([{ round: 3, gap: { key: "assumption:as1" } }]);
    await play(world, pick("leave"), pick("yes"));
    expect(world.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
    expect(world.asked.filter((item) => item.kind === "confirm-assumption")).toHaveLength(2);
  });

  it("D4.6 kept, then confirmed at the closure question: it passes after all", async () => {
    const { world } = await crossing();
    await play(world, pick("keep"), pick("confirm"), pick("yes"));
    expect(world.state().spec?.status).toBe("PASSED");
    expect(world.state().rounds[2]).toMatchObject({ round: 3, kind: "confirm-assumption", lifecycle: "scored" });
  });

  it.each([["opt-out"], ["defer"]] as const)("D4.6 %s there is no confirmation", async (as) => {
    const { world } = await crossing();
    await ask(world, user({ as }));
    expect(world.state().assumptions[0]?.status).toBe("kept");
  });

  it("D4.6 D8.3 an exit there is none either", async () => {
    const world = await open([0.5, 0.5, { goal: 0.6, constraints: 0.6, criteria: 0.6 }, 0.97], certain);
    await play(world, pick("a"), pick("a"), pick("a"));
    const question = await ask(world, optOut);
    expect([question.kind, question.round]).toEqual(["confirm-assumption", null]);
    await play(world, user({ as: "finish" }), pick("yes"));
    expect(world.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
  });

  it("D4.6 is asked before the round limit ends the interview", async () => {
    const world = await open([0.5, 0.97], certain, { limits: { ...defaultLimits, scoringSamples: 1, maxRounds: 2 } });
    await ask(world, pick("a"));
    const question = await ask(world, optOut);
    expect([question.kind, question.round]).toEqual(["confirm-assumption", null]);
    await turn(world, pick("confirm"));
    expect(toldOf(world.messages).join()).toContain("Maximum interview rounds reached");
  });

  it("D4.6 an answer of the user's own that meets the gate is not asked about again", async () => {
    const world = await open([0.97]);
    expect((await ask(world, pick("a"))).kind).toBe("restate");
  });

  it("D4.6 D4.5 a capped assumption cannot meet a strict gate by itself", async () => {
    const world = await open([{ goal: 0.5, constraints: 0.6, criteria: 0.6 }, 1], {});
    await play(world, pick("a"));
    const question = await ask(world, optOut);
    expect(question).toMatchObject({ kind: "confirm-assumption", round: 3 });
    expect(world.state().current_ambiguity).toBe(0.15);
  });
});
