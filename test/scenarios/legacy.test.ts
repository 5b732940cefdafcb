import { describe, expect, it } from "vitest";
import type { ReportView } from "../../src/core/deep/report.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, checkJournal, eventsOf, promptsOf, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, languages, pick, type Replies, say, type World } from "./world.ts";

const scored: Replies = { ...plain, score: (task) => score(task, 0.5) };
const take = async (envelope: Record<string, unknown>, replies: Replies = scored): Promise<World> => {
  const world = await createWorld({ replies, envelope });
  checkJournal(world);
  return world;
};

/** The seed's shape, as the tool of that framework writes it: nothing of our own in it. */
const seedState = {
  interview_id: "seed-1",
  type: "greenfield",
  initial_idea: "Import files and export reports",
  initial_context_summary: null,
  rounds: [
    {
      round: 1,
      round_id: "r1",
      question_id: "q1",
      question_text: "Who imports?",
      selected_options: ["Clerks"],
      custom_input: "and never more than 40 files a day",
      component: "import",
      dimension: "goal",
      ambiguity: 0.62,
      scores: { goal: 0.4, constraints: 0.3, criteria: 0.4, context: null },
      lifecycle: "scored",
    },
  ],
  established_facts: [{ fact: "Clerks import", source_round: 1, evidence: "Clerks" }],
  current_ambiguity: 0.62,
  threshold: 0.07,
  threshold_source: "./.gjc/settings.json",
  language: { code: "ko", instruction: "한국어로 쓰세요." },
  codebase_context: null,
  topology: {
    status: "confirmed",
    confirmed_at: "2025-11-01T10:00:00Z",
    components: [
      {
        id: "import",
        name: "Import",
        description: "Reads files",
        status: "active",
        evidence: ["Import files"],
        clarity_scores: { goal: 0.4, constraints: 0.3, criteria: 0.4, context: null },
        weakest_dimension: "constraints",
      },
      {
        id: "archive",
        name: "Archive",
        description: "Keeps files",
        status: "deferred",
        evidence: [],
        clarity_scores: { goal: null, constraints: null, criteria: null, context: null },
        weakest_dimension: null,
      },
    ],
    deferrals: [{ component_id: "archive", reason: "next year", confirmed_at: "2025-11-01T10:00:00Z" }],
    last_targeted_component_id: "import",
  },
  ontology_snapshots: [
    {
      entities: [{ name: "File", type: "core domain", fields: ["name"], relationships: [] }],
      stability_ratio: null,
      matching_reasoning: "first",
    },
  ],
  auto_researched_rounds: [1],
  auto_answered_rounds: [],
  lateral_reviews: [{ round: 1, milestone: "initial", personas_dispatched: ["researcher"] }],
  lateral_panel_failures: 2,
  auto_answer_streak: 1,
  refined_rounds: [1],
  closure_overrides: [],
  restated_goal: null,
  ambiguity_milestone: "initial",
  architect_failures: 3,
  house_rule: "kept",
};
const seedEnvelope = { active: true, current_phase: "interviewing", tool_note: "kept too", state: seedState };
const { topology: _, ...untopologised } = seedState;

describe("taking in a state of another tool", () => {
  it("D2.4 a topology in the seed's shape is confirmed: round 0 is not run again, and the interview goes on", async () => {
    const world = await take(seedEnvelope);
    const question = await ask(world);
    expect(question).toMatchObject({ kind: "round", round: 2 });
    expect(tasksOf(world)).not.toContain("topology");
    const { topology } = world.state();
    expect(topology).toMatchObject({
      status: "confirmed",
      confirmed_at: "2025-11-01T10:00:00Z",
      deferrals: seedState.topology.deferrals,
    });
    expect(topology.components).toMatchObject(seedState.topology.components);
    // D3.1 over the scores that came along.
    expect(question.deepInterview).toMatchObject({ component: "import", dimension: "constraints", ambiguity: 0.62 });
    await ask(world, pick("a"));
    expect(world.state().rounds[1]).toMatchObject({ round: 2, lifecycle: "scored", ambiguity: 0.5 });
  });

  it("D2.4 D1.4 nothing of it is lost: the seed's fields are taken, what is unknown or unreadable is kept as it was", async () => {
    const world = await take(seedEnvelope);
    const state = world.state();
    for (const key of [
      "interview_id",
      "type",
      "initial_idea",
      "current_ambiguity",
      "threshold",
      "threshold_source",
      "auto_researched_rounds",
      "auto_answered_rounds",
      "lateral_panel_failures",
      "auto_answer_streak",
      "refined_rounds",
      "closure_overrides",
      "ambiguity_milestone",
      "architect_failures",
    ] as const)
      expect([key, state[key]]).toEqual([key, seedState[key]]);
    expect(state.established_facts).toMatchObject([
      { statement: "Clerks import", source_round: 1, evidence: "Clerks", status: "established" },
    ]);
    expect(state.ontology_snapshots[0]?.entities).toEqual(seedState.ontology_snapshots[0]?.entities);
    expect(state.language).toMatchObject({ tag: "ko", instruction: "한국어로 쓰세요." });
    const envelope = world.interview.machine.envelope(state, 1);
    expect(envelope).toMatchObject({ tool_note: "kept too", threshold: 0.07 });
    expect(envelope["state"]).toMatchObject({
      house_rule: "kept",
      imported: { lateral_reviews: seedState.lateral_reviews },
    });
    expect(envelope["house_rule"]).toBeUndefined();
  });

  it("D2.4 earlier answers are in what later prompts read, to their last word", async () => {
    const world = await take(seedEnvelope);
    await ask(world);
    await ask(world, pick("a"));
    for (const name of ["question", "score"]) {
      const prompt = promptsOf(world, name)[0] ?? "";
      expect(prompt).toContain("Clerks");
      expect(prompt).toContain("never more than 40 files a day");
    }
  });

  it("D1.6 D2.4 its language carries on in every prompt", async () => {
    const world = await take(seedEnvelope);
    await ask(world);
    expect(promptsOf(world, "question")[0]).toContain("한국어로 쓰세요.");
  });

  it("D0.4 it keeps its threshold and source; one that is none is replaced by what is resolved", async () => {
    const threshold = async (value: unknown) => {
      const { threshold: kept, threshold_source } = (await take({ state: { ...seedState, threshold: value } })).state();
      return [kept, threshold_source];
    };
    expect(await threshold(0.07)).toEqual([0.07, "./.gjc/settings.json"]);
    for (const bad of [0, 1.5, "0.05", null, Number.NaN])
      expect(await threshold(bad)).toEqual([0.2, "flag:--threshold"]);
  });
});

