import { describe, expect, it } from "vitest";
import { parseSpec } from "../../src/core/deep/spec.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { answering, inTurn, levels, specText } from "./script.ts";
import { ask, eventsOf, lock, play, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };
const defer = user({ as: "defer", by: "script" });

const envelope = (world: World) => world.interview.machine.envelope(world.state(), world.interview.revision());

async function toBridge(replies: Replies = levels([0.95]), more: object = {}) {
  const world = await createWorld({ replies, start: { limits, ...more } });
  await lock(world);
  await play(world, pick("a"));
  const question = await ask(world, pick("yes"));
  expect(question.kind).toBe("bridge");
  return { world, question };
}

describe("a spec that waits for approval", () => {
  it("D11.1 is pending, in phase interviewing, and the seed's question offers its four ways", async () => {
    const { world, question } = await toBridge();
    expect(question.text).toBe("Your spec is ready (ambiguity: 5%). How would you like to proceed?");
    expect(question.options.map(({ label, recommended }) => [label, recommended])).toEqual([
      ["Refine with ralplan consensus", true],
      ["Execute with ultragoal", false],
      ["Execute with team", false],
      ["Refine further", false],
    ]);
    expect(question.options[3]?.description).toContain("5%");
    expect(envelope(world)).toMatchObject({ active: true, current_phase: "interviewing", approval: "pending" });
    expect(envelope(world)).not.toHaveProperty("handoff_to");
  });

  it("D11.1 stays so when nobody answers, however often it is asked: done, and the question is there again", async () => {
    const { world, question } = await toBridge();
    const revision = world.interview.revision();
    for (let time = 0; time < 3; time += 1) {
      await world.reopen();
      const result = await world.run(() => null);
      expect(result).toMatchObject({
        type: "done",
        outcome: { status: "PASSED", passed: true, handoff: null },
        question,
      });
    }
    expect(world.interview.revision()).toBe(revision);
    expect(envelope(world)).toMatchObject({ approval: "pending", current_phase: "interviewing" });
  });

  it("D11.1 takes no words for a choice, and nothing for consent", async () => {
    const { world } = await toBridge();
    const replies = inTurn(say("just build it please"), user({ text: "   " }), null);
    const result = await world.run(answering({ bridge: replies }));
    expect(result).toMatchObject({ type: "done", outcome: { handoff: null } });
    expect(eventsOf(world, "handoff.chosen")).toEqual([]);
    expect(envelope(world)).toMatchObject({ approval: "pending" });
  });

  it.each(["finish", "opt-out"] as const)("D11.1 stays pending when the user says %s", async (as) => {
    const { world } = await toBridge();
    const result = await world.run(answering({ bridge: user({ as }) }));
    expect(result).toMatchObject({ type: "done", outcome: { handoff: null, status: "PASSED" } });
    expect(envelope(world)).toMatchObject({ approval: "pending", current_phase: "interviewing" });
  });

  it("D11.1 skips the question with --research-setup, and names research setup as an unresolved follow-up", async () => {
    const world = await createWorld({ replies: levels([0.95]), start: { limits, researchSetup: true } });
    const result = await world.run(answering());
    expect(result).toMatchObject({ type: "done", question: null, outcome: { handoff: null } });
    expect(world.state().asked.some(({ question }) => question.kind === "bridge")).toBe(false);
    const spec = parseSpec(specText(world.store.lines));
    expect(spec.ok && spec.spec.unresolved).toEqual(["Unresolved: research setup"]);
    expect(envelope(world)).toMatchObject({ approval: "pending", current_phase: "interviewing" });
  });

  it("D11.1 asks no model for anything after the spec", async () => {
    const { world } = await toBridge();
    const calls = tasksOf(world).length;
    await world.run(answering({ bridge: pick("team") }));
    expect(tasksOf(world)).toHaveLength(calls);
  });
});

