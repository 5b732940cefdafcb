/**
 * The journal file: the truth of an interview (state.md). Read and verified once, then only what others appended; a torn
 * last line is left out when it is read and cut off before the next append. Appending is one write and one fsync.
 */
import type { Stamped } from "../ports.ts";
import { type Disk, type Entry, isSameMark, type Mark, type OpenFile } from "./disk.ts";
import { checkIn, pathIn, prepareFile, type Session, shown } from "./layout.ts";
import { chainStart, formatLine, type JournalEvent, type Link, type Place, parseLines } from "./line.ts";
import type { Site } from "./site.ts";

export interface Journal {
  /** Every event read so far. */
  events(): readonly JournalEvent[];
  last(): Link;
  /** Bytes of a write that was cut off at the end of the file. */
  torn(): number;
  /** Takes in what changed in the file since. @throws StateError `journal-corrupt` */
  refresh(): void;
  /** Appends under the caller's lock, after a `refresh` under that lock. */
  append<E extends { readonly type: string }>(events: readonly E[], at: string): Promise<readonly Stamped<E>[]>;
}

interface Reading {
  events: readonly JournalEvent[];
  bytes: number;
  torn: number;
  mark: Mark | null;
}

const nothing: Reading = { events: [], bytes: 0, torn: 0, mark: null };

/** Nothing is read before the first `refresh`. */
export function openJournal({ disk, session, files, next }: Site): Journal {
  const path = files.journal;
  const file = pathIn(session, path);
  let reading = nothing;
  const last = (): Link => reading.events.at(-1) ?? chainStart;
  return {
    events: () => reading.events,
    last,
    torn: () => reading.torn,
    refresh() {
      const entry = checkIn(disk, session, path);
      if (entry === null) reading = nothing;
      else if (!isSameMark(entry, reading.mark))
        reading = read(disk, { path: shown(session, file), next }, file, reading, entry);
    },
    async append(events, at) {
      const formatted: JournalEvent[] = [];
      const stamped = [];
      let text = "";
      for (const event of events) {
        const [line, parsed] = formatLine(event, at, formatted.at(-1) ?? last());
        text += line;
        formatted.push(parsed);
        stamped.push({ ...event, seq: parsed.seq, at, prev: parsed.prev, hash: parsed.hash });
      }
      const { bytes } = reading;
      const before = reading.events;
      const mark = await write(disk, session, path, Buffer.from(text), bytes);
      reading = { events: [...before, ...formatted], bytes: mark.bytes, torn: 0, mark };
      return stamped;
    },
  };
}

function read(disk: Disk, place: Place, file: string, known: Reading, entry: Entry): Reading {
  const grown = known.mark?.inode === entry.inode && entry.bytes > known.mark.bytes;
  const from = grown ? known : nothing;
  const bytes = disk.read(file, from.bytes);
  if (bytes === null) return nothing;
  const parsed = parseLines(bytes, from.events.at(-1) ?? chainStart, place);
  const mark = { ...entry, bytes: from.bytes + bytes.length };
  return {
    events: [...from.events, ...parsed.events],
    bytes: from.bytes + parsed.bytes,
    torn: parsed.torn,
    // A file that grew while it was read is looked at again.
    mark: mark.bytes === entry.bytes ? mark : null,
  };
}

/** Writes after the last whole line; a failure takes back what it wrote, so that nothing half stays behind. */
async function write(disk: Disk, session: Session, path: string, bytes: Buffer, at: number): Promise<Mark> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  await prepareFile(disk, session, path);
  const file = disk.append(pathIn(session, path));
  try {
    const present = file.stat().bytes;
    if (present > at) file.truncate(at);
    try {
      file.write(bytes);
      await file.sync();
      if (present === 0) await disk.syncFolder(pathIn(session, folder));
    } catch (error) {
      takeBack(file, at);
      throw error;
    }
    return file.stat();
  } finally {
    file.close();
  }
}

function takeBack(file: OpenFile, bytes: number): void {
  try {
    file.truncate(bytes);
  } catch {
    // The rest of a line without its newline is dropped by whoever reads next.
  }
}
