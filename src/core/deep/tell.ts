/**
 * What a person is shown because of an event (D0.3, D0.6, D1.5, D8.1, D8.3, D8.4): derived from the journal, so that every
 * surface and every process shows the same.
 */
import type { Message, Stamp } from "../machine.ts";
import { percent, toUnits } from "../ratio.ts";
import { thresholdLine } from "../settings.ts";
import { missingLanguage } from "./detect.ts";
import type { DeepEvent, DeepEventOf } from "./events.ts";
import { handoffEntry } from "./finishing.ts";
import { type Config, phrase, type Vars } from "./phrase.ts";
import { reportView } from "./reporting.ts";
import type { DeepState } from "./schema.ts";
import { dimensionsOf } from "./score.ts";
import { activeComponents, findComponent } from "./state.ts";

/** How the offline interviewer is called in `options.model`. */
export const offlineLabel = "offline rules";

export function tell(config: Config, before: DeepState, event: DeepEvent & Stamp, after: DeepState): Message[] {
  const say = (key: string, vars: Vars = {}): Message => ({ type: "text", text: phrase(config, after, key, vars) });
  const warn = (key: string, vars: Vars = {}): Message => ({ type: "warning", text: phrase(config, after, key, vars) });
  switch (event.type) {
    case "interview.started":
      return [{ type: "announcement", text: thresholdLine(after.threshold, after.threshold_source) }];
    case "topology.proposed":
      return before.topology.status === "pending" ? [...unspoken(config, after), ...announce(before, after, say)] : [];
    case "topology.locked":
      return demand(config, after);
    case "component.deferred":
      return [
        say("component.deferred", {
          component: findComponent(after, event.component_id)?.name ?? "",
          reason: event.reason,
        }),
      ];
    case "reply.returned":
      return event.text === "" ? [] : [{ type: "text", text: event.text }];
    case "round.scored":
      return [{ type: "report", view: { ...reportView(config, before, event, after) } }];
    case "round.unresolved":
      return event.why === "user-only" ? [say("user-only")] : [];
    case "rounds.ended":
      return ended(after, event, warn);
    case "spec.written":
      return [
        say("spec.written", {
          path: event.path,
          status: event.status,
          ambiguity: percent(after.current_ambiguity),
          percent: percent(after.threshold),
        }),
      ];
    case "handoff.chosen": {
      const legacy = after.topology.status === "legacy_missing" ? [warn("handoff.legacy")] : [];
      return [...legacy, say("handoff", { entry: handoffEntry(after) ?? "" })];
    }
    case "interview.closed":
      return event.how === "cancelled" ? [say("cancelled", { session: after.session_id })] : [];
    case "threshold.changed":
      return [{ type: "announcement", text: thresholdLine(after.threshold, after.threshold_source) }];
    default:
      return [];
  }
}

/**
 * D1.5: what follows the marker line: the idea, its type, and that nothing is clear yet. Said when the topology task has
 * reported language and type, so that it is in that language, and true (D1.6).
 */
function announce(before: DeepState, state: DeepState, say: (key: string, vars?: Vars) => Message): Message[] {
  const vars = { percent: percent(state.threshold), idea: state.initial_idea, type: state.type };
  return [
    say("announcement", vars),
    ...(before.type === state.type ? [] : [say("notice.brownfield")]),
    ...(state.small ? [say("notice.small")] : []),
  ];
}

/** The offline interviewer asks in English where it has no data for the language: one loud line says so. */
function unspoken(config: Config, state: DeepState): Message[] {
  if (state.options.model !== offlineLabel) return [];
  const { lexicons } = config.languages;
  const asked = missingLanguage({ idea: "", requested: state.language?.tag ?? "" }, lexicons);
  const missing = asked ?? missingLanguage({ idea: state.initial_idea, requested: "" }, lexicons);
  return missing === null
    ? []
    : [{ type: "warning", text: phrase(config, state, "notice.language", { language: missing }) }];
}

/** D0.6: what the threshold asks of every pair. */
function demand(config: Config, state: DeepState): Message[] {
  const pairs = activeComponents(state).length * dimensionsOf(state.type).length;
  const vars = {
    percent: percent(state.threshold),
    pairs,
    clarity: percent(1 - state.threshold),
    rounds: state.round_cap,
  };
  const lines = [phrase(config, state, "demand", vars)];
  const strict = toUnits(state.threshold) < toUnits(0.05);
  const crowded = pairs > state.round_cap;
  if (strict) lines.push(phrase(config, state, "demand.strict", vars));
  if (crowded) lines.push(phrase(config, state, "demand.rounds", vars));
  return [{ type: strict || crowded ? "warning" : "text", text: lines.join(" ") }];
}

function ended(
  state: DeepState,
  event: DeepEventOf<"rounds.ended">,
  warn: (key: string, vars: Vars) => Message,
): Message[] {
  const vars = { ambiguity: percent(state.current_ambiguity), percent: percent(state.threshold) };
  switch (event.reason) {
    case "gate":
      return [];
    case "cap":
      return [warn("hard-cap", vars)];
    case "early-exit":
    case "budget":
    case "exhausted":
      return [warn(event.reason, vars)];
  }
}
