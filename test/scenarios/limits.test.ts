import { describe, expect, it } from "vitest";
import type { TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain } from "./replies.ts";
import { answering, inTurn, levels, specText, words } from "./script.ts";
import { ask, eventsOf, lock, play, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };
const finish = user({ as: "finish" });

async function toRound(world: World, round: number) {
  let question = await lock(world);
  while (question.round !== round || question.kind !== "round") {
    question = await ask(world, pick(question.kind === "soft-limit" ? "continue" : "a"));
  }
  return question;
}

const structured: Replies["interpret"] = (task, calls) => {
  const reply = plain.interpret?.(task, calls) as TaskReply<"interpret">;
  return { ...reply, structured: true, decision: "CSV only" };
};

/** An auto-answer of this confidence; anything but a sure one is capped. */
function assumed(confidence: "low" | "high"): Pick<Replies, "auto-answer"> {
  const uncertainty = confidence === "high" ? "" : "nobody knows";
  return {
    "auto-answer": () => ({
      task: "auto-answer",
      answer: "A year",
      reasons: ["usual", "cheap"],
      confidence,
      uncertainty,
    }),
  };
}

const warnings = (world: World) => world.messages.flatMap((message) => (message.type === "warning" ? [message] : []));

describe("finishing early", () => {
  it.each([0, 1, 2])(
    "D8.3 is not taken in round %i: the runner says from when, and the same question stays",
    async (round) => {
      const world = await createWorld({ replies: levels([0.3]), start: { limits } });
      const question = round === 0 ? await ask(world) : await toRound(world, round);
      const before = world.state();
      expect(await ask(world, finish)).toEqual(question);
      expect(toldOf(world.messages).at(-1)).toBe(words("topology.too-early", { round: 3 }));
      expect(eventsOf(world, "rounds.ended")).toEqual([]);
      expect(world.state().rounds).toEqual(before.rounds);
      expect(world.state().round_count).toBe(before.round_count);
    },
  );

  it("D8.3 is taken in round 3 with a warning, and that question is recorded unanswered", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    const question = await toRound(world, 3);
    expect((await ask(world, finish)).kind).toBe("restate");
    expect(warnings(world)).toEqual([
      { type: "warning", text: words("early-exit", { ambiguity: "70%", percent: "20%" }) },
    ]);
    const last = world.state().rounds.at(-1);
    expect(last).toMatchObject({ round: 3, lifecycle: "unresolved", question_text: question.text });
    expect(last).toMatchObject({ answer_hash: null, custom_input: null, selected_options: [], answered_by: null });
    expect(last).toMatchObject({ scores: null, ambiguity: null });
    expect(world.state().closing_reason).toBe("early-exit");
    const result = await world.run(answering());
    expect(result).toMatchObject({ type: "done", outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT", passed: false } });
    expect(specText(world.store.lines)).toContain("Round 3 ended without an answer (import/goal)");
  });

  it.each(["enough", "Enough!", "let's go", "LET'S GO", "build it", "that's enough"])(
    "D8.3 takes %j for it, without asking a model",
    async (words) => {
      const world = await createWorld({ replies: levels([0.3]), start: { limits } });
      await toRound(world, 3);
      const calls = tasksOf(world).length;
      await ask(world, say(words));
      expect(tasksOf(world).slice(calls)).not.toContain("interpret");
      expect(world.state().closing_reason).toBe("early-exit");
    },
  );

  it("D8.3 takes words that the interpret task reads as it, from round 3 on and not before", async () => {
    const interpret: Replies["interpret"] = (task, calls) => {
      const reply = plain.interpret?.(task, calls) as TaskReply<"interpret">;
      return { ...reply, kind: "finish" };
    };
    const world = await createWorld({ replies: { ...levels([0.3]), interpret }, start: { limits } });
    const second = await toRound(world, 2);
    expect(await ask(world, say("I think we can stop now"))).toEqual(second);
    expect(toldOf(world.messages).at(-1)).toBe(words("topology.too-early", { round: 3 }));
    await play(world, pick("a"), say("I think we can stop now"));
    expect(world.state().closing_reason).toBe("early-exit");
    expect(world.state().rounds.at(-1)).toMatchObject({ round: 3, lifecycle: "unresolved", custom_input: null });
  });

  it("D8.3 keeps to the setting `earlyExitRound`", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, earlyExitRound: 5 } } });
    const question = await toRound(world, 4);
    expect(await ask(world, finish)).toEqual(question);
    expect(toldOf(world.messages).at(-1)).toBe(words("topology.too-early", { round: 5 }));
    await play(world, pick("a"), finish);
    expect(world.state().closing_reason).toBe("early-exit");
  });

  it("D8.3 D8.2 scores the words already given when it is said to their reading, warns once, and asks no further round", async () => {
    const world = await createWorld({ replies: { ...levels([0.3]), interpret: structured }, start: { limits } });
    await toRound(world, 3);
    const refine = await ask(world, say("CSV only because Excel breaks dates"));
    expect(refine.kind).toBe("refine");
    expect((await ask(world, finish)).kind).toBe("restate");
    expect(world.state().rounds.at(-1)).toMatchObject({
      round: 3,
      lifecycle: "scored",
      custom_input: "CSV only because Excel breaks dates",
      interpretation: null,
    });
    expect(warnings(world)).toHaveLength(1);
    expect(eventsOf(world, "rounds.ended").map(({ reason }) => reason)).toEqual(["early-exit"]);
    expect(world.state()).toMatchObject({ closing_reason: "early-exit", inbox: null, round_count: 3 });
  });

  it("D8.3 is refused at the reading of an answer to round 2, which stays", async () => {
    const world = await createWorld({ replies: { ...levels([0.3]), interpret: structured }, start: { limits } });
    await toRound(world, 2);
    const refine = await ask(world, say("CSV only because Excel breaks dates"));
    expect(await ask(world, finish)).toEqual(refine);
    await ask(world, pick("send"));
    expect(world.state().rounds.at(-1)).toMatchObject({ round: 2, lifecycle: "scored" });
  });

  it("D8.3 leaves the assumption a gap when it is said to a question that confirms one", async () => {
    const replies = { ...levels([0.3, 0.4]), ...assumed("low") };
    const world = await createWorld({ replies, start: { limits } });
    await toRound(world, 2);
    const question = await ask(world, user({ as: "opt-out" }));
    expect(question).toMatchObject({ kind: "confirm-assumption", round: 3 });
    await ask(world, finish);
    expect(world.state().rounds.at(-1)).toMatchObject({
      round: 3,
      kind: "confirm-assumption",
      lifecycle: "unresolved",
      answered_by: null,
    });
    await world.run(answering());
    expect(specText(world.store.lines)).toContain(words("gap.assumption", { answer: "A year" }));
  });

  it("D8.3 records the round unanswered also when it is said while the revised words are collected", async () => {
    const world = await createWorld({ replies: { ...levels([0.3, 0.4]), ...assumed("low") }, start: { limits } });
    await toRound(world, 2);
    await ask(world, user({ as: "opt-out" }));
    expect((await ask(world, pick("revise"))).kind).toBe("collect");
    expect((await ask(world, finish)).kind).toBe("restate");
    expect(world.state().rounds.map(({ round, lifecycle }) => [round, lifecycle])).toEqual([
      [1, "scored"],
      [2, "scored"],
      [3, "unresolved"],
    ]);
    expect(world.state()).toMatchObject({ inbox: null, closing_reason: "early-exit" });
  });

  it.each(["at the question itself", "while its words are collected"])(
    "D8.3 D4.6 never passes on an assumption that brought the threshold and that nobody confirmed, %s",
    async (where) => {
      const replies = { ...levels([0.3, 0.3, 0.95]), ...assumed("high") };
      const world = await createWorld({ replies, start: { limits } });
      await toRound(world, 3);
      const question = await ask(world, user({ as: "opt-out" }));
      expect(question).toMatchObject({ kind: "confirm-assumption", round: null });
      if (where !== "at the question itself") expect((await ask(world, pick("revise"))).kind).toBe("collect");
      await ask(world, finish);
      const result = await world.run(answering());
      expect(result).toMatchObject({ type: "done", outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
      expect(world.state().assumptions).toMatchObject([{ status: "kept" }]);
      expect(specText(world.store.lines)).toContain(words("gap.assumption", { answer: "A year" }));
    },
  );

  it("D8.3 leaves a new outcome open when it is said to the question about it", async () => {
    const change = (round: number | null) =>
      round === 2
        ? {
            triggers: [
              {
                label: "D" as const,
                status: "active" as const,
                component: "import",
                dimension: "goal" as const,
                evidence: "and a mobile app",
                contradicts: "",
                proposed: "Mobile app",
                rationale: "",
              },
            ],
          }
        : {};
    const world = await createWorld({ replies: levels([0.5, 0.4], change), start: { limits } });
    await toRound(world, 2);
    expect(await ask(world, pick("a"))).toMatchObject({ kind: "topology", round: 3 });
    await ask(world, finish);
    await world.run(answering());
    expect(world.state().topology.components).toHaveLength(2);
    expect(specText(world.store.lines)).toContain(
      words("gap.trigger", { label: words("trigger.D"), evidence: "and a mobile app" }),
    );
  });

  it("D8.3 D10.4 says nothing false of the threshold when it is met already", async () => {
    const gaps = [{ component: "export", dimension: "criteria" as const, gap: "nobody said when it is done" }];
    const replies: Replies = { ...levels([0.3, 0.95]), closure: () => ({ ready: false, gaps }) };
    const world = await createWorld({ replies, start: { limits } });
    await toRound(world, 3);
    await ask(world, finish);
    expect(warnings(world).map(({ text }) => text)).toEqual([expect.not.stringContaining("not met")]);
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
  });
});

