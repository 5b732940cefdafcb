/** The commands and their flags. What a command does is loaded when it is called. */
import { Command } from "commander";
import * as z from "zod";
import { cut } from "../core/text.ts";
import type { ExitCode } from "../errors.ts";
import { UsageError } from "../errors.ts";
import type { Env } from "./deps.ts";
import type { Streams } from "./drive.ts";
import {
  AnswerFlags,
  addAnswerOptions,
  addOutputOptions,
  addSessionOptions,
  addStartOptions,
  folder,
  once,
  ResumeFlags,
  StartFlags,
} from "./options.ts";

export interface Host {
  readonly env: Env;
  readonly streams: Streams;
  readonly version: string;
  /** What the command came to. */
  done(code: ExitCode): void;
}

const list = (value: string, all: string[] | undefined) => [...(all ?? []), value];
const AsFlag = z.looseObject({ as: z.unknown() });
const example = (text: string) => `\nExample:\n  $ ${text}`;

export function createProgram(host: Host): Command {
  const program = new Command("deep-interview")
    .description("Interviews you about a vague idea until it is clear enough to build, and writes the spec.")
    .version(host.version)
    .option("--debug", "print the stack of a bug in this program")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void host.streams.stdout.write(text),
      writeErr: (text) => void host.streams.stderr.write(text),
      // Printed with all other errors, in the format that was asked for.
      outputError: () => undefined,
    })
    .addHelpText(
      "after",
      '\nExample:\n  $ deep-interview "Build an intake pipeline that ingests CSVs and exports reports"\n\nExit codes: 0 done, 2 usage, 3 ended below the gate, 4 input needed, 5 model failed, 6 state refused, 130/143 interrupted.',
    );
  addRun(program, host);
  addResume(program, host);
  addTurn(program, host);
  addLook(program, host);
  addState(program, host);
  return program;
}

function addRun(program: Command, host: Host): void {
  const run = program
    .command("run", { isDefault: true })
    .description("an interview from idea to spec (the default command)")
    .argument("[idea...]", "the idea, in your own words");
  addOutputOptions(addAnswerOptions(addStartOptions(run)))
    .addHelpText("after", example('deep-interview run "Build a CLI that renames photos by date" --threshold 0.2'))
    .action(async (words: string[], flags: unknown) => {
      refuseNearCommand(program, words);
      const { runCommand } = await import("./commands/run.ts");
      host.done(await runCommand(words, StartFlags.parse(flags), host.env, host.streams));
    });
}

/**
 * A single word close to a command's name is a slip, not an idea, and so is a command's name behind a flag (cli.md):
 * there the flag already made it the default command's.
 */
