/** The border at which a report message becomes a deep interview's report view (D8.1). */
import * as z from "zod";
import type { ReportView } from "../core/deep/report.ts";

const shape = z.object({
  round: z.int().nullable(),
  rows: z.array(
    z.object({
      label: z.string(),
      score: z.number().nullable(),
      weight: z.number(),
      weighted: z.number(),
      gap: z.string(),
    }),
  ),
  prior_ambiguity: z.string(),
  ambiguity: z.string(),
  direction: z.enum(["up", "down", "flat"]),
  trigger: z.string(),
  sampling_margin: z.string().nullable(),
  topology: z.object({ targeted: z.string(), active: z.int(), deferred: z.int(), last_targeted: z.string() }),
  locked: z.array(z.object({ name: z.string(), status: z.string(), description: z.string() })),
  ontology: z.object({
    entities: z.int(),
    stability: z.string(),
    new: z.int(),
    changed: z.int(),
    stable: z.int(),
    matching: z.array(z.string()),
  }),
  milestone: z.object({ from: z.string(), to: z.string(), panel: z.boolean() }),
  next: z.object({ component: z.string(), dimension: z.string(), why: z.string() }).nullable(),
  closing: z.string(),
  meter: z.string(),
}) satisfies z.ZodType<ReportView>;

/** Null for a report of another kind of interview. */
export function readReport(view: Readonly<Record<string, unknown>>): ReportView | null {
  const parsed = shape.safeParse(view);
  return parsed.success ? parsed.data : null;
}
