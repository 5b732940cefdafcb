/**
 * D0.1, D0.2: which layer each setting comes from: flags, the project's file, the user's file, a preset, the default. An
 * invalid value is passed over for the next layer, with one notice; nothing here reads a file.
 */
import * as z from "zod";
import { UsageError } from "../errors.ts";
import { describe, type FileLayer, type Layer, passedOver, readLayer } from "./entries.ts";
import { percent, round4 } from "./ratio.ts";
import { Limits, type Preset, presets, type Setting, settings, settingsRoot } from "./settings.ts";

/** Flags as they were typed; a suite file may hold numbers. What is left out is not set. */
export interface SettingFlags {
  readonly threshold?: string | number | undefined;
  readonly budgetQuestions?: string | number | undefined;
  readonly budgetTokens?: string | number | undefined;
  readonly budgetUsd?: string | number | undefined;
  /** A model id; it takes the place of every model that a file names. */
  readonly model?: string | undefined;
}

export interface Layers {
  readonly flags: SettingFlags;
  readonly project: Layer | null;
  readonly user: Layer | null;
  readonly preset: Preset | null;
}

/** A setting's value and the layer it comes from, as D0.3 prints it. */
export interface Resolved {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

export interface ResolvedSettings {
  /** 0.0001..1, at most four decimals. */
  readonly threshold: number;
  readonly thresholdSource: string;
  readonly limits: Limits;
  /** Model ids by role or task; those that nobody set are left out. */
  readonly models: Readonly<Record<string, string>>;
  /** Overrides for the model layer to check, and the file they stand in. */
  readonly modelProfiles: { readonly value: unknown; readonly source: string } | null;
  /** Every setting, for a look at where each comes from. */
  readonly values: readonly Resolved[];
  /** Sentences for stderr: what was passed over, unknown or beaten. */
  readonly notices: readonly string[];
}

/** The preset that the flags name. Throws UsageError for more than one (D0.1). */
export function pickPreset(given: Readonly<Partial<Record<Preset, boolean | undefined>>>): Preset | null {
  const names = (["quick", "standard", "deep"] as const).filter((name) => given[name] === true);
  if (names.length <= 1) return names[0] ?? null;
  const flags = names.map((name) => `--${name}`).join(" and ");
  throw new UsageError("presets", `${flags} are given together, and each stands for another threshold.`, {
    next: "Give one of them, or --threshold with the number that you want.",
  });
}

/** Chooses every setting's value. Throws UsageError for a flag that is invalid. */
export function resolveSettings(layers: Layers): ResolvedSettings {
  const notices: string[] = [];
  const files = [layers.project, layers.user].flatMap((layer) => (layer === null ? [] : [readLayer(layer, notices)]));
  const flags = readFlags(layers.flags);
  const values = settings.map((setting) => resolve(setting, flags, files, layers.preset, notices));
  const byKey = new Map(values.map((resolved) => [resolved.key, resolved]));
  const threshold = byKey.get("ambiguityThreshold");
  const thresholdSource = threshold?.source ?? "default";
  if (layers.preset !== null && threshold !== undefined && !thresholdSource.startsWith("preset:")) {
    const ignored = `--${layers.preset} (threshold ${percent(presets[layers.preset])}) has no effect`;
    notices.push(`${ignored}: ${thresholdSource} sets the threshold to ${describe(threshold.value)}.`);
  }
  const limits = limitsOf(byKey);
  notices.push(...crossChecks(limits, byKey));
  const profiles = byKey.get("modelProfiles");
  return {
    threshold: z.number().parse(threshold?.value),
    thresholdSource,
    limits,
    models: modelsOf(values, layers.flags.model),
    modelProfiles: profiles === undefined || profiles.source === "default" ? null : profiles,
    values,
    notices,
  };
}

const ratios: ReadonlySet<string> = new Set(["ambiguityThreshold", "stallBand", "autoAnswerClarityCap"]);

function resolve(
  setting: Setting,
  flags: ReadonlyMap<string, Resolved>,
  files: readonly FileLayer[],
  preset: Preset | null,
  notices: string[],
): Resolved {
  const { key } = setting;
  const flag = flags.get(key);
  if (flag !== undefined) return flag;
  for (const { name, entries } of files) {
    const entry = entries.get(key);
    if (entry === undefined) continue;
    const parsed = setting.schema.safeParse(entry.value);
    if (parsed.success) return { key, value: stored(key, parsed.data), source: name };
    notices.push(passedOver(name, key, entry.value, setting.valid));
  }
  if (key === "ambiguityThreshold" && preset !== null) {
    return { key, value: presets[preset], source: `preset:--${preset}` };
  }
  return { key, value: setting.fallback, source: "default" };
}

/** Scores and what they are compared with hold at most four decimals. */
function stored(key: string, value: unknown): unknown {
  return ratios.has(key) && typeof value === "number" ? round4(value) : value;
}

function limitsOf(values: ReadonlyMap<string, Resolved>): Limits {
  const found = settings.flatMap(({ key, limit }) =>
    limit === null ? [] : [[limit, values.get(key)?.value] as const],
  );
  return Limits.parse(Object.fromEntries(found));
}

function modelsOf(values: readonly Resolved[], flag: string | undefined): Record<string, string> {
  if (flag !== undefined) return { default: flag };
  const found = values.flatMap(({ key, value }) =>
    key.startsWith("models.") && typeof value === "string" ? [[key.slice("models.".length), value] as const] : [],
  );
  return Object.fromEntries(found);
}

/** A limit that somebody set and that can never be reached is worth a word, and no more. */
function crossChecks(limits: Limits, values: ReadonlyMap<string, Resolved>): string[] {
  const names = ["softWarningRound", "earlyExitRound", "ontologyEscalationRound", "stallWindow"] as const;
  return names.flatMap((name) => {
    const source = values.get(name)?.source ?? "default";
    if (source === "default" || limits[name] <= limits.maxRounds) return [];
    return [
      `${source}: ${settingsRoot}.${name} is ${limits[name]}, above maxRounds (${limits.maxRounds}), so it is never reached.`,
    ];
  });
}

const flagKeys = {
  threshold: { key: "ambiguityThreshold", flag: "--threshold", example: "0.05" },
  budgetQuestions: { key: "budget.questions", flag: "--budget-questions", example: "12" },
  budgetTokens: { key: "budget.tokens", flag: "--budget-tokens", example: "200000" },
  budgetUsd: { key: "budget.usd", flag: "--budget-usd", example: "1.50" },
} as const;

function readFlags(flags: SettingFlags): Map<string, Resolved> {
  const found = new Map<string, Resolved>();
  for (const name of ["threshold", "budgetQuestions", "budgetTokens", "budgetUsd"] as const) {
    const given = flags[name];
    const { key, flag, example } = flagKeys[name];
    const setting = settings.find((candidate) => candidate.key === key);
    if (given === undefined || setting === undefined) continue;
    const parsed = setting.schema.safeParse(readNumber(given));
    if (!parsed.success) {
      const wanted = setting.valid.replace(", or null for none", "");
      throw new UsageError("invalid-flag", `${flag} is ${describe(given)}, but it has to be ${wanted}.`, {
        next: `For example: ${flag} ${example}`,
      });
    }
    found.set(key, { key, value: stored(key, parsed.data), source: `flag:${flag}` });
  }
  if (flags.model !== undefined) {
    found.set("models.default", { key: "models.default", value: flags.model, source: "flag:--model" });
  }
  return found;
}

/** Plain decimal notation only: no signs, blanks, hexadecimals or empty text, which `Number` would take. */
function readNumber(given: string | number): unknown {
  if (typeof given === "number") return given;
  return /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(given) ? Number(given) : given;
}
