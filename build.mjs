// Builds what ships: one ESM bundle with splitting in dist/ (the command, the library and the chunks that they load when
// they need them) and the types of the library in dist/types/. Prompts and fragments stay files, read at run time.
// `node build.mjs --meta FILE` also writes what is in which chunk.
import { spawnSync } from "node:child_process";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { resolve } = createRequire(import.meta.url);
const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const main = join(dist, "main.js");
const shebang = "#!/usr/bin/env node\n";

await rm(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { main: "src/cli/main.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  // Error names and `new.target.name` are part of what users see.
  keepNames: true,
  sourcemap: false,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  // Optional peers: installed by who uses a queue.
  external: ["bullmq", "ioredis"],
  // Its build for Node is CommonJS, whose names a dynamic import of a bundled module does not see.
  alias: { yaml: resolve("yaml/package.json").replace(/package\.json$/, "browser/index.js") },
  // CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
});

const code = await readFile(main, "utf8");
await writeFile(main, shebang + code.replace(/^#!.*\n/, ""));
await chmod(main, 0o755);

const meta = process.argv.indexOf("--meta");
if (meta > 0) await writeFile(process.argv[meta + 1] ?? "meta.json", JSON.stringify(metafile));

const tsc = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace(/package\.json$/, "bin/tsc");
const types = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
process.exitCode = types.status ?? 1;

// A consumer's compiler, of any version, looks for `./ports.js` and finds `./ports.d.ts`.
for (const name of await readdir(join(dist, "types"), { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const file = join(dist, "types", name);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/((?:from|import) ?\(?")(\.{1,2}\/[^"]+)\.ts"/g, '$1$2.js"'));
}
