/** What the terminal's prompts share: the keyboard, the output with its size, and printing between prompts. */
import { Writable } from "node:stream";
import type { Keyboard } from "./keyboard.ts";
import { esc } from "./keys.ts";
import type { Canvas } from "./report.ts";
import { createStyle, type Style } from "./style.ts";
import type { Say } from "./words.ts";

export type TerminalOutput = Writable & { readonly columns?: number; readonly rows?: number };

export interface Screen {
  readonly keyboard: Keyboard;
  readonly output: TerminalOutput;
  readonly style: Style;
  readonly say: Say;
  /** Width and colours now: a terminal may be resized between two prompts. */
  canvas(): Canvas;
  rows(): number;
  print(lines: readonly string[]): void;
}

export function createScreen(keyboard: Keyboard, output: TerminalOutput, color: boolean, say: Say): Screen {
  const style = createStyle(color);
  return {
    keyboard,
    output: color ? output : withoutColor(output),
    style,
    say,
    canvas: () => ({ columns: Math.max(20, output.columns || 80), style, say }),
    rows: () => Math.max(8, output.rows || 24),
    print: (lines) => {
      output.write(`${lines.join("\n")}\n`);
    },
  };
}

const colorCodes = new RegExp(`${esc}\\[[0-9;]*m`, "g");

/** The same output without colours: the prompt library decides by standard output, not by the stream it writes to. */
function withoutColor(output: TerminalOutput): TerminalOutput {
  const plain = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      output.write(String(chunk).replace(colorCodes, ""), () => done());
    },
  });
  output.on("resize", () => plain.emit("resize"));
  return Object.defineProperties(plain, {
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
}
