import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateError, UsageError } from "../../src/errors.ts";
import { createDisk } from "../../src/store/disk.ts";
import {
  checkIn,
  checkSessionId,
  checkSlug,
  findProjectRoot,
  locateSession,
  prepareFolder,
} from "../../src/store/layout.ts";
import { contentOf, createPlace, write } from "./place.ts";

const disk = createDisk();
const folder = (root: string, path: string) => mkdirSync(join(root, path), { recursive: true });

describe("the project's root", () => {
  const rootFrom = (root: string, cwd: string) => findProjectRoot(disk, join(root, cwd), join(root, "home"));

  it("is the nearest folder upward that holds .gjc", () => {
    const root = createPlace();
    folder(root, "a/.gjc");
    folder(root, "a/b/.gjc");
    folder(root, "a/b/c/d");
    expect(rootFrom(root, "a/b/c/d")).toBe(join(root, "a/b"));
    expect(rootFrom(root, "a")).toBe(join(root, "a"));
  });

  it("is not above the git root, be that a folder or a worktree's file", () => {
    const root = createPlace();
    folder(root, "a/.gjc");
    folder(root, "a/repo/.git");
    folder(root, "a/repo/sub");
    folder(root, "a/tree/sub");
    write(root, "a/tree/.git", "gitdir: elsewhere\n");
    expect(rootFrom(root, "a/repo/sub")).toBe(join(root, "a/repo/sub"));
    expect(rootFrom(root, "a/tree/sub")).toBe(join(root, "a/tree/sub"));
    folder(root, "a/repo/.gjc");
    expect(rootFrom(root, "a/repo/sub")).toBe(join(root, "a/repo"));
  });

  it("is never the home folder unless that is the current one", () => {
    const root = createPlace();
    folder(root, "home/.gjc");
    folder(root, "home/work");
    folder(root, ".gjc");
    expect(rootFrom(root, "home/work")).toBe(join(root, "home/work"));
    expect(rootFrom(root, "home")).toBe(join(root, "home"));
  });

  it("is found from a link by where the link leads, and refused where nothing is", () => {
    const root = createPlace();
    folder(root, "a/.gjc");
    symlinkSync(join(root, "a"), join(root, "link"));
    expect(rootFrom(root, "link")).toBe(join(root, "a"));
    expect(() => rootFrom(root, "nowhere")).toThrow(UsageError);
  });
});

describe("a session's folder", () => {
  it.each([
    ["s1", ".gjc/_session-s1"],
    ["a.b", ".gjc/_session-a%2Eb"],
    ["..", ".gjc/_session-%2E%2E"],
    ["../../x", ".gjc/_session-%2E%2E%2F%2E%2E%2Fx"],
    ["한국어", ".gjc/_session-%ED%95%9C%EA%B5%AD%EC%96%B4"],
    ["a b\n", ".gjc/_session-a%20b%0A"],
  ])("D10.1 of %j is %s", (id, path) => {
    expect(locateSession(disk, createPlace(), id).path).toBe(path);
  });

  it("is one folder of the project for every id that is taken", () => {
    const root = createPlace();
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), (id) => {
        let session: ReturnType<typeof locateSession>;
        try {
          session = locateSession(disk, root, id);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        expect(session.path).toMatch(/^\.gjc\/_session-[^/.]+$/);
        expect(decodeURIComponent(session.path.slice(".gjc/_session-".length))).toBe(id);
      }),
    );
  });

  it("refuses ids that are empty, too long, hold NUL or half a character", () => {
    for (const id of ["", "  ", "x".repeat(129), "a\0b", "\ud800", "한".repeat(40)]) {
      expect(() => checkSessionId(id)).toThrow(UsageError);
    }
    for (const id of ["x".repeat(128), "한".repeat(27), "😀"]) expect(() => checkSessionId(id)).not.toThrow();
  });

  it("is the older place where that exists, and an error where both do", () => {
    const root = createPlace();
    folder(root, ".gjc/sessions/_session-s1");
    expect(locateSession(disk, root, "s1").path).toBe(".gjc/sessions/_session-s1");
    expect(locateSession(disk, root, "s2").path).toBe(".gjc/_session-s2");
    folder(root, ".gjc/_session-s1");
    expect(() => locateSession(disk, root, "s1")).toThrow(
      expect.objectContaining({ code: "session-twice", exitCode: 6 }),
    );
  });

  it("can lie in a base of its own inside the project, and nowhere else", () => {
    const root = createPlace();
    expect(locateSession(disk, root, "s1", ".gjc/runs/r1").path).toBe(".gjc/runs/r1/_session-s1");
    for (const base of ["..", ".gjc/../..", "/tmp", "", "a//b"]) {
      expect(() => locateSession(disk, root, "s1", base)).toThrow(UsageError);
    }
  });
});

describe("a path on the way", () => {
  it.each([".gjc", ".gjc/_session-s1", ".gjc/_session-s1/state", ".gjc/_session-s1/state/file", ".gjc/sessions"])(
    "is refused when %s is a link",
    (link) => {
      const root = createPlace();
      const outside = createPlace();
      folder(outside, "x/state");
      folder(root, join(link, ".."));
      symlinkSync(join(outside, "x"), join(root, link));
      const go = () => checkIn(disk, locateSession(disk, root, "s1"), "state/file");
      expect(go).toThrow(StateError);
      expect(go).toThrow(join(root, link));
    },
  );

  it("is refused when something of another kind stands there", () => {
    const root = createPlace();
    write(root, ".gjc/_session-s1/state", "a file");
    folder(root, ".gjc/_session-s2/state/file");
    expect(() => checkIn(disk, locateSession(disk, root, "s1"), "state/file")).toThrow("is not a folder");
    expect(() => checkIn(disk, locateSession(disk, root, "s2"), "state/file")).toThrow("is not a file");
    expect(() => checkIn(disk, locateSession(disk, root, "s3"), "../s2/x")).toThrow(UsageError);
  });

  it("is made with 0700, and existing folders keep what they have", async () => {
    const root = createPlace();
    mkdirSync(join(root, ".gjc"), { mode: 0o755 });
    await prepareFolder(disk, locateSession(disk, root, "s1"), "state/blobs");
    const mode = (path: string) => lstatSync(join(root, path)).mode & 0o777;
    expect([mode(".gjc"), mode(".gjc/_session-s1"), mode(".gjc/_session-s1/state/blobs")]).toEqual([
      0o755, 0o700, 0o700,
    ]);
    expect(contentOf(root)).toEqual({});
  });
});

describe("a slug", () => {
  it("D10.1 is one plain name of at most 64 characters", () => {
    for (const slug of ["a", "intake-pipeline", "A_1", "x".repeat(64)]) expect(() => checkSlug(slug)).not.toThrow();
    for (const slug of ["", ".", "..", "a.b", "a/b", "-a", "x".repeat(65), "né", "a\n", "a b"]) {
      expect(() => checkSlug(slug)).toThrow(UsageError);
    }
  });
});
