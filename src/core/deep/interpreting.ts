/**
 * D4.2, D4.3: reading typed words. The interpret task judges whether they answer at all and structures what carries
 * reasoning, constraints or scope; on its failure the raw words are put to the user for confirmation.
 */
import { answerHash, findOption } from "../replies.ts";
import { awaitTask } from "./await.ts";
import type { DeepEvent } from "./events.ts";
import { type Given, type Replied, recordRound } from "./given.ts";
import { commonOf, componentsOf, createTask } from "./inputs.ts";
import { type Config, phrase } from "./phrase.ts";
import { preserve } from "./preserve.ts";
import { refineQuestion } from "./questions.ts";
import { settleAssumption } from "./reply-assumption.ts";
import { correctRestate } from "./reply-close.ts";
import { explain, finish, optOut } from "./reply-none.ts";
import { chooseScope, editTopology } from "./reply-topology.ts";
import type { Asked, DeepState, Inbox } from "./schema.ts";
import { activeComponents, findAsked } from "./state.ts";
import { type DeepStep, record, run } from "./step.ts";
import type { InterpretReply } from "./tasks.ts";
import { resolveComponent } from "./topology.ts";
import type { Interpretation, TopologyEdit } from "./vocabulary.ts";

export function nextInterpreting(config: Config, state: DeepState, inbox: Inbox): DeepStep {
  const root = findAsked(state, inbox.question_id);
  if (root === undefined) throw new Error(`no question ${inbox.question_id} to interpret a reply to`);
  const given = handOf(config, state, root, inbox);
  const input = {
    ...commonOf(state),
    purpose: root.question.kind === "topology" ? ("topology" as const) : ("round" as const),
    question: root.question.text,
    options: root.question.options.map((option) => option.label),
    picked: given.options.map((option) => option.label),
    text: given.text ?? "",
    components: componentsOf(state),
    explain: inbox.explain,
  };
  const waited = awaitTask(state, "interpret", createTask(state, "interpret", `interpret-${state.reply_count}`, input));
  if (waited.status === "run") return run(waited.task);
  const replied = waited.status === "done" ? readReply(given, inbox, waited.value) : unread(given, inbox);
  if ("refused" in replied) throw new Error(`a recorded reply was refused: ${replied.refused}`);
  return record(...replied);
}

function handOf(config: Config, state: DeepState, root: Asked, inbox: Inbox): Given {
  const { reply } = inbox;
  const hash = answerHash(config.sha256, reply);
  const options = reply.options.flatMap((name) => findOption(root.question, name) ?? []);
  return { config, state, question: root.question, aim: root.aim, reply, hash, options, text: reply.text };
}

/** The task failed: a round's words are confirmed as they are, an option stands; other edits have to be said again. */
function unread(given: Given, inbox: Inbox): Replied {
  const { question, text, options } = given;
  if (inbox.explain) return explain({ ...given, text: null });
  if (question.kind === "topology") return question.round === 0 ? editTopology(given, null) : chooseScope(given, []);
  if (question.kind === "restate") return correctRestate(given, text);
  if (question.kind === "confirm-assumption") return settleAssumption(given);
  if (options.length > 0) return [recordRound(given)];
  return refine(given, { decision: text ?? "", reasoning: [], constraints: [], out_of_scope: [], context: [] });
}

function readReply(given: Given, inbox: Inbox, reply: InterpretReply): Replied {
  const { question } = given;
  // What stands beside an option, or what the surface calls an answer, is never a non-answer (D4.2).
  const isAnswer = given.options.length > 0 || inbox.reply.as === "answer";
  const kind = inbox.explain ? "explain" : isAnswer ? "answer" : reply.kind;
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
      return readWords(given, reply);
  }
}

function readWords(given: Given, reply: InterpretReply): Replied {
  switch (given.question.kind) {
    case "topology":
      return readTopology(given, reply);
    case "restate":
      return beside(deferrals(given, reply.edits), correctRestate(given, given.text));
    case "confirm-assumption":
      return beside(deferrals(given, reply.edits), settleAssumption(given));
    default:
      return readAnswer(given, reply);
  }
}

function beside(deferred: readonly DeepEvent[], replied: Replied): Replied {
  return "refused" in replied ? replied : [...deferred, ...replied];
}

function readTopology(given: Given, reply: InterpretReply): DeepEvent[] {
  if (given.question.round === 0) return editTopology(given, reply.edits);
  const deferred = deferrals(given, reply.edits);
  const present = (name: string) => resolveComponent(given.state.topology.components, name) !== undefined;
  const edits = reply.edits.filter((edit) => edit.op !== "defer" || !present(edit.component));
  return [...deferred, ...chooseScope(given, edits)];
}

function readAnswer(given: Given, reply: InterpretReply): DeepEvent[] {
  const { config, text } = given;
  const deferred = deferrals(given, reply.edits);
  if (!reply.structured || given.options.length > 0) return [...deferred, recordRound(given)];
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
function deferrals(given: Given, edits: readonly TopologyEdit[]): DeepEvent[] {
  const { config, state } = given;
  const left = new Set(activeComponents(state).map((component) => component.id));
  return edits.flatMap((edit): DeepEvent[] => {
    if (edit.op !== "defer") return [];
    const found = resolveComponent(state.topology.components, edit.component);
    if (found === undefined || left.size <= 1 || !left.delete(found.id)) return [];
    const reason = edit.reason.trim() === "" ? phrase(config, state, "component.deferred.reason") : edit.reason;
    return [{ type: "component.deferred", component_id: found.id, reason }];
  });
}
