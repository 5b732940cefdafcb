import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InterpretReply } from "../../src/core/deep/tasks.ts";
import type { Question, Reply } from "../../src/core/machine.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, lock, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

/** Every reply that anybody could give to any question, by number; what does not fit is part of it. */
const gestures: readonly ((question: Question) => Reply)[] = [
  (question) => pick(question.options[0]?.id ?? "a"),
  (question) => pick(question.options.at(-1)?.label ?? "z"),
  (question) => say(question.options[0]?.label ?? "words"),
  (question) => user({ options: [question.options[0]?.id ?? "a"], text: "and at most 40 a day" }),
  (question) => user({ options: [question.options.at(-1)?.id ?? "a"], text: "because of the law" }),
  (question) => user({ options: question.options.map((option) => option.id) }),
  () => pick("no such option"),
  () => say("People do it by hand, because they know it. Never more than 40."),
  () => say("leave Export for later"),
  () => say("각 지점은 하루에 40건".normalize("NFD")),
  () => say("👍"),
  () => say("  "),
  () => say("you decide"),
  () => say("what do you mean"),
  () => say("build it"),
  () => user({ as: "opt-out", text: "no idea" }),
  () => user({ as: "explain", text: "what is b" }),
  () => user({ as: "finish" }),
  () => user({ as: "defer", by: "script" }),
  () => user({ as: "answer", text: "skip" }),
  () => user({ as: "answer" }),
  () => user({ as: "cancel" }),
];

function repliesFor(seed: number): Replies {
  let state = seed;
  const next = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const read = (): InterpretReply => ({
    ...(plain.interpret as () => InterpretReply)(),
    structured: next(2) === 0,
    decision: "d",
    reasoning: ["r"],
  });
  return {
    ...plain,
    interpret: (task) => {
      if (next(8) === 0) return "not readable";
      const { text } = inputOf<"interpret">(task);
      const edits = text.includes("later") ? [{ op: "defer" as const, component: "export", reason: "" }] : [];
      return {
        ...read(),
        kind: (["answer", "answer", "answer", "explain", "opt-out", "finish"] as const)[next(6)] ?? "answer",
        edits,
      };
    },
    score: (task, calls) => {
      const { components, facts } = inputOf<"score">(task);
      const level = Math.min(1, 0.3 + calls * 0.04 + next(10) * 0.03);
      const component = components[0]?.id ?? "";
      const at = { component, dimension: "goal" as const, evidence: "said", rationale: "" };
      const old = facts[next(facts.length)]?.id ?? "";
      const triggers =
        [
          [],
          [{ ...at, label: "D" as const, status: "active" as const, contradicts: "", proposed: `Outcome ${calls}` }],
          [{ ...at, label: "A" as const, status: "active" as const, contradicts: old, proposed: "" }],
          [{ ...at, label: "C" as const, status: "active" as const, contradicts: "", proposed: "" }],
        ][next(4)] ?? [];
      return score(task, level, {
        triggers,
        facts: next(2) === 0 ? [{ ...at, statement: `fact ${calls}`, contradicts: "" }] : [],
      });
    },
    question: (task, calls) => {
      const made = plain.question?.(task, calls);
      if (next(6) === 0 || made === undefined || typeof made === "string" || made instanceof Error) return "no";
      return { ...made, question: { ...made.question, research: next(5) === 0 } };
    },
    "auto-answer": (task, calls) => (next(3) === 0 ? new Error("down") : (plain["auto-answer"]?.(task, calls) ?? "")),
    closure: (task) => {
      const component = inputOf<"closure">(task).components.find((item) => item.status === "active")?.id ?? "";
      return next(3) === 0
        ? { ready: false, gaps: [{ component, dimension: "criteria", gap: "nothing can be seen" }] }
        : { ready: true, gaps: [] };
    },
  };
}

/** What has to hold of the question that is pending, whatever came before it. */
function checkPending(world: World, question: Question | null): void {
  const state = world.state();
  if (question === null) {
    expect(state.stage.type).toBe("finished");
    return;
  }
  expect(state.pending).toBe(question.id);
  if (question.kind === "round") expect(question.options.length).toBeGreaterThanOrEqual(2);
  expect(question.options.length).toBeLessThanOrEqual(5);
  if (question.kind === "refine")
    expect(state.inbox).toMatchObject({ waits_for: "refine", interpretation: expect.anything() });
  if (question.kind === "collect") expect(state.inbox).toMatchObject({ collecting: expect.any(String) });
  // An answer in hand belongs to a question that is not pending; every other kind stands alone.
  if (question.kind !== "refine" && question.kind !== "collect") expect(state.inbox).toBeNull();
  const numbers = state.rounds.flatMap((round) => (round.round === null ? [] : [round.round]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(state.rounds.filter((round) => round.lifecycle === "answered")).toEqual([]);
}

describe("odd sequences", () => {
  it("D4.1 D4.3 D4.7 D8.2 no order of replies spoils the state: it replays equal, each question is put once, no round is left half done", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(fc.nat(gestures.length - 1), { minLength: 5, maxLength: 30 }),
        async (seed, moves) => {
          const world = await createWorld({
            replies: repliesFor(seed),
            start: {
              threshold: 0.1,
              limits: { ...defaultLimits, maxRounds: 8, softWarningRound: 5, scoringSamples: 1 },
            },
          });
          let question: Question | null = await ask(world);
          for (const move of moves) {
            if (question === null) break;
            const gesture = gestures[move];
            question = await turn(world, gesture === undefined ? null : gesture(question));
            const cancelled = world.state().stage;
            if (cancelled.type === "finished" && cancelled.how === "cancelled") {
              world.interview.push([{ type: "interview.resumed" }]);
              question = await turn(world);
            }
            checkPending(world, question);
            // Another process finds the same question.
            await world.reopen();
            if (question !== null && question.kind !== "bridge") expect(await turn(world)).toEqual(question);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it("D4.1 whatever is said to any question, an interview that then gets plain answers comes to its end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(fc.nat(gestures.length - 2), { maxLength: 12 }),
        async (seed, moves) => {
          const world = await createWorld({
            replies: repliesFor(seed),
            start: {
              threshold: 0.1,
              limits: { ...defaultLimits, maxRounds: 6, softWarningRound: 4, scoringSamples: 1 },
            },
          });
          let question: Question | null = await ask(world);
          for (const move of moves)
            if (question !== null) question = await turn(world, gestures[move]?.(question) ?? null);
          for (let tries = 0; question !== null && question.kind !== "bridge" && tries < 60; tries += 1) {
            const [first] = question.options;
            question = await turn(world, first === undefined ? say("this") : pick(first.id));
          }
          expect(world.state().spec === null ? world.state().stage.type : "spec").toBe("spec");
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it("D4.3 D4.6 a reply to a question that an exit closed is no reply to anything", async () => {
    const world = await createWorld({ replies: { ...plain, score: (task) => score(task, 0.4) } });
    await lock(world);
    await turn(world, pick("a"));
    await turn(world, pick("a"));
    const asked = world.state().asked.length;
    await turn(world, user({ as: "finish" }));
    expect(world.state().asked[asked - 1]?.status).toBe("closed");
  });
});
