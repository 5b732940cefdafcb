/**
 * D8.1: the report after a scored round, drawn for people at 40 to 200 columns: the table, topology, ontology (who
 * matched whom before the numbers, D6.2), milestone, next target, closing line. Fixed labels stay as they are (D1.6).
 */
import type { ReportView } from "../core/deep/report.ts";
import { display, wrap } from "./layout.ts";
import { readReport } from "./report-view.ts";
import type { Style } from "./style.ts";
import { drawTable } from "./table.ts";
import type { Say } from "./words.ts";

export interface Canvas {
  /** Columns of the terminal; lines never get wider. */
  readonly columns: number;
  readonly style: Style;
  readonly say: Say;
}

/** A labelled sentence that wraps; only its label is bold. */
function drawLine(canvas: Canvas, label: string, text: string): string[] {
  const [first = "", ...rest] = wrap(`${label} ${display(text)}`, canvas.columns);
  const head = first.startsWith(label) ? canvas.style.bold(label) + first.slice(label.length) : first;
  return [head, ...rest];
}

function drawList(canvas: Canvas, items: readonly string[]): string[] {
  return items.flatMap((item) => wrap(`- ${display(item).replace(/\s*\n\s*/gu, " ")}`, canvas.columns));
}

function drawOntology(view: ReportView, canvas: Canvas): string[] {
  const { ontology } = view;
  const numbers = [
    `${ontology.entities} entities`,
    `Stability: ${ontology.stability}`,
    `New: ${ontology.new}`,
    `Changed: ${ontology.changed}`,
    `Stable: ${ontology.stable}`,
  ].join(" | ");
  return [...drawList(canvas, ontology.matching), ...drawLine(canvas, "Ontology:", numbers)];
}

function drawTopology(view: ReportView, canvas: Canvas): string[] {
  const { topology, locked } = view;
  const line = [
    `Targeted ${topology.targeted}`,
    `Active: ${topology.active}`,
    `Deferred: ${topology.deferred}`,
    `Next rotation after: ${topology.last_targeted}`,
  ].join(" | ");
  const lines = drawLine(canvas, "Topology:", line);
  if (locked.length === 0) return lines;
  const components = locked.map((item) => `${item.name} (${item.status}): ${item.description}`);
  return [canvas.style.bold(canvas.say("locked.title")), ...drawList(canvas, components), ...lines];
}

/** Lines of at most `canvas.columns`, without line ends. */
export function drawReport(view: ReportView, canvas: Canvas): string[] {
  const { style, say } = canvas;
  const title = view.round === null ? say("ask.report.correction") : say("ask.report.round", { round: view.round });
  const panel = view.milestone.panel ? ` — ${say("ask.report.panel")}` : "";
  const lines = [
    ...wrap(display(title), canvas.columns).map(style.bold),
    "",
    ...drawTable(view, canvas.columns, style),
    "",
    ...drawTopology(view, canvas),
    ...drawOntology(view, canvas),
    ...drawLine(canvas, "Milestone:", `${view.milestone.from} → ${view.milestone.to}${panel}`),
  ];
  if (view.next !== null) {
    const { component, dimension, why } = view.next;
    lines.push(...drawLine(canvas, "Next target:", `${component} / ${dimension} — ${why}`));
  }
  lines.push("", ...wrap(display(view.closing), canvas.columns).map(style.accent));
  if (view.meter !== "") lines.push(...wrap(display(view.meter), canvas.columns).map(style.dim));
  return lines;
}

/** A report of any kind of interview; one that this module does not know is listed by its own names. */
export function drawAnyReport(view: Readonly<Record<string, unknown>>, canvas: Canvas): string[] {
  const report = readReport(view);
  if (report !== null) return drawReport(report, canvas);
  const { text } = view;
  if (typeof text === "string") return wrap(display(text), canvas.columns);
  return Object.entries(view).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? drawLine(canvas, `${display(name)}:`, String(value)) : [],
  );
}
