/**
 * The prompt files on disk: ours, and a user's own in front of them. All are read when the first prompt is needed, so
 * that a mistake in one of them is said at the start and not in the round that comes to it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { fault, hasFrontMatter, parseFile, type Source } from "./file.ts";

export interface Found extends Source {
  readonly isOurs: boolean;
}

export type Sources = ReadonlyMap<string, Found>;

const folders = ["prompts", "fragments"] as const;

/** By name. A file in `dir` stands for ours of the same name; what it does not hold is ours. */
export async function readSources(dir: string | null, root: string): Promise<Sources> {
  const ours = await Promise.all(folders.map((folder) => readFolder(join(root, folder), folder)));
  const sources = new Map<string, Found>();
  for (const file of ours.flat()) {
    sources.set(file.name, { ...(await parseFile(file.name, file.path, file.text)), isOurs: true });
  }
  if (dir === null) return sources;
  const names = [...sources.keys()].filter((name) => !name.startsWith("_")).sort();
  for (const { name, path, text } of await readOwn(dir)) {
    const own = sources.get(name);
    // Notes may lie beside the prompts; a prompt under a name that nothing reads would be passed over in silence.
    if (own === undefined && !hasFrontMatter(text)) continue;
    if (own === undefined && !name.startsWith("_")) {
      throw fault(path, 1, `nothing reads a prompt of this name; the names are ${names.join(", ")}`);
    }
    const source = await parseFile(name, path, text);
    if (own !== undefined && source.front.task !== own.front.task) {
      throw fault(path, source.lineOf("task"), `its task has to be ${own.front.task ?? "left out"}`);
    }
    sources.set(name, { ...source, isOurs: false });
  }
  return sources;
}

interface File {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

async function readFolder(folder: string, shown: string): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -3),
      path: join(shown, file),
      text: await readFile(join(folder, file), "utf8"),
    })),
  );
}

async function readOwn(dir: string): Promise<File[]> {
  try {
    return await readFolder(dir, dir);
  } catch (error) {
    throw new UsageError("prompt-folder", `--prompts: the folder ${dir} cannot be read`, {
      next: "Name a folder that holds prompt files.",
      cause: error,
    });
  }
}
