/**
 * Taking in a state without a journal, written by another tool or an older version (state.md, D2.4): one event, and
 * nothing of it is lost.
 */

import { innerState } from "../core/deep/legacy.ts";
import type { ResolvedSettings } from "../core/layers.ts";
import type { Ids } from "../ports.ts";
import type { DeepInterview } from "./begin.ts";

export async function importState(
  interview: DeepInterview,
  envelope: Readonly<Record<string, unknown>>,
  parts: { readonly sessionId: string; readonly settings: ResolvedSettings; readonly ids: Ids },
): Promise<void> {
  const id = innerState(envelope)["interview_id"];
  const { threshold, thresholdSource, limits } = parts.settings;
  interview.push([
    {
      type: "state.imported",
      interview_id: typeof id === "string" && id !== "" ? id : parts.ids.uuid(),
      session_id: parts.sessionId,
      envelope: { ...envelope },
      threshold,
      threshold_source: thresholdSource,
      limits,
      options: { model: "unknown", research_setup: false, deliberate: false, scripted: false },
    },
  ]);
  await interview.flush();
  await interview.settle();
}
