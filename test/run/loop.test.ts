import { describe, expect, it } from "vitest";
import type {
  Machine,
  Message,
  Question,
  Reply,
  Step,
  Task,
  TaskCompleted,
  TaskFailed,
} from "../../src/core/machine.ts";
import { noUsage } from "../../src/core/usage.ts";
import { Interrupted } from "../../src/errors.ts";
import type { Asker, Model, Store, TaskOutcome } from "../../src/ports.ts";
import { openInterview } from "../../src/run/interview.ts";
import { runLoop } from "../../src/run/loop.ts";
import { createClock, createMemoryStore, pick, say, user } from "../scenarios/world.ts";

type Noted = { readonly type: "noted"; readonly text: string };
type E = Noted | TaskCompleted | TaskFailed;
/** What happened so far, in words. */
type S = readonly string[];
type Toy = Machine<S, E>;

const done: Step<E> = {
  type: "done",
  outcome: { status: "DONE", ambiguity: null, spec_path: null, passed: true, handoff: null },
};

const question: Question = {
  id: "q1",
  kind: "round",
  round: 1,
  header: null,
  text: "Which one?",
  options: [{ id: "a", label: "This one", description: "", recommended: false }],
  allow_free_text: true,
  multi_select: false,
  deepInterview: null,
};

function task(id: string, tolerates: Task["tolerates"] = "nothing"): Task {
  const budget = { tokens: null, usd: null };
  return { id, name: id, round: 1, prompt: id, prefix: null, input: {}, tolerates, budget };
}

function wordsOf(event: E): string {
  switch (event.type) {
    case "noted":
      return event.text;
    case "task.completed":
      return `${event.task_id} came`;
    case "task.failed":
      return `${event.task_id} failed: ${event.code}${event.final ? ", for good" : ""}`;
  }
}

/** A machine that is its `next`; whatever is replied is noted, nothing is nothing, and "bad" is refused. */
function createToy(next: (state: S) => Step<E>, more: Partial<Toy> = {}): Toy {
  return {
    kind: "toy",
    initial: [],
    evolve: (state, event) => [...state, wordsOf(event)],
    next,
    reply: (_, asked, reply) => {
      if (reply.text === "bad") return { refused: "that is no answer", code: "no-answer" };
      const said = reply.text ?? reply.options.join();
      return said === "" ? [] : [{ type: "noted", text: `${asked.id}: ${said}` }];
    },
    check: () => [],
    scanned: (_, scan) => [{ type: "noted", text: `saw ${JSON.stringify(scan)}` }],
    written: (_, text, sha256) => [{ type: "noted", text: `wrote ${text} ${sha256}` }],
    tell: (_, event) => [{ type: "text", text: wordsOf(event) }],
    isAsking: () => false,
    outcome: () => (done.type === "done" ? done.outcome : never()),
    envelope: (state, revision) => ({ state, state_revision: revision }),
    artifact: () => null,
    seeds: () => ({}),
    ...more,
  };
}

function never(): never {
  throw new Error("never");
}

interface Parts {
  readonly model?: Model["run"];
  readonly ask?: Asker["ask"];
  readonly askMany?: Asker["askMany"];
  readonly claim?: Store["claim"];
  readonly signal?: AbortSignal;
}

/** The toy in a loop: what it came to, and everything that can be seen from outside. */
async function createRun(machine: Toy, parts: Parts = {}) {
  const store = createMemoryStore();
  const clock = createClock();
  const told: Message[] = [];
  const working: string[] = [];
  const claims: string[] = [];
  const asker: Asker = {
    ask: parts.ask ?? (async () => null),
    askMany: parts.askMany ?? (async () => []),
    tell: (message) => told.push(message),
    working: (labels) => {
      working.push(`begin ${labels.join()}`);
      return () => working.push(`end ${labels.join()}`);
    },
  };
  const model: Model = {
    label: "toy",
    kind: "offline",
    run: parts.model ?? (async (given) => came(given)),
  };
  const prompts = {
    render: async () => never(),
    document: async (document: { template: string }) => `a ${document.template}`,
  };
  const explorer = {
    signals: async () => ({ source: false, packages: false, git: false }),
    scan: async (idea: string) => ({ about: idea }),
  };
  const counted = {
    ...store,
    claim:
      parts.claim ??
      (async () => {
        claims.push("claimed");
        return { release: async () => void claims.push("released") };
      }),
  };
  const parse = (line: unknown) => line as E;
  const interview = await openInterview<S, E>({ machine, store: counted, clock, parse });
  const deps = { model, prompts, asker, store: counted, explorer, clock, hash: { sha256: () => "#" } };
  const go = () => runLoop(interview, deps, parts.signal ?? new AbortController().signal);
  return { interview, store, told, working, claims, go };
}

