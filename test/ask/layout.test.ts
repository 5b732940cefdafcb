import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { display, pad, shorten, width, wrap } from "../../src/ask/layout.ts";
import { visible } from "../../src/core/text.ts";

const words = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom("한국어", "日本語。", "👨‍👩‍👧", "a", "\n", "- "),
  ),
);
const text = words.map((parts) => parts.join(" "));

describe("visible", () => {
  it("fault 27 lets no control character, escape or override of direction through", () => {
    expect(visible("\u001b[31mred\u001b[0m\u0007\u009b1A")).toBe("␛[31mred␛[0m␇<U+009B>1A");
    expect(visible("a\u202eb\u2066c")).toBe("a<U+202E>b<U+2066>c");
    expect(visible("a\r\nb\rc\u2028d\te")).toBe("a\nb\nc\nd\te");
    expect(visible("zero\u200bwidth\ufeff")).toBe("zerowidth");
    expect(visible("half \ud83d pair")).toBe("half \ufffd pair");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        const shown = visible(raw);
        expect(shown.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });

  it("D1.6 leaves the words of every script as they are", () => {
    for (const sample of [
      "한국어 문장",
      "日本語、文。",
      "¿Qué pasa?",
      "Tiếng Việt",
      "العربية",
      "👨‍👩‍👧 ok",
      "می‌خواهم",
    ]) {
      expect(visible(sample)).toBe(sample);
    }
  });
});

describe("layout", () => {
  it("fault 27 counts columns as a terminal does: two for CJK and emoji, none for combining marks", () => {
    const cases: [string, number][] = [
      ["abc", 3],
      ["한글", 4],
      ["한글".normalize("NFD"), 4],
      ["日本語", 6],
      ["𠮷", 2],
      ["ｶﾞ", 2],
      ["👨‍👩‍👧", 2],
      ["🇰🇷", 2],
      ["é".normalize("NFD"), 1],
      ["می‌خواهم", 7],
      ["\u200f", 0],
    ];
    for (const [sample, columns] of cases) expect([sample, width(sample)]).toEqual([sample, columns]);
  });

  it("fault 27 wraps any text to at most the columns and loses no character but blanks at breaks", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 80 }), (raw, columns) => {
        const shown = display(raw);
        const lines = wrap(shown, columns);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        const bare = (part: string) => part.replace(/\s+/gu, "");
        expect(bare(lines.join(""))).toBe(bare(shown));
      }),
    );
  });

  it("keeps blank lines and indents, and hangs the rest of a list item under its text", () => {
    expect(wrap("one\n\n  two", 20)).toEqual(["one", "", "  two"]);
    expect(wrap("- alpha beta gamma delta", 14)).toEqual(["- alpha beta", "  gamma delta"]);
    expect(wrap("1. alpha beta gamma", 13)).toEqual(["1. alpha beta", "   gamma"]);
  });

  it("breaks Japanese between characters, but never before a closing mark", () => {
    expect(wrap("記録を確認します。次へ", 16)).toEqual(["記録を確認しま", "す。次へ"]);
    expect(wrap("あいうえ。かき", 8)).toEqual(["あいう", "え。かき"]);
  });

  it("cuts and pads by columns", () => {
    expect(shorten("한국어 문장", 7)).toBe("한국어…");
    expect(shorten("a\n b", 10)).toBe("a b");
    expect(pad("한", 4)).toBe("한  ");
    expect(pad("90%", 5, "right")).toBe("  90%");
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (raw, columns) => {
        expect(width(shorten(display(raw), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
