/**
 * Which interface sentences the code says: keys as they stand in it, keys put together from parts, and places where the
 * key comes from somewhere else. Found in the syntax tree, so that neither a lost nor a forgotten key stays unseen.
 */
import { replies } from "../../src/core/deep/tasks.ts";
import { filesOf, isNode, type Node, readSource, type Source, textOf, visit } from "../source.ts";

const withDescription = (names: readonly string[]) => names.flatMap((name) => [name, `${name}.description`]);
const letters = ["A", "B", "C", "D"];

/** Keys with a part that is only known when they are said, by pattern (`…` is the part), and all that it can be. */
export const families: Readonly<Record<string, readonly string[]>> = {
  "why.trigger.…": letters.map((letter) => `why.trigger.${letter}`),
  "trigger.…": letters.map((letter) => `trigger.${letter}`),
  "fact.…": ["fact.yes", "fact.no"],
  "fact.….description": ["fact.yes.description", "fact.no.description"],
  "template.…": ["goal", "constraints", "criteria", "context", "ontology"].map((key) => `template.${key}`),
  "template.option.…": ["a", "b", "c"].map((id) => `template.option.${id}`),
  "refine.…": ["reasoning", "constraints", "out_of_scope", "context"].map((key) => `refine.${key}`),
  "ask.…": ["ask.explain", "ask.opt-out", "ask.finish"],
  "ask.working.…": Object.keys(replies).map((task) => `ask.working.${task}`),
};

/** Where the key is a value of its own: what it can be, or nothing where another entry says so. */
export const opaque: Readonly<Record<string, readonly string[]>> = {
  "src/cli/language.ts: key": [],
  "src/core/deep/questions.ts: key": [],
  "src/core/deep/tell.ts: key": [],
  "src/core/deep/tell.ts: event.reason": ["early-exit", "budget", "exhausted"],
};

/** In English, but said by nothing. */
export const unsaid: readonly string[] = [];

export interface Uses {
  readonly keys: Set<string>;
  readonly patterns: Set<string>;
  readonly opaque: Set<string>;
}

/** At which place each function takes a key; of these only `say` is also called as a method. */
const sayers: Readonly<Record<string, number>> = { phrase: 2, say: 0, warn: 0, collectQuestion: 4 };
/** Its `say` makes a reply. */
const without = "src/ask/scripted.ts";

/** The options of each question that code words, by the keys of their labels. */
export const optionKeys: readonly (readonly string[])[] = [
  ...optionCalls().map(({ base, names }) => names.map((name) => `${base}.${name}`)),
  families["fact.…"] ?? [],
  families["template.option.…"] ?? [],
].filter((labels) => labels.length > 0);

/** Everything that core, askers and command line say. The model layer has sentences of its own, by keys of its own. */
export function findUses(): Uses {
  const uses: Uses = { keys: new Set(), patterns: new Set(), opaque: new Set() };
  for (const source of speaking()) {
    visit(source.program, (node) => {
      const at = sayers[calledIn(node)];
      const said = at === undefined ? undefined : argumentsOf(node)[at];
      if (said !== undefined) collect(source, said, uses);
      // `phrases["en"]?.["language.instruction"]`
      const property = node.type === "MemberExpression" && node["computed"] === true ? textOf(node["property"]) : null;
      if (property?.includes(".")) uses.keys.add(property);
    });
  }
  for (const { base, names } of optionCalls())
    for (const key of withDescription(names.map((name) => `${base}.${name}`))) uses.keys.add(key);
  return uses;
}

function speaking(): Source[] {
  return ["src/core", "src/ask", "src/cli", "src/run"]
    .flatMap((folder) => filesOf(folder, /\.ts$/))
    .filter((path) => path !== without)
    .map(readSource);
}

/** `fixedOptions(config, state, base, names, …)`: labels and descriptions of a question that code words. */
function optionCalls(): { readonly base: string; readonly names: readonly string[] }[] {
  const calls: { base: string; names: string[] }[] = [];
  for (const source of speaking()) {
    visit(source.program, (node) => {
      if (calledIn(node) !== "fixedOptions") return;
      const [, , base, names] = argumentsOf(node);
      const found: Uses = { keys: new Set(), patterns: new Set(), opaque: new Set() };
      if (names !== undefined) collect(source, names, found);
      calls.push({ base: textOf(base) ?? "", names: [...found.keys] });
    });
  }
  return calls;
}

function calledIn(node: Node): string {
  if (node.type !== "CallExpression" || !isNode(node["callee"])) return "";
  const { callee } = node;
  const isMethod = callee.type === "MemberExpression";
  const named = isMethod ? callee["property"] : callee;
  const name = isNode(named) && typeof named["name"] === "string" ? named["name"] : "";
  return isMethod && name !== "say" ? "" : name;
}

function argumentsOf(node: Node): Node[] {
  return Array.isArray(node["arguments"]) ? node["arguments"].filter(isNode) : [];
}

/** The keys that an expression can be: through conditions, lists, and names that the same file declares. */
function collect(source: Source, node: Node, uses: Uses): void {
  const text = textOf(node);
  if (text === null) {
    const parts = partsOf(source, node);
    for (const part of parts) collect(source, part, uses);
    if (parts.length === 0) uses.opaque.add(`${source.path}: ${source.code.slice(node.start, node.end)}`);
    // The options' own family is spelled out by its calls.
  } else if (!/^….…/.test(text)) (text.includes("…") ? uses.patterns : uses.keys).add(text);
}

/** What an expression chooses from; nothing for one that is not followed further. */
function partsOf(source: Source, node: Node): Node[] {
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isNode) : []);
  switch (node.type) {
    case "ConditionalExpression":
      return [node["consequent"], node["alternate"]].filter(isNode);
    case "LogicalExpression":
      return [node["left"], node["right"]].filter(isNode);
    case "ArrayExpression":
      return list(node["elements"]);
    case "ObjectExpression":
      return list(node["properties"]).flatMap((property) => list([property["value"]]));
    case "MemberExpression":
      return node["computed"] === true ? list([node["object"]]) : [];
    case "Identifier":
      return declarationsOf(source, node["name"]);
    default:
      return [];
  }
}

function declarationsOf(source: Source, name: unknown): Node[] {
  const found: Node[] = [];
  visit(source.program, (node) => {
    const { id, init } = node;
    if (node.type === "VariableDeclarator" && isNode(id) && id["name"] === name && isNode(init)) found.push(init);
  });
  return found;
}
