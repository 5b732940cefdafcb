import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSplitter, type Stroke } from "../../src/ask/strokes.ts";

const start = "\u001b[200~";
const end = "\u001b[201~";
const keys = (text: string): Stroke => ({ type: "keys", text });
const paste = (text: string): Stroke => ({ type: "paste", text });

function split(...chunks: string[]): Stroke[] {
  const splitter = createSplitter();
  return [...chunks.flatMap((chunk) => splitter.feed(chunk)), ...splitter.flush()];
}

describe("strokes", () => {
  it("tells typed keys from pastes, marked and unmarked", () => {
    expect(split("a")).toEqual([keys("a")]);
    expect(split("\u001b[B")).toEqual([keys("\u001b[B")]);
    expect(split("2\r")).toEqual([keys("2\r")]);
    expect(split("ab\u007fc")).toEqual([keys("ab\u007fc")]);
    expect(split("한국어")).toEqual([paste("한국어")]);
    expect(split("a\r\rb\tc")).toEqual([paste("a\n\nb\tc")]);
    expect(split(`x${start}a\r\n\rb${end}y`)).toEqual([keys("x"), paste("a\n\nb"), keys("y")]);
    expect(split(start, "a", "b\u001b[A", end)).toEqual([paste("ab\u001b[A")]);
  });

  it("hears an interrupt and the end of input in the middle of a burst, but not in a marked paste", () => {
    expect(split("abc\u0003\u0003")).toEqual([paste("abc"), keys("\u0003"), keys("\u0003")]);
    expect(split("ab\u0004")).toEqual([paste("ab"), keys("\u0004")]);
    expect(split(`${start}a\u0003b${end}`)).toEqual([paste("a\u0003b")]);
  });

  it("waits a moment for the rest of a sequence, and for a paste whose end does not come", () => {
    const splitter = createSplitter();
    expect(splitter.feed("\u001b")).toEqual([]);
    expect(splitter.patienceMs).toBe(50);
    expect(splitter.feed("[A")).toEqual([keys("\u001b[A")]);
    expect(splitter.patienceMs).toBeNull();
    expect(splitter.feed("\u001b")).toEqual([]);
    expect(splitter.flush()).toEqual([keys("\u001b")]);
    expect(splitter.feed(`${start}lost`)).toEqual([]);
    expect(splitter.patienceMs).toBe(1000);
    expect(splitter.flush()).toEqual([paste("lost")]);
    expect(splitter.feed("a")).toEqual([keys("a")]);
  });

  it("fault 27 gives a marked paste whole, however it is cut into chunks", () => {
    const text = fc.string({ unit: "grapheme" }).map((part) => part.replaceAll("\u001b", "").replaceAll("\r", "\n"));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (pasted, cuts) => {
        const whole = start + pasted + end;
        const places = [0, ...cuts.map((place) => Math.min(place, whole.length)).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((place, index) => whole.slice(places[index], place));
        expect(split(...chunks.filter((chunk) => chunk !== ""))).toEqual([paste(pasted)]);
      }),
    );
  });
});
