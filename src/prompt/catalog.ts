/**
 * Every prompt, fragment, partial and document template by name: ours, or a user's own in the folder given with
 * `--prompts`, file by file. Each is checked against its declared inputs and compiled once.
 */

import { UsageError } from "../errors.ts";
import { createEngine, type Engine } from "./engine.ts";
import { fault, type Source } from "./file.ts";
import { inputsOf } from "./inputs.ts";
import { findPackageRoot } from "./root.ts";
import { readSources, type Sources } from "./sources.ts";
import { walk } from "./walk.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface PromptFile {
  readonly name: string;
  /** Null for partials, `document` for what people read. */
  readonly task: string | null;
  readonly version: number;
  readonly inputs: readonly string[];
  /** As messages show it. */
  readonly path: string;
  readonly cache: boolean;
  readonly prefix: string;
  /** Renders the template over its declared inputs; other values are not seen. Throws UsageError for a missing one. */
  render(values: Values): string;
}

export interface Catalog {
  /**
   * A file by the name in its front matter. Throws UsageError when any of the user's own files, or this one, does not
   * fit; an unknown name is a bug.
   */
  find(name: string): Promise<PromptFile>;
  /** Every file, each of them checked. */
  all(): Promise<readonly PromptFile[]>;
}

export interface CatalogOptions {
  /** The user's folder, or null. */
  readonly dir?: string | null;
  /** The folder that holds `prompts/` and `fragments/`. */
  readonly root?: string;
}

export function createCatalog({ dir = null, root = findPackageRoot() }: CatalogOptions = {}): Catalog {
  let opened: Promise<Opened> | null = null;
  const open = () => {
    opened ??= openCatalog(dir, root);
    return opened;
  };
  return {
    find: async (name) => compile(await open(), name, []),
    async all() {
      const catalog = await open();
      return [...catalog.sources.keys()].sort().map((name) => compile(catalog, name, []));
    },
  };
}

interface Opened {
  readonly engine: Engine;
  readonly sources: Sources;
  readonly compiled: Map<string, Compiled>;
}

interface Compiled extends PromptFile {
  /** Variables of its own and of its partials, with the line of the file that reads them. */
  readonly variables: ReadonlyMap<string, number>;
}

async function openCatalog(dir: string | null, root: string): Promise<Opened> {
  const [engine, sources] = await Promise.all([createEngine(), readSources(dir, root)]);
  const catalog = { engine, sources, compiled: new Map<string, Compiled>() };
  for (const [name, source] of sources) if (!source.isOurs) compile(catalog, name, []);
  return catalog;
}

/** `trail` are the files that include this one. */
function compile(catalog: Opened, name: string, trail: readonly string[]): Compiled {
  const known = catalog.compiled.get(name);
  if (known !== undefined) return known;
  const source = catalog.sources.get(name);
  if (source === undefined) throw new Error(`there is no prompt file named ${name}`);
  const variables = variablesOf(catalog, source, [...trail, name]);
  checkInputs(source, variables);
  const run = runnerOf(catalog.engine, source);
  catalog.engine.registerPartial(name, run);
  const { front, path } = source;
  const file: Compiled = {
    name,
    task: front.task ?? null,
    version: front.version,
    inputs: front.inputs,
    path,
    cache: front.cache,
    prefix: front.prefix,
    variables,
    render(values) {
      const missing = front.inputs.find((input) => values[input] === undefined);
      if (missing !== undefined) throw fault(path, source.lineOf(missing), `there is no input "${missing}" here`);
      return run(Object.fromEntries(front.inputs.map((input) => [input, values[input]])));
    },
  };
  catalog.compiled.set(name, file);
  return file;
}

/** What it reads itself and through the partials that stand in no list item. */
function variablesOf(catalog: Opened, source: Source, trail: readonly string[]): Map<string, number> {
  const { path, offset } = source;
  const usage = walk(catalog.engine, parseBody(catalog.engine, source));
  const [wrong] = usage.faults;
  if (wrong !== undefined) throw fault(path, wrong.line + offset, wrong.message);
  const variables = new Map([...usage.variables].map(([name, line]) => [name, line + offset]));
  for (const { name, line, isTop, given } of usage.partials) {
    if (trail.includes(name)) throw fault(path, line + offset, `"${name}" would include itself`);
    if (!catalog.sources.has(name)) throw fault(path, line + offset, `there is no prompt file "${name}"`);
    for (const variable of compile(catalog, name, trail).variables.keys()) {
      if (isTop && !given.includes(variable) && !variables.has(variable)) variables.set(variable, line + offset);
    }
  }
  return variables;
}

function parseBody(engine: Engine, { body, path, offset }: Source): hbs.AST.Program {
  try {
    return engine.parse(body);
  } catch (error) {
    const message = messageOf(error);
    const line = Number(/line (\d+)/.exec(message)?.[1] ?? lineOf(error));
    throw fault(path, line + offset, `it does not parse: ${message.split("\n").at(-1) ?? message}`, error);
  }
}

/** Declared and read have to be the same, and the task has to have what is declared. */
function checkInputs(source: Source, variables: ReadonlyMap<string, number>): void {
  const { path, front } = source;
  const known = front.task === undefined ? null : inputsOf(front.task);
  const checkKnown = (name: string, line: number) => {
    if (known !== null && !known.includes(name)) {
      throw fault(path, line, `the task ${front.task} has no input "${name}"; it has ${known.join(", ")}`);
    }
  };
  for (const [name, line] of variables) {
    checkKnown(name, line);
    if (!front.inputs.includes(name)) throw fault(path, line, `"${name}" is read but not declared in inputs`);
  }
  for (const name of front.inputs) {
    checkKnown(name, source.lineOf(name));
    if (!variables.has(name)) throw fault(path, source.lineOf(name), `"${name}" is declared in inputs but never read`);
  }
}

type Runner = (context: unknown, options?: Handlebars.RuntimeOptions) => string;

/** The compiled template; what goes wrong in it names its file, also when another file includes it. */
function runnerOf(engine: Engine, { body, path, offset }: Source): Runner {
  const template = engine.compile(body, { noEscape: true, strict: true, preventIndent: true });
  return (context, options) => {
    try {
      return template(context, options);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw fault(path, lineOf(error) + offset, messageOf(error), error);
    }
  };
}

/** The line that handlebars puts on its exceptions; 1 when it says none. */
function lineOf(error: unknown): number {
  const line = typeof error === "object" && error !== null && "lineNumber" in error ? error.lineNumber : undefined;
  return typeof line === "number" ? line : 1;
}

/** Without the place that handlebars adds: it counts from the end of the front matter. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ - \d+:\d+$/, "").replace(/ in \[object \w+\]$/, "");
}
