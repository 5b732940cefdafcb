/**
 * Whether an answer says anything at all (fault 20): an evasion, a repetition, a copy of the question, or words without
 * sense never raise a score. An option picked is an answer, but only a moderate one.
 */
import { fold, foldPhrase, hasWords } from "../../core/text.ts";
import type { Dimension } from "./bank.ts";
import { type Evidence, evidenceOf, joinEvidence, pointsFor } from "./evidence.ts";
import { type Shape, shapeOf } from "./shape.ts";
import type { Tongue } from "./tongue.ts";
import { countShared, hasAlike, shareIn, statementsOf, stemsOf, type Word, wordsOf } from "./words.ts";

export type Verdict =
  | "evasive"
  | "repetition"
  | "copy"
  /** No sentence of any language that can be read here. */
  | "nonsense"
  /** Sentences without a word about the idea, the component or the question. */
  | "untied"
  /** Readable, but most of what came before was not. */
  | "discredited"
  | "option"
  /** A few words that do say something. */
  | "fragment"
  | "sentence";

export interface Assessment {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  /** 0..1: how much of an answer in full it is. */
  readonly weight: number;
  /** How surely it is a sentence; 0 when any rule is broken. */
  readonly strength: number;
}

export interface Ground {
  readonly tongue: Tongue;
  /** Idea, components, facts and question: an answer has to touch some of it. */
  readonly ties: ReadonlySet<string>;
  /** Idea, components and question alone. */
  readonly given: ReadonlySet<string>;
  readonly question: string;
  /** What the question was aimed at. */
  readonly dimension: Dimension;
  readonly earlier: readonly {
    readonly answer: string;
    readonly question: string;
    readonly samePair: boolean;
    readonly assisted: boolean;
  }[];
  /** Recognises an answer that is, or begins with, an option; gives what stands beside it. */
  readonly optionIn: (answer: string) => { readonly remark: string; readonly label: string } | null;
}

const none: Evidence = { kinds: new Set(), hedges: 0 };

export function isEvasive(answer: string, tongue: Tongue): boolean {
  const evasions = new Set(
    [...tongue.lexicon.evasions, ...tongue.lexicon.placeholder, ...tongue.lexicon.control.opt_out].map(foldPhrase),
  );
  const fillers = new Set(tongue.bank.replies.fillers.map(foldPhrase));
  const parts = answer
    .split(/[,.;!?…\n。！？、，—–]+/u)
    .map(foldPhrase)
    .filter(hasWords);
  return parts.some((part) => evasions.has(part)) && parts.every((part) => evasions.has(part) || fillers.has(part));
}

export function assess(answer: string, ground: Ground): Assessment {
  const { tongue } = ground;
  if (isEvasive(answer, tongue)) return { verdict: "evasive", evidence: none, weight: 0, strength: 0 };
  const option = ground.optionIn(answer);
  if (option !== null) {
    const repeated = ground.earlier.some(
      (round) => round.samePair && !round.assisted && fold(round.answer) === fold(answer),
    );
    if (repeated) return { verdict: "repetition", evidence: none, weight: 0, strength: 0 };
    const remark = hasWords(option.remark) ? assessWords(option.remark, ground) : null;
    if (remark?.verdict === "sentence") return remark;
    return { verdict: "option", evidence: evidenceOf(option.label, tongue), weight: 1, strength: 0 };
  }
  return assessWords(answer, ground);
}

function assessWords(said: string, ground: Ground): Assessment {
  const { tongue } = ground;
  // Without the labels under which a confirmed reading is written out.
  const answer = statementsOf(said)
    .map((sentence) => `${sentence.replace(/[.!?。]+$/u, "")}.`)
    .join("\n");
  const words = wordsOf(answer, tongue);
  const stems = stemsOf(answer, tongue);
  const evidence = joinEvidence(statementsOf(answer).map((sentence) => evidenceOf(sentence, tongue)));
  const counted = {
    answer,
    words,
    stems,
    evidence,
    own: countOwn(stems, ground),
    tied: countShared(stems, ground.ties),
    shape: shapeOf(answer, tongue),
  };
  const verdict = verdictOn(counted, ground);
  if (verdict !== "sentence" && verdict !== "fragment") return { verdict, evidence: none, weight: 0, strength: 0 };
  const weight = (counted.tied === 0 ? untiedWeight : 1) * Math.min(1, 0.5 + 0.1 * counted.own);
  return { verdict, evidence, weight, strength: strengthOf(counted.shape) };
}

/** Joints that fit, and that many of them stand there without a break, are hardly chance. */
function strengthOf({ broken, fitting, joints }: Shape): number {
  return broken === 0 ? fitting + Math.floor(joints / 5) : 0;
}

