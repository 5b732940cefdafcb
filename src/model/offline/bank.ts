/**
 * What the offline interviewer knows of a language, as data: how to read an answer, what to ask, what to say. One file
 * a language beside its lexicon; the code knows no word of any language (D1.6).
 */
import * as z from "zod";

const Words = z.array(z.string());

/** `{component}`, `{gap}`, `{entity}`, `{a}`, `{b}` are filled in. An option is its label and what it means. */
export const BankQuestion = z.object({
  text: z.string(),
  options: z
    .array(z.tuple([z.string(), z.string()]))
    .min(2)
    .max(4),
  /** Worth looking up first (D3.7). */
  research: z.boolean().default(false),
});
export type BankQuestion = z.infer<typeof BankQuestion>;

const Ask = z.object({
  goal: z.array(BankQuestion),
  constraints: z.array(BankQuestion),
  criteria: z.array(BankQuestion),
  context: z.array(BankQuestion),
});

const Lens = z.object({ finding: z.string(), reasons: Words.min(1).max(3), options: Words.min(1).max(3) });

const Assumed = z.object({ answer: z.string(), reasons: Words.min(2).max(4), uncertainty: z.string() });

export const Bank = z.object({
  tag: z.string(),
  /** `words`: blanks between words. `glued`: particles at the end of words. `runs`: no blanks, scripts tell. */
  mode: z.enum(["words", "glued", "runs"]),
  words: z.object({
    stop: Words,
    /** Stripped from the end of a word to compare it, longest first. */
    suffixes: Words,
    hedges: Words,
    negations: Words,
    limits: Words,
    musts: Words,
    numbers: Words,
    units: Words,
    actors: Words,
    observables: Words,
    conditions: Words,
    orders: Words,
    reasons: Words,
    additions: Words,
    exceptions: Words,
    minimums: Words,
    relations: Words,
    /** Pairs of word lists that cannot both hold of one thing. */
    opposites: z.array(z.tuple([Words, Words])),
  }),
  grammar: z.object({
    /** `words`: classes of function words, and which may not follow which ("end" is the end of a sentence). */
    classes: z.record(z.string(), Words),
    never: z.array(z.tuple([z.string(), z.string()])),
    /** `glued`, `runs`: how a sentence may end, and patterns of what only its end may have. */
    final: Words,
    only_final: Words,
    /** Patterns over a folded sentence that no sentence of the language holds. */
    broken: Words,
  }),
  replies: z.object({
    /** Patterns of a question about the question; the whole sentence has to be a question. */
    explain: Words,
    /** Around a control phrase these say nothing: please, I think. */
    fillers: Words,
    /** Where a reason begins, and on which side of the mark it stands. */
    reason_side: z.enum(["after", "before"]),
    /** Patterns with the groups `name`, `target`, `targets`, `parts`, `reason`. */
    edits: z.array(
      z.object({ op: z.enum(["add", "remove", "merge", "split", "rename", "defer"]), pattern: z.string() }),
    ),
    ordinals: Words,
    /** Labels that the interface itself offers and that stand as an answer: "Yes, keep it as it is". */
    confirm: Words,
  }),
  ask: Ask,
  domains: z.array(z.object({ id: z.string(), words: Words, ask: Ask })),
  ontology: z.array(BankQuestion).min(3),
  closure: z.array(BankQuestion).min(2),
  contradiction: BankQuestion,
  inconsistency: BankQuestion,
  evasive: BankQuestion,
  context: BankQuestion,
  panel: z.object({
    researcher: z.object({ goal: Lens, constraints: Lens, criteria: Lens, context: Lens }),
    contrarian: z.object({ goal: Lens, constraints: Lens, criteria: Lens, context: Lens }),
    simplifier: z.object({ goal: Lens, constraints: Lens, criteria: Lens, context: Lens }),
    architect: z.object({ goal: Lens, constraints: Lens, criteria: Lens, context: Lens }),
    escalated: Lens,
  }),
  assumed: z.object({ goal: Assumed, constraints: Assumed, criteria: Assumed, context: Assumed }),
  research: z.object({
    candidates: z
      .array(z.object({ answer: z.string(), rationale: z.string() }))
      .min(2)
      .max(3),
    fallback: z.string(),
  }),
  /** Sentences by key; the keys are the same in every bank. */
  texts: z.record(z.string(), z.string()),
});
export type Bank = z.infer<typeof Bank>;
export type Dimension = keyof Bank["ask"];
export const dimensions = ["goal", "constraints", "criteria", "context"] as const satisfies readonly Dimension[];

export function isDimension(name: string): name is Dimension {
  return dimensions.some((dimension) => dimension === name);
}

/** Fills `{name}` places once; what is filled in is never read as a template. */
export function fill(template: string, vars: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in vars ? String(vars[name]) : whole));
}