describe("a chosen way on", () => {
  it.each(["ralplan", "ultragoal", "team"])("D11.2 writes the handoff to %s and prints its entry", async (to) => {
    const { world } = await toBridge();
    const path = world.state().spec?.path;
    const result = await world.run(answering({ bridge: pick(to) }));
    expect(result).toMatchObject({ type: "done", outcome: { handoff: `/skill:${to} ${path}`, status: "PASSED" } });
    expect(toldOf(world.messages).at(-1)).toContain(`/skill:${to} ${path}`);
    expect(envelope(world)).toMatchObject({ active: false, current_phase: "handoff", handoff_to: to });
    expect(envelope(world)).not.toHaveProperty("approval");
    expect(world.store.projections.at(-1)?.seeds).toEqual({});
    await world.reopen();
    expect(await world.run(() => null)).toMatchObject({ type: "done", question: null });
  });

  it("D11.2 D10.4 hands on a spec that did not pass as well, with its status", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 1 } } });
    const result = await world.run(answering({ bridge: pick("ralplan") }));
    expect(result).toMatchObject({
      outcome: {
        status: "BELOW_THRESHOLD_EARLY_EXIT",
        passed: false,
        handoff: expect.stringMatching(/^\/skill:ralplan /),
      },
    });
  });

  it.each([
    ["ralplan", true, true],
    ["ralplan", false, false],
    ["ultragoal", true, false],
    ["team", true, false],
  ])("D11.2 after %s with deliberate %s, the ralplan state is seeded: %s", async (to, deliberate, seeded) => {
    const { world } = await toBridge(levels([0.95]), { deliberate });
    const before = world.interview.machine.seeds(world.state());
    expect(before).toEqual({});
    await world.run(answering({ bridge: pick(to) }));
    const seeds = world.interview.machine.seeds(world.state());
    expect(Object.keys(seeds)).toEqual(seeded ? ["ralplan-state.json"] : []);
    if (!seeded) return;
    const { path, sha256 } = world.state().spec ?? {};
    expect(seeds["ralplan-state.json"]).toMatchObject({
      skill: "ralplan",
      session_id: "s1",
      state: { mode: "deliberate", spec_path: path, spec_sha256: sha256 },
    });
    expect(world.store.projections.at(-1)?.seeds).toEqual(seeds);
  });
});

