/** What the same turns cost a plain program: one HTTP call to the same endpoint and two fsynced saves. */
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Loopback } from "./server.ts";

async function save(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const file = await open(`${path}.tmp`, "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
}

/** Milliseconds a turn beyond the time in which the endpoint had the request. */
export async function bareLoop(folder: string, server: Loopback, turns: number): Promise<number[]> {
  const state: string[] = [];
  const overhead: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    server.reset();
    const started = performance.now();
    state.push("an answer of about a hundred characters, as people tend to give them when they are asked something");
    await save(folder, "state.json", JSON.stringify({ state }));
    const response = await fetch(server.url, { method: "POST", body: JSON.stringify({ state, end: "task: score\n" }) });
    state.push((await response.text()).slice(0, 500));
    await save(folder, "state.json", JSON.stringify({ state }));
    overhead.push(performance.now() - started - server.busyMs());
  }
  return overhead;
}
