/**
 * The offline interviewer (model.md): every task by rules, from words handed in as data. No network, no files, no clock,
 * no chance: the same task always gives the same reply, at once and for nothing.
 */
import * as z from "zod";
import type { TaskReply } from "../../core/deep/tasks.ts";
import { replies } from "../../core/deep/tasks.ts";
import type { Lexicon } from "../../core/lexicon.ts";
import type { Usage } from "../../core/machine.ts";
import type { Model, TaskOutcome } from "../../ports.ts";
import { Bank } from "./bank.ts";
import { closureTask, restateTask } from "./closing.ts";
import { exploreTask } from "./explore.ts";
import { type Input, type InputName, inputs } from "./inputs.ts";
import { interpretTask } from "./interpret.ts";
import { autoAnswerTask, panelTask, researchTask } from "./panel.ts";
import { questionTask } from "./question.ts";
import { scoreTask } from "./score.ts";
import { crystallizeTask } from "./spec.ts";
import { summariseText } from "./summarise.ts";
import { type BankSource, createTongues, type Tongues } from "./tongue.ts";
import { topologyTask } from "./topology.ts";

export interface OfflineParts {
  readonly lexicons: readonly Lexicon[];
  /**
   * The contents of `bank.json`, one a language, or what gives them by tag, undefined where there is none. English has to
   * be among them.
   */
  readonly banks: readonly unknown[] | ((tag: string) => unknown);
  /** The raw text of an oversized idea, by its SHA-256. */
  readonly getBlob: (sha256: string) => string | Promise<string>;
}

interface Rules extends OfflineParts {
  readonly tongues: Tongues;
}

/** `cautious`: the first reply had faults; leave out whatever is not needed. */
type Handle<I, R> = (input: I, rules: Rules, cautious: boolean) => R | Promise<R>;
type Handler = (raw: unknown, rules: Rules, cautious: boolean) => Promise<{ value: unknown } | { fault: string }>;

/** A task's rules between its two borders: the input is parsed, the reply is checked against its schema. */
function handler<N extends InputName>(
  name: N,
  schema: z.ZodType<Input<N>>,
  handle: Handle<Input<N>, TaskReply<N>>,
): Handler {
  return async (raw, rules, cautious) => {
    const input = schema.safeParse(raw);
    if (!input.success) return { fault: `the input of ${name} does not fit: ${z.prettifyError(input.error)}` };
    const fits = replies[name].safeParse(await handle(input.data, rules, cautious));
    return fits.success ? { value: fits.data } : { fault: `the rules of ${name} made no fitting reply` };
  };
}

const handlers: Readonly<Record<InputName, Handler>> = {
  summarise: handler("summarise", inputs.summarise, async (input, { tongues, getBlob }) => {
    const text = await getBlob(input.text_sha256);
    return summariseText(text, input.max_chars, tongues.forText(text, input.language.tag));
  }),
  explore: handler("explore", inputs.explore, (input, { tongues }) =>
    exploreTask(input, tongues.forTag(input.language.tag)),
  ),
  topology: handler("topology", inputs.topology, (input, { tongues, lexicons }) =>
    topologyTask(input, tongues, lexicons),
  ),
  interpret: handler("interpret", inputs.interpret, (input, { tongues }, cautious) =>
    interpretTask(input, tongues, cautious),
  ),
  score: handler("score", inputs.score, (input, { tongues }, cautious) => scoreTask(input, tongues, cautious)),
  question: handler("question", inputs.question, (input, { tongues }, cautious) => ({
    task: "question",
    question: questionTask(input, tongues.forTag(input.language.tag), cautious),
  })),
  research: handler("research", inputs.research, (input, { tongues }) =>
    researchTask(input, tongues.forTag(input.language.tag)),
  ),
  "auto-answer": handler("auto-answer", inputs["auto-answer"], (input, { tongues }) =>
    autoAnswerTask(input, tongues.forTag(input.language.tag)),
  ),
  panel: handler("panel", inputs.panel, (input, { tongues }) => panelTask(input, tongues.forTag(input.language.tag))),
  closure: handler("closure", inputs.closure, (input, { tongues }) =>
    closureTask(input, tongues.forTag(input.language.tag)),
  ),
  restate: handler("restate", inputs.restate, (input, { tongues }) =>
    restateTask(input, tongues.forTag(input.language.tag)),
  ),
  crystallize: handler("crystallize", inputs.crystallize, (input, { tongues }) =>
    crystallizeTask(input, tongues.forTag(input.language.tag)),
  ),
};

const nothing: Usage = {
  calls: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  ms: 0,
  usd: 0,
};

/** Throws when a bank does not fit its schema or English is missing: data that ships with the program. */
export function createOffline(parts: OfflineParts): Model {
  const banks = banksOf(parts.banks);
  const rules: Rules = { ...parts, tongues: createTongues(parts.lexicons, banks) };
  return {
    label: "offline rules",
    kind: "offline",
    async run(task, { check, signal }) {
      if (signal?.aborted === true) return failed("aborted", "the run was stopped", 0);
      if (!isKnown(task.name))
        return failed("reply", `the offline interviewer has no rules for the task ${task.name}`, 0);
      let reason = "";
      for (const attempt of [1, 2]) {
        const made = await handlers[task.name](task.input, rules, attempt === 2);
        if ("fault" in made) return failed("reply", made.fault, attempt);
        const faults = check(made.value).filter((fault) => fault.severity === "reject");
        if (faults.length === 0)
          return { ok: true, value: made.value, model: "offline rules", attempts: attempt, usage: nothing };
        reason = faults.map((fault) => `${fault.path}: ${fault.message}`).join("; ");
      }
      return failed("reply", reason, 2);
    },
  };
}

/** What comes by tag is parsed when its language is asked for. */
function banksOf(banks: OfflineParts["banks"]): readonly Bank[] | BankSource {
  if (typeof banks !== "function") return banks.map((bank) => Bank.parse(bank));
  return (tag) => {
    const bank = banks(tag);
    return bank === undefined ? undefined : Bank.parse(bank);
  };
}

function isKnown(name: string): name is InputName {
  return Object.hasOwn(inputs, name);
}

function failed(code: "reply" | "aborted", reason: string, attempts: number): TaskOutcome {
  return { ok: false, code, reason, attempts, usage: nothing };
}
