/**
 * Puts a streamed answer together, and reads one that an endpoint sends in one piece although a stream was asked for.
 * Both are a border: what other endpoints leave out or add must not break a run.
 */
import * as z from "zod";
import { noTokens, type Tokens } from "./meter.ts";
import type { Ttl } from "./request.ts";

const Count = z.number().min(0).nullish();
const UsageWire = z.object({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_creation: z.object({ ephemeral_5m_input_tokens: Count, ephemeral_1h_input_tokens: Count }).nullish(),
});
type UsageWire = z.infer<typeof UsageWire>;

const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
});

const Message = z.object({
  type: z.literal("message"),
  model: z.string().optional(),
  content: z.array(Block),
  stop_reason: z.string().nullish(),
  usage: UsageWire.nullish(),
});

const Event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message_start"),
    message: z.object({ model: z.string().optional(), usage: UsageWire.nullish() }),
  }),
  z.object({ type: z.literal("content_block_start"), index: z.int(), content_block: Block }),
  z.object({
    type: z.literal("content_block_delta"),
    index: z.int(),
    delta: z.object({ type: z.string(), text: z.string().optional(), partial_json: z.string().optional() }),
  }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: UsageWire.nullish(),
  }),
  z.object({ type: z.literal("message_stop") }),
]);

/** An answer as far as it has come. */
export interface Gathered {
  model: string | null;
  stopReason: string | null;
  tokens: Tokens;
  /** The end was seen: without it the stream was cut. */
  isComplete: boolean;
  readonly blocks: Map<number, { type: string; name: string; text: string }>;
}

export function createGathered(): Gathered {
  return { model: null, stopReason: null, tokens: noTokens, isComplete: false, blocks: new Map() };
}

/** Takes one event in; one of a kind that nobody knows is passed over. `ttl` prices writes that say no lifetime. */
export function gather(into: Gathered, data: unknown, ttl: Ttl): void {
  const event = Event.safeParse(data).data;
  switch (event?.type) {
    case "message_start":
      into.model = event.message.model ?? null;
      into.tokens = tokensOf(event.message.usage, into.tokens, ttl);
      break;
    case "content_block_start": {
      const { type, name, text } = event.content_block;
      into.blocks.set(event.index, { type, name: name ?? "", text: text ?? "" });
      break;
    }
    case "content_block_delta": {
      const block = into.blocks.get(event.index);
      const piece = event.delta.type === "text_delta" ? event.delta.text : event.delta.partial_json;
      if (block !== undefined) block.text += piece ?? "";
      break;
    }
    case "message_delta":
      into.stopReason = event.delta.stop_reason ?? into.stopReason;
      into.tokens = tokensOf(event.usage, into.tokens, ttl);
      break;
    case "message_stop":
      into.isComplete = true;
      break;
    case undefined:
      break;
  }
}

/** A whole message. False when it is none. */
export function gatherWhole(into: Gathered, data: unknown, ttl: Ttl): boolean {
  const message = Message.safeParse(data).data;
  if (message === undefined) return false;
  into.model = message.model ?? null;
  into.stopReason = message.stop_reason ?? null;
  into.tokens = tokensOf(message.usage, into.tokens, ttl);
  message.content.forEach((block, index) => {
    const text = block.type === "tool_use" ? JSON.stringify(block.input ?? {}) : (block.text ?? "");
    into.blocks.set(index, { type: block.type, name: block.name ?? "", text });
  });
  into.isComplete = true;
  return true;
}

/** The reply's text: the input of our own tool if it was called, else what was written. */
export function answerOf(gathered: Gathered, tool: string): { text: string; toolCall: string | null } {
  const blocks = [...gathered.blocks.values()];
  const calls = blocks.filter((block) => block.type === "tool_use");
  const own = calls.find((block) => block.name === tool && block.text !== "");
  if (own !== undefined) return { text: own.text, toolCall: null };
  const text = blocks.filter((block) => block.type === "text").map((block) => block.text);
  return { text: text.join(""), toolCall: calls[0]?.name ?? null };
}

/** Counts are cumulative: a later one replaces an earlier one, and what it leaves out stays. */
function tokensOf(usage: UsageWire | null | undefined, before: Tokens, ttl: Ttl): Tokens {
  if (usage === null || usage === undefined) return before;
  const write5m = usage.cache_creation?.ephemeral_5m_input_tokens;
  const write1h = usage.cache_creation?.ephemeral_1h_input_tokens;
  const written = usage.cache_creation_input_tokens ?? null;
  const isKnown = typeof write5m === "number" || typeof write1h === "number";
  const hasBefore = before.cacheWrite5m + before.cacheWrite1h > 0;
  const writes = isKnown
    ? { cacheWrite5m: write5m ?? 0, cacheWrite1h: write1h ?? 0 }
    : written === null || hasBefore
      ? { cacheWrite5m: before.cacheWrite5m, cacheWrite1h: before.cacheWrite1h }
      : { cacheWrite5m: ttl === "5m" ? written : 0, cacheWrite1h: ttl === "1h" ? written : 0 };
  return {
    input: usage.input_tokens ?? before.input,
    cacheRead: usage.cache_read_input_tokens ?? before.cacheRead,
    output: usage.output_tokens ?? before.output,
    ...writes,
  };
}
