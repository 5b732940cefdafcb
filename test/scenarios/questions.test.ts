import { describe, expect, it } from "vitest";
import type { ScoreReply, TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf } from "./turns.ts";
import { createWorld, pick, type Replies, say, type World } from "./world.ts";

type Draft = TaskReply<"question">["question"];
type Dimension = Draft["dimension"];

/** Scores by pair, the same in every round; what is not named is 0.7. */
function pairs(
  values: Readonly<Record<string, number>>,
  change: Partial<ScoreReply> = {},
): NonNullable<Replies["score"]> {
  return (task) => score(task, (component, dimension) => values[`${component}/${dimension}`] ?? 0.7, change);
}

function worded(more: Partial<Draft>): NonNullable<Replies["question"]> {
  return (task) => {
    const { target } = inputOf<"question">(task);
    return {
      task: "question",
      question: { ...draft(target.component, target.dimension as Dimension, "What exactly happens?"), ...more },
    };
  };
}

const open = (replies: Replies, more: object = {}) =>
  createWorld({ replies: { ...plain, score: (task) => score(task, 0.4), ...replies }, ...more });
const aimOf = (world: World) => eventsOf(world, "question.asked").at(-1)?.aim;
const pairOf = (question: { deepInterview: { component: string | null; dimension: string | null } | null }) =>
  `${question.deepInterview?.component}/${question.deepInterview?.dimension}`;

describe("the target of a question", () => {
  it("D3.1 is the lowest pair, and rotates over components that are similarly weak", async () => {
    const world = await open({
      score: pairs({ "import/goal": 0.45, "export/criteria": 0.4, "import/constraints": 0.9 }),
    });
    const seen = [pairOf(await lock(world))];
    for (let round = 0; round < 4; round += 1) seen.push(pairOf(await ask(world, pick("a"))));
    // Never scored: import first, in topology order; then the other one; then by turns, since 0.45 is within 0.05 of 0.4.
    expect(seen).toEqual(["import/goal", "export/criteria", "import/goal", "export/criteria", "import/goal"]);
  });

  it("D3.1 stays with the lowest where no other component is as weak", async () => {
    const world = await open({ score: pairs({ "export/criteria": 0.3 }) });
    const seen = [pairOf(await lock(world))];
    for (let round = 0; round < 3; round += 1) seen.push(pairOf(await ask(world, pick("a"))));
    expect(seen).toEqual(["import/goal", "export/criteria", "export/criteria", "export/criteria"]);
  });

  it("D3.1 stores the component when the question is asked, not when it is answered", async () => {
    const world = await open({ score: pairs({ "export/criteria": 0.3 }) });
    await lock(world);
    expect(world.state().topology.last_targeted_component_id).toBe("import");
    await ask(world, pick("a"));
    expect(world.state().topology.last_targeted_component_id).toBe("export");
    expect(world.state().target_history).toEqual(["import", "export"]);
  });

  it("D3.1 an active trigger's pair comes before the lowest, and only until it was asked about", async () => {
    const claim = {
      label: "B" as const,
      status: "active" as const,
      component: "import",
      dimension: "criteria" as const,
      evidence: "both at once",
      contradicts: "",
      proposed: "",
      rationale: "",
    };
    const world = await open({
      score: (task) => {
        const { round } = inputOf<"score">(task);
        const low = round === 2 ? 0.6 : 0.65;
        return score(task, (component) => (component === "import" ? low : 0.6), {
          triggers: round === 2 ? [claim] : [],
        });
      },
    });
    await lock(world);
    await ask(world, pick("a"));
    const about = await ask(world, pick("a"));
    expect([pairOf(about), aimOf(world)?.trigger_id]).toEqual(["import/criteria", "t1"]);
    expect(about.header).toContain("Why now: ");
    expect(promptsOf(world, "question").at(-1)).toContain("Set off by trigger B: both at once");
    const next = await ask(world, pick("a"));
    expect(aimOf(world)?.trigger_id).toBeNull();
    expect(next.round).toBe(4);
  });
});

