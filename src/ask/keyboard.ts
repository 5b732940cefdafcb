/**
 * The one reader of a terminal's input. In raw mode only while somebody listens; what nobody listens for is dropped, so
 * that nothing typed before a question is shown can answer it (fault 17). It notices the end of input by itself, since
 * a prompt library waits for it forever (D4.7).
 */
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { ctrlC } from "./keys.ts";
import { createSplitter, type Stroke } from "./strokes.ts";

export type TerminalInput = Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };

export type Signal = Stroke | { readonly type: "end" };

export interface Keyboard {
  /** Hands everything to `handler` until the function returned is called. The latest listener alone gets it. */
  listen(handler: (signal: Signal) => void): () => void;
}

export function createKeyboard(input: TerminalInput, output: Writable): Keyboard {
  const decoder = new StringDecoder("utf8");
  const splitter = createSplitter();
  const handlers: ((signal: Signal) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const emit = (signal: Signal) => handlers.at(-1)?.(signal);
  const onData = (chunk: Buffer | string) => {
    clearTimeout(timer);
    for (const stroke of splitter.feed(typeof chunk === "string" ? chunk : decoder.write(chunk))) emit(stroke);
    if (splitter.patienceMs === null) return;
    timer = setTimeout(() => {
      for (const stroke of splitter.flush()) emit(stroke);
    }, splitter.patienceMs);
  };
  const onEnd = () => {
    if (ended) return;
    ended = true;
    emit({ type: "end" });
  };
  // A terminal that went away reports an error instead of an end.
  for (const event of ["end", "close", "error"]) input.on(event, onEnd);

  const open = () => {
    input.on("data", onData);
    if (input.isTTY === true) input.setRawMode?.(true);
    output.write("\u001b[?2004h");
    input.resume();
  };
  const close = () => {
    clearTimeout(timer);
    splitter.flush();
    input.off("data", onData);
    output.write("\u001b[?2004l");
    if (input.isTTY === true && !ended) input.setRawMode?.(false);
    input.pause();
  };
  const listen: Keyboard["listen"] = (handler) => {
    handlers.push(handler);
    if (handlers.length === 1) open();
    if (ended || input.readableEnded || input.destroyed)
      queueMicrotask(() => handlers.includes(handler) && handler({ type: "end" }));
    return () => {
      const index = handlers.lastIndexOf(handler);
      if (index === -1) return;
      handlers.splice(index, 1);
      if (handlers.length === 0) close();
    };
  };
  return { listen };
}

/** Drops what has been typed so far; true when an interrupt was among it. */
export async function drain(keyboard: Keyboard, ms: number): Promise<boolean> {
  let interrupted = false;
  const stop = keyboard.listen((signal) => {
    if (signal.type === "keys" && signal.text.includes(ctrlC)) interrupted = true;
  });
  await new Promise((resolve) => setTimeout(resolve, ms));
  stop();
  return interrupted;
}
