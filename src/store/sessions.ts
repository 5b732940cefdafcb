/** All sessions of a project, in both places where they can be; links are not looked into. */
import { join } from "node:path";
import { sessionFolder } from "../core/session.ts";
import { StateError } from "../errors.ts";
import { createDisk, type Disk } from "./disk.ts";
import { checkPath } from "./layout.ts";
import { lookAtLock } from "./lock.ts";
import { openSite, type SiteOptions } from "./site.ts";

export interface SessionEntry {
  readonly id: string;
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** When its newest state file was written, milliseconds since the epoch; null when it has none. */
  readonly modifiedMs: number | null;
}

const prefix = "_session-";

/** Newest first. `base` is the folder of the sessions, relative to the project. */
export function listSessions(projectRoot: string, disk: Disk = createDisk(), base = ".gjc"): SessionEntry[] {
  const found: SessionEntry[] = [];
  for (const folder of [base, `${base}/sessions`]) {
    if (!isFolder(disk, projectRoot, folder)) continue;
    for (const name of disk.list(join(projectRoot, folder))) {
      const id = idOf(name);
      const path = `${folder}/${name}`;
      if (id === null || !isFolder(disk, projectRoot, path)) continue;
      found.push({ id, path, modifiedMs: modifiedMs(disk, projectRoot, `${path}/state`) });
    }
  }
  return found.sort((a, b) => (b.modifiedMs ?? 0) - (a.modifiedMs ?? 0) || (a.path < b.path ? -1 : 1));
}

/** The id that a folder's name stands for; null for a name that no id leads to. */
function idOf(name: string): string | null {
  if (!name.startsWith(prefix)) return null;
  try {
    const id = decodeURIComponent(name.slice(prefix.length));
    return id !== "" && sessionFolder(id) === name ? id : null;
  } catch {
    return null;
  }
}

function isFolder(disk: Disk, root: string, path: string): boolean {
  try {
    checkPath(disk, root, path, "folder");
    return disk.look(join(root, path)) !== null;
  } catch (error) {
    if (error instanceof StateError) return false;
    throw error;
  }
}

function modifiedMs(disk: Disk, root: string, state: string): number | null {
  if (!isFolder(disk, root, state)) return null;
  const times = disk.list(join(root, state)).flatMap((name) => {
    const entry = disk.look(join(root, state, name));
    return entry?.kind === "file" ? [entry.modifiedMs] : [];
  });
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Removes a session with everything in it.
 * @throws StateError `locked` while a living process holds it, `no-session` when there is none.
 */
export function removeSession(options: SiteOptions): void {
  const site = openSite(options);
  const { disk, session, files } = site;
  if (disk.look(session.root) === null) {
    throw new StateError("no-session", `There is no session ${site.shownId} here.`, {
      next: "List them: deep-interview sessions",
    });
  }
  for (const path of [files.lock, files.claim]) {
    const holder = lookAtLock(site, join(session.root, path));
    if (holder !== null && holder.stale === null) {
      throw new StateError("locked", `The session is in use by ${holder.held}.`, { next: "End that process first." });
    }
  }
  disk.removeFolder(session.root);
}
