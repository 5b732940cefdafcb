/**
 * What was found for a question: the panel's findings, research candidates, the look into the project, a drafted question
 * (D1.2, D3.4, D3.7, D7). None of it is a decision before the user confirmed it.
 */
import * as z from "zod";
import { Dimension, Milestone } from "./vocabulary.ts";

export const Persona = z.enum(["researcher", "contrarian", "simplifier", "architect"]);
export type Persona = z.infer<typeof Persona>;

export const Finding = z.object({
  persona: Persona,
  finding: z.string(),
  reasons: z.array(z.string()),
  options: z.array(z.string()),
  confidence: z.enum(["low", "medium", "high"]),
});
export type Finding = z.infer<typeof Finding>;

export const PanelCause = z.enum(["milestone", "escalation", "auto-answer", "research", "code-fact"]);
export type PanelCause = z.infer<typeof PanelCause>;

export const LateralReview = z.object({
  round: z.int(),
  cause: PanelCause,
  from: Milestone.nullable(),
  to: Milestone.nullable(),
  personas: z.array(Persona),
  failed: z.array(Persona),
  findings: z.array(Finding),
  /** Personas whose findings reached a question. */
  folded: z.array(z.string()),
});
export type LateralReview = z.infer<typeof LateralReview>;

export const Candidate = z.object({
  answer: z.string(),
  rationale: z.string(),
  confidence: z.enum(["low", "medium", "high"]),
});
export type Candidate = z.infer<typeof Candidate>;

/** A finding about the existing code; path and symbol were checked to exist. */
export const ContextFinding = z.object({
  statement: z.string(),
  path: z.string(),
  symbol: z.string().nullable(),
});
export type ContextFinding = z.infer<typeof ContextFinding>;

export const CodebaseContext = z.object({
  summary: z.string(),
  findings: z.array(ContextFinding),
  /** Earlier specs and plans of this project closest to the idea, as data. */
  earlier: z.array(z.object({ path: z.string(), note: z.string() })),
});
export type CodebaseContext = z.infer<typeof CodebaseContext>;

/** A bounded, read-only look at the project (`run/explore.ts` makes it). */
export const ProjectScan = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.int(), symbols: z.array(z.string()) })),
  excerpts: z.array(z.object({ path: z.string(), text: z.string() })),
  earlier: z.array(z.object({ path: z.string(), excerpt: z.string() })),
  truncated: z.boolean(),
});
export type ProjectScan = z.infer<typeof ProjectScan>;

/** What the first look at the folder says (D1.1); no file is opened for it. */
export const ProjectSignals = z.object({ source: z.boolean(), packages: z.boolean(), git: z.boolean() });
export type ProjectSignals = z.infer<typeof ProjectSignals>;

/** A question drafted by the scorer or worded by the question task. */
export const Draft = z.object({
  component: z.string(),
  dimension: Dimension,
  why: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string(), from: z.string() })),
  recommended: z.int().nullable(),
  research: z.boolean(),
  nature: z.enum(["decision", "fact"]),
  fact: z.object({ statement: z.string(), path: z.string(), symbol: z.string(), interpreted: z.boolean() }).nullable(),
});
export type Draft = z.infer<typeof Draft>;
