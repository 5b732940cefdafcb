/**
 * D3: making the one question of a round. Code chooses the target; the scorer's draft is used when it aims there and
 * nothing else is due, else the question task words it, else a template does. Panel findings and research candidates
 * become options of that question, never a second one.
 */
import type { Option, Question } from "../machine.ts";
import { percent } from "../ratio.ts";
import { type Code, convene, hasConvened, research } from "./assist.ts";
import { awaitTask } from "./await.ts";
import { isPlaceholder, readDraft } from "./draft.ts";
import type { Draft } from "./finding.ts";
import { commonOf, componentsOf, contextOf, createTask, factsOf, findingsOf, targetOf } from "./inputs.ts";
import { foldOptions } from "./options.ts";
import { type Config, phrase } from "./phrase.ts";
import { assumptionQuestion, createQuestion, scopeQuestion } from "./questions.ts";
import type { DeepState, Gap } from "./schema.ts";
import { findAssumption, findComponent } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";
import { needsOntologyQuestion, type Target } from "./targeting.ts";
import type { Aim, Assumption, Dimension, Style, Trigger } from "./vocabulary.ts";

/** What the next question is about, and how it is asked. */
export interface Plan {
  readonly component: string;
  readonly dimension: Dimension;
  readonly style: Style;
  readonly trigger: Trigger | null;
  readonly assumption: Assumption | null;
  readonly gap: Gap | null;
  readonly why: string;
  readonly userOnly: boolean;
}

/** The plan for a target (D3.1), or for the gap that the closure audit raised (D9.1). */
export function planRound(config: Config, state: DeepState, target: Target | Gap): Plan {
  const gap = "key" in target ? target : null;
  const { component, dimension } = target;
  const trigger = findTrigger(state, target);
  const assumption = findAssumed(state, component, dimension, gap);
  const scope = trigger?.label === "D" && !trigger.aimed;
  const style: Style = scope
    ? "topology"
    : assumption !== null
      ? "confirm-assumption"
      : gap !== null
        ? "closure"
        : needsOntologyQuestion(state)
          ? "ontology"
          : "plain";
  return {
    component,
    dimension,
    style,
    trigger,
    assumption,
    gap,
    why: whyNow(config, state, { component, dimension, trigger, assumption, gap }),
    userOnly: state.auto_answer_streak >= state.limits.autoAnswerStreak,
  };
}

function findTrigger(state: DeepState, target: Target | Gap): Trigger | null {
  const id = "key" in target ? (target.key.startsWith("trigger:") ? target.key.slice(8) : null) : target.trigger_id;
  return state.triggers.find((trigger) => trigger.id === id) ?? null;
}

/** D4.5: a pair that an unconfirmed assumption holds up is confirmed rather than asked about anew. */
function findAssumed(state: DeepState, component: string, dimension: Dimension, gap: Gap | null): Assumption | null {
  if (gap?.key.startsWith("assumption:")) return findAssumption(state, gap.key.slice(11)) ?? null;
  if (gap !== null) return null;
  const cap = state.caps.find((item) => item.component === component && item.dimension === dimension);
  const assumption = cap === undefined ? undefined : findAssumption(state, cap.assumption_id);
  return assumption?.status === "open" ? assumption : null;
}

type About = Pick<Plan, "component" | "dimension" | "trigger" | "assumption" | "gap">;

function whyNow(config: Config, state: DeepState, about: About): string {
  if (about.gap !== null) return phrase(config, state, "why.closure");
  if (about.assumption !== null) return phrase(config, state, "why.assumption");
  if (about.trigger !== null) return phrase(config, state, `why.trigger.${about.trigger.label}`);
  const gap = findComponent(state, about.component)?.gaps[about.dimension] ?? "";
  return gap === "" ? phrase(config, state, "why.lowest") : phrase(config, state, "why.gap", { gap });
}

/** The next step towards asking the planned question. */
export function prepareRound(code: Code, state: DeepState, plan: Plan): DeepStep {
  const { config } = code;
  if (plan.style === "topology" && plan.trigger !== null) {
    const question = scopeQuestion(config, state, plan.trigger, headerOf(config, state, plan, plan.why));
    return ask(question, aimOf(plan, plan.why, []));
  }
  if (plan.style === "confirm-assumption" && plan.assumption !== null) {
    const at = {
      round: state.round_count + 1,
      header: headerOf(config, state, plan, plan.why),
      lead: leadOf(config, state, plan),
      aim: plan,
    };
    return ask(assumptionQuestion(config, state, plan.assumption, at), aimOf(plan, plan.why, []));
  }
  const usable = usableDraft(state, plan);
  if (usable !== null) return finishRound(code, state, plan, usable);
  const round = state.round_count + 1;
  const task = createTask(
    state,
    "question",
    `question-r${round}-${state.asked.length}`,
    questionInput(state, plan, round),
  );
  const waited = awaitTask(state, "question", task);
  if (waited.status === "run") return run(waited.task);
  const draft =
    waited.status === "done" ? readDraft(waited.value.question, code.words) : templateDraft(config, state, plan);
  return finishRound(code, state, plan, draft);
}

/** The scorer's draft, when it aims at the target and nothing is due that it could not know of. */
function usableDraft(state: DeepState, plan: Plan): Draft | null {
  const { draft } = state;
  if (draft === null || plan.style !== "plain" || plan.userOnly || state.findings.length > 0) return null;
  return draft.component === plan.component && draft.dimension === plan.dimension ? draft : null;
}

