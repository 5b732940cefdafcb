/** Reads a prompt as a careful reader would: what stands in fences, and what does not. */

const block = /^<(data(?:-\d+)?) name="[^"\n]*">\n([\s\S]*?)\n<\/\1>$/gm;

export function outsideFences(text: string): string {
  return text.replace(block, "");
}

/** What stands in each fence, with the fence's name. */
export function fences(text: string): { readonly name: string; readonly content: string }[] {
  return [...text.matchAll(block)].map(([whole, , content = ""]) => ({
    name: /name="([^"]*)"/.exec(whole)?.[1] ?? "",
    content,
  }));
}

/** Every string leaf of a value, changed. */
export function mapStrings(value: unknown, change: (text: string, key: string) => string, key: string): unknown {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapStrings(item, change, name)]));
}
