/** D2.2, D2.6: replies to the topology gate and to the numbered question about a new outcome. */
import type { DeepEvent } from "./events.ts";
import { closed, type Given, type Replied, received, recordRound } from "./given.ts";
import { phrase } from "./phrase.ts";
import { collectQuestion } from "./questions.ts";
import type { Component, TopologyEdit } from "./schema.ts";
import { applyEdits } from "./topology.ts";

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

/** The edits that the words asked for, applied and locked; refused ones put the same question again. */
export function lockTopology(given: Given, edits: readonly TopologyEdit[], remark: string | null): DeepEvent[] {
  const { config, state, question } = given;
  const edited = applyEdits(state.topology.components, edits, null);
  if (!edited.ok) {
    const key = edited.why === "no-active-component" ? "topology.none-active" : "topology.unclear";
    return [{ type: "reply.returned", question_id: question.id, why: edited.why, text: phrase(config, state, key) }];
  }
  const changed: DeepEvent[] =
    edits.length === 0
      ? []
      : [{ type: "topology.edited", edits: [...edits], components: edited.components, deferrals: edited.deferrals }];
  return [...changed, { type: "topology.locked", remark }];
}

/** D2.6: the choice is applied, then the round is scored; free words are read for what they ask. */
export function replyScope(given: Given): Replied {
  const option = given.options[0];
  if (option === undefined) return [received(given)];
  return scopeEvents(given, option.id);
}

export function scopeEvents(given: Given, choice: string): DeepEvent[] {
  const { state, question, aim, config } = given;
  const trigger = state.triggers.find((item) => item.id === aim?.trigger_id);
  const round = question.round ?? 0;
  const proposed = trigger?.proposed ?? trigger?.evidence ?? "";
  const components = state.topology.components;
  const answered = recordRound(given);
  if (choice === "fold" || trigger === undefined) {
    const folded: Component[] = components.map((item) =>
      item.id === trigger?.component ? { ...item, deliverables: [...item.deliverables, proposed] } : item,
    );
    return [{ type: "topology.edited", edits: [], components: folded, deferrals: [] }, answered];
  }
  const add: TopologyEdit = { op: "add", name: proposed, description: trigger.evidence };
  const reason = phrase(config, state, "scope.deferred", { round });
  const edits: TopologyEdit[] = choice === "defer" ? [add, { op: "defer", component: proposed, reason }] : [add];
  const edited = applyEdits(components, edits, round);
  if (!edited.ok) return [answered];
  return [{ type: "topology.edited", edits, components: edited.components, deferrals: edited.deferrals }, answered];
}