/** Research and code facts call the panel first (D7.1); then the question is put together and asked. */
function finishRound(code: Code, state: DeepState, plan: Plan, draft: Draft): DeepStep {
  const { config } = code;
  const round = state.round_count + 1;
  // What the thing is, and what only the user may judge, is never a look-up.
  const fact = plan.style === "ontology" || plan.userOnly ? null : citedFact(state, draft);
  if (fact?.interpreted && !hasConvened(state, round, "code-fact"))
    return convene(state, "code-fact", round, plan, draft.question);
  // D3.7: once the panel has met for it, research follows, also when the question was worded anew since.
  const isTagged = draft.research || hasConvened(state, round, "research");
  if (isTagged && state.type === "greenfield" && !plan.userOnly && state.researched_round !== round) {
    return hasConvened(state, round, "research")
      ? research(state, round, draft.question)
      : convene(state, "research", round, plan, draft.question);
  }
  const why = isPlaceholder(draft.why, code.words) ? plan.why : oneLine(draft.why);
  const base = fact === null ? draftOptions(draft, plan.userOnly) : factOptions(config, state);
  const { options, folded } = plan.userOnly
    ? { options: base, folded: [] }
    : foldOptions(base, state.findings, state.candidates, code.words);
  const body =
    fact === null
      ? draft.question
      : phrase(config, state, "fact.text", {
          statement: fact.statement,
          source: [fact.path, fact.symbol].filter((part) => part !== "").join(" "),
        });
  const lead = leadOf(config, state, plan);
  const question = createQuestion(state, {
    kind: "round",
    round,
    header: headerOf(config, state, plan, why),
    text: lead === "" ? body : `${lead}\n\n${body}`,
    options,
    aim: plan,
  });
  const researched = state.researched_round === round && state.candidates.length > 0;
  return ask(question, { ...aimOf(plan, why, folded), style: fact === null ? plan.style : "fact", researched });
}

function ask(question: Question, aim: Aim): DeepStep {
  return record({ type: "question.asked", question, aim, collecting: null });
}

function aimOf(plan: Plan, why: string, folded: readonly string[]): Aim {
  return {
    component: plan.component,
    dimension: plan.dimension,
    why,
    style: plan.style,
    trigger_id: plan.trigger?.id ?? null,
    assumption_id: plan.assumption?.id ?? null,
    gap_key: plan.gap?.key ?? null,
    user_only: plan.userOnly,
    researched: false,
    folded: [...folded],
  };
}

/** D3.2. Name and reason stand on one line and hold no bar, or the fixed form would break. */
function headerOf(config: Config, state: DeepState, plan: Plan, why: string): string {
  return phrase(config, state, "header", {
    round: state.round_count + 1,
    component: barless(findComponent(state, plan.component)?.name ?? plan.component),
    dimension: plan.dimension,
    why: barless(why),
    ambiguity: percent(state.current_ambiguity),
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function barless(text: string): string {
  return oneLine(text.replace(/\s*\|\s*/gu, " / "));
}

function leadOf(config: Config, state: DeepState, plan: Plan): string {
  return plan.gap === null
    ? ""
    : phrase(config, state, "closure.sentence", { gap: oneLine(plan.gap.text).replace(/[.。]$/u, "") });
}

function draftOptions(draft: Draft, userOnly: boolean): Option[] {
  return draft.options.map((option, index) => ({
    id: String.fromCharCode(97 + index),
    label: option.label,
    description: option.from === "" ? option.description : `${option.from}: ${option.description}`,
    recommended: !userOnly && index === draft.recommended,
  }));
}

function factOptions(config: Config, state: DeepState): Option[] {
  return ["yes", "no"].map((name, index) => ({
    id: String.fromCharCode(97 + index),
    label: phrase(config, state, `fact.${name}`),
    description: phrase(config, state, `fact.${name}.description`),
    recommended: index === 0,
  }));
}

/** D3.4: a fact only when its citation was found in the project; in doubt it is a decision. */
function citedFact(state: DeepState, draft: Draft): Draft["fact"] {
  if (draft.nature !== "fact" || draft.fact === null || state.codebase_context === null) return null;
  const { path, symbol, statement } = draft.fact;
  const cited = state.codebase_context.findings.some(
    (finding) => finding.path === path && (symbol === "" || finding.symbol === symbol),
  );
  return cited && statement.trim() !== "" ? draft.fact : null;
}

/** The question when no model gave a usable one: the seed's style for the dimension. */
function templateDraft(config: Config, state: DeepState, plan: Plan): Draft {
  const component = findComponent(state, plan.component)?.name ?? plan.component;
  const key = plan.style === "ontology" ? "ontology" : plan.dimension;
  return {
    component: plan.component,
    dimension: plan.dimension,
    why: plan.why,
    question: phrase(config, state, `template.${key}`, { component }),
    options: ["a", "b", "c"].map((id) => ({
      label: phrase(config, state, `template.option.${id}`),
      description: "",
      from: "",
    })),
    recommended: null,
    research: false,
    nature: "decision",
    fact: null,
  };
}

function questionInput(state: DeepState, plan: Plan, round: number) {
  return {
    ...commonOf(state),
    round,
    target: targetOf(state, plan.component, plan.dimension),
    style: plan.style,
    why: plan.why,
    user_only: plan.userOnly,
    findings: plan.userOnly ? [] : findingsOf(state.findings),
    facts: factsOf(state),
    trigger: plan.trigger === null ? null : { label: plan.trigger.label, evidence: plan.trigger.evidence },
    gap: plan.gap?.text ?? "",
    entities: (state.ontology_snapshots.at(-1)?.entities ?? []).map((entity) => entity.name),
    context: contextOf(state),
    asked: state.asked.filter((item) => item.aim?.component === plan.component).map((item) => item.question.text),
    idea: state.initial_idea,
    components: componentsOf(state),
  };
}
