import { describe, expect, it } from "vitest";
import type { Machine, Message, Question } from "../../src/core/machine.ts";
import { UsageError } from "../../src/errors.ts";
import type { Projection, Store } from "../../src/ports.ts";
import { openInterview, unknownEvent } from "../../src/run/interview.ts";
import { createClock, createMemoryStore, pick, say } from "../scenarios/world.ts";

type E = { readonly type: "asked" | "said" | "reply.returned"; readonly text: string };
type S = readonly string[];

const question = { id: "q1", kind: "round", options: [] } as unknown as Question;

const machine: Machine<S, E> = {
  kind: "toy",
  initial: [],
  evolve: (state, event) => [...state, `${event.seq} ${event.text}`],
  next: () => ({ type: "record", events: [] }),
  reply: (_, __, reply) =>
    reply.text === "bad"
      ? { refused: "that is no answer", code: "no-answer" }
      : reply.options.map((text) => ({ type: "said", text })),
  check: () => [],
  scanned: () => [],
  written: () => [],
  tell: (before, event, after) => [{ type: "text", text: `${before.length}>${after.length} ${event.text}` }],
  isAsking: (event) => event.type === "asked",
  outcome: () => ({ status: "", ambiguity: null, spec_path: null, passed: false, handoff: null }),
  envelope: (state, revision) => ({ state, revision }),
  artifact: (event) =>
    event.text === "a document" ? { slug: "a", text: event.text, sha256: "", version: 1, created_at: event.at } : null,
  seeds: () => ({}),
};

const parse = (line: unknown): E => {
  const event = line as E;
  if (!["asked", "said", "reply.returned"].includes(event.type)) throw unknownEvent(event.type, 1);
  return event;
};

function open(store: Store = createMemoryStore()) {
  return openInterview<S, E>({ machine, store, clock: createClock(), parse });
}

const said = (text: string): E => ({ type: "said", text });
const asked = (text: string): E => ({ type: "asked", text });
const texts = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === "report" ? "" : message.text));

