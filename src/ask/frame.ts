/** A block of lines at the bottom of the screen that is drawn over in place. */
import type { Writable } from "node:stream";

export interface Frame {
  /** Lines must fit the width; the cursor ends up at `row`, `column` (from 0) of them, else after the last line. */
  draw(lines: readonly string[], cursor?: { readonly row: number; readonly column: number }): void;
  /** Takes the block away; what is written next stands in its place. */
  clear(): void;
}

export function createFrame(output: Writable): Frame {
  let cursorRow = 0;
  const toTop = () => `\r${cursorRow > 0 ? `\u001b[${cursorRow}A` : ""}\u001b[J`;
  return {
    draw(lines, cursor) {
      const last = lines.length - 1;
      const row = cursor?.row ?? last;
      const up = row < last ? `\u001b[${last - row}A` : "";
      const across = cursor === undefined ? "" : `\u001b[${cursor.column + 1}G`;
      output.write(toTop() + lines.join("\n") + up + across);
      cursorRow = row;
    },
    clear() {
      output.write(toTop());
      cursorRow = 0;
    },
  };
}