describe("cancelling", () => {
  const kinds = ["topology", "round", "refine", "collect", "confirm-assumption", "soft-limit", "restate", "bridge"];

  it.each(kinds)("D8.3 works at a %s question, and resuming gives that very question again", async (kind) => {
    const replies: Replies = { ...levels([0.3, 0.4, 0.5, 0.95]), ...assumed("low"), interpret: structured };
    const world = await createWorld({ replies, start: { limits: { ...limits, softWarningRound: 2 } } });
    const round = inTurn(say("CSV only because dates break"), user({ as: "opt-out" }), pick("a"));
    const answers = answering({ round, refine: inTurn(pick("constraint"), pick("send")) });
    let cancelled = "";
    const result = await world.run((question, state) => {
      if (question.kind !== kind) return answers(question, state);
      cancelled = question.id;
      return user({ as: "cancel" });
    });
    expect(result).toMatchObject({ type: "done", outcome: { status: "CANCELLED", passed: false } });
    expect(world.state()).toMatchObject({ stage: { type: "finished", how: "cancelled" }, pending: cancelled });
    await world.reopen();
    world.interview.push([{ type: "interview.resumed" }]);
    expect((await turn(world))?.id).toBe(cancelled);
    expect((await world.run(answers)).type).toBe("done");
    expect(world.state().spec).not.toBeNull();
  });
});

