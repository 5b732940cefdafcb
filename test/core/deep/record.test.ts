import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compactRecord } from "../../../src/core/deep/record.ts";
import type { Interpretation } from "../../../src/core/deep/vocabulary.ts";
import { round } from "./build.ts";

const goal = { component: "a", dimension: "goal" as const };

function interpretation(more: Partial<Interpretation>): Interpretation {
  return { decision: "Export as CSV", reasoning: [], constraints: [], out_of_scope: [], context: [], ...more };
}

describe("compactRecord", () => {
  it("D5.2 holds the decision and constraints of an interpretation before the question and its reasoning", () => {
    const item = round(3, goal, {
      interpretation: interpretation({
        constraints: ["at most 5 MB"],
        out_of_scope: ["PDF"],
        reasoning: ["Excel opens it"],
        context: ["uses csv.ts"],
      }),
    });
    expect(compactRecord(item, [])).toBe(
      [
        "Round 3 | a/goal",
        "Decision: Export as CSV",
        "Constraint: at most 5 MB",
        "Out of scope: PDF",
        "Question: What happens first?",
        "Reasoning: Excel opens it",
        "Context: uses csv.ts",
      ].join("\n"),
    );
  });

  it("D4.3 takes the labels of options, with what was typed beside them", () => {
    const options = [{ id: "b", label: "Weekly", description: "", recommended: false }];
    const item = round(2, goal, { options, selected_options: ["b"], custom_input: "but not in July" });
    expect(compactRecord(item, [])).toContain("\nAnswer: Weekly. but not in July\n");
  });

  it("D4.4 says who answered when it was not the user, and follows a revision", () => {
    const assisted = round(2, goal, { answered_by: "architect-assisted", auto_answer: "CSV", custom_input: null });
    expect(compactRecord(assisted, [])).toMatch(/^Round 2 \| a\/goal \| architect-assisted\nAnswer: CSV\n/);
    const revised = { ...assisted, answered_by: "user" as const, custom_input: "JSON" };
    expect(compactRecord(revised, [])).toMatch(/^Round 2 \| a\/goal\nAnswer: JSON\n/);
  });

  it("D9.3 names a correction of the goal line as one", () => {
    expect(compactRecord(round(null, null, { custom_input: "All of it" }), [])).toMatch(
      /^Correction\nAnswer: All of it\n/,
    );
  });

  it("D4.3 keeps what the scorer found in a long answer, its beginning and its end", () => {
    const long = `We start with CSV. ${"It goes on and on. ".repeat(250)}It must never leave the building.`;
    const record = compactRecord(round(4, goal, { custom_input: long }), ["Data stays in the building"]);
    expect(record).toContain("Fact: Data stays in the building");
    expect(record).toContain("Answer: We start with CSV.");
    expect(record).toContain("It must never leave the building.");
    expect(record.length).toBeLessThanOrEqual(600);
  });

  it("D4.3 keeps the constraint at the end of a long decision", () => {
    const item = round(4, goal, {
      interpretation: interpretation({ decision: "x".repeat(4000), constraints: ["never leaves the building"] }),
    });
    expect(compactRecord(item, [])).toContain("\nConstraint: never leaves the building");
  });

  it("is at most 600 characters of whole characters, whatever is said", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 900, size: "max" });
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 120, size: "max" }), {
      maxLength: 12,
      size: "max",
    });
    const read = fc.option(
      fc.record({ decision: text, reasoning: texts, constraints: texts, out_of_scope: texts, context: texts }),
    );
    fc.assert(
      fc.property(text, text, read, texts, (question, answer, reading, statements) => {
        const item = round(7, goal, { question_text: question, custom_input: answer, interpretation: reading });
        const record = compactRecord(item, statements);
        expect(record.length).toBeLessThanOrEqual(600);
        expect(record).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
        expect(record.startsWith("Round 7 | a/goal")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps every constraint whole as long as all fit", () => {
    const constraints = Array.from({ length: 12 }, (_, index) => `limit ${index} is kept`);
    const record = compactRecord(
      round(7, goal, { interpretation: interpretation({ decision: "y".repeat(900), constraints }) }),
      [],
    );
    for (const constraint of constraints) expect(record).toContain(`Constraint: ${constraint}\n`.trimEnd());
  });
});
