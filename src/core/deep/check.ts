/**
 * Faults of a score reply that its schema cannot express (D5.2, D5.3, faults 20-22): ranges, references, coverage, and
 * the transition rule, which gets one repair before code corrects it.
 */
import type { Fault, Task } from "../machine.ts";
import { toUnits } from "../ratio.ts";
import { hasWords } from "../text.ts";
import { breachesOf } from "./assessment.ts";
import { checkDraft, type DraftWords } from "./draft.ts";
import type { DeepState } from "./schema.ts";
import { dimensionsOf } from "./score.ts";
import { findComponent, pairKey } from "./state.ts";
import type { ScoreReply } from "./tasks.ts";
import type { Dimension } from "./vocabulary.ts";

function fault(severity: Fault["severity"], path: string, message: string): Fault {
  return { path, message, severity };
}

const reject = (path: string, message: string) => fault("reject", path, message);

/** `words` are for the drafted question. Paths are relative to the reply. */
export function checkScore(state: DeepState, task: Task, reply: ScoreReply, words: DraftWords): Fault[] {
  const faults = [
    ...checkScores(state, reply),
    ...reply.triggers.flatMap((_, index) => checkTrigger(state, reply, index)),
    ...reply.facts.flatMap((_, index) => checkFact(state, reply, index)),
    ...checkStands(state, reply),
    ...checkDrafts(state, reply, words),
  ];
  // A breach is worth telling only when the reply can be read at all.
  return faults.some((item) => item.severity === "reject")
    ? faults
    : [...faults, ...checkTransition(state, task, reply)];
}

function checkScores(state: DeepState, reply: ScoreReply): Fault[] {
  const clear = toUnits(Math.max(0.9, 1 - state.threshold));
  const seen = new Set<string>();
  return reply.components.flatMap(({ component, dimensions }, index) => {
    const at = `components[${index}]`;
    if (findComponent(state, component) === undefined)
      return [reject(`${at}.component`, unknownComponent(state, component))];
    return dimensions.flatMap(({ dimension, score, gap }, position) => {
      const path = `${at}.dimensions[${position}]`;
      const key = pairKey({ component, dimension });
      const faults = checkDimension(state, `${path}.dimension`, dimension);
      if (seen.has(key)) faults.push(reject(path, `${key} is scored twice`));
      seen.add(key);
      if (!Number.isFinite(score) || score < 0 || score > 1)
        faults.push(reject(`${path}.score`, "must be a number from 0 to 1"));
      else if (toUnits(score) < clear && !hasWords(gap)) {
        faults.push(
          reject(`${path}.gap`, `must say what is still unclear, because the score is below ${clear / 10_000}`),
        );
      }
      return faults;
    });
  });
}

function unknownComponent(state: DeepState, component: string): string {
  const known = state.topology.components.map((item) => item.id).join(", ");
  return `unknown component ${JSON.stringify(component)}; the ids are ${known}`;
}

function checkDimension(state: DeepState, path: string, dimension: Dimension): Fault[] {
  const known = dimensionsOf(state.type);
  return known.includes(dimension)
    ? []
    : [reject(path, `a ${state.type} interview has ${known.join(", ")}, not ${dimension}`)];
}

function checkContradicts(state: DeepState, path: string, id: string): Fault[] {
  if (id.trim() === "") return [];
  const fact = state.established_facts.find((item) => item.id === id.trim());
  if (fact === undefined)
    return [reject(path, `there is no fact ${JSON.stringify(id)}; leave it empty when none is contradicted`)];
  return fact.status === "superseded" ? [reject(path, `fact ${fact.id} is superseded and cannot be contradicted`)] : [];
}

function checkTrigger(state: DeepState, reply: ScoreReply, index: number): Fault[] {
  const trigger = reply.triggers[index];
  if (trigger === undefined) return [];
  const at = `triggers[${index}]`;
  const faults = [
    ...checkDimension(state, `${at}.dimension`, trigger.dimension),
    ...checkContradicts(state, `${at}.contradicts`, trigger.contradicts),
  ];
  const component = findComponent(state, trigger.component);
  if (component === undefined) faults.push(reject(`${at}.component`, unknownComponent(state, trigger.component)));
  else if (component.status === "deferred") {
    faults.push(reject(`${at}.component`, `${component.id} is deferred; name the active component that is affected`));
  }
  if (!hasWords(trigger.evidence))
    faults.push(reject(`${at}.evidence`, "must quote or name what in the answer shows it"));
  if (trigger.label === "D" && !hasWords(trigger.proposed)) {
    faults.push(reject(`${at}.proposed`, "must name the outcome that would join"));
  }
  if (trigger.status !== "active" && !hasWords(trigger.rationale)) {
    faults.push(reject(`${at}.rationale`, `must say why the trigger is ${trigger.status}`));
  }
  return faults;
}

function checkFact(state: DeepState, reply: ScoreReply, index: number): Fault[] {
  const fact = reply.facts[index];
  if (fact === undefined) return [];
  const at = `facts[${index}]`;
  const faults = [
    ...checkDimension(state, `${at}.dimension`, fact.dimension),
    ...checkContradicts(state, `${at}.contradicts`, fact.contradicts),
  ];
  if (findComponent(state, fact.component) === undefined) {
    faults.push(reject(`${at}.component`, unknownComponent(state, fact.component)));
  }
  if (!hasWords(fact.statement)) faults.push(reject(`${at}.statement`, "must not be empty"));
  if (!hasWords(fact.evidence)) faults.push(reject(`${at}.evidence`, "must quote or name what the fact rests on"));
  return faults;
}

function checkStands(state: DeepState, reply: ScoreReply): Fault[] {
  return reply.stands.flatMap((raw, index) => {
    const id = raw.trim();
    const known =
      id === "new" || state.established_facts.some((fact) => fact.id === id && fact.status !== "superseded");
    return known
      ? []
      : [
          fault(
            "correct",
            `stands[${index}]`,
            `there is no standing fact ${JSON.stringify(raw)}; write an id or "new"`,
          ),
        ];
  });
}

/** A bad draft is worth a repair but not a failed score: without one the question task words the question. */
function checkDrafts(state: DeepState, reply: ScoreReply, words: DraftWords): Fault[] {
  if (reply.draft.length > 1) return [fault("correct", "draft", "must hold one question at most")];
  return reply.draft.flatMap((draft) => {
    const faults = checkDraft(draft, words).map((item) => fault("correct", `draft[0].${item.path}`, item.message));
    const component = findComponent(state, draft.component);
    if (component?.status !== "active")
      faults.push(fault("correct", "draft[0].component", "must be the id of an active component"));
    return faults;
  });
}

function checkTransition(state: DeepState, task: Task, reply: ScoreReply): Fault[] {
  const roundId = roundOf(state, task);
  if (roundId === null) return [];
  return breachesOf(state, roundId, reply).map((pair) =>
    fault(
      "correct",
      "triggers",
      `an active trigger is on ${pairKey(pair)}: its score must not improve and the overall ambiguity must rise against the prior round; lower the score, or mark the trigger disputed or unresolved with a rationale`,
    ),
  );
}

/** The round that a score task is about: the one being scored, else the one that waits under the task's number. */
function roundOf(state: DeepState, task: Task): string | null {
  if (state.stage.type === "scoring") return state.stage.round_id;
  const waiting = state.rounds.findLast((round) => round.lifecycle === "answered" && round.round === task.round);
  return waiting?.round_id ?? null;
}
