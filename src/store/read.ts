/** What `state read` prints: the session's envelope as it stands on disk, verified, whole or in parts. */
import { nearest } from "../core/nearest.ts";
import { StateError, UsageError } from "../errors.ts";
import { isRecord } from "./canonical.ts";
import { openJournal } from "./journal.ts";
import { openKeeper } from "./keeper.ts";
import { pathIn } from "./layout.ts";
import { openSite, type SiteOptions } from "./site.ts";
import type { Envelope } from "./snapshot.ts";

export interface StateReading {
  readonly skill: string;
  /** The envelope. */
  readonly state: Envelope;
  /** Absolute path of the file. */
  readonly storage_path: string;
}

export interface ReadOptions extends SiteOptions {
  /** Names of envelope fields or of fields of its `state`; everything when left out. */
  readonly fields?: readonly string[] | undefined;
  /** Numbers, short words and how many there are of the rest. */
  readonly compact?: boolean | undefined;
}

/** @throws StateError when there is no state, or none to be trusted; UsageError for a field that it does not have. */
export function readState(options: ReadOptions): StateReading {
  const site = openSite(options);
  const { envelope } = openKeeper(site).look(openJournal(site));
  const path = pathIn(site.session, site.files.state);
  if (envelope === null) {
    throw new StateError("no-state", `Session ${site.shownId} has no interview.`, {
      next: 'Begin one: deep-interview "your idea"',
    });
  }
  const chosen = options.fields === undefined ? envelope : pickFields(envelope, options.fields);
  const skill = typeof envelope["skill"] === "string" ? envelope["skill"] : "deep-interview";
  return { skill, state: options.compact === true ? compactOf(chosen) : chosen, storage_path: path };
}

function pickFields(envelope: Envelope, fields: readonly string[]): Envelope {
  const inner = isRecord(envelope["state"]) ? envelope["state"] : {};
  const outer: Record<string, unknown> = {};
  const state: Record<string, unknown> = {};
  for (const field of fields) {
    if (Object.hasOwn(envelope, field)) outer[field] = envelope[field];
    else if (Object.hasOwn(inner, field)) state[field] = inner[field];
    else {
      const meant = nearest(field, [...Object.keys(envelope), ...Object.keys(inner)]);
      throw new UsageError("unknown-field", `The state has no field ${JSON.stringify(field)}.`, {
        next: meant === null ? "Leave --fields out." : `Did you mean ${meant}?`,
      });
    }
  }
  return Object.keys(state).length === 0 ? outer : { ...outer, state };
}

function compactOf(envelope: Envelope): Envelope {
  return Object.fromEntries(
    Object.entries(envelope).map(([key, value]) => {
      if (Array.isArray(value)) return [key, { count: value.length }];
      if (key === "state" && isRecord(value)) return [key, compactOf(value)];
      if (isRecord(value)) return [key, { count: Object.keys(value).length }];
      const isLong = typeof value === "string" && value.length > 200;
      return [key, isLong ? { characters: value.length } : value];
    }),
  );
}
