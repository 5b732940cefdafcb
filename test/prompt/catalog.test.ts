import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as yaml from "yaml";
import { UsageError } from "../../src/errors.ts";
import { createCatalog } from "../../src/prompt/catalog.ts";
import { createEngine } from "../../src/prompt/engine.ts";
import { inputsOf } from "../../src/prompt/inputs.ts";
import { createPrompts } from "../../src/prompt/render.ts";
import { findPackageRoot } from "../../src/prompt/root.ts";
import { walk } from "../../src/prompt/walk.ts";
import { names, samples, taskOf } from "./samples.ts";

const root = findPackageRoot();
let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "prompts-"));
});
afterEach(() => rm(dir, { recursive: true }));

const put = (name: string, text: string) => writeFile(join(dir, `${name}.md`), text);
const restate = (body: string, inputs = "language, facts") =>
  `---\nname: restate\ntask: restate\nversion: 2\ninputs: [${inputs}]\n---\n${body}`;
const render = async (name: (typeof names)[number] = "restate") => {
  const prompts = createPrompts({ catalog: createCatalog({ dir }), getBlob: async () => "", promptBudgetTokens: 9000 });
  return (await prompts.render(taskOf(name))).blocks.at(-1)?.text ?? "";
};
const refusal = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof UsageError ? error.message.replace(`${dir}/`, "") : "";
};

describe("the files that ship", () => {
  it("declare exactly the variables that they and their partials read", async () => {
    const engine = await createEngine();
    const texts = new Map<string, string>();
    for (const folder of ["prompts", "fragments"]) {
      for (const file of (await readdir(join(root, folder))).filter((name) => name.endsWith(".md"))) {
        texts.set(file.slice(0, -3), await readFile(join(root, folder, file), "utf8"));
      }
    }
    const parts = (name: string) => {
      const [, head = "", ...body] = (texts.get(name) ?? "").split(/^---$/m);
      return { front: yaml.parse(head), body: body.join("---") };
    };
    const reads = (name: string): string[] => {
      const { variables, partials } = walk(engine, engine.parse(parts(name).body));
      return [...variables.keys(), ...partials.filter((part) => part.isTop).flatMap((part) => reads(part.name))];
    };
    expect(texts.size).toBeGreaterThan(25);
    for (const name of texts.keys()) {
      const { front } = parts(name);
      expect([...new Set(reads(name))].sort(), name).toEqual([...front.inputs].sort());
      expect(front, name).toMatchObject({ name, version: expect.any(Number) });
    }
  });

  it("read only what their task is given", async () => {
    const files = await createCatalog().all();
    for (const name of names) {
      const file = files.find((candidate) => candidate.name === taskOf(name).prompt);
      expect(file?.task).toBe(name);
      const given = [...Object.keys(samples[name]), ...(name === "summarise" ? ["text"] : [])];
      expect(given.sort()).toEqual([...(inputsOf(name) ?? [])].sort());
      for (const input of file?.inputs ?? []) expect(given, `${name}: ${input}`).toContain(input);
    }
  });

  it("are found from the source tree and from a build beside them", () => {
    expect(findPackageRoot(`file://${root}/dist/chunks/prompt-AB12.js`)).toBe(root);
    expect(findPackageRoot(`file://${root}/dist/main.js`)).toBe(root);
    expect(() => findPackageRoot("file:///nowhere/main.js")).toThrow("installation is incomplete");
  });
});

