import { existsSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listSessions, removeSession } from "../../src/store/sessions.ts";
import { at, contentOf, createPlace, createProcesses, createSession, open, optionsFor, write } from "./place.ts";

describe("the sessions of a project", () => {
  it("are listed newest first, from both places, with their real ids", () => {
    const root = createPlace();
    for (const [index, path] of [
      ".gjc/_session-old/state/x.json",
      ".gjc/sessions/_session-a%2Eb/state/x.json",
      ".gjc/_session-%ED%95%9C/state/x.json",
    ].entries()) {
      write(root, path, "");
      utimesSync(join(root, path), 100 + index, 100 + index);
    }
    write(root, ".gjc/_session-empty/x", "");
    expect(listSessions(root)).toEqual([
      { id: "한", path: ".gjc/_session-%ED%95%9C", modifiedMs: 102_000 },
      { id: "a.b", path: ".gjc/sessions/_session-a%2Eb", modifiedMs: 101_000 },
      { id: "old", path: ".gjc/_session-old", modifiedMs: 100_000 },
      { id: "empty", path: ".gjc/_session-empty", modifiedMs: null },
    ]);
  });

  it("are only folders that an id leads to, and never links", () => {
    const root = createPlace();
    expect(listSessions(root)).toEqual([]);
    const outside = createPlace();
    write(outside, "state/x", "");
    for (const name of ["_session-", "_session-a.b", "_session-%zz", "_session-%61", "other"]) {
      write(root, `.gjc/${name}/x`, "");
    }
    write(root, ".gjc/_session-file", "");
    symlinkSync(outside, join(root, ".gjc/_session-link"));
    expect(listSessions(root)).toEqual([]);
    const linked = createPlace();
    symlinkSync(join(root, ".gjc"), join(linked, ".gjc"));
    expect(listSessions(linked)).toEqual([]);
  });

  it("are removed one at a time, and not while somebody is at work", async () => {
    const root = createPlace();
    await createSession(root, 1);
    await (await open(root, { sessionId: "s2" })).append([{ type: "x" }], 0, "now");
    const busy = await open(root, { processes: createProcesses(2) });
    const claimed = await busy.claim();
    const alive = new Set([1, 2]);
    expect(() => removeSession(optionsFor(root, { processes: createProcesses(1, alive) }))).toThrow(
      expect.objectContaining({ code: "locked" }),
    );
    if ("release" in claimed) await claimed.release();
    const left = { pid: 9, host: "here", started: null, at, token: "t" };
    write(root, ".gjc/_session-s1/state/deep-interview.lock", JSON.stringify(left));
    removeSession(optionsFor(root));
    expect(existsSync(join(root, ".gjc/_session-s1"))).toBe(false);
    expect(Object.keys(contentOf(root))).toEqual([expect.stringContaining("_session-s2")]);
    expect(() => removeSession(optionsFor(root))).toThrow(expect.objectContaining({ code: "no-session" }));
  });
});
