/**
 * What each model takes, from what length it caches, and what it costs: data with a date (`profiles.json`), which a
 * settings file can extend or replace model by model. A model that nobody described has no price, never a guessed one.
 */
import * as z from "zod";
import { UsageError } from "../errors.ts";
import data from "./profiles.json" with { type: "json" };

const Rates = z.strictObject({
  /** USD per million tokens, as the other rates. */
  input: z.number().min(0),
  output: z.number().min(0),
  cache_read: z.number().min(0),
  cache_write_5m: z.number().min(0),
  cache_write_1h: z.number().min(0),
});
export type Rates = z.infer<typeof Rates>;

/** `above`: the rates of a whole request whose prompt, cache included, is longer. */
export const Price = Rates.extend({ above: Rates.extend({ prompt_tokens: z.int().min(1) }).optional() });
export type Price = z.infer<typeof Price>;

export const Profile = z.strictObject({
  /** Whether `output_config.format` is worth trying first. */
  schema: z.boolean(),
  /** Whether `tool_choice` may force a tool. */
  forced_tool: z.boolean(),
  temperature: z.boolean(),
  effort: z.boolean(),
  /** `always` and `adaptive` thinking counts towards `max_tokens`. */
  thinking: z.enum(["always", "adaptive", "none"]),
  /** A prefix shorter than this is never cached. */
  cache_floor_tokens: z.int().min(0),
  max_output_tokens: z.int().min(1),
  price: Price.nullable(),
});
export type Profile = z.infer<typeof Profile>;

export const Profiles = z.strictObject({
  /** When the prices were read, ISO 8601. */
  date: z.string(),
  unit: z.literal("USD per million tokens"),
  /** Tokens beside the reply for a model that thinks. */
  thinking_room: z.int().min(0),
  /** What a reply takes at most, by task, with a `default`. */
  reply_tokens: z.record(z.string(), z.int().min(1)),
  unknown: Profile,
  models: z.record(z.string(), Profile),
});
export type Profiles = z.infer<typeof Profiles>;

/** Overrides by model id; what is left out stays as it ships, or as for an unknown model. */
export const ProfileOverrides = z.record(z.string(), Profile.partial());
export type ProfileOverrides = z.infer<typeof ProfileOverrides>;

export const shippedProfiles: Profiles = Profiles.parse(data);

/**
 * The profiles with a user's overrides. `source` names the file in the message.
 * @throws UsageError when an override does not fit: which model, which field, what would be right.
 */
export function overrideProfiles(base: Profiles, overrides: unknown, source: string): Profiles {
  const parsed = ProfileOverrides.safeParse(overrides);
  if (!parsed.success) {
    throw new UsageError("model-profiles", `${source}: model profiles do not fit\n${z.prettifyError(parsed.error)}`, {
      next: "Correct the profile; every field of a model that ships can be replaced on its own.",
    });
  }
  const models = { ...base.models };
  for (const [id, override] of Object.entries(parsed.data)) {
    const before = models[id] ?? base.unknown;
    models[id] = Profile.parse({ ...before, ...override });
  }
  return { ...base, models };
}

/** The profile of a model: by its id, or by its id with a date behind it. Null for any other. */
export function findProfile(profiles: Profiles, model: string): Profile | null {
  return profiles.models[model] ?? profiles.models[model.replace(/[-@]\d{8}$/, "")] ?? null;
}

export function profileOf(profiles: Profiles, model: string): Profile {
  return findProfile(profiles, model) ?? profiles.unknown;
}

/** Tokens that a task's reply needs. */
export function replyTokens(profiles: Profiles, task: string): number {
  return profiles.reply_tokens[task] ?? profiles.reply_tokens["default"] ?? 3000;
}

/** `max_tokens`: the reply, room to think where the model does, within what the model can write. */
export function maxTokens(profiles: Profiles, profile: Profile, task: string): number {
  const room = profile.thinking === "none" ? 0 : profiles.thinking_room;
  return Math.min(replyTokens(profiles, task) + room, profile.max_output_tokens);
}
