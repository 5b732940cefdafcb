import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeepEvent } from "../../src/core/deep/events.ts";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import type { Reply, Task } from "../../src/core/machine.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { answering, createDirectModel, inTurn, levels } from "./script.ts";
import { createWorld, pick, type Replies, say, user, type World, type WorldOptions } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };

/** A reply of the whole run: `at` is how many lines the journal had when its question was put. */
interface Given {
  readonly at: number;
  readonly question: string;
  readonly reply: Reply | null;
}

type Answer = ReturnType<typeof answering>;

interface Script {
  readonly options: Omit<WorldOptions, "model">;
  readonly answer: () => Answer;
}

const question: NonNullable<Replies["question"]> = (task) => {
  const { target, round } = inputOf<"question">(task);
  return {
    task: "question",
    question: draft(target.component, target.dimension as "goal", `What about ${target.name}, ${round}?`),
  };
};

/** What is left of a state when its times, and what depends on them, are taken out. */
function timeless(world: World): unknown {
  const { spec, ...state } = world.state();
  const text = JSON.stringify({ ...state, spec: spec === null ? null : { ...spec, sha256: "" } });
  return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T"));
}

async function open({ options }: Script): Promise<World> {
  const { replies = {} } = options;
  // The usual question counts its calls, and a run from the middle makes fewer of them.
  const own = replies.question === plain.question ? { ...replies, question } : replies;
  return createWorld({ ...options, model: createDirectModel(own) });
}

/** The whole interview: where its questions stand in the journal, and what was said to them. */
async function playWhole(script: Script): Promise<{ readonly world: World; readonly given: readonly Given[] }> {
  const world = await open(script);
  const given: Given[] = [];
  const answer = script.answer();
  const result = await world.run((asked, state) => {
    const reply = answer(asked, state);
    given.push({ at: world.store.lines.length, question: asked.id, reply });
    return reply;
  });
  expect(result.type).toBe("done");
  return { world, given };
}

/** Another process finds the first `length` lines, and the user says what was still to be said. */
async function playFrom(script: Script, whole: Awaited<ReturnType<typeof playWhole>>, length: number): Promise<World> {
  const world = await open(script);
  world.store.lines.splice(0, world.store.lines.length, ...structuredClone(whole.world.store.lines.slice(0, length)));
  await world.reopen();
  const rest = whole.given.filter(({ at }) => at >= length);
  const result = await world.run((asked) => {
    const next = rest.shift();
    if (next === undefined) throw new Error(`${asked.id} was asked, and everything was said already`);
    // Whatever has a line on disk was answered, and is not asked again.
    expect(asked.id, `after ${length} lines`).toBe(next.question);
    return next.reply;
  });
  expect(result.type).toBe("done");
  expect(rest, `after ${length} lines`).toEqual([]);
  return world;
}

async function checkEvery(script: Script, lengths?: readonly number[]): Promise<number> {
  const whole = await playWhole(script);
  const count = whole.world.store.lines.length;
  const all = lengths ?? Array.from({ length: count - 1 }, (_, index) => index + 1);
  const expected = timeless(whole.world);
  for (const length of all) {
    const world = await playFrom(script, whole, Math.min(length, count));
    expect(timeless(world), `after ${length} of ${count} lines`).toEqual(expected);
  }
  return count;
}

const trigger = (change: Partial<ScoreReply["triggers"][number]>): ScoreReply["triggers"][number] => ({
  label: "D",
  status: "active",
  component: "import",
  dimension: "goal",
  evidence: "and a mobile app",
  contradicts: "",
  proposed: "Mobile app",
  rationale: "",
  ...change,
});
const structured: Replies["interpret"] = (task, calls) => {
  const { text, purpose } = inputOf<"interpret">(task);
  const reply = plain.interpret?.(task, calls) as TaskReply<"interpret">;
  if (purpose === "topology") {
    return { ...reply, edits: [{ op: "add", name: "Audit", description: "Keeps a log" }] };
  }
  if (text.startsWith("What")) return { ...reply, kind: "explain", explanation: "It means this." };
  const edits = text.includes("later") ? [{ op: "defer" as const, component: "export", reason: "later" }] : [];
  return { ...reply, edits, structured: text.includes("because"), decision: "decided" };
};
const sure: Replies["auto-answer"] = () => ({
  task: "auto-answer",
  answer: "A year",
  reasons: ["usual", "cheap"],
  confidence: "high",
  uncertainty: "",
});
const optOut = user({ as: "opt-out" });

