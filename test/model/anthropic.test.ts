import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnthropic } from "../../src/model/anthropic.ts";
import { createLadder, type Ladder } from "../../src/model/ladder.ts";
import { hasCredential } from "../../src/model/sdk.ts";
import { type CallRecord, createModel, type ModelOptions } from "../../src/model/text.ts";
import { createClock, createPrompts, taskNamed } from "./doubles.ts";
import { createEndpoint, cutStream, disconnect, eventsOf, hang, KEY, refuse, say, sayWhole, sse } from "./endpoint.ts";
import { restateText, scoreText, values } from "./values.ts";

const endpoint = createEndpoint();
beforeAll(() => endpoint.listen());
afterAll(() => endpoint.close());
beforeEach(() => {
  // Credentials and log level are those of the test, whatever the machine has.
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_LOG"])
    vi.stubEnv(name, "");
});
afterEach(() => {
  expect(endpoint.unused()).toBe(0);
  vi.unstubAllEnvs();
});

interface Setup extends Partial<ModelOptions> {
  readonly ladder?: Ladder;
  readonly model?: string;
  readonly env?: Record<string, string>;
  readonly lines?: string[];
  readonly ttl?: "5m" | "1h";
}

function createSubject({ ladder = createLadder(), model, env, lines = [], ttl = "1h", ...rest }: Setup = {}) {
  const clock = createClock();
  const records: CallRecord[] = [];
  const transport = createAnthropic({
    env: env ?? { ANTHROPIC_API_KEY: KEY },
    ladder,
    ttl,
    log: (line) => lines.push(line),
    ...(model === undefined ? {} : { roles: { default: model } }),
  });
  const subject = createModel({
    transport,
    prompts: createPrompts().prompts,
    clock,
    random: () => 0,
    // Only the moment that an ended request is given to end by itself passes.
    deadline: (ms) => (ms <= 1000 ? AbortSignal.timeout(1) : new AbortController().signal),
    observe: (record) => records.push(record),
    ...rest,
  });
  const run = (name: string, signal?: AbortSignal) =>
    subject.run(taskNamed(name), { check: () => [], ...(signal === undefined ? {} : { signal }) });
  return { run, clock, records, transport, ladder };
}

function body(index = 0): Record<string, unknown> {
  const seen = endpoint.seen[index];
  if (seen === undefined) throw new Error(`there was no request ${index}`);
  return seen.body;
}

describe("an answer", () => {
  it("is put together from its stream, with its usage priced", async () => {
    endpoint.answer(say(scoreText));
    const outcome = await createSubject().run("score");
    expect(outcome).toMatchObject({ ok: true, value: values.score, model: "claude-opus-5-5", attempts: 1 });
    expect(outcome.usage).toMatchObject({
      calls: 1,
      input_tokens: 100,
      cache_read_tokens: 1000,
      cache_write_tokens: 200,
      output_tokens: 50,
    });
    expect(outcome.usage.usd).toBeCloseTo((100 * 4 + 1000 * 0.2 + 200 * 8 + 50 * 20) / 1e6, 12);
  });

  it("may come in one piece from an endpoint that streams nothing", async () => {
    endpoint.answer(sayWhole({ text: restateText }));
    const outcome = await createSubject().run("restate");
    expect(outcome).toMatchObject({ ok: true, value: values.restate });
    expect(outcome.usage.output_tokens).toBe(50);
  });

  it("has no price when the model that answered is unknown, however well its name begins", async () => {
    endpoint.answer(say({ text: restateText, model: "claude-opus-5-7" }));
    const outcome = await createSubject().run("restate");
    expect(outcome).toMatchObject({ ok: true, model: "claude-opus-5-7", usage: { usd: null, output_tokens: 50 } });
  });

  it("24 that takes several attempts has all of them in the meter", async () => {
    endpoint.answer(cutStream({ text: restateText }, 4), say(restateText));
    const outcome = await createSubject().run("restate");
    expect(outcome).toMatchObject({ ok: true, attempts: 2, usage: { calls: 2, input_tokens: 200 } });
  });
});