function refuseNearCommand(program: Command, words: readonly string[]): void {
  const [word] = words;
  if (word === undefined) return;
  const names = program.commands.map((command) => command.name());
  const isNamed = program.args[0] === "run";
  const ideaOf = (text: string) => text.replace(/[^\p{L}\p{N} -]/gu, "");
  if (names.includes(word) && (words.length === 1 || !isNamed)) {
    throw new UsageError("command", `"${word}" is a command, and a command stands before its flags`, {
      next: `Write: deep-interview ${word} ... with the flags behind it. For an interview that begins with this word: deep-interview run --idea-file - <<< "${cut(ideaOf(words.join(" ")), 80)}"`,
    });
  }
  if (words.length > 1 || /\s/.test(word)) return;
  const near = names.find((name) => distance(name, word.toLowerCase()) <= 2);
  if (near === undefined) return;
  throw new UsageError("command", `there is no command "${word}"`, {
    next: `Did you mean: deep-interview ${near}? For an interview about it: deep-interview run --idea-file - <<< "${ideaOf(word)}"`,
  });
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (left === right ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function addResume(program: Command, host: Host): void {
  const resume = program.command("resume").description("go on with an interview where it stopped");
  addOutputOptions(addAnswerOptions(addSessionOptions(resume)))
    .option("--threshold <number>", "change the gate from here on", Number)
    .option("--model <model>", "auto, anthropic, offline, or a model id", "auto")
    .option("--prompts <dir>", "a folder whose files replace the shipped prompts of the same name", folder)
    .addHelpText("after", example("deep-interview resume"))
    .action(async (flags: unknown) => {
      const { resumeCommand } = await import("./commands/resume.ts");
      host.done(await resumeCommand(ResumeFlags.parse(flags), host.env, host.streams));
    });
  const cancel = program.command("cancel").description("end an interview; its state is kept");
  addOutputOptions(addSessionOptions(cancel))
    .addHelpText("after", example("deep-interview cancel"))
    .action(async (flags: unknown) => {
      const { cancelCommand } = await import("./commands/resume.ts");
      host.done(await cancelCommand(ResumeFlags.parse(flags), host.env, host.streams));
    });
}

function addTurn(program: Command, host: Host): void {
  const start = program
    .command("start")
    .description("turn protocol: begin, print the first step as JSON")
    .argument("[idea...]");
  addStartOptions(start)
    .option("--json", "always on: a turn prints one JSON object")
    .addHelpText(
      "after",
      example('deep-interview start --json --model offline "Build a CLI that renames photos by date"'),
    )
    .action(async (words: string[], flags: unknown) => {
      const { startCommand } = await import("./commands/turn.ts");
      host.done(await startCommand(words, StartFlags.parse(flags), host.env, host.streams));
    });
  const turn = (name: string, text: string) =>
    addSessionOptions(program.command(name).description(text))
      .option("--json", "always on: a turn prints one JSON object")
      .option("--model <model>", "auto, anthropic, offline, or a model id", "auto")
      .option("--prompts <dir>", "a folder whose files replace the shipped prompts of the same name", folder);
  turn("next", "turn protocol: print the pending step again")
    .addHelpText("after", example("deep-interview next --json"))
    .action(async (flags: unknown) => {
      const { nextCommand } = await import("./commands/turn.ts");
      host.done(await nextCommand(AnswerFlags.parse(flags), host.env, host.streams));
    });
  turn("answer", "turn protocol: answer a question, print the next step")
    .option("--question <id>", "the question's id, as the step names it")
    .option("--option <id-or-label>", "an option; repeat for several", list)
    .option("--text <text>", "the answer in the user's own words")
    .option("--as <kind>", "answer, opt-out, explain, finish or cancel")
    .option("--input <file>", "several answers as JSON: @FILE, or - for standard input")
    .addHelpText("after", example("deep-interview answer --json --question q1 --option right"))
    .action(async (flags: unknown) => {
      const { answerCommand } = await import("./commands/turn.ts");
      const parsed = AnswerFlags.safeParse(flags);
      if (!parsed.success)
        throw new UsageError("as", `--as knows no "${String(AsFlag.parse(flags).as)}"`, {
          next: "One of: answer, opt-out, explain, finish, cancel.",
        });
      host.done(await answerCommand(parsed.data, host.env, host.streams));
    });
}

function addLook(program: Command, host: Host): void {
  const show = program.command("show").description("idea, topology, rounds, scores, facts and cost of an interview");
  addOutputOptions(addSessionOptions(show))
    .addHelpText("after", example("deep-interview show"))
    .action(async (flags: unknown) => {
      const { showCommand } = await import("./commands/show.ts");
      host.done(await showCommand(ResumeFlags.parse(flags), host.env, host.streams));
    });
  const sessions = program
    .command("sessions")
    .description("list the interviews of this project, or remove one")
    .argument("[action]", "list or rm", "list")
    .argument("[id]", "the session to remove");
  addOutputOptions(addSessionOptions(sessions))
    .addHelpText("after", example("deep-interview sessions"))
    .action(async (action: string, id: string | undefined, flags: unknown) => {
      if (action !== "list" && action !== "rm")
        throw new UsageError("sessions", `sessions knows no "${action}"`, { next: "list, or rm <id>." });
      const { sessionsCommand } = await import("./commands/show.ts");
      host.done(await sessionsCommand(action, id, ResumeFlags.parse(flags), host.env, host.streams));
    });
  const doctor = program.command("doctor").description("check node, settings, credentials, sessions");
  addOutputOptions(doctor)
    .option("--cwd <dir>", "the project's folder (else this one)", folder)
    .option("--live", "also ask the model for one small thing")
    .addHelpText("after", example("deep-interview doctor"))
    .action(async (flags: { live?: boolean }) => {
      const { doctorCommand } = await import("./commands/doctor.ts");
      host.done(await doctorCommand({ ...ResumeFlags.parse(flags), live: flags.live }, host.env, host.streams));
    });
  program
    .command("schema")
    .description("print the JSON schema of what a command prints or reads")
    .argument("<name>", "run, step, show, sessions, doctor, error, answers, settings")
    .addHelpText("after", example("deep-interview schema answers"))
    .action(async (name: string) => {
      const { schemaCommand } = await import("./commands/schema.ts");
      host.done(schemaCommand(name, host.streams));
    });
}

function addState(program: Command, host: Host): void {
  const state = program
    .command("state")
    .description("the session's state as other tools read it: read, clear, doctor")
    .argument("<action>", "read, clear or doctor")
    .option("--mode <mode>", "whose state", "deep-interview")
    .option("--force", "with clear: really end the session's interview")
    .option("--compact", "with read: one line of JSON")
    .option("--fields <names>", "with read: only these fields, separated by commas");
  addOutputOptions(addSessionOptions(state))
    .option("--session-id <id>", "same as --session", once)
    .addHelpText("after", example("deep-interview state read --json"))
    .action(async (action: string, flags: unknown) => {
      const { stateCommand } = await import("./commands/state.ts");
      host.done(await stateCommand(action, flags, host.env, host.streams));
    });
}
