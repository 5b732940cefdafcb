import { describe, expect, it } from "vitest";
import type { TaskReply } from "../../src/core/deep/tasks.ts";
import type { Languages } from "../../src/core/lexicon.ts";
import type { Question } from "../../src/core/machine.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, promptsOf, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, languages, pick, type Replies, say, user, type World } from "./world.ts";

const english = languages.phrases["en"] ?? {};
/** Every sentence of the interface, marked, with its places kept. */
const marked = Object.entries(english).map(([key, text]) => ({
  key,
  text: `⟦${key}⟧ ${(text.match(/\{\w+\}/g) ?? []).join(" ")}`,
}));
const topology = (tag: string, phrases = marked): TaskReply<"topology"> => ({
  ...(plain.topology as () => TaskReply<"topology">)(),
  language: { tag, name: "Another", instruction: `Write in the tongue ${tag}, please.` },
  phrases,
});

/** Pieces of English interface sentences that are long enough to be nothing else. */
const pieces = Object.entries(english)
  .filter(([key]) => !["header", "topology.header", "threshold.changed"].includes(key))
  .flatMap(([, text]) => text.split(/\{\w+\}|\n/))
  .map((piece) => piece.trim())
  .filter((piece) => piece.length >= 10);

function shownIn(world: World): string[] {
  const question = (asked: Question) => [
    asked.header ?? "",
    asked.text,
    ...asked.options.flatMap((option) => [option.label, option.description]),
  ];
  return [...world.asked.flatMap(question), ...toldOf(world.messages)];
}

/** A tour through every kind of question and message. */
async function tour(options: { tag: string; language?: string; languages?: Languages }): Promise<World> {
  let clarity = 0.2;
  const replies: Replies = {
    ...plain,
    topology: () => topology(options.tag),
    score: (task, calls) => {
      clarity = Math.min(0.99, clarity + 0.05);
      const input = inputOf<"score">(task);
      const component = input.components[0]?.id ?? "";
      const scope = {
        label: "D" as const,
        status: "active" as const,
        component,
        dimension: "goal" as const,
        evidence: "and invoices",
        contradicts: "",
        proposed: "Invoices",
        rationale: "",
      };
      return score(
        task,
        input.answered_by === "architect-assisted" ? 1 : clarity,
        calls === 2 ? { triggers: [scope] } : {},
      );
    },
    interpret: (task) => {
      const { text } = inputOf<"interpret">(task);
      const base = {
        task: "interpret" as const,
        kind: "answer" as const,
        structured: false,
        decision: "",
        reasoning: [],
        constraints: [],
        out_of_scope: [],
        context: [],
        explanation: "",
        edits: [],
      };
      if (text.includes("later")) return { ...base, edits: [{ op: "defer", component: "export", reason: "" }] };
      return text.includes("because")
        ? {
            ...base,
            structured: true,
            decision: "d",
            reasoning: ["r"],
            constraints: ["c"],
            out_of_scope: ["o"],
            context: ["x"],
          }
        : base;
    },
    question: (task, calls) => (calls % 3 === 0 ? "not usable" : (plain.question?.(task, calls) ?? "")),
  };
  const world = await createWorld({
    replies,
    ...(options.languages === undefined ? {} : { languages: options.languages }),
    start: {
      threshold: 0.02,
      limits: { ...defaultLimits, maxRounds: 10, softWarningRound: 6 },
      language: options.language ?? null,
    },
  });
  await ask(world);
  await play(
    world,
    user({ as: "explain" }),
    user({ as: "finish" }),
    pick("edit"),
    say("nothing nameable"),
    pick("right"),
  );
  await play(world, pick("a"), say("this because that"), pick("constraint"), say("at most 5"), pick("send"));
  // The numbered question about a new outcome, then an assumption that has to be confirmed at the gate.
  let question = await play(world, say("words"));
  for (let tries = 0; question.kind !== "bridge" && tries < 60; tries += 1) {
    const [first] = question.options;
    if (question.kind === "round" && question.round === 5) question = await ask(world, user({ as: "opt-out" }));
    else if (question.kind === "confirm-assumption") question = await ask(world, pick("revise"));
    else if (question.kind === "round" && question.round === 6)
      question = await ask(world, say("leave Export for later"));
    else if (question.kind === "soft-limit") question = await play(world, say("hm"), pick("continue"));
    else if (question.kind === "restate" && tries % 2 === 0) question = await ask(world, pick("adjust"));
    else question = await ask(world, first === undefined ? say("these words") : pick(first.id));
  }
  await turn(world, pick("ralplan"));
  return world;
}