describe("a user's own folder", () => {
  it("replaces file by file, and leaves the rest as it ships", async () => {
    await put("restate", restate("Mine: {{language.tag}} {{#each facts}}{{id}} {{/each}}"));
    await put("notes", "Not a prompt at all.");
    expect(await render()).toBe("Mine: en f1 f2\n\ntask: restate");
    expect(await render("closure")).toContain("Audit this interview");
  });

  it("replaces partials, and may bring partials of its own", async () => {
    await put("_facts", "---\nname: _facts\nversion: 2\ninputs: [facts]\n---\nFACTS {{#each facts}}{{id}}{{/each}}");
    await put("_mine", "---\nname: _mine\nversion: 1\ninputs: [language]\n---\n<{{language.tag}}>");
    await put("restate", restate("{{> _facts}} {{> _mine}}"));
    expect(await render()).toBe("FACTS f1f2 <en>\n\ntask: restate");
    expect(await render("closure")).toContain("FACTS f1f2");
  });

  it.each([
    [
      "reads what the task does not have",
      "a\n{{#each fatcs}}{{/each}}",
      "language, facts, fatcs",
      'restate.md:8: the task restate has no input "fatcs"; it has language, type, components, facts, corrections, transcript, idea',
    ],
    [
      "reads what it does not declare",
      "a\nb {{idea}}{{facts}}",
      "facts",
      'restate.md:8: "idea" is read but not declared in inputs',
    ],
    [
      "declares what it never reads",
      "{{facts}}",
      "facts, idea",
      'restate.md:5: "idea" is declared in inputs but never read',
    ],
    [
      "reads what an item does not have",
      "\n{{#each facts}}\n{{nmae}}{{/each}}{{language.tag}}",
      "language, facts",
      'restate.md:9: "nmae" not defined',
    ],
    [
      "loops over what is no list",
      "{{#each language}}{{/each}}{{facts}}",
      "language, facts",
      "restate.md:7: each: its value is no list",
    ],
    [
      "asks about what is not there",
      "{{facts}}\n{{#if language.nmae}}{{/if}}",
      "language, facts",
      "restate.md:8: if: its value is not there",
    ],
    ["does not parse", "{{facts}}\n{{#if language}}", "language, facts", "restate.md:8: it does not parse: "],
    [
      "names a helper that is not there",
      "{{shout facts}}{{language}}",
      "language, facts",
      'restate.md:7: there is no helper "shout"',
    ],
    [
      "names a partial that is not there",
      "{{facts}}{{language}}{{> _nope}}",
      "language, facts",
      'restate.md:7: there is no prompt file "_nope"',
    ],
  ])("refuses a file that %s, with its line", async (_what, body, inputs, message) => {
    await put("restate", restate(body, inputs));
    expect(await refusal(render())).toContain(message);
  });

  it.each([
    ["no front matter", "Just text.", "restate.md:1: it has to begin with a front matter"],
    ["another name", restate("").replace("name: restate", "name: other"), 'restate.md:2: its name has to be "restate"'],
    ["another task", restate("").replace("task: restate", "task: score"), "restate.md:3: its task has to be restate"],
    ["no version", restate("").replace("version: 2\n", ""), "version: "],
    [
      "an unknown key",
      restate("").replace("version: 2", "version: 2\nmodel: x"),
      'restate.md:5: model: Unrecognized key: "model"',
    ],
    ["broken YAML", restate("").replace("version: 2", "version: [2"), "restate.md:5: its front matter is no YAML: "],
  ])("refuses a file with %s", async (_what, text, message) => {
    await put("restate", text);
    expect(await refusal(render())).toContain(message);
  });

  it("finds a mistake at the first prompt, whichever file holds it", async () => {
    await put("crystallize", "---\nname: crystallize\ntask: crystallize\nversion: 1\ninputs: []\n---\n{{nope}}");
    expect(await refusal(render("summarise"))).toContain("crystallize.md:7: ");
  });

  it("refuses a name that nothing reads", async () => {
    await put("scoer", restate("").replaceAll("restate", "scoer"));
    expect(await refusal(render())).toMatch(
      /^scoer\.md:1: nothing reads a prompt of this name; the names are auto-answer/,
    );
  });

  it("refuses a circle of partials", async () => {
    await put("_a", "---\nname: _a\nversion: 1\ninputs: []\n---\n{{> _b}}");
    await put("_b", "---\nname: _b\nversion: 1\ninputs: []\n---\n\n{{> _a}}");
    expect(await refusal(render())).toBe('_b.md:7: "_a" would include itself');
  });

  it("refuses a folder that cannot be read", async () => {
    const catalog = createCatalog({ dir: join(dir, "nope") });
    expect(await refusal(catalog.find("score"))).toContain("--prompts: the folder");
  });
});
