/**
 * Where the commands write: results to stdout, notices and progress to stderr. One JSON value with `--json`, one object a
 * line with `stream-json`, text otherwise; the first line of every human surface is the threshold's (D0.3).
 */

import type * as z from "zod";
import { visible } from "../core/text.ts";
import type { DeepInterviewError } from "../errors.ts";
import type { ErrorOutput } from "./outputs.ts";

export type Format = "text" | "json" | "stream-json";

export interface Output {
  readonly format: Format;
  /** A line for people, on stdout; nothing in the JSON formats. */
  line(text: string): void;
  /** A notice, on stderr whatever the format. */
  notice(text: string): void;
  /** The one result: printed as JSON in the JSON formats, by `text` otherwise. */
  result(value: Readonly<Record<string, unknown>>, text: () => string): void;
  /** One object of a stream; nothing in the other formats. */
  event(value: Readonly<Record<string, unknown>>): void;
}

export interface Streams {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

export function createOutput(format: Format, { out, err }: Streams): Output {
  return {
    format,
    line: (text) => {
      if (format === "text") out.write(`${visible(text)}\n`);
    },
    notice: (text) => err.write(`${visible(text)}\n`),
    result(value, text) {
      if (format === "json") out.write(`${JSON.stringify(value)}\n`);
      else if (format === "stream-json") out.write(`${JSON.stringify({ type: "result", ...value })}\n`);
      else {
        const shown = text();
        if (shown !== "") out.write(`${visible(shown)}\n`);
      }
    },
    event: (value) => {
      if (format === "stream-json") out.write(`${JSON.stringify(value)}\n`);
    },
  };
}

export function errorOutput(error: DeepInterviewError): z.infer<typeof ErrorOutput> {
  return { ok: false, code: error.code, message: error.message, next: error.next };
}
