/** Builders for the offline interviewer's tests: the shipped data, task inputs, and a small interview of score and question alone. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ambiguityOf, lowest } from "../../../src/core/deep/score.ts";
import { replies, type TaskInputs, type TaskName, type TaskReply } from "../../../src/core/deep/tasks.ts";
import { Lexicon } from "../../../src/core/lexicon.ts";
import type { Fault, Task } from "../../../src/core/machine.ts";
import { Bank } from "../../../src/model/offline/bank.ts";
import { createOffline } from "../../../src/model/offline/model.ts";
import { createTongues } from "../../../src/model/offline/tongue.ts";
import type { TaskOutcome } from "../../../src/ports.ts";

export const tags = ["en", "es", "ja", "ko"] as const;
export type Tag = (typeof tags)[number];

function pathOf(tag: string, name: string): string {
  return fileURLToPath(new URL(`../../../prompts/language/${tag}/${name}.json`, import.meta.url));
}

/** A language may ship without sentences of the interface; they are English then. */
export function hasData(tag: string, name: string): boolean {
  return existsSync(pathOf(tag, name));
}

export function readData(tag: string, name: string): unknown {
  return JSON.parse(readFileSync(pathOf(tag, name), "utf8"));
}

export const lexicons = tags.map((tag) => Lexicon.parse(readData(tag, "lexicon")));
export const banks = tags.map((tag) => Bank.parse(readData(tag, "bank")));
export const tongues = createTongues(lexicons, banks);
export const blobs = new Map<string, string>();
export const model = createOffline({ lexicons, banks, getBlob: (sha256) => blobs.get(sha256) ?? "" });

export function taskOf<N extends TaskName>(name: N, input: TaskInputs[N]): Task {
  const budget = { tokens: null, usd: null };
  return {
    id: `${name}-1`,
    name,
    round: null,
    prompt: name,
    prefix: null,
    input: { ...input },
    tolerates: "nothing",
    budget,
  };
}

export function runTask(task: Task, check: (value: unknown) => readonly Fault[] = () => []): Promise<TaskOutcome> {
  return model.run(task, { check });
}

/** The reply, parsed by the task's own schema; throws when the model had none. */
export async function reply<N extends TaskName>(name: N, input: TaskInputs[N]): Promise<TaskReply<N>> {
  const outcome = await runTask(taskOf(name, input));
  if (!outcome.ok) throw new Error(`${name}: ${outcome.reason}`);
  return replies[name].parse(outcome.value) as TaskReply<N>;
}

export const common = (tag: Tag = "en") => ({ language: { tag, instruction: "" }, type: "greenfield" as const });

export const dimensions = ["goal", "constraints", "criteria"] as const;
export type Scored = TaskInputs["score"]["components"][number];
const described = {
  ingestion: ["Ingestion", "Ingests CSVs"],
  normalization: ["Normalization", "Normalizes records"],
  "review-ui": ["Review UI", "Provides a detailed reviewer UI with inline comments and approvals"],
  export: ["Export", "Exports audit-ready reports"],
} as const;
export const components = Object.entries(described).map(([id, [name, description]]) => ({
  id,
  name,
  description,
  status: "active" as const,
}));

export function scored(score: number | null, change: Readonly<Record<string, number>> = {}): Scored[] {
  return components.map((component) => ({
    ...component,
    scores: dimensions.map((dimension) => ({ dimension, score: change[`${component.id}/${dimension}`] ?? score })),
  }));
}

export function scoreInput(answer: string, change: Partial<TaskInputs["score"]> = {}): TaskInputs["score"] {
  return {
    ...common(),
    round: 5,
    target: { component: "review-ui", dimension: "goal" },
    question: "A reviewer opens Review UI: what lies in front of them?",
    answer,
    answered_by: "user",
    assumption: null,
    components: scored(0.3),
    dimensions: [...dimensions],
    facts: [],
    disputed: [],
    prior_entities: [],
    prior_ambiguity: 0.7,
    gap_below: 0.9,
    idea: "Build an intake pipeline that ingests CSVs, normalizes records, provides a detailed reviewer UI with inline comments and approvals, and exports audit-ready reports",
    transcript: [],
    ...change,
  };
}

