/**
 * Input as lines, read only while somebody waits for one. The last line counts without a line end; after it there is
 * nothing more (D4.7).
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

export interface Lines {
  /** The next line without its end; null when the input is at its end or the signal aborts. */
  next(signal: AbortSignal): Promise<string | null>;
  /** Drops the lines that come within this time: what was typed before a question is shown (fault 17). */
  drain(ms: number): Promise<void>;
}

export function createLines(input: Readable): Lines {
  const decoder = new StringDecoder("utf8");
  const queue: string[] = [];
  let partial = "";
  let ended = false;
  let wake: (() => void) | null = null;

  input.on("data", (chunk: Buffer | string) => {
    const pieces = (partial + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
    partial = pieces.pop() ?? "";
    queue.push(...pieces.map((piece) => (piece.endsWith("\r") ? piece.slice(0, -1) : piece)));
    if (pieces.length > 0) wake?.();
  });
  const onEnd = () => {
    if (!ended && partial !== "") queue.push(partial);
    partial = "";
    ended = true;
    wake?.();
  };
  for (const event of ["end", "close", "error"]) input.on(event, onEnd);
  input.pause();

  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener("abort", done);
        wake = null;
        input.pause();
        resolve();
      };
      wake = done;
      signal.addEventListener("abort", done, { once: true });
      input.resume();
    });
  return {
    async next(signal) {
      if (input.readableEnded || input.destroyed) onEnd();
      if (queue.length === 0 && !ended && !signal.aborted) await wait(signal);
      return signal.aborted ? null : (queue.shift() ?? null);
    },
    async drain(ms) {
      input.resume();
      await new Promise((resolve) => setTimeout(resolve, ms));
      input.pause();
      queue.length = 0;
      partial = "";
    },
  };
}
