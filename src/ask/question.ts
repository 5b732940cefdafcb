/**
 * A question as people read it: header line (D3.2), text, options with the recommended one marked (D3.3), and which
 * other ways to reply make sense for its kind (D4.1). Printed in full above the menu, so that a question of 60 lines on
 * a terminal of 24 stays readable in the scrollback (fault 27).
 */
import type { Message, Option, Question, QuestionKind } from "../core/machine.ts";
import { foldPhrase } from "../core/text.ts";
import { display, shorten, width, wrap } from "./layout.ts";
import { type Canvas, drawAnyReport } from "./report.ts";

/** Ways to reply beside the options. */
export type Extra = "explain" | "opt-out" | "finish";

const extrasByKind = {
  topology: ["explain", "finish"],
  round: ["explain", "opt-out", "finish"],
  "confirm-assumption": ["explain", "finish"],
  refine: [],
  collect: [],
  "soft-limit": [],
  restate: [],
  bridge: [],
  frontier: ["explain", "finish"],
  narrow: [],
  revise: [],
  approval: [],
} satisfies Record<QuestionKind, readonly Extra[]>;

/** Finishing early belongs to numbered rounds: the topology gate and an unnumbered question have nothing to finish. */
export function extrasOf(question: Question): readonly Extra[] {
  const numbered = question.kind === "frontier" || (question.round ?? 0) > 0;
  return extrasByKind[question.kind].filter((extra) => extra !== "finish" || numbered);
}

/** Whether an option is itself the catch-all ("Other", "3) Other."), so that a second one would be a duplicate. */
export function isOther(option: Option, names: readonly string[]): boolean {
  const label = foldPhrase(option.label.replace(/^\s*[\p{L}\p{N}]\s*[.)]\s*/u, ""));
  return names.some((name) => foldPhrase(name) === label);
}

export function labelOf(option: Option, canvas: Canvas): string {
  const label = display(option.label).replace(/\s+/gu, " ").trim();
  const mark = canvas.say("ask.recommended");
  const marked = /\(recommended\)$/iu.test(label) || label.endsWith(mark);
  return option.recommended && !marked ? `${label} ${mark}` : label;
}

/** Header and text, wrapped; the header line and its parts keep their order at any width. */
export function drawText(question: Question, canvas: Canvas): string[] {
  const { columns, style } = canvas;
  const header = question.header === null ? [] : [...wrap(display(question.header), columns).map(style.dim), ""];
  return [...header, ...wrap(display(question.text).trimEnd(), columns)];
}

/** Numbered options with what each means. */
export function drawOptions(question: Question, canvas: Canvas): string[] {
  return question.options.flatMap((option, index) => {
    const mark = `${index + 1}. `;
    const label = wrap(mark + labelOf(option, canvas), canvas.columns);
    const room = canvas.columns - width(mark);
    const text = display(option.description).trim();
    const description = text === "" ? [] : wrap(text, room).map((line) => " ".repeat(width(mark)) + line);
    return [
      ...label.map(option.recommended ? canvas.style.accent : (line) => line),
      ...description.map(canvas.style.dim),
    ];
  });
}

/** What the prompt library needs beside a label; it counts its own colour codes as columns. */
const menuMargin = 16;

/** Whether a menu of one line an option says everything, so that no list is needed above it. */
export function fitsMenu(question: Question, canvas: Canvas): boolean {
  return question.options.every(
    (option) => option.description.trim() === "" && width(labelOf(option, canvas)) + 3 <= canvas.columns - menuMargin,
  );
}

/** An option in a menu: one line, cut where it has to be. */
export function menuLabel(option: Option, index: number, canvas: Canvas): string {
  return shorten(`${index + 1}. ${labelOf(option, canvas)}`, Math.max(12, canvas.columns - menuMargin));
}

/** What a message looks like to people. The first line of the announcement is never broken: others look for it. */
export function drawMessage(message: Message, canvas: Canvas): string[] {
  const { columns, style } = canvas;
  switch (message.type) {
    case "announcement": {
      const [marker = "", ...rest] = display(message.text).split("\n");
      return [marker, ...rest.flatMap((line) => wrap(line, columns))];
    }
    case "text":
      return wrap(display(message.text), columns);
    case "warning":
      return wrap(`! ${display(message.text)}`, columns).map(style.warn);
    case "report":
      return drawAnyReport(message.view, canvas);
  }
}
