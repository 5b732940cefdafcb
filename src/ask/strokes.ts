/**
 * What arrives from a keyboard, cut into what was typed and what was pasted. A paste is kept whole with its blank lines
 * (fault 27): marked by the terminal (bracketed paste), or, from one that does not mark it, several characters at once.
 */
import { ctrlC, ctrlD, esc } from "./keys.ts";

export type Stroke =
  | { readonly type: "keys"; readonly text: string }
  | { readonly type: "paste"; readonly text: string };

export interface Splitter {
  /** Takes decoded text as it came; gives what is complete. */
  feed(text: string): Stroke[];
  /** Milliseconds after which `flush` should be called if nothing more comes; null when nothing is held back. */
  readonly patienceMs: number | null;
  /** Gives what was held back: a lone Escape, or a paste whose end mark was lost. */
  flush(): Stroke[];
}

const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;
const unfinished = new RegExp(`${esc}(?:[[O][0-9;]*)?$`, "u");
const leaving = new RegExp(`([${ctrlC}${ctrlD}])`, "u");

/** Line ends of every system become `\n`; nothing else of a paste is touched. */
function pasteOf(text: string): Stroke {
  return { type: "paste", text: text.replace(/\r\n?/g, "\n") };
}

/**
 * Several printable characters at once, with no control character but line ends and tabs, are a paste, or words of an
 * input method; one of them beside Enter, or any beside a backspace, is somebody who types on a slow line.
 */
function isBurst(text: string): boolean {
  const printable = Array.from(text).filter((char) => !/\p{Cc}/u.test(char));
  return printable.length > 1 && !/\p{Cc}/u.test(text.replace(/[\r\n\t]/g, ""));
}

/** Interrupt and end of input count also in the middle of a burst. */
function strokesOf(text: string): Stroke[] {
  const parts = text.split(leaving).filter((part) => part !== "");
  return parts.map((part) => (isBurst(part) ? pasteOf(part) : { type: "keys", text: part }));
}

export function createSplitter(): Splitter {
  let held = "";
  let pasting = false;

  const takePaste = (): Stroke[] => {
    const end = held.indexOf(pasteEnd);
    if (end === -1) return [];
    const stroke = pasteOf(held.slice(0, end));
    held = held.slice(end + pasteEnd.length);
    pasting = false;
    return [stroke, ...takeKeys()];
  };
  const takeKeys = (): Stroke[] => {
    const start = held.indexOf(pasteStart);
    if (start !== -1) {
      const before = held.slice(0, start);
      held = held.slice(start + pasteStart.length);
      pasting = true;
      return [...strokesOf(before), ...takePaste()];
    }
    const end = unfinished.exec(held)?.index ?? held.length;
    const ready = held.slice(0, end);
    held = held.slice(end);
    return strokesOf(ready);
  };
  return {
    feed(text) {
      held += text;
      return pasting ? takePaste() : takeKeys();
    },
    get patienceMs() {
      if (pasting) return 1000;
      return held === "" ? null : 50;
    },
    flush() {
      const rest = held;
      held = "";
      const wasPasting = pasting;
      pasting = false;
      if (rest === "") return [];
      return wasPasting ? [pasteOf(rest)] : [{ type: "keys", text: rest }];
    },
  };
}
