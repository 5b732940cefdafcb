import { existsSync, lstatSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../src/core/machine.ts";
import { sha256 } from "../../src/store/line.ts";
import type { OpenStore } from "../../src/store/store.ts";
import {
  at,
  Crash,
  contentOf,
  createCrashingDisk,
  createPlace,
  createProcesses,
  createSession,
  envelopeOf,
  open,
  read,
  statePath,
  write,
} from "./place.ts";

const specs = ".gjc/_session-s1/specs";
const specPath = `${specs}/deep-interview-intake.md`;
const indexPath = `${specs}/deep-interview-index.jsonl`;

function specOf(version: number, text = `# Spec ${version}\n\n\`rm -rf $(x)\` 한국어 <<EOF\n`): Artifact {
  return { slug: "intake", text, sha256: sha256(text), version, created_at: `2026-08-0${version}T00:00:00.000Z` };
}

const projection = (revision: number, spec: Artifact | null, seeds: Record<string, unknown> = {}) => ({
  envelope: envelopeOf(revision, spec === null ? {} : { spec_path: specPath, spec_sha256: spec.sha256 }),
  spec,
  seeds,
});

async function withSpec(root: string, version = 1): Promise<OpenStore> {
  const store = await createSession(root, version);
  await store.project(projection(version, specOf(version)));
  return store;
}

const index = (root: string) =>
  read(root, indexPath)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));

