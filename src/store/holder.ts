/**
 * Who holds a lock (state.md, two processes): process, machine and the time the process began, so that a number that the
 * system gave to another process since is not taken for the holder.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { printable } from "../core/entries.ts";
import { codeOf } from "./disk.ts";

export const Holder = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** When the process began, in the system's own terms; null where that cannot be told. */
  started: z.string().nullable(),
  at: z.iso.datetime(),
  /** Of this one hold. */
  token: z.string().min(1),
});
export type Holder = z.infer<typeof Holder>;

/** What the system says of processes; tests have their own. */
export interface Processes {
  readonly pid: number;
  readonly host: string;
  isAlive(pid: number): boolean;
  /** Null where the system does not tell. */
  startedOf(pid: number): string | null;
}

export function openProcesses(): Processes {
  const { pid } = process;
  const own = startedOf(pid);
  return { pid, host: hostname(), isAlive, startedOf: (other) => (other === pid ? own : startedOf(other)) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive, too.
    return codeOf(error) === "EPERM";
  }
}

/** The 22nd field of `/proc/PID/stat`; the name before it is in parentheses and may hold anything. */
function startedOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** After this age another machine's hold is taken for dead: nobody here can ask whether it lives. */
export const foreignAgeMs = 10 * 60_000;

/** Why a hold counts no more; null while it does. */
export function whyStale(holder: Holder, processes: Processes, nowMs: number): string | null {
  if (holder.host !== processes.host) {
    return nowMs - Date.parse(holder.at) > foreignAgeMs ? "is of another machine and over ten minutes old" : null;
  }
  if (!processes.isAlive(holder.pid)) return "is gone";
  const started = processes.startedOf(holder.pid);
  const reused = started !== null && holder.started !== null && started !== holder.started;
  return reused ? "is gone, and its number is another process's now" : null;
}

export function describeHolder(holder: Holder, processes: Processes): string {
  const where = holder.host === processes.host ? "" : ` on "${printable(holder.host)}"`;
  return `process ${holder.pid}${where}, since ${holder.at}`;
}
