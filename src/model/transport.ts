/**
 * The border between a task and an endpoint that answers in text: one request, one answer. Extraction, validation,
 * repair, retries and budgets stand above it (`text.ts`), so that every transport has them and a recorder can wrap any.
 */
import type * as z from "zod";
import type { Usage } from "../core/machine.ts";
import type { RenderedPrompt } from "../ports.ts";
import type { Price } from "./profiles.ts";

/** How a reply is asked for: by a schema, by a tool whose input it is, or by words in the prompt. */
export type Form = "schema" | "tool" | "json";

/** What follows the prompt: a reply that was wrong, and what is wrong with it. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Everything that decides the answer; with `modelFor` it is what a recording is keyed by. */
export interface Call {
  /** The task's name, such as `score`. */
  readonly task: string;
  readonly prompt: RenderedPrompt;
  /** The schema as it travels: `SharedReply` for the tasks that share a prefix. */
  readonly wire: z.ZodType;
  readonly turns: readonly Turn[];
  /** What a budget leaves for the answer, in tokens; null when there is none. */
  readonly maxOutputTokens: number | null;
  /** The sentences that ask for a reply in the plainer forms; they go into the system prompt. */
  readonly wording: (form: "tool" | "json", schema: string) => Promise<string>;
}

/** What a call is expected to cost, before it is made. Tokens; the estimate errs on the high side. */
export interface Plan {
  readonly model: string;
  readonly inputTokens: number;
  /** What the reply needs at least; below it the call is not worth making. */
  readonly replyTokens: number;
  /** Reply and thinking together: `max_tokens`. */
  readonly maxOutputTokens: number;
  readonly price: Price | null;
}

export interface Completion {
  readonly ok: true;
  readonly text: string;
  /** As the endpoint says it: `end_turn`, `max_tokens`, `refusal` and so on. */
  readonly stopReason: string | null;
  /** A tool that was called in place of a text. */
  readonly toolCall: string | null;
  readonly form: Form;
  readonly usage: Usage;
  readonly model: string;
  readonly requestId: string | null;
}

/** Why there is no answer. `message` holds no secret and no control character. */
export interface TransportFault {
  readonly ok: false;
  readonly kind: "status" | "connection" | "stream" | "timeout" | "aborted" | "setup";
  readonly status: number | null;
  readonly retryable: boolean;
  /** The header as it came: seconds or an HTTP date. */
  readonly retryAfter: string | null;
  readonly message: string;
  readonly usage: Usage;
  readonly requestId: string | null;
}

export type TransportResult = Completion | TransportFault;

export interface Transport {
  readonly label: string;
  /** The model that a task goes to. */
  modelFor(task: string): string;
  plan(call: Call): Plan;
  /** One request. Expected trouble is a `TransportFault`; an abort ends the request before it returns. */
  complete(call: Call, signal: AbortSignal): Promise<TransportResult>;
  /** A reply asked for in `form` held no JSON at all. True when the next call will ask in a plainer form. */
  simplify?(task: string, form: Form): boolean;
}
