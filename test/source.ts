/**
 * The project's own files as data, for the tests about the project itself: where they are, what they import, how long
 * their functions are, which tests they hold. Read with the parser that Vite brings, types included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A node of the syntax tree, as far as these tests look at it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Import {
  /** As written. */
  readonly specifier: string;
  /** Path of the imported file from the project's root, null for a package. */
  readonly file: string | null;
  readonly kind: "static" | "type" | "dynamic" | "re-export";
}

export interface Source {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly code: string;
  readonly lines: readonly string[];
  readonly program: Node;
  readonly comments: readonly Node[];
  readonly imports: readonly Import[];
}

/** Paths of files below a folder of the project, sorted, with `/`. */
export function filesOf(folder: string, name: RegExp): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

export function readSource(path: string): Source {
  return parseSource(path, readFileSync(join(root, path), "utf8"));
}

export function parseSource(path: string, code: string): Source {
  const parsed = parseSync(path, code);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  const program = toNode(parsed.program);
  const lines = code.split("\n");
  return {
    path,
    code,
    lines: lines.at(-1) === "" ? lines.slice(0, -1) : lines,
    program,
    comments: parsed.comments.map(({ type, start, end }) => ({ type, start, end })),
    imports: importsOf(path, program),
  };
}

function toNode(value: unknown): Node {
  if (!isNode(value)) throw new Error("not a node of a syntax tree");
  return value;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Visits a node and everything in it, outside first. */
export function visit(
  node: Node,
  visitor: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  visitor(node, parents);
  for (const child of childrenOf(node)) visit(child, visitor, [...parents, node]);
}

export function lineAt(source: Source, offset: number): number {
  return source.code.slice(0, offset).split("\n").length;
}

/** The text of a string literal, or of a template without its holes; null for anything else. */
export function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return null;
  return node["quasis"].map((quasi: { value?: { cooked?: string } }) => quasi.value?.cooked ?? "").join("…");
}

function importsOf(path: string, program: Node): Import[] {
  const found: Import[] = [];
  const add = (specifier: string | null, kind: Import["kind"]) => {
    if (specifier !== null) found.push({ specifier, file: resolveFile(path, specifier), kind });
  };
  visit(program, (node) => {
    const source = textOf(node["source"]);
    if (node.type === "ImportDeclaration") add(source, isTypeOnly(node, "importKind") ? "type" : "static");
    if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration") add(source, "re-export");
    if (node.type === "ImportExpression") add(source, "dynamic");
    if (node.type === "TSImportType") add(source ?? textOf(node["argument"]), "type");
  });
  return found;
}

function isTypeOnly(node: Node, key: string): boolean {
  const specifiers = Array.isArray(node["specifiers"]) ? node["specifiers"].filter(isNode) : [];
  return node[key] === "type" || (specifiers.length > 0 && specifiers.every((item) => item[key] === "type"));
}

function resolveFile(from: string, specifier: string): string | null {
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : null;
}
