/** Opening the session that a command is about: by flag, by environment, or the only one there is. */
import { randomBytes } from "node:crypto";
import { DeepEvent } from "../core/deep/events.ts";
import { createDeepMachine } from "../core/deep/machine.ts";
import type { Config } from "../core/deep/phrase.ts";
import type { ResolvedSettings } from "../core/layers.ts";
import { cut, visible } from "../core/text.ts";
import { StateError, UsageError } from "../errors.ts";
import { importState } from "../run/adopt.ts";
import type { DeepInterview } from "../run/begin.ts";
import { openInterview, unknownEvent } from "../run/interview.ts";
import { type OpenStore, openStore } from "../store/store.ts";
import { clock, ids, type Place } from "./deps.ts";
import { hasSession, type Summary, summarise } from "./summaries.ts";

/** An id as it stands in a line for people and in a command to paste: one word, nothing in it moves a cursor. */
export function shownId(id: string): string {
  if (/^[\w.-]+$/.test(id)) return id;
  return /\p{C}/u.test(id) ? encodeURIComponent(id) : `'${id.replaceAll("'", `'\\''`)}'`;
}

export interface Session {
  readonly store: OpenStore;
  readonly open: () => Promise<DeepInterview>;
}

/** A new id when neither the flag nor the environment names one: the day, and enough chance for every start at once. */
export function nameSession(place: Place, given: string | undefined): string {
  const named = given ?? place.env["GJC_SESSION_ID"];
  if (named !== undefined && named !== "") return named;
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll("-", "");
  return `${day}-${randomBytes(4).toString("hex")}`;
}

export async function openSession(
  place: Place,
  sessionId: string,
  config: Config,
  settings: ResolvedSettings,
  notice: (text: string) => void,
): Promise<Session> {
  const store = await openStore({ projectRoot: place.projectRoot, sessionId, clock });
  for (const text of store.notices) notice(text);
  const machine = createDeepMachine(config);
  let adopted = false;
  const open = async (): Promise<DeepInterview> => {
    const interview = await openInterview({ machine, store, clock, parse: parseEvent });
    const { kind, envelope } = store.found;
    const isForeign = (kind === "foreign" || kind === "legacy") && envelope !== null;
    if (isForeign && !adopted) {
      adopted = true;
      await importState(interview, envelope, { sessionId, settings, ids });
    }
    return interview;
  };
  return { store, open };
}

function parseEvent(line: unknown): DeepEvent {
  const parsed = DeepEvent.safeParse(line);
  if (parsed.success) return parsed.data;
  const at = typeof line === "object" && line !== null && "seq" in line ? Number(line.seq) : 0;
  throw unknownEvent(typeof line === "object" && line !== null && "type" in line ? line.type : null, at);
}

/** The session that a command means when several could be: those whose interview is not finished (cli.md). */
export async function findSession(
  place: Place,
  given: string | undefined,
  command: string,
  wanted: (session: Summary) => boolean = () => true,
): Promise<string> {
  const named = given ?? place.env["GJC_SESSION_ID"];
  if (named !== undefined && named !== "") {
    if (hasSession(place, named)) return named;
    throw new UsageError("no-session", `there is no session "${shownId(named)}" in ${place.projectRoot}`, {
      next: "`deep-interview sessions` lists them.",
    });
  }
  const all = summarise(place);
  const fitting = all.filter((session) => wanted(session));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only.id;
  const damaged = all.find((session) => session.problem !== null);
  if (only === undefined && damaged !== undefined) {
    const id = shownId(damaged.id);
    throw new StateError("damaged-session", `session ${id} is damaged: ${damaged.problem}`, {
      next: `Look at it: deep-interview state doctor --mode deep-interview --session ${id}. To put it aside: deep-interview state clear --force --mode deep-interview --session ${id}`,
    });
  }
  if (only === undefined) {
    throw new UsageError("no-session", `there is no interview to ${command} in ${place.projectRoot}`, {
      next: 'Start one: deep-interview "<idea>"',
    });
  }
  const list = fitting
    .map((session) => `  ${shownId(session.id)}  ${cut(visible(session.idea).replace(/\s+/gu, " "), 60)}`)
    .join("\n");
  throw new UsageError("which-session", `there are ${fitting.length} interviews to ${command}:\n${list}`, {
    next: `Name one: deep-interview ${command} --session <id>`,
  });
}

/** A session that can be looked at but not gone on with. */
export function requireStarted(interview: DeepInterview, sessionId: string): void {
  if (interview.revision() > 0) return;
  throw new StateError("empty-session", `session ${shownId(sessionId)} holds no interview`, {
    next: 'Start one: deep-interview "<idea>"',
  });
}
