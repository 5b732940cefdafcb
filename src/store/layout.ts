/**
 * Where everything of a session is (state.md, D10.1): the project's root, the session's folder, and the checks that keep
 * every path inside them. A symbolic link anywhere on the way is refused, before each write again.
 */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { sessionFolder } from "../core/session.ts";
import { StateError, UsageError } from "../errors.ts";
import { codeOf, type Disk, type Entry } from "./disk.ts";

/** One session's place. Paths below it are given relative to it, with `/`. */
export interface Session {
  readonly id: string;
  /** Absolute, without links. */
  readonly projectRoot: string;
  /** Absolute. */
  readonly root: string;
  /** Relative to the project, with `/`, such as `.gjc/_session-a`. */
  readonly path: string;
}

/** Room for what an operating system takes as one name. */
const maxNameBytes = 255;

/**
 * The nearest folder upward that holds `.gjc`, not above the git root and never the home folder unless it is `cwd`; else
 * `cwd` itself. Throws UsageError when `cwd` is no folder.
 */
export function findProjectRoot(disk: Disk, cwd: string, home: string): string {
  const start = realFolder(cwd);
  const homeFolder = realpathOr(home);
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder === homeFolder && folder !== start) return start;
    if (disk.look(join(folder, ".gjc")) !== null) return folder;
    // A worktree and a submodule have a file of this name.
    if (disk.look(join(folder, ".git")) !== null || dirname(folder) === folder) return start;
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError("no-folder", `${path}: there is no such folder (${codeOf(error) ?? "unknown"}).`, {
      next: "Give a folder that exists: --cwd DIR.",
      cause: error,
    });
  }
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Throws UsageError for an id that cannot name a session: empty, over 128 characters, NUL, or half a character. */
export function checkSessionId(id: string): void {
  const bytes = /\p{Cs}/u.test(id) ? 0 : sessionFolder(id).length;
  const fault =
    id.trim() === ""
      ? "it is empty"
      : [...id].length > 128
        ? "it is longer than 128 characters"
        : id.includes("\0")
          ? "it holds a NUL character"
          : bytes === 0
            ? "it is not valid Unicode"
            : bytes > maxNameBytes
              ? "its folder name would be longer than 255 bytes"
              : null;
  if (fault === null) return;
  throw new UsageError("invalid-session", `The session id cannot be used: ${fault}.`, {
    next: "Give a short id with --session or GJC_SESSION_ID, or none to get a new one.",
  });
}

/**
 * The folder of a session: `{base}/_session-{enc}`, or the older `{base}/sessions/_session-{enc}` where that one exists.
 * Looks, and makes nothing. `base` is relative to the project.
 * @throws StateError when both exist, UsageError for an id or a base that leads elsewhere.
 */
export function locateSession(disk: Disk, projectRoot: string, id: string, base = ".gjc"): Session {
  checkSessionId(id);
  const root = realFolder(projectRoot);
  checkInside(base);
  const current = `${base}/${sessionFolder(id)}`;
  const older = `${base}/sessions/${sessionFolder(id)}`;
  checkPath(disk, root, current, "folder");
  checkPath(disk, root, older, "folder");
  const isOlder = disk.look(join(root, older)) !== null;
  if (isOlder && disk.look(join(root, current)) !== null) {
    throw new StateError("session-twice", `The session has two folders: ${current} and ${older}.`, {
      next: "Move one of them away; the program does not choose.",
    });
  }
  const path = isOlder ? older : current;
  return { id, projectRoot: root, root: join(root, path), path };
}

/** Refuses a relative path that leads out of where it starts. */
function checkInside(path: string): void {
  const steps = path.split("/");
  if (!isAbsolute(path) && steps.every((step) => step !== "" && step !== "." && step !== "..")) return;
  throw new UsageError("outside-project", `${path} leads out of the project.`, { next: "Give a path inside it." });
}

/** Absolute path of a file of the session. */
export function pathIn(session: Session, path: string): string {
  return join(session.root, path);
}

/**
 * Refuses a path of which any part is a link or of another kind than it has to be. What does not exist yet is fine; null
 * stands for it. `path` is relative to `root`, with `/`. Throws StateError.
 */
export function checkPath(disk: Disk, root: string, path: string, last: "file" | "folder"): Entry | null {
  checkInside(path);
  const steps = path.split("/");
  let at = root;
  let entry: Entry | null = null;
  for (const [index, step] of steps.entries()) {
    at = join(at, step);
    entry = lookFor(disk, at, index === steps.length - 1 ? last : "folder");
    if (entry === null) return null;
  }
  return entry;
}

/** The same for a file or folder of a session, from the project's root on. */
export function checkIn(disk: Disk, session: Session, path: string, last: "file" | "folder" = "file"): Entry | null {
  return checkPath(disk, session.projectRoot, `${session.path}/${path}`, last);
}

function lookFor(disk: Disk, at: string, wanted: "file" | "folder"): Entry | null {
  const entry = disk.look(at);
  if (entry === null || entry.kind === wanted) return entry;
  throw entry.kind === "link" ? linkRefused(at) : obstructed(at, wanted);
}

function linkRefused(at: string): StateError {
  return new StateError(
    "link-refused",
    `${at} is a symbolic link; sessions are neither read nor written through one.`,
    {
      next: "Put a real file or folder in its place.",
    },
  );
}

function obstructed(at: string, wanted: string): StateError {
  return new StateError("disk-obstructed", `${at} is not a ${wanted}.`, { next: `Move what is in the way of ${at}.` });
}

/**
 * Makes a folder of the session and those above it (0700), each durable before the next is relied on. Every part is
 * checked on the way; nothing is made in front of one that is refused.
 */
export async function prepareFolder(disk: Disk, session: Session, path: string): Promise<void> {
  const full = `${session.path}/${path}`;
  checkInside(full);
  let at = session.projectRoot;
  for (const step of full.split("/")) {
    const above = at;
    at = join(at, step);
    if (lookFor(disk, at, "folder") !== null) continue;
    if (disk.makeFolder(at)) await disk.syncFolder(above);
    lookFor(disk, at, "folder");
  }
}

/** Prepares the folder of a file of the session, and checks the file. */
export async function prepareFile(disk: Disk, session: Session, path: string): Promise<void> {
  const slash = path.lastIndexOf("/");
  await prepareFolder(disk, session, path.slice(0, slash));
  checkInside(path);
  lookFor(disk, pathIn(session, path), "file");
}

/** A spec's slug is one plain file name (D10.1). Throws UsageError. */
export function checkSlug(slug: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(slug)) return;
  throw new UsageError("invalid-slug", `The slug ${JSON.stringify(slug.slice(0, 80))} cannot name a file.`, {
    next: "Use 1 to 64 letters a-z, digits, hyphens and underscores, beginning with a letter or digit.",
  });
}

/** A path as messages show it: relative to the project, with `/`. */
export function shown(session: Session, absolute: string): string {
  return relative(session.projectRoot, absolute).split(sep).join("/");
}
