/**
 * What a prompt holds when there is more than fits (model.md, prompt layout; D1.3): the oldest raw answers go first, then
 * what can be looked up again. Facts, confirmed decisions, constraints, the answer in hand and the compact records of the
 * prefix are never cut. A token is taken as four characters.
 */
import * as z from "zod";
import { cut } from "../core/text.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface Fitted {
  readonly values: Values;
  /** Names of the inputs that lost something; the prompt says so. */
  readonly shortened: readonly string[];
}

/** As much of an earlier answer as any prompt but its own score holds. */
const answerChars = 600;
/** The most of a raw text that one summary is made from. */
export const rawTextTokens = 150_000;

const Transcript = z.array(z.looseObject({ question: z.string(), answer: z.string() }));
const Findings = z.array(z.looseObject({ finding: z.string() }));
const Excerpts = z.array(z.looseObject({ text: z.string() }));
const Earlier = z.array(z.looseObject({ excerpt: z.string() }));
const Entities = z.array(z.looseObject({ fields: z.array(z.string()) }));
const List = z.array(z.unknown());

/** Makes an input a notch smaller, or gives null when nothing more may go. */
interface Step {
  readonly input: string;
  cut(value: unknown): unknown;
}

/** In this order, each until it has nothing more to give. */
const steps: readonly Step[] = [
  step("transcript", Transcript, (rounds) =>
    replaceFirst(rounds, (round) => {
      const answer = isReading(round.answer) ? withoutReasons(round.answer) : ends(round.answer, 160);
      return { ...round, answer };
    }),
  ),
  step("transcript", Transcript, (rounds) =>
    replaceFirst(rounds, (round) => ({ ...round, question: cut(round.question, 120) })),
  ),
  step("excerpts", Excerpts, (excerpts) =>
    excerpts.length > 1
      ? excerpts.slice(0, -1)
      : replaceFirst(excerpts, (excerpt) => ({ ...excerpt, text: cut(excerpt.text, 2000) })),
  ),
  step("earlier", Earlier, (documents) =>
    replaceFirst(documents, (document) => ({ ...document, excerpt: cut(document.excerpt, 400) })),
  ),
  step("findings", Findings, (findings) =>
    replaceFirst(findings, (finding) => ({ ...finding, finding: cut(finding.finding, 160) })),
  ),
  step("asked", List, (items) => dropOldest(items, 4)),
  step("prior_entities", Entities, (entities) => replaceFirst(entities, (entity) => ({ ...entity, fields: [] }))),
  step("files", List, (items) => dropLast(items, 20)),
  step("context", List, (items) => dropLast(items, 5)),
];

/** Earlier answers at the length that every prompt but their own score shows them in. */
export function compact(values: Values): Values {
  const parsed = Transcript.safeParse(values["transcript"]);
  if (!parsed.success) return values;
  const transcript = parsed.data.map((round) =>
    round.answer.length <= answerChars
      ? round
      : { ...round, answer: isReading(round.answer) ? withoutReasons(round.answer) : ends(round.answer, answerChars) },
  );
  return { ...values, transcript };
}

/** Cuts by rule until `measure`, in characters, is within the budget or nothing more may go. */
export function fitInputs(values: Values, tokens: number, measure: (values: Values) => number): Fitted {
  const shortened = new Set<string>();
  let current = values;
  for (const { input, cut: smaller } of steps) {
    while (current[input] !== undefined && measure(current) > tokens * 4) {
      const next = smaller(current[input]);
      if (next === null) break;
      current = { ...current, [input]: next };
      shortened.add(input);
    }
  }
  return { values: current, shortened: [...shortened] };
}

/** A raw text that one call can read: its head and tail when it is longer. Other scripts than Latin cost a token a letter. */
export function fitText(text: string, tokens: number): { readonly text: string; readonly isCut: boolean } {
  const dense = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const estimate = dense + (text.length - dense) / 4;
  if (estimate <= tokens) return { text, isCut: false };
  return { text: ends(text, Math.floor((text.length * tokens) / estimate)), isCut: true };
}

/** Head and tail of a text within `max` characters, since what binds often stands last. */
function ends(text: string, max: number): string {
  if (text.length <= max) return text;
  const gap = " […] ";
  const head = cut(text, Math.ceil((max - gap.length) * 0.6));
  const from = text.length - (max - gap.length - head.length);
  const isLow = text.charCodeAt(from) >= 0xdc00 && text.charCodeAt(from) <= 0xdfff;
  return `${head}${gap}${text.slice(isLow ? from + 1 : from)}`;
}

/** Whether an answer is the confirmed reading of one (D4.3), whose parts stand on lines of their own. */
function isReading(answer: string): boolean {
  return /^Decision: .*\n(?:Reasoning|Constraints|Out of scope|Codebase context)/s.test(answer);
}

/** The decision, the constraints and the scope of a confirmed reading, whole. */
function withoutReasons(answer: string): string {
  return answer
    .split("\n")
    .filter((line) => !/^(?:Reasoning|Codebase context \(verified\)): /.test(line))
    .join("\n");
}

function step<T>(input: string, schema: z.ZodType<T>, smaller: (value: T) => T | null): Step {
  return {
    input,
    cut(value) {
      const parsed = schema.safeParse(value);
      return parsed.success ? smaller(parsed.data) : null;
    },
  };
}

/** The list with its first item that the change makes different, or null when it changes none. */
function replaceFirst<T>(items: readonly T[], change: (item: T) => T): T[] | null {
  for (const [index, item] of items.entries()) {
    const next = change(item);
    if (JSON.stringify(next) !== JSON.stringify(item)) return items.with(index, next);
  }
  return null;
}

function dropOldest<T>(items: readonly T[], keep: number): T[] | null {
  return items.length > keep ? items.slice(Math.ceil((items.length - keep) / 4)) : null;
}

function dropLast<T>(items: readonly T[], keep: number): T[] | null {
  return items.length > keep ? items.slice(0, -Math.ceil((items.length - keep) / 4)) : null;
}
