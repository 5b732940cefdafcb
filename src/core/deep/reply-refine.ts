/**
 * D4.3: structuring a free-text answer and having it confirmed. Collected words are folded in verbatim by code, and what
 * the structuring lost of the original is put back; collected text opens no further refine.
 */

import type { DeepEvent } from "./events.ts";
import { closed, type Given, type Replied, received, recordRound, rooted, rootOf } from "./given.ts";
import { collectQuestion, refineQuestion } from "./questions.ts";
import { reviseAssumption } from "./reply-assumption.ts";
import { correctRestate } from "./reply-close.ts";
import type { Collecting } from "./schema.ts";
import type { Interpretation } from "./vocabulary.ts";

const collecting: Readonly<Record<string, Collecting>> = {
  constraint: "constraint",
  "out-of-scope": "out-of-scope",
  "context-add": "context",
  rewrite: "rewrite",
};

export function replyRefine(given: Given): Replied {
  const { config, state, text } = given;
  const inbox = state.inbox;
  const reading = inbox?.interpretation ?? null;
  if (inbox === null || reading === null) return { refused: "nothing is being refined", code: "no-refine" };
  const option = given.options[0];
  if (option?.id === "send" && text === null) {
    return [closed(given, "send"), recordRound(rooted(given, inbox.reply), { interpretation: reading })];
  }
  const what = option === undefined ? null : (collecting[option.id] ?? null);
  if (text !== null) return [closed(given, option?.id ?? "text"), ...refineAgain(given, foldIn(reading, what, text))];
  if (what === null) return [];
  const question = collectQuestion(config, state, rootOf(given).question.round, what);
  return [closed(given, what), { type: "question.asked", question, aim: null, collecting: what }];
}

/** The exact words for what the user said was missing, each kind to its own place. */
export function replyCollect(given: Given): Replied {
  const { state, text } = given;
  const inbox = state.inbox;
  if (inbox === null || inbox.collecting === null) return { refused: "nothing is being collected", code: "no-collect" };
  switch (inbox.collecting) {
    case "topology":
      if (text !== null) return [received(given)];
      return [
        closed(given, "none"),
        { type: "reply.returned", question_id: inbox.question_id, why: "not-an-answer", text: "" },
      ];
    case "adjust":
    case "scope":
      return correctRestate(given, text);
    case "revise":
      return reviseAssumption(given, text);
    default: {
      const reading = inbox.interpretation;
      if (reading === null) return { refused: "nothing is being refined", code: "no-refine" };
      const folded = text === null ? reading : foldIn(reading, inbox.collecting, text);
      return [closed(given, inbox.collecting), ...refineAgain(given, folded)];
    }
  }
}

function refineAgain(given: Given, reading: Interpretation): DeepEvent[] {
  const { config, state } = given;
  const root = rootOf(given).question;
  return [
    { type: "reply.interpreted", question_id: root.id, interpretation: reading },
    {
      type: "question.asked",
      question: refineQuestion(config, state, root.round, reading),
      aim: null,
      collecting: null,
    },
  ];
}

/** Words go in as they came; words without a named place belong to the decision. */
export function foldIn(reading: Interpretation, what: Collecting | null, text: string): Interpretation {
  switch (what) {
    case "constraint":
      return { ...reading, constraints: [...reading.constraints, text] };
    case "out-of-scope":
      return { ...reading, out_of_scope: [...reading.out_of_scope, text] };
    case "context":
      return { ...reading, reasoning: [...reading.reasoning, text] };
    case "rewrite":
      return { decision: text, reasoning: [], constraints: [], out_of_scope: [], context: [] };
    default:
      return { ...reading, decision: `${reading.decision}\n${text}` };
  }
}
