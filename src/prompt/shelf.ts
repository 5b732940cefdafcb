/**
 * The prompt files that were compiled when the program was built. A file is read all the same, and what was compiled
 * counts only while it, and all that it includes, is still that very text; everything else is the catalog's.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRuntime, type Runtime } from "./engine.ts";
import { splitFile } from "./file.ts";
import type { Precompiled, Shipped } from "./shipped.ts";
import { createFile, guard, type PromptFile } from "./template.ts";

export interface Shelf {
  /** Null for a file that has to be compiled now. */
  find(name: string): Promise<PromptFile | null>;
}

export function openShelf({ runtime, files }: Shipped, root: string): Shelf {
  const engine = createRuntime(runtime);
  const taken = new Map<string, Promise<PromptFile | null>>();
  const take = async (name: string): Promise<PromptFile | null> => {
    const precompiled = files.get(name);
    if (precompiled === undefined) return null;
    const [file, ...partials] = await Promise.all([load(engine, precompiled, root), ...precompiled.partials.map(find)]);
    return partials.includes(null) ? null : file;
  };
  const find = (name: string): Promise<PromptFile | null> => {
    const found = taken.get(name) ?? take(name);
    taken.set(name, found);
    return found;
  };
  return { find };
}

/** Null when the file on disk is another one, or cannot be read: then whoever compiles it says why. */
async function load(
  engine: Runtime,
  { sha256, path, front, template }: Precompiled,
  root: string,
): Promise<PromptFile | null> {
  const text = await readFile(join(root, path)).catch(() => null);
  if (text === null || createHash("sha256").update(text).digest("hex") !== sha256) return null;
  const source = { ...splitFile(path, text.toString("utf8")), front };
  const run = guard(engine.template(template), source);
  engine.registerPartial(front.name, run);
  return createFile(source, run);
}