describe("the header of a question", () => {
  it("D3.2 has the fixed form, with the drafted reason on one line", async () => {
    const world = await open({ question: worded({ why: "nobody said\n  who reads it" }) });
    const question = await lock(world);
    expect(question.header).toBe(
      "Round 1 | Component: Import | Targeting: goal | Why now: nobody said who reads it | Ambiguity: 100%",
    );
    await ask(world, pick("a"));
    expect(world.asked.at(-1)?.header).toBe(
      "Round 2 | Component: Export | Targeting: goal | Why now: nobody said who reads it | Ambiguity: 60%",
    );
  });

  it("D3.2 agrees with the metadata beside it", async () => {
    const world = await open({ score: pairs({ "export/criteria": 0.1234 }) });
    await lock(world);
    const question = await ask(world, pick("a"));
    expect(question.deepInterview).toEqual({
      round_id: "r2",
      round: 2,
      component: "export",
      dimension: "criteria",
      ambiguity: 0.473,
    });
    expect(question.header).toContain("Round 2 | Component: Export | Targeting: criteria |");
    expect(question.header).toContain("Ambiguity: 47.3%");
  });

  it("D3.2 keeps its form when name and reason hold bars and line ends", async () => {
    const base = (plain.topology as () => TaskReply<"topology">)();
    const world = await open({
      question: worded({ why: "a | b" }),
      topology: () => ({
        ...base,
        components: [{ name: "In | Out", description: "d", evidence: "", deliverables: [] }],
      }),
    });
    const { header } = await lock(world);
    expect(header?.split(" | ")).toHaveLength(5);
    expect(header).toContain("Component: In / Out");
    expect(header).toContain("Why now: a / b");
  });

  it.each(["", "TODO", "n/a"])("D3.2 gives its own reason where the draft has none: %j", async (why) => {
    const world = await open({ question: worded({ why }) });
    expect((await lock(world)).header).toContain("Why now: it is the least clear of all |");
    const second = await ask(world, pick("a"));
    expect(second.header).toContain("Why now: what export means by its goal |");
  });
});

