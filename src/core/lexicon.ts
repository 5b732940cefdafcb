/**
 * What code has to know of a language, as data: exact control phrases (D4.2), the words by which an idea speaks of
 * changing something (D1.1), names that only an asker's own "other" may have (D3.3). No language is special in code.
 */
import * as z from "zod";

const Words = z.array(z.string());

/**
 * Scripts (Unicode names) and frequent short words by which a text is told to be in a language. `weight` lets a script
 * that few characters are in (kana) win over the one it is mixed with.
 */
export const Detection = z.object({ scripts: Words, stopwords: Words, weight: z.number() });
export type Detection = z.infer<typeof Detection>;

/** The words by which an idea is split into outcomes (D2.1, D2.3). */
export const ClauseWords = z.object({
  /** Whether a clause begins or ends with its verb. */
  order: z.enum(["verb-first", "verb-last"]),
  /** How a name is written: `Review UI` or `Panel de control`. */
  names: z.enum(["title", "sentence"]),
  /** Verbs that name an outcome, in base form or as a stem, and what that outcome is called. */
  outcomes: z.array(z.object({ name: z.string(), verbs: Words })),
  /** Verbs that deliver what their object names: build, provide. */
  carriers: Words,
  /** How a verb ends in a clause: `strip` of the base form gives way to `add`; clauses of one list agree in `form`. */
  endings: z.array(z.object({ strip: z.string(), add: z.string(), form: z.string() })),
  /** Nouns that stand for something to deliver, and what it is called. */
  things: z.array(z.object({ name: z.string(), words: Words })),
  /** Nouns of the whole, which its parts stand for: app, pipeline. */
  containers: Words,
  /** Between the whole and its parts: that, which; in verb-last languages, what ends a clause before the object. */
  links: Words,
  /** May stand before a verb: it, should, to. */
  leads: Words,
  /** From here on a clause tells details: with, including. */
  details: Words,
  /** Articles and adjectives that a name leaves out. */
  fillers: Words,
  /** Mark the object in front of a verb; empty where none does. */
  object_marks: Words,
  /** Between the nouns of one list, as they are written. */
  joins: Words,
  /** Why more than six outcomes were grouped; `{list}` is filled in. */
  grouping: z.string(),
});
export type ClauseWords = z.infer<typeof ClauseWords>;

export const Lexicon = z.object({
  /** BCP 47. */
  tag: z.string(),
  name: z.string(),
  /** One sentence for prompts: in which language to write. */
  instruction: z.string(),
  /** Whole replies, compared after NFC, trim, case fold and without closing punctuation. */
  control: z.object({ opt_out: Words, finish: Words, cancel: Words, explain: Words }),
  /** Whole replies that say nothing: "I don't know", "whatever". */
  evasions: Words,
  /** An idea with one of these speaks of changing something that exists. */
  change: Words,
  /** Words that make a sentence a constraint: must, never, only, at most. */
  constraint: Words,
  /** Words that put something out of scope. */
  exclusion: Words,
  /** Names of a catch-all option. */
  other: Words,
  /** Bodies that stand for nothing: TODO, n/a. */
  placeholder: Words,
  /** Between clauses of a list of outcomes: and, then, plus. */
  conjunctions: Words,
  detect: Detection.optional(),
  /** Languages that are recognised, but have no lexicon: said so instead of being misread. */
  foreign: z.array(Detection.extend({ tag: z.string(), name: z.string() })).optional(),
  clauses: ClauseWords.optional(),
});
export type Lexicon = z.infer<typeof Lexicon>;

/** Interface sentences by key; `{name}` is filled in. Kinds of question text, option labels, notices. */
export type Phrases = Readonly<Record<string, string>>;

/** Every language that ships. `en` is always there. */
export interface Languages {
  readonly lexicons: readonly Lexicon[];
  readonly phrases: Readonly<Record<string, Phrases>>;
}
