import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EditorState, insert, openEditor, press, viewEditor } from "../../src/ask/editor.ts";
import { type Key, readKeys } from "../../src/ask/keys.ts";
import { splitGraphemes, width } from "../../src/ask/layout.ts";

const names = [
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "backspace",
  "delete",
  "return",
  "tab",
  "cut-start",
  "cut-end",
  "cut-word",
] as const;
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom(...names).map((name) => ({ name })),
  fc.constantFrom("a", "가", "😀", "👨‍👩‍👧", " ", "é").map((text) => ({ name: "char" as const, text })),
);
const run = (keys: readonly Key[], from = openEditor("")): EditorState => keys.reduce(press, from);
const type = (text: string, from?: EditorState) => run(readKeys(text), from);

describe("keys", () => {
  it("names what terminals send, and lets unknown sequences do nothing", () => {
    const table: [string, string[]][] = [
      ["\u001b[A\u001bOB\u001b[1;5C\u001b[D", ["up", "down", "unknown", "left"]],
      ["\u001b[H\u001b[4~\u001b[3~\u001b[Z", ["home", "end", "delete", "tab"]],
      ["\u0003\u0004\u007f\b\t\r\n", ["interrupt", "eof", "backspace", "backspace", "tab", "return", "return"]],
      ["\u001b", ["escape"]],
      ["\u001bb\u0000\u009f", ["unknown", "unknown", "unknown"]],
      ["a한😀", ["char", "char", "char"]],
    ];
    for (const [text, expected] of table)
      expect([text, readKeys(text).map(({ name }) => name)]).toEqual([text, expected]);
  });
});

describe("the editor", () => {
  it("types, breaks lines and moves between them, by grapheme", () => {
    expect(type("ab\rcd\u001b[A\u001b[Dx").text).toBe("axb\ncd");
    expect(type("한국\r\r👨‍👩‍👧!\u001b[A\u001b[A\u001b[Fx").text).toBe("한국x\n\n👨‍👩‍👧!");
    expect(type("👨‍👩‍👧\u007f", openEditor("ok ")).text).toBe("ok ");
    expect(type("\u001b[Hx\u001b[3~", openEditor("👍🏽b")).text).toBe("xb");
    expect(type("one two  \u0017x").text).toBe("one x");
    expect(type("ab\rcd\u0015x").text).toBe("ab\nx");
    expect(type("ab\rcd\u001b[A\u001b[H\u000b").text).toBe("\ncd");
  });

  it("puts a paste in at the cursor byte for byte", () => {
    const pasted = "\tx\n\ny\u0007";
    expect(insert(type("ab\u001b[D"), pasted).text).toBe(`a${pasted}b`);
  });

  it("keeps the cursor between two graphemes and every character that no key took away, whatever is pressed", () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
        const { text, cursor } = run(keys);
        expect(text).not.toMatch(/\p{Cs}/u);
        const before = splitGraphemes(text.slice(0, cursor)).length;
        const after = splitGraphemes(text.slice(cursor)).length;
        expect(before + after).toBe(splitGraphemes(text).length);
        const typed = keys.filter((item) => item.name === "char" || item.name === "return");
        const removes = keys.some((item) => /cut|delete|backspace/.test(item.name));
        if (!removes) expect(splitGraphemes(text)).toHaveLength(typed.length);
      }),
    );
  });

  it("fault 27 shows the part around the cursor in the rows and columns that there are", () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 80 }),
        fc.integer({ min: 4, max: 20 }),
        fc.integer({ min: 1, max: 8 }),
        (keys, columns, rows) => {
          const view = viewEditor(run(keys), columns, rows);
          expect(view.lines.length).toBeLessThanOrEqual(rows);
          for (const line of view.lines) expect(width(line)).toBeLessThanOrEqual(columns);
          expect(view.row).toBeLessThan(view.lines.length);
          expect(view.column).toBeLessThanOrEqual(width(view.lines[view.row] ?? ""));
        },
      ),
    );
    const long = openEditor(Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n"));
    expect(viewEditor(long, 20, 5)).toMatchObject({ above: 25, below: 0, row: 4, column: 7 });
    expect(viewEditor({ ...long, cursor: 0 }, 20, 5)).toMatchObject({ above: 0, below: 25, row: 0, column: 0 });
  });
});
