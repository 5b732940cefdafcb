/** Interviews by numbers: how clear each round leaves things, and what a user replies to each kind of question. */
import { fill, type Vars } from "../../src/core/deep/phrase.ts";
import type { DeepState } from "../../src/core/deep/schema.ts";
import type { ScoreReply } from "../../src/core/deep/tasks.ts";
import type { Question, QuestionKind, Reply, Task } from "../../src/core/machine.ts";
import type { Model } from "../../src/ports.ts";
import { inputOf, plain, score } from "./replies.ts";
import { type Answerer, languages, pick, type Replies, say } from "./world.ts";

type Clarity = number | ((component: string, dimension: string) => number);
type Change = (round: number | null) => Partial<ScoreReply>;

/** Every pair as clear as the round's number says, the last one for all later rounds and for corrections. */
export function levels(values: readonly Clarity[], change: Change = () => ({})): Replies {
  return {
    ...plain,
    score: (task) => {
      const { round } = inputOf<"score">(task);
      const last = values.length - 1;
      return score(task, values[round === null ? last : Math.min(round - 1, last)] ?? 0, change(round));
    },
  };
}

type Given = Reply | null | ((question: Question, state: DeepState) => Reply | null);

const usual: Readonly<Record<QuestionKind, Given>> = {
  topology: (question) => pick(question.round === 0 ? "right" : "defer"),
  round: pick("a"),
  refine: pick("send"),
  collect: say("these very words"),
  "confirm-assumption": pick("confirm"),
  "soft-limit": pick("continue"),
  restate: pick("yes"),
  bridge: null,
  frontier: null,
  narrow: null,
  revise: null,
  approval: null,
};

/** A user who takes what is offered first, but for the kinds given. */
export function answering(own: Partial<Readonly<Record<QuestionKind, Given>>> = {}): Answerer {
  const all = { ...usual, ...own };
  return (question, state) => {
    const given = all[question.kind];
    return typeof given === "function" ? given(question, state) : given;
  };
}

/** The replies to questions of one kind, in order; the last one for all that follow. */
export function inTurn(...replies: readonly Given[]): (question: Question, state: DeepState) => Reply | null {
  let count = 0;
  return (question, state) => {
    const given = replies[Math.min(count, replies.length - 1)] ?? null;
    count += 1;
    return typeof given === "function" ? given(question, state) : given;
  };
}

/** A sentence of the interface in English, by its key, so that no test hangs on its wording; the seed's own are quoted. */
export function words(key: string, vars: Vars = {}): string {
  const template = languages.phrases["en"]?.[key];
  if (template === undefined) throw new Error(`no phrase named ${key}`);
  return fill(template, vars);
}

/** The spec as it was committed last. */
export function specText(lines: readonly (Record<string, unknown> & { type: string })[]): string {
  return String(lines.findLast((line) => line.type === "spec.written")?.["text"] ?? "");
}

/**
 * A model without prompts and repairs, for many runs of one interview: what a task gets follows from the task alone, so
 * that a run that begins in the middle sees what the whole one saw.
 */
export function createDirectModel(replies: Replies): Model {
  const usage = {
    calls: 1,
    input_tokens: 10,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 5,
    ms: 1,
    usd: 0.001,
  };
  return {
    label: "scripted",
    kind: "anthropic",
    async run(task, { check }) {
      const make = replies[task.name as keyof Replies] as ((task: Task, calls: number) => unknown) | undefined;
      if (make === undefined) throw new Error(`an unexpected ${task.name} call`);
      const value = make(task, 1);
      const failed = { ok: false, attempts: 1, usage } as const;
      if (value instanceof Error) return { ...failed, code: "provider", reason: value.message };
      if (typeof value === "string") return { ...failed, code: "reply", reason: value };
      const rejected = check(value).find(({ severity }) => severity === "reject");
      if (rejected !== undefined) return { ...failed, code: "reply", reason: `${rejected.path}: ${rejected.message}` };
      return { ok: true, value, model: "scripted", attempts: 1, usage };
    },
  };
}