describe("one question", () => {
  it("D3.3 has two to four options and always free text", async () => {
    const world = await open({});
    for (const question of [await lock(world), await ask(world, pick("a"))]) {
      expect(question).toMatchObject({ kind: "round", allow_free_text: true, multi_select: false });
      expect(question.options.map((option) => option.id)).toEqual(
        ["a", "b", "c", "d"].slice(0, question.options.length),
      );
      expect(question.options.length).toBeGreaterThanOrEqual(2);
    }
  });

  it.each(["Other", "3) Other.", "None of the above", "type your own", "Other (please specify)", "TODO", "..."])(
    "D3.3 drops a catch-all or an empty option: %s",
    async (label) => {
      const base = draft("import", "goal", "x").options;
      const world = await open({ question: worded({ options: [...base, { label, description: "", from: "" }] }) });
      expect((await lock(world)).options.map((option) => option.label)).toEqual(base.map((option) => option.label));
    },
  );

  it.each<[string, Partial<Draft>]>([
    ["an empty body", { question: "" }],
    ["a placeholder", { question: "TODO" }],
    ["a placeholder", { question: "n/a" }],
    ["a placeholder", { question: "unused" }],
    ["two questions", { question: "Who reads it? And when do they?" }],
    ["no question", { question: "Tell me more." }],
    ["one option", { options: [{ label: "Yes", description: "", from: "" }] }],
    [
      "five options",
      { options: ["a1", "b2", "c3", "d4", "e5"].map((label) => ({ label, description: "", from: "" })) },
    ],
    [
      "options that are one",
      { options: ["Daily", "daily.", "Other"].map((label) => ({ label, description: "", from: "" })) },
    ],
  ])("D3.3 sends back %s (%j), and takes the mended one", async (_, bad) => {
    let calls = 0;
    const world = await open({
      question: (task, count) => {
        calls += 1;
        return calls === 1 ? worded(bad)(task, count) : worded({ question: "Who reads the file?" })(task, count);
      },
    });
    expect((await lock(world)).text).toBe("Who reads the file?");
    expect(calls).toBe(2);
  });

  it("D3.3 falls back to the template of the dimension when the mended one is no better", async () => {
    const world = await open({
      question: worded({ question: "Who? When?" }),
      score: pairs({ "export/criteria": 0.3 }),
    });
    const first = await lock(world);
    expect(first.text).toBe("What exactly happens first when somebody uses Import, and what is different afterwards?");
    expect(first.options).toHaveLength(3);
    const second = await ask(world, pick("a"));
    expect(second.text).toBe("How would you know that Export works: what would you look at before you say yes?");
    expect(tasksOf(world).filter((name) => name === "question")).toHaveLength(4);
  });

  it("D3.3 a scorer's draft is held to the same, and only used where it aims at the target", async () => {
    const at = (component: string, more: Partial<Draft> = {}) => ({
      ...draft(component, "criteria", "Whose rule is it?"),
      ...more,
    });
    const asked = async (...drafts: Draft[]) => {
      const world = await open({ score: pairs({ "export/criteria": 0.3 }, { draft: drafts }) });
      await lock(world);
      const question = await ask(world, pick("a"));
      // The panel that the first score calls for has findings, so that the next question is worded anew.
      const next = await ask(world, pick("a"));
      return { world, question, next };
    };
    const good = await asked(at("export"));
    expect([good.next.text, pairOf(good.next)]).toEqual(["Whose rule is it?", "export/criteria"]);
    expect((await asked(at("import"))).next.text).not.toBe("Whose rule is it?");
    expect((await asked(at("export", { question: "Who? Why?" }))).next.text).not.toContain("Why?");
    expect((await asked(at("export", { question: "TODO" }))).next.text).not.toContain("TODO");
    expect((await asked(at("gone"))).next.round).toBe(3);
  });

  it("D3.3 D7.3 names of a catch-all are dropped from what a panel offers, too", async () => {
    const world = await open({
      panel: (task) => {
        const { persona } = inputOf<"panel">(task);
        return {
          task: "panel",
          persona: persona as "researcher",
          finding: "f",
          reasons: ["r"],
          options: ["None of these", `From ${persona}`],
          confidence: "medium",
        };
      },
    });
    await lock(world);
    const question = await ask(world, pick("a"));
    const labels = question.options.map((option) => option.label);
    expect(labels.length).toBeLessThanOrEqual(4);
    expect(labels).not.toContain("None of these");
    expect(labels).toContain("From researcher");
  });

  it("D3.3 is put once: nobody is asked again what was answered", async () => {
    const world = await open({});
    await lock(world);
    await play(world, pick("a"), say("words"), pick("b"));
    const texts = world.asked.filter((question) => question.kind === "round").map((question) => question.text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(world.asked.map((question) => question.id)).toEqual([
      ...new Set(world.asked.map((question) => question.id)),
    ]);
  });
});

describe("facts and decisions", () => {
  const signals = { source: true, packages: true, git: true };
  const scan = {
    files: [{ path: "src/session.js", bytes: 9, symbols: ["ttl"] }],
    excerpts: [],
    earlier: [],
    truncated: false,
  };
  const fact = { statement: "A session lasts an hour", path: "src/session.js", symbol: "ttl", interpreted: false };
  const explore = () => ({
    summary: "Sessions.",
    findings: [{ statement: fact.statement, path: fact.path, symbol: fact.symbol }],
    earlier: [],
  });
  const brownfield = (question: Partial<Draft>, more: Replies = {}) =>
    createWorld({
      replies: { ...plain, explore, score: (task) => score(task, 0.4), question: worded(question), ...more },
      start: { idea: "Replace the session code", signals },
      explorer: { scan },
    });
  const found = { nature: "fact" as const, fact };

  it("D3.4 a fact is shown as a cited confirmation", async () => {
    const world = await brownfield(found);
    const question = await lock(world);
    expect(question.text).toContain("A session lasts an hour");
    expect(question.text).toContain("Source: src/session.js ttl");
    expect(question.options.map((option) => option.label)).toEqual([
      "Yes, keep it as it is",
      "No, this work changes it",
    ]);
    expect(aimOf(world)?.style).toBe("fact");
  });

  it.each<[string, Partial<Draft>]>([
    ["nothing was found there", { ...found, fact: { ...fact, path: "src/other.js" } }],
    ["the symbol is another", { ...found, fact: { ...fact, symbol: "expiry" } }],
    ["no source is named", { ...found, fact: { ...fact, path: "" } }],
    ["nothing is stated", { ...found, fact: { ...fact, statement: "" } }],
    ["it calls itself a decision", { ...found, nature: "decision" }],
  ])("D3.4 in doubt it is a decision, and the user's: %s", async (_, doubtful) => {
    const world = await brownfield(doubtful);
    const question = await lock(world);
    expect(question.text).toBe("What exactly happens?");
    expect(aimOf(world)?.style).toBe("plain");
  });

  it("D3.4 in a greenfield interview nothing can be looked up", async () => {
    const world = await open({ question: worded(found) });
    expect((await lock(world)).text).toBe("What exactly happens?");
  });

  it("D3.4 a confirmed look-up becomes a fact of the code, with the round that confirmed it", async () => {
    const claim = {
      statement: fact.statement,
      component: "import",
      dimension: "constraints" as const,
      evidence: "Yes",
      contradicts: "",
    };
    const world = await brownfield(found, { score: (task) => score(task, 0.4, { facts: [claim] }) });
    await lock(world);
    await ask(world, pick("Yes, keep it as it is"));
    expect(world.state().established_facts).toMatchObject([
      { statement: fact.statement, provenance: "code", source_round: 1 },
    ]);
    expect(world.state().auto_answer_streak).toBe(0);
    expect(world.state().rounds[0]?.answered_by).toBe("user");
  });

  it("D3.4 one that was not confirmed does not, whatever the scorer makes of it", async () => {
    const claims = ["a session lasts an hour", "Sessions last a day"].map((statement) => ({
      statement,
      component: "import",
      dimension: "constraints" as const,
      evidence: "said",
      contradicts: "",
    }));
    const world = await brownfield(found, { score: (task) => score(task, 0.4, { facts: claims }) });
    await lock(world);
    await ask(world, { ...pick("b"), text: "they last a day from now on" });
    expect(world.state().established_facts).toMatchObject([{ statement: "Sessions last a day", provenance: "user" }]);
    expect(world.state().rounds[0]?.corrections.join()).toContain("not confirmed");
  });

  it("D3.4 what nobody was asked about is no fact at all, only context", async () => {
    const world = await brownfield({});
    await lock(world);
    await ask(world, pick("a"));
    expect(world.state().established_facts).toEqual([]);
    expect(world.state().codebase_context?.findings).toHaveLength(1);
  });

  it("D3.4 D7.1 a look-up that carries interpretation goes before the panel first", async () => {
    const world = await brownfield({ ...found, fact: { ...fact, interpreted: true } });
    const question = await lock(world);
    expect(world.state().lateral_reviews).toMatchObject([{ round: 1, cause: "code-fact" }]);
    expect(question.text).toContain("Source: src/session.js");
    const plainly = await brownfield(found);
    await lock(plainly);
    expect(plainly.state().lateral_reviews).toEqual([]);
  });
});

describe("ontology questions", () => {
  let serial = 0;
  /** New core nouns in every snapshot. */
  const shifting: NonNullable<Replies["score"]> = (task) => {
    serial += 1;
    return score(task, (_, dimension) => (dimension === "goal" ? 0.3 : 0.7) + (serial % 7) * 0.01, {
      entities: [{ name: `Noun ${serial}`, type: "core domain", fields: [`f${serial}`], relationships: [] }],
    });
  };
  const styles = (world: World) =>
    eventsOf(world, "question.asked").flatMap(({ aim, question }) => (question.kind === "round" ? [aim?.style] : []));

  it("D3.5 an unstable core noun calls for one from the third snapshot on, at most one in three rounds", async () => {
    const world = await open({ score: shifting });
    await lock(world);
    await play(world, ...Array.from({ length: 8 }, () => pick("a")));
    expect(styles(world)).toEqual([
      "plain",
      "plain",
      "plain",
      "ontology",
      "plain",
      "plain",
      "ontology",
      "plain",
      "plain",
    ]);
  });

  it("D3.5 keeps target and header of the lowest pair, and tells the question task what it is", async () => {
    const world = await open({ score: shifting });
    await lock(world);
    await play(world, pick("a"), pick("a"));
    const question = await ask(world, pick("a"));
    expect(aimOf(world)?.style).toBe("ontology");
    expect(question.header).toMatch(
      /^Round 4 \| Component: Export \| Targeting: goal \| Why now: .+ \| Ambiguity: [\d.]+%$/,
    );
    expect(promptsOf(world, "question").at(-1)).toContain("the core noun keeps shifting");
  });

  it("D3.5 a stall calls for one as well", async () => {
    const world = await open({});
    await lock(world);
    await play(world, pick("a"), pick("a"), pick("a"));
    expect(styles(world)).toEqual(["plain", "plain", "plain", "ontology"]);
  });

  it("D3.5 a stable interview that moves asks none", async () => {
    const world = await open({ score: (task, count) => score(task, 0.2 + count * 0.06) });
    await lock(world);
    await play(world, ...Array.from({ length: 6 }, () => pick("a")));
    expect(styles(world)).not.toContain("ontology");
  });

  it("D3.5 a round that ended without an answer counts among the three", async () => {
    const world = await open({ score: shifting, "auto-answer": () => new Error("down") });
    await lock(world);
    await play(world, pick("a"), pick("a"), pick("a"), { ...pick(), as: "opt-out" }, pick("a"), pick("a"));
    expect(styles(world)).toEqual(["plain", "plain", "plain", "ontology", "plain", "plain", "ontology"]);
  });

  it("D3.5 without a usable wording the template asks what the thing is", async () => {
    const world = await open({ question: () => "no" });
    await lock(world);
    const question = await play(world, pick("a"), pick("a"), pick("a"));
    expect(question.text).toMatch(/^What IS \w+ at its core/);
  });

  it("D3.5 D3.4 it is never answered by a look-up", async () => {
    const fact = { statement: "It is a file", path: "a.js", symbol: "", interpreted: false };
    const world = await createWorld({
      replies: {
        ...plain,
        explore: () => ({
          summary: "s",
          findings: [{ statement: "It is a file", path: "a.js", symbol: "" }],
          earlier: [],
        }),
        score: (task) => score(task, 0.4),
        question: (task, count) =>
          inputOf<"question">(task).style === "ontology"
            ? worded({ nature: "fact", fact })(task, count)
            : worded({})(task, count),
      },
      start: { type: "brownfield", limits: { ...defaultLimits, stallWindow: 2 } },
      explorer: {
        scan: { files: [{ path: "a.js", bytes: 1, symbols: [] }], excerpts: [], earlier: [], truncated: false },
      },
    });
    await lock(world);
    const question = await play(world, pick("a"), pick("a"));
    expect([aimOf(world)?.style, question.text]).toEqual(["ontology", "What exactly happens?"]);
  });
});

describe("research", () => {
  const tagged: Replies = { question: worded({ research: true }) };
  const candidates = [
    { answer: "A ready parser", rationale: "kept well", confidence: "high" as const },
    { answer: "Our own parser", rationale: "full control", confidence: "low" as const },
  ];

  it("D3.7 a tagged question calls the panel, then the research, and its candidates become the options", async () => {
    const world = await open(tagged);
    const question = await lock(world);
    expect(tasksOf(world)).toEqual(["topology", "question", "panel", "panel", "panel", "research"]);
    expect(world.state().lateral_reviews).toMatchObject([
      { round: 1, cause: "research", personas: ["researcher", "contrarian", "simplifier"] },
    ]);
    expect(question.options.map((option) => [option.label, option.description])).toEqual([
      ["A ready parser", "high: kept well"],
      ["Our own parser", "low: full control"],
      ["What the researcher would do", "researcher: the researcher sees a hidden assumption"],
      ["What the contrarian would do", "contrarian: the contrarian sees a hidden assumption"],
    ]);
    expect(question.options[0]?.recommended).toBe(true);
    expect(world.state()).toMatchObject({ auto_researched_rounds: [1], architect_failures: 0 });
    expect(promptsOf(world, "research")[0]).toContain("the researcher sees a hidden assumption");
    expect(aimOf(world)?.researched).toBe(true);
  });

  it("D3.7 is the one question of its round, and none of it is told", async () => {
    const world = await open(tagged);
    await lock(world);
    const told = toldOf(world.messages).join();
    expect(world.asked.filter((question) => question.round === 1)).toHaveLength(1);
    expect(told).not.toMatch(/parser|panel|research/i);
  });

  it.each<[string, NonNullable<Replies["research"]>]>([
    ["a provider that is down", () => new Error("down")],
    ["no JSON", () => "I found nothing."],
    ["one candidate", () => ({ task: "research", candidates: candidates.slice(0, 1), fallback: "" })],
    ["four candidates", () => ({ task: "research", candidates: [...candidates, ...candidates], fallback: "" })],
    [
      "an empty candidate",
      () => ({
        task: "research",
        candidates: [...candidates, { answer: " ", rationale: "", confidence: "low" }],
        fallback: "",
      }),
    ],
  ])("D3.7 failure is the plain question, counted, and nothing shown: %s", async (_, research) => {
    const world = await open({ ...tagged, research });
    const question = await lock(world);
    expect(question.round).toBe(1);
    expect(question.options.map((option) => option.label)).toContain("One way for import");
    expect(question.options.map((option) => option.label)).not.toContain("A ready parser");
    expect(world.state()).toMatchObject({ auto_researched_rounds: [], architect_failures: 1 });
    expect(world.messages.filter((message) => message.type === "warning")).toEqual([]);
    expect(aimOf(world)?.researched).toBe(false);
    await ask(world, pick("a"));
    expect(world.state().rounds[0]?.answered_by).toBe("user");
  });

  it("D3.7 D7.5 a panel that fails does not stop the research", async () => {
    const world = await open({ ...tagged, panel: () => new Error("down") });
    const question = await lock(world);
    expect(question.options[0]?.label).toBe("A ready parser");
    expect(world.state()).toMatchObject({ lateral_panel_failures: 3, auto_researched_rounds: [1] });
  });

  it("D3.7 is for greenfield interviews only", async () => {
    const world = await createWorld({
      replies: {
        ...plain,
        ...tagged,
        explore: () => ({ summary: "", findings: [], earlier: [] }),
        score: (task) => score(task, 0.4),
      },
      start: { type: "brownfield" },
    });
    await lock(world);
    expect(tasksOf(world)).not.toContain("research");
    expect(tasksOf(world)).not.toContain("panel");
  });

  it("D3.7 is done once a round, also when the scorer's draft was tagged and the question is worded anew", async () => {
    const world = await open({
      score: pairs(
        { "export/criteria": 0.3 },
        { draft: [{ ...draft("export", "criteria", "Which format?"), research: true }] },
      ),
      question: worded({ research: false }),
    });
    await lock(world);
    await ask(world, pick("a"));
    const question = await ask(world, pick("a"));
    expect(question.round).toBe(3);
    expect(world.state().auto_researched_rounds).toEqual([3]);
    expect(question.options.map((option) => option.label)).toContain("A ready parser");
    expect(tasksOf(world).filter((name) => name === "research")).toHaveLength(1);
  });

  it("D3.7 D3.3 a candidate that only names a catch-all is no option", async () => {
    const world = await open({
      ...tagged,
      research: () => ({
        task: "research",
        candidates: [...candidates, { answer: "Other", rationale: "r", confidence: "medium" }],
        fallback: "",
      }),
    });
    expect((await lock(world)).options.map((option) => option.label)).not.toContain("Other");
  });
});