describe("a state without topology", () => {
  it("D2.4 runs round 0 before the next scoring, then goes on with its transcript", async () => {
    const rounds = [
      ...seedState.rounds,
      {
        round: 2,
        question_text: "How fast?",
        custom_input: "within a minute",
        component: "import",
        dimension: "criteria",
      },
    ];
    const world = await take({ current_phase: "interviewing", state: { ...untopologised, rounds } });
    expect(world.state().topology.status).toBe("legacy_missing");
    const question = await ask(world);
    expect(question).toMatchObject({ kind: "topology", round: 0 });
    expect(tasksOf(world)).toEqual(["topology"]);
    const next = await ask(world, pick("right"));
    expect(next.round).toBe(3);
    expect(tasksOf(world).slice(0, 2)).toEqual(["topology", "score"]);
    expect(world.state().rounds.map((round) => [round.round, round.lifecycle])).toEqual([
      [1, "scored"],
      [2, "scored"],
    ]);
    expect(inputOf<"score">((world.model.tasks ?? []).find((task) => task.name === "score") as never).answer).toBe(
      "within a minute",
    );
    expect(promptsOf(world, "score")[0]).toContain("never more than 40 files a day");
  });

  it("D2.4 every answer that was never scored gets its score, oldest first, and none is asked again", async () => {
    const bare = (round: number) => ({ round, question_text: `Question ${round}?`, custom_input: `Answer ${round}` });
    const world = await take({
      state: { ...untopologised, rounds: [bare(1), bare(2), bare(3)], current_ambiguity: 1 },
    });
    await ask(world);
    const next = await ask(world, pick("right"));
    expect(next.round).toBe(4);
    const scoredTasks = (world.model.tasks ?? [])
      .filter((task) => task.name === "score")
      .map((task) => inputOf<"score">(task).answer);
    expect(scoredTasks).toEqual(["Answer 1", "Answer 2", "Answer 3"]);
    expect(world.asked.filter((asked) => asked.kind === "round").map((asked) => asked.round)).toEqual([4]);
  });

  it("D2.4 D2.2 the lock is shown in the next report, although rounds were scored before it", async () => {
    const world = await take({ state: untopologised });
    await ask(world);
    await ask(world, pick("right"));
    await ask(world, pick("a"));
    await ask(world, pick("a"));
    const views = world.messages.flatMap((message) =>
      message.type === "report" ? [message.view as unknown as ReportView] : [],
    );
    expect(views.map((view) => view.locked.length)).toEqual([2, 0]);
  });

  it("D2.4 is not announced as if it began, and its components are asked about", async () => {
    const world = await take({ state: untopologised });
    await ask(world);
    expect(toldOf(world.messages).join()).not.toContain("Starting deep interview");
    expect((await ask(world, pick("right"))).deepInterview).toMatchObject({
      component: "import",
      dimension: "goal",
      round: 2,
    });
  });

  it.each([
    ["flat", (state: object) => ({ active: true, current_phase: "interviewing", ...state })],
    ["nested", (state: object) => ({ active: true, state })],
    [
      "wrapped twice",
      (state: object) => ({
        skill: "deep-interview",
        state: { skill: "deep-interview", state: { state } },
        storage_path: "/x",
      }),
    ],
  ])("D2.4 is found where it stands: %s", async (_, wrap) => {
    const world = await take(wrap(untopologised));
    expect(world.state()).toMatchObject({
      interview_id: "seed-1",
      initial_idea: "Import files and export reports",
      current_ambiguity: 0.62,
    });
    expect(world.state().rounds).toHaveLength(1);
    const state = world.interview.machine.envelope(world.state(), 1)["state"];
    expect(state).not.toHaveProperty("state");
    expect(state).not.toHaveProperty("skill");
  });

  it("D2.4 a later partial write does not hide the rounds of a flat file", async () => {
    const world = await take({ ...untopologised, state: { current_ambiguity: 0.4 } });
    expect(world.state().rounds).toHaveLength(1);
    expect(world.state().current_ambiguity).toBe(0.4);
  });

  it.each<[string, unknown]>([
    ["pending", { ...seedState.topology, status: "pending" }],
    ["empty", { status: "confirmed", components: [] }],
    ["only deferred", { ...seedState.topology, components: seedState.topology.components.slice(1) }],
    ["broken", "yes"],
  ])("D2.4 a topology that is %s counts as none", async (_, topology) => {
    const world = await take({ state: { ...seedState, topology } });
    expect(world.state().topology.status).toBe("legacy_missing");
    expect((await ask(world)).kind).toBe("topology");
  });

  it("D2.4 an empty state is taken in as well, and begins with round 0", async () => {
    const world = await take({ active: true });
    expect((await ask(world)).kind).toBe("topology");
  });
});