const came = (given: Task): TaskOutcome => ({
  ok: true,
  value: `${given.id}!`,
  model: "toy",
  attempts: 1,
  usage: noUsage,
});
const failed = (code: "provider" | "reply" | "budget" | "aborted", reason: string = code): TaskOutcome => ({
  ok: false,
  code,
  reason,
  attempts: 2,
  usage: noUsage,
});

/** Asks until something was noted, then is done. */
const asking = (optional = false) =>
  createToy((state) => (state.length === 0 ? { type: "ask", question, optional } : done));
const running = (tasks: readonly Task[], concurrency = tasks.length) =>
  createToy((state) => {
    const settled = state.filter((words) => /came$|for good$/.test(words)).map((words) => words.split(" ")[0]);
    const open = tasks.filter(({ id }) => !settled.includes(id));
    return open.length === 0 ? done : { type: "run", tasks: open, concurrency };
  });

describe("asking", () => {
  it("D4.7 leaves the question pending when nothing came", async () => {
    const run = await createRun(asking());
    expect(await run.go()).toEqual({ type: "pending", questions: [question] });
    expect(run.store.lines).toEqual([]);
  });

  it("D11.1 is done without an answer where one may be left out, and names the question", async () => {
    const run = await createRun(asking(true));
    expect(await run.go()).toMatchObject({ type: "done", question });
    expect(run.store.lines).toEqual([]);
  });

  it("D4.7 asks again after a reply that says nothing, and leaves it pending after twenty of them", async () => {
    let count = 0;
    const run = await createRun(asking(), {
      ask: async () => {
        count += 1;
        return user({});
      },
    });
    expect(await run.go()).toEqual({ type: "pending", questions: [question] });
    expect(count).toBe(20);
    expect(run.store.lines).toEqual([]);
  });

  it("takes the twentieth reply, when that says something", async () => {
    let count = 0;
    const run = await createRun(asking(), {
      ask: async () => {
        count += 1;
        return count < 20 ? user({}) : pick("a");
      },
    });
    expect((await run.go()).type).toBe("done");
    expect(run.interview.state()).toEqual(["q1: a"]);
  });

  it("tells why a reply is refused, and asks again; nothing is recorded of it", async () => {
    const replies = [say("bad"), pick("a")];
    const run = await createRun(asking(), { ask: async () => replies.shift() ?? null });
    expect((await run.go()).type).toBe("done");
    expect(run.told).toEqual([
      { type: "warning", text: "that is no answer" },
      { type: "text", text: "q1: a" },
    ]);
    expect(run.store.lines).toHaveLength(1);
  });

  it("lets a bug in taking a reply out as it is", async () => {
    const machine = { ...asking(), reply: () => never() };
    const run = await createRun(machine, { ask: async () => pick("a") });
    await expect(run.go()).rejects.toThrow("never");
  });

  it("passes on that the user left, with everything before it saved", async () => {
    const left = new Interrupted("SIGINT", "the user left");
    const machine = createToy((state) =>
      state.length === 0
        ? { type: "record", events: [{ type: "noted", text: "begun" }] }
        : { type: "ask", question, optional: false },
    );
    const run = await createRun(machine, { ask: () => Promise.reject(left) });
    await expect(run.go()).rejects.toBe(left);
    expect(run.store.lines).toHaveLength(1);
    expect(run.store.projections.at(-1)?.envelope).toEqual({ state: ["begun"], state_revision: 1 });
  });

  it("D8.2 has the reply on disk before the next step is taken, and tells of it then", async () => {
    const seen: [number, number][] = [];
    const machine = createToy((state) =>
      state.length < 2 ? { type: "ask", question: { ...question, id: `q${state.length + 1}` }, optional: false } : done,
    );
    const run = await createRun(machine, {
      ask: async () => {
        seen.push([run.store.lines.length, run.told.length]);
        return pick("a");
      },
    });
    await run.go();
    expect(seen).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(run.told).toHaveLength(2);
  });

  it("D8.2 takes no reply that cannot be written down", async () => {
    const run = await createRun(asking(), {
      ask: async () => {
        // Another process was faster.
        await run.store.append([{ type: "noted", text: "theirs" }], 0, "2026-01-01T00:00:00.000Z");
        return pick("a");
      },
    });
    await expect(run.go()).rejects.toThrow("conflict");
    expect(run.told).toEqual([]);
    expect(run.store.lines.map((line) => line["text"])).toEqual(["theirs"]);
  });
});

