// Lets Node 20 run a TypeScript file as it is: `node --import ./test/register.mjs FILE.ts`.
// Types are taken out by esbuild, module by module; addresses and imports stay what they are.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

/** The `load` hook of Node's module loader. */
export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  const { transform } = await import("esbuild");
  const path = fileURLToPath(url);
  const { code } = await transform(await readFile(path, "utf8"), {
    loader: "ts",
    target: "node20.19",
    sourcefile: path,
    sourcemap: "inline",
  });
  return { format: "module", source: code, shortCircuit: true };
}

if (isMainThread) {
  const { register } = await import("node:module");
  register(import.meta.url);
}
