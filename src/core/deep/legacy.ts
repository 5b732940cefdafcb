/**
 * D2.4, state.md: taking in a state that another tool or an older version wrote, flat or nested, with whatever it lacks.
 * Nothing of it is dropped: what is not ours is kept as it was.
 */
import * as z from "zod";
import { round4 } from "../ratio.ts";
import type { DeepEventOf } from "./events.ts";
import { type DeepState, type Round, DeepState as Schema, Scores, Topology } from "./schema.ts";
import { blankState, createRound, noScores } from "./state.ts";

const shape = Schema.shape;
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
  "state",
]);

/** The interview's own fields, from `state` when there is one, else from the top level. */
export function innerState(envelope: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nested = z.record(z.string(), z.unknown()).safeParse(envelope["state"]);
  const inner = nested.success ? { ...envelope, ...nested.data } : envelope;
  return Object.fromEntries(Object.entries(inner).filter(([key]) => !reserved.has(key)));
}

function pick<K extends keyof typeof shape>(raw: Readonly<Record<string, unknown>>, key: K): DeepState[K] {
  const parsed = shape[key].safeParse(raw[key]);
  return (parsed.success ? parsed.data : blankState[key]) as DeepState[K];
}

export function readLegacy(event: DeepEventOf<"state.imported"> & { at: string }): DeepState {
  const raw = innerState(event.envelope);
  const base: DeepState = {
    ...blankState,
    interview_id: event.interview_id,
    session_id: event.session_id,
    limits: event.limits,
    options: event.options,
    type: pick(raw, "type"),
    initial_idea: pick(raw, "initial_idea"),
    initial_context_summary: pick(raw, "initial_context_summary"),
    threshold: shape.threshold.safeParse(raw["threshold"]).success ? pick(raw, "threshold") : event.threshold,
    threshold_source: typeof raw["threshold_source"] === "string" ? raw["threshold_source"] : event.threshold_source,
    language: pick(raw, "language"),
    restated_goal: pick(raw, "restated_goal"),
    ontology_snapshots: pick(raw, "ontology_snapshots"),
    established_facts: pick(raw, "established_facts"),
    started_at: event.at,
    round_cap: event.limits.maxRounds,
    current_ambiguity: round4(pick(raw, "current_ambiguity")),
    ambiguity_milestone: pick(raw, "ambiguity_milestone"),
    foreign: { envelope: unknownOf(event.envelope, envelopeKeys), state: unknownOf(raw, new Set(Object.keys(shape))) },
  };
  const rounds = readRounds(base, raw["rounds"], event.at);
  const numbers = rounds.map((round) => round.round ?? 0);
  return withStage({ ...base, rounds, round_count: Math.max(0, ...numbers) }, raw, event);
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

function unknownOf(raw: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !known.has(key)));
}

/** Round 0 first where it is missing, unless a spec exists already: then history is not rewritten. */
function withStage(
  state: DeepState,
  raw: Readonly<Record<string, unknown>>,
  event: DeepEventOf<"state.imported"> & { at: string },
): DeepState {
  const topology = Topology.safeParse({
    grouping: null,
    remark: null,
    ...z.record(z.string(), z.unknown()).catch({}).parse(raw["topology"]),
  });
  const specPath = raw["spec_path"] ?? event.envelope["spec_path"];
  const has = topology.success && topology.data.status === "confirmed";
  const next: DeepState = {
    ...state,
    topology: topology.success && has ? topology.data : { ...state.topology, status: "legacy_missing" },
  };
  if (typeof specPath === "string" && specPath !== "") {
    const slug = /deep-interview-(.+)\.md$/.exec(specPath)?.[1] ?? "spec";
    const passed = state.current_ambiguity <= state.threshold;
    const status = passed ? ("PASSED" as const) : ("BELOW_THRESHOLD_EARLY_EXIT" as const);
    const spec = { slug, path: specPath, sha256: "", status, version: 1, persisted_at: event.at };
    return { ...next, spec, stage: { type: "bridge" } };
  }
  if (!has) return next;
  const waiting = next.rounds.find((round) => round.lifecycle === "answered");
  return {
    ...next,
    stage: waiting === undefined ? { type: "choosing" } : { type: "scoring", round_id: waiting.round_id },
  };
}

const LegacyRound = z.looseObject({
  round: z.int(),
  round_id: z.string().optional(),
  question_id: z.string().optional(),
  question_text: z.string().optional(),
  selected_options: z.array(z.string()).optional(),
  custom_input: z.string().nullish(),
  component: z.string().nullish(),
  dimension: z.string().nullish(),
  ambiguity: z.number().nullish(),
  lifecycle: z.string().optional(),
  scores: z.unknown().optional(),
});

/** Rounds above 0 with their words; the record of round 0 is topology, never an unscored round (D2.5). */
function readRounds(state: DeepState, value: unknown, at: string): Round[] {
  const list = z.array(z.unknown()).catch([]).parse(value);
  return list.flatMap((item) => {
    const parsed = LegacyRound.safeParse(item);
    if (!parsed.success || parsed.data.round < 1) return [];
    const legacy = parsed.data;
    const scores = Scores.safeParse({
      ...noScores,
      ...z.record(z.string(), z.unknown()).catch({}).parse(legacy.scores),
    });
    const dimension = shape.rounds.element.shape.dimension.safeParse(legacy.dimension ?? null);
    const question = {
      id: legacy.question_id ?? `legacy-${legacy.round}`,
      kind: "round" as const,
      round: legacy.round,
      header: null,
      text: legacy.question_text ?? "",
      options: [],
      allow_free_text: true,
      multi_select: false,
      deepInterview: null,
    };
    const aim = {
      component: legacy.component ?? null,
      dimension: dimension.success ? dimension.data : null,
      why: "",
      style: "plain" as const,
      trigger_id: null,
      assumption_id: null,
      gap_key: null,
      user_only: false,
      researched: false,
      folded: [],
    };
    const scored = legacy.lifecycle === "scored" || (legacy.ambiguity ?? null) !== null;
    return [
      {
        ...createRound(state, "round", question, aim, { question: "" }),
        round_id: legacy.round_id ?? `r${legacy.round}`,
        round_key: `${state.interview_id}::rid:${legacy.round_id ?? `r${legacy.round}`}`,
        selected_options: legacy.selected_options ?? [],
        custom_input: legacy.custom_input ?? null,
        answered_by: "user" as const,
        answered_at: at,
        lifecycle: scored ? ("scored" as const) : ("answered" as const),
        scored_at: scored ? at : null,
        scores: scored && scores.success ? scores.data : null,
        ambiguity: scored ? round4(Math.min(1, Math.max(0, legacy.ambiguity ?? 1))) : null,
      },
    ];
  });
}
