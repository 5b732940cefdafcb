/** D8.1: the progress report of a scored round, as a view (`report.ts`), from the state before and after it. */

import { percent, round4, toUnits } from "../ratio.ts";
import { nextTarget } from "./choosing.ts";
import type { DeepEventOf } from "./events.ts";
import { isGateMet } from "./gates.ts";
import { type Config, phrase } from "./phrase.ts";
import type { ReportRow, ReportView } from "./report.ts";
import type { DeepState } from "./schema.ts";
import { dimensionsOf, weights } from "./score.ts";
import { activeComponents, findComponent, findRound, scoredRounds } from "./state.ts";
import type { Dimension } from "./vocabulary.ts";

const labels: Readonly<Record<Dimension, string>> = {
  goal: "Goal",
  constraints: "Constraints",
  criteria: "Success Criteria",
  context: "Context (brownfield)",
};

export function reportView(
  config: Config,
  before: DeepState,
  event: DeepEventOf<"round.scored">,
  after: DeepState,
): ReportView {
  const round = findRound(after, event.round_id);
  const now = toUnits(after.current_ambiguity);
  const prior = toUnits(before.current_ambiguity);
  const active = after.topology.components.filter((component) => component.status === "active").length;
  const { ontology } = event;
  const raised = event.triggers.find(
    (trigger) => trigger.status === "active" && trigger.round === (round?.round ?? null),
  );
  return {
    round: round?.round ?? null,
    rows: rowsOf(config, after, event),
    prior_ambiguity: percent(before.current_ambiguity),
    ambiguity: percent(after.current_ambiguity),
    direction: now > prior ? "up" : now < prior ? "down" : "flat",
    trigger: now > prior && raised !== undefined ? phrase(config, after, `trigger.${raised.label}`) : "",
    sampling_margin: toUnits(event.sampling_margin) === 0 ? null : percent(event.sampling_margin),
    topology: {
      targeted: findComponent(after, round?.component ?? "")?.name ?? "",
      active,
      deferred: after.topology.components.length - active,
      last_targeted: after.topology.last_targeted_component_id ?? "",
    },
    locked: wasLocked(after, event.round_id) ? lockedOf(after) : [],
    ontology: {
      entities: ontology.entities.length,
      stability: ontology.stability_ratio === null ? "N/A" : percent(ontology.stability_ratio),
      new: ontology.new,
      changed: ontology.changed,
      stable: ontology.stable,
      matching: ontology.matching_reasoning,
    },
    milestone: { from: before.ambiguity_milestone, to: after.ambiguity_milestone, panel: after.panel_due !== null },
    next: nextOf(config, after),
    closing: closingOf(config, after),
    meter: meterOf(config, after, round?.round ?? null),
  };
}

function rowsOf(config: Config, state: DeepState, event: DeepEventOf<"round.scored">): ReportRow[] {
  const parts = weights(state.type);
  return dimensionsOf(state.type).map((dimension) => {
    const score = event.scores[dimension];
    const weakest = [...activeComponents(state)].sort(
      (a, b) => toUnits(a.clarity_scores[dimension]) - toUnits(b.clarity_scores[dimension]),
    )[0];
    const gap = weakest?.gaps[dimension] ?? "";
    return {
      label: labels[dimension],
      score,
      weight: parts[dimension] / 100,
      weighted: round4(((score ?? 0) * parts[dimension]) / 100),
      gap: gap === "" ? phrase(config, state, "report.clear") : gap,
    };
  });
}

/** D2.2: this is the first score since the lock; an imported interview has earlier ones. */
function wasLocked(state: DeepState, roundId: string): boolean {
  const at = state.topology.confirmed_at;
  if (at === null) return false;
  return !scoredRounds(state).some((round) => round.round_id !== roundId && (round.scored_at ?? "") > at);
}

function lockedOf(state: DeepState): ReportView["locked"] {
  return state.topology.components.map(({ name, status, description }) => ({ name, status, description }));
}

function nextOf(config: Config, state: DeepState): ReportView["next"] {
  const target = nextTarget(state);
  if (target === null) return null;
  const component = findComponent(state, target.component);
  const gap = component?.gaps[target.dimension] ?? "";
  const why =
    target.trigger_id === null
      ? gap || phrase(config, state, "why.lowest")
      : whyTrigger(config, state, target.trigger_id);
  return { component: component?.name ?? target.component, dimension: target.dimension, why };
}

function whyTrigger(config: Config, state: DeepState, id: string): string {
  const trigger = state.triggers.find((item) => item.id === id);
  return phrase(config, state, trigger === undefined ? "why.lowest" : `why.trigger.${trigger.label}`);
}

function closingOf(config: Config, state: DeepState): string {
  if (isGateMet(state)) return phrase(config, state, "report.met");
  const dimension = nextTarget(state)?.dimension ?? "";
  return dimension === "" ? "" : phrase(config, state, "report.focus", { dimension });
}

function meterOf(config: Config, state: DeepState, round: number | null): string {
  // What a correction cost is filed under the round before it.
  const own = state.round_meters.find((meter) => meter.round === (round ?? state.round_count))?.usage;
  if (state.meter.calls === 0) return "";
  const cost = (usd: number | null) =>
    usd === null ? phrase(config, state, "report.cost.unknown") : `$${usd.toFixed(4)}`;
  return phrase(config, state, "report.meter", {
    calls: own?.calls ?? 0,
    tokens:
      own === undefined ? 0 : own.input_tokens + own.cache_read_tokens + own.cache_write_tokens + own.output_tokens,
    cost: cost(own === undefined ? 0 : own.usd),
    total_calls: state.meter.calls,
    total_cost: cost(state.meter.usd),
  });
}
