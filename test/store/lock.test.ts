import { existsSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDisk } from "../../src/store/disk.ts";
import { openProcesses, type Processes } from "../../src/store/holder.ts";
import { type LockContext, lock, lookAtLock, tryLock } from "../../src/store/lock.ts";
import { at, createClock, createFailingDisk, createPlace, createProcesses, read, write } from "./place.ts";

function contextFor(processes: Processes, clock = createClock()): LockContext & { notices: string[] } {
  const notices: string[] = [];
  return { disk: createDisk(), clock, processes, notices, notify: (notice) => void notices.push(notice) };
}

const alive = new Set([1, 2]);
const one = () => contextFor(createProcesses(1, alive));
const two = () => contextFor(createProcesses(2, alive));
const holder = (more: object) => `${JSON.stringify({ pid: 9, host: "here", started: "1", at, token: "t", ...more })}\n`;

describe("a lock", () => {
  it("is a file with its holder while it is held, and gone after", async () => {
    const path = join(createPlace(), "lock");
    const held = await lock(one(), path, 0);
    expect(JSON.parse(read(path, ""))).toMatchObject({ pid: 1, host: "here", started: "1", at });
    held.release();
    expect(existsSync(path)).toBe(false);
  });

  it("is waited for as long as said, and then the holder is named", async () => {
    const path = join(createPlace(), "lock");
    await lock(one(), path, 0);
    const context = two();
    const error: unknown = await lock(context, path, 5000).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "locked", exitCode: 6, next: expect.stringContaining(path) });
    expect(String(error)).toContain(`process 1, since ${at}`);
    expect(context.clock.monotonic()).toBeGreaterThanOrEqual(5000);
    expect(context.clock.monotonic()).toBeLessThan(5100);
  });

  it("goes to the one who waits when it is released in time", async () => {
    const path = join(createPlace(), "lock");
    const held = await lock(one(), path, 0);
    const waiting = lock(two(), path, 5000);
    held.release();
    (await waiting).release();
    expect(existsSync(path)).toBe(false);
  });

  it("of a dead process is taken over, and the process named", async () => {
    const root = createPlace();
    const context = two();
    write(root, "lock", holder({}));
    const held = await lock(context, join(root, "lock"), 0);
    expect(context.notices).toEqual([`The lock of process 9, since ${at} is taken over: it is gone.`]);
    held.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it("of a process whose number was given away since is taken over", async () => {
    const root = createPlace();
    const context = two();
    write(root, "lock", holder({ pid: 1, started: "0" }));
    (await lock(context, join(root, "lock"), 0)).release();
    expect(context.notices[0]).toContain("another process's now");
    write(root, "lock", holder({ pid: 1, started: "1" }));
    await expect(lock(two(), join(root, "lock"), 0)).rejects.toMatchObject({ code: "locked" });
    write(root, "lock", holder({ pid: 1, started: null }));
    await expect(lock(two(), join(root, "lock"), 0)).rejects.toMatchObject({ code: "locked" });
  });

  it("of another machine counts for ten minutes, whatever runs here under its number", async () => {
    const root = createPlace();
    write(root, "lock", holder({ host: "there" }));
    const young = contextFor(createProcesses(2, alive), createClock({ start: "2026-08-01T10:09:59.000Z" }));
    const error: unknown = await lock(young, join(root, "lock"), 0).catch((caught: unknown) => caught);
    expect(String(error)).toContain('process 9 on "there"');
    const later = contextFor(createProcesses(2, alive), createClock({ start: "2026-08-01T10:10:00.001Z" }));
    await lock(later, join(root, "lock"), 0);
    expect(later.notices[0]).toContain("of another machine and over ten minutes old");
  });

  it("without a readable holder is given a second, because somebody may be about to write it", async () => {
    for (const content of ["", "{", "{}", holder({ at: "yesterday" })]) {
      const root = createPlace();
      write(root, "lock", content);
      const context = two();
      await lock(context, join(root, "lock"), 0);
      expect(context.clock.monotonic()).toBeGreaterThanOrEqual(1000);
      expect(context.notices[0]).toContain("never wrote its name");
    }
  });

  it("that was taken over is not removed by the one who lost it", async () => {
    const root = createPlace();
    const path = join(root, "lock");
    const lost = await lock(one(), path, 0);
    write(root, "lock", holder({ pid: 2 }));
    lost.release();
    expect(read(root, "lock")).toContain('"pid":2');
  });

  it("is taken over by exactly one of many who see the same dead holder, and nobody removes the winner's", async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const root = createPlace();
      const path = join(root, "lock");
      write(root, "lock", holder({}));
      const pids = [11, 12, 13, 14, 15];
      const living = new Set(pids);
      let inside = 0;
      let most = 0;
      const taken = await Promise.all(
        pids.map(async (pid) => {
          const context = contextFor(createProcesses(pid, living), createClock({ runs: false }));
          const held = await lock(context, path, 5000);
          inside += 1;
          most = Math.max(most, inside);
          await context.clock.sleep(1);
          inside -= 1;
          held.release();
          return context.notices.length;
        }),
      );
      expect([most, taken.reduce((sum, count) => sum + count, 0)]).toEqual([1, 1]);
      expect(readdirSync(root)).toEqual([]);
    }
  });

  it("is taken over also where the one who was to remove it died over that", async () => {
    const root = createPlace();
    const path = join(root, "lock");
    write(root, "lock", holder({}));
    const plain = createDisk();
    const dying: LockContext = {
      ...contextFor(createProcesses(8)),
      disk: {
        ...plain,
        remove() {
          throw new Error("died");
        },
      },
    };
    await expect(lock(dying, path, 0)).rejects.toThrow("died");
    expect(readdirSync(root)).toHaveLength(2);
    const context = two();
    (await lock(context, path, 0)).release();
    expect(readdirSync(root)).toEqual([]);
    expect(context.notices).toHaveLength(2);
  });

  it("is not left behind empty by a disk that is full", async () => {
    const root = createPlace();
    const context = { ...one(), disk: createFailingDisk("writeSync", "ENOSPC") };
    await expect(lock(context, join(root, "lock"), 0)).rejects.toMatchObject({ code: "disk-full" });
    expect(readdirSync(root)).toEqual([]);
  });

  it("is safe when the living lock changes hands between the look and the removal", async () => {
    const root = createPlace();
    const path = join(root, "lock");
    write(root, "lock", holder({}));
    const plain = createDisk();
    let swapped = false;
    const context: LockContext = {
      ...two(),
      disk: {
        ...plain,
        create(at) {
          const file = plain.create(at);
          // The guard is taken: now another process takes the dead lock over first.
          if (at !== path && file !== null && !swapped) {
            swapped = true;
            write(root, "lock", holder({ pid: 1, token: "new" }));
          }
          return file;
        },
      },
    };
    await expect(lock(context, path, 0)).rejects.toMatchObject({ code: "locked" });
    expect(read(root, "lock")).toContain('"token":"new"');
  });

  it("in the place of a link or a folder is refused", async () => {
    const root = createPlace();
    write(root, "elsewhere", holder({}));
    symlinkSync(join(root, "elsewhere"), join(root, "lock"));
    await expect(lock(one(), join(root, "lock"), 0)).rejects.toMatchObject({ code: "link-refused" });
    write(root, "folder/x", "");
    await expect(lock(one(), join(root, "folder"), 0)).rejects.toMatchObject({ code: "disk-obstructed" });
    expect(read(root, "elsewhere")).toContain('"pid":9');
  });
});

