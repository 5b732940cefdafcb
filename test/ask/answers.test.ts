import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answers, readAnswers } from "../../src/ask/answers.ts";
import { AnswersFile } from "../../src/ask/answers-schema.ts";
import { UsageError } from "../../src/errors.ts";
import { question } from "./fixtures/questions.ts";

const example = `version: 1
answers:
  - when: { kind: topology }
    reply: Looks right                    # an option by label or id, or free text
  - when: { component: review-ui, dimension: criteria }
    reply: Reviewers see every flagged record and approve it within two clicks.
  - when: { question: "/retention|how long/i" }
    reply: Keep everything for seven years, then delete.
    times: 2                              # default 1; \`always\` for any number
  - when: { kind: round, round: 6 }
    as: opt-out
  - reply: Whatever comes next
`;

const refusal = async (text: string): Promise<UsageError> => {
  try {
    await readAnswers(text, "a.yaml");
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`taken as good:\n${text}`);
};
const entry = (text: string) => `version: 1\nanswers:\n  - ${text.replaceAll("\n", "\n    ")}\n`;
const matches = async (when: string, more: Parameters<typeof question>[0] = {}) => {
  const { entries } = await readAnswers(entry(`when: ${when}\nreply: x`), "a.yaml");
  return entries[0]?.when?.(question(more));
};

