/** D9 by rules: the closure audit asks for a concrete statement of every pair; restate names every active component. */
import type { TaskReply } from "../../core/deep/tasks.ts";
import { cut } from "../../core/text.ts";
import { dimensions } from "./bank.ts";
import { evidenceOf } from "./evidence.ts";
import { say } from "./gaps.ts";
import type { Input, PromptComponent, PromptFact, PromptRound } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";

const maxClause = 120;

const active = (component: PromptComponent) => component.status === "active";

export function closureTask(input: Input<"closure">, tongue: Tongue): TaskReply<"closure"> {
  const asked = dimensions.filter((dimension) => dimension !== "context" || input.type === "brownfield");
  const gaps = input.components.filter(active).flatMap((component) =>
    asked
      .filter((dimension) => !isStated(component.id, dimension, input, tongue))
      .map((dimension) => ({
        component: component.id,
        dimension,
        gap: say(tongue, `closure.gap.${dimension}`, { component: component.name }),
      })),
  );
  return { ready: gaps.length === 0, gaps };
}

/** A standing fact, or an answer aimed at the pair that holds anything concrete. */
function isStated(component: string, dimension: string, input: Input<"closure">, tongue: Tongue): boolean {
  const isOf = (item: { readonly component: string | null; readonly dimension: string | null }) =>
    item.component === component && item.dimension === dimension;
  if (input.facts.some((fact: PromptFact) => isOf(fact) && fact.status === "established")) return true;
  return input.transcript.some((round: PromptRound) => isOf(round) && evidenceOf(round.answer, tongue).kinds.size > 1);
}

export function restateTask(input: Input<"restate">, tongue: Tongue): TaskReply<"restate"> {
  const components = input.components.filter(active);
  const parts = components.map((component) => {
    const goal = goalOf(component, input.facts);
    return goal === "" ? component.name : say(tongue, "restate.goal", { component: component.name, goal });
  });
  const correction = oneLine(input.corrections.at(-1) ?? "");
  const tail = correction === "" ? "" : say(tongue, "restate.correction", { correction });
  const sentence = `${say(tongue, "restate.sentence", { list: joined(parts, tongue) })}${tail}${say(tongue, "restate.end")}`;
  return { sentence, covers: components.map((component) => component.id) };
}

/** The first clause of what was said about its goal, where that is short enough to stand in one line with the others. */
function goalOf(component: PromptComponent, facts: readonly PromptFact[]): string {
  const fact = facts.find(
    (item) => item.component === component.id && item.dimension === "goal" && item.status === "established",
  );
  const clause = oneLine((fact?.statement ?? "").split(/[,;:—、，；]/u)[0] ?? "");
  const isFit = clause.length >= 12 && clause.length <= maxClause && !clause.endsWith("…");
  return isFit ? clause : cut(oneLine(component.description), maxClause);
}

/** A sentence inside a sentence: no stop in its middle, none at its end. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[.!?。！？]+(?=\s|$)/gu, ";")
    .replace(/[;\s]+$/u, "")
    .trim();
}

function joined(parts: readonly string[], tongue: Tongue): string {
  const last = parts.at(-1) ?? "";
  const head = parts.slice(0, -1);
  return head.length === 0 ? last : `${head.join(say(tongue, "restate.joint"))}${say(tongue, "restate.last")}${last}`;
}
