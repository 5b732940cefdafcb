import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateError } from "../../src/errors.ts";
import { canonicalJson } from "../../src/store/canonical.ts";
import { chainStart, formatLine, type JournalEvent, sha256 } from "../../src/store/line.ts";
import {
  checksumOf,
  type Envelope,
  judge,
  parseSnapshot,
  sealEnvelope,
  sealFor,
  snapshotText,
} from "../../src/store/snapshot.ts";
import { at, envelopeOf } from "./place.ts";

const place = { path: "state.json", next: "clear it" };

function eventsOf(count: number, first: object = { interview_id: "i1" }): JournalEvent[] {
  const events: JournalEvent[] = [];
  for (let seq = 0; seq < count; seq += 1) {
    const event = { type: "event", n: seq, ...(seq === 0 ? first : {}) };
    events.push(formatLine(event, at, events.at(-1) ?? chainStart)[1]);
  }
  return events;
}

const events = eventsOf(3);
const seal = (envelope: Envelope, revision = 3, more: object = {}): Envelope => {
  const event = events[revision - 1];
  if (event === undefined) throw new Error("no such event");
  return sealEnvelope(envelope, { ...sealFor(event, ".gjc/s/state.json"), ...more });
};

/** A receipt as another tool writes it. */
function foreign(envelope: Record<string, unknown>): Envelope {
  const receipt = { version: 1, skill: "deep-interview", owner: "another-tool", mutation_id: "m", verb: "write" };
  const covered = { ...envelope, receipt };
  const content_sha256 = { algorithm: "sha256", value: checksumOf(covered), covered_path: "x", computed_at: at };
  return { ...covered, receipt: { ...receipt, content_sha256 } };
}

