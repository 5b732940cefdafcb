/**
 * D10.2: the spec as a view of the state and the prose, and back: what was printed is read again and compared, so that a
 * template that loses or changes anything is found out before it is written.
 */
import { heading, inline, readInline } from "./markdown.ts";
import type { DeepState } from "./schema.ts";
import { type ParsedSpec, type SpecEntry, type SpecItem, type SpecParts, type SpecView, sections } from "./specform.ts";
import {
  deferralLines,
  entryOf,
  factItems,
  reviewItems,
  technicalEntries,
  triggerItems,
  unresolvedLines,
} from "./speclists.ts";
import { mapMetadata, metadataOf } from "./specmeta.ts";
import { numberFault, readSections, toNumber } from "./specparse.ts";
import { readLine, readQuoted, scan, splitSections } from "./specread.ts";
import { assumptionRows, clarityTable, convergenceRows, entityRows, topologyRows } from "./spectables.ts";
import { transcriptView } from "./spectranscript.ts";

/** Every section of the seed as plain JSON: numbers and tables from the state, lines from the prose (D10.2). */
export function specView(state: DeepState, parts: SpecParts): SpecView {
  const { prose } = parts;
  const { grouping } = state.topology;
  return {
    title: heading(prose.title),
    metadata: metadataOf(state, parts),
    clarity: clarityTable(state),
    topology: {
      rows: topologyRows(state, prose),
      notes: grouping === null ? [] : [`Grouping: ${inline(grouping)}`],
    },
    facts: factItems(state),
    triggers: triggerItems(state),
    reviews: reviewItems(state),
    goal: inline(prose.goal),
    constraints: prose.constraints.map((line) => entryOf(line)),
    non_goals: prose.non_goals.map((line) => entryOf(line)),
    criteria: prose.criteria.map((line) => entryOf(line, true)),
    deferrals: deferralLines(state),
    unresolved: unresolvedLines(state, parts.gaps),
    assumptions: assumptionRows(state, prose),
    technical: technicalEntries(state, prose.technical),
    entities: entityRows(state),
    convergence: convergenceRows(state),
    transcript: transcriptView(state),
  };
}

export type Parsed = { readonly ok: true; readonly spec: ParsedSpec } | { readonly ok: false; readonly fault: string };

/**
 * Reads a spec file back, also one that was made elsewhere after the seed's structure. The fault is the first thing amiss,
 * as a sentence without a full stop.
 */
export function parseSpec(markdown: string): Parsed {
  const lines = scan(markdown.split("\n")).map(({ line, open }) => (open ? line.replace(/\r$/, "") : line));
  const found = splitSections(lines, "##");
  const known = found.filter((section) => sections.some((title) => title === section.title));
  const wrong = sections.findIndex((title, index) => known[index]?.title !== title);
  if (wrong >= 0) return { ok: false, fault: `the section "## ${sections[wrong]}" is missing or not in its place` };
  if (known.length > sections.length)
    return { ok: false, fault: `the section "## ${known.at(-1)?.title}" stands twice` };
  const first = found[0]?.lines.find((line) => line.startsWith("# "));
  const title = /^# Deep Interview Spec: (.*)$/.exec(first ?? "")?.[1];
  if (title === undefined) return { ok: false, fault: 'there is no heading "# Deep Interview Spec: {title}"' };
  const spec = readSections(title, (name) => known[sections.indexOf(name)]?.lines ?? []);
  const fault = numberFault(spec);
  return fault === null ? { ok: true, spec } : { ok: false, fault };
}

/** Where a file and the view disagree, one sentence each; an empty list means that the file says what the view says. */
export function compareSpec(view: SpecView, parsed: ParsedSpec): string[] {
  return differences("", specOf(view), parsed);
}

/** What reading a faithful file gives. */
function specOf(view: SpecView): ParsedSpec {
  const metadata = mapMetadata((_, key) => readInline(view.metadata[key]));
  const { rows, total, margin, ambiguity } = view.clarity;
  const number = (text: string) => (text === "-" ? null : toNumber(text));
  return {
    ...view,
    title: readInline(view.title),
    metadata,
    rounds: toNumber(metadata.rounds),
    threshold: toNumber(metadata.threshold),
    status: metadata.status === "PASSED" ? "PASSED" : "BELOW_THRESHOLD_EARLY_EXIT",
    clarity: {
      rows: rows.map((row) => ({
        dimension: row.dimension,
        score: number(row.score),
        weight: toNumber(row.weight),
        weighted: toNumber(row.weighted),
      })),
      total: toNumber(total),
      margin: toNumber(margin ?? "0"),
      ambiguity: toNumber(ambiguity),
    },
    topology: { rows: view.topology.rows.map(readCells), notes: view.topology.notes.map(readInline) },
    facts: view.facts.map(readItem),
    triggers: view.triggers.map(readItem),
    reviews: view.reviews.map(readItem),
    goal: readInline(view.goal),
    constraints: view.constraints.map(readEntry),
    non_goals: view.non_goals.map(readEntry),
    criteria: view.criteria.map(readEntry),
    deferrals: view.deferrals.map(readInline),
    unresolved: view.unresolved.map(readInline),
    assumptions: view.assumptions.map(readCells),
    technical: view.technical.map(readEntry),
    entities: view.entities.map(readCells),
    convergence: view.convergence.map(readCells),
    transcript: {
      rounds: view.transcript.rounds,
      entries: view.transcript.entries.map(({ heading: title, parts }) => ({
        heading: title,
        parts: parts.map(({ label, text }) => ({ label, text: readQuoted(text) })),
      })),
    },
  };
}

function readCells<R extends Readonly<Record<string, string>>>(row: R): R {
  return Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, readInline(cell)])) as R;
}

function readItem(item: SpecItem): SpecItem {
  return { text: readInline(item.text), notes: item.notes.map(readInline) };
}

function readEntry(entry: SpecEntry) {
  return readLine(entry.box + entry.text);
}

function differences(path: string, want: unknown, got: unknown): string[] {
  if (Array.isArray(want) && Array.isArray(got) && want.length === got.length) {
    return want.flatMap((item, index) => differences(`${path}[${index}]`, item, got[index]));
  }
  if (isRecord(want) && isRecord(got)) {
    return Object.keys(want).flatMap((key) => differences(path === "" ? key : `${path}.${key}`, want[key], got[key]));
  }
  return Object.is(want, got) ? [] : [`${path}: ${brief(want)} became ${brief(got)}`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
