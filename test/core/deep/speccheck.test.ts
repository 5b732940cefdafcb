import { beforeAll, describe, expect, it } from "vitest";
import { parseSpec, specView } from "../../../src/core/deep/spec.ts";
import { checkSpec } from "../../../src/core/deep/speccheck.ts";
import { createCatalog } from "../../../src/prompt/catalog.ts";
import { at, interview, prose, round } from "./spec-fixture.ts";

let text: string;

beforeAll(async () => {
  const state = interview({
    current_ambiguity: 0.2012,
    threshold: 0.21,
    rounds: [round(1, { ambiguity: 0.2012, sampling_margin: 0.0112 })],
  });
  const template = await createCatalog().find("spec");
  text = template.render(specView(state, { prose: prose(), gaps: [], generatedAt: at, status: "PASSED" }));
});

function check(markdown: string): string[] {
  const parsed = parseSpec(markdown);
  if (!parsed.ok) throw new Error(parsed.fault);
  return checkSpec(parsed.spec);
}

describe("a spec by itself", () => {
  it("D10.2 ours is sound", () => {
    expect(check(text)).toEqual([]);
  });

  it("D10.2 percentages and products rounded by another tool are sound, too", () => {
    const rounded = text.replace("Score: 20.12%", "Score: 20%").replaceAll("0.2012", "0.2").replace("0.0112", "0.01");
    expect(check(rounded)).toEqual([]);
    expect(check(text.replace("Score: 20.12%", "Score: 0.2012"))).toEqual([]);
  });

  it.each<[string, (markdown: string) => string]>([
    ["the goal is empty", (all) => all.replace(/## Goal\n.*\n/, "## Goal\n")],
    ["the list of constraints is empty", (all) => all.replace(/^- Below 10 MB.*\n/m, "")],
    ["the list of acceptance criteria is empty", (all) => all.replace(/^- \[ \] .*\n/m, "")],
    ["the threshold is not above 0 and at most 1", (all) => all.replace("Threshold: 0.21", "Threshold: 5")],
    ["the weights do not add up to 1", (all) => all.replace("| 0.9 | 0.4 | 0.36 |", "| 0.72 | 0.5 | 0.36 |")],
    ["a weighted score is not score times weight", (all) => all.replace("| 0.9 | 0.4 |", "| 0.3 | 0.4 |")],
    [
      "the weighted scores do not add up to the total clarity",
      (all) => all.replace("| 0.9 | 0.4 | 0.36 |", "| 0.6 | 0.4 | 0.24 |"),
    ],
    [
      "the ambiguity is not what the total clarity leaves",
      (all) => all.replace("| Sampling margin | | | 0.0112 |\n", ""),
    ],
    ["the two ambiguities of the spec differ", (all) => all.replace("Score: 20.12%", "Score: 15%")],
    [
      "the status is PASSED, but the ambiguity 20.12% is above the threshold 20.11%",
      (all) => all.replace("Threshold: 0.21", "Threshold: 0.2011"),
    ],
  ])("D10.2 D10.4 says: %s", (message, change) => {
    expect(change(text)).not.toBe(text);
    expect(check(change(text))).toEqual([message]);
  });

  it("D5.7 D10.4 a shown number that rounds across the threshold is no rounding", () => {
    const shown = text.replace("Score: 20.12%", "Score: 20%").replace("Threshold: 0.21", "Threshold: 0.201");
    expect(check(shown.replace("Status: PASSED", "Status: BELOW_THRESHOLD_EARLY_EXIT"))).toEqual([
      "the two ambiguities of the spec differ",
    ]);
  });
});
