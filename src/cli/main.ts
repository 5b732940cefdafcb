#!/usr/bin/env node
/** The command line: parses, runs one command, and turns whatever happened into an exit code. */
import "./startup.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { DeepInterviewError, type ExitCode } from "../errors.ts";
import { findPackageRoot } from "../prompt/root.ts";
import { errorOutput } from "./output.ts";
import { createProgram } from "./program.ts";

const { argv, env, stdin, stdout, stderr } = process;
const isJson =
  argv.includes("--json") ||
  argv.includes("--output=json") ||
  /--output (stream-)?json/.test(argv.join(" ")) ||
  isTurn();

function isTurn(): boolean {
  return ["start", "next", "answer"].includes(argv[2] ?? "");
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

function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (isJson)
      stdout.write(
        `${JSON.stringify({ ok: false, code: "usage", message: error.message, next: "deep-interview --help" })}\n`,
      );
    return 2;
  }
  if (error instanceof DeepInterviewError) {
    if (isJson) stdout.write(`${JSON.stringify(errorOutput(error))}\n`);
    else stderr.write(`${error.message}\n${error.next === null ? "" : `${error.next}\n`}`);
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isJson)
    stdout.write(
      `${JSON.stringify({ ok: false, code: "bug", message, next: "Please report it with the output of --debug." })}\n`,
    );
  else
    stderr.write(
      `This is a bug in deep-interview: ${message}\nPlease report it with what DEEP_INTERVIEW_DEBUG=1 prints.\n`,
    );
  if (env["DEEP_INTERVIEW_DEBUG"] !== undefined || argv.includes("--debug"))
    stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
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
