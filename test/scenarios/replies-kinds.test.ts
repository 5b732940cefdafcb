import { describe, expect, it } from "vitest";
import type { InterpretReply, TaskReply } from "../../src/core/deep/tasks.ts";
import type { Reply } from "../../src/core/machine.ts";
import { draft, inputOf, plain, score } from "./replies.ts";
import { ask, eventsOf, lock, play, sentence, tasksOf, toldOf, turn } from "./turns.ts";
import { createWorld, languages, pick, type Replies, say, sha256, user, type World } from "./world.ts";

const scored: Replies = { ...plain, score: (task) => score(task, 0.4) };
const reading = (change: Partial<InterpretReply>): Replies => ({
  ...scored,
  interpret: () => ({ ...(plain.interpret as () => InterpretReply)(), ...change }),
});
const open = async (replies: Replies = scored): Promise<World> => {
  const world = await createWorld({ replies });
  await lock(world);
  return world;
};
/** A question whose options read like controls. */
const labelled = (...labels: string[]): Replies => ({
  ...scored,
  question: (task) => {
    const { target } = inputOf<"question">(task);
    const options = labels.map((label) => ({ label, description: `it says ${label}`, from: "" }));
    return {
      task: "question",
      question: { ...draft(target.component, target.dimension as "goal", "What does it say?"), options },
    };
  },
});
const answerOf = (world: World, index = 0) => {
  const round = world.state().rounds[index];
  return round === undefined ? null : [round.selected_options, round.custom_input, round.answered_by];
};

