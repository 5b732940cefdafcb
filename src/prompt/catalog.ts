/**
 * Every prompt, fragment, partial and document template by name: ours, or a user's own in the folder given with
 * `--prompts`, file by file. Each is checked against its declared inputs and compiled once; ours when the program is
 * built, as long as there is no such folder.
 */
import { createEngine, type Engine } from "./engine.ts";
import { fault, type Source } from "./file.ts";
import { inputsOf } from "./inputs.ts";
import { findPackageRoot } from "./root.ts";
import { openShelf, type Shelf } from "./shelf.ts";
import type { Shipped } from "./shipped.ts";
import { readSources, type Sources } from "./sources.ts";
import { createFile, guard, lineOf, messageOf, type PromptFile, type Run } from "./template.ts";
import { walk } from "./walk.ts";

/** How every template is compiled. */
export const compileOptions = { noEscape: true, strict: true, preventIndent: true } as const;

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
  /** What the build compiled; null for nothing. */
  readonly loadShipped?: () => Promise<Shipped | null>;
}

export function createCatalog(options: CatalogOptions = {}): Catalog {
  const { dir = null, root = findPackageRoot(), loadShipped = ownShipped } = options;
  let opened: Promise<Opened> | null = null;
  let shelf: Promise<Shelf | null> | null = null;
  const open = () => {
    opened ??= openCatalog(dir, root);
    return opened;
  };
  const openOurs = async () => {
    // A partial of the user's may stand in any of our files.
    const shipped = dir === null ? await loadShipped() : null;
    return shipped === null ? null : openShelf(shipped, root);
  };
  return {
    async find(name) {
      shelf ??= openOurs();
      return (await (await shelf)?.find(name)) ?? compile(await open(), name, []);
    },
    async all() {
      const catalog = await open();
      return [...catalog.sources.keys()].sort().map((name) => compile(catalog, name, []));
    },
  };
}

async function ownShipped(): Promise<Shipped | null> {
  const { shipped } = await import("./shipped.ts");
  return shipped;
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
  const file: Compiled = { ...createFile(source, run), variables };
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

function runnerOf(engine: Engine, source: Source): Run {
  return guard(engine.compile(source.body, compileOptions), source);
}
