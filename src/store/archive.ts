/**
 * Earlier interviews of a session (state.md): journal and snapshot move to `state/archive/{interview_id}/`, nothing of
 * them is deleted. The snapshot moves first, so that a crash in between leaves a journal, from which it comes back.
 */
import { printable } from "../core/entries.ts";
import { StateError } from "../errors.ts";
import type { Journal } from "./journal.ts";
import { checkIn, pathIn, prepareFolder } from "./layout.ts";
import { sha256 } from "./line.ts";
import type { Site } from "./site.ts";
import { interviewOf } from "./snapshot.ts";

/** Under the caller's lock. */
export async function archive(site: Site, journal: Journal, interviewId: string): Promise<void> {
  journal.refresh();
  const own = interviewOf(journal.events());
  if (own !== null && own !== interviewId) {
    throw new StateError(
      "conflict",
      `The session holds interview ${printable(own)} by now, not ${printable(interviewId)}.`,
      {
        next: `Look at it before it is put away: deep-interview show --session ${site.shownId}`,
      },
    );
  }
  const folder = archiveFolder(interviewId);
  await moveInto(site, site.files.state, folder);
  await moveInto(site, site.files.journal, folder);
  journal.refresh();
}

/** An id that cannot be a folder's name, which only another tool writes, goes by its hash. */
export function archiveFolder(interviewId: string): string {
  const isPlain = interviewId !== "" && interviewId.length <= 64 && !/\p{Cs}/u.test(interviewId);
  const name = isPlain ? encodeURIComponent(interviewId).replaceAll(".", "%2E") : sha256(interviewId).slice(0, 32);
  return `state/archive/${name.length <= 200 ? name : sha256(interviewId).slice(0, 32)}`;
}

/** Moves a file of the session, when there is one, under a name that is free there. Gives the new path. */
export async function moveInto(site: Site, path: string, folder: string): Promise<string | null> {
  const { disk, session } = site;
  checkIn(disk, session, path);
  if (disk.look(pathIn(session, path)) === null) return null;
  await prepareFolder(disk, session, folder);
  const target = freeName(site, `${folder}/${path.slice(path.lastIndexOf("/") + 1)}`);
  disk.rename(pathIn(session, path), pathIn(session, target));
  return target;
}

/** The path itself, or with a number before its ending when something is there. */
export function freeName({ disk, session }: Site, path: string): string {
  const dot = path.lastIndexOf(".");
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path.slice(0, dot)}.${number}${path.slice(dot)}`;
    checkIn(disk, session, candidate);
    if (disk.look(pathIn(session, candidate)) === null) return candidate;
  }
}
