/**
 * The snapshot that others read (state.md, D1.4, D11.3): an envelope with a receipt whose checksum covers the whole of
 * it. Written from the state and the last event alone, so that a lost one comes back byte for byte; read with suspicion.
 */
import * as z from "zod";
import { printable } from "../core/entries.ts";
import { StateError } from "../errors.ts";
import { canonicalJson, isRecord } from "./canonical.ts";
import { type JournalEvent, type Place, sha256 } from "./line.ts";

export type Envelope = Readonly<Record<string, unknown>>;

export const owner = "deep-interview";
const writeCommand = "deep-interview";
export const clearedBy = "state clear";

/** What a snapshot is to the journal beside it. */
export interface Found {
  /**
   * `none`: neither is there. `current`, `behind`: ours, at or before the last event; `behind` is rebuilt silently.
   * `foreign`: another tool's, with a valid receipt; `legacy`: without receipt or journal. Both are to be taken in by one
   * `state.imported` event that carries the envelope. `cleared`: what `state clear` left of an ended interview.
   */
  readonly kind: "none" | "current" | "behind" | "foreign" | "legacy" | "cleared";
  /** The file as parsed; null when there is none. */
  readonly envelope: Envelope | null;
}

const Receipt = z.looseObject({
  owner: z.string(),
  command: z.string().optional(),
  mutation_id: z.string().optional(),
  content_sha256: z.looseObject({ algorithm: z.literal("sha256"), value: z.string() }),
});

/** What a receipt says of one write. */
export interface Seal {
  readonly at: string;
  readonly mutationId: string;
  readonly command: string;
  /** Relative to the project. */
  readonly path: string;
}

/** The receipt of a normal write: everything in it follows from the last event, so that rebuilding gives the same. */
export function sealFor(event: JournalEvent, path: string): Seal {
  return { at: event.at, mutationId: mutationOf(event), command: writeCommand, path };
}

function mutationOf(event: JournalEvent): string {
  return `${event.seq}-${event.hash.slice(0, 32)}`;
}

/** Adds the receipt; the envelope's own one, if any, is replaced. */
export function sealEnvelope(envelope: Envelope, seal: Seal): Envelope {
  const { receipt: _, state, ...rest } = envelope;
  const receipt = {
    version: 1,
    skill: typeof envelope["skill"] === "string" ? envelope["skill"] : owner,
    owner,
    command: seal.command,
    mutated_at: seal.at,
    mutation_id: seal.mutationId,
    status: "fresh",
  };
  const covered = { ...rest, receipt, ...(state === undefined ? {} : { state }) };
  const checksum = { algorithm: "sha256", value: checksumOf(covered), covered_path: seal.path, computed_at: seal.at };
  return { ...covered, receipt: { ...receipt, content_sha256: checksum } };
}

export function snapshotText(envelope: Envelope): string {
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** Over the envelope with `receipt.content_sha256` left out. */
export function checksumOf(envelope: Envelope): string {
  const { receipt } = envelope;
  if (!isRecord(receipt)) return sha256(canonicalJson(envelope));
  const { content_sha256: _, ...rest } = receipt;
  return sha256(canonicalJson({ ...envelope, receipt: rest }));
}

/** @throws StateError `state-corrupt` for a file that is no JSON object. */
export function parseSnapshot(bytes: Buffer, place: Place): Envelope {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
    if (isRecord(value)) return value;
  } catch (error) {
    throw refused("state-corrupt", "it is no JSON", place, error);
  }
  throw refused("state-corrupt", "it is no JSON object", place);
}

/** @throws StateError for a snapshot that cannot be trusted beside this journal; its bytes stay as they are (D11.3). */
export function judge(envelope: Envelope | null, events: readonly JournalEvent[], place: Place): Found {
  if (envelope === null) return { kind: events.length === 0 ? "none" : "behind", envelope };
  if (wasImported(envelope, events)) return { kind: "behind", envelope };
  if (!isSealed(envelope)) {
    if (events.length === 0) return { kind: "legacy", envelope };
    throw refused("state-tampered", "it has no receipt with a checksum", place);
  }
  const receipt = Receipt.safeParse(envelope["receipt"]);
  if (!receipt.success || receipt.data.content_sha256.value !== checksumOf(envelope)) {
    throw refused("state-tampered", "its checksum does not match", place);
  }
  const { owner: writer, command } = receipt.data;
  // What a clear left gives way to any interview that began since.
  if (writer === owner && command === clearedBy) return { kind: events.length === 0 ? "cleared" : "behind", envelope };
  const own = interviewOf(events);
  const other = interviewIn(envelope);
  if (own !== null && other !== null && own !== other) {
    throw refused(
      "state-other-interview",
      `it is of interview ${printable(other)}, the journal of ${printable(own)}`,
      place,
    );
  }
  if (writer !== owner) return { kind: "foreign", envelope };
  return judgeOwn(envelope, receipt.data, events, place);
}

function judgeOwn(
  envelope: Envelope,
  receipt: z.infer<typeof Receipt>,
  events: readonly JournalEvent[],
  place: Place,
): Found {
  const revision = z.int().min(1).safeParse(envelope["state_revision"]).data ?? 0;
  const last = events.length;
  if (revision > last) {
    throw refused("state-ahead", `it is at revision ${revision}, the journal ends at ${last}`, place);
  }
  const event = events[revision - 1];
  if (event === undefined || receipt.mutation_id !== mutationOf(event)) {
    throw refused("state-ahead", `its revision ${revision} is not of this journal`, place);
  }
  return { kind: revision === last ? "current" : "behind", envelope };
}

function isSealed(envelope: Envelope): boolean {
  return isRecord(envelope["receipt"]) && "content_sha256" in envelope["receipt"];
}

/** An import that a crash kept from being projected: the very file stands in the journal already. */
function wasImported(envelope: Envelope, events: readonly JournalEvent[]): boolean {
  const imported = events.findLast((event) => event.type === "state.imported")?.["envelope"];
  return isRecord(imported) && contentOf(imported) === contentOf(envelope);
}

function contentOf({ receipt: _, ...content }: Envelope): string {
  return canonicalJson(content);
}

/** The interview that a journal is of, where its events say so. */
export function interviewOf(events: readonly JournalEvent[]): string | null {
  const named = events.findLast((event) => typeof event["interview_id"] === "string")?.["interview_id"];
  return typeof named === "string" ? named : null;
}

/** The interview that an envelope is of, nested or flat. */
export function interviewIn(envelope: Envelope): string | null {
  const { state } = envelope;
  const id = (isRecord(state) ? state["interview_id"] : undefined) ?? envelope["interview_id"];
  return typeof id === "string" && id !== "" ? id : null;
}

function refused(code: string, reason: string, place: Place, cause?: unknown): StateError {
  return new StateError(code, `${place.path}: the stored state is refused: ${reason}. It is left as it is.`, {
    next: place.next,
    cause,
  });
}
