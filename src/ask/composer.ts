/**
 * Own words of several lines at the terminal: typed or pasted, blank lines kept, sent with the button (fault 27).
 */
import { type EditorState, insert, openEditor, press, summarise, viewEditor } from "./editor.ts";
import { createFrame } from "./frame.ts";
import type { Signal } from "./keyboard.ts";
import { type Key, readKeys } from "./keys.ts";
import { shorten } from "./layout.ts";
import type { Screen } from "./screen.ts";

export type ComposerResult =
  | { readonly type: "sent"; readonly text: string }
  /** Left without sending; the words so far, for when the user comes back to them. */
  | { readonly type: "back" | "interrupt" | "end" | "aborted"; readonly text: string };

export interface ComposerSpec {
  readonly title: string;
  /** What stands in it at first. */
  readonly seed: string;
  /** Whether nothing at all may be sent. */
  readonly blank: boolean;
  /** Whether there is something that Escape goes back to. */
  readonly back: boolean;
}

/** How many rows of the sent text stay on the screen. */
const keptRows = 8;

function drawComposer(screen: Screen, spec: ComposerSpec, state: EditorState, warned: boolean) {
  const { style, say } = screen;
  const { columns } = screen.canvas();
  const room = columns - 4;
  const view = viewEditor(state, room, Math.min(14, screen.rows() - 6));
  const bar = style.accent("│");
  const more = (count: number) => style.dim(shorten(say("ask.words.more", { count }), room));
  const head = [
    `${style.accent("◆")}  ${shorten(spec.title, room)}`,
    `${bar}  ${style.dim(shorten(say("ask.words.keys"), room))}`,
  ];
  if (view.above > 0) head.push(`${bar}  ${more(view.above)}`);
  const button = `[ ${shorten(say("ask.words.send"), room - 6)} ]`;
  const foot = [`${style.accent("└")}  ${state.focus === "button" ? style.accent(`${button} ◂`) : style.dim(button)}`];
  if (warned) foot.push(`   ${style.warn(shorten(say("ask.words.empty"), room))}`);
  if (view.below > 0) foot.unshift(`${bar}  ${more(view.below)}`);
  const lines = [...head, ...view.lines.map((line) => `${bar}  ${line}`), ...foot];
  const buttonRow = lines.length - (warned ? 2 : 1);
  const cursor =
    state.focus === "button" ? { row: buttonRow, column: 3 } : { row: head.length + view.row, column: 3 + view.column };
  return { lines, cursor };
}

function drawSent(screen: Screen, spec: ComposerSpec, text: string): string[] {
  const { style, say } = screen;
  const room = screen.canvas().columns - 4;
  const { lines, hidden } = summarise(text, room, keptRows);
  const rest = hidden > 0 ? [say("ask.words.more", { count: hidden })] : [];
  return [
    `${style.accent("◇")}  ${shorten(spec.title, room)}`,
    ...[...lines, ...rest].map((line) => style.dim(`│  ${line}`)),
  ];
}

type Step = { readonly type: "edit"; readonly state: EditorState; readonly warned: boolean } | ComposerResult;

/** What a key comes to: a change of the text, or the end of composing. */
function takeKey(spec: ComposerSpec, state: EditorState, key: Key): Step {
  const { text } = state;
  const sendable = spec.blank || text.trim() !== "";
  if (key.name === "interrupt") return { type: "interrupt", text };
  if (key.name === "eof") return { type: sendable ? "sent" : "end", text };
  if (key.name === "escape" && spec.back) return { type: "back", text };
  if (key.name === "return" && state.focus === "button") {
    return sendable ? { type: "sent", text } : { type: "edit", state, warned: true };
  }
  return { type: "edit", state: press(state, key), warned: false };
}

/** What a stroke comes to; keys after the one that ends composing are dropped. */
function takeStroke(spec: ComposerSpec, state: EditorState, stroke: Signal): Step {
  if (stroke.type === "end") return { type: "end", text: state.text };
  if (stroke.type === "paste") return { type: "edit", state: insert(state, stroke.text), warned: false };
  let step: Step = { type: "edit", state, warned: false };
  for (const key of readKeys(stroke.text)) {
    step = takeKey(spec, step.state, key);
    if (step.type !== "edit") return step;
  }
  return step;
}

/** Asks for words until they are sent or left. The text comes back byte for byte as it was typed and pasted. */
export function compose(screen: Screen, spec: ComposerSpec, signal: AbortSignal): Promise<ComposerResult> {
  return new Promise((resolve) => {
    const frame = createFrame(screen.output);
    let state = openEditor(spec.seed);
    let warned = false;
    let scheduled: NodeJS.Immediate | undefined;
    // A paste that the terminal does not mark arrives in many pieces: it is drawn once for all that are there.
    const redraw = () => {
      scheduled ??= setImmediate(() => {
        scheduled = undefined;
        const { lines, cursor } = drawComposer(screen, spec, state, warned);
        frame.draw(lines, cursor);
      });
    };
    const finish = (result: ComposerResult) => {
      stopListening();
      signal.removeEventListener("abort", abort);
      screen.output.off("resize", redraw);
      clearImmediate(scheduled);
      frame.clear();
      if (result.type === "sent") screen.print(drawSent(screen, spec, result.text));
      resolve(result);
    };
    const abort = () => finish({ type: "aborted", text: state.text });
    const stopListening = screen.keyboard.listen((stroke) => {
      const step = takeStroke(spec, state, stroke);
      if (step.type !== "edit") return finish(step);
      state = step.state;
      warned = step.warned;
      redraw();
    });
    screen.output.on("resize", redraw);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    redraw();
  });
}
