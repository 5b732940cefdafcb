/**
 * D11.3: `state clear --force` ends this session's deep interview and nothing else. What can be read is kept, in the
 * archive and as an inactive snapshot; what cannot be read, or not be trusted, is kept beside it as `*.corrupt-{time}`.
 */
import { StateError } from "../errors.ts";
import { archiveFolder, freeName, moveInto } from "./archive.ts";
import { isRecord } from "./canonical.ts";
import { type Journal, openJournal } from "./journal.ts";
import { checkIn, pathIn } from "./layout.ts";
import { replaceFile } from "./replacement.ts";
import { openSite, placeOf, type Site, type SiteOptions, withLock } from "./site.ts";
import {
  checksumOf,
  clearedBy,
  type Envelope,
  interviewIn,
  interviewOf,
  judge,
  parseSnapshot,
  sealEnvelope,
  snapshotText,
} from "./snapshot.ts";

export interface Cleared {
  /** Whether there was anything to clear. */
  readonly cleared: boolean;
  readonly interviewId: string | null;
  /** Where everything is kept, relative to the project. */
  readonly kept: readonly string[];
}

/** @throws StateError `locked` while another process is at work. */
export async function clearState(options: SiteOptions): Promise<Cleared> {
  const site = openSite(options);
  const { disk, session, files } = site;
  const isThere = [files.journal, files.state].some((path) => disk.look(pathIn(session, path)) !== null);
  if (!isThere) return { cleared: false, interviewId: null, kept: [] };
  return withLock(site, () => clear(site));
}

async function clear(site: Site): Promise<Cleared> {
  const { files, session, clock } = site;
  const time = new Date(clock.now()).toISOString();
  const journal = openJournal(site);
  const isDamaged = !canRead(() => journal.refresh());
  const envelope = readTrusted(site, journal, isDamaged);
  const kept: string[] = [];
  const keep = (path: string | null) => void (path === null || kept.push(`${session.path}/${path}`));
  if (isDamaged) keep(setAside(site, files.journal, time));
  if (envelope === null) keep(setAside(site, files.state, time));
  const interviewId = interviewOf(journal.events()) ?? (envelope === null ? null : interviewIn(envelope));
  const folder = archiveFolder(interviewId ?? `unnamed-${fileTime(time)}`);
  if (envelope !== null) {
    const seal = {
      at: time,
      mutationId: `clear-${fileTime(time)}`,
      command: clearedBy,
      path: `${session.path}/${files.state}`,
    };
    const text = snapshotText(sealEnvelope({ ...envelope, active: false }, seal));
    // The one in place gives way to the next interview; this one stays.
    const copy = freeName(site, `${folder}/${files.state.slice("state/".length)}`);
    await replaceFile(site, copy, text);
    await replaceFile(site, files.state, text);
    keep(copy);
    keep(files.state);
  }
  keep(await moveInto(site, files.journal, folder));
  return { cleared: true, interviewId, kept };
}

/** The snapshot when it may be believed: beside a damaged journal only its own checksum can say so. */
function readTrusted(site: Site, journal: Journal, isDamaged: boolean): Envelope | null {
  let envelope: Envelope | null = null;
  canRead(() => {
    const { disk, session, files } = site;
    checkIn(disk, session, files.state);
    const bytes = disk.read(pathIn(session, files.state));
    const parsed = bytes === null ? null : parseSnapshot(bytes, placeOf(site, files.state));
    const isTrusted = isDamaged
      ? parsed !== null && hasOwnChecksum(parsed)
      : judge(parsed, journal.events(), placeOf(site, files.state)).envelope !== null;
    if (isTrusted) envelope = parsed;
  });
  return envelope;
}

function hasOwnChecksum(envelope: Envelope): boolean {
  const { receipt } = envelope;
  const checksum = isRecord(receipt) ? receipt["content_sha256"] : undefined;
  return isRecord(checksum) && checksum["value"] === checksumOf(envelope);
}

/** False when the state itself is at fault. A link is nobody's damage, and is refused. */
function canRead(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof StateError) || error.code === "link-refused") throw error;
    return false;
  }
}

function setAside(site: Site, path: string, time: string): string | null {
  const { disk, session } = site;
  const from = pathIn(session, path);
  if (disk.look(from) === null) return null;
  const target = freeName(site, `${path}.corrupt-${fileTime(time)}`);
  disk.rename(from, pathIn(session, target));
  return target;
}

/** A time as a part of a file name, on any system. */
function fileTime(iso: string): string {
  return iso.replace(/[-:]/g, "").replace(".", "");
}
