/**
 * A whole interview without a disk and without a network: the real machine, loop, prompts, reply reading and repair, over
 * a store in memory and a transport that answers as it is told.
 */
import { createHash } from "node:crypto";
import { DeepEvent } from "../../src/core/deep/events.ts";
import { createDeepMachine } from "../../src/core/deep/machine.ts";
import type { DeepState } from "../../src/core/deep/schema.ts";
import { type StartRequest, startEvent } from "../../src/core/deep/start.ts";
import type { TaskName, TaskReply } from "../../src/core/deep/tasks.ts";
import type { Languages } from "../../src/core/lexicon.ts";
import type { Message, Question, Reply, Task } from "../../src/core/machine.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { createModel } from "../../src/model/text.ts";
import type { Transport } from "../../src/model/transport.ts";
import type { Asker, Clock, Model, Projection, Prompts, RenderedPrompt, Stamped, Store } from "../../src/ports.ts";
import { createCatalog } from "../../src/prompt/catalog.ts";
import { loadLanguages } from "../../src/prompt/languages.ts";
import { createPrompts } from "../../src/prompt/render.ts";
import { importState } from "../../src/run/adopt.ts";
import { type Interview, openInterview } from "../../src/run/interview.ts";
import { type LoopResult, runLoop } from "../../src/run/loop.ts";

export const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
export const languages = await loadLanguages();
export const machine = createDeepMachine({ languages, sha256 });
const catalog = createCatalog();

export function createClock(): Clock & { tick(ms: number): void } {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => {
      now += 1;
      return now;
    },
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    tick: (ms) => {
      now += ms;
    },
  };
}

type Line = Record<string, unknown> & { type: string };

/** A store in memory that keeps to the port's contract: a conflict writes nothing. */
export function createMemoryStore(
  sessionId = "s1",
): Store & { lines: Stamped<Line>[]; projections: Projection[]; blobs: Map<string, string> } {
  const lines: Stamped<Line>[] = [];
  const projections: Projection[] = [];
  const blobs = new Map<string, string>();
  return {
    lines,
    projections,
    blobs,
    sessionId,
    statePath: "/memory/state.json",
    root: "/memory",
    events: async () => [...lines],
    async append(events, after, at) {
      if (after !== lines.length) throw new Error("conflict");
      const stamped = events.map((event, index) => ({
        ...structuredClone(event),
        seq: after + index + 1,
        at,
        prev: "",
        hash: "",
      }));
      lines.push(...(stamped as unknown as Stamped<Line>[]));
      // As on a disk: whatever else has to be done comes first.
      await new Promise((resolve) => setImmediate(resolve));
      return stamped;
    },
    async project(projection) {
      projections.push(projection);
    },
    async putBlob(text) {
      blobs.set(sha256(text), text);
      return { sha256: sha256(text) };
    },
    async getBlob(hash) {
      const text = blobs.get(hash);
      if (text === undefined) throw new Error("no such blob");
      return text;
    },
    claim: async () => ({ release: async () => undefined }),
  };
}

export type Replies = { readonly [N in TaskName]?: (task: Task, calls: number) => TaskReply<N> | string | Error };

/** Answers by task name; a string goes out as it is, an Error is a provider that is down. */
export function createScriptedModel(
  replies: Replies,
  getBlob: (sha: string) => Promise<string>,
  clock: Clock,
): Model & { tasks: Task[]; prompts: RenderedPrompt[] } {
  const inner = createPrompts({ catalog, getBlob, promptBudgetTokens: 4000 });
  const rendered = new Map<string, Task>();
  const tasks: Task[] = [];
  const sent: RenderedPrompt[] = [];
  const prompts: Prompts = {
    async render(task) {
      const prompt = await inner.render(task);
      rendered.set(prompt.blocks.at(-1)?.text ?? "", task);
      return prompt;
    },
    document: (document) => inner.document(document),
  };
  const counts = new Map<string, number>();
  const usage = {
    calls: 1,
    input_tokens: 10,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 5,
    ms: 1,
    usd: 0.001,
  };
  const transport: Transport = {
    label: "scripted",
    modelFor: () => "scripted",
    plan: () => ({ model: "scripted", inputTokens: 10, replyTokens: 10, maxOutputTokens: 100, price: null }),
    async complete(call) {
      const task = rendered.get(call.prompt.blocks.at(-1)?.text ?? "");
      if (task === undefined) throw new Error(`an unknown prompt for ${call.task}`);
      tasks.push(task);
      sent.push(call.prompt);
      const count = (counts.get(call.task) ?? 0) + 1;
      counts.set(call.task, count);
      const make = replies[call.task as TaskName] as ((task: Task, calls: number) => unknown) | undefined;
      if (make === undefined) throw new Error(`an unexpected ${call.task} call`);
      const value = make(task, count);
      if (value instanceof Error) {
        const fault = { ok: false, kind: "status", status: 400, retryable: false, retryAfter: null } as const;
        return { ...fault, message: value.message, usage, requestId: null };
      }
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return {
        ok: true,
        text,
        stopReason: "end_turn",
        toolCall: null,
        form: "schema",
        usage,
        model: "scripted",
        requestId: null,
      };
    },
  };
  return { ...createModel({ transport, prompts, clock, random: () => 0 }), tasks, prompts: sent };
}

