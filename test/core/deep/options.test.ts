import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noWords } from "../../../src/core/deep/draft.ts";
import type { Candidate, Finding, Persona } from "../../../src/core/deep/finding.ts";
import { foldOptions } from "../../../src/core/deep/options.ts";
import type { Option } from "../../../src/core/machine.ts";

const words = { other: ["other", "none of these"], placeholder: ["todo"] };
const option = (label: string, description = "", recommended = false): Option => ({
  id: label,
  label,
  description,
  recommended,
});
const finding = (persona: Persona, confidence: Finding["confidence"], ...options: string[]): Finding => ({
  persona,
  finding: `${persona} says`,
  reasons: ["r"],
  options,
  confidence,
});
const candidate = (answer: string, confidence: Candidate["confidence"] = "medium"): Candidate => ({
  answer,
  rationale: "so it is",
  confidence,
});
const labels = (options: readonly Option[]) => options.map((item) => item.label);

const two = [option("One"), option("Two")];

describe("foldOptions", () => {
  it("D3.3 leaves the question's own options alone when there is nothing to fold in, and letters them", () => {
    const { options, folded } = foldOptions([option("One"), option("Two", "", true)], [], [], words);
    expect(options.map((item) => [item.id, item.label, item.recommended])).toEqual([
      ["a", "One", false],
      ["b", "Two", true],
    ]);
    expect(folded).toEqual([]);
  });

  it("D7.3 puts findings first, the surest first, two of them at most, each naming its persona", () => {
    const found = [
      finding("simplifier", "low", "S"),
      finding("contrarian", "high", "C"),
      finding("researcher", "medium", "R"),
    ];
    const { options, folded } = foldOptions(two, found, [], words);
    expect(options.map((item) => [item.label, item.description])).toEqual([
      ["C", "contrarian: contrarian says"],
      ["R", "researcher: researcher says"],
      ["One", ""],
      ["Two", ""],
    ]);
    expect(folded).toEqual(["contrarian", "researcher"]);
  });

  it("D7.3 adds none when the question itself carries them already, and keeps those that do", () => {
    const base = [option("One"), option("Two"), option("Three", "simplifier: leave it out"), option("Four")];
    const { options, folded } = foldOptions(
      base,
      [finding("simplifier", "low", "S"), finding("researcher", "high", "R")],
      [],
      words,
    );
    expect(labels(options)).toEqual(["One", "Two", "Three", "Four"]);
    expect(folded).toEqual(["simplifier"]);
  });

  it("D3.7 ranks candidates first, in their order, with confidence and rationale, and recommends the first", () => {
    const { options } = foldOptions(
      [option("One", "", true), option("Two")],
      [],
      [candidate("Ready", "high"), candidate("Own", "low")],
      words,
    );
    expect(options.map((item) => [item.label, item.description, item.recommended])).toEqual([
      ["Ready", "high: so it is", true],
      ["Own", "low: so it is", false],
      ["One", "", false],
      ["Two", "", false],
    ]);
  });

  it("D3.3 D7.3 four options at most: what names a persona and what is recommended outlasts the rest", () => {
    const base = [option("One"), option("Two"), option("Three", "", true), option("Four", "researcher: known")];
    const { options, folded } = foldOptions(
      base,
      [finding("researcher", "high", "R")],
      [candidate("Ready"), candidate("Own")],
      words,
    );
    expect(labels(options)).toEqual(["Ready", "Own", "Three", "Four"]);
    expect(folded).toEqual(["researcher"]);
  });

  it("D3.3 shows one label once, in any case", () => {
    const { options } = foldOptions(
      [option("Ready"), option("Two")],
      [finding("researcher", "high", "READY")],
      [candidate(" ready ")],
      words,
    );
    expect(labels(options).map((label) => label.trim().toLowerCase())).toEqual(["ready", "two"]);
  });

  it("D3.3 takes no catch-all and no placeholder from anybody", () => {
    const found = [finding("researcher", "high", "None of these", "Real"), finding("contrarian", "high", "Other")];
    const { options, folded } = foldOptions(
      two,
      found,
      [candidate("TODO"), candidate("2) Other."), candidate("Ready")],
      words,
    );
    expect(labels(options)).toEqual(["Ready", "Real", "One", "Two"]);
    expect(options[0]?.recommended).toBe(true);
    expect(folded).toEqual(["researcher"]);
  });

  it("D3.7 recommends none of its own when no candidate is usable", () => {
    expect(foldOptions(two, [], [candidate("Other")], words).options.map((item) => item.recommended)).toEqual([
      false,
      false,
    ]);
  });

  it("D3.3 cuts a long answer to a label", () => {
    expect(
      foldOptions(two, [], [candidate("x".repeat(900)), candidate("y")], words).options[0]?.label.length,
    ).toBeLessThanOrEqual(200);
  });

  it("D3.3 law: two to four options, lettered in order, no label twice, one recommendation at most", () => {
    const label = fc.constantFrom("One", "two", "Two", "Three", "Other", "Ready", "x".repeat(300));
    const confidence = fc.constantFrom("low" as const, "medium" as const, "high" as const);
    const persona = fc.constantFrom<Persona>("researcher", "contrarian", "simplifier", "architect");
    const base = fc
      .uniqueArray(fc.constantFrom("A1", "B2", "C3", "D4"), { minLength: 2, maxLength: 4 })
      .map((list) => list.map((item, index) => option(item, index === 1 ? "researcher: r" : "", index === 0)));
    fc.assert(
      fc.property(
        base,
        fc.array(fc.record({ persona, confidence, label }), { maxLength: 4 }),
        fc.array(fc.record({ confidence, label }), { maxLength: 3 }),
        (own, found, candidates) => {
          const { options, folded } = foldOptions(
            own,
            found.map((item) => finding(item.persona, item.confidence, item.label)),
            candidates.map((item) => candidate(item.label, item.confidence)),
            found.length === 0 ? noWords : words,
          );
          expect(options.length).toBeGreaterThanOrEqual(2);
          expect(options.length).toBeLessThanOrEqual(4);
          expect(options.map((item) => item.id)).toEqual(["a", "b", "c", "d"].slice(0, options.length));
          expect(new Set(options.map((item) => item.label.toLowerCase())).size).toBe(options.length);
          expect(options.filter((item) => item.recommended).length).toBeLessThanOrEqual(1);
          for (const name of folded)
            expect(options.some((item) => item.description.startsWith(`${name}: `))).toBe(true);
        },
      ),
    );
  });
});
