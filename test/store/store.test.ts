import { existsSync, lstatSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Stamped } from "../../src/ports.ts";
import { createDisk } from "../../src/store/disk.ts";
import { formatLine } from "../../src/store/line.ts";
import { checksumOf } from "../../src/store/snapshot.ts";
import {
  at,
  clearCommand,
  contentOf,
  createClock,
  createFailingDisk,
  createPlace,
  createProcesses,
  createSession,
  envelopeOf,
  journalPath,
  open,
  read,
  started,
  statePath,
  write,
} from "./place.ts";

const plain = (revision: number, more: object = {}) => ({
  envelope: envelopeOf(revision, { ...more }),
  spec: null,
  seeds: {},
});
const typesOf = (events: readonly Stamped<{ type: string }>[]) => events.map(({ type }) => type);

describe("a store", () => {
  it("makes nothing when it is opened, read from, or refuses", async () => {
    const root = createPlace();
    const store = await open(root);
    expect(await store.events()).toEqual([]);
    expect([store.found.kind, store.notices]).toEqual(["none", []]);
    expect(await store.append([], 7, at)).toEqual([]);
    await expect(store.append([started], 7, at)).rejects.toMatchObject({ code: "conflict" });
    expect(readdirSync(root)).toEqual([]);
    expect(store.statePath).toBe(join(root, statePath));
    expect(store.root).toBe(join(root, ".gjc/_session-s1"));
    expect(store.sessionId).toBe("s1");
  });

  it("gives what was appended, byte for byte, to whoever opens it next", async () => {
    const root = createPlace();
    const text = "`$(x)` a > b <<EOF \"quotes\" 'single' \\ \n\r\t é e\u0301 한국어 😀 \u2028";
    await (await open(root)).append([started, { type: "reply.received", text }], 0, at);
    const store = await open(root);
    const events = await store.events();
    expect(typesOf(events)).toEqual(["interview.started", "reply.received"]);
    expect(events[1]?.["text"]).toBe(text);
    expect(store.found.kind).toBe("behind");
  });

  it("refuses an append made for another revision, and writes nothing of it", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    const before = contentOf(root);
    for (const after of [0, 1, 3]) {
      const refused = store.append([{ type: "x" }], after, at);
      await expect(refused).rejects.toMatchObject({
        code: "conflict",
        exitCode: 6,
        next: expect.stringContaining("next"),
      });
    }
    expect(contentOf(root)).toEqual(before);
  });

  it("leaves no lock and nothing else behind, and keeps its files to their owner", async () => {
    const root = createPlace();
    const store = await createSession(root);
    await store.putBlob("raw");
    const state = join(root, ".gjc/_session-s1/state");
    expect(readdirSync(state).sort()).toEqual(["blobs", "deep-interview-journal.jsonl", "deep-interview-state.json"]);
    for (const name of readdirSync(state)) {
      expect(lstatSync(join(state, name)).mode & 0o777).toBe(name === "blobs" ? 0o700 : 0o600);
    }
  });

  it("D11.3 drops a torn last line with a notice, and goes on after it", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const first = await open(root);
    await first.append([{ type: "cut" }], 1, at);
    truncateSync(join(root, journalPath), statSync(join(root, journalPath)).size - 3);
    const torn = read(root, journalPath);
    const store = await open(root);
    expect(typesOf(await store.events())).toEqual(["interview.started"]);
    expect(store.notices).toEqual([expect.stringContaining("was cut off after ")]);
    expect(read(root, journalPath)).toBe(torn);
    await store.append([{ type: "again" }], 1, at);
    const next = await open(root);
    expect(typesOf(await next.events())).toEqual(["interview.started", "again"]);
    expect(next.notices).toEqual([]);
  });

  it("D11.3 refuses a damaged journal with the command that clears it, and touches nothing", async () => {
    const root = createPlace();
    await createSession(root);
    write(root, journalPath, read(root, journalPath).replace("answer 1", "answer 7"));
    const before = contentOf(root);
    await expect(open(root)).rejects.toMatchObject({
      code: "journal-corrupt",
      exitCode: 6,
      message: expect.stringContaining(`${journalPath}:2:`),
      next: expect.stringContaining(clearCommand),
    });
    expect(contentOf(root)).toEqual(before);
  });

  it("D11.3 refuses a snapshot that was cut off or changed in one digit, and touches nothing", async () => {
    for (const change of [
      (text: string) => text.slice(0, 20),
      (text: string) => text.replace('"current_ambiguity": 1', '"current_ambiguity": 0'),
      () => "",
    ]) {
      const root = createPlace();
      await createSession(root);
      write(root, statePath, change(read(root, statePath)));
      const before = contentOf(root);
      await expect(open(root)).rejects.toMatchObject({ exitCode: 6, next: expect.stringContaining(clearCommand) });
      expect(contentOf(root)).toEqual(before);
    }
  });

  it("D11.3 refuses a snapshot ahead of a journal that lost its last lines", async () => {
    const root = createPlace();
    await createSession(root, 3);
    const lines = read(root, journalPath).split("\n");
    write(root, journalPath, `${lines.slice(0, 2).join("\n")}\n`);
    await expect(open(root)).rejects.toMatchObject({
      code: "state-ahead",
      message: expect.stringContaining("revision 3, the journal ends at 2"),
    });
    rmSync(join(root, journalPath));
    await expect(open(root)).rejects.toMatchObject({ code: "state-ahead" });
  });

  it("D0.4 D1.4 D11.3 rebuilds a lost or older snapshot byte for byte, threshold and source in it", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    const older = read(root, statePath);
    await store.append([{ type: "x" }], 2, at);
    await store.project(plain(3));
    const text = read(root, statePath);
    expect(JSON.parse(text)).toMatchObject({ threshold: 0.05, threshold_source: "default", state_revision: 3 });
    for (const lose of [() => rmSync(join(root, statePath)), () => write(root, statePath, older)]) {
      lose();
      const next = await open(root);
      expect(next.found.kind).toBe("behind");
      expect(next.notices).toEqual([]);
      await next.project(plain(3));
      expect(read(root, statePath)).toBe(text);
    }
  });

  it("writes nothing when the snapshot is as it has to be", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const mark = statSync(join(root, statePath));
    const store = await open(root, { disk: createFailingDisk("openSync", "EROFS") });
    expect(store.found.kind).toBe("current");
    await store.project(plain(2));
    expect(statSync(join(root, statePath)).ino).toBe(mark.ino);
  });

  it("fills in the revision and the time of the last event where an envelope has none", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const { state_revision: _, updated_at: __, ...rest } = envelopeOf(1);
    await store.append([{ type: "x" }], 1, "2026-08-02T00:00:00.000Z");
    await store.project({ envelope: rest, spec: null, seeds: {} });
    expect(JSON.parse(read(root, statePath))).toMatchObject({
      state_revision: 2,
      updated_at: "2026-08-02T00:00:00.000Z",
    });
    await expect(store.project(plain(3))).rejects.toThrow("cannot follow");
  });

  it("keeps fields that it does not know through every later write", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    await store.project(plain(1, { odd: { of: ["another", "tool"] } }));
    const envelope = JSON.parse(read(root, statePath));
    expect(envelope.odd).toEqual({ of: ["another", "tool"] });
    expect(envelope.receipt.content_sha256.value).toBe(checksumOf(envelope));
  });

  it("keeps two sessions apart", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const other = await open(root, { sessionId: "s2" });
    await other.append([{ type: "other" }], 0, at);
    expect(typesOf(await (await open(root)).events())).toEqual(["interview.started"]);
  });

  it("serves another kind of interview under other names", async () => {
    const root = createPlace();
    const fileset = { journal: "frontier-design-journal.jsonl", state: "frontier-design-state.json" };
    const store = await open(root, { fileset });
    await store.append([{ type: "x" }], 0, at);
    await store.project(plain(1));
    expect(readdirSync(join(root, ".gjc/_session-s1/state")).sort()).toEqual([fileset.journal, fileset.state]);
    expect((await open(root)).found.kind).toBe("none");
  });
});

