/** Checks and compiles the prompt files that ship, for the build: what it gives takes the place of shipped.ts. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compileOptions, createCatalog } from "./catalog.ts";
import { createEngine } from "./engine.ts";
import { readSources } from "./sources.ts";
import { walk } from "./walk.ts";

/** The text of an ECMAScript module. Throws UsageError for a file that does not fit. */
export async function precompile(root: string): Promise<string> {
  await createCatalog({ root }).all();
  const [engine, sources] = await Promise.all([createEngine(), readSources(null, root)]);
  const entries = [...sources].map(async ([name, { path, front, body }]) => {
    const sha256 = createHash("sha256")
      .update(await readFile(join(root, path)))
      .digest("hex");
    const partials = [...new Set(walk(engine, engine.parse(body)).partials.map((partial) => partial.name))];
    const known = JSON.stringify({ sha256, path, front, partials });
    const template = engine.precompile(body, compileOptions);
    return `[${JSON.stringify(name)},{...${known},template:${String(template)}}]`;
  });
  const files = (await Promise.all(entries)).join(",\n");
  return `import runtime from "handlebars/runtime.js";\nexport const shipped={runtime,files:new Map([\n${files}])};\n`;
}
