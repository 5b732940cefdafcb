/** D10.2, D10.3 by rules: the prose of the spec from facts and answers alone, every line with the rounds it rests on. */
import type { CrystallizeReply } from "../../core/deep/tasks.ts";
import { cut, fold } from "../../core/text.ts";
import { evidenceOf } from "./evidence.ts";
import { say } from "./gaps.ts";
import type { Input, PromptFact, PromptRound } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";
import { countShared, shareIn, statementsOf, stemsOf } from "./words.ts";

type SpecInput = Input<"crystallize">;
type Line = CrystallizeReply["criteria"][number];

const maxTitle = 80;

export function crystallizeTask(input: SpecInput, tongue: Tongue): CrystallizeReply {
  const facts = input.facts.filter((fact) => fact.status === "established");
  const of = (dimension: string) =>
    facts.filter((fact) => fact.dimension === dimension).map((fact) => lineOf(fact, input, tongue));
  const stated = linesOf(input, tongue);
  const isExcluded = (line: Line) =>
    tongue.find("exclusion", fold(line.text)).length > 0 && tongue.find("limits", fold(line.text)).length === 0;
  const limits = fallback(of("constraints"), input, tongue, "constraints");
  const named = fallback(of("criteria"), input, tongue, "criteria");
  const criteria = [...named, ...forDeliverables(facts, named, input, tongue)].filter(
    (line) => line.rounds.length + line.sources.length > 0,
  );
  return {
    title: titleOf(input),
    goal: input.restated_goal === "" ? goalOf(input, facts) : input.restated_goal,
    constraints: distinct([...limits.filter((line) => !isExcluded(line)), ...stated.constraints]),
    non_goals: distinct([...limits.filter(isExcluded), ...stated.excluded]),
    criteria: distinct(criteria),
    assumptions: assumptionsOf(input, tongue),
    technical: distinct([...of("context"), ...contextLines(input)]),
    coverage: input.components.map((component) => {
      const count = criteria.filter((line) => line.covers.includes(component.id)).length;
      return {
        component: component.id,
        note: say(tongue, count === 0 ? "spec.uncovered" : "spec.coverage", { count }),
      };
    }),
  };
}

/** A deliverable that no criterion speaks of, but another statement does that says what one can see of it. */
function forDeliverables(
  facts: readonly PromptFact[],
  criteria: readonly Line[],
  input: SpecInput,
  tongue: Tongue,
): Line[] {
  const covered = new Set(criteria.flatMap((line) => line.covers));
  const made: Line[] = [];
  for (const fact of facts.filter(
    (item) => item.dimension !== "criteria" && evidenceOf(item.statement, tongue).kinds.has("result"),
  )) {
    const line = lineOf(fact, input, tongue);
    const fresh = line.covers.filter((name) => name !== fact.component && !covered.has(name));
    if (fresh.length === 0) continue;
    for (const name of fresh) covered.add(name);
    made.push(line);
  }
  return made;
}

/** No constraint would be written although all are exclusions; then they stand in both places. */
function fallback(lines: readonly Line[], input: SpecInput, tongue: Tongue, dimension: string): Line[] {
  if (lines.length > 0) return [...lines];
  return answered(input)
    .filter((round) => round.dimension === dimension)
    .flatMap((round) =>
      statementsOf(round.answer)
        .slice(0, 3)
        .map((text) => answerLine(text, round, input, tongue)),
    );
}

function answered(input: SpecInput): PromptRound[] {
  return input.transcript.filter((round) => round.answered_by !== null && round.answer.trim() !== "");
}

function roundsOf(fact: PromptFact, input: SpecInput, tongue: Tongue): number[] {
  const wanted = fold(fact.statement.replace(/…$/u, ""));
  const holding = answered(input).filter((round) => fold(round.answer).includes(wanted));
  const aimed = holding.filter((round) => round.component === fact.component);
  const stems = stemsOf(fact.statement, tongue);
  const alike = answered(input).filter(
    (round) => round.component === fact.component && shareIn(stems, stemsOf(round.answer, tongue)) >= 0.8,
  );
  const [found = []] = [aimed, holding, alike].filter((list) => list.length > 0);
  return found.flatMap((round) => (round.round === null ? [] : [round.round]));
}

function lineOf(fact: PromptFact, input: SpecInput, tongue: Tongue): Line {
  const rounds = roundsOf(fact, input, tongue);
  return {
    text: fact.statement,
    rounds,
    sources: rounds.length === 0 ? corrected(input) : [],
    covers: coversOf(fact.component, fact.statement, input, tongue),
  };
}

function answerLine(text: string, round: PromptRound, input: SpecInput, tongue: Tongue): Line {
  const rounds = round.round === null ? [] : [round.round];
  return {
    text: cut(text, 300),
    rounds,
    sources: rounds.length === 0 ? corrected(input) : [],
    covers: coversOf(round.component ?? "", text, input, tongue),
  };
}

/** A correction of the restated goal has no number; the spec cites it by this name. */
function corrected(input: SpecInput): string[] {
  return answered(input).some((round) => round.round === null) ? ["correction"] : [];
}

/** A component, and those of its deliverables that the line speaks of. */
function coversOf(id: string, text: string, input: SpecInput, tongue: Tongue): string[] {
  const component = input.components.find((item) => item.id === id);
  if (component === undefined) return [];
  const stems = stemsOf(text, tongue);
  const spoken = component.deliverables.filter((item) => countShared(stemsOf(item, tongue), stems) > 0);
  return [component.id, ...spoken];
}

/** What the structured answers say in so many words: limits, and what is out of scope. */
function linesOf(input: SpecInput, tongue: Tongue): { readonly constraints: Line[]; readonly excluded: Line[] } {
  const part = (label: RegExp) =>
    answered(input).flatMap((round) =>
      round.answer
        .split("\n")
        .filter((line) => label.test(line))
        .flatMap((line) => statementsOf(line))
        .map((text) => answerLine(text, round, input, tongue)),
    );
  return { constraints: part(/^\s*constraints/i), excluded: part(/^\s*out of scope/i) };
}

function contextLines(input: SpecInput): Line[] {
  return input.context.map(({ statement, path }) => ({ text: statement, rounds: [], sources: [path], covers: [] }));
}

function assumptionsOf(input: SpecInput, tongue: Tongue): CrystallizeReply["assumptions"] {
  return input.transcript
    .filter((round) => round.answered_by === "architect-assisted" && round.round !== null)
    .map((round) => ({
      assumption: round.answer,
      challenge: say(tongue, "spec.challenge", { round: round.round ?? 0, question: cut(round.question, 160) }),
      resolution: say(tongue, "spec.assumed"),
    }));
}

function goalOf(input: SpecInput, facts: readonly PromptFact[]): string {
  const goals = facts.filter((fact) => fact.dimension === "goal").map((fact) => fact.statement);
  const answers = answered(input)
    .filter((round) => round.dimension === "goal")
    .map((round) => cut(round.answer.replace(/\s+/gu, " "), 300));
  return (goals.length > 0 ? goals : answers).join(" ");
}

function titleOf(input: SpecInput): string {
  const [first = input.idea] = statementsOf(input.idea);
  return cut(first, maxTitle).replace(/[.。]$/u, "");
}

function distinct(lines: readonly Line[]): Line[] {
  return lines.filter((line, index) => lines.findIndex((other) => fold(other.text) === fold(line.text)) === index);
}
