/** Comparing and cutting people's words, in any script. */

/** For comparison only: NFC, trimmed, case folded, inner white space as one blank (D6.1). */
export function fold(text: string): string {
  return text.normalize("NFC").trim().toLowerCase().replace(/\s+/gu, " ");
}

/** For whole-reply phrases: `fold` without surrounding quotes and closing punctuation. */
export function foldPhrase(text: string): string {
  return fold(text)
    .replace(/^[\s"'“”‘’«»「」『』()[\]]+/u, "")
    .replace(/[\s"'“”‘’«»「」『』()[\].!?…。！？、,;:]+$/u, "");
}

/** Whether any letter or digit of any script is in it. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Sentences and lines of a text, as they stand in it, trimmed; empty ones left out. */
export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+|(?<=;)\s+/u)
    .map((part) => part.trim())
    .filter((part) => hasWords(part));
}

/** Cuts to a number of characters without splitting a surrogate pair; says so with an ellipsis. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.charCodeAt(max - 2) >= 0xd800 && text.charCodeAt(max - 2) <= 0xdbff ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/**
 * For showing people's and models' words on a terminal: nothing in them moves the cursor, changes the screen, hides, or
 * reverses what stands beside it. Control characters become their pictures (`␛`), overrides of direction their code
 * points; marks without a width of their own are left out; line ends become `\n`. Tabs stay.
 */
export function visible(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, "\n")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]/gu, "")
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (char) => {
      const code = char.codePointAt(0) ?? 0;
      if (char === "\n" || char === "\t") return char;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return code === 0x7f ? "\u2421" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
    });
}