describe("round 0 among the rounds of an older state", () => {
  const zero = { round: 0, question_text: "Is that topology right?", custom_input: "yes", lifecycle: "answered" };
  const one = {
    round: 1,
    question_text: "Who?",
    custom_input: "clerks",
    component: "import",
    dimension: "goal",
    lifecycle: "answered",
    ambiguity: 1,
  };
  const values: Record<string, number> = { goal: 0.69, constraints: 0.07, criteria: 0.29 };
  const replies: Replies = { ...plain, score: (task) => score(task, (_, dimension) => values[dimension] ?? 0) };

  it("D2.5 an answered round 0 beside an answered round 1 blocks no scoring: with the topology locked", async () => {
    const world = await take({ state: { ...seedState, rounds: [zero, one], current_ambiguity: 1 } }, replies);
    await ask(world);
    expect(world.state().rounds).toMatchObject([{ round: 1, lifecycle: "scored", ambiguity: 0.616, scores: values }]);
    expect(tasksOf(world).filter((name) => name === "score")).toHaveLength(1);
  });

  it("D2.5 and before it is locked", async () => {
    const world = await take({ state: { ...untopologised, rounds: [zero, one], current_ambiguity: 1 } }, replies);
    expect((await ask(world)).kind).toBe("topology");
    expect((await ask(world, pick("right"))).round).toBe(2);
    expect(world.state().rounds).toMatchObject([{ round: 1, lifecycle: "scored", ambiguity: 0.616 }]);
  });

  it("D2.5 its words are kept all the same", async () => {
    const world = await take({ state: { ...untopologised, rounds: [zero, one] } });
    const state = world.interview.machine.envelope(world.state(), 1)["state"];
    expect(state).toMatchObject({ imported: { rounds: [zero, one] } });
  });
});

describe("an older interview whose spec exists", () => {
  const spec = ".gjc/_session-s1/specs/deep-interview-intake.md";
  const done = { active: true, spec_path: spec, state: untopologised };

  it("D2.4 its history is not rewritten: no round 0, no model call, only the ways on", async () => {
    const world = await take(done);
    const question = await ask(world);
    expect(question.kind).toBe("bridge");
    expect(tasksOf(world)).toEqual([]);
    expect(world.store.projections.every((projection) => projection.spec === null)).toBe(true);
    expect(world.state()).toMatchObject({
      spec: { path: spec, slug: "intake" },
      topology: { status: "legacy_missing" },
    });
  });

  it("D2.4 a handoff of it says that the topology was not captured", async () => {
    const world = await take(done);
    await ask(world);
    await turn(world, pick("ralplan"));
    expect(world.messages).toContainEqual({
      type: "warning",
      text: languages.phrases["ko"]?.["handoff.legacy"],
    });
    expect(toldOf(world.messages).at(-1)).toContain(`/skill:ralplan ${spec}`);
    // Inside the state as well.
    const captured = await take({ state: { ...seedState, spec_path: spec } });
    await ask(captured);
    await turn(captured, pick("ralplan"));
    expect(toldOf(captured.messages).join()).not.toContain("not captured");
  });

  it("D2.4 D11.2 refining it further runs round 0 first, then a targeted question", async () => {
    const world = await take(done);
    await ask(world);
    expect((await ask(world, pick("refine"))).kind).toBe("topology");
    const next = await ask(world, pick("right"));
    expect(next).toMatchObject({ kind: "round", round: 2 });
    expect(eventsOf(world, "rounds.ended")).toEqual([]);
    await ask(world, say("words"));
    expect(world.state().rounds.at(-1)).toMatchObject({ round: 2, lifecycle: "scored" });
  });
});
