/**
 * The questions that code words itself: topology (D2.1, D2.6), refine and collect (D4.3), confirm-assumption (D4.5,
 * D4.6), soft limit (D8.4), restate (D9.3) and bridge (D11.1). Those of a round are made in `rounds.ts`.
 */
import type { Option, Question, QuestionKind } from "../machine.ts";
import { percent } from "../ratio.ts";
import { type Config, phrase, type Vars } from "./phrase.ts";
import type { Collecting, DeepState } from "./schema.ts";
import { findComponent } from "./state.ts";
import type { Assumption, Interpretation, Trigger } from "./vocabulary.ts";

/** Question ids count up over the interview, so that every process names the next one alike. */
export function nextQuestionId(state: DeepState): string {
  return `q${state.asked.length + 1}`;
}

interface Parts {
  readonly kind: QuestionKind;
  readonly round: number | null;
  readonly header?: string;
  readonly text: string;
  readonly options: readonly Option[];
  readonly freeText?: boolean;
  readonly aim?: { readonly component: string | null; readonly dimension: string | null };
}

export function createQuestion(state: DeepState, parts: Parts): Question {
  const round = parts.round;
  return {
    id: nextQuestionId(state),
    kind: parts.kind,
    round,
    header: parts.header ?? null,
    text: parts.text,
    options: [...parts.options],
    allow_free_text: parts.freeText ?? true,
    multi_select: false,
    deepInterview:
      round === null
        ? null
        : {
            round_id: `r${round}`,
            round,
            component: parts.aim?.component ?? null,
            dimension: parts.aim?.dimension ?? null,
            ambiguity: state.current_ambiguity,
          },
  };
}

/** Options from phrase keys: `base.name` is the label, `base.name.description` says what it does. */
function fixedOptions(
  config: Config,
  state: DeepState,
  base: string,
  names: readonly string[],
  recommended: string | null,
  vars: Vars = {},
): Option[] {
  return names.map((name) => ({
    id: name,
    label: phrase(config, state, `${base}.${name}`, vars),
    description: phrase(config, state, `${base}.${name}.description`, vars),
    recommended: name === recommended,
  }));
}

export function topologyQuestion(config: Config, state: DeepState): Question {
  const { components, grouping } = state.topology;
  const list = components.map((item, index) => `${index + 1}. ${item.name}: ${item.description}`).join("\n");
  const note = grouping === null ? "" : `\n${phrase(config, state, "topology.grouping", { reason: grouping })}`;
  return createQuestion(state, {
    kind: "topology",
    round: 0,
    header: phrase(config, state, "topology.header"),
    text: phrase(config, state, "topology.text", { count: components.length, list: list + note }),
    options: fixedOptions(config, state, "topology", ["right", "edit", "defer"], "right"),
  });
}

/** D2.6: add, fold in or defer a new top-level outcome; the choice is the user's. */
export function scopeQuestion(config: Config, state: DeepState, trigger: Trigger, header: string): Question {
  const component = findComponent(state, trigger.component)?.name ?? trigger.component;
  const vars = { proposed: trigger.proposed ?? trigger.evidence, component };
  return createQuestion(state, {
    kind: "topology",
    round: state.round_count + 1,
    header,
    text: phrase(config, state, "scope.text", vars),
    options: fixedOptions(config, state, "scope", ["add", "fold", "defer"], null, vars),
    aim: { component: trigger.component, dimension: trigger.dimension },
  });
}

const sections = [
  ["reasoning", "reasoning"],
  ["constraints", "constraints"],
  ["out_of_scope", "out_of_scope"],
  ["context", "context"],
] as const;

/** The structured reading in full, empty sections left out (D4.3). */
export function readInterpretation(config: Config, state: DeepState, reading: Interpretation): string {
  const parts = [`${phrase(config, state, "refine.decision")}: ${reading.decision}`];
  for (const [key, field] of sections) {
    const items = reading[field];
    if (items.length > 0)
      parts.push(`${phrase(config, state, `refine.${key}`)}:\n${items.map((item) => `- ${item}`).join("\n")}`);
  }
  return parts.join("\n");
}

