/** Names for what a terminal sends when a key is pressed. */

export const esc = "\u001b";
export const ctrlC = "\u0003";
export const ctrlD = "\u0004";

export type Key =
  | { readonly name: "char"; readonly text: string }
  | {
      readonly name:
        | "left"
        | "right"
        | "up"
        | "down"
        | "home"
        | "end"
        | "backspace"
        | "delete"
        | "return"
        | "tab"
        | "escape"
        | "interrupt"
        | "eof"
        | "cut-start"
        | "cut-end"
        | "cut-word"
        | "unknown";
    };
type Named = Exclude<Key["name"], "char">;

const sequences: Readonly<Record<string, Named>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[3~": "delete",
  "[Z": "tab",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  OH: "home",
  OF: "end",
  "": "escape",
};
const controls: Readonly<Record<number, Named>> = {
  1: "home",
  3: "interrupt",
  4: "eof",
  5: "end",
  8: "backspace",
  9: "tab",
  10: "return",
  11: "cut-end",
  13: "return",
  21: "cut-start",
  23: "cut-word",
  127: "backspace",
};

/** A whole escape sequence, an Escape alone, or one character. */
const token = new RegExp(`${esc}(?:\\[[0-9;]*[A-Za-z~]|O[A-Za-z]|[^[O])?|[^]`, "gu");

/** Keys in the order in which they were pressed; sequences that nobody knows are named so and do nothing. */
export function readKeys(text: string): Key[] {
  return (text.match(token) ?? []).map((piece): Key => {
    if (piece.startsWith(esc)) return { name: sequences[piece.slice(1)] ?? "unknown" };
    const code = piece.codePointAt(0) ?? 0;
    const control = controls[code];
    if (control !== undefined) return { name: control };
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? { name: "unknown" } : { name: "char", text: piece };
  });
}
