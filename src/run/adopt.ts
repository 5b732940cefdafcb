/**
 * Taking in a state without a journal, written by another tool or an older version (state.md, D2.4): one event, and
 * nothing of it is lost.
 */

import { innerState } from "../core/deep/legacy.ts";
import type { ResolvedSettings } from "../core/layers.ts";
import type { Ids } from "../ports.ts";
import type { DeepInterview } from "./begin.ts";

interface Foreign {
  /** A snapshot that no journal of ours explains, or null. */
  foreign(): Promise<Record<string, unknown> | null>;
}

export async function importState(
  interview: DeepInterview,
  store: Foreign,
  parts: { readonly sessionId: string; readonly settings: ResolvedSettings; readonly ids: Ids },
): Promise<void> {
  const envelope = await store.foreign();
  if (envelope === null) return;
  const id = innerState(envelope)["interview_id"];
  const { threshold, thresholdSource, limits } = parts.settings;
  interview.push([
    {
      type: "state.imported",
      interview_id: typeof id === "string" && id !== "" ? id : parts.ids.uuid(),
      session_id: parts.sessionId,
      envelope,
      threshold,
      threshold_source: thresholdSource,
      limits,
      options: { model: "unknown", research_setup: false, deliberate: false, scripted: false },
    },
  ]);
  await interview.flush();
}
