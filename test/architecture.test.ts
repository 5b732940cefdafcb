import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  filesOf,
  type Import,
  isNode,
  lineAt,
  type Node,
  parseSource,
  readSource,
  root,
  type Source,
  textOf,
  visit,
} from "./source.ts";

const sources = filesOf("src", /\.ts$/).map(readSource);
const byPath = new Map(sources.map((source) => [source.path, source]));

/** Imports go from a higher layer to a lower one, or stay in their folder. `cli` starts `serve`. */
const layers: Readonly<Record<string, number>> = {
  errors: 0,
  core: 1,
  ports: 2,
  prompt: 3,
  model: 3,
  ask: 3,
  store: 3,
  run: 4,
  serve: 5,
  cli: 6,
  index: 6,
};

function layerOf(path: string): string {
  return path.replace(/^src\//, "").replace(/(?:\/.*|\.ts)$/, "");
}

function faultsOf(check: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => check(source).map((fault) => `${source.path}: ${fault}`));
}

/** The file each value of a list came from is part of the message when a list that should be empty is not. */
function expectNone(faults: readonly string[]): void {
  expect(faults).toEqual([]);
}

describe("imports", () => {
  it("go one way: errors, core, ports, adapters, run, serve, cli", () => {
    expectNone([...new Set(sources.map(({ path }) => layerOf(path)))].filter((layer) => layers[layer] === undefined));
    expectNone(
      faultsOf(({ path, imports }) =>
        imports.filter(({ file }) => file !== null && !isAllowed(path, file)).map(({ file }) => `imports ${file}`),
      ),
    );
  });

  it("would be refused the other way", () => {
    expect(isAllowed("src/core/a.ts", "src/ports.ts")).toBe(false);
    expect(isAllowed("src/model/a.ts", "src/store/b.ts")).toBe(false);
    expect(isAllowed("src/run/a.ts", "src/cli/b.ts")).toBe(false);
    expect(isAllowed("src/core/a.ts", "test/b.ts")).toBe(false);
    expect(isAllowed("src/cli/a.ts", "src/core/deep/b.ts")).toBe(true);
  });

  it("name files that exist, with their ending", () => {
    expectNone(
      faultsOf(({ imports }) =>
        imports.flatMap(({ file, specifier }) => (file !== null && !existsSync(join(root, file)) ? [specifier] : [])),
      ),
    );
  });

  it("make no cycle, type-only ones included", () => {
    expectNone(cyclesOf(new Map(sources.map(({ path, imports }) => [path, imports]))));
  });

  it("would show a cycle of types", () => {
    const a = parseSource("src/a.ts", 'import type { B } from "./b.ts"; export type A = B;');
    const b = parseSource("src/b.ts", 'export type B = import("./a.ts").A;');
    expect(cyclesOf(new Map([a, b].map(({ path, imports }) => [path, imports])))).toHaveLength(1);
  });

  it("come from no barrel: only the library entry exports what another file holds", () => {
    expectNone(
      faultsOf(({ path, imports }) =>
        path === "src/index.ts"
          ? []
          : imports.filter(({ kind }) => kind === "re-export").map(({ specifier }) => specifier),
      ),
    );
  });

  it("bring no heavy package in before it is needed", () => {
    const heavy = /^(?:@anthropic-ai\/|@clack\/|@modelcontextprotocol\/|bullmq|ioredis)/;
    const reached = closureOf("src/cli/main.ts");
    expectNone(
      faultsOf(({ path, imports }) =>
        reached.has(path)
          ? imports
              .filter(({ kind, specifier }) => kind === "static" && heavy.test(specifier))
              .map(({ specifier }) => specifier)
          : [],
      ),
    );
  });
});

function isAllowed(from: string, to: string): boolean {
  if (!to.startsWith("src/")) return false;
  const [own, other] = [layerOf(from), layerOf(to)];
  return own === other || (layers[own] ?? -1) > (layers[other] ?? 99);
}

function cyclesOf(graph: ReadonlyMap<string, readonly Import[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const go = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const { file } of graph.get(path) ?? []) if (file !== null) go(file, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) go(path, []);
  return cycles;
}

/** Files loaded at the start: those that static imports of values lead to. */
function closureOf(start: string): Set<string> {
  const reached = new Set<string>();
  const go = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { file, kind } of byPath.get(path)?.imports ?? []) {
      if (file !== null && (kind === "static" || kind === "re-export")) go(file);
    }
  };
  go(start);
  return reached;
}

