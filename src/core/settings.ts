/**
 * D0.1, D0.2, D0.5: every setting with its default and its valid range. Reading files is the store's work.
 */
import * as z from "zod";

/** The limits that an interview is started with and keeps (D0.4, D0.5). */
export const Limits = z.object({
  maxRounds: z.int().min(1),
  softWarningRound: z.int().min(1),
  earlyExitRound: z.int().min(1),
  stallWindow: z.int().min(2),
  stallBand: z.number().min(0).max(1),
  ontologyEscalationRound: z.int().min(1),
  autoAnswerClarityCap: z.number().min(0).max(1),
  autoAnswerStreak: z.int().min(1),
  restateLoops: z.int().min(1),
  /** Odd, so that a median is a sample. */
  scoringSamples: z.int().min(1),
  /** Transcript and facts in one prompt; a token is taken as four characters. */
  promptBudgetTokens: z.int().min(1000),
  panelConcurrency: z.int().min(1),
  budgetQuestions: z.int().min(1).nullable(),
  budgetTokens: z.int().min(1).nullable(),
  budgetUsd: z.number().positive().nullable(),
});
export type Limits = z.infer<typeof Limits>;
