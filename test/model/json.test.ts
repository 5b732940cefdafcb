import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/model/json.ts";

describe("parseJson", () => {
  it("reads every JSON text as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 2, "\t"), (text, space) => {
        const value: unknown = JSON.parse(text);
        const spaced = JSON.stringify(value, null, space);
        const parsed = parseJson(` ${spaced}\n`);
        expect(parsed.isJson).toBe(true);
        // A negative zero is written as 0 and comes back as 0; text with half a character is a fault of its own.
        expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it("is never JSON where JSON.parse refuses, but for numbers that JSON has no word for", () => {
    const noise = fc.stringMatching(/^[{}[\]",:0-9a-z\\. \n+-]{1,30}$/);
    fc.assert(
      fc.property(noise, (text) => {
        if (/NaN|Infinity/.test(text)) return;
        const parsed = parseJson(text);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(parsed.isJson).toBe(isJson);
      }),
      { numRuns: 500 },
    );
  });

  it("20 makes a fault of a number that no double holds, whatever its place", () => {
    for (const [text, path] of [
      ['{"score":1e999}', "score"],
      ['{"a":[0.5,{"score":-1e999}]}', "a[1].score"],
      ['{"score":NaN}', "score"],
      ['{"score":-Infinity}', "score"],
    ] as const) {
      const parsed = parseJson(text);
      expect(parsed.isJson).toBe(true);
      expect(parsed.faults.map((fault) => [fault.path, fault.severity])).toEqual([[path, "reject"]]);
    }
  });

  it("20 makes a fault of a key that stands twice, and keeps neither as the better one in silence", () => {
    const parsed = parseJson('{"score":0.2,"gap":"x","score":0.9}');
    expect(parsed.faults).toEqual([{ path: "score", message: "this key stands twice", severity: "reject" }]);
    expect(parseJson('{"a":{"x":1},"b":{"x":2}}').faults).toEqual([]);
  });

  it("20 sees a key twice through escapes", () => {
    expect(parseJson('{"score":0.2,"sc\\u006fre":0.9}').faults).toHaveLength(1);
  });

  it("takes no key for a prototype", () => {
    const { value } = parseJson('{"__proto__":{"ready":true}}');
    expect(Reflect.get(Object(value), "ready")).toBeUndefined();
    expect(Object.keys(Object(value))).toEqual(["__proto__"]);
  });

  it("refuses nesting that would exhaust the stack, at once", () => {
    const parsed = parseJson(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    expect(parsed.isJson).toBe(false);
    expect(parsed.faults[0]?.message).toContain("nested");
  });

  it("names half a surrogate pair, which no file can hold", () => {
    expect(parseJson('{"a":"\\ud83d"}').faults).toHaveLength(1);
    expect(parseJson('{"a":"\\ud83d\\ude00"}').faults).toEqual([]);
  });
});