describe("core", () => {
  it("imports zod, errors and itself, nothing of Node", () => {
    expectNone(
      faultsOf(({ path, imports }) =>
        path.startsWith("src/core/")
          ? imports
              .filter(({ file, specifier }) => file === null && specifier !== "zod")
              .map(({ specifier }) => specifier)
          : [],
      ),
    );
  });

  it("is pure: no clock, chance, process, console, network, or anything that waits", () => {
    expectNone(faultsOf((source) => (source.path.startsWith("src/core/") ? impurities(source) : [])));
  });

  it("would be caught at it", () => {
    const code = [
      "const a = Date.now(), b = new Date(), c = Math.random(), d = process.env, e = crypto.randomUUID();",
      "async function f() { await g; } setTimeout(f, 1); console.log(x.process, { process: 1 }); new Date(iso);",
    ].join("\n");
    const faults = impurities(parseSource("src/core/x.ts", code));
    expect(faults.map((fault) => fault.replace(/ \(line.*/, ""))).toEqual([
      "Date.now",
      "new Date()",
      "Math.random",
      "process",
      "crypto",
      "async",
      "await",
      "setTimeout",
      "console",
    ]);
  });
});

const impure = new Set(
  "process console crypto performance globalThis Buffer fetch setTimeout setInterval setImmediate queueMicrotask require Promise Intl".split(
    " ",
  ),
);

function impurities(source: Source): string[] {
  const found: string[] = [];
  visit(source.program, (node, parents) => {
    const say = (what: string) => found.push(`${what} (line ${lineAt(source, node.start)})`);
    const text = source.code.slice(node.start, node.end);
    if (node.type === "MemberExpression" && /^(?:Date\.now|Math\.random)$/.test(text)) say(text);
    if (node.type === "NewExpression" && /^new Date(?:\(\s*\))?$/.test(text)) say("new Date()");
    if (node["async"] === true) say("async");
    if (node.type === "AwaitExpression") say("await");
    if (node.type === "Identifier" && isReference(node, parents.at(-1)) && impure.has(text)) say(text);
  });
  return found;
}

/** A name that stands for a variable, and not for a property, a key or a type. */
function isReference(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined || parent.type.startsWith("TS")) return false;
  const isNamed = parent["property"] === node || (parent["key"] === node && parent["shorthand"] !== true);
  return parent["computed"] === true || !isNamed;
}

describe("sizes", () => {
  it("keep the median file under 120 lines, nine in ten under 250, none over 400", () => {
    const lengths = sources.map(({ lines }) => lines.length).sort((a, b) => a - b);
    expectNone(faultsOf(({ lines }) => (lines.length > 400 ? [`${lines.length} lines`] : [])));
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(120);
    expect(lengths.filter((length) => length < 250).length / lengths.length).toBeGreaterThanOrEqual(0.9);
  });

  it("keep every function under 60 lines", () => {
    expectNone(faultsOf((source) => longFunctions(source, 60)));
  });

  it("would show a function that is too long", () => {
    const body = "  x();\n".repeat(60);
    const code = `const short = () => 1;\nexport const f = async () => {\n${body}};\nclass A { m() {\n${body}} }`;
    expect(longFunctions(parseSource("src/x.ts", code), 60)).toEqual(["62 lines at 2", "62 lines at 64"]);
  });

  it("keep comments between 8 and 15 % of lines", () => {
    const comment = sources.reduce((sum, source) => sum + commentLines(source), 0);
    const all = sources.reduce((sum, { lines }) => sum + lines.length, 0);
    expect(comment / all).toBeGreaterThanOrEqual(0.08);
    expect(comment / all).toBeLessThanOrEqual(0.15);
  });
});

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Functions of as many lines or more, from their first line to their last. */
function longFunctions(source: Source, limit: number): string[] {
  const found: string[] = [];
  visit(source.program, (node) => {
    if (!functions.has(node.type)) return;
    const first = lineAt(source, node.start);
    const length = lineAt(source, node.end) - first + 1;
    if (length >= limit) found.push(`${length} lines at ${first}`);
  });
  return found;
}

/** Lines that hold a comment and nothing else, and the comments that end a line of code. */
function commentLines(source: Source): number {
  return source.comments.reduce((sum, { start, end }) => sum + lineAt(source, end) - lineAt(source, start) + 1, 0);
}

