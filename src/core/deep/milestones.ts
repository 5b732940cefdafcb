/**
 * Milestone bands, and when the lateral panel is due (D7.1, D7.4): a change of band against the prior scored round, or
 * an escalation because the interview stalls or stays vague.
 */
import { toUnits } from "../ratio.ts";
import type { DeepState, Round } from "./schema.ts";
import { pairKey, scoredRounds } from "./state.ts";
import type { Milestone } from "./vocabulary.ts";

const initialAbove = 6000;
const progressAbove = 3000;
/** D7.4: rounds between two escalations. */
const escalationPause = 3;

/** The band that an ambiguity is in; `ready` is tested first. */
export function bandOf(ambiguity: number, threshold: number): Milestone {
  const units = toUnits(ambiguity);
  if (units <= toUnits(threshold)) return "ready";
  if (units > initialAbove) return "initial";
  return units > progressAbove ? "progress" : "refined";
}

/** What a stall is judged by: one scored round. */
export interface Measure {
  readonly ambiguity: number;
  readonly component_scores: Round["component_scores"];
}

export function measuresOf(rounds: readonly Round[]): Measure[] {
  return rounds.flatMap(({ ambiguity, component_scores }) =>
    ambiguity === null ? [] : [{ ambiguity, component_scores }],
  );
}

function scoresByPair(measure: Measure): Map<string, number> {
  const found = new Map<string, number>();
  for (const { component, scores } of measure.component_scores) {
    for (const dimension of ["goal", "constraints", "criteria", "context"] as const) {
      found.set(pairKey({ component, dimension }), toUnits(scores[dimension]));
    }
  }
  return found;
}

/** Whether any pair stands more than the band above where an earlier round of the window had it. */
function hasRisen(window: readonly Measure[], band: number): boolean {
  const least = new Map<string, number>();
  for (const [index, measure] of window.entries()) {
    for (const [key, units] of scoresByPair(measure)) {
      const before = least.get(key) ?? (index === 0 ? units : 0);
      if (units - before > band) return true;
      least.set(key, Math.min(before, units));
    }
  }
  return false;
}

/** D7.4 over measures, oldest first: the last window moved within the band, above the threshold, and no pair rose. */
export function hasStalled(measures: readonly Measure[], state: Pick<DeepState, "limits" | "threshold">): boolean {
  const { stallWindow, stallBand } = state.limits;
  const window = measures.slice(-stallWindow);
  const last = window.at(-1);
  if (window.length < stallWindow || last === undefined) return false;
  const units = window.map((measure) => toUnits(measure.ambiguity));
  const band = toUnits(stallBand);
  if (Math.max(...units) - Math.min(...units) > band) return false;
  return toUnits(last.ambiguity) > toUnits(state.threshold) && !hasRisen(window, band);
}

export function isStalled(state: DeepState): boolean {
  return hasStalled(measuresOf(scoredRounds(state)), state);
}

interface Scored {
  /** The scored rounds before this one, oldest first. */
  readonly before: readonly Round[];
  /** Number of this round, or of the last numbered one for a correction. */
  readonly number: number;
  readonly now: Measure;
  /** Trigger D, or a component that joined (D7.2). */
  readonly reshaped: boolean;
}

/** Whether a panel is due after a scored round. An escalation outranks the change of band that it comes with. */
export function panelDue(state: DeepState, scored: Scored): DeepState["panel_due"] {
  const prior = scored.before.at(-1);
  const from = prior === undefined ? "initial" : (prior.milestone ?? bandOf(prior.ambiguity ?? 1, state.threshold));
  const to = bandOf(scored.now.ambiguity, state.threshold);
  const moved = from !== to;
  const escalated = isEscalated(state, scored);
  if (!moved && !escalated) return null;
  return {
    cause: escalated ? "escalation" : "milestone",
    from: moved ? from : null,
    to: moved ? to : null,
    architect: escalated || scored.reshaped,
    escalated,
  };
}

function isEscalated(state: DeepState, { before, number, now }: Scored): boolean {
  const late = number >= state.limits.ontologyEscalationRound && toUnits(now.ambiguity) > progressAbove;
  if (!late && !hasStalled([...measuresOf(before), now], state)) return false;
  const last = state.lateral_reviews.findLast((review) => review.cause === "escalation");
  return last === undefined || number - last.round >= escalationPause;
}
