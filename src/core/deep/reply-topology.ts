/** D2.2, D2.6: replies to the topology gate and to the numbered question about a new outcome. */
import type { DeepEvent } from "./events.ts";
import { closed, type Given, type Replied, received, recordRound } from "./given.ts";
import { phrase } from "./phrase.ts";
import { collectQuestion } from "./questions.ts";
import { applyEdits, createComponent, resolveComponent } from "./topology.ts";
import type { TopologyEdit } from "./vocabulary.ts";

export function replyTopology(given: Given): Replied {
  const { config, state, text } = given;
  const option = given.options[0];
  if (option === undefined) return [received(given)];
  if (option.id === "right" && text === null)
    return [closed(given, "right"), { type: "topology.locked", remark: null }];
  if (text !== null) return [received(given)];
  const key = option.id === "defer" ? "topology.collect.defer" : "topology.collect";
  const { question, reply, hash } = given;
  return [
    { type: "reply.received", question_id: question.id, reply, answer_hash: hash, interpret: false, explain: false },
    {
      type: "question.asked",
      question: collectQuestion(config, state, 0, "topology", key),
      aim: null,
      collecting: "topology",
    },
  ];
}

/**
 * The edits that the words asked for; null when nobody could read them. Words that change nothing are a remark, unless an
 * option announced a change.
 */
export function editTopology(given: Given, edits: readonly TopologyEdit[] | null): DeepEvent[] {
  const { config, state, text } = given;
  const option = given.options[0];
  if (edits === null || edits.length === 0) {
    const stands = option === undefined ? edits !== null : option.id === "right";
    return stands ? lockTopology(given, [], text) : [unclear(given)];
  }
  const told = edits.map((edit) =>
    edit.op === "defer" && edit.reason.trim() === ""
      ? { ...edit, reason: phrase(config, state, "component.deferred.reason") }
      : edit,
  );
  return lockTopology(given, told, null);
}

function unclear({ config, state, question }: Given): DeepEvent {
  const text = phrase(config, state, "topology.unclear");
  return { type: "reply.returned", question_id: question.id, why: "unclear-edit", text };
}

/** The edits applied and locked; refused ones put the same question again. */
function lockTopology(given: Given, edits: readonly TopologyEdit[], remark: string | null): DeepEvent[] {
  const { config, state, question } = given;
  const edited = applyEdits(state.topology.components, edits, null);
  if (!edited.ok) {
    if (edited.why === "unclear-edit") return [unclear(given)];
    const text = phrase(config, state, "topology.none-active");
    return [{ type: "reply.returned", question_id: question.id, why: edited.why, text }];
  }
  const changed: DeepEvent[] =
    edits.length === 0
      ? []
      : [{ type: "topology.edited", edits: [...edits], components: edited.components, deferrals: edited.deferrals }];
  return [...changed, { type: "topology.locked", remark }];
}

/** D2.6: the choice is applied, then the round is scored; free words, also beside an option, are read for what they ask. */
export function replyScope(given: Given): Replied {
  const option = given.options[0];
  if (option === undefined || given.text !== null) return [received(given)];
  return scopeEvents(given, option.id, null);
}

/** What the words say about the new outcome; the same question stays when they say nothing about it. */
export function chooseScope(given: Given, edits: readonly TopologyEdit[]): DeepEvent[] {
  const { config, state, question } = given;
  const option = given.options[0];
  if (option !== undefined) return scopeEvents(given, option.id, null);
  const ops = new Set(edits.map((edit) => edit.op));
  if (ops.has("defer") || ops.has("remove")) return scopeEvents(given, "defer", null);
  const merged = edits.flatMap((edit) => (edit.op === "merge" ? edit.components : []));
  if (ops.has("merge")) return scopeEvents(given, "fold", merged);
  if (ops.has("add")) return scopeEvents(given, "add", null);
  const text = phrase(config, state, "choose.option");
  return [{ type: "reply.returned", question_id: question.id, why: "unclear-edit", text }];
}

/** `into`: names among which the component is that it becomes a part of; null or none known: that of the trigger. */
function scopeEvents(given: Given, choice: string, into: readonly string[] | null): DeepEvent[] {
  const { state, question, aim, config } = given;
  const trigger = state.triggers.find((item) => item.id === aim?.trigger_id);
  const answered = recordRound(given);
  if (trigger === undefined) return [answered];
  const round = question.round ?? 0;
  const name = trigger.proposed ?? trigger.evidence;
  const { components } = state.topology;
  if (choice === "fold") {
    const named = (into ?? []).flatMap((item) => resolveComponent(components, item) ?? []);
    const host = named.find((item) => item.status === "active")?.id ?? trigger.component;
    const folded = components.map((item) =>
      item.id === host ? { ...item, deliverables: [...item.deliverables, name] } : item,
    );
    return [{ type: "topology.edited", edits: [], components: folded, deferrals: [] }, answered];
  }
  const taken = components.map((item) => item.id);
  const status = choice === "defer" ? "deferred" : "active";
  const joined = createComponent({ name, description: trigger.evidence, status, joinedRound: round }, taken);
  const reason = phrase(config, state, "scope.deferred", { round });
  const add: TopologyEdit = { op: "add", name, description: trigger.evidence };
  const later: TopologyEdit = { op: "defer", component: joined.id, reason };
  return [
    {
      type: "topology.edited",
      edits: choice === "defer" ? [add, later] : [add],
      components: [...components, joined],
      deferrals: choice === "defer" ? [{ component_id: joined.id, reason }] : [],
    },
    answered,
  ];
}