describe("refining further", () => {
  it("D11.2 asks a targeted question before the gate is tested again, although it is met", async () => {
    const { world } = await toBridge();
    const question = await ask(world, pick("refine"));
    expect(question).toMatchObject({ kind: "round", round: 2 });
    expect(question.deepInterview?.component).not.toBeNull();
    expect(world.state().round_cap).toBe(21);
    expect(await ask(world, pick("a"))).toMatchObject({ kind: "restate" });
  });

  it("D11.2 asks a targeted question before the cap is tested again", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 1 } } });
    await world.run(answering());
    expect(await ask(world, pick("refine"))).toMatchObject({ kind: "round", round: 2 });
    expect(world.state().round_cap).toBe(2);
  });

  it("D11.2 asks it also when the budget of questions is used up, and ends after it", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, budgetQuestions: 1 } } });
    await world.run(answering({ bridge: inTurn(pick("refine"), null) }));
    expect(world.state()).toMatchObject({ round_count: 2, closing_reason: "budget", spec: { version: 2 } });
  });

  it("D11.2 sets the cap to the rounds so far and `maxRounds` more", async () => {
    const world = await createWorld({ replies: levels([0.3]), start: { limits: { ...limits, maxRounds: 4 } } });
    const round = inTurn(pick("a"), pick("a"), pick("a"), pick("a"));
    await world.run(answering({ round, bridge: inTurn(pick("refine"), null) }));
    expect(world.state()).toMatchObject({ round_cap: 8, round_count: 8, closing_reason: "cap" });
    expect(world.state().rounds.map((item) => item.round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("D11.2 D8.4 never repeats the soft limit, also when it was not reached before", async () => {
    for (const softWarningRound of [2, 4]) {
      const world = await createWorld({
        replies: levels([0.3]),
        start: { limits: { ...limits, maxRounds: 3, softWarningRound } },
      });
      await world.run(answering({ bridge: inTurn(pick("refine"), null) }));
      const soft = world.state().asked.filter(({ question }) => question.kind === "soft-limit");
      expect(soft).toHaveLength(softWarningRound === 2 ? 1 : 0);
      expect(world.state().round_count).toBe(6);
    }
  });

  it("D11.2 D4.5 returns pairs that were left open to targeting", async () => {
    const value = (component: string, dimension: string) =>
      component === "import" && dimension === "goal" ? 0.3 : 0.9;
    const world = await createWorld({ replies: levels([value]), start: { limits } });
    await world.run(answering({ round: inTurn(pick("a"), defer, pick("a")) }));
    expect(world.state()).toMatchObject({ closing_reason: "exhausted", left_open: [{ component: "import" }] });
    const question = await ask(world, pick("refine"));
    expect(question.deepInterview).toMatchObject({ component: "import", dimension: "goal", round: 3 });
    expect(world.state().left_open).toEqual([]);
  });

  it("D11.2 D9.1 lets a gap be asked once more, and once only", async () => {
    const gaps = [{ component: "export", dimension: "criteria" as const, gap: "nobody said when it is right" }];
    const replies: Replies = { ...levels([0.95]), closure: () => ({ ready: false, gaps }) };
    const world = await createWorld({ replies, start: { limits } });
    await world.run(answering({ bridge: inTurn(pick("refine"), null) }));
    expect(world.state().closure_overrides.map(({ round, gap }) => [round, gap.key])).toEqual([
      [2, "audit:export/criteria"],
      [4, "audit:export/criteria"],
    ]);
  });

  it("D11.2 writes a second version to the same path, and keeps the first in the journal for the store to put aside", async () => {
    const crystallize: Replies["crystallize"] = (task, calls) => {
      const reply = plain.crystallize?.(task, calls);
      if (typeof reply !== "object" || reply instanceof Error) throw new Error("no prose");
      return { ...reply, title: `Title ${calls}` };
    };
    const { world } = await toBridge({ ...levels([0.95]), crystallize });
    const first = specText(world.store.lines);
    const restate = inTurn(pick("yes"));
    await world.run(answering({ bridge: inTurn(pick("refine"), null), restate }));
    const written = eventsOf(world, "spec.written");
    expect(written.map(({ version, slug, path }) => ({ version, slug, path }))).toEqual(
      [1, 2].map((version) => ({ version, slug: written[0]?.slug, path: written[0]?.path })),
    );
    expect(written[0]?.text).toBe(first);
    expect(written[1]?.text).not.toBe(first);
    expect(written[1]?.text).toContain("- Rounds: 2\n");
    expect(world.store.projections.at(-1)?.spec).toMatchObject({ version: 2 });
    expect(world.state().spec?.version).toBe(2);
  });

  it("D11.2 D9.3 asks for the restated goal anew, and for the corrections from the beginning", async () => {
    const world = await createWorld({ replies: levels([0.95]), start: { limits } });
    await lock(world);
    await play(world, pick("a"), say("by mail too"), pick("yes"));
    await ask(world, pick("refine"));
    expect(world.state()).toMatchObject({ restated_goal: null, restate: { corrections: 0, line: null } });
    // One correction was made before: the second of this time is the second.
    await play(world, pick("a"));
    expect(await ask(world, say("and by post"))).toMatchObject({ kind: "restate" });
    expect(await ask(world, say("and by fax"))).toMatchObject({ kind: "round" });
  });

  it("D11.2 D10.4 can turn a spec that did not pass into one that did", async () => {
    let clarity = 0.3;
    const replies: Replies = { ...plain, score: (task) => score(task, clarity) };
    const world = await createWorld({ replies, start: { limits: { ...limits, maxRounds: 1 } } });
    await world.run(answering());
    expect(world.state().spec?.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
    clarity = 0.95;
    const result = await world.run(answering({ bridge: inTurn(pick("refine"), pick("ultragoal")) }));
    expect(result).toMatchObject({
      outcome: { status: "PASSED", handoff: expect.stringMatching(/^\/skill:ultragoal /) },
    });
  });

  it("D11.2 can be left early, and be cancelled; the earlier spec stays what it was", async () => {
    const { world } = await toBridge();
    const spec = world.state().spec;
    await ask(world, pick("refine"));
    const result = await world.run(answering({ round: user({ as: "cancel" }) }));
    expect(result).toMatchObject({ outcome: { status: "CANCELLED" } });
    expect(world.state().spec).toEqual(spec);
    world.interview.push([{ type: "interview.resumed" }]);
    expect(await turn(world)).toMatchObject({ kind: "round", round: 2 });
  });

  it("D11.2 D7.1 tells the question task where the interview stands, not what it was before the spec", async () => {
    const { world } = await toBridge();
    await ask(world, pick("refine"));
    const task = (world.model.tasks ?? []).findLast(({ name }) => name === "question");
    if (task === undefined) throw new Error("no question task");
    expect(inputOf<"question">(task)).toMatchObject({ round: 2, gap: "" });
  });
});