describe("the answers file", () => {
  it("reads the documented example, and its JSON twin", async () => {
    const file = await readAnswers(example, "a.yaml");
    const shape = ({ entries }: Answers) =>
      entries.map(({ reply, as, times, when }) => [reply, as, times, when !== null]);
    expect(shape(file)).toEqual([
      [["Looks right"], null, 1, true],
      [["Reviewers see every flagged record and approve it within two clicks."], null, 1, true],
      [["Keep everything for seven years, then delete."], null, 2, true],
      [null, "opt-out", 1, true],
      [["Whatever comes next"], null, 1, false],
    ]);
    expect(file.entries.map(({ line }) => line)).toEqual([3, 5, 7, 10, 12]);
    const json = {
      version: 1,
      answers: [
        { when: { kind: "topology" }, reply: "Looks right" },
        {
          when: { component: "review-ui", dimension: "criteria" },
          reply: "Reviewers see every flagged record and approve it within two clicks.",
        },
        {
          when: { question: "/retention|how long/i" },
          reply: "Keep everything for seven years, then delete.",
          times: 2,
        },
        { when: { kind: "round", round: 6 }, as: "opt-out" },
        { reply: "Whatever comes next" },
      ],
    };
    expect(AnswersFile.parse(json)).toEqual(json);
    expect(shape(await readAnswers(JSON.stringify(json, null, 2), "a.json"))).toEqual(shape(file));
  });

  it("keeps a reply as it is written: numbers, yes, several lines, shell-like words (fault 18)", async () => {
    const replies = ["1.50", "yes", "null", "0x10", "2026-01-01", '"quoted: `$(x)` <<EOF"', "|\n  two\n\n  lines\n"];
    const read = replies.map(
      async (reply) => (await readAnswers(entry(`reply: ${reply}`), "a.yaml")).entries[0]?.reply?.[0],
    );
    expect(await Promise.all(read)).toEqual([
      "1.50",
      "yes",
      "null",
      "0x10",
      "2026-01-01",
      "quoted: `$(x)` <<EOF",
      "two\n\nlines\n",
    ]);
  });

  it("matches by kind, component by id or name, dimension, round and the question's words, all together", async () => {
    const table: [string, Parameters<typeof question>[0], boolean][] = [
      ["{ kind: round }", {}, true],
      ["{ kind: topology }", {}, false],
      ["{ component: review-ui }", {}, true],
      ["{ component: ' review ui ' }", {}, true],
      ["{ component: export }", {}, false],
      ["{ dimension: criteria, round: 3 }", {}, true],
      ["{ dimension: criteria, round: 4 }", {}, false],
      ["{ dimension: goal }", { deepInterview: null }, false],
      ["{ question: REVIEW WORKS }", {}, true],
      ["{ question: retention }", {}, false],
      ["{ question: '/^How .* works\\?$/' }", {}, true],
      ["{ question: '/REVIEW/' }", {}, false],
      ["{ question: '/REVIEW/iu' }", {}, true],
      ["{ question: '/cafe\u0301/' }", { text: "Which café?" }, true],
      ["{ round: 0 }", { round: 0 }, true],
      ["{ round: 0 }", { round: null }, false],
    ];
    for (const [when, more, expected] of table) expect([when, await matches(when, more)]).toEqual([when, expected]);
  });

  it("reports what is wrong with file and line, and what would be right", async () => {
    const table: [string, number, RegExp][] = [
      ["", 1, /version/],
      ["just words", 1, /has to be a map/],
      ["version: 2\nanswers: []", 1, /has to be 1/],
      ["answers: []", 1, /version/],
      ["version: 1", 1, /list answers is missing/],
      ["version: 1\nanswers: {}", 2, /has to be a list/],
      ["version: 1\nanswer:\n  - reply: x\nanswers: []", 2, /no key answer; there are version, answers/],
      [entry("when: { kind: topolgy }\nreply: x"), 3, /topolgy; it has to be one of topology, round/],
      [entry("reply: x\nwhen: { dimension: Goals }"), 4, /one of goal, constraints, criteria, context/],
      [entry("reply: x\nwhen: { round: three }"), 4, /whole number/],
      [entry("reply: x\nwhen: { kinds: round }"), 4, /no key kinds/],
      [entry("reply: x\nwhen: {}"), 4, /at least one of/],
      [entry("reply: x\nwhen: round"), 4, /at least one of/],
      [entry("reply: x\nwhen: { kind: [round] }"), 4, /needs one value/],
      [entry("reply: x\nwhen: { question: '/(/' }"), 4, /Invalid regular expression/],
      [entry("reply: x\nwhen: { question: '/a' }"), 4, /no closing/],
      [entry("reply: x\nwhen: { question: '//' }"), 4, /empty/],
      [entry("reply: x\nwhen: { question: /a/gi }"), 4, /flags/],
      [entry("when: { kind: round }"), 3, /needs a reply/],
      [entry("reply: ''"), 3, /reply has to be/],
      [entry("reply: { a: b }"), 3, /reply has to be/],
      [entry("as: skip"), 3, /one of answer, opt-out/],
      [entry("as: answer"), 3, /needs a reply/],
      [entry("as: opt-out\nreply: x"), 3, /takes no reply/],
      [entry("reply: x\ntimes: 0"), 4, /from 1 on/],
      [entry("reply: x\ntimes: often"), 4, /or always/],
      [entry("as: explain\ntimes: always"), 3, /for ever/],
      [entry("reply: x\ntime: 2"), 4, /no key time; there are when, reply, as, times/],
      [entry("reply: x\nreply: y"), 4, /unique/],
      [entry("reply: *nobody"), 3, /nobody/],
      [entry("reply: !secret x"), 3, /tag/],
      ["version: 1\nanswers: [\n", 3, /./],
      ["version: 1\n---\nversion: 1\n", 2, /multiple documents/],
      ["version: 1\nanswers:\n\t- reply: x\n", 3, /[Tt]ab/],
    ];
    for (const [text, line, message] of table) {
      const error = await refusal(text);
      expect([text, error.message]).toEqual([text, expect.stringMatching(new RegExp(`^a\\.yaml:${line}: `))]);
      expect(error.message).toMatch(message);
      expect(error).toMatchObject({ code: "answers-file", exitCode: 2 });
    }
  });

  it("reports everything that is wrong at once, in the order of the lines", async () => {
    const { message } = await refusal(
      "version: 1\nanswers:\n  - as: skip\n  - reply: x\n    tims: 1\n  - when: { kind: x }\n    reply: y\n",
    );
    expect(message.split("\n").map((line) => line.slice(0, 9))).toEqual(["a.yaml:3:", "a.yaml:5:", "a.yaml:6:"]);
  });

  it("follows aliases, but not without bounds", async () => {
    const shared =
      "version: 1\nanswers:\n  - reply: &yes Looks right\n  - { when: &w { kind: round }, reply: *yes }\n  - { when: *w, as: finish }\n";
    expect((await readAnswers(shared, "a.yaml")).entries.map(({ reply }) => reply)).toEqual([
      ["Looks right"],
      ["Looks right"],
      null,
    ]);
    const bomb = [
      "version: 1",
      "a: &a [x,x,x,x,x,x,x,x,x,x]",
      ..."bcdefg".split("").map((name, index) => {
        const before = "abcdefg".charAt(index);
        return `${name}: &${name} [${Array(10).fill(`*${before}`).join(",")}]`;
      }),
      "answers: *g",
    ].join("\n");
    expect((await refusal(bomb)).message).toMatch(/more than 100000 values|no key/);
    expect((await refusal("version: 1\nanswers: &a [*a]")).message).toMatch(/deep|reply/);
    expect((await refusal(`version: 1\nanswers: ${"[".repeat(500)}${"]".repeat(500)}`)).message).toMatch(/nested|map/);
    expect((await refusal(`version: 1 #${"x".repeat(1024 * 1024)}`)).message).toMatch(/larger than/);
  });

  it("stops a pattern that would run for ever, with file and line", async () => {
    const evil = await readAnswers(entry("reply: x\nwhen: { question: '/^(a|a)*$/' }"), "a.yaml");
    expect(() => evil.entries[0]?.when?.(question({ text: `${"a".repeat(60)}!` }))).toThrow(
      /^a\.yaml:4: the pattern .* takes too long/,
    );
  });

  it("makes of any text a file or a typed error", async () => {
    const piece = fc.constantFrom(
      "version: 1",
      "answers:",
      "  - ",
      "when: ",
      "reply: ",
      "as: ",
      "times: ",
      "{ kind: round }",
      "&a ",
      "*a",
      "[",
      "]",
      "{",
      "}",
      ": ",
      "|",
      "\n",
      "\t",
      "'",
      '"',
      "always",
      "/x/",
      "? ",
      "!!x ",
      "# ",
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 25 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (raw) => {
        try {
          expect((await readAnswers(raw, "a.yaml")).entries).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 400 },
    );
  });
});
