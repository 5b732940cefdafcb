/**
 * D9: closure and restate. At the gate, gaps are put to the user one by one; after an early exit or the cap, closure
 * audits silently and restate is asked once.
 */
import type { Fault } from "../machine.ts";
import { toUnits } from "../ratio.ts";
import { cut } from "../text.ts";
import { awaitTask } from "./await.ts";
import { codeGaps } from "./gates.ts";
import { commonOf, componentsOf, createTask, factsOf, findingsOf, transcriptOf } from "./inputs.ts";
import { type Config, phrase } from "./phrase.ts";
import { restateQuestion } from "./questions.ts";
import type { DeepState, Gap } from "./schema.ts";
import { activeComponents, findComponent, scoreOf } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";
import type { TaskReply } from "./tasks.ts";

export function nextClosing(config: Config, state: DeepState): DeepStep {
  const silent = state.closing_reason !== "gate";
  if (!silent) {
    const gap = pickGap(state, codeGaps(config, state));
    if (gap !== null) return raise(state, gap);
  }
  if (!state.closure.audited) return audit(state);
  if (!silent) {
    const gap = pickGap(state, state.closure.gaps);
    if (gap !== null) return raise(state, gap);
  }
  return nextRestating(config, state);
}

/** The gap not yet put to the user whose pair is the least clear: the one best question. */
function pickGap(state: DeepState, gaps: readonly Gap[]): Gap | null {
  const asked = new Set(state.closure.asked.map(subjectOf));
  const open = gaps.filter((gap) => !asked.has(subjectOf(gap.key)));
  const units = (gap: Gap) => toUnits(scoreOf(state, gap.component, gap.dimension));
  return open.reduce<Gap | null>((best, gap) => (best === null || units(gap) < units(best) ? gap : best), null);
}

/** D9.1: a pair is one gap, whether code misses its score or the audit misses its substance. */
function subjectOf(key: string): string {
  return key.replace(/^audit:/, "pair:");
}

/** A gap takes a numbered round; none is left when the cap is reached (D9.2). */
function raise(state: DeepState, gap: Gap): DeepStep {
  const budget = state.limits.budgetQuestions;
  if (state.round_count >= state.round_cap) return record({ type: "rounds.ended", reason: "cap" });
  if (budget !== null && state.round_count >= budget) return record({ type: "rounds.ended", reason: "budget" });
  return record({ type: "gap.raised", gap });
}

function audit(state: DeepState): DeepStep {
  const input = {
    ...commonOf(state),
    components: componentsOf(state),
    facts: factsOf(state),
    findings: findingsOf(state.findings),
    assumptions: state.assumptions.map(
      (item) => `${item.component}/${item.dimension} (${item.status}): ${item.answer}`,
    ),
    transcript: transcriptOf(state),
    idea: state.initial_idea,
  };
  const waited = awaitTask(
    state,
    "closure",
    createTask(state, "closure", `closure-${state.reply_count}-${state.asked.length}`, input),
  );
  if (waited.status === "run") return run(waited.task);
  if (waited.status === "failed") return record({ type: "closure.audited", gaps: [], failed: true });
  const gaps = waited.value.gaps.map((gap) => ({
    key: `audit:${gap.component}/${gap.dimension}`,
    component: gap.component,
    dimension: gap.dimension,
    text: gap.gap,
  }));
  return record({ type: "closure.audited", gaps: dedupe(gaps), failed: false });
}

function dedupe(gaps: readonly Gap[]): Gap[] {
  return gaps.filter((gap, index) => gaps.findIndex((other) => other.key === gap.key) === index);
}

/** Ranges and references of a closure audit that its schema cannot say. */
export function checkClosure(state: DeepState, reply: TaskReply<"closure">): Fault[] {
  if (!reply.ready && reply.gaps.length === 0) {
    // A verdict without a reason can neither be asked about nor be passed over.
    return [{ path: "gaps", message: "not ready: name the gaps, or say that it is ready", severity: "reject" }];
  }
  return reply.gaps.flatMap((gap, index): Fault[] => {
    const component = findComponent(state, gap.component);
    const path = `gaps[${index}]`;
    if (component?.status !== "active") {
      return [
        { path: `${path}.component`, message: `"${gap.component}" is not an active component`, severity: "reject" },
      ];
    }
    return gap.gap.trim() === "" ? [{ path: `${path}.gap`, message: "say what is missing", severity: "reject" }] : [];
  });
}

/** D9.3: one sentence over every active component, then the one question about it. */
export function nextRestating(config: Config, state: DeepState): DeepStep {
  const { line } = state.restate;
  if (line !== null) {
    return record({
      type: "question.asked",
      question: restateQuestion(config, state, line),
      aim: null,
      collecting: null,
    });
  }
  const input = {
    ...commonOf(state),
    components: componentsOf(state),
    facts: factsOf(state),
    corrections: state.rounds.flatMap((round) =>
      round.kind === "correction" && round.custom_input !== null ? [round.custom_input] : [],
    ),
    transcript: transcriptOf(state),
    idea: state.initial_idea,
  };
  const waited = awaitTask(
    state,
    "restate",
    createTask(state, "restate", `restate-${state.reply_count}-${state.asked.length}`, input),
  );
  if (waited.status === "run") return run(waited.task);
  const proposed = waited.status === "done" ? waited.value.sentence.trim() : templateLine(config, state);
  return record({ type: "restate.proposed", line: proposed });
}

/** The fallback: the components' own goals in one line. */
function templateLine(config: Config, state: DeepState): string {
  const components = activeComponents(state)
    .map((component) => `${component.name} (${component.description.trim().replace(/[.。]$/u, "")})`)
    .join("; ");
  const idea = cut(state.initial_idea.trim().split("\n")[0] ?? "", 200).replace(/[\s.,;:。、，；：]+$/u, "");
  return phrase(config, state, "restate.template", { idea, components }).replace(/\s+/gu, " ");
}

export function checkRestate(state: DeepState, reply: TaskReply<"restate">): Fault[] {
  const faults: Fault[] = [];
  if (reply.sentence.trim() === "" || /\n/.test(reply.sentence.trim())) {
    faults.push({ path: "sentence", message: "give one sentence on one line", severity: "reject" });
  }
  for (const component of activeComponents(state)) {
    if (!reply.covers.includes(component.id)) {
      faults.push({ path: "covers", message: `the sentence has to cover "${component.id}"`, severity: "reject" });
    }
  }
  return faults;
}
