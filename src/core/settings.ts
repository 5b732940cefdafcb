/**
 * D0.1, D0.2, D0.3, D0.5: every setting below `gjc.deepInterview`, with its default, its valid range and what it is for.
 * The example file, the README and the schema derive from this one table. Reading files is the store's work, choosing
 * between them that of `layers.ts`.
 */
import * as z from "zod";
import { percent } from "./ratio.ts";

/** The limits that an interview is started with and keeps (D0.4, D0.5). */
export const Limits = z.object({
  maxRounds: z.int().min(1),
  softWarningRound: z.int().min(1),
  earlyExitRound: z.int().min(1),
  stallWindow: z.int().min(2),
  stallBand: z.number().min(0).max(1),
  ontologyEscalationRound: z.int().min(1),
  autoAnswerClarityCap: z.number().min(0).max(1),
  autoAnswerStreak: z.int().min(1),
  restateLoops: z.int().min(1),
  /** Odd, so that a median is a sample. */
  scoringSamples: z
    .int()
    .min(1)
    .refine((count) => count % 2 === 1),
  /** Transcript and facts in one prompt; a token is taken as four characters. */
  promptBudgetTokens: z.int().min(1000),
  panelConcurrency: z.int().min(1),
  budgetQuestions: z.int().min(1).nullable(),
  budgetTokens: z.int().min(1).nullable(),
  budgetUsd: z.number().positive().nullable(),
});
export type Limits = z.infer<typeof Limits>;

export const defaultLimits: Limits = {
  maxRounds: 20,
  softWarningRound: 10,
  earlyExitRound: 3,
  stallWindow: 3,
  stallBand: 0.05,
  ontologyEscalationRound: 8,
  autoAnswerClarityCap: 0.85,
  autoAnswerStreak: 3,
  restateLoops: 2,
  scoringSamples: 3,
  promptBudgetTokens: 4000,
  panelConcurrency: 4,
  budgetQuestions: null,
  budgetTokens: null,
  budgetUsd: null,
};

/** Where settings stand in a settings file. */
export const settingsRoot = "gjc.deepInterview";
export const defaultThreshold = 0.05;
/** One model for everything shares one cache. */
export const defaultModel = "claude-opus-5-5";

/** D0.2. Below 0.0001 a threshold would be 0 in units of 1e-4, which no score reaches by being clear. */
export const Threshold = z.number().min(0.0001).max(1);

/** D0.1: thresholds by the name of their flag. */
export const presets = { quick: 0.6, standard: 0.5, deep: 0.35 } as const;
export type Preset = keyof typeof presets;

/** D0.3: the first line of every human surface. Fixed in every language. */
export function thresholdLine(threshold: number, source: string): string {
  return `Deep Interview threshold: ${percent(threshold)} (source: ${source})`;
}

/** One setting. */
export interface Setting {
  /** Below `gjc.deepInterview`, dotted. */
  readonly key: string;
  readonly schema: z.ZodType;
  readonly fallback: unknown;
  /** What is valid, as the end of "it has to be …". */
  readonly valid: string;
  /** One line for people: what it decides. */
  readonly about: string;
  /** The limit that it sets, when it sets one. */
  readonly limit: keyof Limits | null;
}

const whole = "a whole number of at least 1";
const ratio = "a number from 0 to 1";

