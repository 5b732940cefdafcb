/**
 * D10.2: the spec as a view that the template prints, and as what reading the file gives back. Every string of the view is
 * already safe for its place (`markdown.ts`); table cells also go through the template's `cell`.
 */
import type { SpecProse } from "./schema.ts";
import type { Provenance } from "./vocabulary.ts";

export type SpecStatus = "PASSED" | "BELOW_THRESHOLD_EARLY_EXIT";

/** Sections in the seed's order. */
export const sections = [
  "Metadata",
  "Clarity Breakdown",
  "Topology",
  "Established Facts",
  "Trigger Metadata",
  "Lateral Review Panel",
  "Goal",
  "Constraints",
  "Non-Goals",
  "Acceptance Criteria",
  "Deferrals",
  "Assumptions Exposed & Resolved",
  "Technical Context",
  "Ontology (Key Entities)",
  "Ontology Convergence",
  "Interview Transcript",
] as const;
export type Section = (typeof sections)[number];

/** The labels of the metadata lines, in order; the last four are ours. */
export const metadataLabels = {
  interview_id: "Interview ID",
  rounds: "Rounds",
  ambiguity: "Final Ambiguity Score",
  type: "Type",
  generated: "Generated",
  threshold: "Threshold",
  threshold_source: "Threshold Source",
  summarized: "Initial Context Summarized",
  status: "Status",
  auto_researched: "Auto-Researched Rounds",
  auto_answered: "Auto-Answered Rounds",
  architect_failures: "Architect Failures",
  lateral_reviews: "Lateral Reviews",
  lateral_panel_failures: "Lateral Panel Failures",
  refined: "Refined Rounds",
  closure_overrides: "Closure Overrides",
  restated_goal: "Restated Goal",
  model: "Model",
  calls: "Model Calls",
  tokens: "Tokens",
  cost: "Cost",
} as const;
export type MetadataKey = keyof typeof metadataLabels;
export type SpecMetadata = Readonly<Record<MetadataKey, string>>;

/** Columns of each table, as properties of its rows. */
export const columns = {
  clarity: ["dimension", "score", "weight", "weighted"],
  topology: ["component", "status", "description", "note"],
  assumptions: ["assumption", "challenge", "resolution"],
  entities: ["entity", "type", "fields", "relationships"],
  convergence: ["round", "count", "new", "changed", "stable", "ratio"],
} as const;
export type TableName = keyof typeof columns;
export type SpecRow<T extends TableName> = Readonly<Record<(typeof columns)[T][number], string>>;

/** A list entry with entries below it. */
export type SpecItem = { readonly text: string; readonly notes: readonly string[] };

/** A line of prose with what it rests on in brackets, already joined; `box` is "[ ] " before a criterion, else "". */
export type SpecEntry = { readonly box: string; readonly text: string };

/** What was said in a round: each part is a label and what follows it, quoted. */
export type SpecRound = {
  readonly heading: string;
  readonly parts: readonly { readonly label: string; readonly text: string }[];
};

/** Plain JSON; the template's declared inputs are its properties. */
export type SpecView = {
  readonly title: string;
  readonly metadata: SpecMetadata;
  readonly clarity: {
    readonly rows: readonly SpecRow<"clarity">[];
    readonly total: string;
    /** D5.6: null when the stored ambiguity is what the formula gives. */
    readonly margin: string | null;
    readonly ambiguity: string;
  };
  readonly topology: {
    readonly rows: readonly SpecRow<"topology">[];
    readonly notes: readonly string[];
  };
  readonly facts: readonly SpecItem[];
  readonly triggers: readonly SpecItem[];
  readonly reviews: readonly SpecItem[];
  readonly goal: string;
  readonly constraints: readonly SpecEntry[];
  readonly non_goals: readonly SpecEntry[];
  readonly criteria: readonly SpecEntry[];
  readonly deferrals: readonly string[];
  readonly unresolved: readonly string[];
  readonly assumptions: readonly SpecRow<"assumptions">[];
  readonly technical: readonly SpecEntry[];
  readonly entities: readonly SpecRow<"entities">[];
  readonly convergence: readonly SpecRow<"convergence">[];
  readonly transcript: { readonly rounds: number; readonly entries: readonly SpecRound[] };
};

/** What the view is made of beside the state. */
export interface SpecParts {
  readonly prose: SpecProse;
  /** Closure gaps that still stand. */
  readonly gaps: readonly { readonly component: string; readonly dimension: string; readonly text: string }[];
  /** ISO-8601, UTC. */
  readonly generatedAt: string;
  readonly status: SpecStatus;
}

export interface ParsedLine {
  readonly text: string;
  readonly rounds: readonly number[];
  readonly covers: readonly string[];
  readonly sources: readonly string[];
  /** Null: an unresolved item, or a line of a spec that was made elsewhere. */
  readonly provenance: Provenance | null;
  /** Whether it stands as a task, as criteria do. */
  readonly box: boolean;
}

/** A spec file read back: numbers as numbers, people's words as they were. */
export interface ParsedSpec {
  readonly title: string;
  /** "" where the file has no such line. */
  readonly metadata: SpecMetadata;
  readonly rounds: number;
  readonly threshold: number;
  readonly status: SpecStatus;
  readonly clarity: {
    readonly rows: readonly {
      readonly dimension: string;
      readonly score: number | null;
      readonly weight: number;
      readonly weighted: number;
    }[];
    readonly total: number;
    readonly margin: number;
    readonly ambiguity: number;
  };
  readonly topology: { readonly rows: readonly SpecRow<"topology">[]; readonly notes: readonly string[] };
  readonly facts: readonly SpecItem[];
  readonly triggers: readonly SpecItem[];
  readonly reviews: readonly SpecItem[];
  readonly goal: string;
  readonly constraints: readonly ParsedLine[];
  readonly non_goals: readonly ParsedLine[];
  readonly criteria: readonly ParsedLine[];
  readonly deferrals: readonly string[];
  readonly unresolved: readonly string[];
  readonly assumptions: readonly SpecRow<"assumptions">[];
  readonly technical: readonly ParsedLine[];
  readonly entities: readonly SpecRow<"entities">[];
  readonly convergence: readonly SpecRow<"convergence">[];
  readonly transcript: {
    readonly rounds: number | null;
    readonly entries: readonly {
      readonly heading: string;
      readonly parts: readonly { readonly label: string; readonly text: string }[];
    }[];
  };
}

/** A gap as a line of a list: where, and what is missing when that is known. */
export function unresolvedText(component: string, dimension: string, what = ""): string {
  return `Unresolved: ${component}/${dimension}${what === "" ? "" : `: ${what}`}`;
}

export function isUnresolved(line: {
  readonly text: string;
  readonly rounds: readonly number[];
  readonly sources: readonly string[];
}): boolean {
  return line.text.startsWith("Unresolved: ") && line.rounds.length === 0 && line.sources.length === 0;
}
