/**
 * A journal line (state.md): `{"seq":…,"at":…,"type":…, the event's own fields,"prev":…,"hash":…}` as `JSON.stringify`
 * writes it, keys in that order, UTF-8, ended by one newline. `hash` is the SHA-256 of the very bytes of the line without
 * `,"hash":"…"`; `prev` is the hash of the line before, 64 zeros in the first. So one changed byte anywhere shows.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import { StateError } from "../errors.ts";
import type { Stamped } from "../ports.ts";

export type JournalEvent = Stamped<Record<string, unknown> & { type: string }>;

export const firstPrev = "0".repeat(64);

/** A file as messages name it, and the command that clears its session. */
export interface Place {
  readonly path: string;
  readonly next: string;
}

/** Where a chain stands: what the next line has to carry on from. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

export const chainStart: Link = { seq: 0, hash: firstPrev };

const Line = z.looseObject({
  seq: z.int(),
  at: z.string(),
  type: z.string().min(1),
  prev: z.string(),
});

const hashKey = ',"hash":"';
/** `,"hash":"` and 64 digits and `"}`. */
const tailBytes = hashKey.length + 64 + 2;
const newline = 0x0a;

const stamps = ["seq", "at", "prev", "hash"] as const;

/** An event as the next line of a chain: its text, newline included, and what reading it back gives. */
export function formatLine(event: { readonly type: string }, at: string, after: Link): [string, JournalEvent] {
  for (const key of stamps) if (key in event) throw new Error(`an event has no field ${key} of its own`);
  const { type, ...fields } = event;
  const body = JSON.stringify({ seq: after.seq + 1, at, type, ...fields, prev: after.hash });
  const hash = sha256(body);
  const parsed = Line.parse(JSON.parse(body));
  return [`${body.slice(0, -1)}${hashKey}${hash}"}\n`, { ...parsed, hash }];
}

export interface ParsedLines {
  readonly events: readonly JournalEvent[];
  /** How many bytes whole lines take. */
  readonly bytes: number;
  /** Bytes after the last newline: a write that was cut off. */
  readonly torn: number;
}

/**
 * Reads whole lines that carry on from `after`, and verifies each. What follows the last newline is torn, not damage,
 * unless a whole line with more behind it stands there: no interrupted write leaves that.
 * @throws StateError `journal-corrupt` naming the line.
 */
export function parseLines(bytes: Buffer, after: Link, place: Place): ParsedLines {
  const events: JournalEvent[] = [];
  let link = after;
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const event = parseLine(bytes.subarray(start, end), link);
    if (typeof event === "string") throw corrupt(place, link.seq + 1, event);
    events.push(event);
    link = { seq: event.seq, hash: event.hash };
    start = end + 1;
  }
  const rest = bytes.subarray(start);
  if (hidesLine(rest, link)) throw corrupt(place, link.seq + 1, "its newline is damaged");
  return { events, bytes: start, torn: rest.length };
}

/** The event of a line, or what is wrong with it. */
function parseLine(line: Buffer, after: Link): JournalEvent | string {
  const cut = line.length - tailBytes;
  const tail = line.subarray(Math.max(0, cut)).toString("latin1");
  const hash = tail.slice(hashKey.length, -2);
  if (cut <= 0 || tail !== `${hashKey}${hash}"}` || !/^[0-9a-f]{64}$/.test(hash)) return "it does not end in its hash";
  const digest = createHash("sha256").update(line.subarray(0, cut)).update("}").digest("hex");
  if (digest !== hash) return "its hash does not match";
  const parsed = Line.safeParse(parseJson(`${line.subarray(0, cut).toString("utf8")}}`));
  if (!parsed.success) return "it is no event";
  if (parsed.data.seq !== after.seq + 1) return `its number is ${parsed.data.seq}`;
  if (parsed.data.prev !== after.hash) return "it does not follow the line before";
  return { ...parsed.data, hash };
}

/** Whether a verified line is followed by anything but a newline: then the newline was overwritten. */
function hidesLine(rest: Buffer, after: Link): boolean {
  for (let at = rest.indexOf(hashKey); at >= 0; at = rest.indexOf(hashKey, at + 1)) {
    const end = at + tailBytes;
    if (end < rest.length && typeof parseLine(rest.subarray(0, end), after) !== "string") return true;
  }
  return false;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function corrupt(place: Place, line: number, reason: string): StateError {
  const message = `${place.path}:${line}: the journal is damaged here: ${reason}. It is left as it is.`;
  return new StateError("journal-corrupt", message, { next: place.next });
}

/** Lower-case hex of the UTF-8 bytes. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
