/**
 * The score task by rules: an answer in full makes the pair it was aimed at clear, what it says beside that makes its
 * neighbours somewhat clearer, and what says nothing changes nothing. Triggers lower their pair here already (D5.3).
 */
import type { ScoreReply } from "../../core/deep/tasks.ts";
import { round4 } from "../../core/ratio.ts";
import { fold } from "../../core/text.ts";
import { type Assessment, assess, counts, type Ground } from "./assess.ts";
import { isDimension } from "./bank.ts";
import { domainWords } from "./domain.ts";
import { readEntities } from "./entities.ts";
import { readFacts, readStands } from "./facts.ts";
import { gapFor, justify } from "./gaps.ts";
import type { Input } from "./inputs.ts";
import { applyTriggers, type Matrix, pairOf } from "./lowering.ts";
import { findOptionIn } from "./options.ts";
import { baseline, spillOver, tiersOf } from "./tiers.ts";
import type { Tongue, Tongues } from "./tongue.ts";
import { findTriggers } from "./triggers.ts";
import { stemsOf } from "./words.ts";

type ScoreInput = Input<"score">;

export function scoreTask(input: ScoreInput, tongues: Tongues, cautious: boolean): ScoreReply {
  const write = tongues.forTag(input.language.tag);
  const read = tongues.forText(input.answer, input.language.tag);
  const start = startOf(input);
  const verdict = assessAnswer(input, tongues);
  const claims = cautious ? [] : findTriggers(input, verdict, read);
  const raised = cautious ? start : raise(input, start, verdict, read);
  const { matrix, triggers } = applyTriggers(input, { start, raised }, claims, write);
  const says = verdict.verdict === "sentence" || verdict.verdict === "fragment" || verdict.verdict === "option";
  return {
    task: "score",
    components: input.components.map((component) => ({
      component: component.id,
      dimensions: input.dimensions.filter(isDimension).map((dimension) => {
        const score = round4(matrix.get(pairOf(component.id, dimension)) ?? 0);
        const isAimed = component.id === input.target.component && dimension === input.target.dimension;
        const about = { component, dimension, score, verdict: isAimed ? verdict : null };
        return {
          dimension,
          justification: justify(about, write),
          score,
          gap: score < input.gap_below ? gapFor(about, write) : "",
        };
      }),
    })),
    triggers,
    facts: cautious || !says ? [] : readFacts(input, verdict, claims, read),
    stands: cautious ? [] : readStands(input, read),
    entities: readEntities(input, read, says && !cautious),
    draft: [],
  };
}

/** The scores before this answer; a pair never scored starts at what the idea itself says. */
function startOf(input: ScoreInput): Matrix {
  const start = new Map<string, number>();
  for (const component of input.components) {
    for (const dimension of input.dimensions.filter(isDimension)) {
      const known = component.scores.find((item) => item.dimension === dimension)?.score ?? null;
      start.set(pairOf(component.id, dimension), known ?? baseline);
    }
  }
  return start;
}

function tiesOf(input: ScoreInput, read: Tongue): ReadonlySet<string> {
  const target = input.components.find((component) => component.id === input.target.component);
  const texts = [
    input.idea,
    input.question,
    ...input.components.flatMap(({ name, description }) => [name, description]),
    ...input.facts.map((fact) => fact.statement),
    ...domainWords(`${target?.name ?? ""} ${target?.description ?? input.idea}`, read),
  ];
  return stemsOf(texts.join(" \n"), read);
}

/** The words that everybody had before answering. */
function givenIn(input: ScoreInput, read: Tongue): ReadonlySet<string> {
  return stemsOf(
    [input.idea, input.question, ...input.components.flatMap(({ name, description }) => [name, description])].join(
      " \n",
    ),
    read,
  );
}

function assessAnswer(input: ScoreInput, tongues: Tongues): Assessment {
  const verdict = assessAt(input, tongues);
  if (input.answered_by === "architect-assisted" || input.answered_by === "research") {
    return { ...verdict, verdict: "option", weight: 1 };
  }
  const before = input.transcript.map((round, index) => {
    const transcript = input.transcript.slice(0, index);
    const target = { component: round.component ?? "", dimension: round.dimension ?? "goal" };
    return assessAt({ ...input, target, question: round.question, answer: round.answer, transcript }, tongues).verdict;
  });
  return counts(verdict, before) ? verdict : { ...verdict, verdict: "discredited" };
}

/** An answer by itself, in the language that it is written in. */
function assessAt(input: ScoreInput, tongues: Tongues): Assessment {
  const { tag } = input.language;
  const ground = groundOf(input, tongues.forText(input.answer, tag), tongues.forTag(tag));
  const isOwn = input.answered_by !== "architect-assisted" && input.answered_by !== "research";
  return assess(input.answer, isOwn ? ground : { ...ground, earlier: [] });
}

function groundOf(input: ScoreInput, read: Tongue, write: Tongue): Ground {
  const { component, dimension } = input.target;
  return {
    tongue: read,
    ties: tiesOf(input, read),
    given: givenIn(input, read),
    question: input.question,
    dimension: isDimension(dimension) ? dimension : "goal",
    // Who is asked which of two statements stands may well say one of them again.
    earlier: (input.disputed.length > 0 ? [] : input.transcript).map((round) => ({
      answer: round.answer,
      question: round.question,
      samePair: round.component === component && round.dimension === dimension,
      assisted: round.answered_by === "architect-assisted" || round.answered_by === "research",
    })),
    optionIn: (answer) => {
      const confirmed = input.transcript.find(
        (round) => round.answered_by === "architect-assisted" && answer.trim().endsWith(round.answer.trim()),
      );
      if (confirmed !== undefined) return { label: confirmed.answer, remark: "" };
      if (takesSide(input, answer)) return { label: answer.trim(), remark: "" };
      return findOptionIn(answer, write.bank) ?? (read === write ? null : findOptionIn(answer, read.bank));
    },
  };
}

/** A question about a dispute offers its statements as they stand. */
function takesSide(input: ScoreInput, answer: string): boolean {
  const { component, dimension } = input.target;
  const first = fold(answer.split("\n")[0] ?? "").replace(/…$/u, "");
  return (
    input.disputed.length > 0 &&
    input.facts.some(
      (fact) => fact.component === component && fact.dimension === dimension && fold(fact.statement).startsWith(first),
    )
  );
}

function raise(input: ScoreInput, start: Matrix, verdict: Assessment, read: Tongue): Matrix {
  const raised = new Map(start);
  const { component, dimension } = input.target;
  const lift = (key: string, level: number) => {
    const now = raised.get(key);
    if (now !== undefined && level > now) raised.set(key, level);
  };
  if (isDimension(dimension)) {
    const key = pairOf(component, dimension);
    lift(key, tiersOf(verdict, dimension, start.get(key) ?? 0));
  }
  if (verdict.verdict !== "sentence") return raised;
  for (const { key, level } of spillOver(input, start, read)) lift(key, level);
  return raised;
}
