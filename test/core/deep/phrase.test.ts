import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageFrom, languageOf } from "../../../src/core/deep/language.ts";
import { type Config, fill, hasSamePlaces, phrase, phrasesOf, translatable } from "../../../src/core/deep/phrase.ts";
import { blankState } from "../../../src/core/deep/state.ts";
import type { TaskReply } from "../../../src/core/deep/tasks.ts";
import type { Language } from "../../../src/core/deep/vocabulary.ts";
import type { Lexicon } from "../../../src/core/lexicon.ts";

const lexicon = (tag: string, name: string): Lexicon => ({
  tag,
  name,
  instruction: `Write in ${name}.`,
  control: { opt_out: [], finish: [], cancel: [], explain: [] },
  evasions: [],
  change: [],
  constraint: [],
  exclusion: [],
  other: [],
  placeholder: [],
  conjunctions: [],
});
const config: Config = {
  languages: {
    lexicons: [lexicon("en", "English"), lexicon("pt", "Portuguese"), lexicon("tlh", "Klingon")],
    phrases: {
      en: { hello: "Hello {name}", only: "Only here", header: "Round {round}", "language.instruction": "Use {tag}." },
      pt: { hello: "Olá {name}", header: "Ronda {round}" },
    },
  },
  sha256: () => "",
};
const inLanguage = (language: Partial<Language> | null) => ({
  ...blankState,
  language: language === null ? null : { tag: "en", name: "", instruction: "", phrases: {}, ...language },
});
const reply = (tag: string, more: Partial<TaskReply<"topology">> = {}): TaskReply<"topology"> => ({
  language: { tag, name: "Told", instruction: "As told." },
  phrases: [],
  changes_existing: false,
  grouping: "",
  components: [],
  ...more,
});

describe("phrase", () => {
  it("D1.6 speaks the language's own file, or that of its base, or what was translated, else English", () => {
    const say = (language: Partial<Language> | null, key = "hello") =>
      phrase(config, inLanguage(language), key, { name: "Ana" });
    expect(say(null)).toBe("Hello Ana");
    expect(say({ tag: "pt" })).toBe("Olá Ana");
    expect(say({ tag: "pt-BR" })).toBe("Olá Ana");
    expect(say({ tag: "pt" }, "only")).toBe("Only here");
    expect(say({ tag: "vi", phrases: { hello: "Chào {name}" } })).toBe("Chào Ana");
    expect(say({ tag: "vi", phrases: { hello: "Chào {name}" } }, "only")).toBe("Only here");
  });

  it("D1.6 fixed labels are never translated", () => {
    expect(phrase(config, inLanguage({ tag: "pt" }), "header", { round: 3 })).toBe("Round 3");
    expect(phrase(config, inLanguage({ tag: "vi", phrases: { header: "Vòng {round}" } }), "header", { round: 3 })).toBe(
      "Round 3",
    );
    expect(translatable(config.languages.phrases["en"] ?? {}).map(({ key }) => key)).toEqual([
      "hello",
      "only",
      "language.instruction",
    ]);
  });

  it("D1.6 a key that nobody knows is our bug, said at once", () => {
    expect(() => phrase(config, inLanguage(null), "nothing")).toThrow("no phrase named nothing");
  });
});

describe("fill", () => {
  it("D1.6 fills every place once; what is filled in is no template, and an unknown place stays", () => {
    expect(fill("{a} and {a}, {b}", { a: "{b}", b: 2 })).toBe("{b} and {b}, 2");
    expect(fill("{a} $& $1 {c}", { a: "$&" })).toBe("$& $& $1 {c}");
  });

  it("D1.6 law: a value comes out as it went in", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(fill("<{x}>", { x: value })).toBe(`<${value}>`);
      }),
    );
  });
});

describe("hasSamePlaces", () => {
  it("D1.6 asks for every place of the English sentence and no other, in any order", () => {
    expect(hasSamePlaces("{a} of {b}", "{b}: {a}, {a}")).toBe(true);
    for (const bad of ["{a}", "{a} {b} {c}", "", "  ", "{A} {b}"]) expect(hasSamePlaces("{a} of {b}", bad)).toBe(false);
  });
});

describe("the language itself", () => {
  it("D1.6 a language given by tag has its own data, or its base's, or a plain instruction", () => {
    expect(languageOf(config, "pt-BR")).toEqual({
      tag: "pt-BR",
      name: "Portuguese",
      instruction: "Write in Portuguese.",
      phrases: {},
    });
    expect(languageOf(config, "vi")).toEqual({ tag: "vi", name: "vi", instruction: "Use vi.", phrases: {} });
    expect(phrasesOf(config.languages, "pt-BR")).toBe(config.languages.phrases["pt"]);
    expect(phrasesOf(config.languages, "tlh")).toBeUndefined();
  });

  it("D1.6 what was asked for stays, and takes the translated sentences that it lacks", () => {
    const given = languageOf(config, "vi");
    const phrases = [
      { key: "hello", text: "Chào {name}" },
      { key: "only", text: "" },
      { key: "gone", text: "x" },
    ];
    expect(languageFrom(config, given, reply("fr", { phrases }))).toEqual({
      ...given,
      phrases: { hello: "Chào {name}" },
    });
  });

  it("D1.6 data that ships wins over the model's, also where only a part of it ships", () => {
    const phrases = [{ key: "hello", text: "nuqneH {name}" }];
    expect(languageFrom(config, null, reply("pt", { phrases }))).toMatchObject({
      instruction: "Write in Portuguese.",
      phrases: {},
    });
    // A lexicon and no sentences: the model's are all there is.
    expect(languageFrom(config, null, reply("tlh", { phrases }))).toMatchObject({
      instruction: "Write in Klingon.",
      phrases: { hello: "nuqneH {name}" },
    });
    expect(languageFrom(config, null, reply("vi"))).toMatchObject({ name: "Told", instruction: "As told." });
  });

  it.each(["", "not a tag", "x", "en_US", "'; drop"])("D1.6 %j is no tag", (tag) => {
    expect(languageFrom(config, null, reply(tag)).tag).toBe("en");
  });
});