export function refineQuestion(
  config: Config,
  state: DeepState,
  round: number | null,
  reading: Interpretation,
): Question {
  const names = ["send", "constraint", "out-of-scope", "context-add", "rewrite"];
  return createQuestion(state, {
    kind: "refine",
    round,
    text: phrase(config, state, "refine.text", { reading: readInterpretation(config, state, reading) }),
    options: fixedOptions(config, state, "refine", names, "send"),
  });
}

const collectKeys: Readonly<Record<Collecting, string>> = {
  topology: "topology.collect",
  constraint: "collect.constraint",
  "out-of-scope": "collect.out-of-scope",
  context: "collect.context",
  rewrite: "collect.rewrite",
  adjust: "collect.adjust",
  scope: "collect.scope",
  revise: "assumption.collect",
};

export function collectQuestion(
  config: Config,
  state: DeepState,
  round: number | null,
  what: Collecting,
  key?: string,
): Question {
  return createQuestion(state, {
    kind: "collect",
    round,
    text: phrase(config, state, key ?? collectKeys[what]),
    options: [],
  });
}

/** Where an assumption is put: the round, and the pair that it is about to make clear, which may be another than its own. */
export interface AssumptionPlace {
  readonly round: number | null;
  readonly header?: string;
  readonly lead?: string;
  readonly aim?: { readonly component: string; readonly dimension: string };
}

/** D4.5 asks in a numbered round; D4.6, at the gate, without a number. */
export function assumptionQuestion(
  config: Config,
  state: DeepState,
  assumption: Assumption,
  at: AssumptionPlace,
): Question {
  const crossing = at.round === null;
  const text = phrase(config, state, "assumption.text", {
    component: findComponent(state, assumption.component)?.name ?? assumption.component,
    dimension: assumption.dimension,
    answer: assumption.answer,
    reasons: assumption.reasons.join("; "),
    confidence: assumption.confidence,
    uncertainty: assumption.uncertainty ?? phrase(config, state, "assumption.none"),
  });
  const lead = crossing
    ? phrase(config, state, "assumption.crossing", { ambiguity: percent(state.current_ambiguity) })
    : (at.lead ?? "");
  return createQuestion(state, {
    kind: "confirm-assumption",
    round: at.round,
    ...(at.header === undefined ? {} : { header: at.header }),
    text: lead === "" ? text : `${lead}\n\n${text}`,
    options: fixedOptions(config, state, "assumption", ["confirm", "revise", crossing ? "keep" : "leave"], null),
    aim: at.aim ?? { component: assumption.component, dimension: assumption.dimension },
  });
}

export function softLimitQuestion(config: Config, state: DeepState): Question {
  return createQuestion(state, {
    kind: "soft-limit",
    round: null,
    text: phrase(config, state, "soft-limit.text", {
      round: state.round_count,
      ambiguity: percent(state.current_ambiguity),
    }),
    options: fixedOptions(config, state, "soft-limit", ["continue", "proceed"], null),
    freeText: false,
  });
}

export function restateQuestion(config: Config, state: DeepState, line: string): Question {
  return createQuestion(state, {
    kind: "restate",
    round: null,
    text: phrase(config, state, "restate.text", { line }),
    options: fixedOptions(config, state, "restate", ["yes", "adjust", "missing"], "yes"),
  });
}

export function bridgeQuestion(config: Config, state: DeepState): Question {
  const vars = { ambiguity: percent(state.current_ambiguity) };
  return createQuestion(state, {
    kind: "bridge",
    round: null,
    text: phrase(config, state, "bridge.text", vars),
    options: fixedOptions(config, state, "bridge", ["ralplan", "ultragoal", "team", "refine"], "ralplan", vars),
    freeText: false,
  });
}
