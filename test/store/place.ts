/** Temporary projects, clocks, processes and failing disks for the tests of the store. */
import * as nodeFs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/ports.ts";
import { type Calls, createDisk, type Disk } from "../../src/store/disk.ts";
import type { Processes } from "../../src/store/holder.ts";
import type { SiteOptions } from "../../src/store/site.ts";
import { type OpenStore, openStore } from "../../src/store/store.ts";

export const at = "2026-08-01T10:00:00.000Z";
export const clearCommand = "deep-interview state clear --force --mode deep-interview";

/** An empty folder that goes when the test ends. */
export function createPlace(): string {
  const root = nodeFs.realpathSync(nodeFs.mkdtempSync(join(tmpdir(), "store-")));
  onTestFinished(() => nodeFs.rmSync(root, { recursive: true, force: true }));
  return root;
}

/** Time that passes only while somebody sleeps; with `runs: false` not even then, so that nobody ever gives up. */
export function createClock({ runs = true, start = at } = {}): Clock & { advance(ms: number): void } {
  let ms = 0;
  return {
    now: () => Date.parse(start) + ms,
    monotonic: () => ms,
    advance(more) {
      ms += more;
    },
    async sleep(wait) {
      if (runs) ms += wait;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Processes by number: those in `alive` live, began at tick 1 each, and are all on one machine. */
export function createProcesses(pid: number, alive: ReadonlySet<number> = new Set([pid]), host = "here"): Processes {
  return { pid, host, isAlive: (other) => alive.has(other), startedOf: (other) => (alive.has(other) ? "1" : null) };
}

export function optionsFor(root: string, more: Partial<SiteOptions> = {}): SiteOptions {
  return { projectRoot: root, sessionId: "s1", clock: createClock(), processes: createProcesses(1), ...more };
}

export function open(root: string, more: Partial<SiteOptions> = {}): Promise<OpenStore> {
  return openStore(optionsFor(root, more));
}

/** Stands for the death of the process at one call of the file system: neither that one nor any later one is made. */
export class Crash extends Error {}

const changing = ["openSync", "writeSync", "fsync", "ftruncateSync", "mkdirSync", "renameSync", "unlinkSync"] as const;

/** A disk that dies at the `last`-th changing call; a write that dies leaves its first half behind. */
export function createCrashingDisk(last: number): { disk: Disk; count(): number } {
  let count = 0;
  const step = () => {
    count += 1;
    if (count >= last) throw new Crash();
  };
  const calls: Calls = {
    ...nodeFs,
    openSync(path, flags, mode) {
      if ((flags & nodeFs.constants.O_CREAT) !== 0) step();
      else if (count >= last) throw new Crash();
      return nodeFs.openSync(path, flags, mode);
    },
    writeSync(fd, bytes, offset, length) {
      try {
        step();
      } catch (error) {
        if (count === last) nodeFs.writeSync(fd, bytes, offset, Math.floor(length / 2));
        throw error;
      }
      return nodeFs.writeSync(fd, bytes, offset, length);
    },
    fsync(fd, done) {
      try {
        step();
      } catch (error) {
        done(error instanceof Error ? error : null);
        return;
      }
      nodeFs.fsync(fd, done);
    },
    ftruncateSync(fd, length) {
      step();
      nodeFs.ftruncateSync(fd, length);
    },
    mkdirSync(path, mode) {
      step();
      nodeFs.mkdirSync(path, mode);
    },
    renameSync(from, to) {
      step();
      nodeFs.renameSync(from, to);
    },
    unlinkSync(path) {
      step();
      nodeFs.unlinkSync(path);
    },
  };
  return { disk: createDisk(calls), count: () => count };
}

/** A disk of which one call fails as the system's would, when `when` says so. */
export function createFailingDisk(call: (typeof changing)[number], code: string, when = (_path: string) => true): Disk {
  const fail = (path: string) => {
    if (when(path)) throw Object.assign(new Error(code), { code });
  };
  const paths = new Map<number, string>();
  const calls: Calls = {
    ...nodeFs,
    openSync(path, flags, mode) {
      if (call === "openSync" && (flags & nodeFs.constants.O_CREAT) !== 0) fail(path);
      const fd = nodeFs.openSync(path, flags, mode);
      paths.set(fd, path);
      return fd;
    },
    writeSync(fd, bytes, offset, length) {
      if (call === "writeSync") fail(paths.get(fd) ?? "");
      return nodeFs.writeSync(fd, bytes, offset, length);
    },
    fsync(fd, done) {
      if (call === "fsync" && when(paths.get(fd) ?? "")) done(Object.assign(new Error(code), { code }));
      else nodeFs.fsync(fd, done);
    },
    mkdirSync(path, mode) {
      if (call === "mkdirSync") fail(path);
      nodeFs.mkdirSync(path, mode);
    },
    renameSync(from, to) {
      if (call === "renameSync") fail(to);
      nodeFs.renameSync(from, to);
    },
    unlinkSync(path) {
      if (call === "unlinkSync") fail(path);
      nodeFs.unlinkSync(path);
    },
  };
  return createDisk(calls);
}

export const journalPath = ".gjc/_session-s1/state/deep-interview-journal.jsonl";
export const statePath = ".gjc/_session-s1/state/deep-interview-state.json";

export function read(root: string, path: string): string {
  return nodeFs.readFileSync(join(root, path), "utf8");
}

export function write(root: string, path: string, content: string | Uint8Array): void {
  nodeFs.mkdirSync(join(root, path, ".."), { recursive: true });
  nodeFs.writeFileSync(join(root, path), content);
}

/** Every file below a folder with its bytes, and every link, so that two moments can be compared. */
export function contentOf(root: string, path = "."): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of nodeFs.readdirSync(join(root, path), { withFileTypes: true })) {
    const inner = path === "." ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(found, contentOf(root, inner));
    else found[inner] = entry.isFile() ? nodeFs.readFileSync(join(root, inner), "latin1") : "link";
  }
  return found;
}

/** An envelope as an interview makes it: of the given revision, with whatever else. */
export function envelopeOf(revision: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    skill: "deep-interview",
    active: true,
    current_phase: "interviewing",
    version: 1,
    session_id: "s1",
    threshold: 0.05,
    threshold_source: "default",
    updated_at: at,
    state_revision: revision,
    state: { interview_id: "i1", rounds: [], current_ambiguity: 1, threshold: 0.05, threshold_source: "default" },
    ...more,
  };
}

export const started = {
  type: "interview.started",
  interview_id: "i1",
  idea: "A café, 한국어, \u2028 and \ud83d\ude00",
};

/** A session with some events and its snapshot. */
export async function createSession(root: string, events = 3, more: Partial<SiteOptions> = {}): Promise<OpenStore> {
  const store = await open(root, more);
  for (let seq = 0; seq < events; seq += 1) {
    await store.append([seq === 0 ? started : { type: "answer.recorded", text: `answer ${seq}` }], seq, at);
  }
  if (events > 0) await store.project({ envelope: envelopeOf(events), spec: null, seeds: {} });
  return store;
}
