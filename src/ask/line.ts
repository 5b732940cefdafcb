/**
 * Line mode: where standard input or output is no terminal, or TERM is dumb. Questions go to the human stream with
 * numbered options, replies are read as lines; no escape codes, no spinner. The end of input is no reply (D4.7).
 */
import type { Writable } from "node:stream";
import type { Question } from "../core/machine.ts";
import type { Asker } from "../ports.ts";
import type { TerminalInput } from "./keyboard.ts";
import { display, wrap } from "./layout.ts";
import { reasonOf } from "./leaving.ts";
import { createLines } from "./lines.ts";
import { drawMessage, drawOptions, drawText, isOther } from "./question.ts";
import type { Canvas } from "./report.ts";
import { askInTurn } from "./several.ts";
import { createStyle } from "./style.ts";
import { interpretTyped, readTyped } from "./typed.ts";
import { type Say, sayWorking } from "./words.ts";

export interface LineOptions {
  readonly input: TerminalInput;
  readonly output: Writable & { readonly columns?: number };
  readonly say: Say;
  /** Names of a catch-all option in every language: own words are always there, so choosing it asks for them. */
  readonly other: readonly string[];
  /** Where it says what is being worked on; the output when not given. */
  readonly progress?: Writable;
  /** The command that goes on after an interrupt. */
  readonly resume: string;
  /** How long what was typed before a question is waited for and dropped, on a terminal. */
  readonly settleMs?: number;
}

const plain = createStyle(false);

export function createLineAsker(options: LineOptions): Asker {
  const { input, output, say, resume } = options;
  const lines = createLines(input);
  let printed = false;
  let helped = false;

  const canvas = (): Canvas => ({ columns: Math.max(20, output.columns || 80), style: plain, say });
  const print = (drawn: readonly string[]) => {
    output.write(`${printed ? "\n" : ""}${drawn.join("\n")}\n`);
    printed = true;
  };
  const prompt = () => {
    if (input.isTTY === true) output.write("> ");
  };
  const note = (text: string) => output.write(`${wrap(display(text), canvas().columns).join("\n")}\n`);
  const show = (question: Question, optional: boolean) => {
    const list = question.options.length === 0 ? [] : ["", ...drawOptions(question, canvas())];
    // Said once: repeated under every question it would be longer than most of them.
    const help = helped ? [] : [question.options.length === 0 ? "" : say("ask.line.options"), say("ask.line.help")];
    helped ||= question.options.length > 0;
    if (optional) help.push(say("ask.line.optional"));
    const hint = wrap(display(help.filter((part) => part !== "").join(" ")), canvas().columns);
    print([...drawText(question, canvas()), ...list, ...(help.length === 0 ? [] : ["", ...hint])]);
  };
  return askInTurn(
    {
      async ask(question, { optional, signal }) {
        if (signal.aborted) throw reasonOf(signal, resume);
        // A pipe's lines are its replies, in order; only a person can have typed too early.
        if (input.isTTY === true) await lines.drain(options.settleMs ?? 60);
        show(question, optional);
        for (;;) {
          prompt();
          const typed = await readTyped(() => lines.next(signal));
          if (signal.aborted) throw reasonOf(signal, resume);
          if (typed === null) return null;
          if (optional && !typed.block && typed.text.trim().toLowerCase() === "/leave") return null;
          const reply = interpretTyped(question, typed);
          const chosen = question.options.find((option) => option.id === reply?.options[0]);
          if (reply === null) note(say(question.allow_free_text ? "ask.words.empty" : "ask.line.choose"));
          else if (chosen !== undefined && question.allow_free_text && isOther(chosen, options.other))
            note(say("ask.words.other"));
          else return reply;
        }
      },
      tell: (message) => print(drawMessage(message, canvas())),
      working: (labels) => {
        const text = `… ${sayWorking(say, labels)}`;
        if (options.progress === undefined || options.progress === output) print([text]);
        else options.progress.write(`${text}\n`);
        return () => undefined;
      },
    },
    "stop",
  );
}
