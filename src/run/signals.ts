/**
 * D1.1: what the first look at the folder says: source files, package files, git history. The history is read from the
 * repository's own files, so no git program is needed; a `.git` that is a file (a worktree, a submodule) is followed to
 * the repository it names, and a repository without a commit has no history.
 */
import { lstat, open, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSource } from "./symbols.ts";
import { list } from "./walk.ts";

const manifests: readonly RegExp[] = [
  /^(?:package|deno|composer|bower)\.jsonc?$/,
  /^(?:pyproject|Cargo|Pipfile|Project)(?:\.toml)?$/,
  /^(?:setup\.(?:py|cfg)|requirements[\w.-]*\.txt|environment\.ya?ml)$/,
  /^(?:go\.mod|go\.work|pom\.xml|Gemfile|mix\.exs|rebar\.config|pubspec\.yaml|Package\.swift)$/,
  /^(?:build|settings)\.(?:gradle(?:\.kts)?|sbt)$/,
  /^(?:CMakeLists\.txt|Makefile|meson\.build|dune-project|stack\.yaml|BUILD(?:\.bazel)?)$/,
  /\.(?:csproj|fsproj|vbproj|sln|gemspec|cabal|podspec|nimble|rockspec)$/,
];

/** Whether a file of this name describes a package or a build. */
export function isManifest(name: string): boolean {
  return manifests.some((pattern) => pattern.test(name));
}

export function isSourceFile(name: string): boolean {
  return isSource(name) && !isManifest(name);
}

/**
 * The git work tree around a folder: its top, and the folder that holds its refs; null when there is none. It is not
 * looked for above `home`, where a repository is about the user's settings and not about this project.
 */
export async function findRepository(root: string, home: string): Promise<{ top: string; gitDir: string } | null> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder === home && folder !== root) return null;
    const gitDir = await gitDirOf(join(folder, ".git"));
    if (gitDir !== null) return { top: folder, gitDir };
    if (dirname(folder) === folder) return null;
  }
}

async function gitDirOf(path: string): Promise<string | null> {
  try {
    const entry = await lstat(path);
    if (entry.isDirectory()) return path;
    const target = /^gitdir: (.+)$/m.exec(await readShort(path))?.[1];
    return target === undefined ? null : await realpath(resolve(dirname(path), target.trim()));
  } catch {
    return null;
  }
}

/** Whether the repository has a commit that a branch, a tag, a remote or HEAD names. */
export async function hasHistory(gitDir: string): Promise<boolean> {
  const head = (await readShort(join(gitDir, "HEAD"))).trim();
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(head)) return true;
  if (!head.startsWith("ref: ")) return false;
  // A worktree keeps its HEAD apart from the refs that it shares.
  const shared = (await readShort(join(gitDir, "commondir"))).trim();
  const common = shared === "" ? gitDir : resolve(gitDir, shared);
  if (/^[0-9a-f]{40}/m.test(await readShort(join(common, "packed-refs")))) return true;
  if (await hasFile(join(common, "refs"), 4)) return true;
  // Reftable repositories keep their refs in a binary file; there, stored objects are the sign of a history.
  return (await isFolder(join(common, "reftable"))) && (await hasFile(join(common, "objects"), 2));
}

async function hasFile(folder: string, depth: number): Promise<boolean> {
  for (const entry of (await list(folder)).slice(0, 1000)) {
    if (entry.isFile()) return true;
    if (entry.isDirectory() && depth > 0 && (await hasFile(join(folder, entry.name), depth - 1))) return true;
  }
  return false;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The first kilobytes of a regular file, "" for anything else. */
async function readShort(path: string): Promise<string> {
  try {
    if (!(await lstat(path)).isFile()) return "";
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(8192), 0, 8192, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
