/**
 * JSON with one spelling: keys sorted by code units at every depth, no white space, `undefined` left out, everything else
 * as `JSON.stringify` writes it. What checksums cover (state.md, receipt).
 */

/** Takes plain JSON data; what cannot be said in JSON becomes null, as in `JSON.stringify`. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return Array.isArray(value) ? listJson(value) : isRecord(value) ? objectJson(value) : "null";
}

function listJson(list: readonly unknown[]): string {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ",";
    text += canonicalJson(list[index]);
  }
  return `${text}]`;
}

function objectJson(value: Readonly<Record<string, unknown>>): string {
  let text = "{";
  for (const key of Object.keys(value).sort()) {
    const inner = value[key];
    if (inner === undefined) continue;
    if (text.length > 1) text += ",";
    text += quote(key);
    text += ":";
    text += canonicalJson(inner);
  }
  return `${text}}`;
}

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Most strings are short and plain, and quoting those by hand halves the time of a whole state. */
function quote(text: string): string {
  return text.length < 64 && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
