/**
 * The terminal's asker: the question in full, then a menu (D3.3, D4.1), own words of several lines, a spinner while the
 * model works. Ctrl-C asks whether to pause, twice pauses at once; closed input is no reply (D4.7); what was typed
 * before a question is shown never answers it.
 */
import type { Question, Reply } from "../core/machine.ts";
import type { Asker } from "../ports.ts";
import { askPause, type Dialog, openDialog, takeTurn } from "./dialog.ts";
import { createKeyboard, drain, type TerminalInput } from "./keyboard.ts";
import { ctrlC } from "./keys.ts";
import { createPause, reasonOf } from "./leaving.ts";
import { loadMenu } from "./menu.ts";
import { drawMessage, drawOptions, drawText, fitsMenu } from "./question.ts";
import { createScreen, type Screen, type TerminalOutput } from "./screen.ts";
import { askInTurn } from "./several.ts";
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

/** What a conversation shares with the rest of the asker. */
interface Desk {
  readonly options: TerminalOptions;
  readonly screen: Screen;
  print(lines: readonly string[]): void;
  /** Ctrl-C was pressed while the model worked: the next question asks first. */
  pauseWanted: boolean;
}

function show(desk: Desk, question: Question): void {
  const canvas = desk.screen.canvas();
  const options = fitsMenu(question, canvas) ? [] : ["", ...drawOptions(question, canvas)];
  desk.print([...drawText(question, canvas), ...options]);
}

/** One question until there is a reply, or null at the end of input; rejects when the user leaves. */
async function converse(desk: Desk, dialog: Dialog, signal: AbortSignal): Promise<Reply | null> {
  const { screen, options } = desk;
  let presses = 0;
  // Keeps the terminal in raw mode between two prompts, so that a quick second Ctrl-C is a press and not a SIGINT.
  const release = screen.keyboard.listen((stroke) => {
    if (stroke.type === "keys") presses += stroke.text.split(ctrlC).length - 1;
  });
  try {
    await loadMenu();
    if (await drain(screen.keyboard, options.settleMs ?? 60)) desk.pauseWanted = true;
    show(desk, dialog.question);
    for (;;) {
      const pressed = presses + (desk.pauseWanted ? 1 : 0);
      if (pressed > 0) {
        presses = 0;
        desk.pauseWanted = false;
        const answer = pressed > 1 ? "pause" : await askPause(screen, signal);
        if (answer === "end") return null;
        if (answer === "pause") throw signal.aborted ? reasonOf(signal, options.resume) : createPause(options.resume);
      }
      const turn = await takeTurn(screen, dialog, signal);
      if (signal.aborted) throw reasonOf(signal, options.resume);
      if (turn === "interrupt") desk.pauseWanted = true;
      else if (turn !== "again") return turn.reply;
    }
  } finally {
    release();
  }
}

export function createTerminalAsker(options: TerminalOptions): Asker {
  const keyboard = createKeyboard(options.input, options.output);
  const color = hasColor(options.env, options.output.isTTY === true);
  const screen = createScreen(keyboard, options.output, color, options.say);
  const spinner = createSpinner(options.output, screen.style.accent);
  let printed = false;
  const print = (lines: readonly string[]) => {
    spinner.clear();
    screen.print(printed ? ["", ...lines] : lines);
    printed = true;
  };
  const desk: Desk = { options, screen, print, pauseWanted: false };
  const asker: Omit<Asker, "askMany"> = {
    async ask(question, { optional, signal }) {
      if (signal.aborted) throw reasonOf(signal, options.resume);
      return converse(desk, openDialog(question, optional, options.other), signal);
    },
    tell: (message) => print(drawMessage(message, screen.canvas())),
    working: (labels) => {
      let presses = 0;
      const stop = keyboard.listen((stroke) => {
        if (stroke.type !== "keys" || !stroke.text.includes(ctrlC)) return;
        presses += stroke.text.split(ctrlC).length - 1;
        if (presses > 1) return options.interrupt();
        desk.pauseWanted = true;
        print([options.say("ask.pause.later")]);
      });
      spinner.start(sayWorking(options.say, labels), screen.canvas().columns);
      return () => {
        spinner.stop();
        stop();
      };
    },
  };
  return askInTurn(asker, "stop");
}
