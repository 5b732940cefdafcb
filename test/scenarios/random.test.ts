import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeepState } from "../../src/core/deep/schema.ts";
import { activeComponents } from "../../src/core/deep/state.ts";
import type { ScoreReply } from "../../src/core/deep/tasks.ts";
import type { Question, Reply } from "../../src/core/machine.ts";
import { toUnits } from "../../src/core/ratio.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { createWorld, machine, pick, type Replies, say, user, type World } from "./world.ts";

/** A small deterministic source of numbers in [0, 1), so that one seed names one whole interview. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomReplies(random: () => number): Replies {
  const chance = (p: number) => random() < p;
  let level = 0.1;
  const pickOne = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return {
    ...plain,
    score: (task) => {
      if (chance(0.05)) return "I would rather not say.";
      const input = inputOf<"score">(task);
      level = Math.min(0.99, level + random() * 0.12);
      const component = pickOne(input.components).id;
      const dimension = pickOne(input.dimensions) as "goal";
      const label = pickOne(["A", "B", "C", "D"] as const);
      const fact = pickOne([...input.facts, undefined]);
      const change: Partial<ScoreReply> = {
        triggers: chance(0.3)
          ? [
              {
                label,
                status: "active",
                component,
                dimension,
                evidence: "it was said",
                contradicts: label === "A" ? (fact?.id ?? "") : "",
                proposed: label === "D" ? `Outcome ${Math.floor(random() * 1e6)}` : "",
                rationale: "",
              },
            ]
          : [],
        facts: chance(0.7)
          ? [
              {
                statement: `fact ${Math.floor(random() * 1e6)}`,
                component,
                dimension,
                evidence: "said",
                contradicts: chance(0.2) ? (fact?.id ?? "") : "",
              },
            ]
          : [],
        stands: input.disputed.length > 0 && chance(0.5) ? [pickOne(input.disputed)] : [],
        entities: Array.from({ length: Math.floor(random() * 4) }, (_, index) => ({
          name: `E${index}${chance(0.5) ? "x" : ""}`,
          type: "core domain",
          fields: ["a", "b"],
          relationships: [],
        })),
      };
      const reply = score(
        task,
        () => Math.min(1, Math.max(0, Math.round((level + (random() - 0.5) * 0.3) * 1e4) / 1e4)),
        change,
      );
      return chance(0.1) ? { ...reply, components: reply.components.slice(1) } : reply;
    },
    question: (task, calls) => {
      if (chance(0.1)) return "TODO";
      const made = plain.question?.(task, calls);
      if (typeof made !== "object" || made instanceof Error) return "";
      return { ...made, question: { ...made.question, research: chance(0.15) } };
    },
    interpret: (task, calls) => {
      if (chance(0.1)) return "no json here";
      const made = plain.interpret?.(task, calls);
      if (typeof made !== "object" || made instanceof Error) return "";
      const kind = pickOne(["answer", "answer", "answer", "answer", "explain", "opt-out"] as const);
      const structured = chance(0.5);
      return {
        ...made,
        kind,
        structured,
        decision: structured ? "decided" : "",
        explanation: kind === "explain" ? "it means this" : "",
      };
    },
    panel: (task, calls) => (chance(0.2) ? new Error("down") : (plain.panel?.(task, calls) ?? "")),
    "auto-answer": (task, calls) => (chance(0.3) ? new Error("down") : (plain["auto-answer"]?.(task, calls) ?? "")),
    research: (task, calls) => (chance(0.3) ? "nothing" : (plain.research?.(task, calls) ?? "")),
    closure: (task) =>
      chance(0.3)
        ? {
            ready: false,
            gaps: [
              {
                component: inputOf<"closure">(task).components.find((item) => item.status === "active")?.id ?? "",
                dimension: "criteria",
                gap: "nothing can be observed",
              },
            ],
          }
        : { ready: true, gaps: [] },
  };
}

function randomReply(random: () => number, question: Question): Reply {
  const roll = random();
  const option = question.options[Math.floor(random() * question.options.length)];
  if (roll < 0.5 && option !== undefined) return pick(random() < 0.5 ? option.id : option.label);
  if (roll < 0.75) return say(`words ${Math.floor(random() * 1e6)} because at most ${Math.floor(random() * 100)} rows`);
  if (roll < 0.85) return user({ as: "opt-out" });
  if (roll < 0.9) return user({ as: "explain" });
  if (roll < 0.93) return user({ as: "finish" });
  if (roll < 0.96) return user({ text: "   " });
  if (roll < 0.98) return say("👍");
  return user({ as: "defer", by: "script" });
}

interface Played {
  readonly world: World;
  readonly end: string;
}

async function play(seed: number): Promise<Played> {
  const random = createRandom(seed);
  const world = await createWorld({
    replies: randomReplies(random),
    start: {
      threshold: 0.05 + Math.floor(random() * 5) * 0.05,
      limits: { ...defaultLimits, maxRounds: 4 + Math.floor(random() * 12), scoringSamples: random() < 0.5 ? 3 : 1 },
    },
  });
  let bridges = 0;
  for (let tries = 0; tries < 60; tries += 1) {
    try {
      const result = await world.run((question) => {
        if (question.kind === "bridge") {
          bridges += 1;
          return bridges === 1 && random() < 0.3 ? pick("refine") : random() < 0.5 ? null : pick("ralplan");
        }
        return randomReply(random, question);
      });
      if (result.type === "done") return { world, end: result.outcome.status };
      if (result.type === "pending") continue;
      return { world, end: result.type };
    } catch (error) {
      // A scorer that sends rubbish twice stops the run; it is resumable where it is.
      if (!(error instanceof Error) || !("exitCode" in error)) throw error;
      await world.reopen();
    }
  }
  return { world, end: "never" };
}

const numbered = (question: Question) =>
  question.round !== null && question.round > 0 && question.kind !== "refine" && question.kind !== "collect";

function checkRules({ world, end }: Played): void {
  const state: DeepState = world.state();
  const events = world.store.lines;
  expect(["PASSED", "BELOW_THRESHOLD_EARLY_EXIT"]).toContain(end);
  const asked = events.flatMap((event) => (event.type === "question.asked" ? [event["question"] as Question] : []));
  const rounds = asked.filter(numbered).map((question) => question.round);
  // One question a round, each shown once, none left out.
  expect(rounds).toEqual(rounds.map((_, index) => index + 1));
  expect(new Set(asked.map((question) => question.id)).size).toBe(asked.length);
  expect(state.round_count).toBeLessThanOrEqual(state.round_cap);
  expect(asked.filter((question) => question.kind === "soft-limit").length).toBeLessThanOrEqual(1);
  for (const question of asked.filter((item) => item.kind === "round")) {
    expect(question.options.length).toBeGreaterThanOrEqual(2);
    expect(question.options.length).toBeLessThanOrEqual(4);
    expect(question.allow_free_text).toBe(true);
  }
  // No round without the user's input but the recorded automatic ones.
  for (const round of state.rounds) {
    if (round.lifecycle === "unresolved") continue;
    if (round.answered_by === "architect-assisted") expect(state.auto_answered_rounds).toContain(round.round);
    else expect(round.selected_options.length > 0 || (round.custom_input ?? "").trim() !== "").toBe(true);
  }
  for (const round of state.rounds.filter((item) => item.lifecycle === "scored")) {
    for (const id of round.triggers) {
      const trigger = state.triggers.find((item) => item.id === id);
      // In the first scored round, and at 1.0, there is nothing to rise against.
      if (trigger?.status === "active" && toUnits(trigger.prior_ambiguity) < 10_000)
        expect(toUnits(trigger.new_ambiguity)).toBeGreaterThan(toUnits(trigger.prior_ambiguity));
    }
  }
  if (end === "PASSED") {
    expect(toUnits(state.current_ambiguity)).toBeLessThanOrEqual(toUnits(state.threshold));
    expect(
      state.established_facts.some(
        (fact) => fact.status === "disputed" && activeComponents(state).some((item) => item.id === fact.component),
      ),
    ).toBe(false);
  }
  // Every persona that failed is counted, and no other.
  const failed = events.filter((event) => event.type === "task.failed" && event["task"] === "panel").length;
  expect(state.lateral_panel_failures).toBe(failed);
  expect(state.lateral_reviews.reduce((sum, review) => sum + review.failed.length, 0)).toBe(failed);
  // Any prefix, replayed, gives the state that the run had; the whole gives the state that it has.
  const replay = events.reduce((folded, event) => machine.evolve(folded, event as never), machine.initial);
  expect(replay).toEqual(state);
}

describe("interviews at random", () => {
  it("D3.3 D4.7 D7.3 D7.5 D8.2 D8.4 hold in 200 generated interviews: one question a round, each once, caps kept, always an end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        checkRules(await play(seed));
      }),
      { numRuns: 200 },
    );
  }, 120_000);
});
