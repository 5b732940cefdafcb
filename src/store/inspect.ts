/**
 * What `state doctor` finds out about a session's files: each finding says what it means and what to do. It only looks;
 * damage of one file does not keep it from looking at the others.
 */
import { StateError } from "../errors.ts";
import { openJournal } from "./journal.ts";
import { openKeeper } from "./keeper.ts";
import { checkIn, pathIn } from "./layout.ts";
import { sha256 } from "./line.ts";
import { lookAtLock } from "./lock.ts";
import { openSite, placeOf, type Site, type SiteOptions } from "./site.ts";
import type { Envelope, Found } from "./snapshot.ts";

export interface Finding {
  readonly severity: "ok" | "info" | "warning" | "error";
  /** Stable, such as `journal-corrupt`. */
  readonly code: string;
  /** Relative to the project. */
  readonly path: string;
  readonly message: string;
  /** The way out; null where there is nothing to do. */
  readonly next: string | null;
}

/** Looks at journal, snapshot, spec, blobs, locks, permissions and leftovers, in that order. Never throws for damage. */
export function inspectState(options: SiteOptions): readonly Finding[] {
  let site: Site;
  try {
    site = openSite(options);
  } catch (error) {
    return [asFinding(error, "")];
  }
  const checks = [inspectFiles, inspectBlobs, inspectLocks, inspectModes, inspectLeftovers];
  return checks.flatMap((check) => {
    try {
      return check(site);
    } catch (error) {
      return [asFinding(error, site.session.path)];
    }
  });
}

function asFinding(error: unknown, path: string): Finding {
  if (!(error instanceof StateError)) throw error;
  return { severity: "error", code: error.code, path, message: error.message, next: error.next };
}

function inspectFiles(site: Site): Finding[] {
  const { files } = site;
  const journal = openJournal(site);
  const [inJournal, inState] = [placeOf(site, files.journal).path, placeOf(site, files.state).path];
  try {
    journal.refresh();
  } catch (error) {
    return [asFinding(error, inJournal)];
  }
  const { seq } = journal.last();
  const found: Finding[] = [];
  if (seq > 0) found.push(fine("journal", inJournal, `${seq} events, each verified`));
  if (journal.torn() > 0) {
    const message = `a write of ${journal.torn()} bytes was cut off; it is left out, and cut away before the next one`;
    found.push({ severity: "warning", code: "journal-torn", path: inJournal, message, next: null });
  }
  try {
    const state = openKeeper(site).look(journal);
    return [...found, stateFinding(state, inState), ...inspectSpec(site, state.envelope)];
  } catch (error) {
    return [...found, asFinding(error, inState)];
  }
}

const kinds: Readonly<Record<Found["kind"], string>> = {
  none: "there is no interview in this session",
  current: "the snapshot is verified and at the journal's end",
  behind: "the snapshot is behind the journal and is rebuilt by the next command",
  foreign: "another tool wrote the state, with a valid receipt; the next command takes it in",
  legacy: "the state has no journal; the next command takes it in",
  cleared: "the interview was cleared; its data is kept, and a new one can begin",
};

function stateFinding({ kind }: Found, path: string): Finding {
  return kind === "none" || kind === "current"
    ? fine(`state-${kind}`, path, kinds[kind])
    : info(kind, path, kinds[kind]);
}

function inspectSpec(site: Site, envelope: Envelope | null): Finding[] {
  const path = envelope?.["spec_path"];
  const wanted = envelope?.["spec_sha256"];
  if (typeof path !== "string" || !path.startsWith(`${site.session.path}/`)) return [];
  const local = path.slice(site.session.path.length + 1);
  checkIn(site.disk, site.session, local);
  const bytes = site.disk.read(pathIn(site.session, local));
  if (bytes === null) {
    const message = "the state names this spec, and it is not there";
    const next = "The next command of the interview writes it again.";
    return [{ severity: "warning", code: "spec-missing", path, message, next }];
  }
  const isSame = typeof wanted !== "string" || wanted === "" || sha256(bytes) === wanted;
  return isSame
    ? [fine("spec", path, "the spec is as it was written")]
    : [info("spec-edited", path, "the spec was edited since it was written; it is left as it is")];
}

function inspectBlobs(site: Site): Finding[] {
  checkIn(site.disk, site.session, "state/blobs", "folder");
  return site.disk.list(pathIn(site.session, "state/blobs")).flatMap((name) => {
    const path = `state/blobs/${name}`;
    const bytes = site.disk.look(pathIn(site.session, path))?.kind === "file" ? read(site, path) : null;
    if (name.startsWith(".") || (bytes !== null && sha256(bytes) === name)) return [];
    const message = "the kept material does not match its name";
    const next = "Put it back from a copy; the interview goes on without it.";
    return [{ severity: "error" as const, code: "blob-corrupt", path: placeOf(site, path).path, message, next }];
  });
}

function read(site: Site, path: string): Buffer | null {
  return site.disk.read(pathIn(site.session, path));
}

function inspectLocks(site: Site): Finding[] {
  return [site.files.lock, site.files.claim].flatMap((path) => {
    const holder = lookAtLock(site, pathIn(site.session, path));
    if (holder === null) return [];
    const what = path === site.files.claim ? "a model call is in flight" : "the session is in use";
    const message =
      holder.stale === null
        ? `${what}: ${holder.held}`
        : `left by ${holder.held}, which ${holder.stale}; the next command takes it over`;
    return [info(holder.stale === null ? "held" : "lock-stale", placeOf(site, path).path, message)];
  });
}

/** Directories 0700, files 0600: the words of an interview are nobody else's. */
function inspectModes(site: Site): Finding[] {
  if (process.platform === "win32") return [];
  return ["", "state", "specs", site.files.journal, site.files.state].flatMap((path) => {
    const entry = site.disk.look(pathIn(site.session, path));
    const isOurs = entry?.kind === "file" || entry?.kind === "folder";
    if (entry === null || !isOurs || (entry.mode & 0o077) === 0) return [];
    const shown = path === "" ? site.session.path : placeOf(site, path).path;
    const next = `chmod ${entry.kind === "folder" ? "700" : "600"} ${JSON.stringify(shown)}`;
    const message = "other users of this machine can look in";
    return [{ severity: "warning" as const, code: "permissions", path: shown, message, next }];
  });
}

function inspectLeftovers(site: Site): Finding[] {
  return site.disk.list(pathIn(site.session, "state")).flatMap((name) => {
    const { path } = placeOf(site, `state/${name}`);
    if (name.includes(".corrupt-")) return [info("kept-corrupt", path, "kept by an earlier clear; nothing reads it")];
    if (name.endsWith(".tmp")) return [info("leftover", path, "left by a write that was cut off; nothing reads it")];
    return [];
  });
}

function fine(code: string, path: string, message: string): Finding {
  return { severity: "ok", code, path, message, next: null };
}

function info(code: string, path: string, message: string): Finding {
  return { severity: "info", code, path, message, next: null };
}
