/** D4.5, D4.6: confirm, revise, or leave open what the architect assumed; at the gate the last one is "keep questioning". */
import type { DeepEvent } from "./events.ts";
import { closed, type Given, type Replied, received, recordRound, rooted, rootOf, roundOf } from "./given.ts";
import { collectQuestion } from "./questions.ts";
import { findAssumption } from "./state.ts";

/** Words are a revision unless they ask, leave or pass (D4.2), and they may defer a component (D2.2). */
export function replyAssumption(given: Given): Replied {
  return given.text === null ? settleAssumption(given) : [received(given)];
}

/** By the option that was picked; words alone are the revision, word for word. */
export function settleAssumption(given: Given): Replied {
  const { config, state, question, aim, text, reply, hash } = given;
  const id = aim?.assumption_id ?? null;
  const assumption = id === null ? undefined : findAssumption(state, id);
  if (id === null || assumption === undefined) return { refused: "the assumption is not known", code: "no-assumption" };
  const choice = given.options[0]?.id ?? "revise";
  const numbered = question.round !== null;
  if (choice === "revise") {
    if (text !== null) return [...(numbered ? [] : [closed(given, "revise")]), ...revise(given, id, text)];
    return [
      { type: "reply.received", question_id: question.id, reply, answer_hash: hash, interpret: false, explain: false },
      {
        type: "question.asked",
        question: collectQuestion(config, state, question.round, "revise"),
        aim: null,
        collecting: "revise",
      },
    ];
  }
  const settled = (status: "confirmed" | "left_open" | "kept"): DeepEvent => ({
    type: "assumption.settled",
    assumption_id: id,
    status,
  });
  if (choice === "confirm") {
    return numbered
      ? [settled("confirmed"), recordRound(given, { custom_input: joined(assumption.answer, text) })]
      : [closed(given, "confirm"), settled("confirmed")];
  }
  if (!numbered) return [closed(given, "keep"), settled("kept")];
  const round = roundOf(given, { answered_by: null });
  return [
    settled("left_open"),
    { type: "round.unresolved", round, why: "left-open", leave_open: true, assumption_id: id },
  ];
}

/** What is confirmed, and what the user said beside it. */
function joined(answer: string, remark: string | null): string {
  return remark === null ? answer : `${answer}\n${remark}`;
}

/** The collected words of a revision; none at all puts the question again. */
export function reviseAssumption(given: Given, text: string | null): Replied {
  const root = rootOf(given);
  const id = root.aim?.assumption_id ?? null;
  if (id === null) return { refused: "the assumption is not known", code: "no-assumption" };
  if (text === null)
    return [
      closed(given, "none"),
      { type: "reply.returned", question_id: root.question.id, why: "not-an-answer", text: "" },
    ];
  return [closed(given, "revise"), ...revise(rooted(given, { ...given.reply, options: [], text }), id, text)];
}

/** In a numbered round it is that round's answer; at the gate it replaces the assumed answer, which is scored again. */
function revise(given: Given, id: string, text: string): DeepEvent[] {
  const { state, question, reply } = given;
  const settled: DeepEvent = { type: "assumption.settled", assumption_id: id, status: "revised" };
  if (question.round !== null) return [settled, recordRound(given)];
  const assumption = findAssumption(state, id);
  const roundId = state.rounds.find((round) => round.round === assumption?.round)?.round_id ?? "";
  return [settled, { type: "answer.revised", round_id: roundId, assumption_id: id, text, by: reply.by }];
}
