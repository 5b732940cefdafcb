/**
 * `npm run bench`: what the program itself costs beside the model, on this machine, against a bare loop in the same run.
 * Nothing here is a test; figures are printed and, with --json, written as one object.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bareLoop } from "./bare.ts";
import { playTurns } from "./play.ts";
import { openLoopback } from "./server.ts";

const delayMs = 100;
const interviews = Number(process.env["BENCH_INTERVIEWS"] ?? 5);
const starts = Number(process.env["BENCH_STARTS"] ?? 9);
const main = join(fileURLToPath(new URL("..", import.meta.url)), "dist", "main.js");

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

const round = (value: number) => Math.round(value * 10) / 10;

interface Ran {
  readonly ms: number;
  readonly out: string;
}

/** Runs a command until it ends, or until `until` stands in its output; gives the time to that point. */
function time(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string, until?: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    let out = "";
    let seen = 0;
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString("utf8");
      if (until !== undefined && seen === 0 && out.includes(until)) {
        seen = performance.now() - started;
        child.kill("SIGKILL");
      }
    });
    child.on("error", reject);
    child.on("close", () => resolve({ ms: seen === 0 ? performance.now() - started : seen, out }));
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "deep-interview-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const plainEnv = (folder: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: folder,
  ...more,
});

async function repeat(times: number, work: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let index = 0; index < times; index += 1) all.push(await work());
  return round(quantile(all, 0.5));
}

const idea = "Build an intake pipeline that ingests CSVs, normalizes records and exports audit-ready reports";

async function measureCold(): Promise<Record<string, number>> {
  const server = await openLoopback(delayMs);
  const node = await repeat(starts, () =>
    inFolder(async (folder) => (await time(["-e", "0"], plainEnv(folder), folder)).ms),
  );
  const offline = await repeat(starts, () =>
    inFolder(
      async (folder) => (await time([main, idea, "--model", "offline"], plainEnv(folder), folder, "Round 0")).ms,
    ),
  );
  const claude = await repeat(starts, () =>
    inFolder(async (folder) => {
      server.reset();
      const env = plainEnv(folder, { ANTHROPIC_API_KEY: "bench-key", ANTHROPIC_BASE_URL: server.url });
      const { ms } = await time([main, idea], env, folder, "Round 0");
      return ms - server.busyMs();
    }),
  );
  const answer = await repeat(starts, () =>
    inFolder(async (folder) => {
      const env = plainEnv(folder);
      await time([main, "start", "--json", "--session", "b", "--model", "offline", idea], env, folder);
      await time([main, "answer", "--session", "b", "--question", "q1", "--option", "right"], env, folder);
      return (await time([main, "answer", "--session", "b", "--question", "q2", "--option", "a"], env, folder)).ms;
    }),
  );
  await server.close();
  return {
    "node -e 0": node,
    "cold to first question, offline": offline,
    "cold to first question, Claude": claude,
    "one answer call": answer,
  };
}

async function measureTurns(): Promise<{ own: number[]; panel: number[]; bare: number[] }> {
  const server = await openLoopback(delayMs);
  const own: number[] = [];
  const panel: number[] = [];
  const bare: number[] = [];
  for (let index = 0; index < interviews; index += 1) {
    for (const turn of await inFolder((folder) => playTurns(folder, server)))
      (turn.calls === 1 ? own : panel).push(turn.overheadMs);
    bare.push(...(await inFolder((folder) => bareLoop(folder, server, 20))));
  }
  await server.close();
  return { own, panel, bare };
}

const turns = await measureTurns();
const cold = await measureCold();
const line = (name: string, values: readonly number[]) =>
  `${name.padEnd(52)} p50 ${round(quantile(values, 0.5))} ms   p95 ${round(quantile(values, 0.95))} ms   (${values.length} turns)`;
process.stdout.write(
  [
    `Node ${process.version}, loopback model with ${delayMs} ms, ${interviews} interviews of 20 rounds, medians of ${starts} starts`,
    line("own overhead a turn, one model call", turns.own),
    line("own overhead a turn, several model calls", turns.panel),
    line("bare loop: one call and two fsynced saves a turn", turns.bare),
    ...Object.entries(cold).map(([name, ms]) => `${name.padEnd(52)} ${ms} ms`),
    "",
  ].join("\n"),
);
