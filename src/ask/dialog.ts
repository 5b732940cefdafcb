/**
 * One question at the terminal as a small dialog: a menu of the options and of the other ways to reply (D3.3, D4.1), own
 * words, and the question whether to pause. Each turn ends in a reply, in another turn, or in an interrupt.
 */
import type { Question, Reply } from "../core/machine.ts";
import { readWords, replyAs, replyWith } from "./command.ts";
import { compose } from "./composer.ts";
import { type MenuResult, showMenu } from "./menu.ts";
import { extrasOf, isOther, menuLabel } from "./question.ts";
import type { Screen } from "./screen.ts";

export type Turn = { readonly reply: Reply | null } | "again" | "interrupt";

export interface Dialog {
  readonly question: Question;
  /** The question may be left without a reply and the interview goes on. */
  readonly optional: boolean;
  /** Names of a catch-all option. */
  readonly other: readonly string[];
  /** Where the dialog stands; `list` is the list of a question with several choices. */
  place: "menu" | "list" | "words" | "explain";
  /** Words typed so far: they survive going back and pausing. */
  draft: string;
}

export function openDialog(question: Question, optional: boolean, other: readonly string[]): Dialog {
  const place = question.options.length === 0 && question.allow_free_text ? "words" : "menu";
  return { question, optional, other, place: question.multi_select && place === "menu" ? "list" : place, draft: "" };
}

function optionItems(screen: Screen, question: Question) {
  const canvas = screen.canvas();
  return question.options.map((option, index) => ({ value: option.id, label: menuLabel(option, index, canvas) }));
}

/** Entries that are not the question's own; their values cannot be taken for an option's id. */
function extraItems(screen: Screen, dialog: Dialog) {
  const { question } = dialog;
  const { say } = screen;
  const items: { value: string; label: string }[] = [];
  const hasOwn = question.options.some((option) => isOther(option, dialog.other));
  if (question.allow_free_text && (question.options.length === 0 || !hasOwn))
    items.push({ value: "+words", label: say("ask.words") });
  for (const extra of extrasOf(question)) items.push({ value: `+${extra}`, label: say(`ask.${extra}`) });
  if (dialog.optional) items.push({ value: "+leave", label: say("ask.leave") });
  if (question.multi_select) items.push({ value: "+list", label: say("ask.back") });
  return items;
}

function hasMenu(screen: Screen, dialog: Dialog): boolean {
  const { question } = dialog;
  return question.options.length > 0 || extraItems(screen, dialog).some((item) => item.value !== "+words");
}

/** What a choice means; words and explanations go on in the composer. */
function takeChoice(dialog: Dialog, value: string): Turn {
  switch (value) {
    case "+words":
    case "+explain":
      dialog.place = value === "+words" ? "words" : "explain";
      return "again";
    case "+list":
      dialog.place = "list";
      return "again";
    case "+opt-out":
      return { reply: replyAs("opt-out") };
    case "+finish":
      return { reply: replyAs("finish") };
    case "+leave":
      return { reply: null };
  }
  const option = dialog.question.options.find((candidate) => candidate.id === value);
  if (option !== undefined && dialog.question.allow_free_text && isOther(option, dialog.other)) {
    dialog.place = "words";
    return "again";
  }
  return { reply: replyWith([value]) };
}

/** What leaving a menu means, when it was left without a choice. */
function takeLeaving(dialog: Dialog, result: Exclude<MenuResult, { type: "picked" }>): Turn {
  switch (result.type) {
    case "typed":
      dialog.draft += result.text;
      dialog.place = "words";
      return "again";
    case "interrupt":
      return "interrupt";
    case "end":
    case "aborted":
      return { reply: null };
    case "back":
      return "again";
  }
}

async function takeMenu(screen: Screen, dialog: Dialog, signal: AbortSignal): Promise<Turn> {
  const { question } = dialog;
  const many = dialog.place === "list";
  const options = many || !question.multi_select ? optionItems(screen, question) : [];
  const items = many ? options : [...options, ...extraItems(screen, dialog)];
  const recommended = question.options.find((option) => option.recommended)?.id ?? null;
  const hint = many ? "ask.choose.many" : question.allow_free_text ? "ask.choose" : "ask.choose.plain";
  const spec = { message: screen.say(hint), items, initial: recommended, many, typing: true };
  const result = await showMenu(screen, spec, signal);
  if (result.type !== "picked") {
    if (many && result.type === "back") dialog.place = "menu";
    return takeLeaving(dialog, result);
  }
  const [first] = result.values;
  if (!many) return first === undefined ? "again" : takeChoice(dialog, first);
  if (first !== undefined) return { reply: replyWith(result.values) };
  dialog.place = "menu";
  return "again";
}

async function takeWords(screen: Screen, dialog: Dialog, signal: AbortSignal): Promise<Turn> {
  const { question } = dialog;
  const explain = dialog.place === "explain";
  const title = screen.say(explain ? "ask.explain.title" : "ask.words.title");
  const back = hasMenu(screen, dialog);
  const result = await compose(screen, { title, seed: dialog.draft, blank: explain, back }, signal);
  dialog.draft = result.text;
  switch (result.type) {
    case "back":
      dialog.place = "menu";
      return "again";
    case "interrupt":
      return "interrupt";
    case "end":
    case "aborted":
      return { reply: null };
    case "sent":
      break;
  }
  if (explain) return { reply: replyAs("explain", result.text.trim() === "" ? null : result.text) };
  const reply = readWords(result.text);
  if (question.allow_free_text || reply.as !== null) return { reply };
  screen.print([screen.say("ask.line.choose")]);
  dialog.place = "menu";
  dialog.draft = "";
  return "again";
}

export function takeTurn(screen: Screen, dialog: Dialog, signal: AbortSignal): Promise<Turn> {
  const composing = dialog.place === "words" || dialog.place === "explain";
  return composing ? takeWords(screen, dialog, signal) : takeMenu(screen, dialog, signal);
}

/** Ctrl-C once: whether to pause. Ctrl-C again is a pause; input that ends here is no answer at all. */
export async function askPause(screen: Screen, signal: AbortSignal): Promise<"pause" | "go-on" | "end"> {
  const { say } = screen;
  const items = [
    { value: "pause", label: say("ask.pause.yes") },
    { value: "go-on", label: say("ask.pause.no") },
  ];
  const spec = { message: say("ask.pause"), items, initial: "pause", many: false, typing: false };
  const result = await showMenu(screen, spec, signal);
  switch (result.type) {
    case "picked":
      return result.values[0] === "pause" ? "pause" : "go-on";
    case "interrupt":
    case "aborted":
      return "pause";
    case "end":
      return "end";
    case "back":
    case "typed":
      return "go-on";
  }
}
