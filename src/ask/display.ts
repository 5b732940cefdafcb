/** Showing a scripted interview: what was asked, what the script said, and everything that is told. Nobody is asked. */
import type { Writable } from "node:stream";
import type { Asker } from "../ports.ts";
import { display, wrap } from "./layout.ts";
import { drawMessage, drawOptions, drawText } from "./question.ts";
import type { Canvas } from "./report.ts";
import type { ScriptOptions } from "./scripted.ts";
import { createStyle, type Env, hasColor } from "./style.ts";
import type { Say } from "./words.ts";

export interface DisplayOptions {
  readonly output: Writable & { readonly columns?: number; readonly isTTY?: boolean };
  readonly say: Say;
  readonly env: Env;
}

export interface Display {
  readonly display: Pick<Asker, "tell" | "working">;
  readonly show: NonNullable<ScriptOptions["show"]>;
}

export function createDisplay({ output, say, env }: DisplayOptions): Display {
  const style = createStyle(hasColor(env, output.isTTY === true));
  const canvas = (): Canvas => ({ columns: Math.min(200, Math.max(40, output.columns ?? 100)), style, say });
  const print = (lines: readonly string[]) => output.write(`\n${lines.join("\n")}\n`);
  return {
    display: { tell: (message) => print(drawMessage(message, canvas())), working: () => () => undefined },
    show(question, reply) {
      const chosen = reply.options.map((name) => question.options.find((option) => option.id === name)?.label ?? name);
      const words = [...chosen, reply.text ?? "", reply.as === null ? "" : `(${reply.as})`].filter(
        (part) => part !== "",
      );
      const list = question.options.length === 0 ? [] : drawOptions(question, canvas());
      const said = words.flatMap((part) => wrap(display(part), canvas().columns - 2)).map((line) => `> ${line}`);
      print([...drawText(question, canvas()), ...list, ...said.map(style.accent)]);
    },
  };
}
