import { describe, expect, it } from "vitest";
import { requirements } from "./requirements.ts";
import { filesOf, isNode, type Node, parseSource, readSource, type Source, textOf, visit } from "./source.ts";

interface Test {
  readonly title: string;
  readonly ids: readonly string[];
  /** It, or a group around it, is skipped, to do, expected to fail, or runs only under a condition. */
  readonly isIdle: boolean;
}

const idle = new Set(["skip", "todo", "fails", "skipIf", "runIf", "failing"]);

/** `it.skip.each(...)("…")` is `it`, `skip` and `each`. Empty for a call of anything else. */
function chainOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === "Identifier") return [String(callee["name"])];
  if (callee.type === "CallExpression") return chainOf(callee["callee"]);
  if (callee.type === "TaggedTemplateExpression") return chainOf(callee["tag"]);
  if (callee.type !== "MemberExpression" || !isNode(callee["property"])) return [];
  return [...chainOf(callee["object"]), String(callee["property"]["name"])];
}

function titleOf(node: Node): string | null {
  return Array.isArray(node["arguments"]) ? textOf(node["arguments"][0]) : null;
}

function isIdle(node: Node): boolean {
  const chain = chainOf(node["callee"]);
  if (!["it", "test", "describe", "suite"].includes(chain[0] ?? "")) return false;
  const options = Array.isArray(node["arguments"])
    ? node["arguments"].find((item) => isNode(item) && item.type === "ObjectExpression")
    : null;
  const keys = isNode(options) && Array.isArray(options["properties"]) ? options["properties"].filter(isNode) : [];
  return chain.some((name) => idle.has(name)) || keys.some(({ key }) => isNode(key) && idle.has(String(key["name"])));
}

/** Every test of a file whose title stands in it, with the ids that the title cites. */
function testsOf(source: Source): Test[] {
  const found: Test[] = [];
  visit(source.program, (node, parents) => {
    if (node.type !== "CallExpression" || !["it", "test"].includes(chainOf(node["callee"])[0] ?? "")) return;
    const title = titleOf(node);
    if (title === null) return;
    // A matcher with a dot or a version is no id: D5.1 has a letter before and nothing joined on.
    const ids = [...title.matchAll(/(?<![\p{L}\p{N}.])[DF]\d+\.\d+(?![\p{L}\p{N}])/gu)].map(([id]) => id);
    found.push({
      title,
      ids,
      isIdle: [node, ...parents].some((item) => item.type === "CallExpression" && isIdle(item)),
    });
  });
  return found;
}

const tests = filesOf("test", /\.test\.ts$/)
  .filter((path) => path !== "test/requirements.test.ts" && !/^test\/(?:live|crash|browser)\//.test(path))
  .flatMap((path) => testsOf(readSource(path)));
const known = new Set(requirements.map(({ id }) => id));

describe("requirements", () => {
  it("are complete and listed once, each with a rule in one sentence", () => {
    const counts = [6, 6, 6, 7, 7, 8, 2, 5, 4, 3, 5, 4];
    const expected = counts.flatMap((count, part) =>
      Array.from({ length: count }, (_, index) => `D${part}.${index + 1}`),
    );
    expect(requirements.map(({ id }) => id)).toEqual(expected);
    for (const { rule, source } of requirements)
      expect([source, rule]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/^[A-Z].*\.$/)]);
  });

  it("have a test each that names them", () => {
    const cited = new Set(tests.filter((test) => !test.isIdle).flatMap(({ ids }) => ids));
    expect([...known].filter((id) => !cited.has(id))).toEqual([]);
  });

  it("are cited by tests that run", () => {
    expect(tests.filter((test) => test.isIdle && test.ids.length > 0).map(({ title }) => title)).toEqual([]);
  });

  it("are all that tests cite", () => {
    const unknown = tests.flatMap(({ ids, title }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${id} in: ${title}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe("the gate itself", () => {
  const read = (code: string) => testsOf(parseSource("test/x.test.ts", code));

  it("finds titles in plain, parametrised and template form, and what they cite", () => {
    const code = [
      'it("D5.1 and D10.2: weights", () => {});',
      'test.each([1])("D6.1 %s", () => {});',
      "it.each`a`(`D7.1 \x24{x} D7.2`, () => {});",
      'it("no id in D5 or v1.D5.1 or D5.1a", () => {});',
      'describe("D9.1 a group proves nothing", () => {});',
    ].join("\n");
    expect(read(code).map(({ ids }) => ids)).toEqual([["D5.1", "D10.2"], ["D6.1"], ["D7.1", "D7.2"], []]);
  });

  it.each([
    'it.skip("D5.1", () => {});',
    'it.todo("D5.1");',
    'it.fails("D5.1", () => {});',
    'it.skipIf(true)("D5.1", () => {});',
    'it.skip.each([1])("D5.1 %s", () => {});',
    'it("D5.1", { skip: true }, () => {});',
    'describe.skip("x", () => { it("D5.1", () => {}); });',
    'describe("x", { todo: true }, () => { describe("y", () => { test("D5.1", () => {}); }); });',
  ])("notices a test that does not run: %s", (code) => {
    expect(read(code)).toEqual([{ title: expect.stringContaining("D5.1"), ids: ["D5.1"], isIdle: true }]);
  });

  it("takes no test for idle that only mentions such a word", () => {
    expect(read('it("D5.1 skip", () => { skip(); it.x; });').map((test) => test.isIdle)).toEqual([false]);
  });
});