/** Interviews that between them pass through every kind of question and reply. Answerers count, so each run has its own. */
const scripts: readonly [string, () => Script][] = [
  [
    "options only, a gate, a handoff with a seed",
    () => ({
      options: { replies: levels([0.3, 0.5, 0.95]), start: { limits, deliberate: true } },
      answer: () => answering({ bridge: pick("ralplan") }),
    }),
  ],
  [
    "an edited topology, typed words refined in every way, an explanation, a component deferred on the way",
    () => ({
      options: {
        replies: { ...levels([0.3, 0.32, 0.35, 0.5, 0.95]), interpret: structured },
        start: { limits },
      },
      answer: () =>
        answering({
          topology: inTurn(pick("edit"), pick("right")),
          collect: inTurn(say("add an audit"), say("never by fax"), say("no phones")),
          round: inTurn(
            say("What does that mean?"),
            say("CSV because dates break"),
            say("short"),
            say("the export comes later because of the budget"),
            { ...pick("a"), text: "with a remark" },
          ),
          refine: inTurn(
            pick("constraint"),
            { ...pick("context-add"), text: "we are small" },
            pick("out-of-scope"),
            say("and one more word"),
            pick("send"),
          ),
        }),
    }),
  ],
  [
    "opt-outs: a confirmed, a revised and an open assumption, a failed one, one left to the user",
    () => ({
      options: {
        replies: {
          ...levels([0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.62]),
          panel: (task: Task) =>
            task.input["persona"] === "contrarian" ? new Error("down") : (plain.panel?.(task, 1) ?? ""),
          "auto-answer": (task: Task) => (task.round === 7 ? "rubbish" : (plain["auto-answer"]?.(task, 1) ?? "")),
        },
        start: { limits: { ...limits, maxRounds: 10, autoAnswerStreak: 2, softWarningRound: 6 } },
      },
      answer: () =>
        answering({
          round: optOut,
          "confirm-assumption": inTurn(pick("confirm"), pick("revise"), optOut, pick("leave")),
        }),
    }),
  ],
  [
    "a crossing assumption revised, another kept and left open as a gap",
    () => ({
      options: {
        replies: {
          ...levels([0.5]),
          "auto-answer": sure,
          score: (task: Task) => {
            const { round, answer } = inputOf<"score">(task);
            return score(task, (round === 2 && !answer.includes("A year")) || round === 1 ? 0.5 : 0.95);
          },
        },
        start: { limits },
      },
      answer: () =>
        answering({
          round: inTurn(pick("a"), optOut, optOut),
          "confirm-assumption": inTurn(pick("revise"), pick("keep"), pick("leave")),
        }),
    }),
  ],
  [
    "new outcomes added, folded in and deferred, a dispute and its end, a correction, a refined second spec",
    () => ({
      options: {
        replies: levels([0.5, 0.4, 0.45, 0.5, 0.42, 0.5, 0.95], (round) => {
          if (round === 2) return { triggers: [trigger({})] };
          if (round === 5) return { triggers: [trigger({ component: "export", proposed: "Fax" })] };
          if (round === null) return { triggers: [trigger({ component: "export", proposed: "Mail" })] };
          const fact = { component: "import", dimension: "goal" as const, evidence: "said" };
          if (round === 1) return { facts: [{ ...fact, statement: "Keep files", contradicts: "" }] };
          if (round === 7) return { facts: [{ ...fact, statement: "Delete files", contradicts: "f1" }] };
          return {};
        }),
        start: { limits },
      },
      answer: () =>
        answering({
          topology: inTurn(pick("right"), pick("add"), pick("fold"), pick("defer")),
          restate: inTurn(pick("missing"), pick("yes")),
          bridge: inTurn(pick("refine"), pick("team")),
        }),
    }),
  ],
  [
    "an exit from a refine, then a silent closure with a collected correction",
    () => ({
      options: {
        replies: {
          ...levels([0.3]),
          interpret: structured,
          closure: () => ({
            ready: false,
            gaps: [{ component: "export", dimension: "criteria" as const, gap: "it is open" }],
          }),
        },
        start: { limits },
      },
      answer: () =>
        answering({
          round: inTurn(user({ as: "finish" }), pick("a"), pick("b"), say("CSV because dates break")),
          refine: inTurn(pick("constraint")),
          collect: inTurn(user({ as: "finish" }), say("Files in, reports out.")),
          restate: pick("adjust"),
        }),
    }),
  ],
  [
    "an exit from the words of a revision, and a plain exit",
    () => ({
      options: { replies: levels([0.3, 0.4]), start: { limits } },
      answer: () =>
        answering({
          round: inTurn(pick("a"), optOut),
          "confirm-assumption": pick("revise"),
          collect: user({ as: "finish" }),
        }),
    }),
  ],
  [
    "research, samples near the gate, the soft limit left, no restated goal",
    () => ({
      options: {
        replies: {
          ...levels([0.3, 0.76, 0.78]),
          question: (task: Task) => {
            const made = question(task, 1) as TaskReply<"question">;
            return { ...made, question: { ...made.question, research: inputOf<"question">(task).round === 2 } };
          },
        },
        start: { limits: { ...defaultLimits, softWarningRound: 3 } },
      },
      answer: () =>
        answering({ "soft-limit": pick("proceed"), restate: user({ as: "opt-out" }), bridge: user({ as: "finish" }) }),
    }),
  ],
  [
    "a cap, gaps put to the user, a second correction that forces a round",
    () => ({
      options: {
        replies: {
          ...levels([0.95]),
          closure: (task: Task) => {
            const { transcript } = inputOf<"closure">(task);
            const gap = { component: "export", dimension: "criteria" as const, gap: "it is open" };
            return { ready: transcript.length > 1, gaps: transcript.length > 1 ? [] : [gap] };
          },
        },
        start: { limits: { ...limits, maxRounds: 3 } },
      },
      answer: () => answering({ restate: inTurn(say("first"), pick("adjust"), pick("yes")) }),
    }),
  ],
];