describe("the kinds of reply", () => {
  it("D4.1 an option answers, by id or label, in any letter case, with or without its mark", async () => {
    for (const name of [
      "b",
      "Another way for import",
      "  another WAY for import ",
      "Another way for import (Recommended)",
    ]) {
      const world = await open();
      await ask(world, pick(name));
      expect(answerOf(world)).toEqual([["Another way for import"], null, "user"]);
    }
    const typed = await open();
    await ask(typed, say("another way for import."));
    expect(answerOf(typed)).toEqual([["Another way for import"], null, "user"]);
    expect(tasksOf(typed)).not.toContain("interpret");
  });

  it("D4.1 an option with a remark answers with both, and neither is lost", async () => {
    const world = await open();
    await ask(world, user({ options: ["a"], text: "but only on Mondays " }));
    expect(answerOf(world)).toEqual([["One way for import"], "but only on Mondays ", "user"]);
    const input = inputOf<"score">((world.model.tasks ?? []).find((task) => task.name === "score") as never);
    expect(input.answer).toBe("One way for import\nbut only on Mondays ");
    expect(tasksOf(world)).toContain("interpret");
  });

  it("D4.1 D4.3 a remark is never refined, opted out or finished by, whatever the interpret task says", async () => {
    for (const kind of ["opt-out", "finish", "explain", "answer"] as const) {
      const world = await open(reading({ kind, structured: true, decision: "d", explanation: "e" }));
      const next = await ask(world, user({ options: ["a"], text: "you decide the rest" }));
      expect([next.kind, next.round]).toEqual(["round", 2]);
      expect(answerOf(world)).toEqual([["One way for import"], "you decide the rest", "user"]);
    }
    const unread = await open({ ...scored, interpret: () => "?" });
    expect((await ask(unread, user({ options: ["a"], text: "hm" }))).round).toBe(2);
  });

  it("D4.1 a short answer and free text answer", async () => {
    const world = await open();
    await ask(world, say("Clerks"));
    expect(answerOf(world)).toEqual([[], "Clerks", "user"]);
    expect(world.state().rounds[0]).toMatchObject({ interpretation: null, lifecycle: "scored" });
  });

  it("D4.1 explain is answered, and the same question stays, uncounted", async () => {
    const world = await open(reading({ kind: "explain", explanation: "Option 2 means that a person looks first." }));
    const before = world.state();
    const again = await ask(world, say("What does option 2 mean?"));
    expect(again).toEqual(world.asked.find((question) => question.round === 1));
    expect(toldOf(world.messages).at(-1)).toBe("Option 2 means that a person looks first.");
    const after = world.state();
    expect([
      after.rounds,
      after.round_count,
      after.auto_answer_streak,
      after.topology.last_targeted_component_id,
    ]).toEqual([[], 1, before.auto_answer_streak, "import"]);
    expect(tasksOf(world)).not.toContain("score");
    expect((await ask(world, pick("b"))).round).toBe(2);
  });

  it("D4.1 what a surface marks as explain is explained, also when nobody can say more than the question does", async () => {
    for (const replies of [
      scored,
      reading({ kind: "answer", explanation: " " }),
      { ...scored, interpret: () => "?" },
    ]) {
      const world = await open(replies);
      for (const reply of [user({ as: "explain" }), user({ as: "explain", text: "what is B about" })]) {
        const again = await ask(world, reply);
        expect([again.kind, again.round, again.id]).toEqual(["round", 1, "q2"]);
        const told = toldOf(world.messages).at(-1) ?? "";
        expect(told).toContain(again.text);
        expect(told).toContain("Another way for import: second");
      }
      expect(world.state().rounds).toEqual([]);
    }
  });

  it.each(["topology", "refine", "collect", "restate", "bridge"])(
    "D4.1 explain at a %s question leaves it pending, with what it stands on",
    async (kind) => {
      const world = await createWorld({
        replies: {
          ...reading({ structured: true, decision: "d", reasoning: ["r"] }),
          score: (task) => score(task, 0.99),
        },
      });
      let question = await ask(world);
      const ways: Record<string, Reply> = {
        round: say("because"),
        refine: pick("constraint"),
        collect: say("at most 5"),
      };
      for (let tries = 0; question.kind !== kind && tries < 8; tries += 1) {
        const reply = ways[question.kind];
        const again = question.kind === "refine" && world.asked.some((asked) => asked.kind === "collect");
        question = await ask(world, again || reply === undefined ? pick(question.options[0]?.id ?? "") : reply);
      }
      expect(question.kind).toBe(kind);
      const { inbox, rounds } = world.state();
      const stays = await ask(world, user({ as: "explain" }));
      expect(stays).toEqual(question);
      expect([world.state().inbox, world.state().rounds]).toEqual([inbox, rounds]);
      expect(toldOf(world.messages).at(-1)).toContain(question.text);
      // And it can still be answered.
      const [first] = question.options;
      expect(await turn(world, first === undefined ? say("at most 5") : pick(first.id))).not.toEqual(question);
    },
  );

  it("D4.1 early exit before its round only says from when it is possible", async () => {
    const world = await open(reading({ kind: "finish" }));
    for (const reply of [user({ as: "finish" }), say("enough"), say("I think we can build this now")]) {
      expect((await ask(world, reply)).id).toBe("q2");
      expect(toldOf(world.messages).at(-1)).toContain("from round 3 on");
    }
    expect(world.state().rounds).toEqual([]);
    expect(eventsOf(world, "rounds.ended")).toEqual([]);
  });

  it("D4.1 cancel ends it anywhere, and loses nothing", async () => {
    const world = await open();
    await ask(world, pick("a"));
    const { rounds } = world.state();
    expect(await turn(world, say("Cancel the interview"))).toBeNull();
    expect(world.state()).toMatchObject({ stage: { type: "finished", how: "cancelled" }, rounds });
  });

  it.each<[string, Reply]>([
    ["empty", user({})],
    ["blank", say("  \n\t ")],
    ["empty text under an answer", user({ as: "answer", text: "" })],
    ["empty text beside no option", user({ options: [], text: "" })],
    ["signs that nobody sees", say("\u200b\u2060")],
  ])("D4.1 D4.7 nothing records nothing, ever: %s", async (_, reply) => {
    const world = await open();
    const { length } = world.store.lines;
    const state = world.state();
    expect((await ask(world, reply)).id).toBe("q2");
    expect(world.store.lines).toHaveLength(length);
    expect(world.state()).toBe(state);
  });

  it("D4.7 a timeout, an empty result of a picker and a closed pipe leave the question pending", async () => {
    const world = await open();
    const { length } = world.store.lines;
    const results = [await world.run(() => null), await world.run(() => null)];
    expect(results).toMatchObject([
      { type: "pending", questions: [{ id: "q2" }] },
      { type: "pending", questions: [{ id: "q2" }] },
    ]);
    expect(world.store.lines).toHaveLength(length);
    // An asker that keeps giving nothing is not asked for ever.
    let asked = 0;
    const stuck = await world.run(() => {
      asked += 1;
      return user({ text: " " });
    });
    expect(stuck.type).toBe("pending");
    expect(asked).toBeLessThan(50);
    expect(world.store.lines).toHaveLength(length);
  });

  it("D4.7 at no kind of question is silence consent", async () => {
    const world = await createWorld({ replies: { ...scored, score: (task) => score(task, 0.99) } });
    const kinds: string[] = [];
    let question = await ask(world);
    for (let tries = 0; tries < 12; tries += 1) {
      kinds.push(question.kind);
      const { length } = world.store.lines;
      for (const reply of [null, user({}), user({ text: "\n" })]) {
        await turn(world, reply);
        expect([question.kind, world.store.lines.length]).toEqual([question.kind, length]);
      }
      if (question.kind === "bridge") break;
      question = await ask(world, pick(question.options[0]?.id ?? ""));
    }
    expect(kinds).toContain("restate");
    expect(kinds.at(-1)).toBe("bridge");
    expect(world.state().handoff).toBeNull();
  });

  it("D4.1 an option that the question does not have, and two where one is asked for, are refused and record nothing", async () => {
    const world = await open();
    const { length } = world.store.lines;
    for (const reply of [pick("z"), pick("One way"), pick("a", "b"), pick("a", "z")])
      expect((await ask(world, reply)).id).toBe("q2");
    expect(world.store.lines).toHaveLength(length);
    expect(toldOf(world.messages).slice(-4).join("\n")).toContain(sentence("choose.one"));
  });
});