describe("an interview in memory", () => {
  it("is the fold of its journal, and the same when it is opened again", async () => {
    const store = createMemoryStore();
    const first = await open(store);
    expect([first.state(), first.revision()]).toEqual([[], 0]);
    first.push([said("a"), said("b")]);
    await first.flush();
    first.push([said("c")]);
    await first.flush();
    const second = await open(store);
    expect(second.state()).toEqual(["1 a", "2 b", "3 c"]);
    expect([second.state(), second.revision()]).toEqual([first.state(), first.revision()]);
  });

  it("D8.2 folds what is pushed at once, and has it on disk after the flush, which alone tells of it", async () => {
    const store = createMemoryStore();
    const interview = await open(store);
    interview.push([said("a")]);
    expect(interview.state()).toEqual(["1 a"]);
    expect(store.lines).toEqual([]);
    expect(texts(await interview.flush())).toEqual(["0>1 a"]);
    expect(store.lines).toHaveLength(1);
    expect(await interview.flush()).toEqual([]);
    expect(store.lines).toHaveLength(1);
  });

  it("gives all events of one batch one time, and the next batch a later one", async () => {
    const store = createMemoryStore();
    const interview = await open(store);
    interview.push([said("a")]);
    interview.push([said("b")]);
    await interview.flush();
    interview.push([said("c")]);
    await interview.flush();
    const [a, b, c] = store.lines.map(({ at }) => at);
    expect(b).toBe(a);
    expect(String(c) > String(b)).toBe(true);
  });

  it("D8.2 tells nothing of what could not be written, and says why", async () => {
    const store = createMemoryStore();
    const interview = await open({ ...store, append: () => Promise.reject(new Error("the disk is full")) });
    interview.push([said("a")]);
    await expect(interview.flush()).rejects.toThrow("the disk is full");
    expect(store.projections).toEqual([]);
  });

  it("D11.3 replaces a snapshot that is behind its journal when it is opened, and writes none for an empty one", async () => {
    const store = createMemoryStore();
    await open(store);
    expect(store.projections).toEqual([]);
    await store.append([said("a")], 0, "2026-01-01T00:00:00.000Z");
    await open(store);
    expect(store.projections).toMatchObject([{ envelope: { state: ["1 a"], revision: 1 } }]);
  });

  it("replaces the snapshot behind the answer, and is settled when it is that of the last event", async () => {
    const store = createMemoryStore();
    let release = (): void => undefined;
    const held: Projection[] = [];
    const interview = await open({
      ...store,
      project: (projection) => {
        held.push(projection);
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    });
    interview.push([said("a")]);
    // The flush does not wait for it.
    expect(texts(await interview.flush())).toEqual(["0>1 a"]);
    let settled = false;
    const settling = interview.settle().then(() => {
      settled = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    release();
    await settling;
    expect(held).toMatchObject([{ envelope: { revision: 1 } }]);
  });

  it("D10.5 tells of a document only when it is on disk", async () => {
    const store = createMemoryStore();
    const order: string[] = [];
    const interview = await open({
      ...store,
      async project({ spec }) {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`projected ${spec?.text ?? "none"}`);
      },
    });
    interview.push([said("a document")]);
    await interview.flush();
    order.push("told");
    expect(order).toEqual(["projected a document", "told"]);
  });

  it("hands a failed snapshot to whoever waits for it, and to nobody else", async () => {
    const store = createMemoryStore();
    const interview = await open({ ...store, project: () => Promise.reject(new Error("no room")) });
    interview.push([said("a")]);
    await interview.flush();
    await expect(interview.settle()).rejects.toThrow("no room");
  });

  it("D4.1 takes a reply as its events, says whether it said anything, and refuses with the machine's code", async () => {
    const interview = await open();
    expect(interview.reply(question, pick("a"))).toBe(true);
    expect(interview.reply(question, pick())).toBe(false);
    expect(interview.state()).toEqual(["1 a"]);
    const refused = () => interview.reply(question, say("bad"));
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(expect.objectContaining({ code: "no-answer", message: "that is no answer" }));
    expect(interview.state()).toEqual(["1 a"]);
  });

  it("D11.3 refuses a line that no version of this program wrote, with the way out", async () => {
    const store = createMemoryStore();
    await store.append([{ type: "answer.guessed" }], 0, "2026-01-01T00:00:00.000Z");
    await expect(open(store)).rejects.toMatchObject({
      code: "journal-version",
      exitCode: 6,
      next: expect.stringContaining("deep-interview state clear --force --mode deep-interview"),
    });
  });
});

describe("what was told since the question before", () => {
  const returned: E = { type: "reply.returned", text: "explained" };

  it.each<[string, readonly E[], readonly string[]]>([
    ["everything before the first question", [said("a"), asked("q1")], ["a", "q1"]],
    ["what lies between two questions, and the second", [said("a"), asked("q1"), said("b"), asked("q2")], ["b", "q2"]],
    ["what came after the last one as well", [asked("q1"), said("b"), asked("q2"), said("c")], ["b", "q2", "c"]],
    [
      "an explanation of the pending question",
      [asked("q1"), said("b"), asked("q2"), returned],
      ["b", "q2", "explained"],
    ],
    ["no explanation of a question that is answered", [asked("q1"), returned, said("b"), asked("q2")], ["b", "q2"]],
    ["nothing of an empty journal", [], []],
  ])("is %s, from the journal alone, so that every process says the same", async (_, events, expected) => {
    const store = createMemoryStore();
    const interview = await open(store);
    if (events.length > 0) interview.push(events);
    await interview.flush();
    const words = (messages: readonly Message[]) => texts(messages).map((text) => text.replace(/^\d>\d /, ""));
    expect(words(interview.report())).toEqual(expected);
    expect((await open(store)).report()).toEqual(interview.report());
  });
});
