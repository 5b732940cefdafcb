import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const optOut = user({ as: "opt-out" });
const assumed = (more: Partial<TaskReply<"auto-answer">> = {}): TaskReply<"auto-answer"> => ({
  ...(plain["auto-answer"] as () => TaskReply<"auto-answer">)(),
  ...more,
});
const open = async (more: Replies = {}, start: object = {}): Promise<World> => {
  const world = await createWorld({
    replies: { ...plain, score: (task) => score(task, 0.4), ...more },
    start: { threshold: 0.05, ...start },
  });
  await lock(world);
  return world;
};
const inputsOf = <N extends "score" | "auto-answer" | "panel" | "question">(world: World, name: N) =>
  (world.model.tasks ?? []).filter((task) => task.name === name).map((task) => inputOf<N>(task));

describe("an opt-out", () => {
  it("D4.4 convenes the panel first, then one architect answers, and the answer is scored", async () => {
    const world = await open();
    const before = tasksOf(world).length;
    const next = await ask(world, optOut);
    expect(tasksOf(world).slice(before, before + 5)).toEqual(["panel", "panel", "panel", "auto-answer", "score"]);
    expect(world.state().lateral_reviews[0]).toMatchObject({
      round: 1,
      cause: "auto-answer",
      personas: ["researcher", "contrarian", "simplifier"],
    });
    expect(promptsOf(world, "auto-answer")[0]).toContain("the contrarian sees a hidden assumption");
    expect(next.round).toBe(2);
  });

  it("D4.4 is marked architect-assisted, with its round, reasons, confidence and uncertainty", async () => {
    const world = await open();
    await ask(world, user({ as: "opt-out", text: "you decide" }));
    expect(world.state().rounds[0]).toMatchObject({
      round: 1,
      answered_by: "architect-assisted",
      auto_answer: "Keep records for a year",
      custom_input: "you decide",
      selected_options: [],
      lifecycle: "scored",
    });
    expect(world.state()).toMatchObject({
      auto_answered_rounds: [1],
      architect_failures: 0,
      assumptions: [
        {
          id: "as1",
          round: 1,
          component: "import",
          dimension: "goal",
          answer: "Keep records for a year",
          reasons: ["usual", "cheap"],
          confidence: "medium",
          uncertainty: "the law may ask for more",
          status: "open",
        },
      ],
    });
    expect(inputsOf(world, "score")[0]).toMatchObject({
      answer: "Keep records for a year",
      answered_by: "architect-assisted",
      assumption: { reasons: ["usual", "cheap"], confidence: "medium", uncertainty: "the law may ask for more" },
    });
    // And in every prompt from now on, as what it is.
    expect(world.state().rounds[0]?.record).toMatch(/^Round 1 \| import\/goal \| architect-assisted\n/);
  });

  it("D4.4 no uncertainty is null", async () => {
    const world = await open({ "auto-answer": () => assumed({ confidence: "high", uncertainty: "  " }) });
    await ask(world, optOut);
    expect(world.state().assumptions[0]).toMatchObject({ confidence: "high", uncertainty: null });
  });

  it("D4.4 a valid one is never trigger C, while an evasion of the user's is", async () => {
    const evasive: ScoreReply["triggers"][number] = {
      label: "C",
      status: "active",
      component: "import",
      dimension: "goal",
      evidence: "left to us",
      contradicts: "",
      proposed: "",
      rationale: "",
    };
    const world = await open({ score: (task) => score(task, 0.4, { triggers: [evasive] }) });
    await ask(world, optOut);
    expect(world.state().triggers).toEqual([]);
    expect(world.state().rounds[0]?.corrections.join()).toContain("trigger C dropped");
    await ask(world, say("dunno"));
    expect(world.state().triggers).toMatchObject([{ label: "C" }]);
  });

  it("D4.4 D3.4 what it states is an assumption, not a fact of the user's", async () => {
    const claim = {
      statement: "Records are kept for a year",
      component: "import",
      dimension: "goal" as const,
      evidence: "assumed",
      contradicts: "",
    };
    const world = await open({ score: (task) => score(task, 0.4, { facts: [claim] }) });
    await ask(world, optOut);
    expect(world.state().established_facts).toMatchObject([{ provenance: "assumption", source_round: 1 }]);
  });

  it.each<[string, NonNullable<Replies["auto-answer"]>, number]>([
    ["a provider that is down", () => new Error("down"), 1],
    ["no JSON", () => "I would keep it simple.", 2],
    ["no answer", () => assumed({ answer: " " }), 2],
    ["one reason", () => assumed({ reasons: ["usual"] }), 2],
    ["five reasons", () => assumed({ reasons: ["a1", "b2", "c3", "d4", "e5"] }), 2],
    ["empty reasons", () => assumed({ reasons: ["usual", " ", ""] }), 2],
  ])(
    "D4.4 on failure (%s) it stays an unresolved gap, is counted, and the interview goes on",
    async (_, make, calls) => {
      const world = await open({ "auto-answer": make });
      const next = await ask(world, optOut);
      expect(tasksOf(world).filter((name) => name === "auto-answer")).toHaveLength(calls);
      expect(world.state()).toMatchObject({
        architect_failures: 1,
        auto_answered_rounds: [],
        assumptions: [],
        auto_answer_streak: 0,
        rounds: [{ round: 1, lifecycle: "unresolved", answered_by: null, scores: null }],
      });
      expect(tasksOf(world)).not.toContain("score");
      expect(next).toMatchObject({ kind: "round", round: 2 });
      expect(world.messages.filter((message) => message.type === "warning")).toEqual([]);
      await ask(world, pick("a"));
      expect(world.state().rounds[1]?.lifecycle).toBe("scored");
    },
  );

  it("D4.4 D7.5 a panel that fails does not keep the architect from answering", async () => {
    const world = await open({ panel: () => "no" });
    await ask(world, optOut);
    expect(world.state()).toMatchObject({ auto_answered_rounds: [1] });
    expect(world.state().lateral_reviews[0]?.failed).toEqual(["researcher", "contrarian", "simplifier"]);
    expect(inputsOf(world, "auto-answer")[0]?.findings).toEqual([]);
  });

  it("D4.4 the architect sees the candidates that were researched for the question", async () => {
    const world = await open({
      question: (task) => {
        const { target } = inputOf<"question">(task);
        return {
          task: "question",
          question: { ...draft(target.component, target.dimension as "goal", "Which parser?"), research: true },
        };
      },
    });
    await ask(world, optOut);
    expect(inputsOf(world, "auto-answer")[0]?.candidates).toContain("A ready parser");
  });

  it("D4.4 D8.2 a process that dies between opt-out and answer goes on there, and asks nothing again", async () => {
    const world = await open();
    // The provider goes away while the panel works; panel failures are tolerated, so stop at the architect's answer.
    let down = true;
    const fragile = await open({
      score: (task) => {
        if (down) return "broken";
        return score(task, 0.4);
      },
    });
    await expect(ask(fragile, optOut)).rejects.toThrow("score task failed");
    down = false;
    await fragile.reopen();
    expect((await ask(fragile)).round).toBe(2);
    expect(tasksOf(fragile).filter((name) => name === "auto-answer")).toHaveLength(1);
    expect(eventsOf(fragile, "round.opted-out")).toHaveLength(1);
    expect(world.state().rounds).toEqual([]);
  });
});

