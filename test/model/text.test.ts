import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/core/machine.ts";
import { type CallRecord, createModel, type ModelOptions } from "../../src/model/text.ts";
import type { Call, Form, Plan } from "../../src/model/transport.ts";
import { completion, createClock, createPrompts, createScript, fault, type Step, taskNamed } from "./doubles.ts";
import { scoreText, values } from "./values.ts";

type Over = Partial<ModelOptions> & { plan?: Partial<Plan>; simplify?: (form: Form) => boolean; check?: Check };
type Check = (value: unknown) => readonly Fault[];
const clean: Check = () => [];
const reject: Check = () => [
  { path: "components[0]", message: "there is no component of this id", severity: "reject" },
];
const correct: Check = () => [{ path: "options[2].label", message: "leave this option out", severity: "correct" }];

function createSubject(steps: readonly Step[], over: Over = {}) {
  const { plan, simplify, check = clean, ...options } = over;
  const script = createScript(steps, { ...plan, ...(simplify === undefined ? {} : { simplify }) });
  const { prompts, rendered } = createPrompts();
  const records: CallRecord[] = [];
  const model = createModel({
    transport: script.transport,
    prompts,
    clock: createClock(),
    random: () => 0,
    deadline: () => new AbortController().signal,
    observe: (record) => records.push(record),
    ...options,
  });
  const run = (task = taskNamed("score"), signal?: AbortSignal) =>
    model.run(task, { check, ...(signal === undefined ? {} : { signal }) });
  return { ...script, run, rendered, records, model };
}

const lastText = (call: Call | undefined): string => {
  const turn = call?.turns.at(-1);
  return turn?.text ?? call?.prompt.blocks.at(-1)?.text ?? "";
};

describe("a task", () => {
  it("is rendered, asked once, and comes back as the value inside its envelope", async () => {
    const { run, calls, records, unused } = createSubject([completion(scoreText)]);
    expect(await run()).toMatchObject({ ok: true, value: values.score, model: "claude-opus-5-5", attempts: 1 });
    expect(lastText(calls[0]).split("\n").at(-1)).toBe("task: score");
    expect(records).toMatchObject([
      { task: "score", round: 1, isRepair: false, faults: [], form: "schema", requestId: "req_1" },
    ]);
    expect(unused()).toBe(0);
  });

  it("ends with its name even when a user's own prompt file forgot it", async () => {
    const prompts = createPrompts({ blocks: [{ text: "Only this.", cache: false }] }).prompts;
    const { run, calls } = createSubject([completion(scoreText)], { prompts });
    await run();
    expect(lastText(calls[0])).toBe("Only this.\n\ntask: score");
  });

  it("that no interview has is a bug, not an outcome", async () => {
    await expect(createSubject([]).run(taskNamed("nonsense"))).rejects.toThrow("nonsense");
  });

  it("whose own prompt file is wrong says so", async () => {
    const prompts = { ...createPrompts().prompts, render: () => Promise.reject(new Error("score.md:3")) };
    await expect(createSubject([], { prompts }).run()).rejects.toThrow("score.md:3");
  });
});

describe("a reply that is wrong", () => {
  it("19 gets one repair turn that lists its faults, shows the reply, and ends with the task's name", async () => {
    const { run, calls, rendered, records } = createSubject([
      completion('{"reply":{"task":"score"}}'),
      completion(scoreText),
    ]);
    expect(await run()).toMatchObject({ ok: true, value: values.score, attempts: 2, usage: { calls: 2 } });
    expect(calls[1]?.turns.map((turn) => turn.role)).toEqual(["assistant", "user"]);
    expect(calls[1]?.turns[0]?.text).toBe('{"reply":{"task":"score"}}');
    expect(lastText(calls[1])).toContain("reply.components");
    expect(lastText(calls[1]).split("\n").at(-1)).toBe("task: score");
    expect(rendered[1]).toMatchObject({ prompt: "repair", input: { task: "score" } });
    expect(records[1]).toMatchObject({ isRepair: true, faults: [] });
    // The prefix that both calls read is the same.
    expect(calls[1]?.prompt).toEqual(calls[0]?.prompt);
  });

  it("19 again after the repair is a reply fault with what was wrong", async () => {
    const { run, unused } = createSubject([completion("{}"), completion('{"reply":{"task":"panel"}}')]);
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: false, code: "reply", attempts: 2 });
    expect(outcome.ok ? "" : outcome.reason).toContain("also after the repair");
    expect(unused()).toBe(0);
  });

  it("22 that only the interview can see is repaired too, then refused", async () => {
    const outcome = await createSubject([completion(scoreText), completion(scoreText)], { check: reject }).run();
    expect(outcome).toMatchObject({ ok: false, code: "reply" });
    expect(outcome.ok ? "" : outcome.reason).toContain("there is no component of this id");
  });

  it("21 whose faults code can mend is asked for once more, then taken", async () => {
    const outcome = await createSubject([completion(scoreText), completion(scoreText)], { check: correct }).run();
    expect(outcome).toMatchObject({ ok: true, value: values.score, attempts: 2 });
  });

  it("21 whose faults code can mend is better than a repair that is worse, or that never came", async () => {
    const worse = await createSubject([completion(scoreText), completion("{}")], { check: correct }).run();
    expect(worse).toMatchObject({ ok: true, value: values.score, attempts: 2 });
    const gone = await createSubject([completion(scoreText), fault({ retryable: false })], { check: correct }).run();
    expect(gone).toMatchObject({ ok: true, value: values.score });
  });

  it("19 says by name that it was refused, cut, empty, or a tool call", async () => {
    for (const [wrong, words, turns] of [
      [completion("", { stopReason: "refusal" }), "refused", ["user"]],
      [completion('{"reply":', { stopReason: "max_tokens" }), "token limit", ["user"]],
      [completion(""), "empty", ["user"]],
      [completion("", { toolCall: "write_file", stopReason: "tool_use" }), "write_file", ["user"]],
      [completion("No."), "no JSON object", ["assistant", "user"]],
      [completion(scoreText, { stopReason: "refusal" }), "refused", ["user"]],
    ] as const) {
      const { run, calls } = createSubject([wrong, completion(scoreText)]);
      expect(await run()).toMatchObject({ ok: true, attempts: 2 });
      expect(lastText(calls[1])).toContain(words);
      expect(calls[1]?.turns.map((turn) => turn.role)).toEqual(turns);
    }
  });

  it("that is words alone may be asked for in a plainer form, as often as there is one", async () => {
    const forms: Form[] = ["schema", "tool", "json"];
    const simplify = (form: Form): boolean => form !== "json";
    const prose = forms.map((form) => completion("Let me think.", { form }));
    const talks = createSubject([...prose.slice(0, 2), completion(scoreText, { form: "json" })], { simplify });
    expect(await talks.run()).toMatchObject({ ok: true, attempts: 3 });
    const never = createSubject(prose, { simplify });
    expect(await never.run()).toMatchObject({ ok: false, code: "reply", attempts: 3 });
    expect(never.unused()).toBe(0);
  });

  it("holds no secret and no control character in its reason", async () => {
    const check: Check = () => [{ path: "a", message: "\u001b[31m sk-ant-api03-abcdefghijkl", severity: "reject" }];
    const outcome = await createSubject([completion(scoreText), completion(scoreText)], { check }).run();
    expect(outcome.ok ? "" : outcome.reason).not.toMatch(/\p{Cc}|abcdefghijkl/u);
  });
});

