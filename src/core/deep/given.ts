/**
 * A reply in hand, and what every kind of question does with it: close the question, keep the words, make the round.
 */
import type { Option, Question, Refusal, Reply } from "../machine.ts";
import { answerHash, questionHash } from "../replies.ts";
import type { DeepEvent } from "./events.ts";
import type { Config } from "./phrase.ts";
import type { DeepState, Round } from "./schema.ts";
import { createRound, findAsked } from "./state.ts";
import type { Aim } from "./vocabulary.ts";

/** Everything the handlers of the question kinds need. */
export interface Given {
  readonly config: Config;
  readonly state: DeepState;
  readonly question: Question;
  readonly aim: Aim | null;
  /** The reply with option labels in place of ids, so that one answer always hashes alike. */
  readonly reply: Reply;
  readonly hash: string;
  readonly options: readonly Option[];
  readonly text: string | null;
}

export type Replied = readonly DeepEvent[] | Refusal;

/** The words on disk, to be read by the interpret task (D8.2). */
export function received(given: Given, explain = false): DeepEvent {
  const { question, reply, hash } = given;
  return { type: "reply.received", question_id: question.id, reply, answer_hash: hash, interpret: true, explain };
}

export function closed(given: Given, choice: string): DeepEvent {
  return {
    type: "question.closed",
    question_id: given.question.id,
    choice,
    reply: given.reply,
    answer_hash: given.hash,
  };
}

/** The record of a numbered round whose answer is this reply. */
export function roundOf(given: Given, change: Partial<Round> = {}): Round {
  const { config, state, question, aim, reply, hash, options } = given;
  if (aim === null) throw new Error(`question ${question.id} has no aim`);
  const kind = question.kind === "confirm-assumption" || question.kind === "topology" ? question.kind : "round";
  const base = createRound(state, kind, question, aim, { question: questionHash(config.sha256, question.text) });
  return {
    ...base,
    answer_hash: hash,
    selected_options: options.map((option) => option.label),
    custom_input: reply.text,
    answered_by: reply.text === null && isCandidate(aim, question, options) ? "research" : reply.by,
    ...change,
  };
}

export function recordRound(given: Given, change: Partial<Round> = {}): DeepEvent {
  return { type: "answer.recorded", round: roundOf(given, change) };
}

/** D3.6: a research candidate that was simply accepted is not the user's own judgement; a remark makes it so. */
function isCandidate(aim: Aim, question: Question, options: readonly Option[]): boolean {
  if (!aim.researched || options.length === 0) return false;
  return options.every(
    (option) => question.options.indexOf(option) < 3 && /^(high|medium|low): /.test(option.description),
  );
}

/** The question whose answer is being worked on: for a refine or collect, the one that it is about. */
export function rootOf(given: Given): { readonly question: Question; readonly aim: Aim | null } {
  const { state, question, aim } = given;
  const inbox = state.inbox;
  const root = inbox === null ? undefined : findAsked(state, inbox.question_id);
  return question.kind === "refine" || question.kind === "collect" ? (root ?? { question, aim }) : { question, aim };
}

/** The raw words of the question being refined, verbatim and whole, as its answer. */
export function acceptRaw(given: Given): DeepEvent[] {
  const { state } = given;
  const root = rootOf(given);
  const inbox = state.inbox;
  if (inbox === null || root.question.kind !== "round" || root.aim === null) return [];
  return [recordRound(rooted(given, inbox.reply, root))];
}

/** The same hand, turned to the question that a refine or collect is about. */
export function rooted(given: Given, reply: Reply, root = rootOf(given)): Given {
  const { config } = given;
  return {
    ...given,
    question: root.question,
    aim: root.aim,
    reply,
    hash: answerHash(config.sha256, reply),
    options: [],
    text: reply.text,
  };
}
