import { chmodSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clearState } from "../../src/store/clear.ts";
import { inspectState } from "../../src/store/inspect.ts";
import { sha256 } from "../../src/store/line.ts";
import {
  at,
  clearCommand,
  contentOf,
  createPlace,
  createSession,
  envelopeOf,
  journalPath,
  optionsFor,
  read,
  statePath,
  write,
} from "./place.ts";

const inspect = (root: string) => inspectState(optionsFor(root));
const codes = (root: string) => inspect(root).map(({ severity, code }) => `${severity} ${code}`);

describe("the doctor", () => {
  it("finds nothing wrong with a healthy session, or with none, and only looks", async () => {
    const root = createPlace();
    expect(codes(root)).toEqual(["ok state-none"]);
    const store = await createSession(root, 3);
    await store.putBlob("raw");
    const before = contentOf(root);
    expect(codes(root)).toEqual(["ok journal", "ok state-current"]);
    expect(inspect(root)[0]?.message).toContain("3 events");
    expect(contentOf(root)).toEqual(before);
  });

  it("D11.3 names damage of the journal with the command that clears it", async () => {
    const root = createPlace();
    await createSession(root, 2);
    write(root, journalPath, read(root, journalPath).replace("answer", "Answer"));
    expect(inspect(root)).toEqual([
      expect.objectContaining({
        severity: "error",
        code: "journal-corrupt",
        next: expect.stringContaining(clearCommand),
      }),
    ]);
  });

  it("D11.3 names a snapshot that is refused, and one that is merely behind", async () => {
    const root = createPlace();
    const store = await createSession(root, 2);
    await store.append([{ type: "x" }], 2, at);
    expect(codes(root)).toEqual(["ok journal", "info behind"]);
    write(root, statePath, "{");
    expect(codes(root)).toEqual(["ok journal", "error state-corrupt"]);
  });

  it("names a torn line, and what a clear left", async () => {
    const root = createPlace();
    await createSession(root, 2);
    rmSync(join(root, statePath));
    truncateSync(join(root, journalPath), read(root, journalPath).length - 1);
    expect(codes(root)).toEqual(["ok journal", "warning journal-torn", "info behind"]);
    write(root, journalPath, "x\n");
    await clearState(optionsFor(root));
    expect(codes(root)).toEqual(["ok state-none", "info kept-corrupt"]);
    write(root, statePath, "{}");
    await clearState(optionsFor(root));
    expect(codes(root)).toEqual(["info cleared", "info kept-corrupt"]);
  });

  it("names a spec that is missing or was edited", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const text = "# Spec\n";
    const spec = { slug: "x", text, sha256: sha256(text), version: 1, created_at: at };
    const path = ".gjc/_session-s1/specs/deep-interview-x.md";
    await store.project({ envelope: envelopeOf(1, { spec_path: path, spec_sha256: spec.sha256 }), spec, seeds: {} });
    expect(codes(root)).toEqual(["ok journal", "ok state-current", "ok spec"]);
    write(root, path, "edited");
    expect(codes(root)[2]).toBe("info spec-edited");
    rmSync(join(root, path));
    expect(codes(root)[2]).toBe("warning spec-missing");
  });

  it("names locks that are held or left, blobs that do not match, leftovers and open permissions", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const { sha256: hash } = await store.putBlob("raw");
    const state = ".gjc/_session-s1/state";
    write(root, `${state}/blobs/${hash}`, "other");
    write(
      root,
      `${state}/deep-interview.lock`,
      JSON.stringify({ pid: 9, host: "here", started: null, at, token: "t" }),
    );
    write(
      root,
      `${state}/deep-interview.claim`,
      JSON.stringify({ pid: 1, host: "here", started: "1", at, token: "t" }),
    );
    write(root, `${state}/.x.tmp`, "");
    chmodSync(join(root, statePath), 0o644);
    expect(codes(root)).toEqual([
      "ok journal",
      "ok state-current",
      "error blob-corrupt",
      "info lock-stale",
      "info held",
      "warning permissions",
      "info leftover",
    ]);
    for (const finding of inspect(root)) expect(finding.path).toMatch(/^\.gjc\/_session-s1\/state\//);
  });

  it("names links and double folders instead of failing", async () => {
    const root = createPlace();
    await createSession(root, 1);
    rmSync(join(root, statePath));
    symlinkSync(join(root, journalPath), join(root, statePath));
    expect(codes(root)).toEqual(["ok journal", "error link-refused"]);
    write(root, ".gjc/sessions/_session-s1/x", "");
    expect(codes(root)).toEqual(["error session-twice"]);
  });
});
