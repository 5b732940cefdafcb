#!/usr/bin/env node
/** The command line: parses, runs one command, and turns whatever happened into an exit code. */
import "./startup.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { visible } from "../core/text.ts";
import { DeepInterviewError, type ExitCode } from "../errors.ts";
import { findPackageRoot } from "../prompt/root.ts";
import { errorOutput, type Format } from "./output.ts";
import { createProgram } from "./program.ts";

const { argv, env, stdin, stdout, stderr } = process;
const format = findFormat(argv.slice(2));

/** Also known when the flags could not be parsed: an error is printed in the format that was asked for. */
function findFormat(args: readonly string[]): Format {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  const at = flags.indexOf("--output");
  const named = at === -1 ? flags.find((flag) => flag.startsWith("--output="))?.slice(9) : flags[at + 1];
  if (named === "stream-json" || named === "json") return named;
  const isTurn = ["start", "next", "answer"].includes(flags.find((flag) => !flag.startsWith("-")) ?? "");
  return flags.includes("--json") || isTurn ? "json" : "text";
}

function version(): string {
  const text = readFileSync(join(findPackageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

async function main(): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram({
    env,
    streams: { stdin, stdout, stderr },
    version: version(),
    done: (result) => {
      code = result;
    },
  });
  await program.parseAsync(argv);
  return code;
}

interface Told {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  readonly next: string | null;
}

function print(told: Told, text = `${told.message}${told.next === null ? "" : `\n${told.next}`}`): void {
  if (format === "text") stderr.write(`${visible(text)}\n`);
  else stdout.write(`${JSON.stringify(format === "stream-json" ? { type: "result", ...told } : told)}\n`);
}

function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const next =
      error.code === "commander.unknownOption"
        ? 'Put -- before an idea that begins with a dash: deep-interview -- "<idea>". All flags: deep-interview --help'
        : "deep-interview --help";
    print({ ok: false, code: "usage", message: error.message.replace(/^error: /, ""), next });
    return 2;
  }
  if (error instanceof DeepInterviewError) {
    print(errorOutput(error));
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  const next = "Please report it with what --debug prints.";
  print({ ok: false, code: "bug", message, next }, `This is a bug in deep-interview: ${message}\n${next}`);
  if (argv.includes("--debug")) stderr.write(`${visible((error instanceof Error && error.stack) || message)}\n`);
  return 1;
}

// A closed pipe behind us is no bug: whoever read has what it wanted.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
const code = await main().catch(explain);
// Output into a pipe is still on its way; a paused terminal or an open socket would keep the process for ever.
await Promise.all([stdout, stderr].map((stream) => new Promise((written) => stream.write("", written))));
process.exit(code);
