/**
 * The envelope that others read (state.md): the seed's fields under `state`, beside them what a tool needs at a glance.
 * Derived from the state and its last event alone, so that it can be rebuilt byte for byte; the store adds the receipt.
 */
import type { DeepState } from "./schema.ts";

export const envelopeVersion = 1;

export function phaseOf(state: DeepState): "interviewing" | "handoff" {
  return state.stage.type === "finished" && state.stage.how === "handoff" ? "handoff" : "interviewing";
}

export function isActive(state: DeepState): boolean {
  return state.stage.type !== "finished" || state.stage.how === "pending-approval";
}

/** `revision` is the last event's sequence number. */
export function createEnvelope(state: DeepState, revision: number): Record<string, unknown> {
  const { foreign, ...own } = state;
  const { spec, handoff } = own;
  return {
    ...foreign.envelope,
    skill: "deep-interview",
    active: isActive(state),
    current_phase: phaseOf(state),
    version: envelopeVersion,
    session_id: own.session_id,
    threshold: own.threshold,
    threshold_source: own.threshold_source,
    ...(own.language === null ? {} : { language: own.language }),
    updated_at: own.updated_at,
    state_revision: revision,
    ...(spec === null
      ? {}
      : {
          ...(handoff === null ? { approval: "pending" } : {}),
          spec_slug: spec.slug,
          spec_path: spec.path,
          spec_stage: "final",
          spec_sha256: spec.sha256,
          spec_persisted_at: spec.persisted_at,
        }),
    ...(handoff === null ? {} : { handoff_to: handoff.to, handoff_at: handoff.at }),
    state: { ...foreign.state, ...own },
  };
}