describe("exact phrases", () => {
  const english = languages.lexicons.find((lexicon) => lexicon.tag === "en")?.control;
  const cases = (words: readonly string[] | undefined) =>
    (words ?? []).flatMap((word) => [word, word.toUpperCase(), ` ${word}. `, `"${word}"!`]);

  it("D4.2 are matched in code, in any letter case, without asking a model", async () => {
    for (const phrase of cases(english?.opt_out.slice(0, 12))) {
      const world = await open();
      await ask(world, say(phrase));
      expect([phrase, world.state().rounds[0]?.answered_by]).toEqual([phrase, "architect-assisted"]);
      expect(tasksOf(world)).not.toContain("interpret");
    }
    for (const phrase of cases(english?.finish.slice(0, 8))) {
      const world = await open();
      await ask(world, say(phrase));
      expect([phrase, toldOf(world.messages).at(-1)]).toEqual([phrase, expect.stringContaining("from round 3 on")]);
    }
    for (const phrase of cases(english?.cancel.slice(0, 4))) {
      const world = await open();
      expect([phrase, await turn(world, say(phrase))]).toEqual([phrase, null]);
    }
    for (const phrase of cases(english?.explain.slice(0, 4))) {
      const world = await open(reading({ kind: "answer", explanation: "It means this." }));
      await ask(world, say(phrase));
      expect([phrase, world.state().rounds, toldOf(world.messages).at(-1)]).toEqual([phrase, [], "It means this."]);
    }
  });

  it.each([
    "A task has two states: open and done",
    "Create a seed file",
    "Use Next.js and skip SSR",
    "the button should say Continue",
    "skip the header line",
    "You decide on the server, we decide on the client",
    "Enough storage for a year",
    "はい",
    "Только Европа",
    "아니요",
    "no",
    "I don't know yet.",
    "👍",
    "?",
    "...",
  ])(
    "D4.2 what is no exact phrase is judged by the interpret task, and no word in it is a control: %s",
    async (text) => {
      const world = await open();
      const next = await ask(world, say(text));
      expect(tasksOf(world)).toContain("interpret");
      expect(
        inputOf<"interpret">((world.model.tasks ?? []).find((task) => task.name === "interpret") as never).text,
      ).toBe(text);
      expect(next.round).toBe(2);
      expect(answerOf(world)).toEqual([[], text, "user"]);
    },
  );

  it("D4.2 the interpret task may find an opt-out, an exit or a question in other words", async () => {
    const optOut = await open(reading({ kind: "opt-out" }));
    await ask(optOut, say("honestly, pick whatever is usual"));
    expect(optOut.state().rounds[0]?.answered_by).toBe("architect-assisted");
    const exit = await open(reading({ kind: "finish" }));
    await play(exit, pick("a"), pick("a"), say("I believe that will do, start the work"));
    expect(eventsOf(exit, "rounds.ended")).toMatchObject([{ reason: "early-exit" }]);
    expect(exit.state().rounds[2]).toMatchObject({ lifecycle: "unresolved", custom_input: null });
  });

  it.each([
    "Yes",
    "OK",
    "Skip",
    "Continue",
    "Next",
    "Done",
    "Enough",
    "Cancel",
    "You decide",
    "Explain",
    "Build it",
    "はい",
  ])("D4.2 an option label is always an answer: %s", async (label) => {
    for (const reply of [
      pick("a"),
      pick(label),
      say(label),
      say(` ${label.toLowerCase()} `),
      user({ as: "answer", text: label }),
    ]) {
      const world = await open(labelled(label, "Something quite different"));
      const next = await ask(world, reply);
      expect([next.round, answerOf(world)]).toEqual([2, [[label], null, "user"]]);
      expect(tasksOf(world)).not.toContain("interpret");
    }
  });

  it("D4.2 a surface may say what kind it is, against what the words look like", async () => {
    const answer = await open();
    await ask(answer, user({ as: "answer", text: "skip" }));
    expect(answerOf(answer)).toEqual([[], "skip", "user"]);
    const optOut = await open();
    await ask(optOut, user({ as: "opt-out", text: "A ready parser" }));
    expect(optOut.state().rounds[0]?.answered_by).toBe("architect-assisted");
    const cancel = await open();
    expect(await turn(cancel, user({ as: "cancel", text: "this is no fun" }))).toBeNull();
  });

  it("D4.2 what the surface calls an answer is never taken for anything else", async () => {
    for (const kind of ["opt-out", "finish", "explain"] as const) {
      const world = await open(reading({ kind, explanation: "e" }));
      const next = await ask(world, user({ as: "answer", text: "you decide" }));
      expect([kind, next.round, answerOf(world)]).toEqual([kind, 2, [[], "you decide", "user"]]);
    }
  });

  it("D4.2 phrases of every language that ships are known in every interview", async () => {
    for (const { tag, control } of languages.lexicons) {
      const phrase = control.opt_out[0] ?? "";
      const world = await open();
      await ask(world, say(phrase));
      expect([tag, world.state().rounds[0]?.answered_by]).toEqual([tag, "architect-assisted"]);
    }
  });
});