describe("state of another tool", () => {
  const foreign = (envelope: Record<string, unknown>) => {
    const receipt = { version: 1, owner: "another-tool", mutation_id: "m" };
    const covered = { ...envelope, receipt };
    const checksum = { algorithm: "sha256", value: checksumOf(covered), covered_path: "x", computed_at: at };
    return { ...covered, receipt: { ...receipt, content_sha256: checksum } };
  };

  it("is handed over when the store is opened, and never written over before it is taken in", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const text = JSON.stringify(foreign(envelopeOf(5, { odd: 1 })));
    write(root, statePath, text);
    const store = await open(root);
    expect([store.found.kind, store.found.envelope?.["odd"]]).toEqual(["foreign", 1]);
    await store.project(plain(2));
    await expect(store.append([{ type: "x" }], 2, at)).rejects.toMatchObject({ code: "conflict" });
    expect(read(root, statePath)).toBe(text);
    const imported = { type: "state.imported", interview_id: "i1", envelope: store.found.envelope };
    await store.append([imported], 2, at);
    expect((await open(root)).found.kind).toBe("behind");
    await store.project(plain(3, { odd: 1 }));
    expect(JSON.parse(read(root, statePath))).toMatchObject({ odd: 1, receipt: { owner: "deep-interview" } });
    expect((await open(root)).found.kind).toBe("current");
  });

  it("is handed over without a journal as well, as a legacy one, flat or nested", async () => {
    for (const envelope of [{ rounds: [{ round: 1 }], current_ambiguity: 0.4 }, envelopeOf(7)]) {
      const root = createPlace();
      write(root, statePath, JSON.stringify(envelope));
      const store = await open(root);
      expect([store.found.kind, store.found.envelope]).toEqual(["legacy", envelope]);
      await expect(store.append([started], 0, at)).rejects.toMatchObject({ code: "conflict" });
      expect(contentOf(root)).toEqual({ [statePath]: JSON.stringify(envelope) });
      await store.append([{ type: "state.imported", interview_id: "i1", envelope }], 0, at);
      await store.project(plain(1));
      expect((await open(root)).found.kind).toBe("current");
    }
  });

  it("can be put away instead of being taken in", async () => {
    const root = createPlace();
    write(root, statePath, JSON.stringify({ rounds: [] }));
    const store = await open(root);
    await store.archiveInterview("legacy");
    await store.append([started], 0, at);
    await store.project(plain(1));
    expect(read(root, ".gjc/_session-s1/state/archive/legacy/deep-interview-state.json")).toBe('{"rounds":[]}');
  });

  it("brings no control character of its own into a message", async () => {
    const root = createPlace();
    await createSession(root, 2);
    write(root, statePath, JSON.stringify(foreign(envelopeOf(5, { state: { interview_id: "\u009b31m\u202e" } }))));
    const error: unknown = await open(root).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "state-other-interview", message: expect.stringMatching(/^\P{C}+$/u) });
    const id = "a'b \u009b";
    write(root, ".gjc/_session-a'b%20%C2%9B/state/deep-interview-state.json", "{");
    const other: unknown = await open(root, { sessionId: id }).catch((caught: unknown) => caught);
    expect(other).toMatchObject({ next: `${clearCommand} --session a'b%20%C2%9B` });
  });

  it("that comes while the store is open is a conflict, not a lost update", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    write(root, statePath, JSON.stringify(foreign(envelopeOf(9))));
    const before = read(root, statePath);
    await store.append([{ type: "x" }], 2, at);
    await expect(store.project(plain(3))).rejects.toMatchObject({
      code: "conflict",
      next: expect.stringContaining("again"),
    });
    write(root, statePath, "{");
    await expect(store.project(plain(3))).rejects.toMatchObject({ code: "state-corrupt" });
    const other = createPlace();
    const unchanged = await createSession(other, 2);
    write(other, statePath, "{");
    await expect(unchanged.project(plain(2))).rejects.toMatchObject({ code: "state-corrupt" });
    expect(before).toContain("another-tool");
    expect(read(root, statePath)).toBe("{");
  });
});

