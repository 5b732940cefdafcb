import { existsSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clearState } from "../../src/store/clear.ts";
import {
  at,
  Crash,
  contentOf,
  createCrashingDisk,
  createPlace,
  createProcesses,
  createSession,
  envelopeOf,
  journalPath,
  open,
  optionsFor,
  read,
  started,
  statePath,
  write,
} from "./place.ts";

const clear = (root: string, more = {}) => clearState(optionsFor(root, more));
const time = "20260801T100000000Z";

describe("archiving", () => {
  it("moves journal and snapshot to a folder of the interview's name, and the session is empty", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    const [journal, state] = [read(root, journalPath), read(root, statePath)];
    await store.archiveInterview("i1");
    const folder = ".gjc/_session-s1/state/archive/i1";
    expect(read(root, `${folder}/deep-interview-journal.jsonl`)).toBe(journal);
    expect(read(root, `${folder}/deep-interview-state.json`)).toBe(state);
    expect(await store.events()).toEqual([]);
    await store.append([started], 0, at);
    await store.project({ envelope: envelopeOf(1), spec: null, seeds: {} });
    await store.archiveInterview("i1");
    expect(read(root, `${folder}/deep-interview-journal.jsonl`)).toBe(journal);
    expect(existsSync(join(root, `${folder}/deep-interview-journal.2.jsonl`))).toBe(true);
  });

  it("is refused for another interview than the session holds", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    await expect(store.archiveInterview("i2")).rejects.toMatchObject({ code: "conflict" });
    expect(await store.events()).toHaveLength(2);
  });

  it("gives every interview one folder, whatever its id", async () => {
    for (const id of ["..", "a/b", "한국어", "x".repeat(300), "\ud800", "."]) {
      const root = createPlace();
      const store = await open(root);
      await store.append([{ ...started, interview_id: id }], 0, at);
      await store.archiveInterview(id);
      const paths = Object.keys(contentOf(root));
      expect(paths).toEqual([expect.stringMatching(/^\.gjc\/_session-s1\/state\/archive\/[^/]+\/deep-[^/]+$/)]);
    }
  });
});

