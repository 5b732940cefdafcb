/**
 * D2.4, state.md: taking in a state that another tool or an older version wrote, flat or nested, with whatever it lacks.
 * Nothing of it is dropped: what is not ours is kept as it was, and so is what is ours and could not be read in full.
 */
import * as z from "zod";
import { round4 } from "../ratio.ts";
import type { DeepEventOf } from "./events.ts";
import {
  isThreshold,
  readContext,
  readFacts,
  readLanguage,
  readRounds,
  readSnapshots,
  readTopology,
} from "./legacy-parts.ts";
import { type DeepState, DeepState as Schema } from "./schema.ts";
import { blankState, stageBetween } from "./state.ts";

type Raw = Readonly<Record<string, unknown>>;

const shape = Schema.shape;
const Fields = z.record(z.string(), z.unknown());
/** Keys of the envelope that mean the envelope also when they stand inside `state` (fault 3). */
const reserved = new Set([
  "skill",
  "active",
  "current_phase",
  "version",
  "session_id",
  "updated_at",
  "state_revision",
  "receipt",
  "storage_path",
  "state",
]);

/** The interview's own fields, from `state` when there is one, however deep it was wrapped, else from the top level. */
export function innerState(envelope: Raw): Record<string, unknown> {
  const nested = Fields.safeParse(envelope["state"]);
  const inner = nested.success ? { ...envelope, ...innerState(nested.data) } : envelope;
  return Object.fromEntries(Object.entries(inner).filter(([key]) => !reserved.has(key)));
}

function pick<K extends keyof typeof shape>(raw: Raw, key: K): DeepState[K] {
  const parsed = shape[key].safeParse(raw[key]);
  return (parsed.success ? parsed.data : blankState[key]) as DeepState[K];
}

/** Lists and counts that are taken whole or not at all. */
const whole = [
  "type",
  "initial_idea",
  "initial_context_summary",
  "restated_goal",
  "ambiguity_milestone",
  "auto_researched_rounds",
  "auto_answered_rounds",
  "lateral_reviews",
  "lateral_panel_failures",
  "auto_answer_streak",
  "refined_rounds",
  "closure_overrides",
  "architect_failures",
  "triggers",
  "assumptions",
  "caps",
  "left_open",
  "target_history",
  "soft_limit_asked",
] as const satisfies readonly (keyof typeof shape)[];

type Imported = DeepEventOf<"state.imported"> & { at: string };

export function readLegacy(event: Imported): DeepState {
  const raw = innerState(event.envelope);
  const { threshold } = raw;
  const base: DeepState = {
    ...blankState,
    ...Object.fromEntries(whole.map((key) => [key, pick(raw, key)])),
    interview_id: event.interview_id,
    session_id: event.session_id,
    limits: event.limits,
    options: event.options,
    threshold: isThreshold(threshold) ? round4(threshold) : event.threshold,
    threshold_source:
      isThreshold(threshold) && typeof raw["threshold_source"] === "string"
        ? raw["threshold_source"]
        : event.threshold_source,
    language: readLanguage(raw["language"]),
    codebase_context: readContext(raw["codebase_context"]),
    ontology_snapshots: readSnapshots(raw["ontology_snapshots"]),
    established_facts: readFacts(raw["established_facts"]),
    started_at: event.at,
    round_cap: event.limits.maxRounds,
    current_ambiguity: round4(pick(raw, "current_ambiguity")),
  };
  const rounds = readRounds(base, raw["rounds"], event.at);
  const numbers = rounds.map((round) => round.round ?? 0);
  const state = withStage({ ...base, rounds, round_count: Math.max(0, ...numbers) }, raw, event);
  return { ...state, foreign: foreignOf(event.envelope, raw, state) };
}

const envelopeKeys = new Set([
  ...reserved,
  "threshold",
  "threshold_source",
  "language",
  "approval",
  "spec_slug",
  "spec_path",
  "spec_stage",
  "spec_sha256",
  "spec_persisted_at",
  "handoff_to",
  "handoff_at",
  ...Object.keys(shape),
]);

/** What is not ours, where it stood; and, as `imported`, the words of what is ours and was not taken as it was. */
function foreignOf(envelope: Raw, raw: Raw, state: DeepState): DeepState["foreign"] {
  const nested = Fields.safeParse(envelope["state"]);
  const own = nested.success ? unknownOf(innerState(nested.data), new Set(Object.keys(shape))) : {};
  const kept = [...whole, "established_facts", "ontology_snapshots", "codebase_context", "rounds", "topology"] as const;
  const lost = kept.filter((key) => raw[key] !== undefined && !isHeld(raw[key], state[key]));
  const imported = Object.fromEntries(lost.map((key) => [key, raw[key]]));
  return {
    envelope: unknownOf(envelope, envelopeKeys),
    state: lost.length === 0 ? own : { ...own, imported },
  };
}

/** Whether everything of the one is in the other: a value itself, or every field and item of it. */
function isHeld(was: unknown, is: unknown): boolean {
  if (was === null || typeof was !== "object") return Object.is(was, is);
  if (is === null || typeof is !== "object") return false;
  const now = new Map<string, unknown>(Object.entries(is));
  return Object.entries(was).every(([key, value]) => isHeld(value, now.get(key)));
}

function unknownOf(raw: Raw, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !known.has(key)));
}

/** Round 0 first where it is missing, unless a spec exists already: then history is not rewritten. */
function withStage(state: DeepState, raw: Raw, event: Imported): DeepState {
  const topology = readTopology(raw["topology"]);
  const next: DeepState = { ...state, topology: topology ?? { ...state.topology, status: "legacy_missing" } };
  const specPath = raw["spec_path"];
  if (typeof specPath === "string" && specPath !== "") {
    const slug = /deep-interview-(.+)\.md$/.exec(specPath)?.[1] ?? "spec";
    const passed = state.current_ambiguity <= state.threshold;
    const status = passed ? ("PASSED" as const) : ("BELOW_THRESHOLD_EARLY_EXIT" as const);
    const spec = { slug, path: specPath, sha256: "", status, version: 1, persisted_at: event.at };
    return { ...next, spec, stage: { type: "bridge" } };
  }
  return topology === null ? next : { ...next, stage: stageBetween(next.rounds) };
}
