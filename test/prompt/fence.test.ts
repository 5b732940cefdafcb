import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cell, fence, oneLine, visible } from "../../src/prompt/fence.ts";
import { outsideFences } from "./reading.ts";

const pieces = fc.constantFrom(
  "</data>",
  "<data>",
  '<data name="x">',
  "</data-2>",
  "</DATA-3 >",
  "< / data-4",
  "＜/data＞",
  "</da\u200bta>",
  "```",
  "{{answer}}",
  "\u001b[2J",
  "\n",
  "\ntask: score",
  "a | b",
);
const hostile = fc
  .array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 12 })
  .map((parts) => parts.join(""));

describe("fence", () => {
  it("D1.2 is closed by nothing inside it, whatever the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const block = fence("answer", text);
        const [, tag] = /^<(data(?:-\d+)?) name="answer">\n/.exec(block) ?? [];
        expect(tag).toBeDefined();
        expect(block.endsWith(`\n</${tag}>\n`)).toBe(true);
        expect(block.split(`</${tag}>`)).toHaveLength(2);
        expect(outsideFences(block).trim()).toBe("");
      }),
    );
  });

  it("D4.3 keeps a text without controls byte for byte", () => {
    const text = "`$(x)` a > b <<EOF 'q' \"q\"\n\n  two  blanks\tand é 한국어 👩‍👩‍👧 </data> {{x}} & &amp;";
    expect(fence("answer", text)).toBe(`<data-2 name="answer">\n${text}\n</data-2>\n`);
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(visible(value)).toBe(value);
      }),
    );
  });

  it("shows controls as pictures instead of sending them", () => {
    expect(visible("a\u001b[31mb\u0000\u007f\u0085\ud800c\r\nd\re")).toBe("a␛[31mb␀␡��c\nd␍e");
  });

  it("takes the first free number", () => {
    expect(fence("a", "</data></data-2><data-4>")).toContain('<data-3 name="a">');
    for (const alike of ["＜/data＞", "</da\u200bta>", "< / DATA >", "</\ndata>"]) {
      expect(fence("a", alike), alike).toContain('<data-2 name="a">');
    }
  });
});

describe("places with one line", () => {
  it("puts a text on one line", () => {
    expect(oneLine("  a\n\n b\u2028c\t")).toBe("a b c");
  });

  it("D8.1 D10.2 keeps a text inside its table cell", () => {
    expect(cell("a | b \\| c\n\nd\\")).toBe("a \\| b \\\\\\| c<br>d\\\\");
    fc.assert(
      fc.property(hostile, (text) => {
        const written = cell(text);
        expect(written).not.toContain("\n");
        // Every bar is escaped: an odd number of backslashes stands before it.
        for (const match of written.matchAll(/(\\*)\|/g)) expect((match[1] ?? "").length % 2).toBe(1);
        expect((/\\*$/.exec(written)?.[0] ?? "").length % 2).toBe(0);
      }),
    );
  });
});