describe("faults 24: an attempt that fails", () => {
  const kinds = [
    ["408", refuse(408, "timeout_error", "slow")],
    ["409", refuse(409, "conflict_error", "locked")],
    ["429", refuse(429, "rate_limit_error", "too many")],
    ["500", refuse(500, "api_error", "broken")],
    ["503", refuse(503, "api_error", "away")],
    ["529", refuse(529, "overloaded_error", "overloaded")],
    ["a lost connection", disconnect],
    ["a stream cut in the middle", cutStream({ text: restateText }, 4)],
    ["a stream cut before it began", cutStream({ text: restateText }, 0)],
    ["an error inside the stream", cutStream({ text: restateText }, 4, { type: "overloaded_error", message: "busy" })],
    ["a stream whose end says no reason", () => sse(eventsOf({ text: restateText }).slice(0, -2))],
  ] as const;
  for (const [name, respond] of kinds) {
    it(`is tried again after ${name}`, async () => {
      endpoint.answer(respond, say(restateText));
      const { run, clock } = createSubject();
      expect(await run("restate")).toMatchObject({ ok: true, attempts: 2 });
      expect(clock.slept).toEqual([500]);
    });
  }

  it("is not tried again after 400, 401, 403, 404 and 413, and says what the provider said", async () => {
    for (const status of [400, 401, 403, 404, 413]) {
      endpoint.answer(refuse(status, "invalid_request_error", "your balance is low"));
      const outcome = await createSubject().run("restate");
      expect(outcome).toMatchObject({ ok: false, code: "provider", attempts: 1 });
      expect(outcome.ok ? "" : outcome.reason).toBe(
        `the provider answered ${status}: your balance is low (request req_no)`,
      );
    }
  });

  it("is not tried again after an error inside the stream that will not pass", async () => {
    endpoint.answer(cutStream({ text: restateText }, 3, { type: "invalid_request_error", message: "no" }));
    expect(await createSubject().run("restate")).toMatchObject({ ok: false, code: "provider", attempts: 1 });
  });

  it("five times with 529 is a provider fault, with growing pauses between", async () => {
    endpoint.answer(...Array.from({ length: 5 }, () => refuse(529, "overloaded_error", "overloaded")));
    const { run, clock } = createSubject();
    const outcome = await run("score");
    expect(outcome).toMatchObject({ ok: false, code: "provider", attempts: 5, usage: { calls: 5, usd: 0 } });
    expect(outcome.ok ? "" : outcome.reason).toContain("after 5 attempts");
    expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
  });

  it("waits as long as retry-after says: seconds, milliseconds, a date", async () => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 45)).toUTCString();
    for (const [headers, ms] of [
      [{ "retry-after": "30" }, 30_000],
      [{ "retry-after-ms": "2500", "retry-after": "3" }, 2500],
      [{ "retry-after": date }, 45_000],
      [{ "retry-after": "60" }, 60_000],
      [{ "retry-after": "soon" }, 500],
    ] as const) {
      endpoint.answer(refuse(429, "rate_limit_error", "slow down", headers), say(restateText));
      const { run, clock } = createSubject();
      expect(await run("restate")).toMatchObject({ ok: true });
      expect(clock.slept).toEqual([ms]);
    }
  });

  it("is not waited for beyond a minute: the run stops and says until when", async () => {
    endpoint.answer(refuse(429, "rate_limit_error", "slow down", { "retry-after": "3600" }));
    const { run, clock } = createSubject();
    const outcome = await run("restate");
    expect(outcome).toMatchObject({ ok: false, code: "provider", attempts: 1 });
    expect(outcome.ok ? "" : outcome.reason).toContain("3600 s");
    expect(clock.slept).toEqual([]);
  });
});

