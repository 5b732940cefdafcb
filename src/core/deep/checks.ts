/**
 * What is wrong with a model reply that its schema cannot say, by task: ranges, references, coverage, and the rules that
 * a prompt alone would not hold. A `reject` fault after the one repair leaves the task to its fallback.
 */
import type { Fault, Task } from "../machine.ts";
import { fold, hasWords } from "../text.ts";
import type { Code } from "./assist.ts";
import { checkScore } from "./check.ts";
import { checkClosure, checkRestate } from "./closing.ts";
import { checkDraft } from "./draft.ts";
import { checkCrystallize } from "./prose.ts";
import type { DeepState } from "./schema.ts";
import { replies as schemas, type TaskName, type TaskReply } from "./tasks.ts";
import { maxComponents } from "./topology.ts";

type Checks = {
  readonly [N in TaskName]?: (code: Code, state: DeepState, reply: TaskReply<N>, task: Task) => readonly Fault[];
};

const reject = (path: string, message: string): Fault => ({ path, message, severity: "reject" });

function between(path: string, items: readonly unknown[], min: number, max: number): Fault[] {
  return items.length >= min && items.length <= max
    ? []
    : [reject(path, `give ${min} to ${max} of them, not ${items.length}`)];
}

function filled(path: string, text: string): Fault[] {
  return hasWords(text) ? [] : [reject(path, "must not be empty")];
}

const checks: Checks = {
  summarise: (_code, _state, reply, task) => [
    ...filled("summary", reply.summary),
    ...(reply.summary.length <= Number(task.input["max_chars"] ?? Number.POSITIVE_INFINITY)
      ? []
      : [reject("summary", `must be at most ${task.input["max_chars"]} characters`)]),
  ],
  topology: (_code, _state, reply) => checkTopology(reply),
  interpret: (_code, _state, reply) =>
    reply.structured && reply.kind === "answer" ? filled("decision", reply.decision) : [],
  score: (code, state, reply, task) => checkScore(state, task, reply, code.words),
  question: (code, _state, reply) => checkDraft(reply.question, code.words),
  research: (_code, _state, reply) => [
    ...between("candidates", reply.candidates, 2, 3),
    ...reply.candidates.flatMap((item, index) => filled(`candidates[${index}].answer`, item.answer)),
  ],
  "auto-answer": (_code, _state, reply) => [
    ...filled("answer", reply.answer),
    ...between("reasons", reply.reasons.filter(hasWords), 2, 4),
  ],
  panel: (_code, _state, reply, task) => [
    ...(reply.persona === task.input["persona"]
      ? []
      : [reject("persona", `answer as ${String(task.input["persona"])}`)]),
    ...filled("finding", reply.finding),
    ...between("reasons", reply.reasons.filter(hasWords), 1, 3),
    ...between("options", reply.options.filter(hasWords), 1, 3),
  ],
  closure: (_code, state, reply) => checkClosure(state, reply),
  restate: (_code, state, reply) => checkRestate(state, reply),
  crystallize: (_code, state, reply) => checkCrystallize(state, reply),
};

function checkTopology(reply: TaskReply<"topology">): Fault[] {
  const names = reply.components.map((component) => fold(component.name));
  return [
    ...between("components", reply.components, 1, maxComponents),
    ...reply.components.flatMap((component, index) => [
      ...filled(`components[${index}].name`, component.name),
      ...filled(`components[${index}].description`, component.description),
    ]),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index ? [] : [reject(`components[${index}].name`, "stands twice")],
    ),
  ];
}

function isTaskName(name: string): name is TaskName {
  return name in schemas;
}

/** Faults of a reply that fits its schema; one that does not fit has been rejected before. */
export function checkReply(code: Code, state: DeepState, task: Task, value: unknown): readonly Fault[] {
  if (!isTaskName(task.name)) return [];
  const parsed = schemas[task.name].safeParse(value);
  if (!parsed.success) return [reject("", "does not fit the reply schema")];
  const check = checks[task.name] as
    | ((code: Code, state: DeepState, reply: unknown, task: Task) => readonly Fault[])
    | undefined;
  return check?.(code, state, parsed.data, task) ?? [];
}
