/** D5.3: what in an answer raises ambiguity: a contradiction (A), an inconsistency (B), an evasion (C), new scope (D). */
import { splitClauses } from "../../core/deep/clauses.ts";
import { cut, fold } from "../../core/text.ts";
import type { Assessment } from "./assess.ts";
import { isDimension } from "./bank.ts";
import { clash } from "./clash.ts";
import { evidenceOf } from "./evidence.ts";
import type { Input, PromptFact } from "./inputs.ts";
import type { Claim } from "./lowering.ts";
import type { Tongue } from "./tongue.ts";
import { countShared, shareIn, statementsOf, stemsOf, wordsOf } from "./words.ts";

type ScoreInput = Input<"score">;

export function findTriggers(input: ScoreInput, verdict: Assessment, read: Tongue): Claim[] {
  const { component, dimension } = input.target;
  const isKnown = input.components.some((item) => item.id === component) && isDimension(dimension);
  const target = isKnown ? { component, dimension: isDimension(dimension) ? dimension : ("goal" as const) } : null;
  const made: Claim[] = contradictions(input, verdict, read);
  if (target === null) return made;
  const claim = (label: Claim["label"], evidence: string): Claim => ({
    ...target,
    label,
    evidence,
    contradicts: "",
    proposed: "",
  });
  if (isHollow(input, verdict, read)) made.push(claim("C", cut(input.answer.trim(), 200)));
  if (verdict.verdict === "sentence" || verdict.verdict === "fragment" || verdict.verdict === "untied") {
    const conflict = inconsistency(input.answer, read);
    if (conflict !== null) made.push(claim("B", conflict));
    const outcome = expansion(input, read);
    if (outcome !== null) made.push({ ...claim("D", outcome.evidence), dimension: null, proposed: outcome.name });
  }
  return made;
}

/** An evasion, a copy or a repetition. Of words without sense only those that nothing ties to anything: no short answer. */
function isHollow(input: ScoreInput, { verdict }: Assessment, read: Tongue): boolean {
  if (input.answered_by === "architect-assisted" || input.answered_by === "research") return false;
  if (verdict === "evasive" || verdict === "copy" || verdict === "repetition") return true;
  if (verdict !== "nonsense" || evidenceOf(input.answer, read).kinds.size > 0) return false;
  const words = wordsOf(input.answer, read);
  const names = input.components.map(({ name }) => name).join("\n");
  const ties = stemsOf(`${input.idea}\n${input.question}\n${names}`, read);
  return words.length >= 3 && countShared(stemsOf(input.answer, read), ties) === 0;
}

function contradictions(input: ScoreInput, verdict: Assessment, read: Tongue): Claim[] {
  if (verdict.verdict !== "sentence" && verdict.verdict !== "fragment" && verdict.verdict !== "option") return [];
  const made: Claim[] = [];
  for (const sentence of statementsOf(input.answer)) {
    for (const fact of input.facts) {
      if (!isOpen(input, fact) || made.some((claim) => claim.contradicts === fact.id)) continue;
      const isOwn = fact.component === input.target.component;
      if (!isDimension(fact.dimension) || !clash(fact.statement, sentence, read, isOwn ? "own" : "other")) continue;
      made.push({
        label: "A",
        component: fact.component,
        dimension: fact.dimension,
        evidence: cut(sentence, 240),
        contradicts: fact.id,
        proposed: "",
      });
    }
  }
  // One answer that turns over several facts of one pair is one contradiction of that pair.
  return made.filter(
    (claim, index) =>
      made.findIndex((other) => other.component === claim.component && other.dimension === claim.dimension) === index,
  );
}

/** A fact that can be contradicted anew: of an active component, and no side of the dispute that was asked about. */
function isOpen(input: ScoreInput, fact: PromptFact): boolean {
  const { component, dimension } = input.target;
  const isSide = input.disputed.length > 0 && fact.component === component && fact.dimension === dimension;
  const isActive = input.components.some(({ id }) => id === fact.component);
  return fact.status === "established" && isActive && !isSide && !input.disputed.includes(fact.id);
}

function inconsistency(answer: string, read: Tongue): string | null {
  const statements = statementsOf(answer);
  for (const [index, first] of statements.entries()) {
    for (const second of statements.slice(index + 1)) {
      if (clash(first, second, read, "same-answer")) return cut(`${first} / ${second}`, 300);
    }
  }
  return null;
}

/** A new outcome or deliverable, said to come on top; a detail of the component that was asked about is none. */
function expansion(input: ScoreInput, read: Tongue): { readonly name: string; readonly evidence: string } | null {
  const parts = [input.idea, ...input.components.flatMap(({ name, description }) => [name, description])];
  const known = stemsOf(parts.join("\n"), read);
  const target = input.components.find((component) => component.id === input.target.component);
  const own = stemsOf(target?.name ?? "", read);
  for (const sentence of statementsOf(input.answer)) {
    const folded = fold(sentence);
    const isAdded = read.find("additions", folded).length > 0 && read.find("negations", folded).length === 0;
    if (!isAdded || countShared(own, stemsOf(sentence, read)) > 0) continue;
    const name = newOutcome(sentence, known, read);
    if (name !== null) return { name, evidence: cut(sentence, 240) };
  }
  return null;
}

/** Only what the lexicon knows as an outcome or as a thing to deliver: any other noun may be a detail. */
function newOutcome(sentence: string, known: ReadonlySet<string>, read: Tongue): string | null {
  const { clauses } = read.lexicon;
  if (clauses === undefined) return null;
  const names = new Set([...clauses.outcomes, ...clauses.things].map((item) => fold(item.name)));
  const isFresh = (text: string) => countShared(stemsOf(text, read), known) === 0;
  for (const part of splitClauses(sentence, [read.lexicon], read.lexicon.tag).components) {
    if (shareIn(stemsOf(part.text, read), known) >= 0.6) continue;
    if (names.has(fold(part.name)) && isFresh(part.name)) return part.name;
    const things = clauses.things.flatMap((thing) => thing.words).filter((word) => isSaid(word, part.name));
    if (things.length > 0 && things.every(isFresh)) return part.name;
  }
  return null;
}

function isSaid(word: string, name: string): boolean {
  return ` ${fold(name)} `.includes(` ${fold(word)} `);
}
