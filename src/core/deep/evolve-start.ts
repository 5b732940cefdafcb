/**
 * Folding what happens before the first round: start, import, intake, topology (D1, D2).
 */
import type { Folds } from "./fold.ts";
import { readLegacy } from "./legacy.ts";
import { blankState, stageBetween } from "./state.ts";

export const startFolds: Folds<
  | "interview.started"
  | "state.imported"
  | "idea.summarised"
  | "project.scanned"
  | "context.explored"
  | "topology.proposed"
  | "topology.edited"
  | "topology.locked"
  | "component.deferred"
> = {
  "interview.started": (_, event) => ({
    ...blankState,
    interview_id: event.interview_id,
    session_id: event.session_id,
    initial_idea: event.idea,
    idea_sha256: event.idea_sha256,
    idea_chars: event.idea_chars,
    threshold: event.threshold,
    threshold_source: event.threshold_source,
    limits: event.limits,
    round_cap: event.limits.maxRounds,
    options: event.options,
    type: event.project_type,
    type_forced: event.type_forced,
    small: event.small,
    signals: event.signals,
    language: event.language,
    started_at: event.at,
  }),
  "state.imported": (_, event) => readLegacy(event),
  "idea.summarised": (state, event) => ({
    ...state,
    initial_idea: event.summary,
    initial_context_summary: event.summary,
    results: {},
    failures: {},
  }),
  "project.scanned": (state, event) => ({ ...state, scan: event.scan }),
  "context.explored": (state, event) => ({
    ...state,
    codebase_context: event.context,
    results: {},
    failures: {},
  }),
  "topology.proposed": (state, event) => ({
    ...state,
    stage: { type: "topology" },
    type: event.project_type,
    language: event.language,
    topology: { ...state.topology, components: event.components, grouping: event.grouping },
    results: {},
    failures: {},
  }),
  "topology.edited": (state, event) => ({
    ...state,
    topology: {
      ...state.topology,
      components: event.components,
      deferrals: [
        ...state.topology.deferrals,
        ...event.deferrals
          .filter((deferral) => !state.topology.deferrals.some((old) => old.component_id === deferral.component_id))
          .map((deferral) => ({ ...deferral, confirmed_at: event.at })),
      ],
    },
  }),
  "topology.locked": (state, event) => ({
    ...state,
    stage: stageBetween(state.rounds),
    inbox: null,
    topology: { ...state.topology, status: "confirmed", confirmed_at: event.at, remark: event.remark },
  }),
  "component.deferred": (state, event) => ({
    ...state,
    topology: {
      ...state.topology,
      components: state.topology.components.map((component) =>
        component.id === event.component_id ? { ...component, status: "deferred" } : component,
      ),
      deferrals: [
        ...state.topology.deferrals,
        { component_id: event.component_id, reason: event.reason, confirmed_at: event.at },
      ],
    },
  }),
};
