/**
 * The template engine: handlebars without HTML escaping, with the few helpers that prompts and documents need, and
 * strict everywhere. Its own strict mode lets a missing list or condition pass as empty; here that is a fault.
 */
import type { HelperOptions } from "handlebars";
import * as z from "zod";
import { percent } from "../core/ratio.ts";
import { cell, fence, oneLine } from "./fence.ts";

export type Engine = typeof import("handlebars");

/** What a compiled template needs of it: without parser and compiler. */
export type Runtime = Pick<
  Engine,
  "Exception" | "create" | "createFrame" | "registerHelper" | "registerPartial" | "template" | "unregisterHelper"
>;

/** Helpers by name: every other name in a template is a variable. */
export const helperNames: ReadonlySet<string> = new Set([
  "if",
  "unless",
  "each",
  "data",
  "line",
  "indent",
  "cell",
  "json",
  "join",
  "eq",
  "decimal",
  "pct",
]);

/** With parser and compiler. Loaded for a prompt that is not compiled yet, not at the start. */
export async function createEngine(): Promise<Engine> {
  const { default: handlebars } = await import("handlebars");
  // An environment of its own does not carry the visitor.
  return equip(Object.assign(handlebars.create(), { Visitor: handlebars.Visitor }));
}

/** For templates that were compiled before: the same helpers and the same strictness. */
export function createRuntime(runtime: Runtime): Runtime {
  return equip(runtime.create());
}

function equip<R extends Runtime>(engine: R): R {
  const helpers = createHelpers(engine);
  engine.registerHelper({ ...blockHelpers(engine, helpers), ...textHelpers(helpers) });
  engine.unregisterHelper("log");
  engine.unregisterHelper("lookup");
  engine.unregisterHelper("with");
  return engine;
}

/** Strict readers: a value that is not there, or is of another kind, is a fault with its place. */
function createHelpers(engine: Runtime) {
  const fail = (what: string, options: HelperOptions): never => {
    throw new engine.Exception(what, { type: "helper", loc: locate(options) });
  };
  const given = (value: unknown, options: HelperOptions): unknown =>
    value === undefined ? fail(`${nameOf(options)}: its value is not there`, options) : value;

  const text = (change: (text: string) => string) => (value: unknown, options: HelperOptions) => {
    const shown = given(value, options);
    return typeof shown === "string" ? change(shown) : shown === null ? "" : change(String(shown));
  };
  const number = (format: (value: number) => string) => (value: unknown, options: HelperOptions) => {
    const shown = given(value, options);
    if (shown === null) return "-";
    return typeof shown === "number" ? format(shown) : fail(`${nameOf(options)}: its value is no number`, options);
  };
  const list = (value: unknown, options: HelperOptions): unknown[] =>
    Array.isArray(value) ? value : fail(`${nameOf(options)}: its value is no list`, options);
  return { given, text, number, list };
}

type Helpers = ReturnType<typeof createHelpers>;

function blockHelpers(engine: Runtime, { given, list }: Helpers) {
  return {
    if(this: unknown, value: unknown, options: HelperOptions) {
      return isFilled(given(value, options)) ? options.fn(this) : options.inverse(this);
    },
    unless(this: unknown, value: unknown, options: HelperOptions) {
      return isFilled(given(value, options)) ? options.inverse(this) : options.fn(this);
    },
    each(this: unknown, value: unknown, options: HelperOptions) {
      const items = list(value, options);
      const last = items.length - 1;
      if (last < 0) return options.inverse(this);
      return items
        .map((item, index) => {
          const data = { ...engine.createFrame(options.data), index, first: index === 0, last: index === last };
          return options.fn(item, { data, blockParams: [item, index] });
        })
        .join("");
    },
    /** `{{#data "answer"}}…{{/data}}`: what stands inside is fenced; one line break before the end tag is the template's. */
    data(this: unknown, name: unknown, options: HelperOptions) {
      return fence(oneLine(String(name)), options.fn(this).replace(/\n$/, ""));
    },
  };
}

function textHelpers({ given, text, number, list }: Helpers) {
  return {
    line: text(oneLine),
    /** For an entry of a list that may have several lines: no later one looks like the next entry. */
    indent: text((value) => value.replace(/\r?\n/g, "\n  ")),
    cell: text(cell),
    json: (value: unknown, options: HelperOptions) => JSON.stringify(given(value, options)),
    join: (value: unknown, separator: unknown, options: HelperOptions) =>
      list(value, options)
        .map((item) => oneLine(String(item)))
        .join(String(separator)),
    eq: (left: unknown, right: unknown, options: HelperOptions) => given(left, options) === right,
    /** Six decimals at most, which no product of score and weight exceeds; a dash for null. */
    decimal: number((value) => String(Number(value.toFixed(6)))),
    pct: number(percent),
  };
}

/** As handlebars sees it: empty lists, "", 0, false and null are not. */
function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

const Place = z.object({ line: z.number(), column: z.number() });
const Called = z.object({
  name: z.string(),
  loc: z.object({ source: z.string().default(""), start: Place, end: Place }),
});

/** What handlebars passes to helpers beside what its types say: the helper's name and place. */
function locate(options: HelperOptions): hbs.AST.SourceLocation {
  return Called.parse(options).loc;
}

function nameOf(options: HelperOptions): string {
  return Called.parse(options).name;
}
