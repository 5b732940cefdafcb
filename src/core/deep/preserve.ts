/**
 * D4.3: what the structuring of a free-text answer must not lose. A sentence of the original that carries a number, a
 * limit or an exclusion, or stands last, and that the reading does not hold, is put back verbatim.
 */
import type { Lexicon } from "../lexicon.ts";
import { fold, sentences } from "../text.ts";
import type { Interpretation } from "./vocabulary.ts";

/** The share of a sentence's words that the reading has to hold for the sentence to count as kept. */
const enough = 0.7;
/** And of its neighbouring words, so that words scattered over a long reading are not taken for the sentence. */
const together = 0.5;

/** Words, or single characters where a script does not part its words. */
function tokens(text: string): string[] {
  const found =
    fold(text).match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*/gu) ??
    [];
  // `v1.2` is one word; the full stop behind it is none of it.
  return found.map((word) => word.replace(/[._-]+$/u, ""));
}

function neighbours(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

function numbers(text: string): string[] {
  return (fold(text).match(/\p{N}[\p{N}.,:%]*/gu) ?? []).map((number) => number.replace(/[.,:]+$/u, ""));
}

function hasWord(sentence: string, words: readonly string[]): boolean {
  const text = ` ${fold(sentence)} `;
  return words.some((word) => {
    const wanted = fold(word);
    // Scripts without blanks have no edges to look for.
    return /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}' -]+$/u.test(wanted)
      ? new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(wanted)}(?![\\p{L}\\p{N}])`, "u").test(text)
      : text.includes(wanted);
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The reading with every lost constraint of `raw` put back; the same object when nothing was lost. */
export function preserve(raw: string, reading: Interpretation, lexicons: readonly Lexicon[]): Interpretation {
  const parts = [
    reading.decision,
    ...reading.reasoning,
    ...reading.constraints,
    ...reading.out_of_scope,
    ...reading.context,
  ];
  const heldTokens = new Set(parts.flatMap(tokens));
  const heldPairs = new Set(parts.flatMap((part) => neighbours(tokens(part))));
  const heldNumbers = new Set(parts.flatMap(numbers));
  const isKept = (sentence: string) => {
    const words = tokens(sentence);
    const pairs = neighbours(words);
    return (
      words.filter((word) => heldTokens.has(word)).length >= words.length * enough &&
      pairs.filter((pair) => heldPairs.has(pair)).length >= pairs.length * together &&
      numbers(sentence).every((number) => heldNumbers.has(number))
    );
  };
  const all = sentences(raw);
  const last = all.at(-1);
  const lost = { constraints: [] as string[], out_of_scope: [] as string[] };
  for (const sentence of all) {
    if (isKept(sentence)) continue;
    if (
      hasWord(
        sentence,
        lexicons.flatMap((lexicon) => lexicon.exclusion),
      )
    )
      lost.out_of_scope.push(sentence);
    else if (
      numbers(sentence).length > 0 ||
      sentence === last ||
      hasWord(
        sentence,
        lexicons.flatMap((lexicon) => lexicon.constraint),
      )
    ) {
      lost.constraints.push(sentence);
    }
  }
  if (lost.constraints.length + lost.out_of_scope.length === 0) return reading;
  return {
    ...reading,
    constraints: [...reading.constraints, ...lost.constraints],
    out_of_scope: [...reading.out_of_scope, ...lost.out_of_scope],
  };
}