describe("two stores on one session", () => {
  it("accept exactly one of two appends on one revision, and the loser sees why", async () => {
    const root = createPlace();
    const alive = new Set([1, 2]);
    const clock = createClock({ runs: false });
    const one = await createSession(root, 1, { clock, processes: createProcesses(1, alive) });
    const two = await open(root, { clock, processes: createProcesses(2, alive) });
    for (let after = 1; after < 12; after += 1) {
      const results = await Promise.allSettled([
        one.append([{ type: "one" }], after, at),
        two.append([{ type: "two" }], after, at),
      ]);
      const [lost] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(lost).toMatchObject({ code: "conflict" });
    }
    expect(await one.events()).toEqual(await two.events());
    expect(await (await open(root)).events()).toHaveLength(12);
  });

  it("open five at once, start five at once: one journal, one interview", async () => {
    const root = createPlace();
    const pids = [1, 2, 3, 4, 5];
    const clock = createClock({ runs: false });
    const stores = await Promise.all(
      pids.map((pid) => open(root, { clock, processes: createProcesses(pid, new Set(pids)) })),
    );
    const results = await Promise.allSettled(
      stores.map((store, index) => store.append([{ ...started, interview_id: `i${index}` }], 0, at)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await (await open(root)).events()).toHaveLength(1);
  });

  it("see each other's events, and an older snapshot never replaces a newer one", async () => {
    const root = createPlace();
    const one = await createSession(root, 1);
    const two = await open(root);
    await two.append([{ type: "two" }], 1, at);
    await two.project(plain(2));
    const newer = read(root, statePath);
    await one.project(plain(1));
    expect(read(root, statePath)).toBe(newer);
    expect(typesOf(await one.events())).toEqual(["interview.started", "two"]);
    await one.append([{ type: "three" }], 2, at);
    await one.project(plain(3));
    expect(JSON.parse(read(root, statePath)).state_revision).toBe(3);
  });

  it("leave the snapshot to the one who appends between another's rendering and its lock", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const [first] = await (await open(root)).events();
    const disk = createDisk();
    const store = await open(root, {
      disk: {
        ...disk,
        create(path) {
          if (path.endsWith(".lock") && first !== undefined) {
            write(root, journalPath, read(root, journalPath) + formatLine({ type: "other" }, at, first)[0]);
          }
          return disk.create(path);
        },
      },
    });
    const before = read(root, statePath);
    await store.project(plain(1, { odd: 1 }));
    expect(read(root, statePath)).toBe(before);
    expect(await store.events()).toHaveLength(2);
  });

  it("within one process come one after the other, also when one fails", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const results = await Promise.allSettled([
      store.append([{ type: "a" }], 1, at),
      store.append([{ type: "late" }], 1, at),
      store.append([{ type: "b" }], 2, at),
      store.project(plain(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(JSON.parse(read(root, statePath)).state_revision).toBe(3);
  });

  it("give the model work to one at a time, and name it", async () => {
    const root = createPlace();
    const alive = new Set([1, 2]);
    const one = await open(root, { processes: createProcesses(1, alive) });
    const two = await open(root, { processes: createProcesses(2, alive) });
    const claimed = await one.claim();
    if ("held" in claimed) throw new Error("not claimed");
    expect(await two.claim()).toEqual({ held: expect.stringContaining("process 1") });
    // A model call in flight keeps nobody from recording an answer.
    await two.append([started], 0, at);
    await claimed.release();
    expect(await two.claim()).toHaveProperty("release");
    const third = await open(root, { processes: createProcesses(3) });
    expect(await third.claim()).toHaveProperty("release");
    expect(third.notices).toEqual([expect.stringContaining("process 2")]);
  });
});

describe("blobs", () => {
  it("D1.3 are kept by their hash, once, and verified when they are read", async () => {
    const root = createPlace();
    const store = await open(root);
    const text = "x".repeat(500_000);
    const { sha256 } = await store.putBlob(text);
    expect(await store.putBlob(text)).toEqual({ sha256 });
    expect(await store.getBlob(sha256)).toBe(text);
    const path = `.gjc/_session-s1/state/blobs/${sha256}`;
    expect(lstatSync(join(root, path)).mode & 0o777).toBe(0o600);
    write(root, path, "other");
    await expect(store.getBlob(sha256)).rejects.toMatchObject({ code: "blob-corrupt", exitCode: 6 });
    await store.putBlob(text);
    expect(await store.getBlob(sha256)).toBe(text);
    rmSync(join(root, path));
    await expect(store.getBlob(sha256)).rejects.toMatchObject({ code: "blob-missing" });
    await expect(store.getBlob("../../x")).rejects.toThrow("64 hexadecimal digits");
  });
});

describe("a disk that cannot be written", () => {
  it.each([
    ["ENOSPC", "disk-full"],
    ["EROFS", "disk-read-only"],
    ["EACCES", "disk-denied"],
  ])("at %s refuses with the path and the way out, and keeps the snapshot", async (code, expected) => {
    const root = createPlace();
    await createSession(root, 1);
    const before = read(root, statePath);
    const disk = createFailingDisk("writeSync", code, (path) => path.endsWith(".tmp"));
    const store = await open(root, { disk });
    await store.append([{ type: "x" }], 1, at);
    const error: unknown = await store.project(plain(2)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: expected, next: expect.stringMatching(/\w/) });
    expect(String(error)).toContain(".gjc/_session-s1/state/");
    expect(read(root, statePath)).toBe(before);
    expect(readdirSync(join(root, ".gjc/_session-s1/state")).sort()).toEqual([
      "deep-interview-journal.jsonl",
      "deep-interview-state.json",
    ]);
    await (await open(root)).project(plain(2));
    expect(JSON.parse(read(root, statePath)).state_revision).toBe(2);
  });

  it("can be read from, a torn line included", async () => {
    const root = createPlace();
    await createSession(root, 2);
    truncateSync(join(root, journalPath), statSync(join(root, journalPath)).size - 3);
    rmSync(join(root, statePath));
    const store = await open(root, { disk: createFailingDisk("openSync", "EROFS") });
    expect(await store.events()).toHaveLength(1);
    expect(store.notices).toHaveLength(1);
    write(root, journalPath, "damage\n");
    await expect(open(root, { disk: createFailingDisk("openSync", "EROFS") })).rejects.toMatchObject({
      code: "journal-corrupt",
    });
  });

  it("with something else in a file's place says what to move", async () => {
    const root = createPlace();
    write(root, `${journalPath}/x`, "");
    await expect(open(root)).rejects.toMatchObject({
      code: "disk-obstructed",
      next: expect.stringContaining("journal"),
    });
    expect(existsSync(join(root, `${journalPath}/x`))).toBe(true);
  });
});
