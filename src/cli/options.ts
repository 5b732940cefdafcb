/** Flags as commander reads them, parsed once into what the commands use; a wrong value is a usage error (exit 2). */
import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod";
import { UsageError } from "../errors.ts";
import type { Format } from "./output.ts";

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("must be a whole number above 0.");
  return value;
}

function amount(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("must be a number above 0.");
  return value;
}

function decimal(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("must be a number such as 0.2.");
  return value;
}

/** A folder that is there, as a path; everything that would be read in it is read later. */
export function folder(text: string): string {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InvalidArgumentError("There is no such folder.");
  }
  return text;
}

/** A tag of BCP 47 (D1.6). */
function languageTag(text: string): string {
  try {
    if (Intl.getCanonicalLocales(text).length === 1) return text;
  } catch {
    // Told below, like the empty one.
  }
  throw new InvalidArgumentError("It must be a language tag such as ko or pt-BR.");
}

export function once(text: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError("It is given twice.");
  return text;
}

const choice = (flags: string, text: string, choices: string[]) => new Option(flags, text).choices(choices);

export function addOutputOptions(command: Command): Command {
  return command
    .option("--json", "print exactly one JSON value (same as --output json)")
    .addOption(
      choice("--output <format>", "text, json, or stream-json (one object a line)", ["text", "json", "stream-json"]),
    );
}

export function addSessionOptions(command: Command): Command {
  return command
    .option("--session <id>", "the session (else GJC_SESSION_ID, else the only one there is)", once)
    .option("--cwd <dir>", "the project's folder (else this one)", folder);
}

/** What `run` and `start` have in common. */
export function addStartOptions(command: Command): Command {
  return command
    .option("--idea-file <file>", "read the idea from a file, or from standard input with -")
    .option("--session <id>", "name the session (else GJC_SESSION_ID, else a new one)", once)
    .option("--new", "put an unfinished interview of the session aside and start anew")
    .option("--threshold <number>", "the ambiguity to reach, above 0 and up to 1", decimal)
    .option("--quick", "threshold 0.6, unless a setting says otherwise")
    .option("--standard", "threshold 0.5, unless a setting says otherwise")
    .option("--deep", "threshold 0.35, unless a setting says otherwise")
    .addOption(
      choice("--type <type>", "whether it changes something that exists", ["auto", "greenfield", "brownfield"]),
    )
    .option("--language <tag>", "language of the interview, such as ko or pt-BR", languageTag)
    .option("--model <model>", "auto, anthropic, offline, or a model id")
    .option("--prompts <dir>", "a folder whose files replace the shipped prompts of the same name", folder)
    .option("--budget-questions <n>", "write the spec after so many questions, whatever the ambiguity", positive)
    .option("--budget-tokens <n>", "stop, resumable, before a call would go beyond it", positive)
    .option("--budget-usd <n>", "stop, resumable, before a call would go beyond it", amount)
    .option("--cwd <dir>", "the project's folder (else this one)", folder)
    .option("--deliberate", "also prepare the state of ralplan when it is chosen")
    .option("--research-setup", "end with the spec, naming research setup as a follow-up");
}

export function addAnswerOptions(command: Command): Command {
  return command
    .option("--answers <file>", "a YAML or JSON file that answers instead of a person")
    .addOption(
      choice("--on-unanswered <how>", "what to do with a question that nobody answers", [
        "ask",
        "fail",
        "defer",
        "assume",
      ]),
    );
}

const Common = z.object({
  json: z.boolean().optional(),
  output: z.enum(["text", "json", "stream-json"]).optional(),
  session: z.string().optional(),
  cwd: z.string().optional(),
});

export const StartFlags = Common.extend({
  ideaFile: z.string().optional(),
  new: z.boolean().default(false),
  threshold: z.number().optional(),
  quick: z.boolean().default(false),
  standard: z.boolean().default(false),
  deep: z.boolean().default(false),
  type: z.enum(["auto", "greenfield", "brownfield"]).default("auto"),
  language: z.string().optional(),
  model: z.string().default("auto"),
  prompts: z.string().optional(),
  budgetQuestions: z.number().optional(),
  budgetTokens: z.number().optional(),
  budgetUsd: z.number().optional(),
  deliberate: z.boolean().default(false),
  researchSetup: z.boolean().default(false),
  answers: z.string().optional(),
  onUnanswered: z.enum(["ask", "fail", "defer", "assume"]).optional(),
});
export type StartFlags = z.infer<typeof StartFlags>;

export const ResumeFlags = StartFlags.pick({
  json: true,
  output: true,
  session: true,
  cwd: true,
  threshold: true,
  model: true,
  prompts: true,
  answers: true,
  onUnanswered: true,
});
export type ResumeFlags = z.infer<typeof ResumeFlags>;

export const AnswerFlags = Common.extend({
  question: z.string().optional(),
  option: z.array(z.string()).default([]),
  text: z.string().optional(),
  as: z.enum(["answer", "opt-out", "explain", "finish", "cancel"]).optional(),
  input: z.string().optional(),
  model: z.string().default("auto"),
  prompts: z.string().optional(),
});
export type AnswerFlags = z.infer<typeof AnswerFlags>;

export function formatOf(flags: { readonly json?: boolean | undefined; readonly output?: Format | undefined }): Format {
  if (flags.json === true && flags.output !== undefined && flags.output !== "json") {
    throw new UsageError("output", `--json and --output ${flags.output} contradict each other`, {
      next: "Give one of them.",
    });
  }
  return flags.json === true ? "json" : (flags.output ?? "text");
}

export type Preset = "quick" | "standard" | "deep";

/** D0.1: at most one preset. */
export function presetOf(flags: Pick<StartFlags, "quick" | "standard" | "deep">): Preset | null {
  const given = (["quick", "standard", "deep"] as const).filter((name) => flags[name]);
  if (given.length > 1) {
    throw new UsageError("preset", `${given.map((name) => `--${name}`).join(" and ")} contradict each other`, {
      next: "Give one of them.",
    });
  }
  return given[0] ?? null;
}
