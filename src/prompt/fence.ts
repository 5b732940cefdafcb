/**
 * People's, repositories' and models' words on their way into a prompt or a Markdown table: always data, never a way out
 * of the place they were put in. A fence's name is chosen so that the text inside cannot close it.
 */

/** Controls beside line feed and tab, as their printable pictures; lone surrogates as U+FFFD. Nothing else changes. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, (char) => picture(char.charCodeAt(0)));
}

function picture(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** For a place that holds one line. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/gu, " ").trim();
}

/** For a cell of a Markdown table. */
export function cell(text: string): string {
  return visible(text)
    .trim()
    .replace(/\\/g, "\\\\")
    .replace(/\|/g, "\\|")
    .replace(/\s*\n\s*/g, "<br>");
}

/**
 * A block of data: `<data name="answer">`, the text as it is, `</data>`, each on lines of its own. A text that could be
 * read as holding that tag gets `data-2`, and so on.
 */
export function fence(name: string, text: string): string {
  const content = visible(text);
  const tag = freeTag(content);
  return `<${tag} name="${name}">\n${content}\n</${tag}>\n`;
}

function freeTag(content: string): string {
  // Look-alikes count too: full-width signs, blanks and invisible characters inside the tag.
  const bare = content
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();
  const taken = new Set([...bare.matchAll(/<[\s/]*data(?:-(\d+))?/g)].map((match) => match[1] ?? "1"));
  if (taken.size === 0) return "data";
  let number = 2;
  while (taken.has(String(number))) number += 1;
  return `data-${number}`;
}
