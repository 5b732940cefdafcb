/** The shape of the answers file, for `deep-interview schema answers`. Reading with lines is the work of `answers.ts`. */
import * as z from "zod";
import { Dimension } from "../core/deep/vocabulary.ts";
import { QuestionKind, ReplyAs } from "../core/machine.ts";

const When = z
  .strictObject({
    kind: QuestionKind,
    component: z.string().describe("Id or name of the component that the question is about"),
    dimension: Dimension,
    question: z.string().describe("Words in the question, or /pattern/flags"),
    round: z.int().min(0),
  })
  .partial();

export const AnswersEntry = z.strictObject({
  when: When.optional().describe("All of it has to match; without it the entry is for whatever comes next"),
  reply: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe("An option by label or id, or free text; a list where a question takes several options"),
  as: ReplyAs.optional(),
  times: z
    .union([z.int().min(1), z.literal("always")])
    .optional()
    .describe("How often it may be used; default 1"),
});

export const AnswersFile = z.strictObject({ version: z.literal(1), answers: z.array(AnswersEntry) });
export type AnswersFile = z.infer<typeof AnswersFile>;
