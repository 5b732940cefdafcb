/**
 * D6: the nouns of idea and answers as entities. Names used before are used again, in the same words; only an answer
 * that says something brings new ones, and only what the idea named is of the core.
 */

import { splitClauses } from "../../core/deep/clauses.ts";
import type { ScoreReply } from "../../core/deep/tasks.ts";
import { fold } from "../../core/text.ts";
import type { Input } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";
import { hasAlike, isAlike, stemsOf, type Word, wordsOf } from "./words.ts";

type ScoreInput = Input<"score">;
type Entity = ScoreReply["entities"][number];

const most = 14;
/** New names that one answer may bring, so that the core noun is not lost among them. */
const freshMost = 2;

export function readEntities(input: ScoreInput, read: Tongue, speaks: boolean): Entity[] {
  const prior = input.prior_entities.map((entity) => ({
    ...entity,
    relationships: relationsOf(entity.name, input, read),
  }));
  const named = prior.length > 0 ? prior : fromIdea(input, read);
  if (!speaks) return named;
  const known = new Set(named.flatMap((entity) => [...stemsOf(entity.name, read), fold(entity.name)]));
  const fresh = candidates(input.answer, read)
    .filter((word) => !hasAlike(word.stem, known))
    .slice(0, freshMost)
    .map((word) =>
      toEntity(
        read.bank.mode === "glued" ? word.stem : word.text,
        isNamed(word) ? "external system" : "supporting",
        input,
        read,
      ),
    );
  return [...named, ...fresh].slice(0, most);
}

/** The objects of the idea's clauses; a component that has none stands for itself. */
function fromIdea(input: ScoreInput, read: Tongue): Entity[] {
  const names: string[] = [];
  for (const component of input.components) {
    const nouns = wordsOf(component.description, read).filter((word) => word.role === "content");
    const noun = nouns.at(-1)?.text ?? component.name;
    const isRead =
      read.bank.mode === "words" &&
      !splitClauses(component.description, [read.lexicon], read.lexicon.tag).components.some((part) =>
        part.deliverables.includes(noun),
      );
    const name = isRead && nouns.length > 1 ? noun : component.name;
    if (!names.some((other) => isAlike(fold(other), fold(name)))) names.push(name);
  }
  return names.slice(0, most).map((name) => toEntity(name, "core domain", input, read));
}

/** Words of an answer that name things: written as names, or actors, or said twice. */
function candidates(answer: string, read: Tongue): Word[] {
  const words = wordsOf(answer, read).filter((word) => word.role === "content" && word.stem.length >= 2);
  const actors = new Set(read.bank.words.actors.map(fold));
  const isVerb = (word: Word) => read.find("observables", word.folded).length > 0 && !isNamed(word);
  const count = (word: Word) => words.filter((other) => other.stem === word.stem).length;
  const chosen = words
    .filter((word) => !isVerb(word))
    .filter((word) => isNamed(word) || actors.has(word.folded) || count(word) > 1);
  return chosen.filter((word, index) => chosen.findIndex((other) => other.stem === word.stem) === index);
}

function isNamed(word: Word): boolean {
  return /^[A-Z][A-Z0-9]+$/.test(word.text) || /[a-z][A-Z]|_/.test(word.text);
}

function toEntity(name: string, type: string, input: ScoreInput, read: Tongue): Entity {
  return { name, type, fields: [], relationships: relationsOf(name, input, read) };
}

/** Which components speak of it. */
function relationsOf(name: string, input: ScoreInput, read: Tongue): string[] {
  const stems = stemsOf(name, read);
  return input.components
    .filter(
      (component) =>
        component.name !== name && [...stems].some((stem) => hasAlike(stem, stemsOf(component.description, read))),
    )
    .map((component) => `${component.name} - ${name}`);
}
