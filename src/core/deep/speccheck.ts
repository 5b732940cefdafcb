/**
 * D10.2, D10.4: what a spec has to hold by itself, wherever it was made: a goal, constraints and criteria, sums that are
 * right, and no PASSED above its own threshold.
 */
import { percent, toUnits } from "../ratio.ts";
import type { ParsedSpec } from "./specform.ts";

/** Numbers printed with two decimals are still right. */
const tolerance = 0.005 + 1e-9;

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= tolerance;
}

/** Faults as sentences without a full stop; an empty list for a sound spec. */
export function checkSpec(spec: ParsedSpec): string[] {
  const { rows, total, margin, ambiguity } = spec.clarity;
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0);
  const isAbove = toUnits(ambiguity) > toUnits(spec.threshold);
  const checks: readonly [boolean, string][] = [
    [spec.goal === "", "the goal is empty"],
    [spec.constraints.length === 0, "the list of constraints is empty"],
    [spec.criteria.length === 0, "the list of acceptance criteria is empty"],
    [spec.threshold <= 0 || spec.threshold > 1, "the threshold is not above 0 and at most 1"],
    [
      !isNear(
        sum((row) => row.weight),
        1,
      ),
      "the weights do not add up to 1",
    ],
    [
      rows.some((row) => !isNear((row.score ?? 0) * row.weight, row.weighted)),
      "a weighted score is not score times weight",
    ],
    [
      !isNear(
        sum((row) => row.weighted),
        total,
      ),
      "the weighted scores do not add up to the total clarity",
    ],
    [!isNear(1 - total + margin, ambiguity), "the ambiguity is not what the total clarity leaves"],
    [spec.metadata.ambiguity !== percent(ambiguity) && !isRounded(spec), "the two ambiguities of the spec differ"],
    [
      spec.status === "PASSED" && isAbove,
      `the status is PASSED, but the ambiguity ${percent(ambiguity)} is above the threshold ${percent(spec.threshold)}`,
    ],
  ];
  return checks.flatMap(([isWrong, message]) => (isWrong ? [message] : []));
}

/** A percentage rounded by another tool: near, and on the same side of the threshold (D5.7). */
function isRounded({ metadata, clarity, threshold }: ParsedSpec): boolean {
  const shown = Number(metadata.ambiguity.replace(/%$/, "")) / (metadata.ambiguity.endsWith("%") ? 100 : 1);
  const isSameSide = toUnits(shown) > toUnits(threshold) === toUnits(clarity.ambiguity) > toUnits(threshold);
  return isNear(shown, clarity.ambiguity) && isSameSide;
}
