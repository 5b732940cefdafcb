/** D7.2, D7.3, D4.4, D3.7: the personas' lenses, the architect's answer and the research candidates, from the bank. */
import type { TaskReply } from "../../core/deep/tasks.ts";
import { cut } from "../../core/text.ts";
import { type Dimension, fill, isDimension } from "./bank.ts";
import type { Input, PromptFact } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";

const lenses = ["researcher", "contrarian", "simplifier", "architect"] as const;

function dimensionOf(name: string): Dimension {
  return isDimension(name) ? name : "goal";
}

export function panelTask(input: Input<"panel">, tongue: Tongue): TaskReply<"panel"> {
  const persona = lenses.find((name) => name === input.persona) ?? "researcher";
  const [entity = input.target.name, other] = input.entities;
  const vars = {
    component: input.target.name,
    gap: input.target.gap,
    entity,
    other: other ?? input.components.find(({ name }) => name !== entity)?.name ?? input.target.name,
  };
  const { escalated } = tongue.bank.panel;
  const asksWhatItIs = input.escalated && (persona === "contrarian" || persona === "architect");
  const lens = asksWhatItIs ? escalated : tongue.bank.panel[persona][dimensionOf(input.target.dimension)];
  const known = input.facts.filter(
    (fact) => fact.component === input.target.component && fact.status === "established",
  );
  return {
    task: "panel",
    persona,
    finding: fill(lens.finding, vars),
    reasons: lens.reasons.map((reason) => fill(reason, vars)),
    options: lens.options.map((option) => fill(option, vars)),
    // The less is known of a component, the likelier a general lens hits.
    confidence: known.length === 0 ? "medium" : "low",
  };
}

/** D4.4: one decisive answer; never of high confidence, since rules do not know. */
export function autoAnswerTask(input: Input<"auto-answer">, tongue: Tongue): TaskReply<"auto-answer"> {
  const { component, dimension } = input.target;
  const name = input.components.find(({ id }) => id === component)?.name ?? component;
  const assumed = tongue.bank.assumed[dimensionOf(dimension)];
  const vars = { component: name };
  const [candidate] = input.candidates;
  return {
    task: "auto-answer",
    answer: candidate ?? fill(assumed.answer, vars),
    reasons: assumed.reasons.map((reason) => fill(reason, vars)),
    confidence: knownOf(input.facts, component) > 0 ? "medium" : "low",
    uncertainty: fill(assumed.uncertainty, vars),
  };
}

function knownOf(facts: readonly PromptFact[], component: string): number {
  return facts.filter((fact) => fact.component === component && fact.status === "established").length;
}

export function researchTask(input: Input<"research">, tongue: Tongue): TaskReply<"research"> {
  const { candidates, fallback } = tongue.bank.research;
  const vars = { idea: cut(input.idea, 80) };
  return {
    task: "research",
    candidates: candidates.map(({ answer, rationale }) => ({
      answer: fill(answer, vars),
      rationale: fill(rationale, vars),
      confidence: "low",
    })),
    fallback: fill(fallback, vars),
  };
}
