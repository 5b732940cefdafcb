import { describe, expect, it } from "vitest";
import { createEnvelope, envelopeVersion } from "../../../src/core/deep/envelope.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import { component, interview, scores } from "./build.ts";

const at = "2026-08-01T10:00:00.000Z";
const spec: NonNullable<DeepState["spec"]> = {
  slug: "a-tool",
  path: ".gjc/_session-s1/specs/deep-interview-a-tool.md",
  sha256: "ab",
  status: "PASSED",
  version: 1,
  persisted_at: at,
};
const base = (more: Partial<DeepState> = {}) =>
  interview([component("a", scores(0.9, 0.9, 0.9))], {
    threshold: 0.125,
    threshold_source: "./.gjc/settings.json",
    updated_at: at,
    ...more,
  });

/** The fields of the seed's JSON. */
const seed = [
  "interview_id",
  "type",
  "initial_idea",
  "initial_context_summary",
  "rounds",
  "established_facts",
  "current_ambiguity",
  "threshold",
  "threshold_source",
  "language",
  "codebase_context",
  "topology",
  "ontology_snapshots",
  "auto_researched_rounds",
  "auto_answered_rounds",
  "lateral_reviews",
  "lateral_panel_failures",
  "auto_answer_streak",
  "refined_rounds",
  "closure_overrides",
  "restated_goal",
  "ambiguity_milestone",
  "architect_failures",
];

describe("the envelope", () => {
  it("D0.4 names threshold and source at its top and in its state, at every stage", () => {
    const stages: DeepState["stage"][] = [
      { type: "intake" },
      { type: "topology" },
      { type: "choosing" },
      { type: "closing" },
      { type: "bridge" },
      { type: "finished", how: "cancelled" },
      { type: "finished", how: "handoff" },
    ];
    for (const stage of stages) {
      expect(createEnvelope(base({ stage }), 1)).toMatchObject({
        threshold: 0.125,
        threshold_source: "./.gjc/settings.json",
        state: { threshold: 0.125, threshold_source: "./.gjc/settings.json" },
      });
    }
  });

  it("D1.4 holds every field of the seed under the seed's name", () => {
    const { state, ...outer } = createEnvelope(base(), 7);
    expect(Object.keys(state as object)).toEqual(expect.arrayContaining(seed));
    expect(outer).toMatchObject({
      skill: "deep-interview",
      active: true,
      current_phase: "interviewing",
      version: envelopeVersion,
      session_id: "s1",
      updated_at: at,
      state_revision: 7,
    });
  });

  it("D1.6 names the language once there is one", () => {
    expect(createEnvelope(base(), 1)).not.toHaveProperty("language");
    const language = { tag: "ko", name: "Korean", instruction: "Write in Korean.", phrases: {} };
    expect(createEnvelope(base({ language }), 1)).toMatchObject({ language });
  });

  it("D11.1 has no word of a spec before there is one, and then a pending one, still interviewing", () => {
    for (const key of ["approval", "spec_slug", "spec_path", "spec_stage", "spec_sha256", "spec_persisted_at"]) {
      expect(createEnvelope(base(), 1)).not.toHaveProperty(key);
    }
    expect(createEnvelope(base({ spec, stage: { type: "bridge" } }), 1)).toMatchObject({
      active: true,
      current_phase: "interviewing",
      approval: "pending",
      spec_slug: "a-tool",
      spec_path: spec.path,
      spec_stage: "final",
      spec_sha256: "ab",
      spec_persisted_at: at,
    });
  });

  it("D11.1 stays active while the spec waits, and is not after a cancel or a handoff", () => {
    const active = (stage: DeepState["stage"]) => createEnvelope(base({ spec, stage }), 1)["active"];
    expect(active({ type: "finished", how: "pending-approval" })).toBe(true);
    expect(active({ type: "finished", how: "cancelled" })).toBe(false);
    expect(active({ type: "finished", how: "handoff" })).toBe(false);
  });

  it("D11.2 names the handoff, its time and its phase, and nothing is pending any more", () => {
    const state = base({ spec, stage: { type: "finished", how: "handoff" }, handoff: { to: "team", at } });
    const envelope = createEnvelope(state, 1);
    expect(envelope).toMatchObject({
      current_phase: "handoff",
      handoff_to: "team",
      handoff_at: at,
      spec_path: spec.path,
    });
    expect(envelope).not.toHaveProperty("approval");
  });

  it("D11.3 is the same for the same state, and passes on what another tool wrote, without letting it speak for us", () => {
    const foreign = { envelope: { owner: "x", skill: "other", active: false }, state: { notes: ["n"], threshold: 1 } };
    const envelope = createEnvelope(base({ foreign }), 3);
    expect(envelope).toEqual(createEnvelope(base({ foreign }), 3));
    expect(envelope).toMatchObject({ owner: "x", skill: "deep-interview", active: true });
    expect(envelope["state"]).toMatchObject({ notes: ["n"], threshold: 0.125 });
    expect(envelope["state"]).not.toHaveProperty("foreign");
  });
});
