/** What the tasks are given, parsed: a task's input is plain JSON, and this is the border where it becomes typed. */
import * as z from "zod";
import type { TaskInputs } from "../../core/deep/tasks.ts";

const common = {
  language: z.object({ tag: z.string(), instruction: z.string() }),
  type: z.enum(["greenfield", "brownfield"]),
};
const Component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(["active", "deferred"]),
});
const Round = z.object({
  round: z.number().nullable(),
  component: z.string().nullable(),
  dimension: z.string().nullable(),
  question: z.string(),
  answer: z.string(),
  answered_by: z.string().nullable(),
});
const Fact = z.object({
  id: z.string(),
  statement: z.string(),
  component: z.string(),
  dimension: z.string(),
  status: z.string(),
});
const Cited = z.object({ statement: z.string(), path: z.string(), symbol: z.string() });
const Finding = z.object({ persona: z.string(), finding: z.string() });
const strings = z.array(z.string());

export const inputs = {
  summarise: z.object({ ...common, text_sha256: z.string(), max_chars: z.number() }),
  explore: z.object({
    ...common,
    idea: z.string(),
    files: z.array(z.object({ path: z.string(), symbols: strings })),
    excerpts: z.array(z.object({ path: z.string(), text: z.string() })),
    earlier: z.array(z.object({ path: z.string(), excerpt: z.string() })),
  }),
  topology: z.object({
    ...common,
    idea: z.string(),
    context: z.array(Cited),
    requested_language: z.string(),
    phrases: z.array(z.object({ key: z.string(), text: z.string() })),
    known_languages: strings,
  }),
  interpret: z.object({
    ...common,
    purpose: z.enum(["round", "topology"]),
    question: z.string(),
    options: strings,
    picked: strings,
    text: z.string(),
    components: z.array(Component),
    explain: z.boolean(),
  }),
  score: z.object({
    ...common,
    round: z.number().nullable(),
    target: z.object({ component: z.string(), dimension: z.string() }),
    question: z.string(),
    answer: z.string(),
    answered_by: z.string(),
    assumption: z.object({ reasons: strings, confidence: z.string(), uncertainty: z.string() }).nullable(),
    components: z.array(
      Component.extend({ scores: z.array(z.object({ dimension: z.string(), score: z.number().nullable() })) }),
    ),
    dimensions: strings,
    facts: z.array(Fact),
    disputed: strings,
    prior_entities: z.array(z.object({ name: z.string(), type: z.string(), fields: strings })),
    prior_ambiguity: z.number(),
    gap_below: z.number(),
    idea: z.string(),
    transcript: z.array(Round),
  }),
  question: z.object({
    ...common,
    round: z.number(),
    target: z.object({
      component: z.string(),
      name: z.string(),
      dimension: z.string(),
      score: z.number().nullable(),
      gap: z.string(),
    }),
    style: z.string(),
    why: z.string(),
    user_only: z.boolean(),
    findings: z.array(Finding.extend({ options: strings })),
    facts: z.array(Fact),
    trigger: z.object({ label: z.string(), evidence: z.string() }).nullable(),
    gap: z.string(),
    entities: strings,
    context: z.array(Cited),
    asked: strings,
    idea: z.string(),
    components: z.array(Component),
  }),
  research: z.object({
    ...common,
    question: z.string(),
    idea: z.string(),
    components: z.array(Component),
    facts: z.array(Fact),
    findings: z.array(Finding),
  }),
  "auto-answer": z.object({
    ...common,
    question: z.string(),
    options: strings,
    target: z.object({ component: z.string(), dimension: z.string() }),
    components: z.array(Component),
    facts: z.array(Fact),
    findings: z.array(Finding),
    candidates: strings,
    idea: z.string(),
  }),
  panel: z.object({
    ...common,
    persona: z.string(),
    cause: z.string(),
    escalated: z.boolean(),
    target: z.object({ component: z.string(), name: z.string(), dimension: z.string(), gap: z.string() }),
    entities: strings,
    facts: z.array(Fact),
    question: z.string(),
    idea: z.string(),
    components: z.array(Component),
    transcript: z.array(Round),
  }),
  closure: z.object({
    ...common,
    components: z.array(Component),
    facts: z.array(Fact),
    findings: z.array(Finding),
    assumptions: strings,
    transcript: z.array(Round),
    idea: z.string(),
  }),
  restate: z.object({
    ...common,
    components: z.array(Component),
    facts: z.array(Fact),
    corrections: strings,
    transcript: z.array(Round),
    idea: z.string(),
  }),
  crystallize: z.object({
    ...common,
    idea: z.string(),
    restated_goal: z.string(),
    components: z.array(Component.extend({ deliverables: strings })),
    facts: z.array(Fact),
    transcript: z.array(Round),
    gaps: strings,
    context: z.array(Cited),
    dimensions: strings,
  }),
} satisfies { [N in keyof TaskInputs]: z.ZodType<TaskInputs[N]> };
export type InputName = keyof typeof inputs;
export type Input<N extends InputName> = z.infer<(typeof inputs)[N]>;
export type PromptComponent = z.infer<typeof Component>;
export type PromptFact = z.infer<typeof Fact>;
export type PromptRound = z.infer<typeof Round>;
