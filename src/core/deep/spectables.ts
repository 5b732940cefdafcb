/**
 * The tables of the spec, from the state alone (D10.2, D5.1, D5.6, D6.2): clarity, topology, assumptions, entities and
 * how they converged. Numbers print exactly.
 */
import { fromUnits, percent, toUnits } from "../ratio.ts";
import { coversComponent } from "./coverage.ts";
import { inline } from "./markdown.ts";
import type { DeepState, SpecProse } from "./schema.ts";
import { dimensionsOf, minima, weights } from "./score.ts";
import { isUnresolved, type SpecRow, type SpecView } from "./specform.ts";
import { lastScored, noScores } from "./state.ts";
import { componentId } from "./topology.ts";
import type { Assumption, Component, Dimension, OntologySnapshot, Scores } from "./vocabulary.ts";

const labels = {
  goal: "Goal Clarity",
  constraints: "Constraint Clarity",
  criteria: "Success Criteria",
  context: "Context Clarity",
} as const satisfies Record<Dimension, string>;

/** At most four decimals, none that is not there. */
export function decimal(value: number): string {
  return String(fromUnits(toUnits(value)));
}

/** Null in the state: the pair has no score, and counts as 0. */
export function scoreText(value: number | null): string {
  return value === null ? "-" : decimal(value);
}

/** The scores that the stored ambiguity came from; after a later deferral, the minimum over what is still active. */
function overallScores(state: DeepState): { readonly scores: Scores; readonly marginUnits: number } {
  const last = lastScored(state);
  if (last?.scores && toUnits(last.ambiguity) === toUnits(state.current_ambiguity)) {
    return { scores: last.scores, marginUnits: toUnits(last.sampling_margin) };
  }
  return { scores: last === undefined ? noScores : minima(state.topology.components), marginUnits: 0 };
}

/** The total is what the stored ambiguity leaves, without the sampling margin. */
export function clarityTable(state: DeepState): SpecView["clarity"] {
  const { scores, marginUnits } = overallScores(state);
  const rows = dimensionsOf(state.type).map((dimension) => {
    const weight = weights(state.type)[dimension];
    const score = scores[dimension];
    return {
      dimension: labels[dimension],
      score: scoreText(score),
      weight: String(weight / 100),
      weighted: String((toUnits(score) * weight) / 1_000_000),
    };
  });
  return {
    rows,
    total: String(fromUnits(10_000 - toUnits(state.current_ambiguity) + marginUnits)),
    margin: marginUnits === 0 ? null : String(fromUnits(marginUnits)),
    ambiguity: decimal(state.current_ambiguity),
  };
}

/** The name, and the id too where nobody would guess it. */
export function componentLabel(component: Component): string {
  return componentId(component.name, []) === component.id ? component.name : `${component.name} (${component.id})`;
}

/** Active ones with the criteria that cover them, deferred ones with reason and time (D10.3). */
export function topologyRows(state: DeepState, prose: SpecProse): SpecRow<"topology">[] {
  return state.topology.components.map((component) => ({
    component: inline(componentLabel(component)),
    status: component.status,
    description: inline(component.description),
    note: inline(component.status === "active" ? coverageNote(component, prose) : deferralNote(state, component)),
  }));
}

/** Criteria are counted as they stand in the list, gaps left out. */
function coverageNote(component: Component, prose: SpecProse): string {
  const criteria = prose.criteria.filter((line) => !isUnresolved(line));
  const numbers = criteria.flatMap((line, index) => (coversComponent(line, component) ? [index + 1] : []));
  const note = prose.coverage.find((item) => item.component === component.id)?.note ?? "";
  const covered = numbers.length === 0 ? `Unresolved: ${component.id}/criteria` : `Criteria ${numbers.join(", ")}`;
  return note === "" ? covered : `${covered}. ${note}`;
}

export function deferralNote(state: DeepState, component: Component): string {
  const deferral = state.topology.deferrals.findLast((item) => item.component_id === component.id);
  return deferral === undefined ? "no reason recorded" : `${deferral.reason} (deferred ${deferral.confirmed_at})`;
}

/** What the architect assumed stands first, from the state; then what the interview brought to light, in the prose. */
export function assumptionRows(state: DeepState, prose: SpecProse): SpecRow<"assumptions">[] {
  const own = state.assumptions.map((item) => ({
    assumption: inline(item.answer),
    challenge: inline(challengeOf(item)),
    resolution: item.status.replace("_", " "),
  }));
  const told = prose.assumptions.map((row) => ({
    assumption: inline(row.assumption),
    challenge: inline(row.challenge),
    resolution: inline(row.resolution),
  }));
  return [...own, ...told];
}

function challengeOf(item: Assumption): string {
  const doubt = item.uncertainty === null ? "" : `; ${item.uncertainty}`;
  return `Round ${item.round}, architect-assisted, confidence ${item.confidence}${doubt}`;
}

/** The last snapshot, not what the crystallizing model would say. */
export function entityRows(state: DeepState): SpecRow<"entities">[] {
  return (state.ontology_snapshots.at(-1)?.entities ?? []).map((entity) => ({
    entity: inline(entity.name),
    type: inline(entity.type),
    fields: inline(entity.fields.join(", ")),
    relationships: inline(entity.relationships.join("; ")),
  }));
}

export function convergenceRows(state: DeepState): SpecRow<"convergence">[] {
  return state.ontology_snapshots.map((snapshot, index) => ({
    round: snapshot.round === null ? "correction" : String(snapshot.round),
    count: String(snapshot.entities.length),
    new: String(snapshot.new),
    changed: index === 0 ? "-" : String(snapshot.changed),
    stable: index === 0 ? "-" : String(snapshot.stable),
    ratio: ratioText(snapshot),
  }));
}

/** D6.1: N/A in the first round and where there are no entities. */
function ratioText(snapshot: OntologySnapshot): string {
  return snapshot.stability_ratio === null ? "N/A" : percent(snapshot.stability_ratio);
}
