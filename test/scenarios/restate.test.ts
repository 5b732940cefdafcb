import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { answering, inTurn, levels, specText } from "./script.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, type World } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };

/** Rounds by number, corrections by their count: every pair as clear as said. */
function corrected(
  rounds: readonly number[],
  corrections: readonly number[],
  change: (correction: number) => Partial<ScoreReply> = () => ({}),
): Replies {
  let count = 0;
  return {
    ...plain,
    score: (task) => {
      const { round } = inputOf<"score">(task);
      if (round !== null) return score(task, rounds[Math.min(round, rounds.length) - 1] ?? 0);
      count += 1;
      return score(task, corrections[Math.min(count, corrections.length) - 1] ?? 0, change(count));
    },
    restate: (task) => {
      const { components, corrections: said } = inputOf<"restate">(task);
      return {
        sentence: ["Files come in, reports go out", ...said].join(", "),
        covers: components.filter(({ status }) => status === "active").map(({ id }) => id),
      };
    },
  };
}

/** Plays to the first restate question; the gate is met in round 1. */
async function toRestate(world: World) {
  await lock(world);
  const question = await ask(world, pick("a"));
  expect(question.kind).toBe("restate");
  return question;
}

describe("the restated goal", () => {
  it("D9.3 is one sentence, asked in the seed's words with its three options and free text", async () => {
    const world = await createWorld({ replies: levels([0.95]), start: { limits } });
    const question = await toRestate(world);
    expect(question.text).toBe(
      "If someone read only this line, would they reach the same outcome you have in mind?\n\nImport files and export reports.",
    );
    expect(question.options.map(({ label }) => label)).toEqual(["Yes, crystallize", "Adjust wording", "Missing scope"]);
    expect(question).toMatchObject({ allow_free_text: true, round: null });
    await ask(world, pick("yes")).catch(() => null);
    expect(world.state().restated_goal).toBe("Import files and export reports.");
    expect(specText(world.store.lines)).toContain("- Restated Goal: Import files and export reports.");
  });

  it.each<[string, Partial<TaskReply<"restate">>]>([
    ["leaves out a component", { covers: ["import"] }],
    ["is empty", { sentence: "  " }],
    ["takes two lines", { sentence: "Import files.\nExport reports." }],
  ])("D9.3 refuses a line that %s, and asks the model once more", async (_, wrong) => {
    const restate: Replies["restate"] = (task, calls) => ({
      ...(plain.restate?.(task, calls) as TaskReply<"restate">),
      ...(calls === 1 ? wrong : { sentence: "Both, in one line." }),
    });
    const world = await createWorld({ replies: { ...levels([0.95]), restate }, start: { limits } });
    const question = await toRestate(world);
    expect(tasksOf(world).filter((name) => name === "restate")).toHaveLength(2);
    expect(question.text).toContain("Both, in one line.");
  });

  it("D9.3 need not name a deferred component", async () => {
    const replies: Replies = {
      ...corrected([0.95], [0.95]),
      interpret: (task, calls) => ({
        ...(plain.interpret?.(task, calls) as TaskReply<"interpret">),
        edits: [{ op: "defer", component: "export", reason: "next year" }],
      }),
    };
    const world = await createWorld({ replies, start: { limits } });
    await ask(world);
    await ask(world, say("the export comes next year"));
    expect((await ask(world, pick("a"))).kind).toBe("restate");
    expect(tasksOf(world).filter((name) => name === "restate")).toHaveLength(1);
  });
});

