import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateError } from "../../src/errors.ts";
import { chainStart, firstPrev, formatLine, type JournalEvent, parseLines } from "../../src/store/line.ts";
import { at } from "./place.ts";

const place = { path: "journal", next: "clear it" };

function chain(events: readonly (Record<string, unknown> & { type: string })[]): {
  text: string;
  events: JournalEvent[];
} {
  const parsed: JournalEvent[] = [];
  let text = "";
  for (const event of events) {
    const [line, read] = formatLine(event, at, parsed.at(-1) ?? chainStart);
    text += line;
    parsed.push(read);
  }
  return { text, events: parsed };
}

const sample = chain([
  {
    type: "a",
    text: 'quotes " and 한국어 \u2028 \ud83d\ude00 \\n',
    n: [1, 0.1, null, true],
    prevailing: { hash: "x" },
  },
  { type: "b" },
  { type: "c", nested: { z: 1, a: { b: [] } } },
]);

describe("a journal line", () => {
  it("is seq, at, type, the event's fields as written, prev and hash, in this order, and hashes its own bytes", () => {
    const [line] = formatLine({ type: "t", z: 1, a: 2 } as { type: string }, at, chainStart);
    const body = `{"seq":1,"at":"${at}","type":"t","z":1,"a":2,"prev":"${"0".repeat(64)}"}`;
    const hash = createHash("sha256").update(body).digest("hex");
    expect(line).toBe(`${body.slice(0, -1)},"hash":"${hash}"}\n`);
  });

  it("chains to the one before, the first to zeros", () => {
    expect(sample.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(sample.events[0]?.prev).toBe(firstPrev);
    expect(sample.events[1]?.prev).toBe(sample.events[0]?.hash);
    expect(sample.events[2]?.prev).toBe(sample.events[1]?.hash);
  });

  it("never takes a stamp from the event itself", () => {
    for (const key of ["seq", "at", "prev", "hash"]) {
      expect(() => formatLine({ type: "t", [key]: 1 } as { type: string }, at, chainStart)).toThrow(key);
    }
  });

  it("reads back what was written, whatever JSON an event holds", () => {
    const field = fc.string().filter((key) => !["seq", "at", "type", "prev", "hash", "__proto__"].includes(key));
    const event = fc.tuple(fc.string({ minLength: 1 }), fc.dictionary(field, fc.jsonValue())).map(([type, rest]) => ({
      ...rest,
      type,
    }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), (events) => {
        const { text, events: formatted } = chain(events);
        const parsed = parseLines(Buffer.from(text), chainStart, place);
        expect(parsed.events).toEqual(formatted);
        expect(parsed.events.map(({ seq: _, at: __, prev: ___, hash: ____, ...rest }) => rest)).toEqual(
          JSON.parse(JSON.stringify(events)),
        );
        expect([parsed.bytes, parsed.torn]).toEqual([Buffer.byteLength(text), 0]);
      }),
    );
  });
});

describe("verification", () => {
  const bytes = Buffer.from(sample.text);

  it("D11.3 refuses a journal with any one byte changed, at every position, naming the line", () => {
    for (let index = 0; index < bytes.length; index += 1) {
      const line = bytes.subarray(0, index).toString("latin1").split("\n").length;
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[index] = (damaged[index] ?? 0) ^ flip;
        let fault: unknown = null;
        try {
          parseLines(damaged, chainStart, place);
        } catch (error) {
          fault = error;
        }
        expect(fault).toBeInstanceOf(StateError);
        expect(fault).toMatchObject({ code: "journal-corrupt", next: "clear it", exitCode: 6 });
        expect(String(fault)).toContain(`journal:${line}:`);
      }
    }
  });

  it("takes a journal cut off at any byte as torn, and keeps the whole lines before", () => {
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));
    for (let length = 0; length <= bytes.length; length += 1) {
      const parsed = parseLines(bytes.subarray(0, length), chainStart, place);
      const whole = ends.filter((end) => end <= length);
      expect(parsed.events).toEqual(sample.events.slice(0, whole.length));
      expect([parsed.bytes, parsed.torn]).toEqual([whole.at(-1) ?? 0, length - (whole.at(-1) ?? 0)]);
    }
  });

  it("refuses lines that are whole but not in their place: missing, repeated, swapped, of another journal", () => {
    const [one = "", two = "", three = ""] = sample.text.split("\n").map((line) => `${line}\n`);
    const other = chain([{ type: "a" }, { type: "b" }]).text.split("\n")[1];
    for (const text of [`${one}${three}`, `${one}${one}`, `${two}${one}`, `${one}${other}\n`, `${one}\n${two}`, "\n"]) {
      expect(() => parseLines(Buffer.from(text), chainStart, place)).toThrow(StateError);
    }
  });

  it("refuses a line that somebody hashed anew but that is no event", () => {
    for (const body of ['{"seq":1,"at":"x"}', "[]", '{"seq":1,"at":"x","type":""}']) {
      const cut = body.slice(0, -1);
      const line = `${cut},"hash":"${createHash("sha256").update(`${cut}}`).digest("hex")}"}\n`;
      expect(() => parseLines(Buffer.from(line), chainStart, place)).toThrow("it is no event");
    }
  });

  it("reads on from any line, given the one before", () => {
    const first = sample.events[0];
    const rest = bytes.subarray(bytes.indexOf(0x0a) + 1);
    expect(parseLines(rest, first ?? chainStart, place).events).toEqual(sample.events.slice(1));
  });
});
