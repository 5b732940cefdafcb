import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { preserve } from "../../../src/core/deep/preserve.ts";
import type { Interpretation } from "../../../src/core/deep/vocabulary.ts";
import type { Lexicon } from "../../../src/core/lexicon.ts";
import { loadLanguages } from "../../../src/prompt/languages.ts";

const { lexicons } = await loadLanguages();

function reading(decision: string, more: Partial<Interpretation> = {}): Interpretation {
  return { decision, reasoning: [], constraints: [], out_of_scope: [], context: [], ...more };
}

const kept = (raw: string, given: Interpretation, words: readonly Lexicon[] = lexicons) => preserve(raw, given, words);
const all = (given: Interpretation) => [
  given.decision,
  ...given.reasoning,
  ...given.constraints,
  ...given.out_of_scope,
  ...given.context,
];

/** Prose of an interview about files, without a limit, so that only what is added can be one. */
const filler = [
  "Clerks open the list every morning and look at what came in.",
  "They delete files that came twice and keep the record of each.",
  "Files are sorted by the branch that sent them, and a colleague signs the list.",
  "Someone from the branch calls when a record is odd.",
];
const long = (length: number) => {
  let text = "";
  for (let index = 0; text.length < length; index += 1) text += `${filler[index % filler.length]} `;
  return text.slice(0, length).trimEnd();
};

describe("preserve", () => {
  it("D4.3 puts back a constraint at the end of a long answer, verbatim", () => {
    const last = "No file is kept longer than 30 days.";
    const raw = `${long(3_900)}. ${last}`;
    const result = kept(raw, reading("Clerks open the list every morning", { reasoning: filler.slice(1) }));
    expect(all(result)).toContain(last);
  });

  it.each([
    ["a number", "Reports go out by 17:30."],
    ["a limit", "It must never lock a record."],
    ["an exclusion", "Mobile is out of scope."],
    ["the last sentence", "Branches see their own lines."],
  ])("D4.3 puts back a sentence that carries %s and was lost", (_, sentence) => {
    const raw = `People type it in. ${sentence}`;
    const result = kept(raw, reading("People type it in."));
    expect([...result.constraints, ...result.out_of_scope]).toEqual([sentence]);
    expect(result.out_of_scope.length > 0).toBe(sentence.includes("out of scope"));
  });

  it("D4.3 puts back a sentence whose number was changed or left out", () => {
    const raw = "Each branch sends at most 40 files a day, and people look at them.";
    expect(
      kept(raw, reading("Each branch sends at most 400 files a day, and people look at them.")).constraints,
    ).toEqual([raw]);
    expect(
      kept(raw, reading("Each branch sends at most some files a day, and people look at them.")).constraints,
    ).toEqual([raw]);
  });

  it("D4.3 is not taken in by words that stand all over the reading", () => {
    const lost = "Never delete a record that a colleague signs.";
    const raw = `${filler.join(" ")} ${lost}`;
    const result = kept(raw, reading(filler.join(" "), { constraints: ["A branch never calls"] }));
    expect(result.constraints).toContain(lost);
  });

  it("D4.3 changes nothing when nothing was lost, however it was split up", () => {
    const raw = "We take CSV because clerks know it. At most 5 MB a file. No support for Excel.";
    const whole = reading("We take CSV", {
      reasoning: ["clerks know it"],
      constraints: ["At most 5 MB a file"],
      out_of_scope: ["No support for Excel"],
    });
    expect(kept(raw, whole)).toBe(whole);
  });

  it("D4.3 leaves alone what carries no limit, number or exclusion and is not last", () => {
    const given = reading("People type it in. Branches see their own lines.");
    expect(kept("People type it in. It is nice weather. Branches see their own lines.", given)).toBe(given);
  });

  it("D4.3 reads the words of every language that ships", () => {
    for (const { tag, constraint, exclusion } of lexicons) {
      const limit = `Alpha beta ${constraint[0]} gamma delta`;
      const out = `Epsilon zeta ${exclusion[0]} eta theta`;
      const raw = `${limit}.\n${out}.\nThe end of it`;
      const result = kept(raw, reading("The end of it"));
      expect([tag, result.constraints, result.out_of_scope]).toEqual([tag, [`${limit}.`], [`${out}.`]]);
    }
  });

  it.each([
    ["ja", "担当者が毎朝確認する。", "保存は30日以内。"],
    ["ko", "담당자가 매일 아침 확인한다.", "파일은 30일 넘게 보관하지 않는다."],
    ["ar", "يفتح الموظف القائمة كل صباح.", "لا يحفظ أي ملف أكثر من 30 يوما."],
    ["zh", "职员每天早上打开清单。", "文件最多保存30天。"],
  ])("D4.3 works in scripts that part words in other ways: %s", (_, first, limit) => {
    const result = kept(`${first}${limit}`, reading(first));
    expect(result.constraints.join()).toContain(limit.slice(0, 4));
    const given = reading(first, { constraints: [limit] });
    expect(kept(`${first}${limit}`, given)).toBe(given);
  });

  it("D4.3 keeps every byte of what it puts back: backticks, dollars, quotes, code", () => {
    const odd = 'Run `rm -rf $(x)` at most 2 times, "a > b" & <<EOF.';
    expect(kept(`People type.\n${odd}`, reading("People type.")).constraints).toEqual([odd]);
  });

  it("D4.3 law: with an empty reading every sentence with a number survives verbatim, in order", () => {
    const sentence = fc
      .tuple(
        fc.constantFrom("Keep", "Send", "Store"),
        fc.integer({ min: 1, max: 9999 }),
        fc.constantFrom("files", "rows", "days"),
      )
      .map(([verb, count, thing]) => `${verb} ${count} ${thing}.`);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 12 }), (sentences) => {
        const result = kept(sentences.join(" "), reading(""));
        expect(result.constraints).toEqual(sentences);
      }),
    );
  });

  it("D4.3 law: what it gives back needs nothing put back again", () => {
    const part = fc.constantFrom(
      ...filler,
      "At most 5 rows.",
      "Never on Sundays.",
      "Mobile is out of scope.",
      "Ünïcödé only.",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.array(part, { maxLength: 3 }), (raw, decided) => {
        const once = kept(raw.join(" "), reading(decided.join(" ")));
        expect(kept(raw.join(" "), once)).toBe(once);
      }),
    );
  });
});