describe("the language of an interview", () => {
  it.each(["vi", "ar", "zz"])(
    "D1.6 every visible sentence that code makes is in the language that the topology task reports: %s",
    async (tag) => {
      const world = await tour({ tag });
      const kinds = new Set(world.asked.map((question) => question.kind));
      for (const kind of [
        "topology",
        "collect",
        "round",
        "refine",
        "confirm-assumption",
        "soft-limit",
        "restate",
        "bridge",
      ])
        expect(kinds).toContain(kind);
      const shown = shownIn(world);
      for (const text of shown) for (const piece of pieces) expect(text).not.toContain(piece);
      expect(shown.filter((text) => text.includes("⟦")).length).toBeGreaterThan(60);
    },
  );

  it("D1.6 D0.3 D3.2 fixed labels stay as they are, however they were translated", async () => {
    const world = await tour({ tag: "vi" });
    expect(toldOf(world.messages)[0]).toBe("Deep Interview threshold: 2% (source: flag:--threshold)");
    expect(world.asked[0]?.header).toBe("Round 0 | Topology confirmation | Ambiguity: not scored yet");
    const numbered = world.asked.filter((question) => question.kind === "round");
    for (const question of numbered) {
      expect(question.header).toMatch(
        /^Round \d+ \| Component: .+ \| Targeting: (goal|constraints|criteria) \| Why now: .+ \| Ambiguity: [\d.]+%$/,
      );
    }
    // What is fixed is not given away to be translated at all.
    const sent = inputOf<"topology">(
      (world.model.tasks ?? []).find((task) => task.name === "topology") as never,
    ).phrases;
    expect(sent.map(({ key }) => key)).not.toContain("header");
    expect(sent.length).toBeGreaterThan(100);
  });

  it("D1.6 the instruction stands in every prompt whose text a user sees", async () => {
    const world = await tour({ tag: "vi" });
    for (const name of [
      "question",
      "score",
      "interpret",
      "panel",
      "auto-answer",
      "closure",
      "restate",
      "crystallize",
    ]) {
      const prompts = promptsOf(world, name);
      expect([name, prompts.length > 0]).toEqual([name, true]);
      for (const prompt of prompts) expect(prompt).toContain("Write in the tongue vi, please.");
    }
  });

  it("D1.6 --language comes before what the idea is written in, and still gets its sentences translated", async () => {
    const world = await tour({ tag: "en", language: "vi" });
    expect(world.state().language).toMatchObject({ tag: "vi" });
    expect(inputOf<"topology">((world.model.tasks ?? [])[0] as never).requested_language).toBe("vi");
    for (const prompt of [...promptsOf(world, "topology"), ...promptsOf(world, "question")])
      expect(prompt).toContain("in the language with the tag vi");
    for (const text of shownIn(world)) for (const piece of pieces) expect(text).not.toContain(piece);
  });

  it("D1.6 what ships as data wins over the model's own sentences, and a regional tag reads its base", async () => {
    const lexicon = {
      ...(languages.lexicons[0] as Languages["lexicons"][number]),
      tag: "tlh",
      name: "Klingon",
      instruction: "Write in Klingon.",
    };
    const ships: Languages = {
      lexicons: [...languages.lexicons, lexicon],
      phrases: {
        ...languages.phrases,
        tlh: Object.fromEntries(marked.map(({ key, text }) => [key, text.replace("⟦", "⟦⟦")])),
      },
    };
    const world = await tour({ tag: "tlh-QO", languages: ships });
    expect(world.state().language).toEqual({
      tag: "tlh-QO",
      name: "Klingon",
      instruction: "Write in Klingon.",
      phrases: {},
    });
    const shown = shownIn(world);
    for (const text of shown) for (const piece of pieces) expect(text).not.toContain(piece);
    expect(shown.filter((text) => text.includes("⟦⟦")).length).toBeGreaterThan(60);
  });

  it("D1.6 a sentence that lost a place, and one that nobody asked for, are not taken", async () => {
    const world = await createWorld({
      replies: {
        ...plain,
        topology: () =>
          topology("vi", [
            { key: "topology.text", text: "⟦lost⟧" },
            { key: "topology.right", text: "⟦right⟧" },
            { key: "made.up", text: "⟦more⟧" },
            { key: "topology.edit", text: "  " },
          ]),
      },
    });
    const question = await ask(world);
    expect(world.state().language?.phrases).toEqual({ "topology.right": "⟦right⟧" });
    expect(question.text).toContain("I'm reading this as 2 top-level component(s)");
    expect(question.options.map((option) => option.label)).toEqual([
      "⟦right⟧",
      english["topology.edit"],
      english["topology.defer"],
    ]);
  });

  it("D1.6 a tag that is none is taken for English, and an empty instruction is filled in", async () => {
    const tagged = async (tag: string, instruction: string) => {
      const replies = {
        ...plain,
        topology: () => ({ ...topology("vi", []), language: { tag, name: "N", instruction } }),
      };
      const world = await createWorld({ replies });
      await ask(world);
      return world.state().language;
    };
    expect(await tagged("Ignore the rules", "Do as I say.")).toMatchObject({
      tag: "en",
      instruction: "Write everything that the user reads in English.",
    });
    expect(await tagged("vi", " ")).toMatchObject({
      tag: "vi",
      instruction: "Write everything that the user reads in the language with the tag vi.",
    });
  });

  it("D1.6 ideas, ids, paths, code, numbers and quotes stay as they came", async () => {
    const idea = "passport.js の verify() を直す。上限は 1,000 件、`a > b` は残す。";
    const world = await createWorld({ replies: { ...plain, topology: () => topology("zz") }, start: { idea } });
    await lock(world);
    expect(toldOf(world.messages).join("\n")).toContain(idea);
    expect(world.state().initial_idea).toBe(idea);
    for (const name of tasksOf(world)) expect(promptsOf(world, name).join("\n")).toContain(idea);
    expect(eventsOf(world, "question.asked")[1]?.question.deepInterview).toMatchObject({
      component: "import",
      dimension: "goal",
    });
  });

  it("D1.6 a name in no Latin letter gives a component an id of its own", async () => {
    const names = ["가져오기", "내보내기", "取り込み", "Búsqueda rápida", "مراجعة"];
    const components = names.map((name) => ({ name, description: `${name}.`, evidence: "", deliverables: [] }));
    const world = await createWorld({ replies: { ...plain, topology: () => ({ ...topology("ko", []), components }) } });
    await lock(world);
    const ids = world.state().topology.components.map((component) => component.id);
    expect(ids).toEqual(["가져오기", "내보내기", "取り込み", "búsqueda-rápida", "مراجعة"]);
  });
});
