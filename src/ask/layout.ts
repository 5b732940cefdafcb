/**
 * Fitting words of any script into columns: width as a terminal counts it, wrapping, cutting, padding (fault 27).
 * Everything here expects text that went through `display` and holds no escape codes; colour comes after layout.
 */
import stringWidth from "fast-string-width";
import { visible } from "../core/text.ts";

/** Made when the first text needs it: it takes milliseconds. */
let segmenter: Intl.Segmenter | null = null;
const ascii = /^[\x20-\x7e]*$/;
/** Scripts without blanks between words: a line may break beside each of their characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const closing = /^[、。，．：；？！」』）】〉》〕］｝"'’”,.!?:;)\]}…ー々ゃゅょっァィゥェォャュョッ]/u;
const opening = /^[「『（【〈《〔［｛"'“‘([{]/u;
const listMark = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?/u;

/** Text of a person or a model, made safe and measurable: no control characters, composed, tabs as four blanks. */
export function display(text: string): string {
  return visible(text).normalize("NFC").replaceAll("\t", "    ");
}

export function splitGraphemes(text: string): string[] {
  if (ascii.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

function graphemeWidth(grapheme: string): number {
  if (/\p{Extended_Pictographic}/u.test(grapheme)) return stringWidth(grapheme);
  return stringWidth(grapheme.replace(/\p{Cf}/gu, "").normalize("NFC"));
}

/** Columns that a terminal needs for one line of text. */
export function width(text: string): number {
  if (ascii.test(text)) return text.length;
  return splitGraphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

interface Unit {
  text: string;
  space: boolean;
}

function canBreak(before: string, after: string): boolean {
  if (closing.test(after) || opening.test(before)) return false;
  return unspaced.test(before) || unspaced.test(after);
}

/** Pieces that stay on one line: runs of blanks, words, single characters of scripts without blanks. */
function unitsOf(line: string): Unit[] {
  const units: Unit[] = [];
  let before = "";
  for (const grapheme of splitGraphemes(line)) {
    const space = /^\s$/u.test(grapheme);
    const last = units.at(-1);
    if (last !== undefined && last.space === space && (space || !canBreak(before, grapheme))) last.text += grapheme;
    else units.push({ text: grapheme, space });
    before = grapheme;
  }
  return units;
}

/** One line into several; what goes on hangs under the text of a list item. */
function wrapLine(line: string, columns: number): string[] {
  if (width(line) <= columns) return [line.trimEnd()];
  const hang = Math.min(width(listMark.exec(line)?.[0] ?? ""), Math.floor(columns / 3));
  const lines: string[] = [];
  let current = "";
  let used = 0;
  let blanks = "";
  const next = () => {
    lines.push(current);
    current = " ".repeat(hang);
    used = hang;
  };
  for (const unit of unitsOf(line)) {
    if (unit.space) {
      blanks += unit.text;
      continue;
    }
    const needed = width(unit.text);
    if (used + width(blanks) + needed <= columns) {
      current += blanks + unit.text;
      used += width(blanks) + needed;
    } else {
      if (current.trim() !== "") next();
      for (const grapheme of needed + used <= columns ? [unit.text] : splitGraphemes(unit.text)) {
        const more = width(grapheme);
        if (used + more > columns && current.trim() !== "") next();
        current += grapheme;
        used += more;
      }
    }
    blanks = "";
  }
  lines.push(current);
  return lines;
}

/** Lines of at most `columns`; line breaks and indents of the text are kept. A single wide character may stand out. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(2, columns)));
}

/** One line of at most `columns`, cut with an ellipsis; line breaks become blanks. */
export function shorten(text: string, columns: number): string {
  const line = text.replace(/\s*\n\s*/gu, " ").trim();
  if (width(line) <= columns) return line;
  let kept = "";
  let used = 0;
  for (const grapheme of splitGraphemes(line)) {
    const more = width(grapheme);
    if (used + more > columns - 1) break;
    kept += grapheme;
    used += more;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, columns - width(text)));
  return align === "left" ? text + blanks : blanks + text;
}
