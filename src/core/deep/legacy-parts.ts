/**
 * D2.4: the parts of a state that another tool or an older version wrote. What has our shape is taken as it is; of the
 * seed's plainer shapes everything that can be read is read, and what is missing gets a harmless value.
 */
import * as z from "zod";
import { round4, toUnits } from "../ratio.ts";
import { CodebaseContext } from "./finding.ts";
import { compactRecord } from "./record.ts";
import { type DeepState, Round } from "./schema.ts";
import { createRound } from "./state.ts";
import { componentId } from "./topology.ts";
import {
  type Aim,
  Component,
  Deferral,
  Dimension,
  Entity,
  Fact,
  Language,
  OntologySnapshot,
  Provenance,
  type Scores,
  type Topology,
} from "./vocabulary.ts";

const text = z.string().catch("");
const texts = z.array(z.string()).catch([]);
const record = z.record(z.string(), z.unknown()).catch({});

/** Each item in our shape as it is, else as `read` makes it of what is there; null leaves it out. */
function each<T>(value: unknown, schema: z.ZodType<T>, read: (item: unknown, made: readonly T[]) => T | null): T[] {
  const made: T[] = [];
  for (const item of z.array(z.unknown()).catch([]).parse(value)) {
    const own = schema.safeParse(item);
    const next = own.success ? own.data : read(item, made);
    if (next !== null) made.push(next);
  }
  return made;
}

function readScores(value: unknown): Scores {
  const raw = record.parse(value);
  const score = (key: Dimension) => {
    const parsed = z.number().min(0).max(1).safeParse(raw[key]);
    return parsed.success ? round4(parsed.data) : null;
  };
  return {
    goal: score("goal"),
    constraints: score("constraints"),
    criteria: score("criteria"),
    context: score("context"),
  };
}

const SeedComponent = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  description: text,
  status: z.enum(["active", "deferred"]).catch("active"),
  evidence: texts,
  deliverables: texts,
  weakest_dimension: Dimension.nullable().catch(null),
});

function readComponents(value: unknown): Component[] {
  return each(value, Component, (item, made) => {
    const seed = SeedComponent.safeParse(item);
    if (!seed.success) return null;
    const { id, name, description, status, evidence, deliverables, weakest_dimension, clarity_scores } = seed.data;
    const taken = made.map((component) => component.id);
    return {
      id: id ?? componentId(name, taken),
      name,
      description,
      status,
      evidence,
      deliverables,
      clarity_scores: readScores(clarity_scores),
      gaps: { goal: "", constraints: "", criteria: "", context: "" },
      weakest_dimension,
      joined_round: null,
    };
  });
}

/** The confirmed topology; null when it was never captured, or holds nothing to interview about. */
export function readTopology(value: unknown): Topology | null {
  const raw = record.parse(value);
  if (raw["status"] !== "confirmed") return null;
  const components = readComponents(raw["components"]);
  if (!components.some((component) => component.status === "active")) return null;
  const nullable = z.string().nullable().catch(null);
  return {
    status: "confirmed",
    confirmed_at: nullable.parse(raw["confirmed_at"] ?? null),
    components,
    deferrals: each(raw["deferrals"], Deferral, (item) => {
      const seed = z.looseObject({ component_id: z.string(), reason: text, confirmed_at: text }).safeParse(item);
      return seed.success ? Deferral.parse(seed.data) : null;
    }),
    last_targeted_component_id: nullable.parse(raw["last_targeted_component_id"] ?? null),
    grouping: nullable.parse(raw["grouping"] ?? null),
    remark: nullable.parse(raw["remark"] ?? null),
  };
}

const SeedFact = z.looseObject({
  id: z.string().optional(),
  component: text,
  dimension: Dimension.catch("goal"),
  evidence: text,
  provenance: Provenance.catch("user"),
  status: z.enum(["established", "disputed", "superseded"]).catch("established"),
});

/** A fact in whatever words it was kept. */
export function readFacts(value: unknown): Fact[] {
  return each(value, Fact, (item, made) => {
    const raw = typeof item === "string" ? { statement: item } : record.parse(item);
    const seed = SeedFact.parse(raw);
    const said = [raw["statement"], raw["fact"], raw["text"], raw["decision"]].find(
      (words): words is string => typeof words === "string" && words.trim() !== "",
    );
    if (said === undefined) return null;
    const { component, dimension, evidence, provenance } = seed;
    const round = z
      .int()
      .min(1)
      .safeParse(raw["source_round"] ?? raw["round"]);
    const status = raw["disputed"] === true ? "disputed" : seed.status;
    return {
      id: seed.id ?? `f${made.length + 1}`,
      statement: said,
      component,
      dimension,
      source_round: round.success ? round.data : null,
      evidence: evidence === "" ? said : evidence,
      provenance,
      status,
      contradicts: null,
      superseded_by: null,
      ceiling: null,
    };
  });
}

