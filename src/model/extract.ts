/**
 * Finds the JSON in what a model wrote: the whole text, then what stands in fences, then every balanced object in the
 * order of the text (faults 19). Thinking written as text is passed over, braces inside strings do not count.
 */
import { stringEnd } from "./json.ts";

export interface Extract {
  /** Texts that may be the reply, the best guess first; none stands twice. */
  readonly candidates: readonly string[];
  /** An object or a list begins and never ends. */
  readonly isTruncated: boolean;
  /** A list stands where an object should. */
  readonly isArray: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const FENCE = /```[^\n`]*\n([\s\S]*?)```/g;
const OPEN_THINKING = /<(think|thinking|thought|reasoning)>/iy;
const CLOSE_THINKING = /^[\s\S]*?<\/(?:think|thinking|thought|reasoning)>/i;
/** How JSON begins, unlike a brace or a bracket of prose. */
const OBJECT = /\{\s*["}]/y;
const ARRAY = /\[\s*["{[\]]/y;

/** Never throws; linear in the length of the text. */
export function extractJson(text: string): Extract {
  const spoken = dropThinking(text.replace(/^\uFEFF/, "").trim());
  const bare = scan(spoken);
  const isWhole = bare.objects.some((span) => span.start === 0 && span.end === spoken.length);
  const fenced = isWhole ? [] : fencedObjects(spoken, bare.objects);
  const candidates = [...fenced, ...bare.objects.map((span) => spoken.slice(span.start, span.end))];
  return { candidates: [...new Set(candidates)], isTruncated: bare.isTruncated, isArray: bare.arrays > 0 };
}

/** Objects inside code fences; a fence inside a string of an object is somebody's words. */
function fencedObjects(text: string, objects: readonly Span[]): string[] {
  return [...text.matchAll(FENCE)].flatMap((found) => {
    if (objects.some((span) => span.start < found.index && found.index < span.end)) return [];
    const body = found[1] ?? "";
    return scan(body).objects.map((span) => body.slice(span.start, span.end));
  });
}

/** Every outermost object. An unfinished one ends the search: what follows are only parts of it. */
function scan(text: string): { objects: Span[]; arrays: number; isTruncated: boolean } {
  const objects: Span[] = [];
  let arrays = 0;
  for (let at = 0; at < text.length; at += 1) {
    const isObject = startsAt(OBJECT, text, at);
    if (!isObject && !startsAt(ARRAY, text, at)) continue;
    const end = balancedEnd(text, at);
    if (end === null) return { objects, arrays, isTruncated: true };
    if (isObject) objects.push({ start: at, end });
    else arrays += 1;
    at = end - 1;
  }
  return { objects, arrays, isTruncated: false };
}

function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Index after the bracket that closes the one at `start`; null when none does. */
function balancedEnd(text: string, start: number): number | null {
  const open: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (char === "{" || char === "[") open.push(char);
    else if (char === "}" || char === "]") {
      if (open.pop() !== (char === "}" ? "{" : "[")) return null;
      if (open.length === 0) return at + 1;
    }
  }
  return null;
}

/** Cuts out `<think>…</think>` wherever it stands outside JSON; one that is never closed runs to the end. */
function dropThinking(text: string): string {
  const lower = text.toLowerCase();
  let kept = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (startsAt(OBJECT, text, at)) {
      const end = balancedEnd(text, at);
      if (end === null) break;
      at = end - 1;
      continue;
    }
    OPEN_THINKING.lastIndex = at;
    const tag = OPEN_THINKING.exec(text)?.[1]?.toLowerCase();
    if (tag === undefined) continue;
    kept += text.slice(from, at);
    const close = lower.indexOf(`</${tag}>`, at);
    if (close < 0) return kept.trim();
    from = close + tag.length + 3;
    at = from - 1;
  }
  return afterLoneClose(kept + text.slice(from)).trim();
}

/** Some endpoints swallow the opening tag and leave the closing one. */
function afterLoneClose(text: string): string {
  const before = CLOSE_THINKING.exec(text)?.[0];
  if (before === undefined) return text;
  const isQuoted = scan(text).objects.some((span) => span.start < before.length && before.length <= span.end);
  return isQuoted ? text : text.slice(before.length);
}
