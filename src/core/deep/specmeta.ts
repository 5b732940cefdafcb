/**
 * The metadata of the spec (D0.4, D10.2): every line of the seed, then the model and what it cost.
 */
import { percent } from "../ratio.ts";
import { inline, readInline } from "./markdown.ts";
import type { DeepState } from "./schema.ts";
import { metadataLabels, type SpecMetadata, type SpecParts } from "./specform.ts";
import { reviewCause } from "./speclists.ts";
import { decimal } from "./spectables.ts";
import { countRounds } from "./spectranscript.ts";

/** The ambiguity printed is the stored one, in percent without rounding; the threshold stands as it was set. */
export function metadataOf(state: DeepState, { generatedAt, status }: SpecParts): SpecMetadata {
  const { meter, lateral_reviews: reviews, closure_overrides: overrides } = state;
  return {
    interview_id: inline(state.interview_id),
    rounds: String(countRounds(state)),
    ambiguity: percent(state.current_ambiguity),
    type: state.type,
    generated: inline(generatedAt),
    threshold: decimal(state.threshold),
    threshold_source: inline(state.threshold_source),
    summarized: state.initial_context_summary === null ? "no" : "yes",
    status,
    auto_researched: list(state.auto_researched_rounds),
    auto_answered: list(state.auto_answered_rounds),
    architect_failures: String(state.architect_failures),
    lateral_reviews: `${reviews.length}${among(reviews.map((item) => `round ${item.round}: ${reviewCause(item)}`))}`,
    lateral_panel_failures: String(state.lateral_panel_failures),
    refined: list(state.refined_rounds),
    closure_overrides:
      overrides.length === 0 ? "none" : `${overrides.length}${among(overrides.map((item) => `round ${item.round}`))}`,
    restated_goal: state.restated_goal === null ? "none" : inline(state.restated_goal),
    model: inline(state.options.model),
    calls: String(meter.calls),
    tokens: `${meter.input_tokens} in, ${meter.cache_read_tokens} from cache, ${meter.cache_write_tokens} to cache, ${meter.output_tokens} out`,
    cost: meter.usd === null ? "unknown" : `$${meter.usd.toFixed(6).replace(/\.?0+$/, "")}`,
  };
}

function list(rounds: readonly number[]): string {
  return rounds.length === 0 ? "none" : rounds.join(", ");
}

function among(items: readonly string[]): string {
  return items.length === 0 ? "" : ` (${items.join("; ")})`;
}

/** Lines by label; "" for one that is not there. */
export function readMetadata(lines: readonly string[]): SpecMetadata {
  const values = new Map<string, string>();
  for (const line of lines) {
    const found = /^- ([^:]+): ?(.*)$/.exec(line);
    if (found !== null) values.set(found[1] ?? "", readInline((found[2] ?? "").trim()));
  }
  return mapMetadata((label) => values.get(label) ?? "");
}

/** A value for every label. */
export function mapMetadata(value: (label: string, key: keyof SpecMetadata) => string): SpecMetadata {
  const keys = Object.keys(metadataLabels) as (keyof SpecMetadata)[];
  const entries = keys.map((key): [string, string] => [key, value(metadataLabels[key], key)]);
  return Object.fromEntries(entries) as SpecMetadata;
}
