/**
 * D9.1, D10.4: what stands between a low number and a finished interview. Gaps have keys; the same one is put to the
 * user at most once, and one that stays keeps the spec from being PASSED.
 */
import { toUnits } from "../ratio.ts";
import { type Config, phrase } from "./phrase.ts";
import type { DeepState, Gap, Round, SpecProse } from "./schema.ts";
import { dimensionsOf } from "./score.ts";
import { isUnresolved } from "./specform.ts";
import { activeComponents, findComponent, isDirect, lastScored, pairKey } from "./state.ts";
import type { Assumption, Pair } from "./vocabulary.ts";

/** D5.7: stored values, as integers; only a scored round can meet the gate. */
export function isGateMet(state: DeepState): boolean {
  return lastScored(state) !== undefined && toUnits(state.current_ambiguity) <= toUnits(state.threshold);
}

const openAssumptions: ReadonlySet<Assumption["status"]> = new Set(["left_open", "kept"]);

/** Whether an assumption stands in for the user's word: left open, kept at the gate, or capped and never confirmed. */
function standsOpen(state: DeepState, assumption: Assumption): boolean {
  if (openAssumptions.has(assumption.status)) return true;
  return assumption.status === "open" && state.caps.some((cap) => cap.assumption_id === assumption.id);
}

/** The gaps that code sees on active components, in the order in which they are put to the user. */
export function codeGaps(config: Config, state: DeepState): Gap[] {
  const active = activeComponents(state);
  const isActive = (id: string) => active.some((component) => component.id === id);
  const gaps: Gap[] = [];
  for (const fact of state.established_facts) {
    if (fact.status !== "disputed" || !isActive(fact.component)) continue;
    const text = phrase(config, state, "gap.fact", { statement: fact.statement });
    gaps.push({ key: `fact:${fact.id}`, component: fact.component, dimension: fact.dimension, text });
  }
  for (const trigger of state.triggers) {
    if (trigger.status === "resolved" || !isActive(trigger.component)) continue;
    const label = phrase(config, state, `trigger.${trigger.label}`);
    const text = phrase(config, state, "gap.trigger", { label, evidence: trigger.evidence });
    gaps.push({ key: `trigger:${trigger.id}`, component: trigger.component, dimension: trigger.dimension, text });
  }
  for (const assumption of state.assumptions) {
    if (!isActive(assumption.component) || !standsOpen(state, assumption)) continue;
    const text = phrase(config, state, "gap.assumption", { answer: assumption.answer });
    gaps.push({
      key: `assumption:${assumption.id}`,
      component: assumption.component,
      dimension: assumption.dimension,
      text,
    });
  }
  for (const component of active) {
    for (const dimension of dimensionsOf(state.type)) {
      if (component.clarity_scores[dimension] !== null) continue;
      const text = phrase(config, state, "gap.pair", { component: component.name, dimension });
      gaps.push({ key: `pair:${component.id}/${dimension}`, component: component.id, dimension, text });
    }
  }
  const known = new Set(gaps.map((gap) => pairKey(gap)));
  for (const pair of unanswered(state)) {
    const component = findComponent(state, pair.component);
    if (!isActive(pair.component) || known.has(pairKey(pair))) continue;
    known.add(pairKey(pair));
    const text = component?.gaps[pair.dimension] || pairKey(pair);
    gaps.push({ key: `pair:${pairKey(pair)}`, component: pair.component, dimension: pair.dimension, text });
  }
  return gaps;
}

/** Pairs left open, and rounds that ended without an answer, until the user has answered the pair (D4.4, D4.5). */
function unanswered(state: DeepState): Pair[] {
  const rounds = state.rounds.filter((round) => !round.superseded);
  const open = rounds.flatMap((round, index): Pair[] => {
    const { component, dimension } = round;
    if (round.lifecycle !== "unresolved" || component === null || dimension === null) return [];
    const pair = { component, dimension };
    const isAnswered = rounds.slice(index + 1).some((later) => isDirect(later) && isAbout(later, pair));
    return isAnswered ? [] : [pair];
  });
  return [...state.left_open, ...open];
}

function isAbout(round: Round, pair: Pair): boolean {
  return round.component === pair.component && round.dimension === pair.dimension;
}

/** Every gap that stands: what code sees, and what the last closure audit named. */
export function standingGaps(config: Config, state: DeepState): Gap[] {
  const audited = state.closure.gaps.filter((gap) => findComponent(state, gap.component)?.status === "active");
  return [...codeGaps(config, state), ...audited, ...(state.closure.failed ? failedAudit(config, state) : [])];
}

/** An audit that could not be made is no question for the user; it only keeps the spec from being PASSED. */
function failedAudit(config: Config, state: DeepState): Gap[] {
  const text = phrase(config, state, "gap.audit-failed");
  return activeComponents(state)
    .slice(0, 1)
    .map((component) => ({ key: "audit:failed", component: component.id, dimension: "goal", text }));
}

/** D10.4: PASSED only at or below the threshold, audited, and with no gap standing. */
export function isPassed(config: Config, state: DeepState): boolean {
  const { audited, failed } = state.closure;
  const isOpen = state.prose !== null && hasUnresolved(state.prose);
  return isGateMet(state) && audited && !failed && !isOpen && standingGaps(config, state).length === 0;
}

/** What no criterion covers (D10.3), or what the state holds nothing for (D10.2), is a gap that the spec itself names. */
function hasUnresolved({ goal, constraints, criteria }: SpecProse): boolean {
  return [{ text: goal, rounds: [], sources: [] }, ...constraints, ...criteria].some(isUnresolved);
}
