import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProcesses } from "../../src/store/holder.ts";
import { at, createPlace, createSession, open } from "./place.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Child {
  readonly process: ChildProcess;
  ready(): Promise<void>;
  go(): void;
  result(): Promise<string>;
}

function start(root: string, ...args: string[]): Child {
  const child = spawn(process.execPath, ["--import", here("../register.mjs"), here("child.ts"), root, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  const closed = once(child, "close");
  return {
    process: child,
    async ready() {
      while (!text.includes("ready")) await once(child.stdout, "data");
    },
    go: () => void child.stdin.write("go\n"),
    async result() {
      await closed;
      return text.trim().split("\n").at(-1) ?? "";
    },
  };
}

describe("real processes", () => {
  it("that append on one revision at once: exactly one is accepted, the others are told", async () => {
    const root = createPlace();
    const store = await createSession(root, 1);
    const children = ["a", "b", "c", "d", "e"].map((name) => start(root, name, "1"));
    await Promise.all(children.map((child) => child.ready()));
    for (const child of children) child.go();
    const results = await Promise.all(children.map((child) => child.result()));
    expect(results.sort()).toEqual(["accepted", "conflict", "conflict", "conflict", "conflict"]);
    expect((await store.events()).map(({ seq, type }) => [seq, type])).toEqual([
      [1, "interview.started"],
      [2, "child"],
    ]);
    expect(existsSync(join(root, ".gjc/_session-s1/state/deep-interview.lock"))).toBe(false);
  });

  it("that start one session at once begin one interview", async () => {
    const root = createPlace();
    const children = ["a", "b"].map((name) => start(root, name, "0"));
    await Promise.all(children.map((child) => child.ready()));
    for (const child of children) child.go();
    const results = await Promise.all(children.map((child) => child.result()));
    expect(results.sort()).toEqual(["accepted", "conflict"]);
    expect(await (await open(root)).events()).toHaveLength(1);
  });

  it("that are killed while they hold the lock lose it to the next one, which names them", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const child = start(root, "a", "1", "die");
    await child.ready();
    child.go();
    await child.result();
    expect(child.process.signalCode).toBe("SIGKILL");
    expect(existsSync(join(root, ".gjc/_session-s1/state/deep-interview.lock"))).toBe(true);
    const store = await open(root, { processes: openProcesses() });
    await store.append([{ type: "next" }], 1, at);
    expect(store.notices).toEqual([expect.stringContaining(`process ${child.process.pid}`)]);
  });
});