describe("the rhythm guard", () => {
  const high = { ...plain, "auto-answer": () => assumed({ confidence: "high", uncertainty: "" }) };
  const guarded = (more: Replies = {}) => open({ ...high, ...more });

  it("D3.6 counts auto-answers; at three the next question goes to the user alone, then it starts again", async () => {
    const world = await guarded();
    const seen = [];
    for (let round = 1; round <= 3; round += 1) {
      await ask(world, optOut);
      seen.push(world.state().auto_answer_streak);
    }
    // At three the question is put, which resets it.
    expect(seen).toEqual([1, 2, 0]);
    expect(
      eventsOf(world, "question.asked")
        .map((event) => event.aim?.user_only ?? null)
        .slice(1),
    ).toEqual([false, false, false, true]);
    await ask(world, pick("a"));
    await ask(world, optOut);
    expect(world.state().auto_answer_streak).toBe(1);
    expect(eventsOf(world, "question.asked").at(-1)?.aim?.user_only).toBe(false);
  });

  it("D3.6 that question carries no candidates, no draft and no recommendation, and calls no panel", async () => {
    const world = await guarded({
      question: (task) => {
        const { target } = inputOf<"question">(task);
        const made = draft(target.component, target.dimension as "goal", "Which way?");
        return { task: "question", question: { ...made, research: true, recommended: made.options[0]?.label ?? "" } };
      },
      score: (task) => {
        const { round } = inputOf<"score">(task);
        return score(task, 0.4, {
          draft: round === 3 ? [{ ...draft("export", "goal", "The scorer's own?"), recommended: "" }] : [],
        });
      },
    });
    await play(world, optOut, optOut);
    const calls = tasksOf(world).filter((name) => name === "research").length;
    const question = await ask(world, optOut);
    expect(question.round).toBe(4);
    expect(question.options.map((option) => [option.label, option.recommended])).toEqual(
      question.options.map((option) => [option.label, false]),
    );
    expect(question.options.map((option) => option.label)).not.toContain("A ready parser");
    expect(question.text).toBe("Which way?");
    expect(tasksOf(world).filter((name) => name === "research")).toHaveLength(calls);
    expect(inputsOf(world, "question").at(-1)).toMatchObject({ user_only: true, findings: [] });
    expect(question.options.some((option) => /^(researcher|contrarian|simplifier): /.test(option.description))).toBe(
      false,
    );
  });

  it("D3.6 nobody else answers it: an opt-out leaves it open and listed, and is told so", async () => {
    const world = await guarded();
    await play(world, optOut, optOut, optOut);
    const before = tasksOf(world).filter((name) => name === "auto-answer").length;
    const asked = world.asked.at(-1);
    const next = await ask(world, optOut);
    expect(next.round).toBe(5);
    expect(tasksOf(world).filter((name) => name === "auto-answer")).toHaveLength(before);
    expect(world.state().rounds[3]).toMatchObject({ round: 4, lifecycle: "unresolved", answered_by: null });
    expect(world.state().left_open).toMatchObject([
      { component: asked?.deepInterview?.component, dimension: asked?.deepInterview?.dimension },
    ]);
    expect(toldOf(world.messages).join()).toContain("needs your own judgement");
  });

  it.each<[string, (world: World) => Promise<unknown>]>([
    ["an option", (world) => ask(world, pick("a"))],
    ["words", (world) => ask(world, say("words"))],
    ["a remark", (world) => ask(world, user({ options: ["a"], text: "well" }))],
    ["a script's answer", (world) => ask(world, { ...pick("a"), by: "script" })],
  ])("D3.6 any direct answer resets it: %s", async (_, answer) => {
    const world = await guarded();
    await play(world, optOut, optOut);
    expect(world.state().auto_answer_streak).toBe(2);
    await answer(world);
    expect(world.state().auto_answer_streak).toBe(0);
  });

  it("D3.6 so do a refined answer and a confirmed one", async () => {
    const refined = await guarded({
      interpret: () => ({
        ...(plain.interpret as () => TaskReply<"interpret">)(),
        structured: true,
        decision: "d",
        reasoning: ["r"],
      }),
    });
    await play(refined, optOut, optOut, say("because"), pick("send"));
    expect(refined.state().auto_answer_streak).toBe(0);
    const confirmed = await open({
      score: (task) => score(task, (_, dimension) => (dimension === "goal" ? 0.5 : 0.9)),
    });
    const question = await play(confirmed, optOut);
    expect(question.kind).toBe("confirm-assumption");
    expect(confirmed.state().auto_answer_streak).toBe(1);
    await ask(confirmed, pick("confirm"));
    expect(confirmed.state().auto_answer_streak).toBe(0);
  });

  it("D3.6 an accepted candidate of the research counts like an auto-answer; one's own remark on it does not", async () => {
    const researched: Replies = {
      question: (task) => {
        const { target } = inputOf<"question">(task);
        return {
          task: "question",
          question: { ...draft(target.component, target.dimension as "goal", "Which parser?"), research: true },
        };
      },
    };
    const world = await guarded(researched);
    await play(world, pick("A ready parser"), pick("b"));
    expect(world.state()).toMatchObject({ auto_answer_streak: 2, auto_researched_rounds: [1, 2, 3] });
    expect(world.state().rounds.map((round) => round.answered_by)).toEqual(["research", "research"]);
    await ask(world, pick("A ready parser"));
    expect(eventsOf(world, "question.asked").at(-1)?.aim).toMatchObject({ user_only: true, researched: false });
    const own = await guarded(researched);
    await play(own, pick("A ready parser"));
    await ask(own, user({ options: ["A ready parser"], text: "the one that we have" }));
    expect(own.state().auto_answer_streak).toBe(0);
    // What came from the panel, or from the question itself, is the user's own choice.
    const other = await guarded(researched);
    await play(other, pick("A ready parser"), pick("What the researcher would do"));
    expect(other.state().auto_answer_streak).toBe(0);
  });

  it("D3.6 a round that nobody answered neither lengthens nor ends the streak", async () => {
    let calls = 0;
    const world = await guarded({
      "auto-answer": () => {
        calls += 1;
        return calls === 2 ? new Error("down") : assumed({ confidence: "high", uncertainty: "" });
      },
    });
    await play(world, optOut, optOut);
    expect(world.state()).toMatchObject({ auto_answer_streak: 1, architect_failures: 1 });
    await ask(world, user({ as: "explain" }));
    expect(world.state().auto_answer_streak).toBe(1);
  });

  it("D3.6 D0.5 the length of the streak is a setting", async () => {
    const world = await open(high, { limits: { ...defaultLimits, autoAnswerStreak: 1 } });
    await ask(world, optOut);
    expect(eventsOf(world, "question.asked").at(-1)?.aim?.user_only).toBe(true);
  });
});
