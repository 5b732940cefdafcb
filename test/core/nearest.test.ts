import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../../src/core/nearest.ts";

describe("editDistance", () => {
  it("counts letters to insert, delete, replace and swap, whatever their case", () => {
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("ab", "ba")).toBe(1);
    expect(editDistance("ABC", "abc")).toBe(0);
    expect(editDistance("한국", "한글")).toBe(1);
  });

  it("is the same both ways, 0 for one word, and never above the longer word", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        const apart = editDistance(one, other);
        expect(apart).toBe(editDistance(other, one));
        expect(editDistance(one, one)).toBe(0);
        expect(apart).toBeLessThanOrEqual(Math.max([...one.toLowerCase()].length, [...other.toLowerCase()].length));
      }),
    );
  });
});

describe("nearest", () => {
  it("D0.2 finds the closest candidate, or none among none", () => {
    expect(nearest("resum", ["run", "resume", "report"])).toBe("resume");
    expect(nearest("x", [])).toBeNull();
    expect(nearest("sample", ["maxRounds", "scoring.samples"])).toBe("scoring.samples");
  });
});
