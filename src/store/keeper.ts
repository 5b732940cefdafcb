/**
 * Keeps the snapshot file: looks at it before it is replaced, so that nothing of another tool and nothing that cannot be
 * trusted is ever written over (D11.3), and writes only what differs.
 */
import { StateError } from "../errors.ts";
import { isSameMark, type Mark } from "./disk.ts";
import type { Journal } from "./journal.ts";
import { checkIn, pathIn } from "./layout.ts";
import { replaceFile } from "./replacement.ts";
import { placeOf, type Site } from "./site.ts";
import { type Envelope, type Found, judge, parseSnapshot, sealEnvelope, sealFor, snapshotText } from "./snapshot.ts";

export interface Keeper {
  /** Reads snapshot and journal, and says how they stand. @throws StateError for either. */
  look(journal: Journal): Found;
  /** What the file has to hold for this envelope. */
  render(envelope: Envelope, journal: Journal): string;
  /** Whether the file is this text, unchanged since it was last looked at. */
  holds(text: string): boolean;
  /** Replaces the file, unless another tool changed it meanwhile. The caller holds the lock. */
  write(text: string, journal: Journal): Promise<void>;
}

interface Seen {
  readonly mark: Mark | null;
  readonly text: string | null;
  readonly kind: Found["kind"];
}

export function openKeeper(site: Site): Keeper {
  const { disk, session, files } = site;
  const file = pathIn(session, files.state);
  const place = placeOf(site, files.state);
  let seen: Seen | null = null;

  const look = (journal: Journal): Found => {
    // The snapshot first: the journal is always written before it, and may only be ahead.
    const mark = checkIn(disk, session, files.state);
    const bytes = mark === null ? null : disk.read(file);
    journal.refresh();
    const envelope = bytes === null ? null : parseSnapshot(bytes, place);
    const found = judge(envelope, journal.events(), place);
    seen = { mark: bytes === null ? null : mark, text: bytes?.toString("utf8") ?? null, kind: found.kind };
    return found;
  };
  const isUnchanged = () => seen !== null && isSameMark(disk.look(file), seen.mark);

  return {
    look,
    render(envelope, journal) {
      const last = journal.events().at(-1);
      if (last === undefined) throw new Error("a snapshot needs an event to be of");
      return snapshotText(sealEnvelope(envelope, sealFor(last, place.path)));
    },
    holds: (text) => seen?.text === text && isUnchanged(),
    async write(text, journal) {
      const isOurs = seen?.kind === "current" || seen?.kind === "behind" || seen?.kind === "none";
      const kind = isOurs && isUnchanged() ? seen?.kind : look(journal).kind;
      if (kind === "foreign" || kind === "legacy") throw changed(place.path);
      if (seen?.text === text) return;
      seen = { mark: await replaceFile(site, files.state, text), text, kind: "current" };
    },
  };
}

function changed(path: string): StateError {
  return new StateError("conflict", `${path}: another tool has changed the state, and it is not taken in yet.`, {
    next: "Run the same command again: it takes the change in first.",
  });
}