describe("a process that dies", () => {
  it.each(scripts)("D8.2 between any two events is taken up by the next one: %s", async (_, make) => {
    expect(await checkEvery(make())).toBeGreaterThan(20);
  });
});

/** Numbers in [0, 1) that follow from a seed and a name alone, so that a run from the middle draws what the whole one drew. */
function createChance(seed: number) {
  return (name: string): (() => number) => {
    let state = seed >>> 0;
    for (const char of name) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619) >>> 0;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) / 2 ** 24;
    };
  };
}

type Chance = ReturnType<typeof createChance>;

function oneOf<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

function randomScore(chance: Chance, task: Task): ScoreReply {
  const random = chance(task.id);
  const input = inputOf<"score">(task);
  const level = Math.min(0.97, 0.2 + (input.round ?? 9) * 0.08);
  const component = oneOf(random, input.components).id;
  const dimension = oneOf(random, ["goal", "constraints", "criteria"] as const);
  const fact = oneOf(random, [null, ...input.facts]);
  const label = oneOf(random, ["A", "B", "C", "D"] as const);
  const contradicts = label === "A" ? (fact?.id ?? "") : "";
  const change: Partial<ScoreReply> = {
    triggers:
      random() < 0.3
        ? [
            trigger({
              label,
              component,
              dimension,
              contradicts,
              proposed: label === "D" ? `Outcome ${input.round}` : "",
            }),
          ]
        : [],
    facts:
      random() < 0.6
        ? [
            {
              statement: task.id,
              component,
              dimension,
              evidence: "said",
              contradicts: random() < 0.2 ? (fact?.id ?? "") : "",
            },
          ]
        : [],
    stands: input.disputed.length > 0 && random() < 0.5 ? [oneOf(random, input.disputed)] : [],
  };
  return score(task, () => Math.min(1, Math.round((level + (random() - 0.5) * 0.2) * 1e4) / 1e4), change);
}

function randomReplies(chance: Chance): Replies {
  /** What the task says usually, or with this probability that it fails. */
  const mostly = (name: keyof Replies, p: number) => (task: Task) =>
    chance(task.id)() < p
      ? "rubbish"
      : ((plain[name] as ((task: Task, calls: number) => never) | undefined)?.(task, 1) ?? "");
  return {
    ...plain,
    score: (task) => randomScore(chance, task),
    question: (task) => {
      const random = chance(task.id);
      const made = question(task, 1) as TaskReply<"question">;
      return random() < 0.1 ? "TODO" : { ...made, question: { ...made.question, research: random() < 0.15 } };
    },
    interpret: (task) => {
      const random = chance(task.id);
      if (random() < 0.1) return "rubbish";
      const kind = oneOf(random, ["answer", "answer", "answer", "explain", "opt-out", "finish"] as const);
      const reply = plain.interpret?.(task, 1) as TaskReply<"interpret">;
      return { ...reply, kind, structured: random() < 0.5, decision: "decided", explanation: "it means this" };
    },
    panel: mostly("panel", 0.2),
    "auto-answer": mostly("auto-answer", 0.3),
    research: mostly("research", 0.3),
    restate: mostly("restate", 0.2),
    crystallize: mostly("crystallize", 0.2),
    closure: (task) => {
      const random = chance(task.id);
      const component = oneOf(
        random,
        inputOf<"closure">(task).components.filter(({ status }) => status === "active"),
      ).id;
      const gap = { component, dimension: "criteria" as const, gap: "it is open" };
      return random() < 0.1 ? "rubbish" : random() < 0.4 ? { ready: false, gaps: [gap] } : { ready: true, gaps: [] };
    },
  };
}