describe("asking several at once", () => {
  const questions = ["q1", "q2", "q3"].map((id) => ({ ...question, id }));
  const several = () => createToy((state) => (state.length === 0 ? { type: "ask-many", questions } : done));

  it("writes down each accepted reply before the next is looked at, and keeps those that were given", async () => {
    const sizes: number[] = [];
    const machine: Toy = {
      ...several(),
      reply: (_, { id }, reply) => {
        sizes.push(run.store.lines.length);
        return reply.options.length === 0 ? [] : [{ type: "noted", text: `${id}: ${reply.options.join()}` }];
      },
    };
    const replies: (Reply | null)[] = [pick("a"), null, pick("b")];
    const run = await createRun(machine, { askMany: async () => replies });
    expect((await run.go()).type).toBe("done");
    expect(run.interview.state()).toEqual(["q1: a", "q3: b"]);
    expect(sizes).toEqual([0, 1]);
  });

  it("D4.7 leaves all of them pending when nothing came for any", async () => {
    const run = await createRun(several(), { askMany: async () => [null, user({}), null] });
    expect(await run.go()).toEqual({ type: "pending", questions });
    expect(run.store.lines).toEqual([]);
  });
});

describe("recording, looking and writing", () => {
  it("writes orders that touch nothing outside in one go, before the next that does", async () => {
    const machine = createToy((state) =>
      state.length < 3 ? { type: "record", events: [{ type: "noted", text: `${state.length}` }] } : done,
    );
    const run = await createRun(machine);
    await run.go();
    expect(run.store.lines.map(({ at }) => at)).toEqual(Array.from({ length: 3 }, () => run.store.lines[0]?.at));
    expect(run.store.projections).toHaveLength(1);
  });

  it("stops a machine that turns on the spot", async () => {
    const run = await createRun(createToy(() => ({ type: "record", events: [] })));
    await expect(run.go()).rejects.toThrow("records without end");
  });

  it("carries a look into the project and a document back to the machine", async () => {
    const machine = createToy((state) => {
      if (state.length === 0) return { type: "scan", idea: "an idea" };
      return state.length === 1 ? { type: "write", document: { template: "spec", view: {} } } : done;
    });
    const run = await createRun(machine);
    await run.go();
    expect(run.interview.state()).toEqual(['saw {"about":"an idea"}', "wrote a spec #"]);
  });
});

describe("running tasks", () => {
  it.each([
    [1, 1],
    [2, 2],
    [9, 3],
    [0, 1],
  ])("D7.2 has no more in hand at once than the step allows: %i gives %i", async (concurrency, most) => {
    let inHand = 0;
    let seen = 0;
    const run = await createRun(running([task("a"), task("b"), task("c")], concurrency), {
      model: async (given) => {
        inHand += 1;
        seen = Math.max(seen, inHand);
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        inHand -= 1;
        return came(given);
      },
    });
    await run.go();
    expect(seen).toBe(most);
  });

  it("D8.2 writes each result down when it comes, while the others are still in hand", async () => {
    const finish = new Map<string, () => void>();
    const run = await createRun(running([task("a"), task("b"), task("c")]), {
      model: (given) => new Promise((resolve) => finish.set(given.id, () => resolve(came(given)))),
    });
    const going = run.go();
    const settled = async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return run.store.lines.map((line) => line["task_id"]);
    };
    expect(await settled()).toEqual([]);
    finish.get("c")?.();
    expect(await settled()).toEqual(["c"]);
    finish.get("a")?.();
    expect(await settled()).toEqual(["c", "a"]);
    finish.get("b")?.();
    expect((await going).type).toBe("done");
    expect(run.store.lines.map((line) => line["task_id"])).toEqual(["c", "a", "b"]);
  });

  it("hands the machine's own check to the model, on the state of that step", async () => {
    const checked: unknown[] = [];
    const machine: Toy = {
      ...running([task("a")]),
      check: (state, given, value) => {
        checked.push([state, given.id, value]);
        return [];
      },
    };
    const run = await createRun(machine, {
      model: async (given, { check }) => {
        check("a value");
        return came(given);
      },
    });
    await run.go();
    expect(checked).toEqual([[[], "a", "a value"]]);
  });

  it("says that another process has the work, and calls nothing", async () => {
    const run = await createRun(running([task("a")]), {
      claim: async () => ({ held: "process 7 on here" }),
      model: async () => never(),
    });
    expect(await run.go()).toEqual({ type: "working", holder: "process 7 on here" });
    expect([run.store.lines, run.working]).toEqual([[], []]);
  });

  it.each(["came", "failed", "thrown"])("gives the work back and ends its sign when the result %s", async (how) => {
    const run = await createRun(running([task("a")]), {
      model: async (given) => (how === "came" ? came(given) : how === "failed" ? failed("provider") : never()),
    });
    await run.go().catch(() => undefined);
    expect(run.claims).toEqual(["claimed", "released"]);
    expect(run.working).toEqual(["begin a", "end a"]);
  });
});

