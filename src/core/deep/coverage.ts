/**
 * D10.3: what a line of the spec rests on, and what no criterion covers. Provenance is never the model's word: it follows
 * from the rounds and sources that a line cites.
 */
import { fold } from "../text.ts";
import type { DeepState, Gap, Round, SpecLine } from "./schema.ts";
import { unresolvedText } from "./specform.ts";
import { activeComponents, isDirect } from "./state.ts";
import type { Component, Dimension, Fact, Provenance } from "./vocabulary.ts";

/** A line may cite this instead of a round: a correction of the restated goal has no number (D9.3). */
export const correctionSource = "correction";

/** Rounds and corrections that have an answer. */
export function answeredRounds(state: DeepState): readonly Round[] {
  return state.rounds.filter(
    (round) => !round.superseded && round.lifecycle !== "unresolved" && round.answered_by !== null,
  );
}

export function findNumbered(state: DeepState, number: number): Round | undefined {
  return answeredRounds(state).find((round) => round.round === number);
}

/** Whether a line may cite it: an answered round, or round 0 where the topology was confirmed. */
export function isCitable(state: DeepState, number: number): boolean {
  return number === 0 ? state.topology.confirmed_at !== null : findNumbered(state, number) !== undefined;
}

/** What kind of source a path is; null when the interview never saw it. */
export function sourceKind(state: DeepState, source: string): "code" | "document" | "user" | null {
  const path = source.split("#")[0];
  if (state.codebase_context?.findings.some((finding) => finding.path === path)) return "code";
  if (state.codebase_context?.earlier.some((document) => document.path === path)) return "document";
  const corrected = answeredRounds(state).some((round) => round.kind === "correction");
  return source === correctionSource && corrected ? "user" : null;
}

const settled: ReadonlySet<string> = new Set(["confirmed", "revised"]);

function roundProvenance(state: DeepState, round: Round): Provenance {
  if (isDirect(round)) return "user";
  if (round.answered_by === "research") return "research";
  const assumption = state.assumptions.find((item) => item.round === round.round);
  return assumption !== undefined && settled.has(assumption.status) ? "user" : "assumption";
}

/** The weakest of what is cited comes first. */
const byStrength: readonly Provenance[] = ["assumption", "research", "user", "document", "code"];

/** Rounds decide when any is cited, then documents, then code; what cites nothing that exists is an assumption. */
export function provenanceOf(
  state: DeepState,
  line: { readonly rounds: readonly number[]; readonly sources: readonly string[] },
): Provenance {
  const cited: Provenance[] = line.rounds.flatMap((number) => {
    const round = findNumbered(state, number);
    if (round !== undefined) return [roundProvenance(state, round)];
    return isCitable(state, number) ? ["user" as const] : [];
  });
  const sources: Provenance[] = line.sources.flatMap((source) => sourceKind(state, source) ?? []);
  return byStrength.find((provenance) => cited.includes(provenance) || sources.includes(provenance)) ?? "assumption";
}

/** Facts that stand, of components that are active, on one dimension. */
export function standingFacts(state: DeepState, dimension: Dimension): readonly Fact[] {
  const active = new Set(activeComponents(state).map((component) => component.id));
  return state.established_facts.filter(
    (fact) => fact.status === "established" && fact.dimension === dimension && active.has(fact.component),
  );
}

export function directAnswers(state: DeepState, dimension: Dimension): readonly Round[] {
  return answeredRounds(state).filter((round) => round.dimension === dimension && isDirect(round));
}

/** D10.2: whether an empty list would leave out something that the state holds. */
export function holds(state: DeepState, dimension: Dimension): boolean {
  if (dimension === "goal" && state.restated_goal !== null) return true;
  return standingFacts(state, dimension).length > 0 || directAnswers(state, dimension).length > 0;
}

/** The component's id, or the deliverable as the topology spells it; null when nothing is called so. */
export function resolveCover(state: DeepState, name: string): string | null {
  const wanted = fold(name);
  for (const component of state.topology.components) {
    if (component.id === name.trim() || fold(component.name) === wanted) return component.id;
    const deliverable = component.deliverables.find((item) => fold(item) === wanted);
    if (deliverable !== undefined) return deliverable;
  }
  return null;
}

/** Whether a criterion covers a component, by itself or by one of its deliverables. */
export function coversComponent(line: SpecLine, component: Component): boolean {
  const names = [component.id, component.name, ...component.deliverables].map(fold);
  return line.covers.some((name) => names.includes(fold(name)));
}

function coversDeliverable(line: SpecLine, component: Component, deliverable: string): boolean {
  const wanted = fold(deliverable);
  if (wanted === fold(component.name) && coversComponent(line, component)) return true;
  return line.covers.some((name) => fold(name) === wanted) || fold(line.text).includes(wanted);
}

export interface Uncovered {
  readonly component: Component;
  /** Null: the component itself. */
  readonly deliverable: string | null;
}

/** Active components, and deliverables of theirs, that no criterion covers. */
export function uncovered(state: DeepState, lines: readonly SpecLine[]): Uncovered[] {
  return activeComponents(state).flatMap((component): Uncovered[] => {
    const open = component.deliverables.filter(
      (deliverable) => !lines.some((line) => coversDeliverable(line, component, deliverable)),
    );
    const deliverables = open.map((deliverable) => ({ component, deliverable }));
    const isCovered = lines.some((line) => coversComponent(line, component));
    return isCovered ? deliverables : [{ component, deliverable: null }, ...deliverables];
  });
}

/** An explicit gap in a list; what is known of a standing gap of that pair is said with it. */
export function gapLine(component: string, dimension: Dimension, gaps: readonly Gap[], what?: string): SpecLine {
  const known = gaps.find((gap) => gap.component === component && gap.dimension === dimension);
  const text = unresolvedText(component, dimension, what ?? known?.text ?? "");
  return { text, rounds: [], sources: [], provenance: "assumption", covers: [] };
}
