import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractJson } from "../../src/model/extract.ts";

const first = (text: string): string | undefined => extractJson(text).candidates[0];

describe("extractJson", () => {
  it("19 finds an object whatever prose stands around it", () => {
    const prose = fc.stringMatching(/^[a-zA-Z .,:!?()'\n{}-]{0,60}$/);
    const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 30 }), { minKeys: 1 });
    fc.assert(
      fc.property(prose, value, prose, (before, object, after) => {
        const text = JSON.stringify(object);
        // A brace of prose is followed by no quote and does not close at once.
        fc.pre(!/\{\s*["}]|\{\s*$|\[\s*["{[\]]|\[\s*$/.test(before));
        expect(first(`${before}${text}${after}`)).toBe(text);
      }),
    );
  });

  it("19 reads what stands in a fence before what stands around it", () => {
    expect(first('For example {"a":0}. Here:\n```json\n{"a":1}\n```\nDone {"a":2}')).toBe('{"a":1}');
    expect(extractJson('```\n{"a":1}\n```\n```\n{"a":2}\n```').candidates).toEqual(['{"a":1}', '{"a":2}']);
  });

  it("19 takes a fence inside a string for somebody's words", () => {
    const text = JSON.stringify({ gap: 'They typed\n```json\n{"a":1}\n```' });
    expect(extractJson(text).candidates).toEqual([text]);
    expect(first(`Here: ${text}`)).toBe(text);
  });

  it("19 passes over thinking that was written as text", () => {
    expect(extractJson('<think>maybe {"a":0}</think>{"a":1}').candidates).toEqual(['{"a":1}']);
    expect(extractJson('<thinking>\n{"a":0}\n</thinking>\n<think>{"a":9}</think>\n{"a":1}').candidates).toEqual([
      '{"a":1}',
    ]);
    expect(extractJson('so {"a":0} it is</think>\n{"a":1}').candidates).toEqual(['{"a":1}']);
    expect(extractJson('<think>never closed {"a":0}').candidates).toEqual([]);
  });

  it("19 leaves a tag inside a string alone", () => {
    const text = '{"text":"use <think>aloud</think> and </think>"}';
    expect(extractJson(text).candidates).toEqual([text]);
  });

  it("19 tells a cut object, a list, and prose apart", () => {
    expect(extractJson('{"a":{"b":1},"c":"unfin')).toEqual({ candidates: [], isTruncated: true, isArray: false });
    expect(extractJson('[{"a":1}]')).toEqual({ candidates: [], isTruncated: false, isArray: true });
    expect(extractJson("I cannot say {really}.")).toEqual({ candidates: [], isTruncated: false, isArray: false });
  });

  it("19 never takes a part of a cut object for the whole", () => {
    fc.assert(
      fc.property(fc.nat(), (where) => {
        const whole = '{"reply":{"task":"panel","finding":"x","reasons":["a"],"nested":{"a":{"b":"}"}}}}';
        const cut = whole.slice(0, 1 + (where % (whole.length - 1)));
        expect(extractJson(cut).candidates).toEqual([]);
      }),
    );
  });

  it("ignores braces and brackets inside strings, and a mark at the start of the text", () => {
    const text = '{"a":"} ] \\" {"}';
    expect(extractJson(`\uFEFF${text}`).candidates).toEqual([text]);
  });

  it("stays fast on text made to be slow", () => {
    const started = performance.now();
    for (const piece of ['{"', "[[", "<think>", "<think></think>", '{"a":1}', "```\n"])
      extractJson(piece.repeat(30_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
