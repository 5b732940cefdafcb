/**
 * D4.1, D4.4, D8.3: replies that are no answer: early exit, explain, opt-out, and a script's leave-it-open.
 */

import type { DeepEvent } from "./events.ts";
import { acceptRaw, closed, type Given, type Replied, received, rooted, rootOf, roundOf } from "./given.ts";
import { phrase } from "./phrase.ts";
import { settleAssumption } from "./reply-assumption.ts";
import { proceed } from "./reply-close.ts";
import { replyCollect } from "./reply-refine.ts";
import { replyScope, replyTopology } from "./reply-topology.ts";

/** D8.3: early exit, from `earlyExitRound` on; the pending question is recorded unanswered. */
export function finish(given: Given): Replied {
  const { config, state, question } = given;
  const root = rootOf(given);
  switch (root.question.kind) {
    case "bridge":
      return [{ type: "interview.closed", how: "pending-approval" }];
    case "restate":
      return [closed(given, "finish"), { type: "restate.confirmed", line: null }];
    case "soft-limit":
      return [closed(given, "proceed"), ...proceed()];
    default: {
      const round = root.question.round ?? state.round_count;
      if (round < state.limits.earlyExitRound) {
        const text = phrase(config, state, "topology.too-early", { round: state.limits.earlyExitRound });
        return [{ type: "reply.returned", question_id: question.id, why: "too-early", text }];
      }
      return [...finishRound(given, root), { type: "rounds.ended", reason: "early-exit" }];
    }
  }
}

function finishRound(given: Given, root: ReturnType<typeof rootOf>): DeepEvent[] {
  const isFollowUp = given.question.id !== root.question.id;
  const last = isFollowUp || root.question.round === null ? [closed(given, "finish")] : [];
  // Words already given to the round are not lost with an exit: they are scored as they came.
  if (isFollowUp && root.question.kind === "round") return [...last, ...acceptRaw(given)];
  // D4.6: nobody confirmed the assumption, so it stays a gap whatever its confidence.
  if (root.question.round === null) return [...last, ...keepAssumption(root.aim)];
  const about = isFollowUp ? rooted(given, given.reply, root) : given;
  const round = roundOf(about, { answer_hash: null, custom_input: null, selected_options: [], answered_by: null });
  return [...last, { type: "round.unresolved", round, why: "early-exit", leave_open: false, assumption_id: null }];
}

function keepAssumption(aim: Given["aim"]): DeepEvent[] {
  const id = aim?.assumption_id ?? null;
  return id === null ? [] : [{ type: "assumption.settled", assumption_id: id, status: "kept" }];
}

/** D4.1: answered, and the same question stays; the words of explanation come from the interpret task. */
export function explain(given: Given): Replied {
  const { config, state, question, text } = given;
  if (question.kind === "round" && text !== null) return [received(given, true)];
  const lines = question.options.map((option) =>
    phrase(config, state, "explain.option", { label: option.label, description: option.description }),
  );
  const words = [phrase(config, state, "explain.none", { question: question.text }), ...lines].join("\n");
  return [{ type: "reply.returned", question_id: question.id, why: "explain", text: words }];
}

/**
 * D4.4: the architect answers a round; every other kind has its own harmless way. The words of an opt-out are no answer:
 * handed on, they would be read once more, for ever.
 */
export function optOut(given: Given): Replied {
  const { question, aim } = given;
  switch (question.kind) {
    case "round":
      // D3.6: this one goes to the user, so an opt-out leaves it open.
      if (aim?.user_only === true) return leave(given, "user-only");
      return [{ type: "round.opted-out", round: roundOf(given, { answered_by: null, selected_options: [] }) }];
    case "topology":
      return question.round === 0
        ? replyTopology({ ...given, options: question.options.slice(0, 1), text: null })
        : leave(given, "deferred");
    case "confirm-assumption":
      return leave(given, "left-open");
    case "refine":
      return [closed(given, "opt-out"), ...acceptRaw(given)];
    case "collect":
      return replyCollect({ ...given, text: null });
    case "soft-limit":
      return [closed(given, "continue"), { type: "soft-limit.passed", choice: "continue" }];
    case "restate":
      return [closed(given, "opt-out"), { type: "restate.confirmed", line: null }];
    case "bridge":
      return [{ type: "interview.closed", how: "pending-approval" }];
    default:
      return [];
  }
}

/** `--on-unanswered defer`, and what may not be assumed: the round ends without an answer and is listed as a gap. */
export function leave(given: Given, why: "deferred" | "left-open" | "user-only"): Replied {
  const { question } = given;
  if (question.kind === "topology" && question.round !== 0)
    return replyScope({ ...given, options: question.options.slice(-1), text: null });
  if (question.kind === "confirm-assumption") {
    return settleAssumption({ ...given, options: question.options.slice(-1), text: null });
  }
  if (question.kind !== "round") return [];
  const round = roundOf(given, { answered_by: null, selected_options: [] });
  return [{ type: "round.unresolved", round, why, leave_open: true, assumption_id: null }];
}
