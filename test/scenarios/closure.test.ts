import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { answering, inTurn, levels, specText, words } from "./script.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };
const sentence = "The math says ready, but I am not accepting it yet because ";
const defer = user({ as: "defer", by: "script" });

const raised = (world: World) => world.state().closure_overrides.map(({ round, gap }) => [round, gap.key]);
const unresolved = (world: World) =>
  specText(world.store.lines).split("### Unresolved Items\n")[1]?.split("\n## ")[0]?.trim();

type Trigger = ScoreReply["triggers"][number];
const trigger = (change: Partial<Trigger>): Trigger => ({
  label: "B",
  status: "unresolved",
  component: "import",
  dimension: "goal",
  evidence: "both at once",
  contradicts: "",
  proposed: "",
  rationale: "it may be right",
  ...change,
});
const fact = (statement: string, contradicts = ""): ScoreReply["facts"][number] => ({
  statement,
  component: "import",
  dimension: "goal",
  evidence: "it was said",
  contradicts,
});

interface Case {
  readonly name: string;
  readonly key: string;
  readonly text: string;
  readonly replies: Replies;
  readonly threshold: number;
  /** Rounds before the gate is met. */
  readonly before: number;
  readonly round?: ReturnType<typeof inTurn>;
}

/** Everything is clear but what `export` must not do, which nobody scores until `known`. */
function withoutPair(known: () => boolean): Replies {
  return {
    ...plain,
    score: (task) => {
      const reply = score(task, 1);
      const components = reply.components.map((item) =>
        item.component === "export" && !known()
          ? { ...item, dimensions: item.dimensions.filter(({ dimension }) => dimension !== "constraints") }
          : item,
      );
      return { ...reply, components };
    },
  };
}

const cases: readonly Case[] = [
  {
    name: "an active pair that was never scored",
    key: "pair:export/constraints",
    text: words("gap.pair", { component: "Export", dimension: "constraints" }),
    replies: withoutPair(() => false),
    threshold: 0.35,
    before: 1,
  },
  {
    name: "a disputed fact",
    key: "fact:f1",
    text: words("gap.fact", { statement: "Keep files" }),
    replies: levels([0.7, 0.95], (round) =>
      round === 1 ? { facts: [fact("Keep files")] } : round === 2 ? { facts: [fact("Delete files", "f1")] } : {},
    ),
    threshold: 0.2,
    before: 2,
  },
  {
    name: "a trigger that was not resolved",
    key: "trigger:t1",
    text: words("gap.trigger", { label: words("trigger.B"), evidence: "both at once" }),
    replies: levels([0.7, 0.95], (round) => (round === 2 ? { triggers: [trigger({})] } : {})),
    threshold: 0.2,
    before: 2,
  },
  {
    name: "a gap that the audit names",
    key: "audit:export/criteria",
    text: "nobody said when a report is right",
    replies: {
      ...levels([0.95]),
      closure: () => ({
        ready: false,
        gaps: [{ component: "export", dimension: "criteria", gap: "nobody said when a report is right" }],
      }),
    },
    threshold: 0.2,
    before: 1,
  },
];