describe("the spec", () => {
  it("D10.1 is at its exact path, with a line in the index, for its owner's eyes only", async () => {
    const root = createPlace();
    await withSpec(root);
    expect(read(root, specPath)).toBe(specOf(1).text);
    expect(lstatSync(join(root, specPath)).mode & 0o777).toBe(0o600);
    expect(index(root)).toEqual([
      { slug: "intake", stage: "final", path: specPath, created_at: specOf(1).created_at, sha256: specOf(1).sha256 },
    ]);
  });

  it("D10.1 of a session in the older place is indexed where it is", async () => {
    const root = createPlace();
    write(root, ".gjc/sessions/_session-s1/state/x", "");
    await withSpec(root);
    const path = ".gjc/sessions/_session-s1/specs/deep-interview-intake.md";
    expect(read(root, path)).toBe(specOf(1).text);
    expect(read(root, ".gjc/sessions/_session-s1/specs/deep-interview-index.jsonl")).toContain(`"path":"${path}"`);
  });

  it("D10.5 is laid out once, however often the state is projected", async () => {
    const root = createPlace();
    await withSpec(root);
    const before = contentOf(root);
    await (await open(root)).project(projection(1, specOf(1)));
    expect(contentOf(root)).toEqual(before);
  });

  it("D10.5 is made again when it is gone, and its index line is not doubled", async () => {
    const root = createPlace();
    await withSpec(root);
    rmSync(join(root, specPath));
    await (await open(root)).project(projection(1, specOf(1)));
    expect(read(root, specPath)).toBe(specOf(1).text);
    expect(index(root)).toHaveLength(1);
  });

  it("is left alone where it was edited by hand, and kept as a version when a newer one comes", async () => {
    const root = createPlace();
    const store = await withSpec(root);
    write(root, specPath, "edited");
    await (await open(root)).project(projection(1, specOf(1)));
    expect(read(root, specPath)).toBe("edited");
    await store.append([{ type: "handoff.chosen" }], 1, at);
    await store.project(projection(2, specOf(1)));
    expect(read(root, specPath)).toBe("edited");
    await store.append([{ type: "spec.written" }], 2, at);
    await store.project(projection(3, specOf(2)));
    expect(read(root, specPath)).toBe(specOf(2).text);
    expect(read(root, `${specs}/versions/deep-interview-intake.1.md`)).toBe("edited");
  });

  it("moves the earlier one to versions under its number, a new version each time, and indexes each", async () => {
    const root = createPlace();
    const store = await withSpec(root);
    for (const version of [2, 3]) {
      await store.append([{ type: "spec.written" }], version - 1, at);
      await store.project(projection(version, specOf(version)));
    }
    expect(read(root, specPath)).toBe(specOf(3).text);
    expect(read(root, `${specs}/versions/deep-interview-intake.1.md`)).toBe(specOf(1).text);
    expect(read(root, `${specs}/versions/deep-interview-intake.2.md`)).toBe(specOf(2).text);
    expect(index(root).map(({ sha256: hash }) => hash)).toEqual([1, 2, 3].map((version) => specOf(version).sha256));
  });

  it("is a new version also where its text is that of an earlier one", async () => {
    const root = createPlace();
    const store = await withSpec(root);
    for (const [version, text] of [
      [2, specOf(2).text],
      [3, specOf(1).text],
    ] as const) {
      await store.append([{ type: "spec.written" }], version - 1, at);
      await store.project(projection(version, specOf(version, text)));
    }
    expect(read(root, specPath)).toBe(specOf(1).text);
    expect(read(root, `${specs}/versions/deep-interview-intake.2.md`)).toBe(specOf(2).text);
    expect(index(root)).toHaveLength(3);
  });

  it("of another interview under the same name is kept beside what is there already", async () => {
    const root = createPlace();
    const store = await withSpec(root);
    await store.append([{ type: "x" }], 1, at);
    await store.project(projection(2, specOf(2)));
    await store.archiveInterview("i1");
    await store.append([{ type: "interview.started", interview_id: "i2" }], 0, at);
    const other = { ...specOf(1, "another spec\n"), created_at: "2027-01-01T00:00:00.000Z" };
    await store.project({ ...projection(1, other), envelope: envelopeOf(1, { state: { interview_id: "i2" } }) });
    expect(read(root, specPath)).toBe("another spec\n");
    expect(read(root, `${specs}/versions/deep-interview-intake.1.md`)).toBe(specOf(1).text);
    expect(read(root, `${specs}/versions/deep-interview-intake.2.md`)).toBe(specOf(2).text);
  });

  it("keeps index lines of others, and drops one that a crash cut off", async () => {
    const root = createPlace();
    write(root, indexPath, '{"slug":"other","sha256":"x"}\nno json\n{"slug":"to');
    await withSpec(root);
    const [other, odd, own] = read(root, indexPath).split("\n");
    expect([other, odd]).toEqual(['{"slug":"other","sha256":"x"}', "no json"]);
    expect(own).toContain('"slug":"intake"');
  });

  it("D10.1 is refused under a name that leads elsewhere, or through a link", async () => {
    const root = createPlace();
    const outside = createPlace();
    const store = await createSession(root, 1);
    for (const slug of ["..", "../x", "a/b", "", "x".repeat(65)]) {
      await expect(store.project(projection(1, { ...specOf(1), slug }))).rejects.toMatchObject({
        code: "invalid-slug",
      });
    }
    symlinkSync(outside, join(root, specs));
    const before = contentOf(root);
    await expect(store.project(projection(1, specOf(1)))).rejects.toMatchObject({ code: "link-refused" });
    unlinkSync(join(root, specs));
    write(root, `${specs}/x`, "");
    write(outside, "target", "kept");
    symlinkSync(join(outside, "target"), join(root, specPath));
    await expect(store.project(projection(1, specOf(1)))).rejects.toMatchObject({ code: "link-refused" });
    expect(read(outside, "target")).toBe("kept");
    expect(before[statePath]).toBe(contentOf(root)[statePath]);
  });

  it("is never written with other bytes than its checksum is of", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    await expect(store.project(projection(1, { ...specOf(1), text: "other" }))).rejects.toThrow("checksum");
    expect(existsSync(join(root, specPath))).toBe(false);
  });
});

describe("seeds of other tools' state", () => {
  it("are planted once, and theirs from then on", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const seeds = { "ralplan-state.json": { skill: "ralplan", deliberate: true } };
    const path = ".gjc/_session-s1/state/ralplan-state.json";
    await store.project(projection(1, null, seeds));
    expect(read(root, path)).toBe(`${JSON.stringify(seeds["ralplan-state.json"], null, 2)}\n`);
    write(root, path, "further on");
    await (await open(root)).project(projection(1, null, seeds));
    expect(read(root, path)).toBe("further on");
  });

  it("have plain names", async () => {
    const store = await createSession(createPlace(), 1);
    for (const name of ["../x.json", "x", "a/b.json", ".hidden.json"]) {
      await expect(store.project(projection(1, null, { [name]: {} }))).rejects.toThrow("no name");
    }
  });
});

