/**
 * Where a JSON text stops being JSON: `JSON.parse` does not say so in every version, and a settings file that is refused
 * has to be mended by hand (D0.2).
 */

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

const scalar =
  /(?:"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;
const blanks = /[ \t\r\n]*/y;

/** The place of the first character that cannot be right; null for valid JSON. */
export function findFault(text: string): Position | null {
  const offset = faultOffset(text);
  return offset === null ? null : positionAt(text, offset);
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
}

/** What may come next: a value, a key, what follows a key, or what follows a value. */
type Expected = "value" | "first-value" | "key" | "first-key" | "colon" | "after";

function faultOffset(text: string): number | null {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = skip(blanks, text, 0);
  for (; at < text.length || expected !== "after" || open.length > 0; at = skip(blanks, text, at)) {
    const mark = text[at] ?? "";
    if (expected === "colon") {
      if (mark !== ":") return at;
      expected = "value";
      at += 1;
    } else if (expected === "after") {
      const closing = open.at(-1);
      if (closing === undefined || (mark !== "," && mark !== closing)) return at;
      if (mark === ",") expected = closing === "}" ? "key" : "value";
      else open.pop();
      at += 1;
    } else if ((expected === "first-key" && mark === "}") || (expected === "first-value" && mark === "]")) {
      open.pop();
      expected = "after";
      at += 1;
    } else if (expected === "key" || expected === "first-key") {
      const end = mark === '"' ? skip(scalar, text, at) : at;
      if (end === at) return at;
      expected = "colon";
      at = end;
    } else if (mark === "{" || mark === "[") {
      open.push(mark === "{" ? "}" : "]");
      expected = mark === "{" ? "first-key" : "first-value";
      at += 1;
    } else {
      const end = skip(scalar, text, at);
      if (end === at) return at;
      expected = "after";
      at = end;
    }
  }
  return null;
}

/** Where a sticky pattern ends that begins here; here when it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
