/** What everything in the store works with: one session's place, its files' names, the disk, the clock, the processes. */
import { join } from "node:path";
import type { Clock } from "../ports.ts";
import { createDisk, type Disk } from "./disk.ts";
import { openProcesses, type Processes } from "./holder.ts";
import { locateSession, prepareFile, type Session, shown } from "./layout.ts";
import type { Place } from "./line.ts";
import { lock } from "./lock.ts";

/** Names of an interview's two files in the session's `state` folder. */
export interface Fileset {
  readonly journal: string;
  readonly state: string;
}

export const deepFiles: Fileset = {
  journal: "deep-interview-journal.jsonl",
  state: "deep-interview-state.json",
};

export interface SiteOptions {
  readonly projectRoot: string;
  readonly sessionId: string;
  readonly fileset?: Fileset | undefined;
  readonly clock: Clock;
  /** Folder of the sessions, relative to the project; a batch run has its own. */
  readonly base?: string | undefined;
  readonly disk?: Disk | undefined;
  readonly processes?: Processes | undefined;
  /** How long to wait for the lock. */
  readonly lockWaitMs?: number | undefined;
}

export interface Site {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly session: Session;
  /** Relative to the session. */
  readonly files: { readonly journal: string; readonly state: string; readonly lock: string; readonly claim: string };
  readonly lockWaitMs: number;
  /** The session's id as it can be typed in a shell; percent-encoded where it holds what no terminal should be sent. */
  readonly shownId: string;
  /** The command that clears the session: the way out of damage (D11.3). */
  readonly next: string;
  /** Sentences for stderr, oldest first. */
  readonly notices: string[];
  notify(notice: string): void;
}

export function openSite(options: SiteOptions): Site {
  const { projectRoot, sessionId, base, clock, fileset = deepFiles, disk = createDisk() } = options;
  const notices: string[] = [];
  return {
    disk,
    clock,
    processes: options.processes ?? openProcesses(),
    session: locateSession(disk, projectRoot, sessionId, base),
    files: {
      journal: `state/${fileset.journal}`,
      state: `state/${fileset.state}`,
      lock: "state/deep-interview.lock",
      claim: `state/${fileset.journal.replace(/(?:-journal)?\.jsonl$/, "")}.claim`,
    },
    lockWaitMs: options.lockWaitMs ?? 5000,
    shownId: showId(sessionId),
    next: `deep-interview state clear --force --mode deep-interview --session ${showId(sessionId)}`,
    notices,
    notify: (notice) => void notices.push(notice),
  };
}

function showId(sessionId: string): string {
  if (/^[\w.-]+$/.test(sessionId)) return sessionId;
  return /\p{C}/u.test(sessionId) ? encodeURIComponent(sessionId) : `'${sessionId.replaceAll("'", `'\\''`)}'`;
}

export function placeOf(site: Site, path: string): Place {
  return { path: shown(site.session, join(site.session.root, path)), next: site.next };
}

/** Does something while holding the session's lock. @throws StateError `locked` */
export async function withLock<T>(site: Site, work: () => Promise<T>): Promise<T> {
  await prepareFile(site.disk, site.session, site.files.lock);
  const held = await lock(site, join(site.session.root, site.files.lock), site.lockWaitMs);
  try {
    return await work();
  } finally {
    held.release();
  }
}
