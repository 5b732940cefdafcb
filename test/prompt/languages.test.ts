import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Lexicon } from "../../src/core/lexicon.ts";
import { loadBanks, loadLanguages } from "../../src/prompt/languages.ts";
import { findPackageRoot } from "../../src/prompt/root.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "languages-"));
  await cp(
    join(findPackageRoot(), "prompts", "language", "en", "phrases.json"),
    join(root, "prompts", "language", "en", "phrases.json"),
  );
});
afterEach(() => rm(root, { recursive: true }));

const put = async (tag: string, name: string, value: unknown) => {
  await mkdir(join(root, "prompts", "language", tag), { recursive: true });
  await writeFile(join(root, "prompts", "language", tag, name), JSON.stringify(value));
};
const lexicon = {
  tag: "tlh",
  name: "Klingon",
  instruction: "Write in Klingon.",
  control: { opt_out: ["a"], finish: [], cancel: [], explain: [] },
  evasions: [],
  change: [],
  constraint: [],
  exclusion: [],
  other: [],
  placeholder: [],
  conjunctions: [],
} satisfies Lexicon;

describe("languages", () => {
  it("D1.6 takes in a language that only has files, whatever its tag", async () => {
    await put("tlh", "lexicon.json", lexicon);
    await put("tlh", "bank.json", { goal: ["nuqneH"] });
    await put("eo", "phrases.json", { "restate.yes": "Jes" });
    const languages = await loadLanguages(root);
    expect(languages.lexicons).toEqual([lexicon]);
    expect(Object.keys(languages.phrases)).toEqual(["en", "eo"]);
    expect(languages.phrases["eo"]).toEqual({ "restate.yes": "Jes" });
    expect(await loadBanks(root)).toEqual({ tlh: { goal: ["nuqneH"] } });
  });

  it("D1.6 refuses a file that does not fit, by its name", async () => {
    await put("tlh", "lexicon.json", { ...lexicon, change: "one" });
    await expect(loadLanguages(root)).rejects.toThrow(/tlh\/lexicon\.json[\s\S]*change/);
    await put("tlh", "lexicon.json", lexicon);
    await put("tlh", "phrases.json", { a: 1 });
    await expect(loadLanguages(root)).rejects.toThrow("tlh/phrases.json");
  });

  it("D1.6 cannot do without English, and reads what ships", async () => {
    await rm(join(root, "prompts", "language", "en", "phrases.json"));
    await expect(loadLanguages(root)).rejects.toThrow("en/phrases.json is missing");
    expect((await loadLanguages()).phrases["en"]?.["refine.send"]).toBe("Send as-is");
  });
});
