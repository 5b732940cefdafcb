/**
 * Anybody's words in a Markdown document that they cannot break (D10.2): one line in lists and headings (`inline`), a
 * name inside a line's notes (`atom`), a whole text byte for byte (`quoted`). What is written can be read back.
 */

/** Controls, lone surrogates, line separators, invisible tags and what turns the direction of a line. */
const unseen = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Makes such characters visible, as `⟨U+001B⟩`: no file of ours moves a cursor or hides a word. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** What `inline` keeps of a text: all but invisible characters, carriage returns and white space around it. */
export function plain(text: string): string {
  return visible(text).replace(/\r\n/g, "\n").trim();
}

/** A code span as CommonMark pairs it: the next run of as many backticks closes it. */
const codeSpan = /(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/gs;
const active = /&(?=#?[A-Za-z0-9]+;)|<(?=[A-Za-z/!?])|`|\\(?=[!-/:-@[-`{-~]|$)|(?<=!)\[/g;

function entity(char: string): string {
  if (char === "&") return "&amp;";
  return char === "<" ? "&lt;" : `&#${char.charCodeAt(0)};`;
}

/** Applies a function to what stands outside code spans; the spans stay as they are. */
function outsideCode(text: string, change: (part: string) => string): string {
  let end = 0;
  let result = "";
  for (const span of text.matchAll(codeSpan)) {
    result += change(text.slice(end, span.index)) + span[0];
    end = span.index + span[0].length;
  }
  return result + change(text.slice(end));
}

/** A list, quote, heading, fence, rule, task box or link definition begins with these; an entity in their place does not. */
const opening = /^(?:[#>~[]|[-+*](?=\s|$)|[-_*](?=(?:[ \t]*[-_*]){2,}[ \t]*$)|\d{1,9}(?=[.)](?:\s|$)))/;

function closeOpening(line: string): string {
  const found = opening.exec(line)?.[0];
  if (found === undefined) return line;
  // A number stays readable; the sign behind it is what makes a list of it.
  const at = /^\d/.test(found) ? found.length : 0;
  return `${line.slice(0, at)}${entity(line.charAt(at))}${line.slice(at + 1)}`;
}

/** One line of Markdown that shows the text and opens no block, HTML, image or comment; a line break is `<br>`. */
export function inline(text: string): string {
  const lines = plain(text).split("\n");
  return closeOpening(lines.map((line) => outsideCode(line, (part) => part.replace(active, entity))).join("<br>"));
}

/** As `inline`, for a heading: closing number signs would be dropped. */
export function heading(text: string): string {
  return inline(text).replace(/#+$/, (signs) => "&#35;".repeat(signs.length));
}

/** As `inline`, for a text at whose end nothing may be taken for notes in brackets. */
export function unnoted(text: string): string {
  return inline(text).replace(/\)$/, "&#41;");
}

/** A name or path among notes in brackets, where comma, semicolon and brackets mean something. */
export function atom(text: string): string {
  return plain(text).replace(/[\\`<&,;()\n[]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Undoes `inline`, `heading`, `unnoted` and `atom`: gives back what `plain` kept. */
export function readInline(markdown: string): string {
  return outsideCode(markdown, (part) =>
    part.replace(/<br ?\/?>|&(?:amp|lt|#(\d{1,7}));/g, (found, code: string | undefined) => {
      if (code !== undefined) return String.fromCodePoint(Math.min(Number(code), 0x10ffff));
      return found === "&amp;" ? "&" : found === "&lt;" ? "<" : "\n";
    }),
  );
}

/** Characters that Markdown would show as something else than themselves. */
const styled = /[`<\\*~$]|&#?\w+;|!\[|\]\(|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u;

/**
 * What follows a label such as `**A:**`: the text itself when it is one harmless line, else a code block whose fence is
 * longer than any in it. Byte for byte but for characters that `visible` has to show.
 */
export function quoted(text: string): string {
  const shown = visible(text);
  if (shown !== "" && !shown.includes("\n") && shown.trim() === shown && !styled.test(shown)) return ` ${shown}`;
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}text\n${shown}\n${fence}`;
}
