/** D5.4: the statements of an answer that become facts, each with the words it rests on, and the side that stands. */
import type { ScoreReply } from "../../core/deep/tasks.ts";
import { cut, fold } from "../../core/text.ts";
import type { Assessment } from "./assess.ts";
import { type Dimension, isDimension } from "./bank.ts";
import { evidenceOf, pointsFor } from "./evidence.ts";
import type { Input } from "./inputs.ts";
import type { Claim } from "./lowering.ts";
import type { Tongue } from "./tongue.ts";
import { shareIn, statementsOf, stemsOf, wordsOf } from "./words.ts";

type ScoreInput = Input<"score">;
type Fact = ScoreReply["facts"][number];

const most = 8;
const maxChars = 240;

export function readFacts(input: ScoreInput, verdict: Assessment, claims: readonly Claim[], read: Tongue): Fact[] {
  const { component, dimension } = input.target;
  if (!isDimension(dimension) || !input.components.some((item) => item.id === component)) return [];
  const whole =
    verdict.verdict === "option"
      ? [(input.answer.split("\n").at(-1) ?? input.answer).trim()]
      : statementsOf(input.answer).flatMap(pieces);
  const known = new Set(input.facts.map((fact) => fold(fact.statement)));
  const made = whole
    .filter(
      (statement, index, all) => statement !== "" && !known.has(fold(statement)) && all.indexOf(statement) === index,
    )
    .map((statement, index) => ({ statement, index, evidence: evidenceOf(statement, read) }))
    .filter(({ evidence }) => verdict.verdict === "option" || evidence.kinds.size > 0);
  const binds = (item: (typeof made)[number]) =>
    ["must", "limit", "exclusion", "measure"].some((kind) => [...item.evidence.kinds].some((own) => own === kind));
  // A limit at the end of a long answer outranks what stands before it (fault 18).
  const chosen = [...made.filter(binds), ...made.filter((item) => !binds(item))]
    .slice(0, most)
    .sort((a, b) => a.index - b.index);
  return chosen.map(({ statement, evidence }, position) => ({
    statement: cut(statement, maxChars),
    component,
    dimension: position === 0 ? dimension : dimensionOf(dimension, evidence),
    evidence: cut(statement, maxChars),
    contradicts:
      claims.find((claim) => claim.label === "A" && fold(claim.evidence) === fold(cut(statement, maxChars)))
        ?.contradicts ?? "",
  }));
}

/** Where a statement clearly sets a limit, it is a constraint, whatever the question was about. */
function dimensionOf(target: Dimension, evidence: ReturnType<typeof evidenceOf>): Dimension {
  return pointsFor("constraints", evidence) >= 0.6 && pointsFor(target, evidence) < 0.4 ? "constraints" : target;
}

/** A sentence too long for one statement, in parts that fit. */
function pieces(sentence: string): string[] {
  if (sentence.length <= maxChars) return [sentence];
  const made: string[] = [];
  for (const part of sentence.split(/(?<=[,;、，])/u)) {
    const last = made.at(-1);
    if (last !== undefined && last.length + part.length <= maxChars) made[made.length - 1] = last + part;
    else made.push(part);
  }
  return made.map((part) => part.trim());
}

/** Which side of a dispute an answer takes: the fact that shares its numbers, else most of its words; else a new one. */
export function readStands(input: ScoreInput, read: Tongue): string[] {
  if (input.disputed.length === 0) return [];
  const { component, dimension } = input.target;
  const sides = input.facts.filter(
    (fact) => input.disputed.includes(fact.id) || (fact.component === component && fact.dimension === dimension),
  );
  const own = stemsOf(input.answer, read);
  const numbers = numbersIn(input.answer, read);
  const rated = sides.map((fact) => {
    const theirs = numbersIn(fact.statement, read);
    const isSame = numbers.size > 0 && theirs.size > 0 && [...numbers].some((number) => theirs.has(number));
    const differs = numbers.size > 0 && theirs.size > 0 && !isSame;
    return { fact, rate: differs ? 0 : (isSame ? 1 : 0) + shareIn(stemsOf(fact.statement, read), own) };
  });
  const best = rated.reduce<(typeof rated)[number] | null>(
    (top, item) => (item.rate > (top?.rate ?? 0.5) ? item : top),
    null,
  );
  return [best?.fact.id ?? "new"];
}

function numbersIn(text: string, read: Tongue): Set<string> {
  return new Set(
    wordsOf(text.replace(/([0-9])(?=\p{L})/gu, "$1 "), read).flatMap((word) =>
      word.role === "number" ? [word.folded] : [],
    ),
  );
}
