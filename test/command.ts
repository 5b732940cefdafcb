/** Running what `npm run build` made, as a user does: in a folder of its own, with no key and no settings. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const main = join(root, "dist", "main.js");

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the process with -9 as soon as this stands in its output. */
  readonly killAt?: string;
}

export function runCommand(args: readonly string[], { cwd, input = "", env = {}, killAt }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: join(cwd, "home"), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString("utf8");
      if (killAt !== undefined && out.includes(killAt)) child.kill("SIGKILL");
    });
    child.stderr.on("data", (data: Buffer) => {
      err += data.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** A fresh folder for each use; removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "deep-interview-cli-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