describe("a crash at any call of the file system", () => {
  const seeds = { "ralplan-state.json": { skill: "ralplan" } };
  // What a dead process may leave; the next one that needs it takes it over.
  const lockPath = ".gjc/_session-s1/state/deep-interview.lock";

  it("D10.5 between spec, index, versions, seeds and state is mended by the next opening, and no half spec is seen", async () => {
    const expected = createPlace();
    const whole = await withSpec(expected);
    await whole.append([{ type: "spec.written" }], 1, at);
    await whole.project(projection(2, specOf(2), seeds));
    let crashes = 0;
    for (let last = 1; ; last += 1) {
      const root = createPlace();
      await (await withSpec(root)).append([{ type: "spec.written" }], 1, at);
      const { disk, count } = createCrashingDisk(last);
      const dying = await open(root, { disk, processes: createProcesses(7) });
      const died: unknown = await dying.project(projection(2, specOf(2), seeds)).catch((error: unknown) => error);
      const seen = JSON.parse(read(root, statePath));
      // At every moment there is a whole spec, and what the state names is there and indexed.
      expect([specOf(1).text, specOf(2).text]).toContain(read(root, specPath));
      if (seen.state_revision === 2) {
        expect(sha256(read(root, specPath))).toBe(seen.spec_sha256);
        expect(index(root).at(-1)?.["sha256"]).toBe(seen.spec_sha256);
      }
      const next = await open(root);
      await next.project(projection(2, specOf(2), seeds));
      const { [lockPath]: _, ...files } = contentOf(root);
      expect(files).toEqual(contentOf(expected));
      if (!(died instanceof Crash)) {
        expect(count()).toBeLessThan(last);
        break;
      }
      crashes += 1;
      expect(next.notices.filter((notice) => !/^The lock of (?:process 7|a process that did)/.test(notice))).toEqual(
        [],
      );
    }
    // Six files, each made, written, synced and renamed.
    expect(crashes).toBeGreaterThan(20);
  });

  it("D11.3 while appending leaves all of the events, or those before a cut, and never damage", async () => {
    const batch = [{ type: "a", text: "x".repeat(200) }, { type: "b" }];
    for (let last = 1; ; last += 1) {
      const root = createPlace();
      await createSession(root, 1);
      const { disk } = createCrashingDisk(last);
      const dying = await open(root, { disk, processes: createProcesses(7) });
      const died: unknown = await dying.append(batch, 1, at).catch((error: unknown) => error);
      const next = await open(root);
      const events = await next.events();
      expect([1, 3]).toContain(events.length);
      await next.append([{ type: "after" }], events.length, at);
      expect(await (await open(root)).events()).toHaveLength(events.length + 1);
      if (!(died instanceof Crash)) break;
    }
  });

  it("while a session is made leaves nothing that keeps it from being made", async () => {
    for (let last = 1; ; last += 1) {
      const root = createPlace();
      const { disk } = createCrashingDisk(last);
      const dying = await open(root, { disk, processes: createProcesses(7) });
      const died: unknown = await dying.append([{ type: "a" }], 0, at).catch((error: unknown) => error);
      const next = await open(root);
      const { length } = await next.events();
      await next.append([{ type: "b" }], length, at);
      await next.project({ envelope: envelopeOf(length + 1), spec: null, seeds: {} });
      expect((await open(root)).found.kind).toBe("current");
      if (!(died instanceof Crash)) break;
    }
  });

  it("while an interview is archived keeps its journal, here or there", async () => {
    for (let last = 1; ; last += 1) {
      const root = createPlace();
      await createSession(root, 2);
      const { disk } = createCrashingDisk(last);
      const dying = await open(root, { disk, processes: createProcesses(7) });
      const died: unknown = await dying.archiveInterview("i1").catch((error: unknown) => error);
      const next = await open(root);
      if ((await next.events()).length > 0) {
        await next.project({ envelope: envelopeOf(2), spec: null, seeds: {} });
        await next.archiveInterview("i1");
      }
      expect(await next.events()).toEqual([]);
      expect(Object.keys(contentOf(root)).filter((path) => path.includes("/archive/i1/"))).toEqual(
        expect.arrayContaining([expect.stringContaining("journal.jsonl"), expect.stringContaining("state.json")]),
      );
      if (!(died instanceof Crash)) break;
    }
  });
});
