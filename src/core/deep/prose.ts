/**
 * D10.2, D10.3: the prose of the spec. The model writes lines and says what they rest on; code checks that, drops what
 * rests on nothing, computes where each line comes from, and writes the gaps that are left.
 */
import type { Fault } from "../machine.ts";
import { cut, fold, foldPhrase, hasWords, sentences } from "../text.ts";
import {
  correctionSource,
  directAnswers,
  findNumbered,
  gapLine,
  holds,
  isCitable,
  provenanceOf,
  resolveCover,
  sourceKind,
  standingFacts,
  uncovered,
} from "./coverage.ts";
import { answerOf } from "./inputs.ts";
import type { DeepState, Gap, Round, SpecLine, SpecProse } from "./schema.ts";
import { activeComponents, findComponent } from "./state.ts";
import type { CrystallizeReply } from "./tasks.ts";
import type { Dimension, Fact } from "./vocabulary.ts";

type ReplyLine = CrystallizeReply["criteria"][number];

/** The reply as the spec takes it; total, also for a reply with faults that code mends. */
export function finishProse(state: DeepState, reply: CrystallizeReply, gaps: readonly Gap[]): SpecProse {
  const prose = mend(state, reply);
  return complete(state, prose, gaps);
}

/** Drops what cites nothing real; a fact of the code that nobody confirmed is context, no requirement (D3.4). */
function mend(state: DeepState, reply: CrystallizeReply): SpecProse {
  const lines = (list: readonly ReplyLine[]) =>
    list.filter((line) => hasWords(line.text) && !isSuperseded(state, line.text)).map((line) => mendLine(state, line));
  const constraints = lines(reply.constraints);
  const technical = [...lines(reply.technical), ...constraints.filter((line) => line.provenance === "code")];
  return {
    title: hasWords(reply.title) ? reply.title.trim() : titleOf(state),
    goal: hasWords(reply.goal) ? reply.goal.trim() : "",
    constraints: constraints.filter((line) => line.provenance !== "code"),
    non_goals: lines(reply.non_goals),
    criteria: lines(reply.criteria)
      .filter((line) => hasGround(line))
      .map((line) => ({ ...line, covers: coversOf(state, line) })),
    assumptions: reply.assumptions.filter((row) => hasWords(row.assumption)),
    technical,
    coverage: reply.coverage.flatMap(({ component, note }) => {
      const id = resolveCover(state, component);
      return id === null || !hasWords(note) ? [] : [{ component: id, note: note.trim() }];
    }),
  };
}

/** D5.4: a statement that lost its dispute is no requirement, whoever writes it into the spec again. */
function isSuperseded(state: DeepState, text: string): boolean {
  const said = foldPhrase(text);
  const is = (status: "superseded" | "established") =>
    state.established_facts.some((fact) => fact.status === status && foldPhrase(fact.statement) === said);
  return is("superseded") && !is("established");
}

function mendLine(state: DeepState, line: ReplyLine): SpecLine {
  const rounds = [...new Set(line.rounds)].filter((number) => isCitable(state, number)).sort((a, b) => a - b);
  const sources = [...new Set(line.sources)].filter((source) => sourceKind(state, source) !== null);
  const covers = [...new Set(line.covers.flatMap((name) => resolveCover(state, name) ?? []))];
  return { text: line.text.trim(), rounds, sources, covers, provenance: provenanceOf(state, { rounds, sources }) };
}

/** A criterion rests on an answered round above 0, or on a correction of the restated goal. */
function hasGround(line: SpecLine): boolean {
  return line.rounds.some((number) => number > 0) || line.sources.includes(correctionSource);
}

/** A criterion that names nothing covers what its rounds were about. */
function coversOf(state: DeepState, line: SpecLine): string[] {
  if (line.covers.length > 0) return line.covers;
  const components = line.rounds.flatMap((number) => findNumbered(state, number)?.component ?? []);
  return [...new Set(components)];
}

/** Adds the explicit gaps: lists for which the state holds nothing, and whatever no criterion covers. */
function complete(state: DeepState, prose: SpecProse, gaps: readonly Gap[]): SpecProse {
  const open = (dimension: Dimension) =>
    activeComponents(state).map((component) => gapLine(component.id, dimension, gaps));
  const missing = uncovered(state, prose.criteria).map(({ component, deliverable }) =>
    gapLine(component.id, "criteria", gaps, deliverable ?? undefined),
  );
  return {
    ...prose,
    goal:
      prose.goal === ""
        ? open("goal")
            .map((line) => line.text)
            .join("\n")
        : prose.goal,
    constraints: prose.constraints.length === 0 ? open("constraints") : prose.constraints,
    criteria: [...prose.criteria, ...missing],
  };
}

/**
 * Faults that the schema cannot say. An empty goal or list is refused when the state holds something for it; what code can
 * mend (a wrong reference, an uncovered component) is put to the model once.
 */
export function checkCrystallize(state: DeepState, reply: CrystallizeReply): Fault[] {
  const prose = mend(state, reply);
  const empty: readonly [Dimension, boolean][] = [
    ["goal", prose.goal === ""],
    ["constraints", prose.constraints.length === 0],
    ["criteria", prose.criteria.length === 0],
  ];
  const refused = empty.flatMap(([path, isEmpty]): Fault[] =>
    isEmpty && holds(state, path)
      ? [{ path, message: "the interview holds answers on this; it must not be empty", severity: "reject" }]
      : [],
  );
  return [...refused, ...referenceFaults(state, reply), ...coverageFaults(state, prose)];
}