describe("the soft limit", () => {
  const asked = (world: World) => world.state().asked.map(({ question }) => question);

  it("D8.4 asks once after round 10 whether to go on, and never again", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    await world.run(answering());
    const soft = asked(world).filter(({ kind }) => kind === "soft-limit");
    expect(soft).toHaveLength(1);
    expect(soft[0]?.text).toBe("We're at 10 rounds. Current ambiguity: 70%. Continue or proceed with current clarity?");
    const at = asked(world).findIndex(({ kind }) => kind === "soft-limit");
    expect([asked(world)[at - 1]?.round, asked(world)[at + 1]?.round]).toEqual([10, 11]);
    expect(soft[0]).toMatchObject({ round: null, allow_free_text: false });
    // Nothing else ever asks whether to go on.
    const others = asked(world).filter(({ kind }) => !["topology", "round", "restate", "bridge"].includes(kind));
    expect(others).toEqual(soft);
  });

  it("D8.4 D9.2 goes on to a silent closure when the user proceeds", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    const result = await world.run(answering({ "soft-limit": pick("proceed") }));
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    expect(world.state()).toMatchObject({ round_count: 10, closing_reason: "early-exit" });
  });

  it.each([
    [user({ as: "finish" }), 10],
    [user({ as: "opt-out" }), 20],
  ])("D8.4 takes %j there as proceed or continue", async (reply, count) => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    await world.run(answering({ "soft-limit": reply }));
    expect(world.state().round_count).toBe(count);
  });

  it("D8.4 takes no free words for a choice there", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    const replies = inTurn(say("well, maybe"), pick("proceed"));
    await world.run(answering({ "soft-limit": replies }));
    expect(warnings(world)[0]?.text).toBe(words("choose.option"));
    expect(asked(world).filter(({ kind }) => kind === "soft-limit")).toHaveLength(1);
  });

  it("D8.4 D4.5 is not asked where nothing is left to ask", async () => {
    const value = (component: string, dimension: string) =>
      component === "import" && dimension === "goal" ? 0.3 : 0.9;
    const world = await createWorld({
      replies: levels([value]),
      start: { limits: { ...limits, softWarningRound: 2 } },
    });
    await world.run(answering({ round: inTurn(pick("a"), user({ as: "defer", by: "script" })) }));
    expect(world.state()).toMatchObject({ closing_reason: "exhausted", round_count: 2 });
    expect(asked(world).filter(({ kind }) => kind === "soft-limit")).toEqual([]);
  });

  it("D8.4 keeps to the setting, and is not asked where the gate is met", async () => {
    const early = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, softWarningRound: 2 } } });
    await toRound(early, 3);
    expect(asked(early).map(({ kind }) => kind)).toEqual(["topology", "round", "round", "soft-limit", "round"]);
    const met = await createWorld({
      replies: levels([0.3, 0.95]),
      start: { limits: { ...limits, softWarningRound: 2 } },
    });
    await met.run(answering());
    expect(asked(met).filter(({ kind }) => kind === "soft-limit")).toEqual([]);
  });
});