/** An answer and what was counted in it. */
interface Said {
  readonly answer: string;
  readonly words: readonly Word[];
  readonly stems: ReadonlySet<string>;
  readonly evidence: Evidence;
  /** Words that are neither given nor on the lists that mark evidence; those of the lists count less. */
  readonly own: number;
  /** Words that have to do with the idea, the component, the facts or the question. */
  readonly tied: number;
  readonly shape: Shape;
}

function verdictOn(said: Said, ground: Ground): Verdict {
  const { answer, words, stems, evidence, own, tied, shape } = said;
  const { tongue } = ground;
  if (isRepeated(answer, stems, ground)) return "repetition";
  if (isCopied(answer, stems, ground)) return "copy";
  const joints = shape.joints / Math.max(1, shape.words);
  const isWhole = shape.broken === 0;
  const concrete = (["measure", "exclusion", "name"] as const).some((kind) => evidence.kinds.has(kind));
  const isTied = tied >= Math.ceil(stems.size / 2) || joints >= shortJoints;
  // A short answer need not be a sentence: "50 MB per file, CSV only" does say something.
  const isShort = words.length <= 7 && isWhole && concrete && stems.size >= 1 && isTied;
  const isShaped = shape.hasPredicate && joints >= minJoints[tongue.bank.mode] && joints <= 0.85;
  if (!isShaped || stems.size < 3 || shape.broken * jointsPerBreak > shape.joints)
    return isShort ? "fragment" : "nonsense";
  // What answers the question that was asked is about it, also in words of its own.
  const isAbout = tied > 0 || (isWhole && pointsFor(ground.dimension, evidence) >= 0.5);
  if (!isAbout || countFresh(stems, ground) === 0) return "untied";
  if (share(words, "content") < leastContent) return isShort ? "fragment" : "nonsense";
  // Words of the idea and of the lists that mark evidence can be thrown together by anybody; a statement adds its own.
  if (own >= leastOwn) return "sentence";
  const isMeasured = own > 0 && words.length <= 12 && evidence.kinds.has("measure");
  return isShort || ((own >= leastOwn / 2 || isMeasured) && concrete && isWhole) ? "fragment" : "nonsense";
}

const untiedWeight = 0.8;
/** From this share of joints on, a few words are taken for a phrase that somebody said. */
const shortJoints = 0.35;
const leastOwn = 1.5;
const leastContent = 0.2;

function share(words: readonly Word[], role: Word["role"]): number {
  return words.filter((word) => word.role === role).length / Math.max(1, words.length);
}

function countOwn(stems: ReadonlySet<string>, { tongue, given }: Ground): number {
  let own = 0;
  for (const stem of stems) if (!hasAlike(stem, given)) own += tongue.listed.has(stem) ? 0.4 : 1;
  return own;
}

/** A long answer may break a rule: one for so many joints. */
const jointsPerBreak = 16;
const minJoints = { words: 0.2, glued: 0.25, runs: 0.15 } as const;

function countFresh(stems: ReadonlySet<string>, ground: Ground): number {
  const { tongue, question, earlier } = ground;
  const known = new Set(stemsOf(question, tongue));
  for (const round of earlier) if (!round.assisted) for (const stem of stemsOf(round.answer, tongue)) known.add(stem);
  let fresh = 0;
  for (const stem of stems) if (!known.has(stem)) fresh += 1;
  return fresh;
}

function isRepeated(answer: string, stems: ReadonlySet<string>, { earlier, tongue }: Ground): boolean {
  const own = fold(answer);
  return earlier.some((round) => {
    if (round.assisted) return false;
    if (fold(round.answer) === own) return true;
    return stems.size > 0 && shareIn(stems, stemsOf(round.answer, tongue)) >= 0.8;
  });
}

function isCopied(answer: string, stems: ReadonlySet<string>, { question, tongue }: Ground): boolean {
  const own = fold(answer);
  if (own.length > 12 && fold(question).includes(own)) return true;
  return stems.size >= 3 && shareIn(stems, stemsOf(question, tongue)) >= 0.75;
}

/** So many fitting joints, none broken, are hardly chance; with so many more, they are none. */
const firm = { doubtful: 2, lost: 4 } as const;

/**
 * Whether an answer counts, after what came before it: nonsense beside nonsense may look like a sentence once. As long as
 * nobody talked nonsense everything counts; after some of it only what is surely a sentence; after half of it even less.
 */
export function counts({ verdict, strength }: Assessment, before: readonly Verdict[]): boolean {
  if (verdict !== "sentence" && verdict !== "fragment") return true;
  const junk = before.filter((item) => item === "nonsense" || item === "copy" || item === "repetition").length;
  if (junk === 0) return true;
  return strength >= (2 * junk < before.length ? firm.doubtful : firm.lost);
}
