/**
 * D4: what a reply to the pending question means, as events. Words are recorded before anything reads them; an option is
 * always an answer; nobody but the user (or the user's script) answers.
 */
import type { Question, Reply } from "../machine.ts";
import { answerHash, classifyReply } from "../replies.ts";
import { type Given, type Replied, received, recordRound } from "./given.ts";
import { type Config, phrase } from "./phrase.ts";
import { replyAssumption } from "./reply-assumption.ts";
import { replyBridge, replyRestate, replySoftLimit } from "./reply-close.ts";
import { explain, finish, leave, optOut } from "./reply-none.ts";
import { replyCollect, replyRefine } from "./reply-refine.ts";
import { replyScope, replyTopology } from "./reply-topology.ts";
import type { DeepState } from "./schema.ts";
import { findAsked } from "./state.ts";

export function replyTo(config: Config, state: DeepState, question: Question, reply: Reply): Replied {
  const kind = classifyReply(config.languages.lexicons, question, reply);
  if (kind.type === "unknown-option") {
    return { refused: `the question has no option "${kind.name}"`, code: "unknown-option" };
  }
  const options = kind.type === "option" ? kind.options : [];
  if (options.length > 1 && !question.multi_select) {
    return { refused: phrase(config, state, "choose.one"), code: "one-option" };
  }
  const text = "text" in kind ? kind.text : null;
  const told: Reply = { ...reply, options: options.map((option) => option.label), text };
  const aim = findAsked(state, question.id)?.aim ?? null;
  const given: Given = {
    config,
    state,
    question,
    aim,
    reply: told,
    hash: answerHash(config.sha256, told),
    options,
    text,
  };
  switch (kind.type) {
    case "nothing":
      return [];
    case "cancel":
      return [{ type: "interview.closed", how: "cancelled" }];
    case "finish":
      return finish(given);
    case "explain":
      return explain(given);
    case "opt-out":
      return optOut(given);
    case "defer":
      return leave(given, "deferred");
    case "option":
    case "text":
      return answer(given);
  }
}

function answer(given: Given): Replied {
  const { question } = given;
  switch (question.kind) {
    case "topology":
      return question.round === 0 ? replyTopology(given) : replyScope(given);
    case "round":
      // Words beside an option may defer a component (D2.2); the option is the answer all the same.
      return given.text === null ? [recordRound(given)] : [received(given)];
    case "refine":
      return replyRefine(given);
    case "collect":
      return replyCollect(given);
    case "confirm-assumption":
      return replyAssumption(given);
    case "soft-limit":
      return replySoftLimit(given);
    case "restate":
      return replyRestate(given);
    case "bridge":
      return replyBridge(given);
    default:
      return { refused: `a deep interview asks no ${question.kind} question`, code: "unknown-kind" };
  }
}