describe("a provider that fails", () => {
  it("24 is a value, never an exception, with what was spent", async () => {
    const outcome = await createSubject([fault(), fault()], { retry: { attempts: 2 } }).run();
    expect(outcome).toMatchObject({ ok: false, code: "provider", attempts: 2, usage: { calls: 2 } });
  });

  it("counts the attempts of the repair with those of the first call", async () => {
    const { run, records } = createSubject([fault(), completion("{}"), fault(), completion(scoreText)]);
    expect(await run()).toMatchObject({ ok: true, attempts: 4, usage: { calls: 4 } });
    expect(records.map((record) => record.attempts)).toEqual([2, 2]);
  });

  it("is not asked once the caller has left", async () => {
    const outcome = await createSubject([]).run(taskNamed("score"), AbortSignal.abort());
    expect(outcome).toMatchObject({ ok: false, code: "aborted", attempts: 0, usage: { calls: 0, usd: 0 } });
  });

  it("is not asked for a repair once the caller has left", async () => {
    const user = new AbortController();
    const first: Step = async () => {
      queueMicrotask(() => user.abort());
      return completion("{}");
    };
    expect(await createSubject([first]).run(taskNamed("score"), user.signal)).toMatchObject({
      ok: false,
      code: "aborted",
    });
  });
});

describe("a budget", () => {
  it("stops before the call that would break it: nothing is sent", async () => {
    const outcome = await createSubject([]).run(taskNamed("score", { budget: { tokens: 1200, usd: null } }));
    expect(outcome).toMatchObject({ ok: false, code: "budget", attempts: 0, usage: { calls: 0 } });
  });

  it("bounds the answer by what is left", async () => {
    const { run, calls } = createSubject([completion(scoreText)]);
    await run(taskNamed("score", { budget: { tokens: 1700, usd: null } }));
    expect(calls[0]?.maxOutputTokens).toBe(700);
  });

  it("is not held by a call that is over", async () => {
    const { run } = createSubject([completion(scoreText), completion(scoreText)]);
    const task = taskNamed("score", { budget: { tokens: 2600, usd: null } });
    expect([(await run(task)).ok, (await run(task)).ok]).toEqual([true, true]);
  });

  it("stops a repair that it has no room for, and keeps what was used", async () => {
    const tokens = 1600;
    const { run } = createSubject([
      completion("{}", { usage: { ...completion("").usage, input_tokens: 900, output_tokens: 100 } }),
    ]);
    const outcome = await run(taskNamed("score", { budget: { tokens, usd: null } }));
    expect(outcome).toMatchObject({ ok: false, code: "budget", attempts: 1, usage: { input_tokens: 900 } });
  });
});

describe("calls at the same time", () => {
  it("23 are independent: one that is wrong leaves the others alone, and none waits for another", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let running = 0;
    const step =
      (text: string): Step =>
      async () => {
        running += 1;
        if (running === 3) open();
        await gate;
        return completion(text);
      };
    const panel = JSON.stringify({ reply: values.panel });
    const { run } = createSubject([step(panel), step("{}"), step(panel), completion("{}")]);
    const outcomes = await Promise.all([0, 1, 2].map(() => run(taskNamed("panel"))));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(2);
  });

  it("wait for a place in the pool when there is one", async () => {
    const limit = pLimit(2);
    let running = 0;
    let most = 0;
    const step: Step = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return completion(scoreText);
    };
    const { run } = createSubject([step, step, step, step], { pool: (work) => limit(work) });
    await Promise.all([run(), run(), run(), run()]);
    expect(most).toBe(2);
  });
});
