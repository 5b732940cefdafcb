/**
 * A process of its own for `processes.test.ts`: waits for the start signal, then tries to append on the revision given.
 * Arguments: project folder, name, revision, and `die` to be killed in the middle of holding the lock.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/ports.ts";
import { openSite, withLock } from "../../src/store/site.ts";
import { openStore } from "../../src/store/store.ts";

const [root = "", name = "", after = "0", mode = ""] = process.argv.slice(2);
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => wait(ms),
};
const options = { projectRoot: root, sessionId: "s1", clock };

const store = await openStore(options);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
if (mode === "die") {
  await withLock(openSite(options), async () => process.kill(process.pid, "SIGKILL"));
}
try {
  await store.append([{ type: "child", name, text: "x".repeat(20_000) }], Number(after), new Date().toISOString());
  process.stdout.write("accepted\n");
} catch (error) {
  process.stdout.write(`${error instanceof Error && "code" in error ? String(error.code) : String(error)}\n`);
}
process.stdin.destroy();
