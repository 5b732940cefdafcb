/**
 * The JSON that the commands print, as schemas: `deep-interview schema NAME` publishes them, the tests hold the output
 * against them.
 */
import * as z from "zod";
import { Question } from "../core/machine.ts";

const Usage = z.object({
  calls: z.int(),
  input_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  ms: z.number(),
  usd: z.number().nullable(),
});

export const ErrorOutput = z.object({
  ok: z.literal(false),
  code: z.string(),
  message: z.string(),
  next: z.string().nullable(),
});

export const RunOutput = z.object({
  ok: z.literal(true),
  announcement: z.string(),
  session_id: z.string(),
  interview_id: z.string(),
  model: z.string(),
  /** `PASSED`, `BELOW_THRESHOLD_EARLY_EXIT`, `CANCELLED`, `PENDING`, `STOPPED`. */
  status: z.string(),
  ambiguity: z.number(),
  threshold: z.number(),
  rounds: z.int(),
  spec_path: z.string().nullable(),
  handoff: z.string().nullable(),
  /** The question that waits for an answer, when the run could not ask it. */
  question: Question.nullable(),
  /** The command that goes on from here, or null. */
  next: z.string().nullable(),
  usage: Usage,
});
export type RunOutput = z.infer<typeof RunOutput>;

export const StepOutput = z.object({
  protocol: z.literal("deep-interview/1"),
  announcement: z.string(),
  session_id: z.string(),
  revision: z.int(),
  model: z.string(),
  /** Markdown since the last question, or null. */
  report: z.string().nullable(),
  step: z.discriminatedUnion("type", [
    z.object({ type: z.literal("ask"), question: Question }),
    z.object({ type: z.literal("ask-many"), questions: z.array(Question) }),
    z.object({ type: z.literal("working"), retry_after_ms: z.int(), holder: z.string() }),
    z.object({ type: z.literal("stopped"), reason: z.string() }),
    z.object({
      type: z.literal("done"),
      status: z.string(),
      ambiguity: z.number().nullable(),
      spec_path: z.string().nullable(),
      handoff: z.string().nullable(),
    }),
  ]),
});
export type StepOutput = z.infer<typeof StepOutput>;

export const ShowOutput = z.object({
  session_id: z.string(),
  interview_id: z.string(),
  idea: z.string(),
  type: z.string(),
  stage: z.string(),
  model: z.string(),
  threshold: z.number(),
  threshold_source: z.string(),
  ambiguity: z.number(),
  milestone: z.string(),
  rounds: z.array(
    z.object({
      round: z.int().nullable(),
      component: z.string().nullable(),
      dimension: z.string().nullable(),
      lifecycle: z.string(),
      question: z.string(),
      answer: z.string(),
      answered_by: z.string().nullable(),
      ambiguity: z.number().nullable(),
    }),
  ),
  components: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.string(),
      scores: z.record(z.string(), z.number().nullable()),
    }),
  ),
  facts: z.array(
    z.object({ id: z.string(), statement: z.string(), status: z.string(), source_round: z.int().nullable() }),
  ),
  entities: z.array(z.string()),
  stability: z.number().nullable(),
  pending: Question.nullable(),
  spec_path: z.string().nullable(),
  usage: Usage,
});
export type ShowOutput = z.infer<typeof ShowOutput>;

export const SessionsOutput = z.object({
  sessions: z.array(
    z.object({
      session_id: z.string(),
      idea: z.string(),
      stage: z.string(),
      ambiguity: z.number().nullable(),
      rounds: z.int(),
      updated_at: z.string(),
      spec_path: z.string().nullable(),
      /** Null when the session can be read; else what is wrong with it. */
      problem: z.string().nullable(),
    }),
  ),
});
export type SessionsOutput = z.infer<typeof SessionsOutput>;

export const DoctorOutput = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "note", "problem"]),
      text: z.string(),
      next: z.string().nullable(),
    }),
  ),
});
export type DoctorOutput = z.infer<typeof DoctorOutput>;

export const ClearOutput = z.object({ ok: z.literal(true), session_id: z.string(), renamed: z.array(z.string()) });
