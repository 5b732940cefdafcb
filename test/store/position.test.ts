import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFault } from "../../src/store/position.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findFault", () => {
  it("D0.2 finds nothing in valid JSON, however it is spaced", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, space) => {
        expect(findFault(` \r\n${JSON.stringify(value, null, space)}\n`)).toBeNull();
      }),
    );
    expect(findFault('["\u007f\u0085\ud800", -0, 1.5E+3, []]')).toBeNull();
  });

  it("D0.2 finds a place exactly where JSON.parse refuses, in JSON with one character changed", () => {
    const part = fc.oneof(fc.constantFrom(...'{}[]",:\\0123.eE-+tfnu \n\u0007'), fc.string({ maxLength: 1 }));
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), part, fc.boolean(), (value, where, character, replaces) => {
        const text = JSON.stringify(value);
        const at = where % (text.length + 1);
        const changed = text.slice(0, at) + character + text.slice(at + (replaces ? 1 : 0));
        expect([changed, findFault(changed) === null]).toEqual([changed, isJson(changed)]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["{", 1, 2],
    ["[1,]", 1, 4],
    ['{"a" 1}', 1, 6],
    ['{"a":1,}', 1, 8],
    ["[1 2]", 1, 4],
    ['{\n\n  "a": "b\n"}', 3, 8],
    ["01", 1, 2],
    ["1 1", 1, 3],
    ["]", 1, 1],
    ['["a\u0007"]', 1, 2],
  ])("D0.2 says that %j goes wrong at %i:%i", (text, line, column) => {
    expect(findFault(text)).toEqual({ line, column });
  });
});