function randomAnswer(chance: Chance): Answer {
  const counts = new Map<string, number>();
  let refined = false;
  return (asked) => {
    const count = (counts.get(asked.id) ?? 0) + 1;
    counts.set(asked.id, count);
    const random = chance(`${asked.id}/${count}`);
    const option = asked.options[Math.floor(random() * asked.options.length)];
    if (asked.kind === "bridge") {
      const isFirst = !refined;
      refined = true;
      return isFirst && random() < 0.4 ? pick("refine") : random() < 0.5 ? null : pick("ralplan");
    }
    const roll = random();
    // From the third reply on an option, or words, so that it comes to an end.
    if (option !== undefined && (roll < 0.5 || count > 2)) return pick(option.id);
    if (roll < 0.75 || count > 2) return asked.kind === "soft-limit" ? pick("continue") : say(`words for ${asked.id}`);
    if (roll < 0.88) return optOut;
    if (roll < 0.93) return user({ as: "finish" });
    return roll < 0.96 ? user({ as: "explain" }) : user({ as: "defer", by: "script" });
  };
}

describe("what is on disk", () => {
  it.each(scripts)("D8.2 is everything known before a model, a user or a file is touched: %s", async (_, make) => {
    const { options, answer } = make();
    const inner = createDirectModel(
      options.replies?.question === plain.question ? { ...options.replies, question } : (options.replies ?? {}),
    );
    const answers = answer();
    const world: World = await createWorld({
      ...options,
      model: {
        ...inner,
        run: (task, more) => {
          expect(world.store.lines.length).toBe(world.interview.revision());
          if (task.name === "score") {
            // Answered before it is scored, whoever answered.
            const answered = world.store.lines.findLast(({ type }) =>
              /^(answer|restate)\.\w+ed$|^answer\.assumed$/.test(type),
            );
            expect(answered).toBeDefined();
            expect(world.state().rounds.some(({ lifecycle }) => lifecycle === "answered")).toBe(true);
          }
          return inner.run(task, more);
        },
      },
    });
    const result = await world.run((asked, state) => {
      expect(world.store.lines.length).toBe(world.interview.revision());
      expect(state.pending).toBe(asked.id);
      return answers(asked, state);
    });
    expect(result.type).toBe("done");
    expect(world.store.lines.length).toBe(world.interview.revision());
    // And the snapshot that others read is that of the last event.
    expect(world.store.projections.at(-1)?.envelope["state_revision"]).toBe(world.store.lines.length);
  });

  it("D8.2 is a round twice: answered, then scored", async () => {
    const [, make] = scripts[0] ?? [];
    if (make === undefined) throw new Error("no script");
    const { world } = await playWhole(make());
    for (const { round_id: id } of world.state().rounds) {
      const at = (type: string) =>
        world.store.lines.findIndex((line) => {
          const round = line["round"] as { round_id?: string } | undefined;
          return line.type === type && (line["round_id"] ?? round?.round_id) === id;
        });
      expect(at("answer.recorded")).toBeGreaterThan(0);
      const call = world.store.lines.findIndex((line) => String(line["task_id"]).startsWith(`score-${id}-`));
      expect(at("answer.recorded")).toBeLessThan(call);
      expect(at("round.scored")).toBeGreaterThan(call);
    }
  });
});

describe("a process that dies in an interview at random", () => {
  it("D8.2 between any two events is taken up by the next one, which asks nothing twice and comes to the same end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(fc.nat(400), { minLength: 8, maxLength: 8 }),
        async (seed, cuts) => {
          const chance = createChance(seed);
          const maxRounds = 3 + (seed % 8);
          await checkEvery(
            {
              options: {
                replies: randomReplies(chance),
                start: {
                  threshold: 0.25,
                  limits: { ...defaultLimits, maxRounds, softWarningRound: 5, autoAnswerStreak: 2 },
                },
              },
              answer: () => randomAnswer(chance),
            },
            cuts.map((cut) => cut + 1),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is no idle check: the scripts above pass through every event of an interview", async () => {
    const seen = new Set<string>();
    for (const [, make] of scripts) {
      const { world } = await playWhole(make());
      for (const { type } of world.store.lines) seen.add(type);
    }
    const elsewhere = new Set([
      // Before the first question, and what other commands append.
      "state.imported",
      "idea.summarised",
      "project.scanned",
      "context.explored",
      "interview.resumed",
      "threshold.changed",
      "answer.superseded",
    ]);
    const all = DeepEvent.options.map(({ shape }) => shape.type.value).filter((type) => !elsewhere.has(type));
    expect(all.filter((type) => !seen.has(type))).toEqual([]);
  });
});
