/**
 * A lock as a file that only one process can make (state.md, two processes). It is held for read, check and append, never
 * for a model call; a second use, the claim, marks model work in flight and is never waited for. A dead holder's lock is
 * taken over: who removes it holds a lock of its own on just that removal, so that no living lock is ever removed.
 */
import { randomUUID } from "node:crypto";
import { StateError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { type Disk, isSameMark, type Mark } from "./disk.ts";
import { describeHolder, Holder, type Processes, whyStale } from "./holder.ts";
import { sha256 } from "./line.ts";

export interface LockContext {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Told when a lock is taken over. */
  readonly notify: (notice: string) => void;
}

export interface Lock {
  release(): void;
}

/** Longer than any process takes between making the file and writing into it. */
const unreadableMs = 1000;
const pauseMs = { first: 2, most: 40 } as const;

/** What is in the lock's place: a holder, or something that is not (yet) one. */
interface Seen {
  readonly holder: Holder | null;
  readonly mark: Mark;
}

/** Waits for the lock up to `waitMs`. @throws StateError `locked` naming the holder. */
export async function lock(context: LockContext, path: string, waitMs: number): Promise<Lock> {
  const got = await tryLock(context, path, waitMs);
  if ("release" in got) return got;
  throw new StateError("locked", `The session is in use by ${got.held}.`, {
    next: `Wait for it, or end it, then run the same command again. If nothing like it runs, remove ${path}.`,
  });
}

/** The lock, or the words for who has it when `waitMs` are over. */
export async function tryLock(context: LockContext, path: string, waitMs: number): Promise<Lock | { held: string }> {
  const { disk, clock, processes } = context;
  const since = clock.monotonic();
  let unreadable: { mark: Mark; since: number } | null = null;
  for (let pause: number = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.most)) {
    const made = create(context, path);
    if (made !== null) return made;
    const seen = look(disk, path);
    if (seen === null) continue;
    const now = clock.monotonic();
    if (seen.holder !== null) unreadable = null;
    else if (!isSameMark(unreadable?.mark ?? null, seen.mark)) unreadable = { mark: seen.mark, since: now };
    const gone = unreadable !== null && now - unreadable.since >= unreadableMs;
    const stale = seen.holder === null ? gone : whyStale(seen.holder, processes, clock.now()) !== null;
    if (stale && (await remove(context, path, seen))) continue;
    const isOver = clock.monotonic() - since >= waitMs;
    if (isOver && (unreadable === null || gone)) return { held: describe(seen, processes) };
    await clock.sleep(pause);
  }
}

function create({ disk, clock, processes }: LockContext, path: string): Lock | null {
  const file = disk.create(path);
  if (file === null) return null;
  const { pid, host } = processes;
  const at = new Date(clock.now()).toISOString();
  const holder: Holder = { pid, host, started: processes.startedOf(pid), at, token: randomUUID() };
  const own = Buffer.from(`${JSON.stringify(holder)}\n`);
  try {
    file.write(own);
  } catch (error) {
    file.close();
    disk.remove(path);
    throw error;
  }
  file.close();
  return {
    release() {
      // Whoever took it for dead holds it now.
      if (disk.read(path)?.equals(own) === true) disk.remove(path);
    },
  };
}

function look(disk: Disk, path: string): Seen | null {
  const mark = disk.look(path);
  const bytes = mark === null ? null : disk.read(path);
  if (mark === null || bytes === null) return null;
  return { holder: parse(bytes.toString("utf8")), mark };
}

function parse(text: string): Holder | null {
  try {
    return Holder.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Removes a stale lock. Two processes may have seen the same one: only the holder of a lock named after that very hold
 * removes it, and only while it is still there, so the second finds the first one's new lock and leaves it.
 */
async function remove(context: LockContext, path: string, stale: Seen): Promise<boolean> {
  const { disk, processes, clock, notify } = context;
  const guard = await tryLock(context, `${path}.${nameOf(stale)}`, unreadableMs);
  if ("held" in guard) return false;
  try {
    const present = look(disk, path);
    if (present === null || nameOf(present) !== nameOf(stale)) return true;
    disk.remove(path);
    const { holder } = stale;
    const why = holder === null ? "never wrote its name" : whyStale(holder, processes, clock.now());
    notify(`The lock of ${describe(stale, processes)} is taken over: it ${why ?? "is gone"}.`);
    return true;
  } finally {
    guard.release();
  }
}

function nameOf({ holder, mark }: Seen): string {
  return sha256(holder?.token ?? `${mark.inode} ${mark.modifiedMs}`).slice(0, 12);
}

function describe({ holder }: Seen, processes: Processes): string {
  return holder === null ? "a process that did not write its name" : describeHolder(holder, processes);
}

/** Who holds a lock now, and whether that still counts; null when it is free. */
export function lookAtLock(context: LockContext, path: string): { held: string; stale: string | null } | null {
  const seen = look(context.disk, path);
  if (seen === null) return null;
  const stale = seen.holder === null ? null : whyStale(seen.holder, context.processes, context.clock.now());
  return { held: describe(seen, context.processes), stale };
}
