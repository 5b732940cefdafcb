/**
 * YAML or JSON as a plain tree that knows its lines: every scalar as it is written (`1.50` stays `1.50`, `yes` stays
 * `yes`), aliases followed, bounded in size, depth and nodes so that no small file grows in memory.
 */
import type { Alias, Pair, YAMLMap, YAMLSeq } from "yaml";
import type { Problems } from "./problems.ts";

export type Located =
  | { readonly kind: "scalar"; readonly line: number; readonly text: string }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly Located[] }
  | { readonly kind: "map"; readonly line: number; readonly entries: readonly LocatedEntry[] };

export interface LocatedEntry {
  readonly key: string;
  readonly line: number;
  readonly value: Located;
}

const maxChars = 1024 * 1024;
const maxDepth = 12;
const maxNodes = 100_000;

/** The tree of a file, or null when it cannot be read; what is wrong goes to `problems`. */
export async function locate(text: string, problems: Problems): Promise<Located | null> {
  if (text.length > maxChars) {
    problems.add(1, `the file is larger than ${maxChars} characters`);
    return null;
  }
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  // The failsafe schema knows strings, lists and maps only: nothing turns into a number, a date or an object.
  const document = yaml.parseDocument(text.replace(/^\ufeff/u, ""), {
    schema: "failsafe",
    lineCounter: lines,
    prettyErrors: false,
  });
  const faults = [...document.errors, ...document.warnings];
  for (const fault of faults) problems.add(lines.linePos(fault.pos[0]).line, fault.message);
  if (faults.length > 0) return null;

  let budget = maxNodes;
  const lineOf = (node: { range?: readonly number[] | null | undefined }, fallback: number) =>
    node.range?.[0] === undefined ? fallback : lines.linePos(node.range[0]).line;
  const refuse = (line: number, message: string): Located => {
    if (budget > -Infinity) problems.add(line, message);
    budget = -Infinity;
    return { kind: "scalar", line, text: "" };
  };
  const convert = (node: unknown, above: number, depth: number): Located => {
    budget -= 1;
    if (budget < 0) return refuse(above, `the file has more than ${maxNodes} values`);
    if (depth > maxDepth) return refuse(above, `the file is nested more than ${maxDepth} deep`);
    if (yaml.isAlias(node)) return follow(node, lineOf(node, above), depth);
    if (yaml.isSeq(node)) return list(node, lineOf(node, above), depth);
    if (yaml.isMap(node)) return map(node, lineOf(node, above), depth);
    if (yaml.isScalar(node)) return { kind: "scalar", line: lineOf(node, above), text: String(node.value ?? "") };
    return { kind: "scalar", line: above, text: "" };
  };
  const follow = (alias: Alias, line: number, depth: number): Located => {
    const target = alias.resolve(document);
    return target === undefined ? refuse(line, `nothing is named &${alias.source}`) : convert(target, line, depth + 1);
  };
  const list = (node: YAMLSeq, line: number, depth: number): Located => ({
    kind: "list",
    line,
    items: node.items.map((item) => convert(item, line, depth + 1)),
  });
  const map = (node: YAMLMap, line: number, depth: number): Located => ({
    kind: "map",
    line,
    entries: node.items.map((pair: Pair) => {
      const key = convert(pair.key, line, depth + 1);
      if (key.kind !== "scalar") problems.add(key.line, "a key has to be a word");
      return {
        key: key.kind === "scalar" ? key.text : "",
        line: key.line,
        value: convert(pair.value, key.line, depth + 1),
      };
    }),
  });
  return convert(document.contents, 1, 0);
}
