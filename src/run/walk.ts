/**
 * D1.2: the one way in which the project's files are found. Read-only, breadth first in code-point order, bounded in
 * entries and depth; symbolic links are not followed at all, `.gitignore` files are honoured as git reads them.
 */
import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { hasSecretName } from "./secrets.ts";

export interface WalkBounds {
  /** Directory entries looked at, ignored ones included. */
  readonly entries: number;
  /** Folders below the root. */
  readonly depth: number;
}

export interface Found {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
}

/** Tools' folders: nobody's source, often huge. */
const skipped: ReadonlySet<string> = new Set([
  ".git",
  ".gjc",
  ".hg",
  ".svn",
  ".venv",
  "__pycache__",
  "bower_components",
  "coverage",
  "dist",
  "node_modules",
  "venv",
]);

const maxIgnoreBytes = 256 * 1024;

interface Rules {
  readonly folder: string;
  readonly rules: Ignore;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  /** From the nearest folder outwards. */
  readonly rules: readonly Rules[];
}

/**
 * Visits the files below `root` until `visit` returns false. `top` is the root of the git work tree around it, whose
 * `.gitignore` files apply too. Folders that cannot be read are passed over.
 */
export async function walk(
  root: string,
  top: string,
  bounds: WalkBounds,
  visit: (file: Found) => boolean,
): Promise<{ readonly truncated: boolean }> {
  const queue: Folder[] = [{ path: root, depth: 0, rules: await outerRules(root, top) }];
  let seen = 0;
  let truncated = false;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const rules = [...(await readRules(folder.path)), ...folder.rules];
    for (const entry of await list(folder.path)) {
      seen += 1;
      if (seen > bounds.entries) return { truncated: true };
      const path = join(folder.path, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      if (!isPlain(entry.name) || hasSecretName(entry.name) || isIgnored(path, isFolder, rules)) continue;
      if (!isFolder) {
        const found = { path: relative(root, path).split(sep).join("/"), name: entry.name, depth: folder.depth };
        if (!visit(found)) return { truncated };
      } else if (!skipped.has(entry.name)) {
        if (folder.depth < bounds.depth) queue.push({ path, depth: folder.depth + 1, rules });
        else truncated = true;
      }
    }
  }
  return { truncated };
}

/** Sorted by code units, so that every machine finds the same. A link's entry is neither file nor folder. */
export async function list(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** A name that can be shown and cited: no control or formatting characters, no quotes that end one. */
function isPlain(name: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}`\\]/u.test(name);
}

function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, rules: own } of rules) {
    const local = relative(folder, path).split(sep).join("/");
    const verdict = own.test(isFolder ? `${local}/` : local);
    // The nearest file that says anything about a path decides.
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

/** `.gitignore` files above the root, up to the top of the work tree. */
async function outerRules(root: string, top: string): Promise<Rules[]> {
  const found: Rules[] = [];
  for (let folder = root; folder !== top && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    found.push(...(await readRules(folder)));
  }
  return found;
}

/** Git does not read a `.gitignore` that is a link, and neither does this. */
async function readRules(folder: string): Promise<Rules[]> {
  const file = join(folder, ".gitignore");
  try {
    const stat = await lstat(file);
    if (!stat.isFile() || stat.size > maxIgnoreBytes) return [];
    return [{ folder, rules: ignore({ ignorecase: false }).add(await readFile(file, "utf8")) }];
  } catch {
    return [];
  }
}