describe("a gap at the gate", () => {
  it.each(cases)("D9.1 puts $name to the user in the seed's sentence, as a round like any other", async (given) => {
    const { replies, threshold, before, key, text } = given;
    const world = await createWorld({ replies, start: { limits, threshold } });
    await lock(world);
    let question = await play(world, ...Array.from({ length: before }, () => pick("a")));
    expect(question.text.startsWith(`${sentence}${text}.\n\n`)).toBe(true);
    expect(question).toMatchObject({ kind: "round", round: before + 1, allow_free_text: true });
    const [, pair = ""] = /^\w+:(.*)$/.exec(key) ?? [];
    expect(question.header).toMatch(/^Round \d \| Component: \w+ \| Targeting: \w+ \| Why now: .* \| Ambiguity: \d+%$/);
    if (key.startsWith("pair:") || key.startsWith("audit:"))
      expect(`${question.deepInterview?.component}/${question.deepInterview?.dimension}`).toBe(pair);
    expect(question.options.length).toBeGreaterThanOrEqual(2);
    expect(raised(world)).toEqual([[before + 1, key]]);
    question = await ask(world, defer);
    expect(question.kind).toBe("restate");
  });

  it.each(cases)(
    "D9.1 D10.4 puts $name at most once; one that stays is an unresolved item, and not PASSED",
    async (given) => {
      const { replies, threshold, before, key, text } = given;
      const world = await createWorld({ replies, start: { limits, threshold } });
      const round = inTurn(...Array.from({ length: before }, () => pick("a")), defer);
      const result = await world.run(answering({ round }));
      expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT", passed: false } });
      expect(result.type === "done" ? (result.outcome.ambiguity ?? 1) : 1).toBeLessThanOrEqual(threshold);
      expect(raised(world)).toEqual([[before + 1, key]]);
      expect(unresolved(world)).toContain(text);
      expect(specText(world.store.lines)).toContain(`- Closure Overrides: 1 (round ${before + 1})`);
      // It is raised at the gate, so the restated goal may still be corrected and scored.
      expect(world.state().closing_reason).toBe("gate");
    },
  );

  it("D9.1 passes once a pair that was never scored has its score", async () => {
    let rounds = 0;
    const world = await createWorld({
      replies: withoutPair(() => rounds > 1),
      start: { limits, threshold: 0.35 },
    });
    const result = await world.run(
      answering({
        round: () => {
          rounds += 1;
          return pick("a");
        },
      }),
    );
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(raised(world)).toEqual([[2, "pair:export/constraints"]]);
  });

  it("D9.1 D5.4 passes once the answer to the gap's question has ended the dispute, and releases its pair", async () => {
    const given = cases[1];
    if (given === undefined) throw new Error("no case");
    const world = await createWorld({ replies: given.replies, start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(world.state().established_facts.map(({ id, status, superseded_by: by }) => [id, status, by])).toEqual([
      ["f1", "superseded", "f2"],
      ["f2", "established", null],
    ]);
    expect(world.state().established_facts.every(({ ceiling }) => ceiling === null)).toBe(true);
  });

  it("D9.1 passes once the answer to the gap's question has resolved the trigger", async () => {
    const given = cases[2];
    if (given === undefined) throw new Error("no case");
    const world = await createWorld({ replies: given.replies, start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(world.state().triggers).toMatchObject([{ status: "resolved", resolved_round: 3 }]);
  });

  it("D9.1 passes once a new audit finds what the first one missed", async () => {
    const closure: Replies["closure"] = (_, calls) =>
      calls === 1
        ? { ready: false, gaps: [{ component: "export", dimension: "criteria", gap: "it is open" }] }
        : { ready: true, gaps: [] };
    const world = await createWorld({ replies: { ...levels([0.95]), closure }, start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(tasksOf(world).filter((name) => name === "closure")).toHaveLength(2);
    expect(unresolved(world)).toBe("None.");
  });

  it("D9.1 asks of one pair at most once, whether code or the audit misses something there", async () => {
    const closure: Replies["closure"] = () => ({
      ready: false,
      gaps: [{ component: "export", dimension: "constraints", gap: "nobody said what it must not do" }],
    });
    const world = await createWorld({
      replies: { ...withoutPair(() => false), closure },
      start: { limits, threshold: 0.35 },
    });
    await world.run(answering());
    expect(raised(world)).toEqual([[2, "pair:export/constraints"]]);
    expect(unresolved(world)).toContain("nobody said what it must not do");
  });

  it("D9.1 asks about one gap at a time, the least clear pair first", async () => {
    const value = (component: string, dimension: string) =>
      component === "export" && dimension === "criteria" ? 0.9 : 0.95;
    const closure: Replies["closure"] = (_, calls) => ({
      ready: calls > 2,
      gaps: [
        { component: "import", dimension: "criteria" as const, gap: "first open" },
        { component: "export", dimension: "criteria" as const, gap: "second open" },
      ].slice(0, calls > 2 ? 0 : 2),
    });
    const world = await createWorld({ replies: { ...levels([value]), closure }, start: { limits } });
    const result = await world.run(answering());
    expect(raised(world)).toEqual([
      [2, "audit:export/criteria"],
      [3, "audit:import/criteria"],
    ]);
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
  });

  it("D9.1 looks with code first: no audit is made before its own gaps were asked", async () => {
    const world = await createWorld({ replies: withoutPair(() => false), start: { limits, threshold: 0.35 } });
    await lock(world);
    const question = await ask(world, pick("a"));
    expect(question.text).toContain(words("gap.pair", { component: "Export", dimension: "constraints" }));
    expect(tasksOf(world)).not.toContain("closure");
    await ask(world, pick("a"));
    expect(tasksOf(world)).toContain("closure");
  });

  it("D9.1 leaves deferred components out of it", async () => {
    const replies: Replies = {
      ...plain,
      score: (task) => {
        const reply = score(task, 1);
        return { ...reply, facts: inputOf<"score">(task).round === 1 ? [] : reply.facts };
      },
      interpret: (task, calls) => {
        const reply = plain.interpret?.(task, calls) as TaskReply<"interpret">;
        const edits = [{ op: "defer" as const, component: "export", reason: "next year" }];
        return inputOf<"interpret">(task).purpose === "topology" ? { ...reply, edits } : reply;
      },
    };
    const world = await createWorld({ replies, start: { limits } });
    const result = await world.run(answering({ topology: say("defer the export, it comes next year") }));
    expect(world.state().topology.components.map(({ id, status }) => [id, status])).toEqual([
      ["import", "active"],
      ["export", "deferred"],
    ]);
    expect(world.state().topology.components[1]?.clarity_scores.goal).toBeNull();
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
  });

  it.each([
    ["of an unknown component", { ready: false, gaps: [{ component: "billing", dimension: "goal", gap: "open" }] }],
    ["that says nothing", { ready: false, gaps: [{ component: "import", dimension: "goal", gap: " " }] }],
    ["that is not there although it is not ready", { ready: false, gaps: [] }],
  ])("D9.1 refuses an audit with a gap %s; after the repair it is no audit, and not PASSED", async (_, reply) => {
    const closure = () => reply as TaskReply<"closure">;
    const world = await createWorld({ replies: { ...levels([0.95]), closure }, start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    expect(tasksOf(world).filter((name) => name === "closure")).toHaveLength(2);
    expect(raised(world)).toEqual([]);
    expect(unresolved(world)).toContain(words("gap.audit-failed"));
  });

  it("D9.1 audits even when the first answer scores .95 everywhere (fault 13)", async () => {
    const world = await createWorld({ replies: levels([0.95]), start: { limits } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(eventsOf(world, "closure.audited")).toHaveLength(1);
    expect(world.state().round_count).toBe(1);
  });

  it("D9.1 gives the audit facts, assumptions with their status, panel findings and the transcript", async () => {
    const replies: Replies = {
      ...levels([0.5, 0.9], (round) => (round === 1 ? { facts: [fact("Keep files for ten years")] } : {})),
      "auto-answer": () => ({
        task: "auto-answer",
        answer: "Erase them after ten years",
        reasons: ["usual", "cheap"],
        confidence: "medium",
        uncertainty: "nobody knows",
      }),
    };
    const world = await createWorld({ replies, start: { limits } });
    await world.run(answering({ round: inTurn(pick("a"), user({ as: "opt-out" }), defer) }));
    const [prompt] = promptsOf(world, "closure");
    expect(prompt).toContain("Keep files for ten years");
    expect(prompt).toContain("(confirmed): Erase them after ten years");
    expect(prompt).toContain("One way for import");
  });
});

describe("an assumption at the gate", () => {
  const replies: Replies = {
    ...levels([0.7, 0.95]),
    "auto-answer": () => ({
      task: "auto-answer",
      answer: "A year",
      reasons: ["usual", "cheap"],
      confidence: "high",
      uncertainty: "",
    }),
  };
  const round = () => inTurn(pick("a"), user({ as: "opt-out" }), defer);

  it("D9.1 D4.6 is put as a gap when the user kept questioning, whatever its confidence", async () => {
    const world = await createWorld({ replies, start: { limits } });
    await lock(world);
    const crossing = await play(world, pick("a"), user({ as: "opt-out" }));
    expect(crossing).toMatchObject({ kind: "confirm-assumption", round: null });
    const gap = await ask(world, pick("keep"));
    expect(gap).toMatchObject({ kind: "confirm-assumption", round: 3 });
    expect(gap.text.startsWith(`${sentence}${words("gap.assumption", { answer: "A year" })}.\n\n`)).toBe(true);
    expect(raised(world)).toEqual([[3, "assumption:as1"]]);
  });

  it("D9.1 passes once it is confirmed there", async () => {
    const world = await createWorld({ replies, start: { limits } });
    const confirm = inTurn(pick("keep"), pick("confirm"));
    const result = await world.run(answering({ round: round(), "confirm-assumption": confirm }));
    expect(result).toMatchObject({ outcome: { status: "PASSED" } });
    expect(world.state().assumptions).toMatchObject([{ status: "confirmed" }]);
  });

  it("D9.1 D4.5 is an unresolved item when it is left open, asked once, and not PASSED", async () => {
    const world = await createWorld({ replies, start: { limits } });
    const confirm = inTurn(pick("keep"), pick("leave"));
    const result = await world.run(answering({ round: round(), "confirm-assumption": confirm }));
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT", ambiguity: 0.05 } });
    expect(raised(world)).toEqual([[3, "assumption:as1"]]);
    expect(unresolved(world)).toContain(words("gap.assumption", { answer: "A year" }));
  });

  it("D9.1 D4.5 is a gap while it holds up a capped pair, also when it did not bring the threshold", async () => {
    const unsure: Replies = {
      ...levels([0.3, 0.95]),
      "auto-answer": () => ({
        task: "auto-answer",
        answer: "A year",
        reasons: ["usual", "cheap"],
        confidence: "low",
        uncertainty: "nobody knows",
      }),
    };
    // Capped at .85 everywhere, ambiguity stays above a threshold of .1.
    const world = await createWorld({ replies: unsure, start: { limits, threshold: 0.1 } });
    const result = await world.run(
      answering({ round: inTurn(pick("a"), user({ as: "opt-out" }), defer), "confirm-assumption": pick("leave") }),
    );
    expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    expect(unresolved(world)).toContain(words("gap.assumption", { answer: "A year" }));
  });
});

describe("a closure after which nothing is asked", () => {
  const gaps = [{ component: "export", dimension: "criteria" as const, gap: "nobody said when a report is right" }];
  const closure: Replies["closure"] = () => ({ ready: false, gaps });
  const exits: readonly [string, Replies, Partial<typeof limits>, () => Parameters<typeof answering>[0]][] = [
    ["early-exit", levels([0.3]), {}, () => ({ round: inTurn(pick("a"), pick("a"), user({ as: "finish" })) })],
    ["early-exit", levels([0.3]), { softWarningRound: 2 }, () => ({ "soft-limit": pick("proceed") })],
    ["cap", levels([0.3]), { maxRounds: 3 }, () => ({})],
    ["budget", levels([0.3]), { budgetQuestions: 3 }, () => ({})],
    [
      "exhausted",
      levels([(component, dimension) => (component === "import" && dimension === "goal" ? 0.3 : 0.9)]),
      {},
      () => ({ round: inTurn(pick("a"), defer) }),
    ],
  ];

  it.each(exits)(
    "D9.2 audits silently after %s: no gap is put, all go into the spec",
    async (reason, base, more, replies) => {
      const world = await createWorld({ replies: { ...base, closure }, start: { limits: { ...limits, ...more } } });
      const result = await world.run(answering(replies()));
      expect(world.state().closing_reason).toBe(reason);
      expect(eventsOf(world, "closure.audited")).toHaveLength(1);
      expect(raised(world)).toEqual([]);
      expect(world.state().asked.some(({ question }) => question.text.includes(sentence))).toBe(false);
      expect(unresolved(world)).toContain("Unresolved: export/criteria: nobody said when a report is right");
      expect(result).toMatchObject({ outcome: { status: "BELOW_THRESHOLD_EARLY_EXIT" } });
    },
  );

  it("D9.2 D4.5 says that nothing is left to ask, and lists the pair left open", async () => {
    const [, base, , replies] = exits[4] ?? [];
    if (base === undefined || replies === undefined) throw new Error("no case");
    const world = await createWorld({ replies: base, start: { limits } });
    await world.run(answering(replies()));
    expect(toldOf(world.messages)).toContain(words("exhausted", { ambiguity: "34%" }));
    expect(unresolved(world)).toContain("Unresolved: import/goal: what import means by its goal");
  });

  it.each(exits)(
    "D9.2 asks for the restated goal once after %s, and takes one correction verbatim and unscored",
    async (_, base, more, replies) => {
      const world = await createWorld({ replies: base, start: { limits: { ...limits, ...more } } });
      const words = "  Files in, reports out —\n *nothing* else.";
      const scores = () => tasksOf(world).filter((name) => name === "score").length;
      let before = 0;
      await world.run(
        answering({
          ...replies,
          restate: () => {
            before = scores();
            return say(words);
          },
        }),
      );
      expect(world.state().restated_goal).toBe(words);
      expect(scores()).toBe(before);
      expect(world.state().rounds.some(({ kind }) => kind === "correction")).toBe(false);
      expect(world.state().asked.filter(({ question }) => question.kind === "restate")).toHaveLength(1);
      expect(world.state().spec).not.toBeNull();
    },
  );

  it.each(["adjust", "missing"])("D9.2 collects the correction when only %s was chosen", async (option) => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 1 } } });
    await world.run(answering({ restate: pick(option), collect: say("Files in, reports out.") }));
    expect(world.state().restated_goal).toBe("Files in, reports out.");
    const kinds = world.state().asked.map(({ question }) => question.kind);
    expect(kinds).toEqual(["topology", "round", "restate", "collect", "bridge"]);
  });

  it("D9.2 D4.7 leaves the goal null and the question pending while nobody replies", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 1 } } });
    const result = await world.run(answering({ restate: null }));
    expect(result).toMatchObject({ type: "pending", questions: [{ kind: "restate" }] });
    expect(world.state().restated_goal).toBeNull();
    await world.reopen();
    await world.run(answering());
    expect(world.state().restated_goal).toBe("Import files and export reports.");
    expect(world.state().asked.filter(({ question }) => question.kind === "restate")).toHaveLength(1);
  });

  it.each(["finish", "opt-out"] as const)(
    "D9.2 writes the spec without a restated goal when the user says %s",
    async (as) => {
      const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 1 } } });
      await world.run(answering({ restate: user({ as }) }));
      expect(world.state().restated_goal).toBeNull();
      expect(specText(world.store.lines)).toContain("- Restated Goal: none");
    },
  );

  it("D9.2 D7.1 still hears the panel that the last score made due, and gives its findings to the audit", async () => {
    const world = await createWorld({ replies: levels([0.3, 0.5]), start: { limits: { ...limits, maxRounds: 2 } } });
    await world.run(answering());
    expect(world.state().lateral_reviews).toMatchObject([{ round: 2, cause: "milestone" }]);
    expect(promptsOf(world, "closure")[0]).toContain("the simplifier sees a hidden assumption");
  });
});

describe("the question about a gap", () => {
  it("D9.1 is worded for its pair by the question task, which is told the gap, even where a draft aims there", async () => {
    const gaps = [{ component: "import", dimension: "goal" as const, gap: "nobody said what comes first" }];
    const replies: Replies = {
      ...levels([0.95], () => ({ draft: [draft("import", "goal", "What is drafted?")] })),
      closure: (_, calls) => (calls === 1 ? { ready: false, gaps } : { ready: true, gaps: [] }),
    };
    const world = await createWorld({ replies, start: { limits } });
    await lock(world);
    const question = await ask(world, pick("a"));
    expect(question.text).not.toContain("What is drafted?");
    expect(promptsOf(world, "question").at(-1)).toContain("nobody said what comes first");
  });
});
