/** Adding up what model calls cost. */
import type { Usage } from "./machine.ts";

/** No call at all; its price is known. */
export const noUsage: Usage = {
  calls: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  ms: 0,
  usd: 0,
};

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
