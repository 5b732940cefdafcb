// Builds what ships: one ESM bundle with splitting in dist/ (the command, the library and the chunks that they load when
// they need them) and the types of the library in dist/types/. Prompts and fragments stay files, read at run time; what
// they compile to goes into the bundle.
// `node build.mjs --meta FILE` also writes what is in which chunk.
import { spawnSync } from "node:child_process";
import { chmod, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const { resolve } = createRequire(import.meta.url);
const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
// Made beside and put in place at the end, so that whoever runs the build of before is not left with half of one.
const stage = join(root, "node_modules", ".cache", `build-${process.pid}`);

// Our prompts are checked and compiled here, so that no start has to; which text each was made of goes with it.
const compiler = join(stage, "precompile.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/prompt/precompile.ts"],
  outfile: compiler,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
});
const { precompile } = await import(pathToFileURL(compiler).href);
const shipped = await precompile(root);
await rm(compiler);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { main: "src/cli/main.ts", index: "src/index.ts" },
  outdir: stage,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  // Error names and `new.target.name` are part of what users see.
  keepNames: true,
  sourcemap: false,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  plugins: [
    {
      name: "shipped-prompts",
      setup: ({ onLoad }) =>
        onLoad({ filter: /[\\/]src[\\/]prompt[\\/]shipped\.ts$/ }, () => ({ contents: shipped, loader: "js" })),
    },
  ],
  // Optional peers: installed by who uses a queue.
  external: ["bullmq", "ioredis"],
  // Its build for Node is CommonJS, whose names a dynamic import of a bundled module does not see.
  alias: { yaml: resolve("yaml/package.json").replace(/package\.json$/, "browser/index.js") },
  // CommonJS packages call `require` for Node's own modules.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
});
const meta = process.argv.indexOf("--meta");
if (meta > 0) await writeFile(process.argv[meta + 1] ?? "meta.json", JSON.stringify(metafile));

const main = join(stage, "main.js");
await writeFile(main, `#!/usr/bin/env node\n${(await readFile(main, "utf8")).replace(/^#!.*\n/, "")}`);
await chmod(main, 0o755);

const tsc = resolve("typescript/package.json").replace(/package\.json$/, "bin/tsc");
const types = join(stage, "types");
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", types], {
  cwd: root,
  stdio: "inherit",
});

// A consumer's compiler, of any version, looks for `./ports.js` and finds `./ports.d.ts`.
for (const name of await readdir(types, { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const text = await readFile(join(types, name), "utf8");
  await writeFile(join(types, name), text.replace(/((?:from|import) ?\(?")(\.{1,2}\/[^"]+)\.ts"/g, '$1$2.js"'));
}

await rm(dist, { recursive: true, force: true });
await rename(stage, dist);
process.exitCode = status ?? 1;
