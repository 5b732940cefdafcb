/**
 * The terminal's asker: the question in full, then a menu (D3.3, D4.1), own words of several lines, a spinner while the
 * model works. Ctrl-C asks whether to pause, twice pauses at once; closed input is no reply (D4.7); what was typed
 * before a question is shown never answers it.
 */
import type { Writable } from "node:stream";
import type { Message, Question, Reply } from "../core/machine.ts";
import type { Asker } from "../ports.ts";
import { readWords, replyAs, replyWith } from "./command.ts";
import { compose } from "./composer.ts";
import { createKeyboard, type TerminalInput } from "./keyboard.ts";
import { ctrlC } from "./keys.ts";
import { createPause, reasonOf } from "./leaving.ts";
import { type MenuResult, showMenu } from "./menu.ts";
import { drawMessage, drawOptions, drawText, type Extra, extrasOf, fitsMenu, isOther, menuLabel } from "./question.ts";
import { createScreen, type Screen, type TerminalOutput } from "./screen.ts";
import { createSpinner } from "./spinner.ts";
import { type Env, hasColor } from "./style.ts";
import { type Say, sayWorking } from "./words.ts";

export interface TerminalOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput & { readonly isTTY?: boolean };
  readonly env: Env;
  readonly say: Say;
  /** Names of a catch-all option in every language: an option so named opens the free text, and none is added. */
  readonly other: readonly string[];
  /** The command that goes on after a pause. */
  readonly resume: string;
  /** A second Ctrl-C while the model works: what a SIGINT from outside would do. */
  readonly interrupt: () => void;
  /** How long what was typed before a question is waited for and dropped. */
  readonly settleMs?: number;
}

type Turn = { readonly reply: Reply | null } | "again";

export function createTerminalAsker(options: TerminalOptions): Asker {
  const keyboard = createKeyboard(options.input, options.output);
  const color = hasColor(options.env, options.output.isTTY === true);
  const screen = createScreen(keyboard, options.output, color, options.say);
  const spinner = createSpinner(options.output, screen.style.accent);
  const { resume, say } = options;
  let printed = false;
  let pauseWanted = false;

  const print = (lines: readonly string[]) => {
    spinner.clear();
    screen.print(printed ? ["", ...lines] : lines);
    printed = true;
  };
  const ask = async (question: Question, optional: boolean, signal: AbortSignal): Promise<Reply | null> => {
    if (signal.aborted) throw reasonOf(signal, resume);
    if (await keyboard.drain(options.settleMs ?? 60)) pauseWanted = true;
    const canvas = screen.canvas();
    print([
      ...drawText(question, canvas),
      ...(fitsMenu(question, canvas) ? [] : ["", ...drawOptions(question, canvas)]),
    ]);
    const draft = { text: "" };
    for (;;) {
      if (pauseWanted) {
        pauseWanted = false;
        const answer = await askPause(screen, signal);
        if (answer === "end") return null;
        if (answer === "pause") throw signal.aborted ? reasonOf(signal, resume) : createPause(resume);
      }
      const turn = await takeTurn(screen, { question, optional, other: options.other, draft }, signal);
      if (signal.aborted) throw reasonOf(signal, resume);
      if (turn === "interrupt") pauseWanted = true;
      else if (turn !== "again") return turn.reply;
    }
  };
  return {
    ask: (question, context) => ask(question, context.optional, context.signal),
    askMany: (questions, context) => askInTurn(questions, (question) => ask(question, false, context.signal)),
    tell: (message: Message) => print(drawMessage(message, screen.canvas())),
    working: (labels) => {
      let presses = 0;
      const stop = keyboard.listen((stroke) => {
        if (stroke.type !== "keys" || !stroke.text.includes(ctrlC)) return;
        presses += stroke.text.split(ctrlC).length - 1;
        if (presses > 1) return options.interrupt();
        pauseWanted = true;
        print([say("ask.pause.later")]);
      });
      spinner.start(sayWorking(say, labels), screen.canvas().columns);
      return () => {
        spinner.stop();
        stop();
      };
    },
  };
}
