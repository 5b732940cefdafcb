/** Scripted doubles of what stands around the model layer. They fail on a call that no step is for. */
import type { Task } from "../../src/core/machine.ts";
import { noUsage, usageOf } from "../../src/model/meter.ts";
import type {
  Call,
  Completion,
  Form,
  Plan,
  Transport,
  TransportFault,
  TransportResult,
} from "../../src/model/transport.ts";
import type { Clock, Prompts } from "../../src/ports.ts";

export const unlimited: Task["budget"] = { tokens: null, usd: null };

export function taskNamed(name: string, over: Partial<Task> = {}): Task {
  return {
    id: `${name}-1`,
    name,
    round: 1,
    prompt: name,
    prefix: null,
    input: {},
    tolerates: "nothing",
    budget: unlimited,
    ...over,
  };
}

/** Words without meaning: a contract, a marked prefix that is long enough to be kept, the task's own text. */
export function createPrompts(
  over: Partial<{ system: string; blocks: readonly { text: string; cache: boolean }[] }> = {},
) {
  const rendered: Task[] = [];
  const prompts: Prompts = {
    async render(task) {
      rendered.push(task);
      if (task.prompt === "repair") {
        return {
          system: "",
          blocks: [{ text: `These are wrong: ${JSON.stringify(task.input["faults"])}`, cache: false }],
        };
      }
      if (task.prompt === "reply-form") {
        const { is_tool, schema } = task.input;
        return {
          system: "",
          blocks: [{ text: `${is_tool === true ? "by tool" : `in JSON ${String(schema)}`}\n\ntask: x`, cache: false }],
        };
      }
      const blocks = over.blocks ?? [
        { text: "A tool that reviews flagged records. ".repeat(100), cache: true },
        { text: `The text of ${task.name}.\ntask: ${task.name}`, cache: false },
      ];
      return { system: over.system ?? "The contract. ".repeat(40), blocks };
    },
    document: () => Promise.reject(new Error("no document is rendered here")),
  };
  return { prompts, rendered };
}

/** Time stands still but for sleeping, which takes none. */
export function createClock(start = Date.UTC(2026, 0, 1)): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  const passed = (): number => slept.reduce((sum, ms) => sum + ms, 0);
  return {
    slept,
    now: () => start + passed(),
    monotonic: passed,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
}

export function completion(text: string, over: Partial<Completion> = {}): Completion {
  const tokens = { input: 10, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5 };
  return {
    ok: true,
    text,
    stopReason: "end_turn",
    toolCall: null,
    form: "schema",
    usage: usageOf(tokens, price),
    model: "claude-opus-5-5",
    requestId: "req_1",
    ...over,
  };
}

export function fault(over: Partial<TransportFault> = {}): TransportFault {
  return {
    ok: false,
    kind: "status",
    status: 529,
    retryable: true,
    retryAfter: null,
    message: "the provider answered 529: Overloaded",
    usage: { ...noUsage, calls: 1 },
    requestId: null,
    ...over,
  };
}

export const price = { input: 4, output: 20, cache_read: 0.2, cache_write_5m: 5, cache_write_1h: 8 };

export type Step = TransportResult | ((call: Call, signal: AbortSignal) => Promise<TransportResult>);

/** Answers with the steps in their order; `unused` tells how many are left. */
export function createScript(
  steps: readonly Step[],
  over: Partial<Plan> & { simplify?: (form: Form) => boolean } = {},
) {
  const calls: Call[] = [];
  const { simplify, ...plan } = over;
  const transport: Transport = {
    label: "scripted",
    modelFor: () => "claude-opus-5-5",
    plan: () => ({
      model: "claude-opus-5-5",
      inputTokens: 1000,
      replyTokens: 500,
      maxOutputTokens: 2000,
      price,
      ...plan,
    }),
    async complete(call, signal) {
      const step = steps[calls.length];
      calls.push(call);
      if (step === undefined) throw new Error(`nobody expected call ${calls.length} (${call.task})`);
      return typeof step === "function" ? step(call, signal) : step;
    },
    ...(simplify === undefined ? {} : { simplify: (_task, form) => simplify(form) }),
  };
  return { transport, calls, unused: () => steps.length - calls.length };
}
