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