function correct(path: string, message: string): Fault {
  return { path, message, severity: "correct" };
}

function referenceFaults(state: DeepState, reply: CrystallizeReply): Fault[] {
  return (["constraints", "non_goals", "criteria", "technical"] as const).flatMap((list) =>
    reply[list].flatMap((line, index) => {
      const path = `${list}[${index}]`;
      const mended = mendLine(state, line);
      const faults: Fault[] = [];
      for (const number of line.rounds) {
        if (!isCitable(state, number)) faults.push(correct(`${path}.rounds`, `round ${number} has no answer`));
      }
      for (const source of line.sources) {
        if (sourceKind(state, source) === null)
          faults.push(correct(`${path}.sources`, `"${source}" was never looked at`));
      }
      for (const name of line.covers) {
        if (resolveCover(state, name) === null) faults.push(correct(`${path}.covers`, `nothing is called "${name}"`));
      }
      if (list === "criteria" && !hasGround(mended))
        faults.push(correct(`${path}.rounds`, "name the rounds it rests on"));
      if (list === "constraints" && mended.provenance === "code") {
        faults.push(
          correct(path, "a fact of the code is a constraint only when an answer confirmed it; cite its round"),
        );
      }
      return faults;
    }),
  );
}

function coverageFaults(state: DeepState, prose: SpecProse): Fault[] {
  const noted = new Set(prose.coverage.map(({ component }) => component));
  return uncovered(state, prose.criteria).flatMap(({ component, deliverable }) => {
    if (deliverable !== null) return [correct("criteria", `no criterion covers "${deliverable}" of "${component.id}"`)];
    return noted.has(component.id) ? [] : [correct("criteria", `no criterion and no note covers "${component.id}"`)];
  });
}

/** The spec without a model: confirmed facts and the users' own words, with the rounds they came from. */
export function fallbackProse(state: DeepState, gaps: readonly Gap[]): SpecProse {
  const goals = standingFacts(state, "goal").map((fact) => fact.statement);
  const prose: SpecProse = {
    title: titleOf(state),
    goal: state.restated_goal ?? (goals.length > 0 ? goals : goalAnswers(state)).join("\n"),
    constraints: [...groundedLines(state, "constraints"), ...statedLines(state, "constraints")],
    non_goals: statedLines(state, "out_of_scope"),
    criteria: groundedLines(state, "criteria").filter((line) => hasGround(line)),
    assumptions: [],
    technical: groundedLines(state, "context"),
    coverage: [],
  };
  return complete(state, { ...prose, constraints: distinct(prose.constraints) }, gaps);
}

function goalAnswers(state: DeepState): string[] {
  return directAnswers(state, "goal").map((round) => decisionOf(round));
}

/** Facts of a dimension, or else the direct answers on it. */
function groundedLines(state: DeepState, dimension: Dimension): SpecLine[] {
  const facts = standingFacts(state, dimension).map((fact) => factLine(state, fact));
  if (facts.length > 0) return facts;
  return directAnswers(state, dimension).flatMap((round) => {
    const text = decisionOf(round);
    return text === "" ? [] : [answerLine(state, round, text)];
  });
}

function factLine(state: DeepState, fact: Fact): SpecLine {
  const rounds = fact.source_round === null ? [] : [fact.source_round];
  const sources = fact.source_round === null ? [correctionSource] : [];
  const deliverables = (findComponent(state, fact.component)?.deliverables ?? []).filter((item) =>
    fold(fact.statement).includes(fold(item)),
  );
  const covers = [fact.component, ...deliverables];
  return { text: fact.statement, rounds, sources, covers, provenance: provenanceOf(state, { rounds, sources }) };
}

function answerLine(state: DeepState, round: Round, text: string): SpecLine {
  const rounds = round.round === null ? [] : [round.round];
  const sources = round.round === null ? [correctionSource] : [];
  const covers = round.component === null ? [] : [round.component];
  return { text, rounds, sources, covers, provenance: provenanceOf(state, { rounds, sources }) };
}

function decisionOf(round: Round): string {
  return (round.interpretation?.decision ?? answerOf(round)).trim();
}

/** What users marked in so many words while an answer was refined (D4.3). */
function statedLines(state: DeepState, part: "constraints" | "out_of_scope"): SpecLine[] {
  return state.rounds.flatMap((round) =>
    round.superseded || round.lifecycle === "unresolved"
      ? []
      : (round.interpretation?.[part] ?? []).map((text) => answerLine(state, round, text)),
  );
}

function distinct(lines: readonly SpecLine[]): SpecLine[] {
  return lines.filter((line, index) => lines.findIndex((other) => fold(other.text) === fold(line.text)) === index);
}

function titleOf(state: DeepState): string {
  const names = activeComponents(state).map((component) => component.name);
  return cut(sentences(state.initial_idea)[0] ?? names.join(", "), 80).replace(/[.。]$/u, "");
}