export type Answerer = (question: Question, state: DeepState) => Reply | null;

export interface World {
  readonly store: ReturnType<typeof createMemoryStore>;
  /** `tasks` as they were called, repairs included; `prompts` what each call read. */
  readonly model: Model & { tasks?: Task[]; prompts?: RenderedPrompt[] };
  readonly messages: Message[];
  readonly asked: Question[];
  interview: Interview<DeepState, DeepEvent>;
  run(answer: Answerer): Promise<LoopResult>;
  /** The same with an asker of one's own. */
  runWith(asker: Asker): Promise<LoopResult>;
  /** Folds the journal anew, as another process would. */
  reopen(): Promise<void>;
  state(): DeepState;
}

export const user = (reply: Partial<Reply>): Reply => ({ options: [], text: null, as: null, by: "user", ...reply });
export const say = (text: string): Reply => user({ text });
export const pick = (...options: string[]): Reply => user({ options });

export interface WorldOptions {
  readonly replies?: Replies;
  readonly model?: Model;
  readonly start?: Partial<StartRequest>;
  readonly explorer?: { signals?: unknown; scan?: unknown };
  /** In place of those that ship. */
  readonly languages?: Languages;
  /** A state of another tool to take in instead of starting. */
  readonly envelope?: Readonly<Record<string, unknown>>;
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const store = createMemoryStore();
  const clock = createClock();
  const model = options.model ?? createScriptedModel(options.replies ?? {}, (sha) => store.getBlob(sha), clock);
  const prompts = createPrompts({ catalog, getBlob: (sha) => store.getBlob(sha), promptBudgetTokens: 4000 });
  const own = options.languages === undefined ? machine : createDeepMachine({ languages: options.languages, sha256 });
  const open = () => openInterview({ machine: own, store, clock, parse: (line) => DeepEvent.parse(line) });
  const messages: Message[] = [];
  const asked: Question[] = [];
  const world: World = {
    store,
    model,
    messages,
    asked,
    interview: await open(),
    state: () => world.interview.state(),
    async reopen() {
      world.interview = await open();
    },
    async run(answer) {
      const asker: Asker = {
        async ask(question) {
          if (asked.at(-1) !== question) asked.push(question);
          return answer(question, world.state());
        },
        askMany: async () => [],
        tell: (message) => messages.push(message),
        working: () => () => undefined,
      };
      return world.runWith(asker);
    },
    async runWith(asker) {
      const explorer = {
        signals: async () => ({ source: false, packages: false, git: false }),
        scan: async () => options.explorer?.scan ?? { files: [], excerpts: [], earlier: [], truncated: false },
      };
      const deps = { model, prompts, asker, store, explorer, clock, hash: { sha256 } };
      return runLoop(world.interview, deps, new AbortController().signal);
    },
  };
  const idea = options.start?.idea ?? "Build a tool";
  if (options.envelope !== undefined) {
    const { threshold = 0.2, thresholdSource = "flag:--threshold", limits = defaultLimits } = options.start ?? {};
    const settings = { threshold, thresholdSource, limits, models: {}, modelProfiles: null, values: [], notices: [] };
    await importState(world.interview, options.envelope, { sessionId: "s1", settings, ids: { uuid: () => "i1" } });
    return world;
  }
  await store.putBlob(idea);
  world.interview.push([
    startEvent(
      { languages: options.languages ?? languages, sha256 },
      {
        interviewId: "i1",
        sessionId: "s1",
        idea,
        threshold: 0.2,
        thresholdSource: "flag:--threshold",
        limits: defaultLimits,
        model: model.label,
        type: "auto",
        language: null,
        signals: { source: false, packages: false, git: false },
        names: new Set(),
        researchSetup: false,
        deliberate: false,
        scripted: false,
        notices: [],
        ...options.start,
      },
    ),
  ]);
  return world;
}