describe("D11.3 clearing", () => {
  it("D11.3 does nothing where there is nothing", async () => {
    const root = createPlace();
    expect(await clear(root)).toEqual({ cleared: false, interviewId: null, kept: [] });
    expect(contentOf(root)).toEqual({});
  });

  it("D11.3 ends a healthy interview: data kept, inactive, and the next one can begin", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const journal = read(root, journalPath);
    const cleared = await clear(root);
    const folder = ".gjc/_session-s1/state/archive/i1";
    expect(cleared).toEqual({
      cleared: true,
      interviewId: "i1",
      kept: [`${folder}/deep-interview-state.json`, statePath, `${folder}/deep-interview-journal.jsonl`],
    });
    expect(read(root, `${folder}/deep-interview-journal.jsonl`)).toBe(journal);
    expect(JSON.parse(read(root, statePath))).toMatchObject({ active: false, state: { interview_id: "i1" } });
    const store = await open(root);
    expect([store.found.kind, await store.events()]).toEqual(["cleared", []]);
    await store.append([{ ...started, interview_id: "i2" }], 0, at);
    await store.project({ envelope: envelopeOf(1, { state: { interview_id: "i2" } }), spec: null, seeds: {} });
    expect((await open(root)).found.kind).toBe("current");
    expect(JSON.parse(read(root, `${folder}/deep-interview-state.json`))).toMatchObject({ active: false });
  });

  it("D11.3 keeps a damaged journal beside, and the snapshot that can still be read", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const damaged = read(root, journalPath).replace("answer", "Answer");
    write(root, journalPath, damaged);
    const cleared = await clear(root);
    expect(read(root, `${journalPath}.corrupt-${time}`)).toBe(damaged);
    expect(cleared.kept).toContain(`${journalPath}.corrupt-${time}`);
    expect(JSON.parse(read(root, statePath))).toMatchObject({ active: false });
    expect((await open(root)).found.kind).toBe("cleared");
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, 30)],
    ["changed", (text: string) => text.replace('"current_ambiguity": 1', '"current_ambiguity": 0')],
    ["of another interview", (text: string) => text.replace('"i1"', '"i2"')],
    ["empty", () => ""],
  ])("D11.3 keeps a snapshot that is %s beside, and the journal in the archive", async (_, change) => {
    const root = createPlace();
    await createSession(root, 2);
    const refused = change(read(root, statePath));
    write(root, statePath, refused);
    await clear(root);
    expect(read(root, `${statePath}.corrupt-${time}`)).toBe(refused);
    expect(existsSync(join(root, statePath))).toBe(false);
    expect(existsSync(join(root, ".gjc/_session-s1/state/archive/i1/deep-interview-journal.jsonl"))).toBe(true);
    expect((await open(root)).found.kind).toBe("none");
  });

  it("D11.3 keeps both when both are refused, under names that are free", async () => {
    const root = createPlace();
    await createSession(root, 2);
    for (let count = 0; count < 2; count += 1) {
      write(root, journalPath, "x\n");
      write(root, statePath, "x");
      expect((await clear(root)).kept).toHaveLength(2);
    }
    expect(Object.keys(contentOf(root)).filter((path) => path.includes(".corrupt-"))).toHaveLength(4);
    expect((await open(root)).found.kind).toBe("none");
  });

  it("D11.3 keeps a snapshot ahead of its journal beside", async () => {
    const root = createPlace();
    await createSession(root, 3);
    truncateSync(join(root, journalPath), read(root, journalPath).split("\n")[0]?.length ?? 0);
    await clear(root);
    expect(existsSync(join(root, `${statePath}.corrupt-${time}`))).toBe(true);
    expect((await open(root)).found.kind).toBe("none");
  });

  it("D11.3 ends a legacy state without a journal", async () => {
    const root = createPlace();
    write(root, statePath, JSON.stringify({ rounds: [1], active: true, interview_id: "old" }));
    expect((await clear(root)).interviewId).toBe("old");
    expect(JSON.parse(read(root, statePath))).toMatchObject({ rounds: [1], active: false });
    expect((await open(root)).found.kind).toBe("cleared");
  });

  it("D11.3 touches no other session, no other skill, no spec and no blob", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    await store.putBlob("raw");
    await (await open(root, { sessionId: "s2" })).append([started], 0, at);
    write(root, ".gjc/_session-s1/state/ralplan-state.json", "{");
    write(root, ".gjc/_session-s1/specs/deep-interview-x.md", "spec");
    const before = contentOf(root);
    await clear(root);
    const after = contentOf(root);
    for (const [path, content] of Object.entries(before)) {
      if (path !== journalPath && path !== statePath) expect([path, after[path]]).toEqual([path, content]);
    }
  });

  it("D11.3 waits for a process that is at work, and then refuses", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const holder = { pid: 1, host: "here", started: "1", at, token: "t" };
    writeFileSync(join(root, ".gjc/_session-s1/state/deep-interview.lock"), JSON.stringify(holder));
    const before = contentOf(root);
    await expect(clear(root)).rejects.toMatchObject({ code: "locked" });
    expect(contentOf(root)).toEqual(before);
  });

  it("D11.3 refuses a link and leaves it", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const outside = createPlace();
    write(outside, "state.json", "{}");
    const other = createPlace();
    write(other, ".gjc/_session-s1/state/x", "");
    symlinkSync(join(outside, "state.json"), join(other, statePath));
    await expect(clear(other)).rejects.toMatchObject({ code: "link-refused" });
    expect(read(outside, "state.json")).toBe("{}");
  });

  it("D11.3 that died half-way is done by the next one", async () => {
    for (let last = 1; ; last += 1) {
      const root = createPlace();
      await createSession(root, 2);
      const { disk } = createCrashingDisk(last);
      const died: unknown = await clear(root, { disk, processes: createProcesses(7) }).catch((error: unknown) => error);
      await clear(root);
      const store = await open(root);
      expect([store.found.kind, (await store.events()).length]).toEqual(["cleared", 0]);
      expect(existsSync(join(root, ".gjc/_session-s1/state/archive/i1/deep-interview-journal.jsonl"))).toBe(true);
      if (!(died instanceof Crash)) break;
    }
  });
});
