import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Lexicon } from "../../src/core/lexicon.ts";
import type { Question, Reply } from "../../src/core/machine.ts";
import { answerHash, classifyReply, controlOf, findOption, questionHash } from "../../src/core/replies.ts";

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const control = {
  opt_out: ["you decide", "skip"],
  finish: ["build it"],
  cancel: ["quit"],
  explain: ["what do you mean"],
};
const base = { evasions: [], change: [], constraint: [], exclusion: [], other: [], placeholder: [], conjunctions: [] };
const lexicons: Lexicon[] = [
  { tag: "en", name: "English", instruction: "", control, ...base },
  {
    tag: "ja",
    name: "Japanese",
    instruction: "",
    control: { opt_out: ["お任せします"], finish: ["十分です"], cancel: [], explain: [] },
    ...base,
  },
];
const question = (kind: Question["kind"], ...labels: string[]): Question => ({
  id: "q1",
  kind,
  round: 1,
  header: null,
  text: "?",
  options: labels.map((label, index) => ({
    id: String.fromCharCode(97 + index),
    label,
    description: "",
    recommended: false,
  })),
  allow_free_text: true,
  multi_select: false,
  deepInterview: null,
});
const given = (more: Partial<Reply>): Reply => ({ options: [], text: null, as: null, by: "user", ...more });
const kindOf = (more: Partial<Reply>, asked = question("round", "Yes", "No way")) =>
  classifyReply(lexicons, asked, given(more));

describe("classifyReply", () => {
  it("D4.1 empty, blank and invisible replies are nothing", () => {
    for (const text of [null, "", " \n\t", "\u200b", "\ufeff", "\u0301"])
      expect(kindOf({ text })).toEqual({ type: "nothing" });
    expect(kindOf({ text: "", as: "answer" })).toEqual({ type: "nothing" });
  });

  it("D4.2 an option is found by id or label, and comes before any control phrase", () => {
    for (const name of ["a", "Yes", "yes", " YES ", "Yes (Recommended)"])
      expect(kindOf({ options: [name] })).toMatchObject({ type: "option", options: [{ id: "a" }], text: null });
    const labelled = question("round", "Skip", "Build it", "Quit", "What do you mean?");
    for (const text of ["skip", "Build it.", "QUIT", "what do you mean"])
      expect(kindOf({ text }, labelled)).toMatchObject({ type: "option", text: null });
  });

  it("D4.1 an option may have a remark, which is left as it came", () => {
    expect(kindOf({ options: ["b"], text: " you decide " })).toMatchObject({
      type: "option",
      options: [{ id: "b" }],
      text: " you decide ",
    });
    expect(kindOf({ options: ["b"], text: "  " })).toMatchObject({ type: "option", text: null });
  });

  it("D4.1 an unknown option is refused by name, also beside a known one", () => {
    expect(kindOf({ options: ["z"] })).toEqual({ type: "unknown-option", name: "z" });
    expect(kindOf({ options: ["a", "Maybe"] })).toEqual({ type: "unknown-option", name: "Maybe" });
    expect(kindOf({ options: [""] })).toMatchObject({ type: "unknown-option" });
  });

  it("D4.2 whole phrases are controls in any case, with quotes and closing punctuation, in every language", () => {
    for (const text of ["you decide", "You Decide!", ' "YOU  DECIDE". ', "お任せします。"])
      expect(kindOf({ text })).toMatchObject({ type: "opt-out", text });
    for (const text of ["build it", "十分です"]) expect(kindOf({ text }).type).toBe("finish");
    expect(kindOf({ text: "Quit." }).type).toBe("cancel");
    expect(kindOf({ text: "what do you mean?" }).type).toBe("explain");
  });

  it("D4.2 a phrase inside a sentence is none", () => {
    for (const text of ["skip the header", "we build it daily", "you decide, they pay", "skip skip"])
      expect(kindOf({ text })).toEqual({ type: "text", text });
  });

  it("D4.2 the surface's word for the kind comes first", () => {
    expect(kindOf({ text: "you decide", as: "answer" })).toEqual({ type: "text", text: "you decide" });
    expect(kindOf({ text: "yes", as: "answer" })).toMatchObject({ type: "option" });
    for (const as of ["opt-out", "explain", "finish", "cancel", "defer"] as const)
      expect(kindOf({ text: "yes", as })).toEqual({ type: as, text: "yes" });
  });

  it("D4.2 a sign without a word goes to whoever judges words, and is nothing where nobody does", () => {
    for (const text of ["👍", "?", "…", "✅"]) {
      expect(kindOf({ text }, question("round", "Yes"))).toEqual({ type: "text", text });
      expect(kindOf({ text }, question("topology", "Yes"))).toEqual({ type: "text", text });
      for (const kind of ["refine", "collect", "confirm-assumption", "restate", "soft-limit", "bridge"] as const)
        expect(kindOf({ text }, question(kind, "Yes"))).toEqual({ type: "nothing" });
      expect(kindOf({ text, as: "answer" }, question("collect"))).toEqual({ type: "text", text });
    }
  });

  it("D4.1 law: words are never changed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const kind = kindOf({ text }, question("round", "Yes"));
        if ("text" in kind && kind.text !== null) expect(kind.text).toBe(text);
      }),
    );
  });
});

describe("controlOf and findOption", () => {
  it("D4.2 knows a whole phrase only", () => {
    expect(controlOf(lexicons, "Skip")).toBe("opt-out");
    expect(controlOf(lexicons, "Skip it then")).toBeNull();
    expect(controlOf(lexicons, "")).toBeNull();
  });

  it("D4.2 an id comes before a label that reads like it", () => {
    const asked = question("round", "B", "A");
    expect(findOption(asked, "a")?.label).toBe("B");
    expect(findOption(asked, "A")?.label).toBe("A");
  });

  it("D4.2 a label that itself says it is recommended is found with and without", () => {
    const asked = question("round", "Daily (Recommended)");
    for (const name of ["Daily", "daily (recommended)", "Daily [Recommended]"])
      expect(findOption(asked, name)?.id).toBe("a");
  });
});

describe("hashes", () => {
  it("D4.7 one answer in NFC and NFD has one hash; another answer has another", () => {
    const nfc = "é 가".normalize("NFC");
    expect(answerHash(sha256, given({ text: nfc }))).toBe(answerHash(sha256, given({ text: nfc.normalize("NFD") })));
    expect(answerHash(sha256, given({ options: [nfc] }))).toBe(
      answerHash(sha256, given({ options: [nfc.normalize("NFD")] })),
    );
    expect(answerHash(sha256, given({ text: "a" }))).toBe(sha256('{"selected":[],"custom":"a"}'));
    expect(answerHash(sha256, given({ options: ["a"] }))).toBe(sha256('{"selected":["a"],"custom":null}'));
    expect(answerHash(sha256, given({ text: "a" }))).not.toBe(answerHash(sha256, given({ text: "a " })));
    expect(questionHash(sha256, "é?")).toBe(questionHash(sha256, "e\u0301?"));
    expect(questionHash(sha256, "x")).toBe(sha256("x").slice(0, 32));
  });
});