export function questionInput(change: Partial<TaskInputs["question"]> = {}): TaskInputs["question"] {
  return {
    ...common(),
    round: 3,
    target: {
      component: "ingestion",
      name: "Ingestion",
      dimension: "constraints",
      score: 0.05,
      gap: "Ingestion has no limit yet",
    },
    style: "plain",
    why: "it is the least clear",
    user_only: false,
    findings: [],
    facts: [],
    trigger: null,
    gap: "",
    entities: ["CSV", "record"],
    context: [],
    asked: [],
    idea: "Build an intake pipeline that ingests CSVs",
    components,
    ...change,
  };
}

export function scoreOf(value: TaskReply<"score">, component: string, dimension: string): number {
  const found = value.components.find((item) => item.component === component);
  const score = found?.dimensions.find((item) => item.dimension === dimension)?.score;
  if (score === undefined) throw new Error(`no score of ${component}/${dimension}`);
  return score;
}

export interface Course {
  /** After each round. */
  readonly ambiguities: readonly number[];
  readonly questions: readonly string[];
  readonly scores: Readonly<Record<string, number>>;
}

/** An interview without the machine: lowest pair first, longest-waiting component first; question, answer, score. */
export async function interview(
  idea: string,
  answer: (about: { pair: string; question: string; options: readonly string[]; round: number }) => string,
  { tag = "en" as Tag, rounds = 20 } = {},
): Promise<Course> {
  const topology = await reply("topology", {
    ...common(tag),
    idea,
    context: [],
    requested_language: tag,
    phrases: [],
    known_languages: [...tags],
  });
  const made = topology.components.map(({ name, description }, index) => ({
    id: `c${index + 1}`,
    name,
    description,
    status: "active" as const,
  }));
  const scores: Record<string, number> = {};
  const targeted: Record<string, number> = {};
  const facts: TaskInputs["score"]["facts"][number][] = [];
  const transcript: TaskInputs["score"]["transcript"][number][] = [];
  const asked: string[] = [];
  const ambiguities: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const pairs = made.flatMap(({ id }) =>
      dimensions.map((dimension) => ({ id, dimension, key: `${id}/${dimension}` })),
    );
    const low = Math.min(...pairs.map(({ key }) => scores[key] ?? 0));
    const [target] = pairs
      .filter(({ key }) => (scores[key] ?? 0) <= low + 0.05)
      .toSorted((a, b) => (targeted[a.id] ?? 0) - (targeted[b.id] ?? 0));
    if (target === undefined) break;
    const component = made.find(({ id }) => id === target.id);
    const { question } = await reply("question", {
      ...questionInput({ ...common(tag), round, asked: [...asked], facts: [...facts], idea, components: made }),
      target: {
        component: target.id,
        name: component?.name ?? "",
        dimension: target.dimension,
        score: scores[target.key] ?? null,
        gap: "",
      },
      entities: [],
    });
    const options = question.options.map((option) => option.label);
    const said = answer({
      pair: `${component?.name ?? ""}/${target.dimension}`,
      question: question.question,
      options,
      round,
    });
    const value = await reply("score", {
      ...scoreInput(said, { ...common(tag), round, facts: [...facts], idea, transcript: [...transcript] }),
      target: { component: target.id, dimension: target.dimension },
      question: question.question,
      components: made.map((item) => ({
        ...item,
        scores: dimensions.map((dimension) => ({ dimension, score: scores[`${item.id}/${dimension}`] ?? null })),
      })),
      prior_ambiguity: ambiguities.at(-1) ?? 1,
    });
    for (const item of value.components)
      for (const { dimension, score } of item.dimensions) scores[`${item.component}/${dimension}`] = score;
    for (const fact of value.facts) facts.push({ ...fact, id: `f${facts.length + 1}`, status: "established" });
    transcript.push({
      round,
      component: target.id,
      dimension: target.dimension,
      question: question.question,
      answer: said,
      answered_by: "user",
    });
    asked.push(question.question);
    targeted[target.id] = round;
    const score = (id: string, dimension: string) => scores[`${id}/${dimension}`] ?? null;
    ambiguities.push(
      ambiguityOf(
        "greenfield",
        lowest(
          made.map(({ id }) => ({
            goal: score(id, "goal"),
            constraints: score(id, "constraints"),
            criteria: score(id, "criteria"),
            context: null,
          })),
        ),
      ),
    );
  }
  return { ambiguities, questions: asked, scores };
}
