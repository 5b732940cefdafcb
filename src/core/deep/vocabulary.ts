/**
 * The words of the deep interview: dimensions and pairs, components, facts, triggers, assumptions, ontology. Persisted
 * names are snake_case, as the seed writes them. Scores and ambiguity are 0..1 with at most four decimals (`score.ts`).
 */
import * as z from "zod";

export const Dimension = z.enum(["goal", "constraints", "criteria", "context"]);
export type Dimension = z.infer<typeof Dimension>;

export const ProjectType = z.enum(["greenfield", "brownfield"]);
export type ProjectType = z.infer<typeof ProjectType>;

export const Score = z.number().min(0).max(1);
/** A score per dimension; null until scored, and always null for `context` in a greenfield interview. */
export const Scores = z.object({
  goal: Score.nullable(),
  constraints: Score.nullable(),
  criteria: Score.nullable(),
  context: Score.nullable(),
});
export type Scores = z.infer<typeof Scores>;

export const Pair = z.object({ component: z.string(), dimension: Dimension });
export type Pair = z.infer<typeof Pair>;

export const Language = z.object({
  /** BCP 47, such as `ko` or `pt-BR`. */
  tag: z.string(),
  name: z.string(),
  /** One sentence that goes into every prompt whose text a user sees. */
  instruction: z.string(),
  /** Sentences of the interface that no language file holds, as the topology task translated them. */
  phrases: z.record(z.string(), z.string()),
});
export type Language = z.infer<typeof Language>;

export const Component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(["active", "deferred"]),
  evidence: z.array(z.string()),
  /** Deliverables that the idea names and this component stands for (D10.3). */
  deliverables: z.array(z.string()),
  clarity_scores: Scores,
  gaps: z.object({ goal: z.string(), constraints: z.string(), criteria: z.string(), context: z.string() }),
  weakest_dimension: Dimension.nullable(),
  /** The round whose answer added it; null when it is of round 0. */
  joined_round: z.int().nullable(),
});
export type Component = z.infer<typeof Component>;

export const Deferral = z.object({ component_id: z.string(), reason: z.string(), confirmed_at: z.string() });

export const TopologyEdit = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), name: z.string(), description: z.string() }),
  z.object({ op: z.literal("remove"), component: z.string() }),
  z.object({ op: z.literal("merge"), components: z.array(z.string()), name: z.string(), description: z.string() }),
  z.object({
    op: z.literal("split"),
    component: z.string(),
    into: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
  z.object({ op: z.literal("rename"), component: z.string(), name: z.string() }),
  z.object({ op: z.literal("defer"), component: z.string(), reason: z.string() }),
]);
export type TopologyEdit = z.infer<typeof TopologyEdit>;

export const Topology = z.object({
  status: z.enum(["pending", "confirmed", "legacy_missing"]),
  confirmed_at: z.string().nullable(),
  components: z.array(Component),
  deferrals: z.array(Deferral),
  last_targeted_component_id: z.string().nullable(),
  /** Why more than six candidates were grouped; null when none were. */
  grouping: z.string().nullable(),
  /** What the user said beside confirming it. */
  remark: z.string().nullable(),
});
export type Topology = z.infer<typeof Topology>;

/** Who a statement rests on. `script` is a person's answers file; a default is never the user's word. */
export const Provenance = z.enum(["user", "document", "code", "research", "assumption"]);
export type Provenance = z.infer<typeof Provenance>;

/** The confirmed reading of a free-text answer (D4.3). */
export const Interpretation = z.object({
  decision: z.string(),
  reasoning: z.array(z.string()),
  constraints: z.array(z.string()),
  out_of_scope: z.array(z.string()),
  context: z.array(z.string()),
});
export type Interpretation = z.infer<typeof Interpretation>;

export const Style = z.enum(["plain", "ontology", "fact", "closure", "topology", "confirm-assumption"]);
export type Style = z.infer<typeof Style>;

/** What a question is aimed at, and why now; code chose it (D3.1). */
export const Aim = z.object({
  component: z.string().nullable(),
  dimension: Dimension.nullable(),
  why: z.string(),
  style: Style,
  trigger_id: z.string().nullable(),
  assumption_id: z.string().nullable(),
  /** The closure gap that it is about (D9.1). */
  gap_key: z.string().nullable(),
  /** D3.6: no candidates, no draft, and nobody but the user answers. */
  user_only: z.boolean(),
  researched: z.boolean(),
  /** Personas whose findings became options. */
  folded: z.array(z.string()),
});
export type Aim = z.infer<typeof Aim>;

export const TriggerLabel = z.enum(["A", "B", "C", "D"]);
export type TriggerLabel = z.infer<typeof TriggerLabel>;

export const Trigger = z.object({
  id: z.string(),
  round: z.int().nullable(),
  label: TriggerLabel,
  status: z.enum(["active", "disputed", "unresolved", "resolved"]),
  component: z.string(),
  dimension: Dimension,
  prior_dimension_score: Score.nullable(),
  new_dimension_score: Score.nullable(),
  prior_ambiguity: Score,
  new_ambiguity: Score,
  evidence: z.string(),
  /** For D: the outcome that would join (D2.6). */
  proposed: z.string().nullable(),
  contradicted_fact: z.string().nullable(),
  rationale: z.string().nullable(),
  /** Code lowered the pair because the scorer did not (D5.3). */
  enforced: z.boolean(),
  /** A question was aimed at its pair since. */
  aimed: z.boolean(),
  resolved_round: z.int().nullable(),
});
export type Trigger = z.infer<typeof Trigger>;

export const Fact = z.object({
  id: z.string(),
  statement: z.string(),
  component: z.string(),
  dimension: Dimension,
  /** Null: stated by a correction of the restated goal, which has no number. */
  source_round: z.int().nullable(),
  evidence: z.string(),
  provenance: Provenance,
  status: z.enum(["established", "disputed", "superseded"]),
  contradicts: z.string().nullable(),
  superseded_by: z.string().nullable(),
  /** While disputed: the score its pair cannot rise above (D5.4). */
  ceiling: Score.nullable(),
});
export type Fact = z.infer<typeof Fact>;

export const Assumption = z.object({
  id: z.string(),
  round: z.int(),
  component: z.string(),
  dimension: Dimension,
  answer: z.string(),
  reasons: z.array(z.string()),
  confidence: z.enum(["low", "medium", "high"]),
  uncertainty: z.string().nullable(),
  /** `open`: not asked yet; `kept`: the user chose to keep questioning at the gate (D4.6), `left_open` (D4.5). */
  status: z.enum(["open", "confirmed", "revised", "left_open", "kept", "answered"]),
});
export type Assumption = z.infer<typeof Assumption>;

/** D4.5: the most that a pair improved by an auto-answer alone may score. */
export const Cap = z.object({ component: z.string(), dimension: Dimension, cap: Score, assumption_id: z.string() });
export type Cap = z.infer<typeof Cap>;

export const Entity = z.object({
  name: z.string(),
  type: z.string(),
  fields: z.array(z.string()),
  relationships: z.array(z.string()),
});
export type Entity = z.infer<typeof Entity>;

export const OntologySnapshot = z.object({
  round: z.int().nullable(),
  entities: z.array(Entity),
  stability_ratio: z.number().nullable(),
  new: z.int(),
  changed: z.int(),
  stable: z.int(),
  removed: z.int(),
  matching_reasoning: z.array(z.string()),
});
export type OntologySnapshot = z.infer<typeof OntologySnapshot>;

export const Milestone = z.enum(["initial", "progress", "refined", "ready"]);
export type Milestone = z.infer<typeof Milestone>;
