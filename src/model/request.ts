/**
 * The body of a Messages request, byte-stable so that a prefix is read from the cache: contract, then the blocks of
 * the prompt with at most four breakpoints, none where the prefix is too short to be kept, then the repair turns.
 */
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { Rung } from "./ladder.ts";
import { estimateTokens } from "./meter.ts";
import { maxTokens, type Profile, type Profiles } from "./profiles.ts";
import type { Call } from "./transport.ts";

export type Effort = "low" | "medium" | "high" | "xhigh" | "max";
export type Ttl = "5m" | "1h";

export const REPLY_TOOL = "reply";
const MAX_BREAKPOINTS = 4;
/** The seed's, for the scorer, where a model still takes one. */
const SCORE_TEMPERATURE = 0.1;

export interface RequestParts {
  readonly call: Call;
  readonly model: string;
  readonly profiles: Profiles;
  readonly profile: Profile;
  readonly rung: Rung;
  readonly ttl: Ttl;
  readonly effort: Effort;
  /** The JSON schema of the reply, as the service takes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How to reply, for the forms that say it in words; "" by schema. */
  readonly wording: string;
}

export function buildRequest(parts: RequestParts): MessageCreateParamsStreaming {
  const { call, profile, rung } = parts;
  const most = maxTokens(parts.profiles, profile, call.task);
  const effort = profile.effort && !rung.without.has("effort") ? { effort: parts.effort } : {};
  const format =
    rung.form === "schema" ? { format: { type: "json_schema" as const, schema: { ...parts.schema } } } : {};
  const config = { ...effort, ...format };
  const isWarm = profile.temperature && call.task === "score" && !rung.without.has("temperature");
  return {
    model: parts.model,
    max_tokens: Math.max(1, Math.min(most, call.maxOutputTokens ?? most)),
    stream: true,
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(isWarm ? { temperature: SCORE_TEMPERATURE } : {}),
    ...(rung.form === "tool" ? toolOf(parts) : {}),
    system: [call.prompt.system, parts.wording].filter((text) => text !== "").map((text) => ({ type: "text", text })),
    messages: [
      { role: "user", content: contentOf(parts) },
      ...call.turns.map((turn) => ({ role: turn.role, content: [{ type: "text" as const, text: turn.text }] })),
    ],
  };
}

function toolOf(parts: RequestParts): Pick<MessageCreateParamsStreaming, "tools" | "tool_choice"> {
  const isForced = parts.profile.forced_tool && !parts.rung.without.has("forced-tool");
  return {
    tools: [{ name: REPLY_TOOL, input_schema: { ...parts.schema, type: "object" } }],
    tool_choice: isForced ? { type: "tool", name: REPLY_TOOL } : { type: "auto" },
  };
}

type Content = { type: "text"; text: string; cache_control?: { type: "ephemeral"; ttl?: Ttl } };

function contentOf(parts: RequestParts): Content[] {
  const marked = breakpoints(parts);
  const { without } = parts.rung;
  const mark = without.has("cache-ttl")
    ? { type: "ephemeral" as const }
    : { type: "ephemeral" as const, ttl: parts.ttl };
  return parts.call.prompt.blocks.map(({ text }, index) => ({
    type: "text",
    text,
    ...(marked.has(index) ? { cache_control: mark } : {}),
  }));
}

/** Indexes of the blocks that get a breakpoint: the first one that is long enough, and the last ones. */
function breakpoints(parts: RequestParts): ReadonlySet<number> {
  if (parts.rung.without.has("cache")) return new Set();
  let tokens = lowTokens(parts.call.prompt.system) + lowTokens(parts.wording);
  const possible = parts.call.prompt.blocks.flatMap((block, index) => {
    tokens += lowTokens(block.text);
    return block.cache && tokens >= parts.profile.cache_floor_tokens ? [index] : [];
  });
  return new Set(
    possible.length <= MAX_BREAKPOINTS ? possible : [...possible.slice(0, 1), ...possible.slice(1 - MAX_BREAKPOINTS)],
  );
}

/** Low on purpose: a breakpoint on a prefix below the floor is a breakpoint lost. */
function lowTokens(text: string): number {
  const wide = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return Math.floor((text.length - wide) / 4 + wide / 2);
}

/** High on purpose, for budgets: everything that is sent but the schema. */
export function estimateInput(call: Call): number {
  const texts = [call.prompt.system, ...call.prompt.blocks.map((b) => b.text), ...call.turns.map((t) => t.text)];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
