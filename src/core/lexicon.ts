/**
 * What code has to know of a language, as data: exact control phrases (D4.2), the words by which an idea speaks of
 * changing something (D1.1), names that only an asker's own "other" may have (D3.3). No language is special in code.
 */
import * as z from "zod";

const Words = z.array(z.string());

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
});
export type Lexicon = z.infer<typeof Lexicon>;

/** Interface sentences by key; `{name}` is filled in. Kinds of question text, option labels, notices. */
export type Phrases = Readonly<Record<string, string>>;

/** Every language that ships. `en` is always there. */
export interface Languages {
  readonly lexicons: readonly Lexicon[];
  readonly phrases: Readonly<Record<string, Phrases>>;
}
