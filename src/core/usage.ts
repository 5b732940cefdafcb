/** Adding up what model calls cost. */
import type { Usage } from "./machine.ts";

/** Sums two usages; a price that is unknown on either side stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    ms: a.ms + b.ms,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  };
}