describe("a task that fails", () => {
  const cases: readonly [Task["tolerates"], "provider" | "reply", boolean][] = [
    ["nothing", "provider", false],
    ["nothing", "reply", false],
    ["bad-reply", "provider", false],
    ["bad-reply", "reply", true],
    ["any", "provider", true],
    ["any", "reply", true],
  ];

  it.each(cases)("D7.5 that tolerates %s goes on after a %s failure: %s", async (tolerates, code, goesOn) => {
    const run = await createRun(running([task("a", tolerates)]), { model: async () => failed(code) });
    const going = run.go();
    if (goesOn) expect((await going).type).toBe("done");
    else {
      await expect(going).rejects.toMatchObject({
        exitCode: 5,
        code: code === "reply" ? "model-reply" : "model-provider",
        message: `the a task failed: ${code}`,
        next: expect.stringContaining("deep-interview resume --session s1"),
      });
    }
    expect(run.store.lines).toMatchObject([{ type: "task.failed", task_id: "a", code, final: goesOn, attempts: 2 }]);
    expect(run.store.projections.at(-1)?.envelope["state_revision"]).toBe(1);
  });

  it("D8.2 leaves the results of the others, and is tried again by itself on the next run", async () => {
    let isDown = true;
    const calls: string[] = [];
    const run = await createRun(running([task("a"), task("b"), task("c")]), {
      model: async (given) => {
        calls.push(given.id);
        return given.id === "b" && isDown ? failed("provider", "529") : came(given);
      },
    });
    await expect(run.go()).rejects.toMatchObject({ exitCode: 5, message: "the b task failed: 529" });
    expect(run.interview.state().toSorted()).toEqual(["a came", "b failed: provider", "c came"]);
    isDown = false;
    calls.length = 0;
    expect((await run.go()).type).toBe("done");
    expect(calls).toEqual(["b"]);
  });

  it("a budget stops before the call: nothing is recorded of it, what came is kept", async () => {
    const run = await createRun(running([task("a", "any"), task("b", "any")]), {
      model: async (given) => (given.id === "b" ? failed("budget", "12 of 10 tokens") : came(given)),
    });
    expect(await run.go()).toEqual({ type: "stopped", reason: "12 of 10 tokens" });
    expect(run.store.lines).toMatchObject([{ type: "task.completed", task_id: "a" }]);
  });

  it("a failure is told before a budget, when both come at once", async () => {
    const run = await createRun(running([task("a"), task("b")]), {
      model: async (given) => failed(given.id === "a" ? "budget" : "provider"),
    });
    await expect(run.go()).rejects.toMatchObject({ exitCode: 5 });
  });

  it.each([
    [new Interrupted("SIGTERM", "told to stop"), 143],
    [new Error("stop"), 130],
  ])("an abort throws what its signal says, or an interruption: %s", async (reason, exitCode) => {
    const stop = new AbortController();
    const run = await createRun(running([task("a", "any"), task("b", "any")]), {
      signal: stop.signal,
      model: async (given) => {
        stop.abort(reason);
        return given.id === "a" ? came(given) : failed("aborted");
      },
    });
    await expect(run.go()).rejects.toMatchObject({ name: "Interrupted", exitCode });
    // Nobody is to blame for an abort: it is no failure of the task.
    expect(run.store.lines).toMatchObject([{ type: "task.completed", task_id: "a" }]);
  });

  it("an adapter that throws when it is aborted is interrupted as well, and the other results are kept", async () => {
    const stop = new AbortController();
    const run = await createRun(running([task("a"), task("b")]), {
      signal: stop.signal,
      model: async (given) => {
        if (given.id === "a") {
          await new Promise((resolve) => setImmediate(resolve));
          return came(given);
        }
        stop.abort();
        throw Object.assign(new Error("aborted"), { name: "AbortError" });
      },
    });
    await expect(run.go()).rejects.toMatchObject({ name: "Interrupted", exitCode: 130 });
    expect(run.store.lines).toMatchObject([{ type: "task.completed", task_id: "a" }]);
    expect(run.claims).toEqual(["claimed", "released"]);
  });

  it("a bug of an adapter comes out as it is", async () => {
    const run = await createRun(running([task("a", "any")]), { model: async () => never() });
    await expect(run.go()).rejects.toThrow("never");
    expect(run.store.lines).toEqual([]);
  });
});
