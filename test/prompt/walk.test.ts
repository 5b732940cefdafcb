import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/prompt/engine.ts";
import { walk } from "../../src/prompt/walk.ts";

const engine = await createEngine();
const usage = (text: string) => walk(engine, engine.parse(text));
const variables = (text: string) => [...usage(text).variables.keys()].sort();
const faults = (text: string) => usage(text).faults.map(({ line, message }) => `${line}: ${message}`);

describe("variables of a template", () => {
  it.each([
    ["a plain one", "{{answer}}", ["answer"]],
    ["the list of an each, which strict mode never misses", "{{#each facts}}{{id}}{{/each}}", ["facts"]],
    ["a condition", "{{#if a}}{{b}}{{else if c}}{{d}}{{else}}{{e}}{{/if}}", ["a", "b", "c", "d", "e"]],
    ["an argument of a helper", '{{join a.b ", "}}{{#if (eq c d)}}x{{/if}}', ["a", "c", "d"]],
    ["a path into an object", "{{target.name}}", ["target"]],
    ["one read from inside a list", "{{#each a}}{{b}}{{../c}}{{@root.d}}{{#if ../e}}{{../f}}{{/if}}{{/each}}", "acdef"],
    ["one read from a list in a list", "{{#each a}}{{#each b}}{{../../c}}{{../d}}{{/each}}{{/each}}", ["a", "c"]],
    ["one read in a list's else", "{{#each a}}{{b}}{{else}}{{c}}{{/each}}", ["a", "c"]],
    ["one inside a fence", '{{#data "x"}}{{a}}{{/data}}', ["a"]],
    ["none for names that the list gives", "{{#each a as |item|}}{{item.b}}{{this}}{{this.c}}{{./d}}{{/each}}", ["a"]],
    ["none for what the loop counts", "{{#each a}}{{@index}}{{#unless @last}},{{/unless}}{{/each}}", ["a"]],
    ["one that a partial is handed", "{{> _facts facts=items}}", ["items"]],
    ["none for comments and text", "{{! a }}{{!-- {{b}} --}} {c} \\{{d}}", []],
  ])("finds %s", (_what, text, expected) => {
    expect(variables(text)).toEqual([...expected]);
  });

  it("says on which line each is read first", () => {
    expect([...usage("x\n{{a}}\n{{#each b}}\n{{../a}}{{../c}}\n{{/each}}").variables]).toEqual([
      ["a", 2],
      ["b", 3],
      ["c", 4],
    ]);
  });

  it("tells a partial of the top level from one in a list", () => {
    expect(usage("{{> _a}}\n{{#each b}}{{> _c x=y}}{{/each}}").partials).toEqual([
      { name: "_a", line: 1, isTop: true, given: [] },
      { name: "_c", line: 2, isTop: false, given: ["x"] },
    ]);
  });

  it.each([
    ["a\n{{shout b}}", '2: there is no helper "shout"'],
    ["{{#facts}}{{/facts}}", '1: there is no helper "facts"'],
    ["{{#if (lookup a b)}}{{/if}}", '1: there is no helper "lookup"'],
    ["{{> (name)}}", "1: a partial is named by a word, not by an expression"],
    ["{{#> layout}}{{/layout}}", "1: partial blocks are not supported"],
    ['{{#*inline "a"}}{{/inline}}', "1: decorators are not supported"],
  ])("refuses %j", (text, expected) => {
    expect(faults(text)).toEqual([expected]);
  });
});
