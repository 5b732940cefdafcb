/**
 * Which variables a template reads: found in its syntax tree, since the engine only notices a missing one when it gets
 * there, and a missing list never.
 */
import type { Engine } from "./engine.ts";
import { helperNames } from "./engine.ts";

export interface PartialUse {
  readonly name: string;
  readonly line: number;
  /** Whether it reads the template's own variables: it stands in no list item. */
  readonly isTop: boolean;
  /** Names that it is handed instead. */
  readonly given: readonly string[];
}

/** Lines count from 1 in the template's text. */
export interface Usage {
  /** Variables of the top level, with the first line that reads each. */
  readonly variables: ReadonlyMap<string, number>;
  readonly partials: readonly PartialUse[];
  /** What a prompt file may not hold. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

export function walk(engine: Engine, program: hbs.AST.Program): Usage {
  const variables = new Map<string, number>();
  const partials: PartialUse[] = [];
  const faults: { line: number; message: string }[] = [];
  /** One entry per list item that the walk is in: the names it gives to the item. */
  const scopes: (readonly string[])[] = [];
  const visitor = new engine.Visitor();

  const refuse = (node: hbs.AST.Node, message: string) => {
    faults.push({ line: node.loc.start.line, message });
  };
  const read = (name: string | undefined, node: hbs.AST.Node) => {
    if (name !== undefined && !variables.has(name)) variables.set(name, node.loc.start.line);
  };
  const checkHelper = (path: hbs.AST.PathExpression) => {
    if (!helperNames.has(path.original)) refuse(path, `there is no helper "${path.original}"`);
  };

  onPaths(visitor, scopes, read);
  visitor.MustacheStatement = (node) => {
    const { path } = node;
    const isCall = node.params.length > 0 || node.hash !== undefined;
    if (isPath(path) && (isCall || helperNames.has(path.original))) checkHelper(path);
    else visitor.accept(path);
    acceptArguments(visitor, node);
  };
  visitor.SubExpression = (node) => {
    checkHelper(node.path);
    acceptArguments(visitor, node);
  };
  visitor.BlockStatement = (node) => {
    checkHelper(node.path);
    acceptArguments(visitor, node);
    if (node.path.original === "each") scopes.push(node.program?.blockParams ?? []);
    if (node.program) visitor.accept(node.program);
    if (node.path.original === "each") scopes.pop();
    if (node.inverse) visitor.accept(node.inverse);
  };
  visitor.PartialStatement = (node) => {
    if (!isPath(node.name)) return refuse(node, "a partial is named by a word, not by an expression");
    acceptArguments(visitor, node);
    partials.push({
      name: node.name.original,
      line: node.loc.start.line,
      isTop: scopes.length === 0 && node.params.length === 0,
      given: node.hash?.pairs.map((pair) => pair.key) ?? [],
    });
  };
  visitor.PartialBlockStatement = (node) => refuse(node, "partial blocks are not supported");
  visitor.Decorator = (node) => refuse(node, "decorators are not supported");
  visitor.DecoratorBlock = (node) => refuse(node, "decorators are not supported");
  visitor.accept(program);
  return { variables, partials, faults };
}

/** A variable counts where no list item around it gives it its name. */
function onPaths(
  visitor: InstanceType<Engine["Visitor"]>,
  scopes: readonly (readonly string[])[],
  read: (name: string | undefined, node: hbs.AST.Node) => void,
): void {
  visitor.PathExpression = (path) => {
    const [first, second] = path.parts;
    if (path.data) {
      if (first === "root") read(second, path);
      return;
    }
    const isScoped = /^(\.\.?\/|this\b)/.test(path.original);
    if (!isScoped && first !== undefined && scopes.some((names) => names.includes(first))) return;
    if (scopes.length === path.depth) read(first, path);
  };
}

function isPath(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  return node.type === "PathExpression";
}

function acceptArguments(
  visitor: InstanceType<Engine["Visitor"]>,
  node: { params: hbs.AST.Expression[]; hash?: hbs.AST.Hash },
): void {
  for (const param of node.params) visitor.accept(param);
  for (const pair of node.hash?.pairs ?? []) visitor.accept(pair.value);
}
