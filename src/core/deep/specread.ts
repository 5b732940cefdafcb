/**
 * Reading the parts of a spec file (D10.2): sections, tables, lists, lines with what they rest on, the transcript. Fences
 * are honoured, so that no answer can open or close anything.
 */
import { readInline } from "./markdown.ts";
import type { ParsedLine, ParsedSpec, SpecItem } from "./specform.ts";
import { Provenance } from "./vocabulary.ts";

/** A line, and whether it stands outside every fence; the fences themselves do not. */
interface Scanned {
  readonly line: string;
  readonly open: boolean;
}

/** Finds the fences of backticks: closed by as many or more, with nothing behind them. */
export function scan(lines: readonly string[]): Scanned[] {
  let fence = 0;
  return lines.map((line) => {
    const run = /^`{3,}/.exec(line)?.[0].length ?? 0;
    const info = line.slice(run).trim();
    if (fence > 0) {
      if (run >= fence && info === "") fence = 0;
      return { line, open: false };
    }
    if (run > 0 && !info.includes("`")) fence = run;
    return { line, open: fence === 0 };
  });
}

/** The lines below each heading of a level, by title, in order of the file. */
export function splitSections(lines: readonly string[], marks: string): { title: string; lines: string[] }[] {
  const found: { title: string; lines: string[] }[] = [{ title: "", lines: [] }];
  for (const { line, open } of scan(lines)) {
    if (open && line.startsWith(`${marks} `)) found.push({ title: line.slice(marks.length + 1).trim(), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}

/** Cells of a table row, without the escapes that keep them in their cell. */
function readRow(line: string): string[] {
  const cells: string[] = [""];
  for (const [token] of line
    .trim()
    .slice(1)
    .matchAll(/\\[\\|]|\||[^\\|]+|\\/g)) {
    if (token === "|") cells.push("");
    else cells.push(`${cells.pop() ?? ""}${token.length === 2 && token.startsWith("\\") ? token.slice(1) : token}`);
  }
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim());
}

/** The rows below the first table's head, cells still as Markdown. */
export function readTable(lines: readonly string[]): string[][] {
  const rows = lines.filter((line) => line.startsWith("|"));
  return rows.slice(2).map(readRow);
}

/** A table with named columns; a cell that is missing reads as "". */
export function readRows<K extends string>(lines: readonly string[], keys: readonly K[]): Record<K, string>[] {
  return readTable(lines).map((cells) => {
    const entries = keys.map((key, index): [K, string] => [key, readInline(cells[index] ?? "")]);
    return Object.fromEntries(entries) as Record<K, string>;
  });
}

/** List entries with the entries below them. */
export function readItems(lines: readonly string[]): SpecItem[] {
  const items: { text: string; notes: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push({ text: readInline(line.slice(2)), notes: [] });
    else if (line.startsWith("  - ")) items.at(-1)?.notes.push(readInline(line.slice(4)));
  }
  return items;
}

export function readTexts(lines: readonly string[]): string[] {
  return readItems(lines).map((item) => item.text);
}

export function readLines(lines: readonly string[]): ParsedLine[] {
  return lines.flatMap((line) => (line.startsWith("- ") ? [readLine(line.slice(2))] : []));
}

/** `[ ] text (rounds 2, 4; user; covers a, b; sources c)`; brackets that say something else belong to the text. */
export function readLine(markdown: string): ParsedLine {
  const box = /^\[[ xX]\] /.test(markdown);
  const body = box ? markdown.slice(4) : markdown;
  const none = { text: readInline(body), rounds: [], covers: [], sources: [], provenance: null, box };
  const found = / \(([^()]*)\)$/.exec(body);
  if (found === null) return none;
  // A semicolon that ends an entity separates nothing.
  const parts = (found[1] ?? "").split(/(?<!&#?\w+); /);
  const take = (pattern: RegExp) => {
    const match = pattern.exec(parts[0] ?? "");
    if (match !== null) parts.shift();
    return match?.[1] ?? null;
  };
  const rounds = take(/^rounds? (\d+(?:, \d+)*)$/);
  const provenance = Provenance.safeParse(take(/^([a-z]+)$/));
  const covers = take(/^covers (.*)$/);
  const sources = take(/^sources (.*)$/);
  if (!provenance.success || parts.length > 0) return none;
  return {
    text: readInline(body.slice(0, found.index)),
    rounds: rounds === null ? [] : rounds.split(", ").map(Number),
    covers: readAtoms(covers),
    sources: readAtoms(sources),
    provenance: provenance.data,
    box,
  };
}

function readAtoms(list: string | null): string[] {
  return list === null ? [] : list.split(", ").map(readInline);
}

type Entries = ParsedSpec["transcript"]["entries"];

export function readTranscript(lines: readonly string[]): ParsedSpec["transcript"] {
  const summary = lines.map((line) => /^<summary>.*\((\d+) rounds\)<\/summary>$/.exec(line)?.[1]).find(Boolean);
  const entries: Entries = splitSections(lines, "###")
    .slice(1)
    .map(({ title, lines: body }) => ({ heading: title, parts: readParts(body) }));
  return { rounds: summary === undefined ? null : Number(summary), entries };
}

function readParts(lines: readonly string[]): { label: string; text: string }[] {
  const parts: { label: string; lines: string[] }[] = [];
  for (const { line, open } of scan(lines)) {
    const label = open ? /^\*\*([A-Z][^*:]*):\*\*(.*)$/.exec(line) : null;
    if (open && line === "</details>") break;
    if (label === null) parts.at(-1)?.lines.push(line);
    else parts.push({ label: label[1] ?? "", lines: [label[2] ?? ""] });
  }
  return parts.map((part) => ({ label: part.label, text: readQuoted(part.lines.join("\n")) }));
}

/** Undoes `quoted`: the content of a fence to the byte, or the text without the white space around it. */
export function readQuoted(markdown: string): string {
  const fenced = /^\n\n(`{3,})text\n([\s\S]*)\n\1\s*$/.exec(markdown);
  return fenced === null ? markdown.trim() : (fenced[2] ?? "");
}
