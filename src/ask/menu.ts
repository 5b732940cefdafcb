/**
 * A list to choose from, by the prompt library (loaded when first used). It is fed through a stream of our own, so that
 * Ctrl-C, end of input, digits, pasted text and typed words are ours to handle and never choose an option.
 */
import { PassThrough } from "node:stream";
import { readKeys } from "./keys.ts";
import type { Screen } from "./screen.ts";

export type MenuResult =
  | { readonly type: "picked"; readonly values: readonly string[] }
  /** The user began to type or pasted: the words so far. */
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "interrupt" | "end" | "back" | "aborted" };

export interface MenuSpec {
  readonly message: string;
  readonly items: readonly { readonly value: string; readonly label: string }[];
  readonly initial: string | null;
  readonly many: boolean;
  /** Whether typed words leave the menu; else they do nothing. */
  readonly typing: boolean;
}

const up = "\u001b[A";
const down = "\u001b[B";

/** Loads the prompt library, so that no menu has to wait for it with a key half heard. */
export async function loadMenu() {
  return import("@clack/prompts");
}

export async function showMenu(screen: Screen, spec: MenuSpec, signal: AbortSignal): Promise<MenuResult> {
  const { multiselect, select } = await loadMenu();
  if (signal.aborted) return { type: "aborted" };
  const feed = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const leave = new AbortController();
  let left: MenuResult | null = null;
  const quit = (result: MenuResult) => {
    left ??= result;
    // What comes after it, in the same chunk even, is no longer for this menu.
    stop();
    leave.abort();
  };
  const abort = () => quit({ type: "aborted" });
  signal.addEventListener("abort", abort, { once: true });
  const onKeys = createMenuKeys(spec, (sequence) => feed.write(sequence), quit);
  const stop = screen.keyboard.listen((stroke) => {
    if (stroke.type === "end") quit({ type: "end" });
    else if (stroke.type === "keys") onKeys(stroke.text);
    else if (spec.typing) quit({ type: "typed", text: stroke.text });
  });
  const shared = {
    message: spec.message,
    options: spec.items.map((item) => ({ ...item })),
    input: feed,
    output: screen.output,
    signal: leave.signal,
    showInstructions: false,
  };
  try {
    const picked = spec.many
      ? await multiselect({ ...shared, required: false })
      : await select({ ...shared, ...(spec.initial === null ? {} : { initialValue: spec.initial }) });
    if (left !== null) return left;
    if (typeof picked === "symbol") return { type: "back" };
    return { type: "picked", values: typeof picked === "string" ? [picked] : picked };
  } finally {
    stop();
    signal.removeEventListener("abort", abort);
    feed.destroy();
  }
}

/** Moves, marks and confirms in the library's list; a digit moves to that entry without confirming it. */
function createMenuKeys(spec: MenuSpec, send: (sequence: string) => void, quit: (result: MenuResult) => void) {
  const count = spec.items.length;
  let index = Math.max(
    0,
    spec.items.findIndex((item) => item.value === spec.initial),
  );
  // Digits and blanks that turn out to be the beginning of words.
  let typed = "";
  const move = (by: number) => {
    for (let step = 0; step < Math.abs(by); step += 1) send(by < 0 ? up : down);
    index = (index + by + count) % count;
  };
  return (text: string) => {
    for (const key of readKeys(text)) {
      switch (key.name) {
        case "interrupt":
          return quit({ type: "interrupt" });
        case "eof":
          return quit({ type: "end" });
        case "escape":
          return quit({ type: "back" });
        case "return":
          return send("\r");
        case "up":
        case "down":
          move(key.name === "up" ? -1 : 1);
          typed = "";
          break;
        case "char": {
          if (spec.many && key.text === " ") {
            send(" ");
            break;
          }
          typed += key.text;
          const digit = /^[1-9]$/.test(key.text) ? Number(key.text) : 0;
          if (digit > 0 && digit <= count) move(digit - 1 - index);
          else if (spec.typing && typed.trim() !== "" && digit === 0)
            return quit({ type: "typed", text: typed.trimStart() });
          break;
        }
        default:
          break;
      }
    }
  };
}
