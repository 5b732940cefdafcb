/**
 * JSON as strict as a score has to be: a key that stands twice, NaN, Infinity and numbers beyond a double are faults,
 * where `JSON.parse` keeps the last key and makes 1e999 infinite (faults 19, 20).
 */
import type { Fault } from "../core/machine.ts";

export interface Parsed {
  /** Undefined when the text is no JSON. */
  readonly value: unknown;
  /** Of the syntax, or of values that JSON has no place for. */
  readonly faults: readonly Fault[];
  readonly isJson: boolean;
}

const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const NOT_A_NUMBER = /[+-]?(?:NaN|Infinity)\b/y;
const LITERAL = /(?:true|false|null)\b/y;

/** A reader's place in its text, and what it found wrong so far. */
interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  /** Why this is no JSON; reading stops there. */
  broken: string | null;
  readonly faults: Fault[];
}

/** Parses one JSON text. Never throws. */
export function parseJson(text: string): Parsed {
  const cursor: Cursor = { text, at: 0, depth: 0, broken: null, faults: [] };
  const value = readValue(cursor, "");
  skip(cursor);
  if (cursor.at < text.length) stop(cursor, `text after the JSON at character ${cursor.at}`);
  if (cursor.broken === null) return { value, faults: cursor.faults, isJson: true };
  return { value: undefined, faults: [{ path: "", message: cursor.broken, severity: "reject" }], isJson: false };
}

/** Keeps the first reason. */
function stop(cursor: Cursor, why: string): undefined {
  cursor.broken ??= why;
  return undefined;
}

function blame(cursor: Cursor, path: string, message: string): null {
  cursor.faults.push({ path, message, severity: "reject" });
  return null;
}

function readValue(cursor: Cursor, path: string): unknown {
  skip(cursor);
  const char = cursor.text[cursor.at];
  if (char === "{") return readObject(cursor, path);
  if (char === "[") return readArray(cursor, path);
  if (char === '"') return readString(cursor, path);
  const literal = match(cursor, LITERAL);
  if (literal !== null) return literal === "null" ? null : literal === "true";
  const bad = match(cursor, NOT_A_NUMBER);
  if (bad !== null) return blame(cursor, path, `${bad} is no number`);
  const digits = match(cursor, NUMBER);
  if (digits === null) return stop(cursor, `the JSON breaks off or is malformed at character ${cursor.at}`);
  const number = Number(digits);
  // Adding 0 makes a negative zero an ordinary one.
  return Number.isFinite(number) ? number + 0 : blame(cursor, path, `${digits} is too large for a number`);
}

function readObject(cursor: Cursor, path: string): Record<string, unknown> | undefined {
  enter(cursor);
  const entries = new Map<string, unknown>();
  if (!take(cursor, "}")) {
    do {
      skip(cursor);
      if (cursor.text[cursor.at] !== '"') return stop(cursor, `a key was expected at character ${cursor.at}`);
      const key = readString(cursor, path) ?? "";
      const inner = path === "" ? key : `${path}.${key}`;
      if (!take(cursor, ":")) return stop(cursor, `a colon was expected at character ${cursor.at}`);
      const value = readValue(cursor, inner);
      if (entries.has(key)) blame(cursor, inner, "this key stands twice");
      else entries.set(key, value);
    } while (cursor.broken === null && take(cursor, ","));
    if (!take(cursor, "}")) return stop(cursor, `the JSON breaks off or is malformed at character ${cursor.at}`);
  }
  cursor.depth -= 1;
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor, path: string): unknown[] | undefined {
  enter(cursor);
  const items: unknown[] = [];
  if (!take(cursor, "]")) {
    do items.push(readValue(cursor, `${path}[${items.length}]`));
    while (cursor.broken === null && take(cursor, ","));
    if (!take(cursor, "]")) return stop(cursor, `the JSON breaks off or is malformed at character ${cursor.at}`);
  }
  cursor.depth -= 1;
  return items;
}

function readString(cursor: Cursor, path: string): string | undefined {
  const end = stringEnd(cursor.text, cursor.at);
  if (end === null) return stop(cursor, `a string is not closed, from character ${cursor.at}`);
  let value: unknown;
  try {
    value = JSON.parse(cursor.text.slice(cursor.at, end));
  } catch {
    return stop(cursor, `a string is malformed, from character ${cursor.at}`);
  }
  cursor.at = end;
  const string = String(value);
  // Half of a surrogate pair cannot be written to a file and read back.
  if (/\p{Surrogate}/u.test(string)) blame(cursor, path, "half of a character");
  return string;
}

/** Index after the closing quote of the string that opens at `start`; null when it never closes. */
export function stringEnd(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === "\\") at += 1;
  }
  return null;
}

function enter(cursor: Cursor): void {
  cursor.at += 1;
  cursor.depth += 1;
  if (cursor.depth <= MAX_DEPTH) return;
  stop(cursor, `nested more than ${MAX_DEPTH} deep`);
  // Past the end nothing is read any more, so nothing nests any deeper.
  cursor.at = cursor.text.length;
}

function skip(cursor: Cursor): void {
  while (/[ \t\r\n]/.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
}

function take(cursor: Cursor, char: string): boolean {
  skip(cursor);
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  return true;
}

function match(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.at += found.length;
  return found;
}
