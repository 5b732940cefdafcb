import { describe, expect, it } from "vitest";
import { readAnswers } from "../../src/ask/answers.ts";
import { createScriptedAsker, type OnUnanswered } from "../../src/ask/scripted.ts";
import { createTurnAsker } from "../../src/ask/turn.ts";
import type { Message, Question, Reply } from "../../src/core/machine.ts";
import { Interrupted, UsageError } from "../../src/errors.ts";
import type { Asker } from "../../src/ports.ts";
import { option, question } from "./fixtures/questions.ts";

const signal = new AbortController().signal;
const context = { optional: false, signal };
const scripted = (options: string[], text: string | null = null, as: Reply["as"] = null): Reply => ({
  options,
  text,
  as,
  by: "script",
});
const fixed = (kind: Question["kind"], ids: string[], more: Partial<Question> = {}) =>
  question({ id: `q-${kind}`, kind, round: null, options: ids.map((id) => option(id, `Label ${id}`)), ...more });

/** A person who always says the same, and notes what was asked. */
function createPerson(): Asker & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async ask({ id }) {
      asked.push(id);
      return { options: [], text: "by hand", as: null, by: "user" };
    },
    askMany: async () => [],
    tell: () => undefined,
    working: () => () => undefined,
  };
}

async function script(entries: string, more: { onUnanswered?: OnUnanswered; person?: Asker; userOnly?: boolean } = {}) {
  const text = `version: 1\nanswers:\n${entries.replace(/^/gm, "  ")}\n`;
  const told: Message[] = [];
  const asker = createScriptedAsker({
    answers: entries === "" ? { file: "a.yaml", entries: [] } : await readAnswers(text, "a.yaml"),
    onUnanswered: more.onUnanswered ?? "fail",
    person: more.person ?? null,
    isUserOnly: () => more.userOnly ?? false,
    display: { tell: (message) => told.push(message), working: () => () => undefined },
  });
  return { ...asker, told, reply: (asked: Question) => asker.ask(asked, context) };
}

