/**
 * A small text editor as a pure function: own words of several lines, with a button that sends them. (The prompt
 * library's own field splits characters outside the basic plane and takes a pasted tab for its button.)
 * `cursor` is an index into `text`, always between two graphemes.
 */
import type { Key } from "./keys.ts";
import { display, splitGraphemes, width, wrap } from "./layout.ts";

export interface EditorState {
  readonly text: string;
  readonly cursor: number;
  readonly focus: "text" | "button";
}

export function openEditor(text: string): EditorState {
  return { text, cursor: text.length, focus: "text" };
}

/** Puts text in at the cursor, byte for byte. */
export function insert(state: EditorState, text: string): EditorState {
  const whole = state.text.slice(0, state.cursor) + text + state.text.slice(state.cursor);
  return { text: whole, cursor: state.cursor + text.length, focus: "text" };
}

function lineStart(state: EditorState): number {
  return state.cursor === 0 ? 0 : state.text.lastIndexOf("\n", state.cursor - 1) + 1;
}

function lineEnd(state: EditorState): number {
  const end = state.text.indexOf("\n", state.cursor);
  return end === -1 ? state.text.length : end;
}

function stepLeft(state: EditorState): number {
  const start = lineStart(state);
  if (state.cursor === start) return Math.max(0, start - 1);
  return state.cursor - (splitGraphemes(state.text.slice(start, state.cursor)).at(-1)?.length ?? 0);
}

function stepRight(state: EditorState): number {
  const end = lineEnd(state);
  if (state.cursor === end) return Math.min(state.text.length, end + 1);
  return state.cursor + (splitGraphemes(state.text.slice(state.cursor, end))[0]?.length ?? 0);
}

/** The place on another line that is as many graphemes in. */
function stepLine(state: EditorState, by: -1 | 1): number {
  const start = lineStart(state);
  const end = lineEnd(state);
  if (by === -1 ? start === 0 : end === state.text.length) return by === -1 ? 0 : state.text.length;
  const other = lineStart({ ...state, cursor: by === -1 ? start - 1 : end + 1 });
  const across = splitGraphemes(state.text.slice(start, state.cursor)).length;
  const line = state.text.slice(other, lineEnd({ ...state, cursor: other }));
  return other + splitGraphemes(line).slice(0, across).join("").length;
}

function cutOut(state: EditorState, from: number, to: number): EditorState {
  return { text: state.text.slice(0, from) + state.text.slice(to), cursor: from, focus: "text" };
}

function wordStart(state: EditorState): number {
  let at = state.text.slice(0, state.cursor).trimEnd().length;
  while (at > 0 && !/\s/u.test(state.text.charAt(at - 1))) at -= 1;
  return at;
}

/** The state after a key. Sending, going back and leaving are the caller's: `return` on the button, `eof`, `escape`. */
export function press(state: EditorState, key: Key): EditorState {
  const at = (cursor: number): EditorState => ({ ...state, cursor, focus: "text" });
  switch (key.name) {
    case "char":
      return insert(state, key.text);
    case "return":
      return insert(state, "\n");
    case "tab":
      return { ...state, focus: state.focus === "text" ? "button" : "text" };
    case "left":
      return at(stepLeft(state));
    case "right":
      return at(stepRight(state));
    case "up":
      return state.focus === "button" ? at(state.cursor) : at(stepLine(state, -1));
    case "down":
      return at(stepLine(state, 1));
    case "home":
      return at(lineStart(state));
    case "end":
      return at(lineEnd(state));
    case "backspace":
      return cutOut(state, stepLeft(state), state.cursor);
    case "delete":
      return cutOut(state, state.cursor, stepRight(state));
    case "cut-start":
      return cutOut(state, lineStart(state), state.cursor);
    case "cut-end":
      return cutOut(state, state.cursor, lineEnd(state));
    case "cut-word":
      return cutOut(state, wordStart(state), state.cursor);
    case "escape":
    case "interrupt":
    case "eof":
    case "unknown":
      return state;
  }
}

export interface EditorView {
  readonly lines: readonly string[];
  /** Where the cursor stands in `lines`: row and column. */
  readonly row: number;
  readonly column: number;
  /** Lines above and below that there is no room for. */
  readonly above: number;
  readonly below: number;
}

/** The part of the text around the cursor that fits; `rows` is at least 1. */
export function viewEditor(state: EditorState, columns: number, rows: number): EditorView {
  const before = display(state.text.slice(0, state.cursor)).split("\n");
  const cursorLine = before.length - 1;
  const rowsOf = (line: string) => (line === "" ? [""] : breakHard(line, columns));
  const all = display(state.text).split("\n").map(rowsOf);
  const head = rowsOf(before.at(-1) ?? "");
  const row = all.slice(0, cursorLine).reduce((sum, part) => sum + part.length, 0) + head.length - 1;
  const flat = all.flat();
  const first = Math.max(0, Math.min(row - Math.floor(rows / 2), flat.length - rows));
  const lines = flat.slice(first, first + rows);
  return {
    lines,
    row: row - first,
    column: width(head.at(-1) ?? ""),
    above: first,
    below: Math.max(0, flat.length - first - lines.length),
  };
}

/** Breaks wherever the line is full, so that the row of the cursor depends only on what is before it. */
function breakHard(line: string, columns: number): string[] {
  const rows = [""];
  let used = 0;
  for (const grapheme of splitGraphemes(line)) {
    const more = width(grapheme);
    if (used + more > columns && used > 0) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += grapheme;
    used += more;
  }
  return rows;
}

/** What was sent, as it stays on the screen: its first lines. */
export function summarise(text: string, columns: number, rows: number): { lines: string[]; hidden: number } {
  const all = wrap(display(text), columns);
  return { lines: all.slice(0, rows), hidden: Math.max(0, all.length - rows) };
}
