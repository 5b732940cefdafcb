/** D5: an answer on disk gets its score; near the gate two more samples are taken in parallel (D5.6). */

import { isNearGate, scoreRound } from "./assessment.ts";
import type { Code } from "./assist.ts";
import { awaitTask } from "./await.ts";
import { createTask, scoreInput } from "./inputs.ts";
import type { DeepState } from "./schema.ts";
import { findRound } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";
import type { ScoreReply } from "./tasks.ts";

export function nextScoring(code: Code, state: DeepState, roundId: string): DeepStep {
  const round = findRound(state, roundId);
  if (round === undefined) throw new Error(`no round ${roundId} to score`);
  const input = scoreInput(state, round);
  const base = `score-${roundId}-w${state.reply_count}`;
  const first = awaitTask(state, "score", createTask(state, "score", `${base}-1`, input));
  if (first.status === "run") return run(first.task);
  if (first.status === "failed") throw new Error(`a failed score of ${roundId} was recorded as final`);
  const samples: ScoreReply[] = [first.value];
  if (isNearGate(state, roundId, first.value)) {
    const more = Array.from({ length: state.limits.scoringSamples - 1 }, (_, index) =>
      awaitTask(state, "score", createTask(state, "score", `${base}-${index + 2}`, input, "any")),
    );
    const waiting = more.flatMap((waited) => (waited.status === "run" ? [waited.task] : []));
    if (waiting.length > 0) return run(...waiting);
    for (const waited of more) if (waited.status === "done") samples.push(waited.value);
  }
  return record(scoreRound(state, roundId, samples, code.words));
}