describe("the same words", () => {
  it("D4.7 one answer in NFC and in NFD is one answer, and its words are stored as they came", async () => {
    const nfc = "가나다 é".normalize("NFC");
    const nfd = nfc.normalize("NFD");
    const hashes: (string | null | undefined)[] = [];
    for (const text of [nfc, nfd]) {
      const world = await open();
      await ask(world, say(text));
      expect(world.state().rounds[0]?.custom_input).toBe(text);
      hashes.push(world.state().rounds[0]?.answer_hash);
    }
    expect(nfc).not.toBe(nfd);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).toBe(sha256(JSON.stringify({ selected: [], custom: nfc })));
  });

  it("D4.7 ten thousand syllables in NFD are an answer like any other", async () => {
    const text = "한".repeat(10_000).normalize("NFD");
    const world = await open();
    expect((await ask(world, say(text))).round).toBe(2);
    expect(world.state().rounds[0]?.custom_input).toBe(text);
  });

  it("D8.2 an answer is on disk before anything reads it", async () => {
    let known: string[] = [];
    const world: World = await createWorld({
      replies: {
        ...scored,
        interpret: () => {
          known = world.store.lines.map((line) => line.type);
          return (plain.interpret as () => TaskReply<"interpret">)();
        },
      },
    });
    await lock(world);
    await ask(world, say("words"));
    expect(known.at(-1)).toBe("reply.received");
  });
});
