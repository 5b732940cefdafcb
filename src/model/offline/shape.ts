/**
 * Whether words stand in the order of sentences. Marker words thrown together, shuffled sentences and random words
 * break rules that hardly any real sentence breaks: "the must", "within." or a predicate in the middle.
 */
import { fold, sentences } from "../../core/text.ts";
import type { Tongue } from "./tongue.ts";
import { type Word, wordsOf } from "./words.ts";

export interface Shape {
  readonly words: number;
  /** Rules broken. */
  readonly broken: number;
  /** Function words and particles that hold the words together. */
  readonly joints: number;
  /** Something is said of something: a verb, a predicate. */
  readonly hasPredicate: boolean;
  /** Joints that stand next to each other as they may: chance seldom puts two of them so. */
  readonly fitting: number;
}

export function shapeOf(text: string, tongue: Tongue): Shape {
  const parts = sentences(text).map((sentence) => shapeOfSentence(sentence, tongue));
  return {
    words: parts.reduce((sum, part) => sum + part.words, 0),
    // A stop with a single word behind it ("... the click. pushes") was not put there by anybody.
    broken: parts.reduce((sum, part) => sum + part.broken + (parts.length > 1 && part.words <= 1 ? 1 : 0), 0),
    joints: parts.reduce((sum, part) => sum + part.joints, 0),
    hasPredicate: parts.some((part) => part.hasPredicate),
    fitting: parts.reduce((sum, part) => sum + part.fitting, 0),
  };
}

function shapeOfSentence(sentence: string, tongue: Tongue): Shape {
  return tongue.bank.mode === "words" ? spacedShape(sentence, tongue) : finalShape(sentence, tongue);
}

/** Classes of words that carry content: they are no joints. */
const open: ReadonlySet<string> = new Set(["verb", "noun", "plain", "inf"]);
/** Something is said where one of these stands. */
const verbal: ReadonlySet<string> = new Set(["verb", "be", "have", "do", "finite", "modal", "aux", "plain"]);

/** A comma or colon starts afresh: what stands on its two sides need not fit together. */
function spacedShape(sentence: string, tongue: Tongue): Shape {
  const { classes, never } = tongue;
  let broken = countBroken(sentence, tongue);
  let joints = 0;
  let fitting = 0;
  let count = 0;
  let verbs = 0;
  const phrases = sentence.split(/[,;:()“”"]+\s|[—–]/u);
  for (const [position, phrase] of phrases.entries()) {
    const words = wordsOf(phrase, tongue);
    const kinds = words.map((word) => classes.get(word.folded) ?? (word.role === "number" ? "num" : ""));
    count += words.length;
    joints += words.filter(isJoint).length;
    broken += countRuns(words);
    kinds.forEach((kind, index) => {
      if (verbal.has(kind)) verbs += 1;
      const last = position === phrases.length - 1 ? "end" : "";
      const next = index + 1 < kinds.length ? (kinds[index + 1] ?? "") : last;
      if (never.has(`${kind} ${next}`)) broken += 1;
      else if (kind !== "" && next !== "" && next !== "end" && !open.has(kind) && !open.has(next)) fitting += 1;
      if (index > 0 && words[index]?.folded === words[index - 1]?.folded) broken += 1;
    });
  }
  const isVerbal = verbs > 0 || tongue.find("observables", fold(sentence)).length > 0;
  return { words: count, broken, joints, hasPredicate: isVerbal, fitting };
}

/** So many words in a row without a joint, or of nothing but joints, stand in no sentence. */
const longestRun = { content: 4, function: 13 } as const;

function isJoint(word: Word): boolean {
  return word.role === "function" || word.role === "marker";
}

function countRuns(words: readonly Word[]): number {
  let runs = 0;
  let length = 0;
  words.forEach((word, index) => {
    const joins = isJoint(word);
    const before = words[index - 1];
    length = before !== undefined && joins === isJoint(before) ? length + 1 : 1;
    if (length === longestRun[joins ? "function" : "content"] + 1) runs += 1;
  });
  return runs;
}

function countBroken(sentence: string, { broken }: Tongue): number {
  const folded = fold(sentence);
  return broken.reduce((sum, pattern) => sum + (folded.match(pattern)?.length ?? 0), 0);
}

/** Languages whose sentences end in their predicate: only the end may have its endings, and it has to have one. */
function finalShape(sentence: string, tongue: Tongue): Shape {
  const { final, only_final } = tongue.bank.grammar;
  const bare = sentence.replace(/[.!?。！？…\s"'“”」』)]+$/u, "");
  const words = wordsOf(sentence, tongue);
  const inner = bare.slice(0, -1);
  const early = only_final.reduce((sum, pattern) => sum + (inner.match(new RegExp(pattern, "gu"))?.length ?? 0), 0);
  const hasPredicate = final.some((ending) => bare.endsWith(ending));
  return {
    words: words.length,
    broken: early + countBroken(sentence, tongue) + (hasPredicate ? 0 : 1),
    // A predicate at the end holds a sentence together as a particle does.
    joints: countJoints(words, sentence, tongue) + (hasPredicate ? 1 : 0),
    hasPredicate,
    fitting: hasPredicate ? countParticles(words, tongue) : 0,
  };
}

/** Words with a particle of a noun, or runs that begin with one behind a noun. */
function countParticles(words: readonly Word[], tongue: Tongue): number {
  const particles = tongue.bank.grammar.classes["particle"] ?? [];
  const isRun = tongue.bank.mode === "runs";
  return words.filter(({ folded }, index) => {
    if (!isRun) return particles.some((item) => folded.length > item.length && folded.endsWith(item));
    return words[index - 1]?.role === "content" && particles.some((item) => folded.startsWith(item));
  }).length;
}

/** Particles: at the end of a word, or, where words are not parted, at the beginning of a run between two of them. */
function countJoints(words: readonly Word[], sentence: string, tongue: Tongue): number {
  const { suffixes } = tongue;
  if (tongue.bank.mode === "runs")
    return words.filter(({ folded }) => suffixes.some((item) => folded.startsWith(item))).length;
  const joined = sentence.match(/\p{L}+/gu) ?? [];
  return joined.filter((word) => suffixes.some((item) => word.length > item.length && word.endsWith(item))).length;
}
