/**
 * What a prompt holds when there is more than fits (model.md, prompt layout; D1.3): the oldest raw answers go first, then
 * what can be looked up again. Facts, confirmed decisions, constraints, the answer in hand and the compact records of the
 * prefix are never cut. A token is taken as four characters.
 */
import * as z from "zod";
import { cut } from "../core/text.ts";
import type { Values } from "./template.ts";

export interface Fitted {
  readonly text: string;
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

/** Makes an input smaller, a notch at a time, until nothing more may go. */
interface Step {
  readonly input: string;
  cuts(value: unknown): Iterable<unknown>;
}

/** In this order, each until it has nothing more to give. */
const steps: readonly Step[] = [
  step("transcript", Transcript, (rounds) =>
    oneByOne(rounds, (round) => {
      const answer = isReading(round.answer) ? withoutReasons(round.answer) : ends(round.answer, 160);
      return answer === round.answer ? null : { ...round, answer };
    }),
  ),
  step("transcript", Transcript, (rounds) =>
    oneByOne(rounds, (round) => {
      const question = cut(round.question, 120);
      return question === round.question ? null : { ...round, question };
    }),
  ),
  step("excerpts", Excerpts, function* (excerpts) {
    for (let count = excerpts.length - 1; count > 0; count -= 1) yield excerpts.slice(0, count);
    yield* oneByOne(excerpts.slice(0, 1), (excerpt) => {
      const text = cut(excerpt.text, 2000);
      return text === excerpt.text ? null : { ...excerpt, text };
    });
  }),
  step("earlier", Earlier, (documents) =>
    oneByOne(documents, (document) => {
      const excerpt = cut(document.excerpt, 400);
      return excerpt === document.excerpt ? null : { ...document, excerpt };
    }),
  ),
  step("findings", Findings, (findings) =>
    oneByOne(findings, (item) => {
      const finding = cut(item.finding, 160);
      return finding === item.finding ? null : { ...item, finding };
    }),
  ),
  step("asked", List, (items) => drop(items, 4, (list, count) => list.slice(count))),
  step("prior_entities", Entities, (entities) =>
    oneByOne(entities, (entity) => (entity.fields.length === 0 ? null : { ...entity, fields: [] })),
  ),
  step("files", List, (items) => drop(items, 20, (list, count) => list.slice(0, -count))),
  step("context", List, (items) => drop(items, 5, (list, count) => list.slice(0, -count))),
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

/**
 * Cuts by rule until what `render` gives is within the budget, in tokens of four characters, or nothing more may go. The
 * fewest cuts that are enough are looked for in growing steps and then by halves: each makes the text shorter, and
 * rendering is what costs.
 */
export function fitInputs(values: Values, tokens: number, render: (values: Values) => string): Fitted {
  const fits = (text: string) => text.length <= tokens * 4;
  const whole = render(values);
  if (fits(whole)) return { text: whole, shortened: [] };
  const source = cutsOf(values);
  const cuts: Cut[] = [];
  let best = { count: 0, text: whole };
  let low = 0;
  for (let wanted = 1; !fits(best.text); wanted *= 2) {
    low = best.count;
    for (let next = source.next(); next.done !== true; next = source.next()) {
      cuts.push(next.value);
      if (cuts.length === wanted) break;
    }
    if (cuts.length === low) break;
    best = { count: cuts.length, text: render(cuts.at(-1)?.values ?? values) };
  }
  while (fits(best.text) && best.count - low > 1) {
    const count = Math.floor((low + best.count) / 2);
    const text = render(cuts[count - 1]?.values ?? values);
    if (fits(text)) best = { count, text };
    else low = count;
  }
  return { text: best.text, shortened: [...new Set(cuts.slice(0, best.count).map(({ input }) => input))] };
}

interface Cut {
  readonly input: string;
  readonly values: Values;
}

/** The values after each cut, in the order of the steps. */
function* cutsOf(values: Values): Generator<Cut, void> {
  let current = values;
  for (const { input, cuts } of steps) {
    if (current[input] === undefined) continue;
    for (const value of cuts(current[input])) {
      current = { ...current, [input]: value };
      yield { input, values: current };
    }
  }
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

function step<T>(input: string, schema: z.ZodType<T>, cuts: (value: T) => Iterable<unknown>): Step {
  return {
    input,
    cuts(value) {
      const parsed = schema.safeParse(value);
      return parsed.success ? cuts(parsed.data) : [];
    },
  };
}

/** The list after each change of an item, one item after the other, each until there is nothing to change. */
function* oneByOne<T>(items: readonly T[], change: (item: T) => T | null): Generator<readonly T[]> {
  let current = items;
  for (const [index, item] of items.entries()) {
    for (let next = change(item); next !== null; next = change(next)) {
      current = current.with(index, next);
      yield current;
    }
  }
}

/** A quarter of what is more than `keep`, again and again. */
function* drop(
  items: readonly unknown[],
  keep: number,
  without: (items: readonly unknown[], count: number) => readonly unknown[],
): Generator<readonly unknown[]> {
  for (let left = items; left.length > keep; ) {
    left = without(left, Math.ceil((left.length - keep) / 4));
    yield left;
  }
}