/** Valid range and meaning of each limit, by key. */
const limits: readonly (readonly [key: string, limit: keyof Limits, valid: string, about: string])[] = [
  ["maxRounds", "maxRounds", whole, "Rounds after which the spec is written whatever the ambiguity."],
  ["softWarningRound", "softWarningRound", whole, "The round after which you are asked once whether to go on."],
  ["earlyExitRound", "earlyExitRound", whole, "The first round in which you can finish early."],
  ["stallWindow", "stallWindow", "a whole number of at least 2", "Scored rounds that are compared to see a stall."],
  ["stallBand", "stallBand", ratio, "The most that ambiguity moves in a stall."],
  [
    "ontologyEscalationRound",
    "ontologyEscalationRound",
    whole,
    "From here on high ambiguity asks what this really is.",
  ],
  ["autoAnswerClarityCap", "autoAnswerClarityCap", ratio, "The most clarity that an assumed answer alone can give."],
  ["autoAnswerStreak", "autoAnswerStreak", whole, "Rounds without your own judgement before a question must be yours."],
  ["restateLoops", "restateLoops", whole, "Corrections of the restated goal before questions go on."],
  ["scoring.samples", "scoringSamples", "an odd whole number of at least 1", "Scores taken when the gate is near."],
  [
    "promptBudgetTokens",
    "promptBudgetTokens",
    "a whole number of at least 1000",
    "Transcript and facts in one prompt.",
  ],
  ["panelConcurrency", "panelConcurrency", whole, "Reviewers of the panel that work at the same time."],
  [
    "budget.questions",
    "budgetQuestions",
    `${whole}, or null for none`,
    "Questions before the spec is written as it is.",
  ],
  ["budget.tokens", "budgetTokens", `${whole}, or null for none`, "Tokens that the interview stops before exceeding."],
  ["budget.usd", "budgetUsd", "a number above 0, or null for none", "Cost in USD that it stops before exceeding."],
];

/** Roles and tasks that can have a model of their own; a task's own one comes before its role's. */
export const modelRoles = [
  ...["default", "interviewer", "scorer", "panel", "architect", "writer", "explorer"],
  ...["summarise", "explore", "topology", "question", "research", "auto-answer", "interpret", "score", "closure"],
  ...["restate", "crystallize", "territory", "wording", "map-answer", "infer", "glossary"],
] as const;

const ModelId = z.string().trim().min(1).max(200).nullable();
const modelId = "a model id as a string, or null for the default";

function aboutRole(role: string): string {
  if (role === "default") return "The model for everything that has none of its own.";
  return `The model for ${role}; null: that of its role, else the default.`;
}

/** Every setting, in the order in which they are shown. */
export const settings: readonly Setting[] = [
  {
    key: "ambiguityThreshold",
    schema: Threshold,
    fallback: defaultThreshold,
    valid: "a number above 0, at least 0.0001, and at most 1",
    about: "Ambiguity at or below which the interview passes its gate.",
    limit: null,
  },
  ...limits.map(([key, limit, valid, about]) => ({
    key,
    schema: Limits.shape[limit],
    fallback: defaultLimits[limit],
    valid,
    about,
    limit,
  })),
  ...modelRoles.map((role) => ({
    key: `models.${role}`,
    schema: ModelId,
    fallback: role === "default" ? defaultModel : null,
    valid: modelId,
    about: aboutRole(role),
    limit: null,
  })),
  {
    key: "modelProfiles",
    schema: z.record(z.string(), z.record(z.string(), z.unknown())),
    fallback: {},
    valid: "an object of model profiles by model id",
    about: "What a model takes and costs, where that differs from what ships.",
    limit: null,
  },
];

type Nested = { [key: string]: unknown };

/** A complete settings file with every setting at its default: `settings.example.json` is this, as JSON. */
export function exampleSettings(): Nested {
  return nest((setting) => setting.fallback);
}

/** The settings file as a zod object, for `schema settings`; it lets other tools' keys through. */
export function settingsSchema(): z.ZodType {
  const own = nest(({ schema, about }) => schema.optional().describe(about));
  return objectOf(own);
}

function objectOf(value: unknown): z.ZodType {
  if (value instanceof z.ZodType) return value;
  const entries = Object.entries(z.record(z.string(), z.unknown()).parse(value));
  return z.looseObject(Object.fromEntries(entries.map(([key, inner]) => [key, objectOf(inner)]))).optional();
}

function nest(leaf: (setting: Setting) => unknown): Nested {
  const root: Nested = {};
  for (const setting of settings) {
    const path = `${settingsRoot}.${setting.key}`.split(".");
    let node = root;
    for (const step of path.slice(0, -1)) node = childOf(node, step);
    node[path.at(-1) ?? ""] = leaf(setting);
  }
  return root;
}

function childOf(node: Nested, key: string): Nested {
  const child: Nested = {};
  const present = node[key];
  if (typeof present === "object" && present !== null) Object.assign(child, present);
  node[key] = child;
  return child;
}
