/**
 * D3.1, D3.5, D4.5: which pair the next question is aimed at. Code chooses; the model only words it.
 */
import { toUnits } from "../ratio.ts";
import { isStalled } from "./milestones.ts";
import { isCoreUnstable } from "./ontology.ts";
import type { DeepState } from "./schema.ts";
import { activePairs } from "./score.ts";
import { isPair, lastScored, scoreOf } from "./state.ts";
import type { Pair, Trigger } from "./vocabulary.ts";

export interface Target extends Pair {
  readonly trigger_id: string | null;
  /** `scope`: the question that D2.6 owes; `trigger`: an active trigger's pair; `lowest`: the weakest pair in rotation. */
  readonly reason: "scope" | "trigger" | "lowest";
}

/** Pairs this close to the lowest are similarly weak, in units. */
const similar = 500;
const triggerOrder = ["A", "B", "D", "C"] as const;
/** D3.5: one ontology question in so many rounds. */
const ontologyPause = 3;

/** Pairs that a question may still be aimed at, in topology order. */
function openPairs(state: DeepState): Pair[] {
  return activePairs(state).filter((pair) => !state.left_open.some((left) => isPair(left, pair)));
}

function unitsOf(state: DeepState, pair: Pair): number {
  return toUnits(scoreOf(state, pair.component, pair.dimension));
}

/** The next question's pair, by the first rule of D3.1 that applies; null when no pair is left. */
export function chooseTarget(state: DeepState): Target | null {
  // Code may have made a new outcome's trigger `unresolved` for the arithmetic; its question is owed all the same (D2.6).
  const owed = state.triggers.find((item) => item.label === "D" && item.status !== "resolved" && !item.aimed);
  if (owed !== undefined) return aimAt(owed, "scope");
  const pairs = openPairs(state);
  const waiting = state.triggers.filter(
    (item) => item.status === "active" && !item.aimed && pairs.some((pair) => isPair(pair, item)),
  );
  for (const label of triggerOrder) {
    const oldest = waiting.find((item) => item.label === label);
    if (oldest !== undefined) return aimAt(oldest, "trigger");
  }
  return chooseLowest(state, pairs);
}

function aimAt(trigger: Trigger, reason: Target["reason"]): Target {
  return { component: trigger.component, dimension: trigger.dimension, trigger_id: trigger.id, reason };
}

function chooseLowest(state: DeepState, pairs: readonly Pair[]): Target | null {
  const least = Math.min(...pairs.map((pair) => unitsOf(state, pair)));
  const weak = pairs.filter((pair) => unitsOf(state, pair) - least <= similar);
  const component = longestAgo(state, [...new Set(weak.map((pair) => pair.component))]);
  const [first, ...rest] = weak.filter((pair) => pair.component === component);
  if (first === undefined) return null;
  const chosen = rest.reduce((low, pair) => (unitsOf(state, pair) < unitsOf(state, low) ? pair : low), first);
  return { ...chosen, trigger_id: null, reason: "lowest" };
}

/** Never targeted is oldest; ties in the order given. A state of another tool may know only the last one. */
function longestAgo(state: DeepState, components: readonly string[]): string | undefined {
  const last = state.topology.last_targeted_component_id;
  const history = state.target_history.length === 0 && last !== null ? [last] : state.target_history;
  const [first, ...rest] = components;
  if (first === undefined) return undefined;
  return rest.reduce((old, id) => (history.lastIndexOf(id) < history.lastIndexOf(old) ? id : old), first);
}

/** D4.5: above the threshold, and every pair still in targeting is as clear as the threshold asks, or none is left. */
export function isExhausted(state: DeepState): boolean {
  const threshold = toUnits(state.threshold);
  if (lastScored(state) === undefined || toUnits(state.current_ambiguity) <= threshold) return false;
  return openPairs(state).every((pair) => unitsOf(state, pair) >= 10_000 - threshold);
}

/** D3.5: whether the next question asks what the thing is: an unstable core noun or a stall, one in three rounds at most. */
export function needsOntologyQuestion(state: DeepState): boolean {
  const recent = state.rounds.filter((round) => round.round !== null && !round.superseded).slice(1 - ontologyPause);
  if (recent.some((round) => round.aim.style === "ontology")) return false;
  return isCoreUnstable(state.ontology_snapshots) || isStalled(state);
}
