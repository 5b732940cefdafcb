import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atom, heading, inline, plain, quoted, readInline, unnoted, visible } from "../../../src/core/deep/markdown.ts";
import { readQuoted } from "../../../src/core/deep/specread.ts";
import { hostile } from "./hostile.ts";

describe("invisible characters", () => {
  it("D10.2 are shown by their numbers", () => {
    expect(visible("\u001b[31mred\u0000\u009b\u202e\u2028\ufeff\ud800\u{e0041}\r")).toBe(
      "⟨U+001B⟩[31mred⟨U+0000⟩⟨U+009B⟩⟨U+202E⟩⟨U+2028⟩⟨U+FEFF⟩⟨U+D800⟩⟨U+E0041⟩⟨U+000D⟩",
    );
  });

  it("D10.2 leave what people write alone: line breaks, tabs, joiners, marks of direction, both normal forms", () => {
    const text = "a\tb\r\nc\n한글 가족 👨‍👩‍👧 می‌خواهم \u200fعربي\u200e é e\u0301 😀";
    expect(visible(text)).toBe(text);
  });
});

describe("one line of Markdown", () => {
  it.each([
    ["a < b & c > d", "a < b & c > d"],
    ["snake_case and **bold**", "snake_case and **bold**"],
    ["use `List<String>` here", "use `List<String>` here"],
    ["C:\\Users\\me", "C:\\Users\\me"],
    ["</details>", "&lt;/details>"],
    ["<!-- hidden", "&lt;!-- hidden"],
    ["one ` tick", "one &#96; tick"],
    ["`a`` b", "&#96;a&#96;&#96; b"],
    ["&lt; and &#60;", "&amp;lt; and &amp;#60;"],
    ["\\<b>", "&#92;&lt;b>"],
    ["![x](http://a/b.png)", "!&#91;x](http://a/b.png)"],
    ["one\r\ntwo\nthree", "one<br>two<br>three"],
    ["# Title", "&#35; Title"],
    ["- item", "&#45; item"],
    ["12. item", "12&#46; item"],
    ["> quote", "&#62; quote"],
    ["---", "&#45;--"],
    ["~~~", "&#126;~~"],
    ["[x] done", "&#91;x] done"],
    ["1.5 s and -3", "1.5 s and -3"],
  ])("D10.2 writes %j so that it opens nothing", (text, expected) => {
    expect(inline(text)).toBe(expected);
  });

  it("D10.2 keeps the closing signs of a heading and of a text without notes", () => {
    expect(heading("Port to C #")).toBe("Port to C &#35;");
    expect(unnoted("only (user)")).toBe("only (user&#41;");
  });

  it("D10.2 is one line, and gives the text back", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const write of [inline, heading, unnoted, atom]) {
          expect(write(text)).not.toMatch(/[\n\r]/);
          expect(readInline(write(text))).toBe(plain(text));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("D10.2 holds no tag, comment or open code span outside its code spans", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const bare = inline(text)
          .replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/g, "")
          .replaceAll("<br>", "");
        expect(bare).not.toMatch(/<[A-Za-z/!?]|`|\\[!-/:-@[-`{-~]/);
      }),
      { numRuns: 500 },
    );
  });

  it("D10.2 an atom holds nothing that separates notes", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(atom(text).replace(/&(?:#\d+|amp|lt);/g, "")).not.toMatch(/[(),;`<]/);
      }),
    );
  });
});

describe("a text as it was said", () => {
  it.each(["Yes", "7 years, then delete", "예, 좋습니다", "a > b & c; 100 % | x"])(
    "D10.2 stands in its line: %j",
    (text) => {
      expect(quoted(text)).toBe(` ${text}`);
    },
  );

  it.each(["two\nlines", "`x`", "<b>", "</details>", "*a*", "_a_", "~~a~~", "$(x) $y", " led", "", "[a](b)", "\\*"])(
    "D10.2 is fenced where Markdown would show something else: %j",
    (text) => {
      expect(quoted(text)).toBe(`\n\n\`\`\`text\n${text}\n\`\`\``);
    },
  );

  it("D10.2 has a fence longer than any inside", () => {
    expect(quoted("```\n`````\n## Goal")).toBe("\n\n``````text\n```\n`````\n## Goal\n``````");
  });

  it("D10.2 is kept to the byte, but for invisible characters", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readQuoted(quoted(text))).toBe(visible(text));
        if (visible(text) === text) expect(quoted(text)).toContain(text);
      }),
      { numRuns: 500 },
    );
  });
});