describe("style", () => {
  it("opens each file with what it carries", () => {
    expectNone(faultsOf(({ code }) => (/^(?:#!.*\n)?\/(?:\*\*|\/)/.test(code) ? [] : ["no opening comment"])));
  });

  it("names files in lower case, by a noun, never as a drawer for everything", () => {
    expectNone(
      sources
        .map(({ path }) => path)
        .filter(
          (path) =>
            !/^src\/(?:[a-z0-9]+\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(path) ||
            /util|helper|common|manager/.test(path),
        ),
    );
  });

  it("has named exports, no enums, no classes but errors, no cast through unknown, and zod as a namespace", () => {
    expectNone(faultsOf(styleFaults));
  });

  it("would show each of them", () => {
    const code =
      'export default 1; enum E { A } class C {} const x = y as unknown as Z; import { z } from "zod"; let a: any;';
    expect(styleFaults(parseSource("src/x.ts", code))).toEqual([
      "default export",
      "enum",
      "class C",
      "cast through unknown",
      "any",
      'import * as z from "zod"',
    ]);
  });

  it("keeps prose for models in files: no long text in code", () => {
    expectNone(faultsOf(longTexts));
    expect(longTexts(parseSource("src/x.ts", `const x = \`${"You are a model. ".repeat(20)}\`;`))).toHaveLength(1);
  });

  it("builds Deps in the command and in the library entry only", () => {
    expectNone(
      faultsOf((source) => (/^src\/(?:cli\/[\w/-]+|index)\.ts$/.test(source.path) ? [] : depsLiterals(source))),
    );
    const literal = "f({ model, prompts, asker, store: openStore(), explorer, clock, ids, hash })";
    expect(depsLiterals(parseSource("src/run/x.ts", literal))).toHaveLength(1);
  });
});

function styleFaults(source: Source): string[] {
  const found: string[] = [];
  visit(source.program, (node) => {
    if (node.type === "ExportDefaultDeclaration") found.push("default export");
    if (node.type === "TSEnumDeclaration") found.push("enum");
    if (node.type === "ClassDeclaration" && !isError(node, source)) {
      found.push(`class ${isNode(node["id"]) ? source.code.slice(node["id"].start, node["id"].end) : ""}`);
    }
    if (node.type === "TSAsExpression" && /\bas unknown as\b/.test(source.code.slice(node.start, node.end))) {
      found.push("cast through unknown");
    }
    if (node.type === "TSAnyKeyword") found.push("any");
  });
  if (/import (?:type )?\{[^}]*\} from "zod"/.test(source.code)) found.push('import * as z from "zod"');
  return found;
}

function isError(node: Node, { code }: Source): boolean {
  const parent = node["superClass"];
  return isNode(parent) && /Error$/.test(code.slice(parent.start, parent.end));
}

/** Literals of forty words and more: nobody's error message is that long. */
function longTexts(source: Source): string[] {
  const found: string[] = [];
  visit(source.program, (node) => {
    const words = textOf(node)?.match(/\p{L}{2,}/gu)?.length ?? 0;
    if (words >= 40) found.push(`${words} words at line ${lineAt(source, node.start)}`);
  });
  return found;
}

const ports = ["model", "prompts", "asker", "store", "explorer", "clock", "ids", "hash"];

function depsLiterals(source: Source): string[] {
  const found: string[] = [];
  visit(source.program, (node) => {
    if (node.type !== "ObjectExpression" || !Array.isArray(node["properties"])) return;
    const keys = node["properties"]
      .filter(isNode)
      .flatMap(({ key }) => (isNode(key) ? [source.code.slice(key.start, key.end)] : []));
    if (ports.filter((port) => keys.includes(port)).length >= 6)
      found.push(`Deps at line ${lineAt(source, node.start)}`);
  });
  return found;
}

describe("every file", () => {
  const texts = ["", ".ci", "bench", "examples", "fragments", "prompts", "src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== "", withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?:^run|\.(?:ts|mjs|json|md|ya?ml|hbs))$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );

  it("names no place outside the project, no registry and no machine", () => {
    const outside = /(?<![\w.-])\/(?:work|home|root|Users)\/\w|\.\.\/shared\b|\bregistry\.[a-z]+\.[a-z]{2,}/;
    expect(texts.length).toBeGreaterThan(50);
    expectNone(texts.filter((path) => outside.test(readFileSync(path, "utf8"))).map((path) => relative(root, path)));
  });
});

describe("package.json", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  it("pins every version", () => {
    const versions = { ...manifest["dependencies"], ...manifest["devDependencies"] };
    expect(Object.keys(versions).length).toBeGreaterThan(10);
    expectNone(
      Object.entries(versions).flatMap(([name, version]) =>
        /^\d+\.\d+\.\d+$/.test(version) ? [] : [`${name} ${version}`],
      ),
    );
  });

  it("has the agreed scripts and no more", () => {
    const agreed = "bench build check demo format start test test:browser test:crash test:live test:mutants";
    expect(Object.keys(manifest["scripts"] ?? {}).sort()).toEqual(agreed.split(" "));
  });

  it("ships everything that is read at run time, and nothing that a script of an installer would have to run", () => {
    const files: unknown = manifest["files"];
    expect(files).toEqual(expect.arrayContaining(["dist", "prompts", "fragments", "examples"]));
    expect(
      Object.keys(manifest["scripts"] ?? {}).filter((name) => /^(?:pre|post)?(?:install|prepare)/.test(name)),
    ).toEqual([]);
  });

  it("names no registry and no machine in the lock file", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved":\s*"(?:https?|file):/);
  });
});
