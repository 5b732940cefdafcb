/**
 * D10, D11: from the confirmed line to the spec, then the question that offers the ways on. The spec's text is rendered
 * outside and read back here before it becomes an event.
 */
import { UsageError } from "../../errors.ts";
import type { Outcome } from "../machine.ts";
import { awaitTask } from "./await.ts";
import type { DeepEvent } from "./events.ts";
import { isPassed, standingGaps } from "./gates.ts";
import { commonOf, componentsOf, contextOf, createTask, factsOf, transcriptOf } from "./inputs.ts";
import type { Config } from "./phrase.ts";
import { fallbackProse, finishProse } from "./prose.ts";
import { bridgeQuestion } from "./questions.ts";
import type { DeepState, SpecProse } from "./schema.ts";
import { dimensionsOf } from "./score.ts";
import { slugOf, specPath } from "./slug.ts";
import { compareSpec, parseSpec, specView } from "./spec.ts";
import { findComponent } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";

export function nextCrystallizing(config: Config, state: DeepState): DeepStep {
  const gaps = standingGaps(config, state);
  if (state.prose !== null) {
    return { type: "write", document: { template: "spec", view: { ...viewOf(config, state, state.prose) } } };
  }
  const input = {
    ...commonOf(state),
    idea: state.initial_idea,
    restated_goal: state.restated_goal ?? "",
    components: componentsOf(state).map((component) => ({
      ...component,
      deliverables: findComponent(state, component.id)?.deliverables ?? [],
    })),
    facts: factsOf(state),
    transcript: transcriptOf(state),
    gaps: gaps.map((gap) => `${gap.component}/${gap.dimension}: ${gap.text}`),
    context: contextOf(state),
    dimensions: dimensionsOf(state.type),
  };
  const waited = awaitTask(
    state,
    "crystallize",
    createTask(state, "crystallize", `crystallize-${state.reply_count}-${state.asked.length}`, input),
  );
  if (waited.status === "run") return run(waited.task);
  const prose = waited.status === "done" ? finishProse(state, waited.value, gaps) : fallbackProse(state, gaps);
  return record({ type: "spec.drafted", prose, fallback: waited.status === "failed" });
}

function viewOf(config: Config, state: DeepState, prose: SpecProse) {
  const status = isPassed(config, state) ? "PASSED" : "BELOW_THRESHOLD_EARLY_EXIT";
  return specView(state, { prose, gaps: standingGaps(config, state), generatedAt: state.updated_at, status });
}

/** D10.2: the text is read back; a template that loses or changes a number is refused, and nothing is written. */
export function specEvents(config: Config, state: DeepState, text: string, sha256: string): DeepEvent[] {
  if (state.prose === null) throw new Error("a spec was rendered before its prose was recorded");
  const view = viewOf(config, state, state.prose);
  const parsed = parseSpec(text);
  const faults = parsed.ok ? compareSpec(view, parsed.spec) : [parsed.fault];
  if (faults.length > 0) {
    throw new UsageError("spec-template", `the spec template does not agree with the interview: ${faults.join("; ")}`, {
      next: "Correct spec.md in the folder given with --prompts, then resume.",
    });
  }
  const slug = state.spec?.slug ?? slugOf(state.prose.title, config.sha256(state.initial_idea));
  return [
    {
      type: "spec.written",
      slug,
      path: specPath(state.session_id, slug),
      sha256,
      status: isPassed(config, state) ? "PASSED" : "BELOW_THRESHOLD_EARLY_EXIT",
      version: (state.spec?.version ?? 0) + 1,
      text,
    },
  ];
}

export function nextBridge(config: Config, state: DeepState): DeepStep {
  if (state.options.research_setup) return record({ type: "interview.closed", how: "pending-approval" });
  return record({ type: "question.asked", question: bridgeQuestion(config, state), aim: null, collecting: null });
}

/** `/skill:ralplan <spec>` and its like (D11.2). */
export function handoffEntry(state: DeepState): string | null {
  if (state.handoff === null || state.spec === null) return null;
  return `/skill:${state.handoff.to} ${state.spec.path}`;
}

export function outcomeOf(state: DeepState): Outcome {
  const { stage } = state;
  const cancelled = stage.type === "finished" && stage.how === "cancelled";
  const spec = cancelled && state.spec === null ? null : state.spec;
  return {
    status: cancelled ? "CANCELLED" : (spec?.status ?? "PENDING"),
    ambiguity: state.current_ambiguity,
    spec_path: spec?.path ?? null,
    passed: !cancelled && spec?.status === "PASSED",
    handoff: handoffEntry(state),
  };
}

/** D11.2: with `--deliberate`, a choice of ralplan finds its own state waiting. */
export function seedsOf(state: DeepState): Readonly<Record<string, unknown>> {
  const { spec, handoff } = state;
  if (!state.options.deliberate || spec === null || handoff?.to !== "ralplan") return {};
  return {
    "ralplan-state.json": {
      skill: "ralplan",
      active: true,
      current_phase: "planning",
      session_id: state.session_id,
      updated_at: handoff.at,
      state: { mode: "deliberate", spec_path: spec.path, spec_sha256: spec.sha256, approval: "pending" },
    },
  };
}