describe("the hard cap", () => {
  it("D8.4 ends the rounds after round 20 with the seed's line, and asks no twenty-first", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ type: "done", outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    expect(world.state().rounds.map(({ round }) => round)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(warnings(world)).toEqual([
      { type: "warning", text: "Maximum interview rounds reached. Proceeding with current clarity level (70%)." },
    ]);
    expect(eventsOf(world, "rounds.ended").map(({ reason }) => reason)).toEqual(["cap"]);
  });

  it.each([1, 4, 25])("D8.4 keeps to the setting `maxRounds`: %i", async (maxRounds) => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds } } });
    await world.run(answering());
    expect(world.state()).toMatchObject({ round_count: maxRounds, closing_reason: "cap" });
  });

  it("D8.4 counts every numbered question: opted out, left open, confirming and about the scope", async () => {
    const change = (round: number | null) =>
      round === 4
        ? {
            triggers: [
              {
                label: "D" as const,
                status: "active" as const,
                component: "import",
                dimension: "goal" as const,
                evidence: "and a mobile app",
                contradicts: "",
                proposed: "Mobile app",
                rationale: "",
              },
            ],
          }
        : {};
    const replies = { ...levels([0.3, 0.3, 0.3, 0.2, 0.3], change), ...assumed("low") };
    const world = await createWorld({ replies, start: { limits: { ...limits, maxRounds: 6 } } });
    const round = inTurn(user({ as: "opt-out" }), user({ as: "defer", by: "script" }), pick("a"));
    await world.run(answering({ round, "confirm-assumption": pick("leave") }));
    const kinds = world.state().rounds.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["round", "confirm-assumption", "topology"]));
    expect(world.state().rounds.map(({ round: number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("D8.4 D9.2 closes by the cap even when its round meets the gate, and asks nothing more about gaps", async () => {
    const closure: Replies["closure"] = (task) => ({
      ready: false,
      gaps: [
        { component: inputOf<"closure">(task).components[0]?.id ?? "", dimension: "criteria", gap: "none is stated" },
      ],
    });
    const replies = { ...levels([0.3, 0.95]), closure };
    const world = await createWorld({ replies, start: { limits: { ...limits, maxRounds: 2 } } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT", ambiguity: 0.05 } });
    expect(world.state().round_count).toBe(2);
    expect(specText(world.store.lines)).toContain("Unresolved: import/criteria: none is stated");
  });

  it("D8.4 D10.4 passes at the cap when its round meets the gate and the silent audit finds nothing", async () => {
    const world = await createWorld({ replies: levels([0.3, 0.95]), start: { limits: { ...limits, maxRounds: 2 } } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(world.state().closing_reason).toBe("cap");
  });

  it("D8.4 asks a gap of the closure in the last round, and no further one", async () => {
    const closure: Replies["closure"] = (task) => {
      const { components, transcript } = inputOf<"closure">(task);
      const component = components[transcript.length % 2]?.id ?? "";
      return { ready: false, gaps: [{ component, dimension: "criteria", gap: `open after ${transcript.length}` }] };
    };
    const replies = { ...levels([0.95]), closure };
    const world = await createWorld({ replies, start: { limits: { ...limits, maxRounds: 2 } } });
    const result = await world.run(answering());
    expect(world.state().closure_overrides.map(({ round }) => round)).toEqual([2]);
    expect(
      warnings(world)
        .slice(1)
        .map(({ text }) => text),
    ).toEqual(["Maximum interview rounds reached. Proceeding with current clarity level (5%)."]);
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
  });
});

describe("the budget of questions", () => {
  it("D9.2 writes the spec below the gate when it is used up, with a line that says so", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, budgetQuestions: 3 } } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    expect(world.state()).toMatchObject({ round_count: 3, closing_reason: "budget" });
    expect(warnings(world)[0]?.text).toBe(words("budget", { ambiguity: "70%" }));
  });

  it("D9.2 never asks a gap beyond it", async () => {
    const gaps = [{ component: "export", dimension: "criteria" as const, gap: "nobody said when it is done" }];
    const replies: Replies = { ...levels([0.3, 0.95]), closure: () => ({ ready: false, gaps }) };
    const world = await createWorld({ replies, start: { limits: { ...limits, budgetQuestions: 2 } } });
    await world.run(answering());
    expect(world.state()).toMatchObject({ round_count: 2, closure_overrides: [] });
  });
});