const SeedEntity = z.looseObject({ name: z.string(), type: text, fields: texts, relationships: texts });
const SeedSnapshot = z.looseObject({
  round: z.int().nullable().catch(null),
  stability_ratio: z.number().min(0).max(1).nullable().catch(null),
  matching_reasoning: z.union([texts, z.string().transform((line) => [line])]).catch([]),
  new: z.int().catch(0),
  changed: z.int().catch(0),
  stable: z.int().catch(0),
  removed: z.int().catch(0),
});

export function readSnapshots(value: unknown): OntologySnapshot[] {
  return each(value, OntologySnapshot, (item) => {
    const raw = record.parse(item);
    const entities = each(raw["entities"], Entity, (entity) => {
      const seed = SeedEntity.safeParse(entity);
      return seed.success ? Entity.parse(seed.data) : null;
    });
    return OntologySnapshot.parse({ ...SeedSnapshot.parse(raw), entities });
  });
}

/** A context that is only a text is its summary; its findings were never checked, so there are none. */
export function readContext(value: unknown): CodebaseContext | null {
  const own = CodebaseContext.safeParse(value);
  if (own.success) return own.data;
  const summary = typeof value === "string" ? value : record.parse(value)["summary"];
  return typeof summary === "string" && summary.trim() !== "" ? { summary, findings: [], earlier: [] } : null;
}

/** D1.6: only a language that says how to write carries on; else the topology task reports one. */
export function readLanguage(value: unknown): Language | null {
  const own = Language.safeParse(value);
  if (own.success) return own.data;
  const raw = record.parse(value);
  const { instruction } = raw;
  const tag = [raw["tag"], raw["code"], raw["locale"]].find((name) => typeof name === "string") ?? "und";
  if (typeof instruction !== "string" || instruction.trim() === "") return null;
  return { tag, name: typeof raw["name"] === "string" ? raw["name"] : tag, instruction, phrases: {} };
}

const SeedRound = z.looseObject({
  round: z.int().min(1),
  round_id: z.string().optional(),
  question_id: z.string().optional(),
  question_text: text,
  selected_options: texts,
  custom_input: z.string().nullable().catch(null),
  component: z.string().nullable().catch(null),
  dimension: Dimension.nullable().catch(null),
  lifecycle: z.string().optional(),
});

/** Rounds above 0 with their words; the record of round 0 is topology, never an unscored round (D2.5). */
export function readRounds(state: DeepState, value: unknown, at: string): Round[] {
  return each(value, Round, (item, made) => {
    const seed = SeedRound.safeParse(item);
    if (!seed.success) return null;
    const { round: number, component, dimension, lifecycle, scores } = seed.data;
    const ambiguity = z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .catch(null)
      .parse(seed.data["ambiguity"] ?? null);
    // Beside a lifecycle of its own the number may be what it was when the question was asked.
    const isScored = lifecycle === "scored" || (lifecycle === undefined && ambiguity !== null);
    const taken = made.map((round) => round.round_id);
    const id = freeId(seed.data.round_id ?? `r${number}`, taken);
    const question = questionOf(number, id, seed.data.question_id, seed.data.question_text);
    const base = createRound(state, "round", question, aimOf(component, dimension), { question: "" });
    const round: Round = {
      ...base,
      selected_options: seed.data.selected_options,
      custom_input: seed.data.custom_input,
      answered_by: "user",
      answered_at: at,
      lifecycle: isScored ? "scored" : lifecycle === "unresolved" ? "unresolved" : "answered",
      scored_at: isScored ? at : null,
      scores: isScored ? readScores(scores) : null,
      ambiguity: isScored ? round4(ambiguity ?? 1) : null,
    };
    return isScored ? { ...round, record: compactRecord(round, []) } : round;
  });
}

function freeId(wanted: string, taken: readonly string[]): string {
  let n = 1;
  let id = wanted;
  while (taken.includes(id)) {
    n += 1;
    id = `${wanted}-${n}`;
  }
  return id;
}

function questionOf(number: number, roundId: string, id: string | undefined, words: string) {
  return {
    id: id ?? `legacy-${roundId}`,
    kind: "round" as const,
    round: number,
    header: null,
    text: words,
    options: [],
    allow_free_text: true,
    multi_select: false,
    deepInterview: { round_id: roundId, round: number, component: null, dimension: null, ambiguity: 1 },
  };
}

function aimOf(component: string | null, dimension: Dimension | null): Aim {
  return {
    component,
    dimension,
    why: "",
    style: "plain",
    trigger_id: null,
    assumption_id: null,
    gap_key: null,
    user_only: false,
    researched: false,
    folded: [],
  };
}

/** Whether a threshold can be kept: a ratio that is not 0 at four decimals. */
export function isThreshold(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value <= 1 && toUnits(value) > 0;
}