describe("a scripted interview", () => {
  it("takes the first entry that fits and is not used up, then the entries for whatever comes next, in order", async () => {
    const { reply, unused } = await script(
      [
        "- { when: { kind: topology }, reply: looks right }",
        "- { when: { dimension: criteria }, reply: twice, times: 2 }",
        "- { when: { dimension: criteria, round: 3 }, reply: third }",
        "- { reply: first of the rest }",
        "- { when: { round: 9 }, reply: never asked }",
        "- { reply: second of the rest, as: answer }",
      ].join("\n"),
    );
    const right = fixed("topology", ["right", "edit"], {
      round: 0,
      options: [option("right", "Looks right", { recommended: true })],
    });
    expect(await reply(right)).toEqual(scripted(["right"]));
    for (const text of ["twice", "twice", "third", "first of the rest"])
      expect(await reply(question())).toEqual(scripted([], text));
    expect(await reply(fixed("collect", []))).toEqual(scripted([], "second of the rest", "answer"));
    expect(await reply(question())).toBeNull();
    expect(unused()).toEqual(["a.yaml:7: this entry was never used"]);
  });

  it("keeps entries without a matcher for rounds and collected words", async () => {
    const { reply } = await script("- { reply: words }");
    for (const kind of ["topology", "confirm-assumption", "bridge", "frontier", "approval"] as const) {
      expect([kind, await reply(fixed(kind, ["a", "b"]))]).toEqual([kind, null]);
    }
    expect(await reply(question())).toEqual(scripted([], "words"));
  });

  it("finds an option by label or id, with or without the mark, and hands on other words byte for byte (fault 18)", async () => {
    const words = ["Every record is seen", "every record is seen (Recommended)", "b", "  `$(x)` \\n <<EOF  "];
    const { reply } = await script(words.map((text) => `- reply: ${JSON.stringify(text)}`).join("\n"));
    expect(await reply(question())).toEqual(scripted(["a"]));
    expect(await reply(question())).toEqual(scripted(["a"]));
    expect(await reply(question())).toEqual(scripted(["b"]));
    expect(await reply(question())).toEqual(scripted([], words[3] ?? ""));
  });

  it("takes several options where the question takes several, and refuses a reply that fits none, with file and line", async () => {
    const many = fixed("revise", ["a", "b", "c"], { multi_select: true });
    const { reply } = await script(
      "- { when: { kind: revise }, reply: [a, Label c] }\n- { when: { kind: soft-limit }, reply: maybe }",
    );
    expect(await reply(many)).toEqual(scripted(["a", "c"]));
    const refused = reply(fixed("soft-limit", ["continue", "proceed"], { allow_free_text: false }));
    await expect(refused).rejects.toThrow(/^a\.yaml:4: .*"Label continue", "Label proceed"/);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  it("says opt-out, explain, finish, cancel and defer where the entry does", async () => {
    const { reply } = await script(
      [
        "- as: opt-out",
        "- { as: explain, reply: what is a sample? }",
        "- as: explain",
        "- as: finish",
        "- as: defer",
        "- as: cancel",
      ].join("\n"),
    );
    expect(await reply(question())).toEqual(scripted([], null, "opt-out"));
    expect(await reply(question())).toEqual(scripted([], "what is a sample?", "explain"));
    for (const as of ["explain", "finish", "defer", "cancel"] as const)
      expect(await reply(question())).toEqual(scripted([], null, as));
  });

  it("D4.7 makes up nothing: what is not scripted stays pending, but for the fixed questions with a default", async () => {
    const defaults: [Question, string | null][] = [
      [fixed("refine", ["send", "constraint"]), "send"],
      [fixed("restate", ["yes", "adjust"]), "yes"],
      [fixed("soft-limit", ["continue", "proceed"]), "continue"],
      [fixed("bridge", ["ralplan", "refine"]), null],
      [fixed("confirm-assumption", ["confirm", "revise", "leave"]), null],
      [fixed("topology", ["right"], { round: 0 }), null],
      [fixed("topology", ["add", "fold", "defer"], { round: 4 }), null],
      [fixed("approval", ["approve"]), null],
      [fixed("collect", []), null],
      [question(), null],
    ];
    const { reply } = await script("");
    for (const [asked, id] of defaults)
      expect([asked.kind, await reply(asked)]).toEqual([asked.kind, id === null ? null : scripted([id])]);
  });

  it("D4.5 D4.6 D2.6 under defer and assume leaves assumptions open and defers a new outcome", async () => {
    for (const onUnanswered of ["defer", "assume"] as const) {
      const { reply } = await script("", { onUnanswered });
      expect(await reply(fixed("confirm-assumption", ["confirm", "revise", "leave"]))).toEqual(scripted(["leave"]));
      expect(await reply(fixed("confirm-assumption", ["confirm", "revise", "keep"], { id: "q8" }))).toEqual(
        scripted(["keep"]),
      );
      expect(await reply(fixed("topology", ["add", "fold", "defer"], { round: 4 }))).toEqual(scripted(["defer"]));
      expect(await reply(fixed("topology", ["right", "edit", "defer"], { round: 0, id: "q1" }))).toBeNull();
      expect(await reply(fixed("collect", []))).toBeNull();
    }
  });

  it("D3.6 D4.4 defers or assumes only rounds, and defers what only the user may answer", async () => {
    expect(await (await script("", { onUnanswered: "defer" })).reply(question())).toEqual(scripted([], null, "defer"));
    expect(await (await script("", { onUnanswered: "assume" })).reply(question())).toEqual(
      scripted([], null, "opt-out"),
    );
    expect(await (await script("", { onUnanswered: "assume", userOnly: true })).reply(question())).toEqual(
      scripted([], null, "defer"),
    );
  });

  it("D4.3 under ask gives everything unscripted to the person, but a reading of the script's own words", async () => {
    const person = createPerson();
    const { reply } = await script("- { when: { round: 3 }, reply: from the script }", { onUnanswered: "ask", person });
    const refine = fixed("refine", ["send"]);
    expect(await reply(question())).toEqual(scripted([], "from the script"));
    expect(await reply(refine)).toEqual(scripted(["send"]));
    expect(await reply(question({ id: "q9", round: 4 }))).toMatchObject({ by: "user" });
    expect(await reply(refine)).toMatchObject({ by: "user" });
    expect(await reply(fixed("restate", ["yes"]))).toMatchObject({ by: "user" });
    expect(person.asked).toEqual(["q9", "q-refine", "q-restate"]);
  });

  it("does not repeat for ever what is refused: the same question gets an endless entry or a default three times", async () => {
    const always = await script("- { when: { kind: round }, as: finish, times: always }");
    for (let time = 0; time < 3; time += 1) expect(await always.reply(question())).toMatchObject({ as: "finish" });
    expect(await always.reply(question())).toBeNull();
    expect(await always.reply(question({ id: "q5" }))).toMatchObject({ as: "finish" });
    const defer = await script("", { onUnanswered: "defer" });
    for (let time = 0; time < 3; time += 1) await defer.reply(question());
    expect(await defer.reply(question())).toBeNull();
  });

  it("answers of several questions those that it knows", async () => {
    const { askMany, told, tell } = await script("- { when: { question: second }, reply: known }");
    const asked = ["first", "second", "third"].map((text, index) =>
      fixed("frontier", ["a", "b"], { id: `Q${index + 1}`, text }),
    );
    expect(await askMany(asked, { signal })).toEqual([null, scripted([], "known"), null]);
    tell({ type: "text", text: "shown" });
    expect(told).toEqual([{ type: "text", text: "shown" }]);
  });

  it("hands over the replies of several questions that came before the person left, and then says so", async () => {
    const person = createPerson();
    const leaving: Asker = {
      ...person,
      async ask(asked, at) {
        if (asked.id === "q2") throw new Interrupted("SIGINT", "left");
        return person.ask(asked, at);
      },
    };
    const { askMany, reply } = await script("", { onUnanswered: "ask", person: leaving });
    const asked = ["q1", "q2", "q3"].map((id) => question({ id }));
    expect(await askMany(asked, { signal })).toEqual([expect.objectContaining({ text: "by hand" }), null, null]);
    await expect(reply(question({ id: "q3" }))).rejects.toBeInstanceOf(Interrupted);
    await expect(askMany([question({ id: "q2" })], { signal })).rejects.toBeInstanceOf(Interrupted);
  });
});

describe("the turn protocol's asker", () => {
  it("D4.7 gives each prepared reply once, leaves everything else pending, and collects what is told", async () => {
    const reply: Reply = { options: ["a"], text: null, as: null, by: "user" };
    const asker = createTurnAsker({
      replies: new Map([
        ["q2", reply],
        ["q3", reply],
      ]),
    });
    expect(await asker.ask(question({ id: "q1" }), context)).toBeNull();
    expect(await asker.ask(question({ id: "q2" }), context)).toBe(reply);
    expect(await asker.ask(question({ id: "q2" }), context)).toBeNull();
    expect(
      await asker.askMany(
        ["q1", "q3", "q4"].map((id) => question({ id })),
        { signal },
      ),
    ).toEqual([null, reply, null]);
    expect(asker.taken).toEqual(["q2", "q3"]);
    asker.tell({ type: "text", text: "one" });
    asker.working(["score"])();
    expect(asker.messages).toEqual([{ type: "text", text: "one" }]);
  });
});

describe("a resumed script", () => {
  it("goes on where it was: what served an answered question is used up", async () => {
    const text = "version: 1\nanswers:\n  - reply: first\n  - reply: second\n";
    const display = { tell: () => undefined, working: () => () => undefined };
    const asker = createScriptedAsker({
      answers: await readAnswers(text, "a.yaml"),
      onUnanswered: "fail",
      person: null,
      isUserOnly: () => false,
      display,
      answered: [question({ id: "q2" })],
    });
    expect((await asker.ask(question({ id: "q3" }), context))?.text).toBe("second");
    expect(asker.unused()).toEqual([]);
  });

  it("D4.3 does not send the user's own words on unseen when it stopped at their reading", async () => {
    const display = { tell: () => undefined, working: () => () => undefined };
    const person = createPerson();
    const asker = createScriptedAsker({
      answers: { file: "", entries: [] },
      onUnanswered: "ask",
      person,
      isUserOnly: () => false,
      display,
      lastBy: "user",
    });
    await asker.ask(fixed("refine", ["send", "rewrite"]), context);
    expect(person.asked).toEqual(["q-refine"]);
  });
});
