/** D8.4, D9.2, D9.3, D11.2: replies to the soft limit, the restated goal and the bridge. */
import { questionHash } from "../replies.ts";
import type { DeepEvent } from "./events.ts";
import { closed, type Given, type Replied, received, rootOf } from "./given.ts";
import { phrase } from "./phrase.ts";
import { collectQuestion } from "./questions.ts";
import type { Collecting } from "./schema.ts";
import { activeComponents, createRound } from "./state.ts";
import type { Aim } from "./vocabulary.ts";

/** No more rounds by the user's choice: closure audits silently from here (D9.2). */
export function proceed(): DeepEvent[] {
  return [
    { type: "soft-limit.passed", choice: "proceed" },
    { type: "rounds.ended", reason: "early-exit" },
  ];
}

/** Free words choose nothing where only an option can. */
function choose({ config, state }: Given): Replied {
  return { refused: phrase(config, state, "choose.option"), code: "choose-option" };
}

export function replySoftLimit(given: Given): Replied {
  const option = given.options[0];
  if (option === undefined) return choose(given);
  return option.id === "proceed"
    ? [closed(given, "proceed"), ...proceed()]
    : [closed(given, "continue"), { type: "soft-limit.passed", choice: "continue" }];
}

export function replyRestate(given: Given): Replied {
  const { config, state, question, text, reply, hash } = given;
  const option = given.options[0];
  if (option?.id === "yes" && text === null) {
    return [closed(given, "yes"), { type: "restate.confirmed", line: state.restate.line }];
  }
  // Words are a correction unless they ask, leave or pass (D4.2), and they may defer a component (D2.2).
  if (text !== null) return [received(given)];
  const what: Collecting = option?.id === "adjust" ? "adjust" : "scope";
  return [
    { type: "reply.received", question_id: question.id, reply, answer_hash: hash, interpret: false, explain: false },
    { type: "question.asked", question: collectQuestion(config, state, null, what), aim: null, collecting: what },
  ];
}

/**
 * At the gate a correction is scored like an answer, without a round number (D9.3). After an early exit or the cap it is
 * taken verbatim, once, and is the goal (D9.2).
 */
export function correctRestate(given: Given, text: string | null): Replied {
  const { state } = given;
  const root = rootOf(given).question;
  if (text === null)
    return [closed(given, "none"), { type: "reply.returned", question_id: root.id, why: "not-an-answer", text: "" }];
  if (state.closing_reason !== "gate") return [closed(given, "corrected"), { type: "restate.confirmed", line: text }];
  return [closed(given, "corrected"), { type: "restate.corrected", round: correctionOf(given, text) }];
}

function correctionOf(given: Given, text: string) {
  const { config, state, reply, hash } = given;
  const root = rootOf(given).question;
  // A correction is about the goal of the whole; its pair is that of the least clear goal.
  const component = [...activeComponents(state)].sort(
    (a, b) => (a.clarity_scores.goal ?? 0) - (b.clarity_scores.goal ?? 0),
  )[0];
  const aim: Aim = {
    component: component?.id ?? null,
    dimension: "goal",
    why: "",
    style: "plain",
    trigger_id: null,
    assumption_id: null,
    gap_key: null,
    user_only: false,
    researched: false,
    folded: [],
  };
  const base = createRound(state, "correction", root, aim, { question: questionHash(config.sha256, root.text) });
  return { ...base, answer_hash: hash, custom_input: text, answered_by: reply.by };
}

/** D11.2: an option chooses the way on; nothing else does. */
export function replyBridge(given: Given): Replied {
  const option = given.options[0];
  if (option === undefined) return choose(given);
  const next: DeepEvent =
    option.id === "refine" ? { type: "interview.refined" } : { type: "handoff.chosen", to: option.id };
  return [closed(given, option.id), next];
}
