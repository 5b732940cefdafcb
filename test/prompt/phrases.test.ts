/**
 * The interface sentences of every language that ships (D1.6), held against the English ones, and the English ones held
 * against the code that says them.
 */
import { describe, expect, it } from "vitest";
import { countQuestions, isCatchAll, isPlaceholder } from "../../src/core/deep/draft.ts";
import { hasSamePlaces } from "../../src/core/deep/phrase.ts";
import type { TopologyEdit } from "../../src/core/deep/vocabulary.ts";
import type { Phrases } from "../../src/core/lexicon.ts";
import { fold } from "../../src/core/text.ts";
import { loadLanguages } from "../../src/prompt/languages.ts";
import { common, reply, type Tag } from "../model/offline/kit.ts";
import { families, findUses, opaque, optionKeys, unsaid } from "./sayings.ts";

const { phrases, lexicons } = await loadLanguages();
const english = phrases["en"] ?? {};
const keys = Object.keys(english);
const translated = ["es", "ja", "ko"] as const satisfies readonly Tag[];
const textsOf = (tag: string): Phrases => phrases[tag] ?? {};

/** Read by others as well as by people, or names of things: the same in every language. */
const fixed: ReadonlySet<string> = new Set([
  "header",
  "topology.header",
  "threshold.changed",
  "refine.decision",
  "refine.reasoning",
  "refine.constraints",
  "refine.out_of_scope",
  "refine.context",
]);
/** Slash words, commands, keys, and names that are written as they are whatever the language. */
const marks = /\/[a-z]+\b|`[^`]+`|<<|\\|\b(?:Ctrl-C|Esc|Tab|Enter|ralplan|ultragoal|CSVs?)\b/g;
const marksOf = (text: string) => [...new Set(text.match(marks) ?? [])].sort();
const isWords = (text: string) => /\p{L}/u.test(text.replace(/\{\w+\}/g, ""));

const scripts: Readonly<Record<(typeof translated)[number], { own: RegExp; foreign: RegExp }>> = {
  es: { own: /\p{Script=Latin}/u, foreign: /[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u },
  ja: { own: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u, foreign: /\p{Script=Hangul}/u },
  ko: { own: /\p{Script=Hangul}/u, foreign: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u },
};

it("D1.6 the interface ships in English, Spanish, Japanese and Korean, each beside its lexicon", () => {
  expect(Object.keys(phrases).sort()).toEqual(["en", ...translated]);
  expect(lexicons.map(({ tag }) => tag).sort()).toEqual(["en", ...translated]);
});

describe.each(translated)("the sentences of %s", (tag) => {
  const own = textsOf(tag);

  it("D1.6 has exactly the English keys, each with the same places and none of them empty", () => {
    expect(Object.keys(own).sort()).toEqual([...keys].sort());
    const lost = keys.filter((key) => !hasSamePlaces(english[key] ?? "", own[key] ?? ""));
    expect(lost).toEqual([]);
  });

  it("D1.6 fixed labels, slash words, commands and keys stay as they are", () => {
    for (const key of fixed) expect([key, own[key]]).toEqual([key, english[key]]);
    for (const key of keys) expect([key, marksOf(own[key] ?? "")]).toEqual([key, marksOf(english[key] ?? "")]);
    for (const letter of ["A", "B", "C", "D"]) expect(own[`trigger.${letter}`]).toMatch(new RegExp(`^${letter} \\S`));
  });

  it("D1.6 nothing else is left in English or strays into another script", () => {
    const { own: script, foreign } = scripts[tag];
    for (const key of keys.filter((item) => !fixed.has(item) && isWords(english[item] ?? ""))) {
      expect([key, own[key]]).not.toEqual([key, english[key]]);
      expect([key, own[key]]).toEqual([key, expect.stringMatching(script)]);
      expect([key, own[key]]).not.toEqual([key, expect.stringMatching(foreign)]);
    }
  });

  it("keeps the lines of the English sentence, and no blanks at its ends or doubled inside", () => {
    for (const key of keys) {
      const [text, model] = [own[key] ?? "", english[key] ?? ""];
      expect([key, text.split("\n").length]).toEqual([key, model.split("\n").length]);
      expect([key, /^\s|\s$|[^\S\n]{2}|[^\S\n]\n/.test(text)]).toEqual([key, false]);
    }
  });

  it("D3.3 asks as many questions as the English sentence, and a round's template exactly one", () => {
    for (const key of keys) {
      expect([key, countQuestions(own[key] ?? "")]).toEqual([key, countQuestions(english[key] ?? "")]);
      if (/^template\.[a-z]+$/.test(key)) expect([key, countQuestions(own[key] ?? "")]).toEqual([key, 1]);
    }
  });

  it("D3.3 D4.2 option labels differ within a question, and none is a catch-all, a number, a letter or marked", () => {
    const words = {
      other: lexicons.flatMap((lexicon) => lexicon.other),
      placeholder: lexicons.flatMap((lexicon) => lexicon.placeholder),
    };
    for (const question of optionKeys) {
      const labels = question.map((key) => own[key] ?? "");
      expect(new Set(labels.map(fold)).size).toBe(labels.length);
      for (const label of labels) {
        expect([label, isCatchAll(label, words) || isPlaceholder(label, words)]).toEqual([label, false]);
        expect(label).not.toMatch(/^(?:\d+|\p{L})[.)]?$|recommended|[.。:]$/iu);
        expect(label).not.toContain(own["ask.recommended"]);
      }
    }
    expect(own["ask.recommended"]).toMatch(/^\(\S+\)$/);
  });

  it("D2.2 the examples of the topology questions are read as the edits that they stand for", async () => {
    expect(await editsOf(tag, "topology.collect")).toEqual(["add", "merge", "split", "rename"]);
    expect(await editsOf(tag, "topology.collect.defer")).toEqual(["defer"]);
    expect(await editsOf(tag, "topology.unclear")).toEqual(["remove", "merge"]);
  });
});

it("D2.2 so are the English examples", async () => {
  expect(await editsOf("en", "topology.collect")).toEqual(["add", "merge", "split", "rename"]);
  expect(await editsOf("en", "topology.collect.defer")).toEqual(["defer"]);
  expect(await editsOf("en", "topology.unclear")).toEqual(["remove", "merge"]);
});

it("D1.6 Korean puts no particle that depends on the last sound behind a place", () => {
  const particle = /\}[’"”]?(?:은|는|이|가|을|를|과|와|으로|로|이나|나|이라|라)(?=[\s,.?]|$)/;
  const found = Object.entries(textsOf("ko")).filter(([, text]) => particle.test(text));
  expect(found).toEqual([]);
});

describe("the English sentences", () => {
  const uses = findUses();

  it("D1.6 hold every key that the code says", () => {
    expect([...uses.keys].filter((key) => !keys.includes(key))).toEqual([]);
    expect(uses.keys.size).toBeGreaterThan(120);
  });

  it("D1.6 hold every key of the families that are put together from parts, which are all listed", () => {
    expect([...uses.patterns].sort()).toEqual(Object.keys(families).sort());
    expect([...uses.opaque].sort()).toEqual(Object.keys(opaque).sort());
    const made = [...Object.values(families), ...Object.values(opaque)].flat();
    expect(made.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it("D1.6 hold no key that nothing says", () => {
    const said = new Set([...uses.keys, ...Object.values(families).flat(), ...Object.values(opaque).flat()]);
    expect(keys.filter((key) => !said.has(key))).toEqual(unsaid);
  });
});

/** What the quoted examples of a sentence do to a topology of four, by the offline interviewer's rules. */
async function editsOf(tag: Tag, key: string): Promise<TopologyEdit["op"][]> {
  const examples = [...(textsOf(tag)[key] ?? "").matchAll(/"([^"]+)"|「([^」]+)」|«([^»]+)»/g)];
  const names: Readonly<Record<Tag, readonly [string, string]>> = {
    en: ["Import", "Export"],
    es: ["Importación", "Exportación"],
    ja: ["取り込み", "書き出し"],
    ko: ["가져오기", "내보내기"],
  };
  const components = [...names[tag], "Ledger", "Archive"].map((name, index) => ({
    id: `c${index + 1}`,
    name,
    description: name,
    status: "active" as const,
  }));
  const about = { purpose: "topology" as const, question: "?", options: [], picked: [], components, explain: false };
  const read = examples.map(async ([, ...said]) => {
    const text = said.find((part) => part !== undefined) ?? "";
    const { kind, edits } = await reply("interpret", { ...common(tag), ...about, text });
    expect([text, kind, edits.length]).toEqual([text, "answer", 1]);
    return edits.map(({ op }) => op);
  });
  return (await Promise.all(read)).flat();
}
