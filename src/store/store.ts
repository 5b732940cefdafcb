/**
 * The store of one session's interview (state.md): the journal is the truth, everything else follows from it and can be
 * made again. Within one process its calls come one after the other; between processes the lock and the sequence numbers
 * see to it that of two writers on one revision exactly one is accepted.
 */
import { StateError } from "../errors.ts";
import type { Projection, Store } from "../ports.ts";
import { archive } from "./archive.ts";
import { isLaidOut, layOutSpec, missingSeeds, plantSeeds } from "./artifacts.ts";
import { getBlob, putBlob } from "./blobs.ts";
import { type Journal, openJournal } from "./journal.ts";
import { type Keeper, openKeeper } from "./keeper.ts";
import { pathIn, prepareFile } from "./layout.ts";
import { tryLock } from "./lock.ts";
import { openSite, type Site, type SiteOptions, withLock } from "./site.ts";
import type { Envelope, Found } from "./snapshot.ts";

export interface OpenStore extends Store {
  /**
   * How the snapshot stood when the store was opened. While a `foreign` or `legacy` one is not taken in, `project` leaves
   * everything as it is, and nothing but a `state.imported` event is accepted.
   */
  readonly found: Found;
  /** Sentences for stderr, oldest first: a torn line, a lock taken over. More may come. */
  readonly notices: readonly string[];
  /**
   * Moves journal and snapshot to `state/archive/{interview_id}/`; the session is empty then.
   * @throws StateError `conflict` when the journal is of another interview.
   */
  archiveInterview(interviewId: string): Promise<void>;
}

/**
 * Opens a session's interview. Writes nothing, and makes no folder before the first append.
 * @throws StateError for damage and for state that cannot be trusted (D11.3), UsageError for an id that is none.
 */
export async function openStore(options: SiteOptions): Promise<OpenStore> {
  const site = openSite(options);
  const { session, files, notices } = site;
  const journal = openJournal(site);
  const keeper = openKeeper(site);
  const found = await firstLook(site, journal, keeper);
  const inTurn = createTurns();
  let known = journal.last().seq;
  let owesImport = found.kind === "foreign" || found.kind === "legacy";

  return {
    sessionId: session.id,
    statePath: pathIn(session, files.state),
    root: session.root,
    found,
    notices,
    events: () =>
      inTurn(async () => {
        journal.refresh();
        known = journal.last().seq;
        return journal.events();
      }),
    append: (events, after, at) =>
      inTurn(async () => {
        if (events.length === 0) return [];
        if (owesImport && events[0]?.type !== "state.imported") throw notTakenIn(site);
        // Looked at before the lock as well, so that a refusal leaves no trace.
        expectLast(site, journal, after);
        const stamped = await withLock(site, () => {
          expectLast(site, journal, after);
          return journal.append(events, at);
        });
        known = journal.last().seq;
        owesImport = false;
        return stamped;
      }),
    project: (projection) =>
      inTurn(async () => {
        // The snapshot is another tool's until it is taken in, and the journal cannot give it back.
        if (!owesImport) await project(site, journal, keeper, projection, known);
      }),
    putBlob: (text) => inTurn(() => putBlob(site, text)),
    getBlob: (hash) => inTurn(async () => getBlob(site, hash)),
    claim: () => claim(site),
    archiveInterview: (interviewId) =>
      inTurn(async () => {
        await withLock(site, () => archive(site, journal, interviewId));
        known = 0;
        owesImport = false;
      }),
  };
}

/** What looks wrong may be another process in the middle of a write, so a second look under the lock decides. */
async function firstLook(site: Site, journal: Journal, keeper: Keeper): Promise<Found> {
  let first: Found | null = null;
  let fault: unknown = null;
  try {
    first = keeper.look(journal);
    if (journal.torn() === 0) return first;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    fault = error;
  }
  let found: Found;
  try {
    found = await withLock(site, async () => keeper.look(journal));
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    // Nobody writes here, so the first look was right.
    if (first === null) throw fault;
    found = first;
  }
  if (journal.torn() > 0) {
    site.notify(
      `The last line of the journal was cut off after ${journal.torn()} bytes and is left out; what it held is done again.`,
    );
  }
  return found;
}

function isUnwritable(error: unknown): boolean {
  return error instanceof StateError && (error.code === "disk-read-only" || error.code === "disk-denied");
}

function expectLast(site: Site, journal: Journal, after: number): void {
  journal.refresh();
  const { seq } = journal.last();
  if (seq === after) return;
  throw new StateError("conflict", `The interview is at revision ${seq}, and this was made for revision ${after}.`, {
    next: `Look at where it stands now: deep-interview next --session ${site.shownId}`,
  });
}

function notTakenIn(site: Site): StateError {
  return new StateError(
    "conflict",
    `Session ${site.shownId} holds the state of another tool, which is not taken in yet.`,
    {
      next: `Take it in: deep-interview resume --session ${site.shownId}`,
    },
  );
}

async function project(
  site: Site,
  journal: Journal,
  keeper: Keeper,
  { envelope, spec, seeds }: Projection,
  known: number,
): Promise<void> {
  journal.refresh();
  const last = journal.last();
  const filled: Envelope = { updated_at: journal.events().at(-1)?.at, ...envelope };
  const revision = filled["state_revision"] ?? known;
  if (typeof revision !== "number" || revision > last.seq) {
    throw new Error(`a state of revision ${String(revision)} cannot follow from ${last.seq} events`);
  }
  // Who appended since then owes a newer snapshot than this one.
  if (revision < last.seq) return;
  const text = keeper.render({ ...filled, state_revision: revision }, journal);
  const isDone =
    keeper.holds(text) && (spec === null || isLaidOut(site, spec)) && missingSeeds(site, seeds).length === 0;
  if (isDone) return;
  await withLock(site, async () => {
    journal.refresh();
    if (journal.last().hash !== last.hash) return;
    // The snapshot names the other files, so it comes last: what it names is there (D10.5).
    if (spec !== null) await layOutSpec(site, spec);
    await plantSeeds(site, seeds);
    await keeper.write(text, journal);
  });
}

/** The model work in flight, by one process at a time. Not waited for: the caller tells that it is going on. */
async function claim(site: Site): Promise<{ release: () => Promise<void> } | { held: string }> {
  await prepareFile(site.disk, site.session, site.files.claim);
  const got = await tryLock(site, pathIn(site.session, site.files.claim), 0);
  return "held" in got ? got : { release: async () => got.release() };
}

/** Lets pieces of work in one after the other, whatever became of the one before. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
