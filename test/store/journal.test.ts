import { appendFileSync, lstatSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Disk } from "../../src/store/disk.ts";
import { type Journal, openJournal } from "../../src/store/journal.ts";
import { openSite } from "../../src/store/site.ts";
import { at, createFailingDisk, createPlace, journalPath, optionsFor, read, write } from "./place.ts";

function openAt(root: string, disk?: Disk): Journal {
  const journal = openJournal(openSite(optionsFor(root, { disk })));
  journal.refresh();
  return journal;
}

const types = (journal: Journal) => journal.events().map(({ type }) => type);

describe("the journal file", () => {
  it("is made at the first append, for its owner's eyes only", async () => {
    const root = createPlace();
    const journal = openAt(root);
    expect(journal.events()).toEqual([]);
    await journal.append([{ type: "a" }], at);
    const mode = (path: string) => (lstatSync(join(root, path)).mode & 0o777).toString(8);
    expect(mode(journalPath)).toBe("600");
    expect([".gjc", ".gjc/_session-s1", ".gjc/_session-s1/state"].map(mode)).toEqual(["700", "700", "700"]);
  });

  it("is durable with every folder that it needed, and later by itself alone", async () => {
    const root = createPlace();
    const synced: string[] = [];
    const disk = createFailingDisk("fsync", "EIO", (path) => {
      synced.push(path.slice(root.length + 1));
      return false;
    });
    const journal = openAt(root, disk);
    await journal.append([{ type: "a" }], at);
    const state = ".gjc/_session-s1/state";
    expect(synced).toEqual(["", ".gjc", ".gjc/_session-s1", journalPath, state]);
    await journal.append([{ type: "b" }], at);
    expect(synced.slice(5)).toEqual([journalPath]);
  });

  it("gives events with the stamps that are on disk", async () => {
    const root = createPlace();
    const journal = openAt(root);
    const [a, b] = await journal.append([{ type: "a", n: 1 }, { type: "b" }], at);
    expect(a).toMatchObject({ type: "a", n: 1, seq: 1, at });
    expect(b).toMatchObject({ type: "b", seq: 2, prev: a?.hash });
    expect(journal.events()).toEqual([a, b]);
    expect(openAt(root).events()).toEqual([a, b]);
    expect(read(root, journalPath).split("\n")).toHaveLength(3);
  });

  it("reads only the rest when another process appended", async () => {
    const root = createPlace();
    const reads: number[] = [];
    const plain = openSite(optionsFor(root)).disk;
    const disk: Disk = {
      ...plain,
      read(path, from = 0) {
        reads.push(from);
        return plain.read(path, from);
      },
    };
    const first = openAt(root, disk);
    await first.append([{ type: "a" }], at);
    const second = openAt(root);
    await second.append([{ type: "b" }], at);
    first.refresh();
    first.refresh();
    expect(types(first)).toEqual(["a", "b"]);
    expect(reads).toEqual([Buffer.byteLength(read(root, journalPath).split("\n")[0] ?? "") + 1]);
  });

  it("leaves a torn line alone until the next append, and then cuts it off", async () => {
    const root = createPlace();
    await openAt(root).append([{ type: "a" }, { type: "b" }], at);
    const whole = read(root, journalPath);
    truncateSync(join(root, journalPath), whole.length - 10);
    const torn = read(root, journalPath);
    const journal = openAt(root);
    expect([types(journal), journal.torn() > 0]).toEqual([["a"], true]);
    expect(read(root, journalPath)).toBe(torn);
    await journal.append([{ type: "c" }], at);
    expect(types(openAt(root))).toEqual(["a", "c"]);
    expect(journal.torn()).toBe(0);
  });

  it("refuses damage that comes while it is open", async () => {
    const root = createPlace();
    const journal = openAt(root);
    await journal.append([{ type: "a" }], at);
    appendFileSync(join(root, journalPath), "{}\n");
    expect(() => journal.refresh()).toThrow("damaged");
    expect(() => journal.refresh()).toThrow("damaged");
  });

  it("is empty again when the file was moved away", async () => {
    const root = createPlace();
    const journal = openAt(root);
    await journal.append([{ type: "a" }], at);
    openSite(optionsFor(root)).disk.remove(join(root, journalPath));
    journal.refresh();
    expect(journal.events()).toEqual([]);
  });

  it("is never read or written through a link", async () => {
    const root = createPlace();
    write(root, "elsewhere", "");
    write(root, ".gjc/_session-s1/state/x", "");
    symlinkSync(join(root, "elsewhere"), join(root, journalPath));
    const journal = openJournal(openSite(optionsFor(root)));
    expect(() => journal.refresh()).toThrow("symbolic link");
    await expect(journal.append([{ type: "a" }], at)).rejects.toMatchObject({ code: "link-refused" });
    expect(read(root, "elsewhere")).toBe("");
  });
});

describe("a failing disk", () => {
  it.each([
    ["writeSync", "ENOSPC", "disk-full"],
    ["fsync", "EIO", "disk-error"],
    ["openSync", "EACCES", "disk-denied"],
    ["openSync", "EROFS", "disk-read-only"],
    ["mkdirSync", "EROFS", "disk-read-only"],
  ] as const)(
    "at %s with %s is an error with the path and the way out, and leaves nothing half",
    async (call, code, expected) => {
      const root = createPlace();
      const isFirst = call === "mkdirSync";
      if (!isFirst) await openAt(root).append([{ type: "a" }], at);
      const before = isFirst ? "" : read(root, journalPath);
      const journal = openAt(root, createFailingDisk(call, code));
      const error: unknown = await journal.append([{ type: "b" }], at).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: expected, exitCode: 6, next: expect.stringMatching(/\w/) });
      expect(String(error)).toContain(isFirst ? join(root, ".gjc") : "deep-interview-journal.jsonl");
      expect(String(error)).toContain(code);
      if (isFirst) return;
      expect(read(root, journalPath)).toBe(before);
      const after = openAt(root);
      await after.append([{ type: "c" }], at);
      expect(types(after)).toEqual(["a", "c"]);
    },
  );

  it("does not make the journal believe what it could not write", async () => {
    const root = createPlace();
    let broken = true;
    const disk = createFailingDisk("fsync", "EIO", () => broken);
    const journal = openAt(root);
    await journal.append([{ type: "a" }], at);
    const failing = openAt(root, disk);
    await expect(failing.append([{ type: "b" }], at)).rejects.toMatchObject({ code: "disk-error" });
    broken = false;
    failing.refresh();
    expect(types(failing)).toEqual(["a"]);
    await failing.append([{ type: "c" }], at);
    expect(types(openAt(root))).toEqual(["a", "c"]);
  });
});