describe("a correction of the restated goal", () => {
  it("D9.3 is scored like an answer, without a round number, and the line is asked again", async () => {
    const world = await createWorld({ replies: corrected([0.95], [0.9]), start: { limits } });
    const first = await toRestate(world);
    const words = "Also by mail, `never` by fax";
    const second = await ask(world, say(words));
    expect(second.kind).toBe("restate");
    expect(second.id).not.toBe(first.id);
    expect(second.text).toContain(words);
    expect(world.state().rounds.at(-1)).toMatchObject({
      kind: "correction",
      round: null,
      lifecycle: "scored",
      custom_input: words,
      answered_by: "user",
      ambiguity: 0.1,
    });
    expect(world.state()).toMatchObject({ round_count: 1, current_ambiguity: 0.1 });
    expect(tasksOf(world).filter((name) => name === "score")).toHaveLength(2);
    // Closure looks again at what the correction changed.
    expect(tasksOf(world).filter((name) => name === "closure")).toHaveLength(2);
    expect(promptsOf(world, "score").at(-1)).toContain(words);
    expect(promptsOf(world, "restate").at(-1)).toContain(words);
  });

  it.each(["adjust", "missing"])("D9.3 collects its words once when only the option %s was chosen", async (option) => {
    const world = await createWorld({ replies: corrected([0.95], [0.95]), start: { limits } });
    await toRestate(world);
    const collect = await ask(world, pick(option));
    expect(collect).toMatchObject({ kind: "collect", round: null, options: [], allow_free_text: true });
    const next = await ask(world, say("by mail too"));
    expect(next.kind).toBe("restate");
    expect(world.state().rounds.at(-1)).toMatchObject({ kind: "correction", custom_input: "by mail too" });
    expect(world.state().asked.filter(({ question }) => question.kind === "collect")).toHaveLength(1);
  });

  it.each(["adjust", "missing"])("D9.3 takes words that come with the option %s as the correction", async (option) => {
    const world = await createWorld({ replies: corrected([0.95], [0.95]), start: { limits } });
    await toRestate(world);
    await ask(world, { ...pick(option), text: "by mail too" });
    expect(world.state().rounds.at(-1)).toMatchObject({ kind: "correction", custom_input: "by mail too" });
    expect(world.state().asked.some(({ question }) => question.kind === "collect")).toBe(false);
  });

  const read =
    (kind: "explain" | "finish" | "opt-out"): NonNullable<Replies["interpret"]> =>
    (task, calls) => ({
      ...(plain.interpret?.(task, calls) as TaskReply<"interpret">),
      kind,
      explanation: kind === "explain" ? "It becomes the goal of the spec." : "",
    });

  it.each(["gate", "cap"])(
    "D9.3 D4.2 is not what only asks about the line, whose question stays, closed by the %s (fault 14)",
    async (reason) => {
      const more = reason === "cap" ? { maxRounds: 1 } : {};
      const replies = { ...corrected([0.95], [0.95]), interpret: read("explain") };
      const world = await createWorld({ replies, start: { limits: { ...limits, ...more } } });
      const question = await toRestate(world);
      expect(world.state().closing_reason).toBe(reason);
      expect(await ask(world, say("What happens when I say yes?"))).toEqual(question);
      expect(toldOf(world.messages).at(-1)).toBe("It becomes the goal of the spec.");
      expect(world.state()).toMatchObject({ restated_goal: null, restate: { corrections: 0 } });
      expect(world.state().rounds).toHaveLength(1);
    },
  );

  it.each(["finish", "opt-out"] as const)(
    "D9.3 D4.2 is not what reads as %s: the spec is written without a goal line",
    async (kind) => {
      const replies = { ...corrected([0.95], [0.95]), interpret: read(kind) };
      const world = await createWorld({ replies, start: { limits } });
      await toRestate(world);
      expect(await ask(world, say("I do not mind, whatever you think"))).toMatchObject({ kind: "bridge" });
      expect(world.state()).toMatchObject({ restated_goal: null, restate: { corrections: 0 } });
    },
  );

  it("D9.3 D2.2 may defer a component, which the line then need not name", async () => {
    const interpret: Replies["interpret"] = (task, calls) => ({
      ...(plain.interpret?.(task, calls) as TaskReply<"interpret">),
      edits: [{ op: "defer", component: "export", reason: "next year" }],
    });
    const world = await createWorld({ replies: { ...corrected([0.95], [0.95]), interpret }, start: { limits } });
    await toRestate(world);
    expect((await ask(world, say("leave the export for next year"))).kind).toBe("restate");
    expect(world.state().topology.deferrals).toMatchObject([{ component_id: "export", reason: "next year" }]);
    expect(tasksOf(world).filter((name) => name === "restate")).toHaveLength(2);
  });

  it("D9.3 is taken as it came when nothing could read it", async () => {
    const replies: Replies = { ...corrected([0.95], [0.95]), interpret: () => "no JSON" };
    const world = await createWorld({ replies, start: { limits } });
    await toRestate(world);
    expect((await ask(world, say("by mail too"))).kind).toBe("restate");
    expect(world.state().rounds.at(-1)).toMatchObject({ kind: "correction", custom_input: "by mail too" });
  });

  it("D9.3 is no confirmation when it comes with the yes", async () => {
    const world = await createWorld({ replies: corrected([0.95], [0.95]), start: { limits } });
    await toRestate(world);
    await ask(world, { ...pick("yes"), text: "but by mail too" });
    expect(world.state().restated_goal).toBeNull();
    expect(world.state().rounds.at(-1)).toMatchObject({ kind: "correction", custom_input: "but by mail too" });
  });

  it("D9.3 is outside `maxRounds`: two of them leave the last round to be asked", async () => {
    const world = await createWorld({
      replies: corrected([0.95], [0.95]),
      start: { limits: { ...limits, maxRounds: 2 } },
    });
    await toRestate(world);
    const question = await play(world, say("by mail too"), say("and by post"));
    expect(question).toMatchObject({ kind: "round", round: 2 });
    await ask(world, pick("a"));
    expect(world.state()).toMatchObject({ closing_reason: "cap", round_count: 2 });
  });

  it("D9.3 that lifts ambiguity above the threshold is followed by a targeted round", async () => {
    const world = await createWorld({ replies: corrected([0.95], [0.5]), start: { limits } });
    await toRestate(world);
    const question = await ask(world, say("and everything else, too"));
    expect(question).toMatchObject({ kind: "round", round: 2 });
    expect(question.deepInterview?.component).not.toBeNull();
    expect(world.state().closing_reason).toBeNull();
    expect(world.state().current_ambiguity).toBe(0.5);
  });

  it("D9.3 D2.6 that brings in a new outcome is followed by the question that is owed, then closes again", async () => {
    const change = (correction: number): Partial<ScoreReply> =>
      correction > 1
        ? {}
        : {
            triggers: [
              {
                label: "D",
                // Nothing rises by it, so that the gate is met all the same.
                status: "unresolved",
                component: "export",
                dimension: "goal",
                evidence: "and a phone app",
                contradicts: "",
                proposed: "Phone app",
                rationale: "it may be a part of export",
              },
            ],
          };
    const world = await createWorld({ replies: corrected([0.95], [0.9], change), start: { limits } });
    await toRestate(world);
    const owed = await ask(world, say("and a phone app"));
    expect(owed).toMatchObject({ kind: "topology", round: 2 });
    // It is owed by the rule about new outcomes, not raised as a gap of the closure.
    expect(world.state()).toMatchObject({ closing_reason: null, closure_overrides: [] });
    const next = await ask(world, pick("defer"));
    expect(next.kind).toBe("restate");
    expect(world.state().topology.components.find(({ id }) => id === "phone-app")?.status).toBe("deferred");
  });

  it("D9.3 D7.1 convenes the panel when it changes the band", async () => {
    const world = await createWorld({ replies: corrected([0.95], [0.5]), start: { limits } });
    await toRestate(world);
    const before = world.state().lateral_reviews.length;
    await ask(world, say("and everything else, too"));
    expect(world.state().lateral_reviews.slice(before)).toMatchObject([{ from: "ready", to: "progress" }]);
  });

  it("D9.3 D5.4 is aimed at no pair, so it ends no dispute that it was not asked about", async () => {
    const fact = (statement: string, contradicts = ""): ScoreReply["facts"][number] => ({
      statement,
      component: "import",
      dimension: "goal",
      evidence: "said",
      contradicts,
    });
    const replies: Replies = {
      ...plain,
      score: (task) => {
        const { round } = inputOf<"score">(task);
        if (round === 1) return score(task, 0.7, { facts: [fact("Keep files")] });
        return score(task, 0.95, round === 2 ? { facts: [fact("Delete files", "f1")] } : {});
      },
    };
    const world = await createWorld({ replies, start: { limits } });
    const defer = { ...pick(), as: "defer" as const, by: "script" as const };
    const restate = inTurn(say("one more word"), pick("yes"));
    await world.run(answering({ round: inTurn(pick("a"), pick("a"), defer), restate }));
    const correction = world.state().rounds.find(({ kind }) => kind === "correction");
    expect(correction?.lifecycle).toBe("scored");
    expect(world.state().established_facts.map(({ status }) => status)).toEqual(["disputed", "established"]);
    const scored = (world.model.tasks ?? []).findLast(({ name }) => name === "score");
    expect(scored?.input["disputed"]).toEqual([]);
    expect(world.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
  });

  it("D9.3 gives facts without a round, which the spec lists as a correction's", async () => {
    const change = (): Partial<ScoreReply> => ({
      facts: [
        { statement: "Mail counts too", component: "export", dimension: "goal", evidence: "mail", contradicts: "" },
      ],
    });
    const world = await createWorld({ replies: corrected([0.95], [0.95], change), start: { limits } });
    await world.run(answering({ restate: inTurn(say("mail counts too"), pick("yes")) }));
    expect(world.state().established_facts).toMatchObject([{ statement: "Mail counts too", source_round: null }]);
    expect(specText(world.store.lines)).toContain("Mail counts too (f1; export/goal; correction; user; established)");
    expect(specText(world.store.lines)).toContain("### Correction of the restated goal");
    expect(specText(world.store.lines)).toContain("- Rounds: 1\n");
  });
});

describe("the second correction", () => {
  it("D9.3 forces a targeted round although the gate is met, and the counter starts again", async () => {
    const world = await createWorld({ replies: corrected([0.95], [0.95]), start: { limits } });
    await toRestate(world);
    const kinds: string[] = [];
    for (const reply of [
      say("first"),
      say("second"),
      pick("a"),
      say("third"),
      say("fourth"),
      pick("a"),
      say("fifth"),
    ]) {
      const question = await ask(world, reply);
      kinds.push(`${question.kind} ${question.round}`);
    }
    expect(kinds).toEqual([
      "restate null",
      "round 2",
      "restate null",
      "restate null",
      "round 3",
      "restate null",
      "restate null",
    ]);
    expect(world.state().restate.corrections).toBe(1);
    expect(eventsOf(world, "restate.corrected")).toHaveLength(5);
  });

  it("D9.3 counts corrections in a row of questions, whatever lies between", async () => {
    // The first correction lifts ambiguity, so a round comes between the two.
    const world = await createWorld({ replies: corrected([0.95, 0.95], [0.5, 0.95]), start: { limits } });
    await toRestate(world);
    expect(await ask(world, say("first"))).toMatchObject({ kind: "round", round: 2 });
    expect((await ask(world, pick("a"))).kind).toBe("restate");
    expect(await ask(world, say("second"))).toMatchObject({ kind: "round", round: 3 });
  });

  it("D9.3 D0.5 keeps to the setting `restateLoops`", async () => {
    const world = await createWorld({
      replies: corrected([0.95], [0.95]),
      start: { limits: { ...limits, restateLoops: 1 } },
    });
    await toRestate(world);
    expect(await ask(world, say("first"))).toMatchObject({ kind: "round", round: 2 });
  });

  it("D9.3 ends in a spec in any case: corrections without end use the rounds up", async () => {
    const world = await createWorld({
      replies: corrected([0.95], [0.95]),
      start: { limits: { ...limits, maxRounds: 4 } },
    });
    const result = await world.run(answering({ restate: say("not quite") }));
    expect(result.type).toBe("done");
    expect(world.state()).toMatchObject({ round_count: 4, closing_reason: "cap", restated_goal: "not quite" });
  });
});
