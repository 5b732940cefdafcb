/**
 * The progress table of D8.1 in plain columns. From 72 columns on the gap is a column of its own; below that it stands
 * under its row, so that the numbers stay aligned down to 40.
 */
import type { ReportRow, ReportView } from "../core/deep/report.ts";
import { percent } from "../core/ratio.ts";
import { display, pad, shorten, width, wrap } from "./layout.ts";
import type { Style } from "./style.ts";

const gutter = "  ";
const stackedBelow = 72;

interface Columns {
  readonly label: number;
  /** Score, weight, weighted. */
  readonly numbers: readonly [number, number, number];
  /** Null: the gap stands under its row. */
  readonly gap: number | null;
}

type Numbers = readonly [string, string, string];
const headings: Numbers = ["Score", "Weight", "Weighted"];

function numbersOf(row: ReportRow): Numbers {
  return [row.score === null ? "-" : percent(row.score), percent(row.weight), percent(row.weighted)];
}

function measure(view: ReportView, columns: number): Columns {
  const cells = [headings, ...view.rows.map(numbersOf), ["", "", view.sampling_margin ?? ""] as const];
  const widest = (index: 0 | 1 | 2) => Math.max(...cells.map((cell) => width(cell[index])));
  const numbers = [widest(0), widest(1), widest(2)] as const;
  const taken = numbers[0] + numbers[1] + numbers[2] + 3 * gutter.length;
  const labels = ["Dimension", "Ambiguity", ...view.rows.map((row) => display(row.label))];
  if (view.sampling_margin !== null) labels.push("Sampling margin");
  const natural = Math.min(24, Math.max(...labels.map(width)));
  if (columns < stackedBelow) return { label: Math.max(8, Math.min(natural, columns - taken)), numbers, gap: null };
  return { label: natural, numbers, gap: columns - natural - taken - gutter.length };
}

function joinNumbers(at: Columns, cells: Numbers): string {
  return cells.map((cell, index) => pad(cell, at.numbers[index] ?? 0, "right")).join(gutter);
}

/** One row as lines: label and gap wrap inside their own columns. */
function drawRow(at: Columns, label: string, numbers: string, gap: string): string[] {
  const labels = wrap(label, at.label);
  if (at.gap === null) {
    const lines = labels.map((part, index) => (index === 0 ? pad(part, at.label) + gutter + numbers : part));
    const room = at.label + gutter.length + width(numbers) - 2;
    return gap === "" ? lines : [...lines, ...wrap(gap, room).map((part) => `  ${part}`)];
  }
  const gaps = gap === "" ? [] : wrap(gap, at.gap);
  const blank = " ".repeat(width(numbers));
  return Array.from({ length: Math.max(labels.length, gaps.length) }, (_, index) =>
    [pad(labels[index] ?? "", at.label), index === 0 ? numbers : blank, gaps[index] ?? ""].join(gutter).trimEnd(),
  );
}

function drawRule(at: Columns): string {
  const widths = [at.label, ...at.numbers, ...(at.gap === null ? [] : [at.gap])];
  return widths.map((size) => "─".repeat(size)).join(gutter);
}

export function drawTable(view: ReportView, columns: number, style: Style): string[] {
  const at = measure(view, columns);
  const span = at.numbers[0] + at.numbers[1] + at.numbers[2] + 2 * gutter.length;
  const moved = shorten(`${view.prior_ambiguity} -> ${view.ambiguity} ${view.direction}`, span);
  const head = drawRow(at, "Dimension", joinNumbers(at, headings), at.gap === null ? "" : "Gap");
  const lines = [...head.map(style.dim), style.dim(drawRule(at))];
  for (const row of view.rows) {
    // Stacked, the gap has no heading above it; "Clear" says so by itself.
    lines.push(...drawRow(at, display(row.label), joinNumbers(at, numbersOf(row)), display(row.gap)));
  }
  if (view.sampling_margin !== null) {
    lines.push(...drawRow(at, "Sampling margin", joinNumbers(at, ["", "", view.sampling_margin]), ""));
  }
  lines.push(style.dim(drawRule(at)));
  const total = drawRow(at, "Ambiguity", pad(moved, span, "right"), display(view.trigger));
  lines.push(...total.map(style.bold));
  return lines;
}
