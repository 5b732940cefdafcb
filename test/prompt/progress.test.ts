import { describe, expect, it } from "vitest";
import type { ReportView } from "../../src/core/deep/report.ts";
import { createCatalog } from "../../src/prompt/catalog.ts";
import { createPrompts } from "../../src/prompt/render.ts";

const prompts = createPrompts({ catalog: createCatalog(), getBlob: async () => "", promptBudgetTokens: 9000 });
const view: ReportView = {
  round: 4,
  rows: [
    { label: "Goal", score: 0.85, weight: 0.4, weighted: 0.34, gap: "which | files" },
    { label: "Constraints", score: 0.1234, weight: 0.3, weighted: 0.03702, gap: "Clear" },
    { label: "Success Criteria", score: null, weight: 0.3, weighted: 0, gap: "not\nasked" },
  ],
  prior_ambiguity: "58%",
  ambiguity: "62.3%",
  direction: "up",
  trigger: "A direct contradiction",
  sampling_margin: null,
  topology: { targeted: "Review UI", active: 3, deferred: 1, last_targeted: "review-ui" },
  locked: [],
  ontology: {
    entities: 4,
    stability: "75%",
    new: 1,
    changed: 1,
    stable: 2,
    matching: ['"Record" is still "Record"', '"File" was "Upload": same type, 2 of 3 fields'],
  },
  milestone: { from: "progress", to: "initial", panel: true },
  next: { component: "Review UI", dimension: "constraints", why: "two answers contradict each other" },
  closing: "Focusing next question on: constraints",
  meter: "",
};
const report = (change: Partial<ReportView> = {}) =>
  prompts.document({ template: "progress", view: { ...view, ...change } });

describe("progress report", () => {
  it("D8.1 D6.2 is the seed's table with topology, matching, ontology, milestone, target and closing line", async () => {
    expect(await report()).toMatchInlineSnapshot(`
      "Round 4 complete.

      | Dimension | Score | Weight | Weighted | Gap |
      |-----------|-------|--------|----------|-----|
      | Goal | 0.85 | 0.4 | 0.34 | which \\| files |
      | Constraints | 0.1234 | 0.3 | 0.03702 | Clear |
      | Success Criteria | - | 0.3 | 0 | not<br>asked |
      | **Ambiguity** | | | **58% -> 62.3% up** | A direct contradiction |

      **Topology:** Targeted Review UI | Active: 3 | Deferred: 1 | Next rotation after: review-ui

      - "Record" is still "Record"
      - "File" was "Upload": same type, 2 of 3 fields

      **Ontology:** 4 entities | Stability: 75% | New: 1 | Changed: 1 | Stable: 2
      **Milestone:** progress → initial — lateral panel convened

      **Next target:** Review UI / constraints — two answers contradict each other

      Focusing next question on: constraints
      "
    `);
  });

  it("D2.2 shows the locked topology when there is one to show", async () => {
    const locked = [{ name: "Export", status: "deferred", description: "next\nyear" }];
    expect(await report({ locked })).toContain("**Locked topology:**\n- Export (deferred): next year\n\n**Topology:**");
  });

  it("D5.6 has a row for the sampling margin only when there is one", async () => {
    expect(await report()).not.toContain("Sampling margin");
    expect(await report({ sampling_margin: "1.2%" })).toContain("| Sampling margin | | | 1.2% | |\n| **Ambiguity**");
  });

  it("D8.1 names no next target when there is none, and no round for a correction", async () => {
    const text = await report({
      next: null,
      round: null,
      closing: "Clarity threshold met! Ready to proceed.",
      meter: "3 calls",
    });
    expect(text).not.toContain("Next target");
    expect(text.startsWith("Correction complete.\n")).toBe(true);
    expect(text.endsWith("Clarity threshold met! Ready to proceed.\n\n3 calls\n")).toBe(true);
  });

  it("keeps people's words from breaking the report or moving a cursor", async () => {
    const text = await report({ next: { component: "a\n| b", dimension: "goal", why: "\u001b[2Jx\n\n# y" } });
    expect(text).toContain("**Next target:** a | b / goal — ␛[2Jx # y\n");
  });
});
