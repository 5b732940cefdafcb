/**
 * One moving line while the model works. The prompt library's spinner ends the process with code 0 on Ctrl-C and reads
 * the keyboard itself, so this one only draws; the terminal asker keeps the keyboard.
 */
import type { Writable } from "node:stream";
import { shorten } from "./layout.ts";

const pictures = ["◒", "◐", "◓", "◑"];
const erase = "\r\u001b[K";

export interface Spinner {
  start(text: string, columns: number): void;
  /** Takes the line away until the next picture, so that something can be printed. */
  clear(): void;
  stop(): void;
}

export function createSpinner(output: Writable, paint: (text: string) => string): Spinner {
  let timer: NodeJS.Timeout | undefined;
  let shown = false;
  const clear = () => {
    if (shown) output.write(erase);
    shown = false;
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    clear();
  };
  return {
    start(text, columns) {
      stop();
      let step = 0;
      const draw = () => {
        const picture = pictures[step % pictures.length] ?? "";
        output.write(`${erase}${paint(picture)} ${shorten(text, columns - 3)}`);
        shown = true;
        step += 1;
      };
      draw();
      timer = setInterval(draw, 120);
      timer.unref();
    },
    clear,
    stop,
  };
}
