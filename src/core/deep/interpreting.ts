/**
 * D4.2, D4.3: reading typed words. The interpret task judges whether they answer at all and structures what carries
 * reasoning, constraints or scope; on its failure the raw words are put to the user for confirmation.
 */
import { answerHash } from "../replies.ts";
import { awaitTask } from "./await.ts";
import type { DeepEvent } from "./events.ts";
import { type Given, type Replied, recordRound } from "./given.ts";
import { commonOf, componentsOf, createTask } from "./inputs.ts";
import { type Config, phrase } from "./phrase.ts";
import { preserve } from "./preserve.ts";
import { refineQuestion } from "./questions.ts";
import { explain, finish, optOut } from "./reply-none.ts";
import { lockTopology, scopeEvents } from "./reply-topology.ts";
import type { Asked, DeepState, Inbox, Interpretation } from "./schema.ts";
import { activeComponents, findAsked } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";
import type { InterpretReply } from "./tasks.ts";
import { resolveComponent } from "./topology.ts";

export function nextInterpreting(config: Config, state: DeepState, inbox: Inbox): DeepStep {
  const root = findAsked(state, inbox.question_id);
  if (root === undefined) throw new Error(`no question ${inbox.question_id} to interpret a reply to`);
  const given = handOf(config, state, root, inbox);
  const input = {
    ...commonOf(state),
    purpose: root.question.kind === "topology" ? ("topology" as const) : ("round" as const),
    question: root.question.text,
    options: root.question.options.map((option) => option.label),
    text: given.text ?? "",
    components: componentsOf(state),
    explain: inbox.explain,
  };
  const waited = awaitTask(state, "interpret", createTask(state, "interpret", `interpret-${state.reply_count}`, input));
  if (waited.status === "run") return run(waited.task);
  const replied = waited.status === "done" ? readReply(given, inbox, waited.value) : unread(given);
  if ("refused" in replied) throw new Error(`a recorded reply was refused: ${replied.refused}`);
  return record(...replied);
}

function handOf(config: Config, state: DeepState, root: Asked, inbox: Inbox): Given {
  const { reply } = inbox;
  const hash = answerHash(config.sha256, reply);
  return { config, state, question: root.question, aim: root.aim, reply, hash, options: [], text: reply.text };
}

/** The task failed: a round's words are confirmed as they are; a topology edit has to be said again. */
function unread(given: Given): DeepEvent[] {
  const { config, state, question, text } = given;
  if (question.kind === "topology") {
    const words = phrase(config, state, "topology.unclear");
    return [{ type: "reply.returned", question_id: question.id, why: "unclear-edit", text: words }];
  }
  return refine(given, { decision: text ?? "", reasoning: [], constraints: [], out_of_scope: [], context: [] });
}

function readReply(given: Given, inbox: Inbox, reply: InterpretReply): Replied {
  const { question } = given;
  const kind = inbox.explain ? "explain" : reply.kind;
  switch (kind) {
    case "explain":
      return reply.explanation.trim() === ""
        ? explain({ ...given, text: null })
        : [{ type: "reply.returned", question_id: question.id, why: "explain", text: reply.explanation }];
    case "finish":
      return finish(given);
    case "opt-out":
      return optOut(given);
    case "answer":
      return question.kind === "topology" ? readTopology(given, reply) : readAnswer(given, reply);
  }
}

function readTopology(given: Given, reply: InterpretReply): DeepEvent[] {
  const { question, text } = given;
  if (question.round === 0) return lockTopology(given, reply.edits, reply.edits.length === 0 ? text : null);
  const ops = reply.edits.map((edit) => edit.op);
  return scopeEvents(given, ops.includes("defer") ? "defer" : ops.includes("add") ? "add" : "fold");
}

function readAnswer(given: Given, reply: InterpretReply): DeepEvent[] {
  const { config, text } = given;
  const deferred = deferrals(given, reply);
  if (!reply.structured) return [...deferred, recordRound(given)];
  const { decision, reasoning, constraints, out_of_scope, context } = reply;
  const reading = preserve(
    text ?? "",
    { decision, reasoning, constraints, out_of_scope, context },
    config.languages.lexicons,
  );
  return [...deferred, ...refine(given, reading)];
}

function refine(given: Given, reading: Interpretation): DeepEvent[] {
  const { config, state, question } = given;
  return [
    { type: "reply.interpreted", question_id: question.id, interpretation: reading },
    {
      type: "question.asked",
      question: refineQuestion(config, state, question.round, reading),
      aim: null,
      collecting: null,
    },
  ];
}

/** D2.2: an active component may be deferred in any later reply, but never the last one. */
function deferrals(given: Given, reply: InterpretReply): DeepEvent[] {
  const { config, state } = given;
  let left = activeComponents(state).length;
  return reply.edits.flatMap((edit): DeepEvent[] => {
    if (edit.op !== "defer") return [];
    const found = resolveComponent(state.topology.components, edit.component);
    if (found?.status !== "active" || left <= 1) return [];
    left -= 1;
    const reason = edit.reason.trim() === "" ? phrase(config, state, "component.deferred.reason") : edit.reason;
    return [{ type: "component.deferred", component_id: found.id, reason }];
  });
}
