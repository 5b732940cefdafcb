import { describe, expect, it } from "vitest";
import { checkDraft, countQuestions, usableOptions } from "../../../src/core/deep/draft.ts";
import type { BankQuestion } from "../../../src/model/offline/bank.ts";
import { createOffline } from "../../../src/model/offline/model.ts";
import { banks, hasData, lexicons, readData, tags } from "./kit.ts";

const english = banks[tags.indexOf("en")];
if (english === undefined) throw new Error("no English bank");
const words = {
  other: lexicons.flatMap((lexicon) => lexicon.other),
  placeholder: lexicons.flatMap((lexicon) => lexicon.placeholder),
};
const dimensions = ["goal", "constraints", "criteria", "context"] as const;

function questionsOf(bank: (typeof banks)[number]): BankQuestion[] {
  const asks = [bank.ask, ...bank.domains.map((domain) => domain.ask)];
  const asked = asks.flatMap((ask) => dimensions.flatMap((dimension) => ask[dimension]));
  return [
    ...asked,
    ...bank.ontology,
    ...bank.closure,
    bank.contradiction,
    bank.inconsistency,
    bank.evasive,
    bank.context,
  ];
}

describe.each(banks.map((bank) => [bank.tag, bank] as const))("the bank of %s", (tag, bank) => {
  it("D3.3 asks exactly one question each time, with two to four options that are no catch-all", () => {
    for (const { text, options } of questionsOf(bank)) {
      const drafted = options.map(([label, description]) => ({ label, description, from: "" }));
      expect({ text, count: countQuestions(text) }).toEqual({ text, count: 1 });
      expect(usableOptions(drafted, words)).toHaveLength(options.length);
      expect(options.every(([, description]) => description.trim() !== "")).toBe(true);
    }
  });

  it("holds the same sentences, domains and places as the English one", () => {
    const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    expect(Object.keys(bank.texts).sort()).toEqual(Object.keys(english.texts).sort());
    expect(bank.domains.map((domain) => domain.id)).toEqual(english.domains.map((domain) => domain.id));
    const shape = (item: typeof bank) =>
      item.domains.map(({ ask }) => dimensions.map((dimension) => ask[dimension].length));
    expect(shape(bank)).toEqual(shape(english));
    for (const [key, text] of Object.entries(bank.texts)) {
      // "A general answer" needs no name; apart from that nothing that English fills in may be lost.
      const wanted = places(english.texts[key] ?? "").filter((place) => place !== "{component}");
      expect({ key, missing: wanted.filter((place) => !places(text).includes(place)) }).toEqual({ key, missing: [] });
    }
  });

  it("D3.3 has four wordings at least for every dimension, so that a repeated question is another one", () => {
    for (const dimension of dimensions)
      expect(new Set(bank.ask[dimension].map((item) => item.text)).size).toBeGreaterThanOrEqual(4);
  });

  it("has patterns that compile, and a lexicon of the same language with all that reading needs", () => {
    const patterns = [
      ...bank.grammar.broken,
      ...bank.grammar.only_final,
      ...bank.replies.explain,
      ...bank.replies.edits.map((edit) => edit.pattern),
    ];
    for (const pattern of patterns) expect(() => new RegExp(pattern, "giu")).not.toThrow();
    const lexicon = lexicons.find((item) => item.tag === tag);
    expect(lexicon?.clauses?.outcomes.length).toBeGreaterThan(15);
    expect(lexicon?.detect).toBeDefined();
  });

  it("D4.5 recognises the interface's own confirming labels in its language", () => {
    if (!hasData(tag, "phrases")) return;
    const phrases = readData(tag, "phrases");
    const keys = ["fact.yes", "fact.no", "assumption.confirm"];
    for (const key of keys) expect(bank.replies.confirm).toContain(Object(phrases)[key]);
  });
});

describe("the data handed in", () => {
  it("is refused when English is missing, or when a bank does not fit", () => {
    const german = { ...english, tag: "de" };
    expect(() => createOffline({ lexicons, banks: [german], getBlob: () => "" })).toThrow(/English/);
    expect(() => createOffline({ lexicons, banks: [{ tag: "en" }], getBlob: () => "" })).toThrow();
  });

  it("passes the draft check in every language", () => {
    for (const bank of banks) {
      const { text, options } = bank.ask.goal[0] ?? { text: "", options: [] };
      const draft = {
        component: "a",
        dimension: "goal" as const,
        why: "",
        question: text,
        options: options.map(([label, description]) => ({ label, description, from: "" })),
        recommended: "",
        research: false,
        nature: "decision" as const,
        fact: { statement: "", path: "", symbol: "", interpreted: false },
      };
      expect(checkDraft(draft, words)).toEqual([]);
    }
  });
});
