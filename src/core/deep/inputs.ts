/**
 * What each model task is given. The shared prefix (idea, topology as locked, codebase context, one compact record a
 * round) is append-only, so that the tasks of a round read one cache (model.md, prompt layout).
 */
import type { PromptPrefix, Task } from "../machine.ts";
import type { Finding } from "./finding.ts";
import type { DeepState, Round } from "./schema.ts";
import { dimensionsOf } from "./score.ts";
import { activeComponents, findComponent, isDirect } from "./state.ts";
import type { Common, PromptComponent, PromptFact, PromptRound, TaskInputs, TaskName } from "./tasks.ts";

/** Prompt file by task where the names differ. */
const files: Partial<Record<TaskName, string>> = {
  research: "auto-research-greenfield",
  "auto-answer": "auto-answer-uncertain",
  panel: "lateral-review-panel",
};

/** Expected trouble of the panel, research and auto-answer is an event; a bad score is tried again on the next run. */
const tolerance: Readonly<Record<TaskName, Task["tolerates"]>> = {
  summarise: "bad-reply",
  explore: "bad-reply",
  topology: "bad-reply",
  interpret: "bad-reply",
  score: "nothing",
  question: "bad-reply",
  research: "any",
  "auto-answer": "any",
  panel: "any",
  closure: "bad-reply",
  restate: "bad-reply",
  crystallize: "bad-reply",
};

const standalone: ReadonlySet<TaskName> = new Set<TaskName>(["summarise", "explore", "topology"]);

export function createTask<N extends TaskName>(
  state: DeepState,
  name: N,
  id: string,
  input: TaskInputs[N],
  tolerates: Task["tolerates"] = tolerance[name],
): Task {
  const { budgetTokens, budgetUsd } = state.limits;
  const used =
    state.meter.input_tokens +
    state.meter.cache_read_tokens +
    state.meter.cache_write_tokens +
    state.meter.output_tokens;
  return {
    id,
    name,
    round: state.round_count === 0 ? null : state.round_count,
    prompt: files[name] ?? name,
    prefix: standalone.has(name) ? null : prefixOf(state),
    input: { ...input },
    tolerates,
    budget: {
      tokens: budgetTokens === null ? null : Math.max(0, budgetTokens - used),
      usd: budgetUsd === null ? null : Math.max(0, budgetUsd - (state.meter.usd ?? 0)),
    },
  };
}

function prefixOf(state: DeepState): PromptPrefix {
  return {
    stable: {
      type: state.type,
      idea: state.initial_idea,
      components: state.topology.components
        .filter((component) => component.joined_round === null)
        .map(({ id, name, description, evidence }) => ({ id, name, description, evidence })),
      remark: state.topology.remark ?? "",
      context: contextOf(state),
      context_summary: state.codebase_context?.summary ?? "",
    },
    rounds: state.rounds.flatMap((round) => (round.record === null || round.superseded ? [] : [round.record])),
  };
}

export function commonOf(state: DeepState): Common {
  return {
    type: state.type,
    language: { tag: state.language?.tag ?? "en", instruction: state.language?.instruction ?? "" },
  };
}

export function contextOf(state: DeepState) {
  return (state.codebase_context?.findings ?? []).map(({ statement, path, symbol }) => ({
    statement,
    path,
    symbol: symbol ?? "",
  }));
}

export function componentsOf(state: DeepState): PromptComponent[] {
  return state.topology.components.map(({ id, name, description, status }) => ({ id, name, description, status }));
}

export function factsOf(state: DeepState): PromptFact[] {
  return state.established_facts
    .filter((fact) => fact.status !== "superseded")
    .map(({ id, statement, component, dimension, status }) => ({ id, statement, component, dimension, status }));
}

export function findingsOf(findings: readonly Finding[]) {
  return findings.map(({ persona, finding, options }) => ({ persona, finding, options }));
}

/** What the scorer and every later prompt read as the answer: the confirmed interpretation, else the words, whole. */
export function answerOf(round: Round): string {
  if (round.auto_answer !== null && !isDirect(round)) return round.auto_answer;
  if (round.interpretation !== null) {
    const { decision, reasoning, constraints, out_of_scope, context } = round.interpretation;
    const list = (name: string, items: readonly string[]) =>
      items.length === 0 ? [] : [`${name}: ${items.join("; ")}`];
    return [
      `Decision: ${decision}`,
      ...list("Reasoning", reasoning),
      ...list("Constraints (user-stated)", constraints),
      ...list("Out of scope (user-stated)", out_of_scope),
      ...list("Codebase context (verified)", context),
    ].join("\n");
  }
  const picked = round.selected_options.join("; ");
  return [picked, round.custom_input ?? ""].filter((part) => part !== "").join("\n");
}

/** Every answered round in order, but for the one that is being scored. */
export function transcriptOf(state: DeepState, exceptRoundId?: string): PromptRound[] {
  return state.rounds
    .filter((round) => round.lifecycle !== "unresolved" && !round.superseded && round.round_id !== exceptRoundId)
    .map((round) => ({
      round: round.round,
      component: round.component,
      dimension: round.dimension,
      question: round.question_text,
      answer: answerOf(round),
      answered_by: round.answered_by,
    }));
}

export function scoreInput(state: DeepState, round: Round): TaskInputs["score"] {
  const assumption = state.assumptions.find((item) => `r${item.round}` === round.round_id);
  const assisted = round.answered_by === "architect-assisted" && assumption !== undefined;
  const dimensions = dimensionsOf(state.type);
  const aimedAt = (fact: { component: string; dimension: string }) =>
    round.kind !== "correction" && fact.component === round.component && fact.dimension === round.dimension;
  return {
    ...commonOf(state),
    round: round.round,
    target: { component: round.component ?? "", dimension: round.dimension ?? "goal" },
    question: round.question_text,
    answer: answerOf(round),
    answered_by: round.answered_by ?? "user",
    assumption: assisted
      ? { reasons: assumption.reasons, confidence: assumption.confidence, uncertainty: assumption.uncertainty ?? "" }
      : null,
    components: activeComponents(state)
      .filter((component) => round.round === null || component.joined_round !== round.round)
      .map(({ id, name, description, status, clarity_scores }) => ({
        id,
        name,
        description,
        status,
        scores: dimensions.map((dimension) => ({ dimension, score: clarity_scores[dimension] })),
      })),
    dimensions,
    facts: factsOf(state),
    disputed: state.established_facts
      .filter((fact) => fact.status === "disputed" && aimedAt(fact))
      .map((fact) => fact.id),
    prior_entities: (state.ontology_snapshots.at(-1)?.entities ?? []).map(({ name, type, fields }) => ({
      name,
      type,
      fields,
    })),
    prior_ambiguity: state.current_ambiguity,
    gap_below: Math.max(0.9, 1 - state.threshold),
    idea: state.initial_idea,
    transcript: transcriptOf(state, round.round_id),
  };
}

export function targetOf(state: DeepState, componentId: string | null, dimension: string | null) {
  const component = componentId === null ? undefined : findComponent(state, componentId);
  const dim = (dimension ?? "goal") as "goal" | "constraints" | "criteria" | "context";
  return {
    component: componentId ?? "",
    name: component?.name ?? "",
    dimension: dim,
    score: component?.clarity_scores[dim] ?? null,
    gap: component?.gaps[dim] ?? "",
  };
}
