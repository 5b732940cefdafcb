/**
 * Reading a spec file back (D10.2), also one that was made elsewhere after the seed's structure: numbers as numbers,
 * people's words as they were.
 */
import { readInline } from "./markdown.ts";
import { columns, type ParsedSpec, type Section } from "./specform.ts";
import { readMetadata } from "./specmeta.ts";
import { readItems, readLines, readRows, readTable, readTexts, readTranscript, splitSections } from "./specread.ts";

/** What each section holds; nothing is checked yet. */
export function readSections(title: string, lines: (section: Section) => readonly string[]): ParsedSpec {
  const metadata = readMetadata(lines("Metadata"));
  const [deferrals, ...below] = splitSections(lines("Deferrals"), "###");
  const unresolved = below.find((part) => part.title === "Unresolved Items");
  return {
    title: readInline(title.trim()),
    metadata,
    rounds: toNumber(metadata.rounds),
    threshold: toRatio(metadata.threshold),
    status: metadata.status === "PASSED" ? "PASSED" : "BELOW_THRESHOLD_EARLY_EXIT",
    clarity: readClarity(lines("Clarity Breakdown")),
    topology: { rows: readRows(lines("Topology"), columns.topology), notes: readTexts(lines("Topology")) },
    facts: readItems(lines("Established Facts")),
    triggers: readItems(lines("Trigger Metadata")),
    reviews: readItems(lines("Lateral Review Panel")),
    goal: readInline(lines("Goal").join("\n").trim()),
    constraints: readLines(lines("Constraints")),
    non_goals: readLines(lines("Non-Goals")),
    criteria: readLines(lines("Acceptance Criteria")),
    deferrals: readTexts(deferrals?.lines ?? []),
    unresolved: readTexts(unresolved?.lines ?? []),
    assumptions: readRows(lines("Assumptions Exposed & Resolved"), columns.assumptions),
    technical: readLines(lines("Technical Context")),
    entities: readRows(lines("Ontology (Key Entities)"), columns.entities),
    convergence: readRows(lines("Ontology Convergence"), columns.convergence),
    transcript: readTranscript(lines("Interview Transcript")),
  };
}

/** NaN for what is no plain number. */
export function toNumber(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** 0.05 and 5% are the same. */
function toRatio(text: string): number {
  return text.endsWith("%") ? toNumber(text.slice(0, -1)) / 100 : toNumber(text);
}

function readClarity(lines: readonly string[]): ParsedSpec["clarity"] {
  const table = readTable(lines).map((cells) => cells.map((cell) => cell.replace(/^\*\*(.*)\*\*$/, "$1")));
  const last = (label: string) => table.find((cells) => cells[0] === label)?.at(-1);
  const isDimension = (cells: readonly string[]) => toNumber(cells[2] ?? "") > 0;
  return {
    rows: table.filter(isDimension).map(([dimension = "", score = "", weight = "", weighted = ""]) => ({
      dimension: readInline(dimension),
      score: score === "-" ? null : toNumber(score),
      weight: toNumber(weight),
      weighted: toNumber(weighted),
    })),
    total: toRatio(last("Total Clarity") ?? ""),
    margin: toRatio(last("Sampling margin") ?? "0"),
    ambiguity: toRatio(last("Ambiguity") ?? ""),
  };
}

/** A number that could not be read makes the whole file useless to a gate; null when all could. */
export function numberFault(spec: ParsedSpec): string | null {
  const { metadata, clarity } = spec;
  const numbers: readonly [string, number][] = [
    ["Rounds", spec.rounds],
    ["Threshold", spec.threshold],
    ["Final Ambiguity Score", toRatio(metadata.ambiguity)],
    ["Total Clarity", clarity.total],
    ["Ambiguity", clarity.ambiguity],
    ["Sampling margin", clarity.margin],
    ...clarity.rows.flatMap((row): [string, number][] => [
      [row.dimension, row.score ?? 0],
      [row.dimension, row.weighted],
    ]),
  ];
  const wrong = numbers.find(([, value]) => Number.isNaN(value));
  if (wrong !== undefined) return `"${wrong[0]}" is not a number`;
  if (!["PASSED", "BELOW_THRESHOLD_EARLY_EXIT"].includes(metadata.status))
    return `the status "${metadata.status}" is unknown`;
  if (!["greenfield", "brownfield"].includes(metadata.type)) return `the type "${metadata.type}" is unknown`;
  return null;
}