describe("canonical JSON", () => {
  it("sorts keys by code units at every depth and leaves no white space", () => {
    expect(canonicalJson({ b: 1, a: { "10": 1, "9": 2, Z: null, a: [{ y: 1, x: 'é\n"' }] } })).toBe(
      '{"a":{"10":1,"9":2,"Z":null,"a":[{"x":"é\\n\\"","y":1}]},"b":1}',
    );
  });

  it("is the same for every order of keys, and the same data as JSON", () => {
    const shuffle = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffle);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, shuffle(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffle(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("writes strings, numbers and what JSON cannot say as JSON.stringify does", () => {
    const values = [
      "\u2028",
      "\ud800",
      "a".repeat(100),
      "\u007f",
      1e21,
      -0,
      0.1,
      Number.NaN,
      true,
      [undefined],
      { a: undefined },
    ];
    for (const value of values) expect(canonicalJson(value)).toBe(JSON.stringify(value));
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => canonicalJson(text) === JSON.stringify(text)));
  });
});

describe("the receipt", () => {
  it("D1.4 has every field that the layout names, and a checksum over everything but itself", () => {
    const sealed = seal(envelopeOf(3, { odd: "kept" }));
    expect(sealed["receipt"]).toEqual({
      version: 1,
      skill: "deep-interview",
      owner: "deep-interview",
      command: "deep-interview",
      mutated_at: at,
      mutation_id: `3-${events[2]?.hash.slice(0, 32)}`,
      status: "fresh",
      content_sha256: {
        algorithm: "sha256",
        value: expect.stringMatching(/^[0-9a-f]{64}$/),
        covered_path: ".gjc/s/state.json",
        computed_at: at,
      },
    });
    const { receipt, ...rest } = sealed;
    const { content_sha256: checksum, ...covered } = receipt as { content_sha256: { value: string } };
    expect(checksum.value).toBe(sha256(canonicalJson({ ...rest, receipt: covered })));
    expect(sealed).toMatchObject({ ...envelopeOf(3), odd: "kept" });
  });

  it("makes the same bytes of the same state and event, two-space JSON with a newline", () => {
    const text = snapshotText(seal(envelopeOf(3)));
    expect(text).toBe(snapshotText(seal(envelopeOf(3))));
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(snapshotText(seal(seal(envelopeOf(3))))).toBe(text);
    expect(snapshotText(seal(envelopeOf(2), 2))).not.toBe(text);
  });
});

describe("judging a snapshot", () => {
  const refusal = (envelope: Envelope | null, journal = events): string => {
    try {
      return judge(envelope, journal, place).kind;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      expect(error).toMatchObject({ exitCode: 6, next: "clear it" });
      expect(error.message).toContain("state.json: ");
      return error.code;
    }
  };

  it("D11.3 takes our own at the journal's end or behind it", () => {
    expect(refusal(null)).toBe("behind");
    expect(refusal(null, [])).toBe("none");
    expect(refusal(seal(envelopeOf(3)))).toBe("current");
    expect(refusal(seal(envelopeOf(2), 2))).toBe("behind");
  });

  it("D11.3 refuses one ahead of its journal, of another interview, of another journal, or without a journal", () => {
    expect(refusal(seal(envelopeOf(3)), events.slice(0, 2))).toBe("state-ahead");
    expect(refusal(seal(envelopeOf(3)), [])).toBe("state-ahead");
    expect(refusal(seal(envelopeOf(3, { state: { interview_id: "i2" } })))).toBe("state-other-interview");
    expect(refusal(seal(envelopeOf(3)), eventsOf(3, { interview_id: "i1", other: true }))).toBe("state-ahead");
    expect(refusal(seal(envelopeOf(0)))).toBe("state-ahead");
    expect(refusal(seal(envelopeOf(3, { state_revision: "3" })))).toBe("state-ahead");
  });

  it("D11.3 refuses one of which any value was changed", () => {
    const text = snapshotText(seal(envelopeOf(3, { ambiguity: 0.4213, list: [{ a: "b" }] })));
    const changes = [
      ["0.4213", "0.4113"],
      ['"a": "b"', '"a": "c"'],
      ['"a":', '"A":'],
      ['"threshold": 0.05', '"threshold": 0.5'],
      ['"interviewing"', '"complete"'],
      ['"owner": "deep-interview"', '"owner": "another-tool"'],
      ['"state_revision": 3', '"state_revision": 2'],
      ['"algorithm": "sha256"', '"algorithm": "md5"'],
      ['"content_sha256"', '"content_sha512"'],
      ['"mutated_at": "2026', '"mutated_at": "2027'],
    ] as const;
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      expect([from, refusal(JSON.parse(text.replace(from, to)))]).toEqual([from, "state-tampered"]);
    }
    expect(refusal(envelopeOf(3))).toBe("state-tampered");
  });

  it("hands over another tool's with a valid receipt, ahead of the journal or without one", () => {
    expect(refusal(foreign(envelopeOf(9)))).toBe("foreign");
    expect(refusal(foreign(envelopeOf(2)), [])).toBe("foreign");
    expect(refusal({ ...foreign(envelopeOf(9)), active: false })).toBe("state-tampered");
    expect(refusal(foreign(envelopeOf(9, { state: { interview_id: "i2" } })))).toBe("state-other-interview");
  });

  it("hands over a legacy one without journal, flat or nested, with or without a receipt that has no checksum", () => {
    expect(refusal({ rounds: [], current_ambiguity: 0.4 }, [])).toBe("legacy");
    expect(refusal(envelopeOf(3), [])).toBe("legacy");
    expect(refusal({ state: {}, receipt: { version: 1, owner: "another-tool" } }, [])).toBe("legacy");
    expect(judge({ rounds: [], odd: 1 }, [], place).envelope).toEqual({ rounds: [], odd: 1 });
  });

  it("knows an import that a crash kept from being projected, so that there is no second one", () => {
    for (const envelope of [foreign(envelopeOf(9)), { rounds: [], current_ambiguity: 0.4 }]) {
      const imported = formatLine({ type: "state.imported", envelope } as { type: string }, at, chainStart)[1];
      expect(refusal(envelope, [imported])).toBe("behind");
      expect(refusal({ ...envelope, odd: 1 }, [imported])).not.toBe("behind");
    }
  });

  it("knows what a clear left behind", () => {
    const tomb = seal(envelopeOf(3, { active: false }), 3, { command: "state clear", mutationId: "clear" });
    expect(refusal(tomb, [])).toBe("cleared");
    expect(refusal(tomb, eventsOf(1, { interview_id: "i1" }))).toBe("behind");
  });

  it("D11.3 refuses what is no JSON object", () => {
    for (const text of ["", '{"current_phase":', "[]", "null", '"x"']) {
      expect(() => parseSnapshot(Buffer.from(text), place)).toThrow(StateError);
    }
    expect(parseSnapshot(Buffer.from('\uFEFF{"a":1}'), place)).toEqual({ a: 1 });
  });
});