describe("faults 24: a call that hangs", () => {
  it("is ended at its timeout and tried again", async () => {
    const deadlines: AbortController[] = [];
    const deadline = (ms: number): AbortSignal => {
      if (ms <= 1000) return AbortSignal.timeout(1);
      const controller = new AbortController();
      deadlines.push(controller);
      return controller.signal;
    };
    endpoint.answer((request) => {
      const hanging = hang(request);
      deadlines[0]?.abort();
      return hanging;
    }, say(restateText));
    expect(await createSubject({ deadline }).run("restate")).toMatchObject({ ok: true, attempts: 2 });
    expect(endpoint.seen[0]?.signal.aborted).toBe(true);
  });

  it("is ended by an abort, with no request left running and none begun", async () => {
    const user = new AbortController();
    endpoint.answer((request) => {
      const hanging = hang(request);
      user.abort();
      return hanging;
    });
    const { run } = createSubject();
    expect(await run("restate", user.signal)).toMatchObject({ ok: false, code: "aborted", attempts: 1 });
    expect(endpoint.seen[0]?.signal.aborted).toBe(true);
    expect(await run("restate", user.signal)).toMatchObject({ ok: false, code: "aborted", attempts: 0 });
    expect(endpoint.seen).toHaveLength(1);
  });

  it("is ended by an abort in the middle of its stream", async () => {
    const user = new AbortController();
    endpoint.answer(
      () =>
        new Response(
          new ReadableStream({
            start(stream) {
              const [first] = eventsOf({ text: restateText });
              stream.enqueue(new TextEncoder().encode(`event: message_start\ndata: ${JSON.stringify(first)}\n\n`));
              setImmediate(() => user.abort());
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const outcome = await createSubject().run("restate", user.signal);
    expect(outcome).toMatchObject({ ok: false, code: "aborted" });
  });
});

describe("a request", () => {
  it("asks by schema, at one effort, without sampling knobs, tools, prefill or thinking settings", async () => {
    endpoint.answer(say(scoreText));
    await createSubject().run("score");
    const sent = body();
    expect(Object.keys(sent).sort()).toEqual(["max_tokens", "messages", "model", "output_config", "stream", "system"]);
    expect(sent).toMatchObject({ model: "claude-opus-5-5", stream: true, output_config: { effort: "medium" } });
    expect(sent["output_config"]).toMatchObject({ format: { type: "json_schema", schema: { type: "object" } } });
    expect(sent["max_tokens"]).toBeGreaterThan(16_000);
    expect(endpoint.seen[0]?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
  });

  it("is the same for every task that shares the prefix, up to the task's own text", async () => {
    const prefixes = new Set<string>();
    for (const name of ["score", "question", "panel", "interpret", "auto-answer", "research"] as const) {
      endpoint.answer(say(JSON.stringify({ reply: values[name] })));
      expect(await createSubject().run(name)).toMatchObject({ ok: true, value: values[name] });
      const { system, messages, output_config, model } = body();
      const [first] = JSON.parse(JSON.stringify(messages))[0].content;
      prefixes.add(JSON.stringify({ system, first, output_config, model }));
      const last = JSON.parse(JSON.stringify(messages)).at(-1).content.at(-1).text;
      expect(last.split("\n").at(-1)).toBe(`task: ${name}`);
    }
    expect(prefixes.size).toBe(1);
  });

  it("takes the seed's temperature to a model that takes one, for the score alone", async () => {
    endpoint.answer(
      say({ text: scoreText, model: "claude-opus-4-6" }),
      say({ text: restateText, model: "claude-opus-4-6" }),
    );
    const { run } = createSubject({ model: "claude-opus-4-6" });
    await run("score");
    await run("restate");
    expect([body(0)["temperature"], body(1)["temperature"]]).toEqual([0.1, undefined]);
  });

  it("goes to the address and with the token of the environment", async () => {
    const other = createEndpoint("https://gateway.example/anthropic");
    endpoint.close();
    other.listen();
    other.answer(say(restateText));
    const env = {
      ANTHROPIC_AUTH_TOKEN: "token-of-the-gateway",
      ANTHROPIC_BASE_URL: "https://gateway.example/anthropic",
    };
    expect(await createSubject({ env }).run("restate")).toMatchObject({ ok: true });
    expect(other.seen[0]?.headers.get("authorization")).toBe("Bearer token-of-the-gateway");
    other.close();
    endpoint.listen();
  });
});

describe("the ladder", () => {
  const noFormat = refuse(400, "invalid_request_error", "output_config.format: Extra inputs are not permitted");

  it("goes from schema to tool when the endpoint refuses the format, and remembers it", async () => {
    endpoint.answer(
      noFormat,
      say({ tool: { name: "reply", json: scoreText } }),
      say({ tool: { name: "reply", json: scoreText } }),
    );
    const { run, ladder } = createSubject();
    expect(await run("score")).toMatchObject({ ok: true, value: values.score, attempts: 1, usage: { calls: 2 } });
    expect(await run("score")).toMatchObject({ ok: true });
    expect(endpoint.seen).toHaveLength(3);
    expect(body(1)).toMatchObject({
      tools: [{ name: "reply", input_schema: { type: "object" } }],
      tool_choice: { type: "auto" },
    });
    expect(body(1)["output_config"]).toEqual({ effort: "medium" });
    expect(ladder.moves().map(({ what }) => what)).toEqual(["schema -> tool"]);
  });

  it("forces the tool only where the model lets it be forced", async () => {
    endpoint.answer(noFormat, say({ tool: { name: "reply", json: restateText } }));
    await createSubject({ model: "claude-opus-4-6" }).run("restate");
    expect(body(1)["tool_choice"]).toEqual({ type: "tool", name: "reply" });
  });

  it("goes down to words with the schema in the prompt when tools are refused too", async () => {
    endpoint.answer(
      noFormat,
      refuse(400, "invalid_request_error", "tools are not supported"),
      say(`Sure:\n\`\`\`json\n${restateText}\n\`\`\``),
    );
    const { run } = createSubject();
    expect(await run("restate")).toMatchObject({ ok: true, value: values.restate });
    const system = JSON.stringify(body(2)["system"]);
    expect(system).toContain("in JSON");
    expect(system).toContain("sentence");
    expect(system).not.toContain("task:");
    expect(body(2)["tools"]).toBeUndefined();
  });

  it("moves down when an endpoint ignores the schema and talks, and still gets its reply", async () => {
    endpoint.answer(say("I would say it is a tool."), say("Still talking."), say(restateText));
    const { run, ladder, records } = createSubject();
    expect(await run("restate")).toMatchObject({ ok: true, value: values.restate });
    expect(records.map(({ form }) => form)).toEqual(["schema", "tool", "json"]);
    expect(ladder.moves()).toHaveLength(2);
  });

  it("stays where it is for a reply that is wrong but JSON", async () => {
    endpoint.answer(say('{"sentence":"A tool."}'), say(restateText));
    const { run, ladder } = createSubject();
    expect(await run("restate")).toMatchObject({ ok: true });
    expect(ladder.moves()).toEqual([]);
  });

  it("leaves out effort, lifetime, temperature or a forced tool where they are refused, and keeps the schema", async () => {
    endpoint.answer(
      refuse(400, "invalid_request_error", "output_config.effort: not supported by this model"),
      refuse(400, "invalid_request_error", "messages.0.content.0.cache_control.ttl: Extra inputs are not permitted"),
      refuse(400, "invalid_request_error", "`temperature` is deprecated for this model"),
      say({ text: scoreText, model: "claude-opus-4-6" }),
    );
    const { run } = createSubject({
      model: "claude-opus-4-6",
      prompts: createPrompts({
        blocks: [
          { text: "x".repeat(40_000), cache: true },
          { text: "t", cache: false },
        ],
      }).prompts,
    });
    expect(await run("score")).toMatchObject({ ok: true });
    expect(body(0)["temperature"]).toBe(0.1);
    expect(body(3)["temperature"]).toBeUndefined();
    expect(body(3)["output_config"]).toEqual({ format: expect.anything() });
    expect(JSON.stringify(body(3)["messages"])).toContain('"cache_control":{"type":"ephemeral"}');
  });

  it("moves once for calls that meet the same refusal together", async () => {
    const tool = say({ tool: { name: "reply", json: JSON.stringify({ reply: values.panel }) } });
    endpoint.answer(noFormat, noFormat, noFormat, tool, tool, tool);
    const { run, ladder } = createSubject();
    const outcomes = await Promise.all([run("panel"), run("panel"), run("panel")]);
    expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, true, true]);
    expect(ladder.moves().map(({ what }) => what)).toEqual(["schema -> tool"]);
  });
});

describe("secrets", () => {
  it("never reach a reason", async () => {
    endpoint.answer(refuse(401, "authentication_error", `invalid x-api-key: ${KEY}`));
    const outcome = await createSubject().run("restate");
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    expect(outcome.ok ? "" : outcome.reason).toContain("401");
  });

  it("never reach the log, which is not standard output", async () => {
    vi.stubEnv("ANTHROPIC_LOG", "debug");
    const out = vi.spyOn(console, "log");
    const lines: string[] = [];
    endpoint.answer(refuse(500, "api_error", `key ${KEY}`), say(restateText));
    await createSubject({ lines }).run("restate");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(KEY);
    expect(out).not.toHaveBeenCalled();
  });

  it("are found in the environment without being read", () => {
    expect(hasCredential({})).toBe(false);
    expect(hasCredential({ ANTHROPIC_API_KEY: "  " })).toBe(false);
    for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"]) {
      expect(hasCredential({ [name]: "x" })).toBe(true);
    }
    expect(hasCredential({ ANTHROPIC_FEDERATION_RULE_ID: "r" })).toBe(false);
    expect(hasCredential({ ANTHROPIC_FEDERATION_RULE_ID: "r", ANTHROPIC_ORGANIZATION_ID: "o" })).toBe(true);
  });

  it("that are missing are a provider fault that says so, with nothing sent", async () => {
    vi.stubEnv("ANTHROPIC_CONFIG_DIR", "/nonexistent");
    endpoint.answer();
    const outcome = await createSubject({ env: {} }).run("restate");
    expect(outcome).toMatchObject({ ok: false, code: "provider", attempts: 1 });
    expect(endpoint.seen).toHaveLength(0);
  });
});
