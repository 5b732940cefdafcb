/**
 * D7, D3.7: the lateral panel and research. Personas run in parallel, each its own request; one that fails is counted
 * and left out. Both only feed the one next question.
 */

import { awaitTask } from "./await.ts";
import type { DraftWords } from "./draft.ts";
import type { Finding, PanelCause, Persona } from "./finding.ts";
import { commonOf, componentsOf, createTask, factsOf, findingsOf, targetOf, transcriptOf } from "./inputs.ts";
import type { Config } from "./phrase.ts";
import type { DeepState } from "./schema.ts";
import { findRound } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";

/** What the machine was created with: its config, and the words that no model option or question may consist of. */
export interface Code {
  readonly config: Config;
  readonly words: DraftWords;
}

interface About {
  readonly component: string | null;
  readonly dimension: string | null;
}

export function personasOf(architect: boolean): Persona[] {
  return architect
    ? ["researcher", "contrarian", "simplifier", "architect"]
    : ["researcher", "contrarian", "simplifier"];
}

export function hasConvened(state: DeepState, round: number, cause: PanelCause): boolean {
  return state.lateral_reviews.some((review) => review.round === round && review.cause === cause);
}

/** Runs the personas that have no result yet; records the panel when all have come or failed. */
export function convene(state: DeepState, cause: PanelCause, round: number, about: About, question: string): DeepStep {
  const due = state.panel_due;
  const own = cause === "milestone" || cause === "escalation";
  const personas = personasOf(own && (due?.architect ?? false));
  const awaited = personas.map((persona) => {
    const input = {
      ...commonOf(state),
      persona,
      cause,
      escalated: own && (due?.escalated ?? false),
      target: targetOf(state, about.component, about.dimension),
      entities: (state.ontology_snapshots.at(-1)?.entities ?? []).map((entity) => entity.name),
      facts: factsOf(state),
      question,
      idea: state.initial_idea,
      components: componentsOf(state),
      transcript: transcriptOf(state),
    };
    const id = `panel-${cause}-r${round}-${state.lateral_reviews.length}-${persona}`;
    return { persona, waited: awaitTask(state, "panel", createTask(state, "panel", id, input)) };
  });
  const tasks = awaited.flatMap(({ waited }) => (waited.status === "run" ? [waited.task] : []));
  if (tasks.length > 0) return { type: "run", tasks, concurrency: state.limits.panelConcurrency };
  const findings: Finding[] = [];
  const failed: Persona[] = [];
  for (const { persona, waited } of awaited) {
    // A persona that answers for another lens has not answered (D7.3).
    if (waited.status !== "done" || waited.value.persona !== persona) failed.push(persona);
    else {
      const { finding, reasons, options, confidence } = waited.value;
      findings.push({ persona, finding, reasons, options, confidence });
    }
  }
  const from = own ? (due?.from ?? null) : null;
  const to = own ? (due?.to ?? null) : null;
  return record({ type: "panel.convened", review: { round, cause, from, to, personas, failed, findings, folded: [] } });
}

/** D3.7: two or three ranked candidates for a question that research can inform. */
export function research(state: DeepState, round: number, question: string): DeepStep {
  const input = {
    ...commonOf(state),
    question,
    idea: state.initial_idea,
    components: componentsOf(state),
    facts: factsOf(state),
    findings: findingsOf(state.findings),
  };
  const waited = awaitTask(state, "research", createTask(state, "research", `research-r${round}`, input));
  if (waited.status === "run") return run(waited.task);
  const candidates = waited.status === "done" ? waited.value.candidates : [];
  return record({ type: "research.completed", round, candidates });
}

/** D4.4: after an opt-out, first the panel, then one answer; a failure leaves the round an unresolved gap. */
export function assume(state: DeepState, roundId: string): DeepStep {
  const round = findRound(state, roundId);
  if (round === undefined || round.round === null)
    throw new Error(`no numbered round ${roundId} to assume an answer for`);
  const number = round.round;
  if (!hasConvened(state, number, "auto-answer"))
    return convene(state, "auto-answer", number, round, round.question_text);
  const findings = state.lateral_reviews.at(-1)?.findings ?? [];
  const input = {
    ...commonOf(state),
    question: round.question_text,
    options: round.options.map((option) => option.label),
    target: { component: round.component ?? "", dimension: round.dimension ?? "goal" },
    components: componentsOf(state),
    facts: factsOf(state),
    findings: findingsOf(findings),
    candidates: round.aim.researched ? round.options.map((option) => option.label) : [],
    idea: state.initial_idea,
  };
  const waited = awaitTask(state, "auto-answer", createTask(state, "auto-answer", `auto-answer-${roundId}`, input));
  if (waited.status === "run") return run(waited.task);
  if (waited.status === "failed" || round.component === null || round.dimension === null) {
    return record({ type: "round.unresolved", round, why: "architect-failed", leave_open: false, assumption_id: null });
  }
  const { answer, reasons, confidence, uncertainty } = waited.value;
  return record({
    type: "answer.assumed",
    round_id: roundId,
    assumption: {
      id: `as${state.assumptions.length + 1}`,
      round: number,
      component: round.component,
      dimension: round.dimension,
      answer,
      reasons,
      confidence,
      uncertainty: uncertainty.trim() === "" ? null : uncertainty,
      status: "open",
    },
  });
}