describe("a look at a lock", () => {
  it("tells who has it and whether that still counts, and changes nothing", async () => {
    const root = createPlace();
    const path = join(root, "lock");
    expect(lookAtLock(one(), path)).toBeNull();
    write(root, "lock", holder({}));
    utimesSync(path, 1, 1);
    expect(lookAtLock(one(), path)).toEqual({ held: `process 9, since ${at}`, stale: "is gone" });
    write(root, "lock", holder({ pid: 2 }));
    expect(lookAtLock(one(), path)?.stale).toBeNull();
  });

  it("tries once when it may not wait", async () => {
    const path = join(createPlace(), "lock");
    await lock(one(), path, 0);
    const context = two();
    expect(await tryLock(context, path, 0)).toEqual({ held: `process 1, since ${at}` });
    expect(context.clock.monotonic()).toBe(0);
  });
});

describe("the system's processes", () => {
  it("know this one, and that a number out of range is nobody", () => {
    const processes = openProcesses();
    expect(processes.pid).toBe(process.pid);
    expect(processes.isAlive(process.pid)).toBe(true);
    expect(processes.isAlive(2 ** 30)).toBe(false);
    const started = processes.startedOf(process.pid);
    expect(started === null || /^\d+$/.test(started)).toBe(true);
    expect(processes.startedOf(2 ** 30)).toBeNull();
  });
});
