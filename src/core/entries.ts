/**
 * D0.1, D0.2: what a settings file says about this program's settings, nested or flat dotted in any mixture, and the
 * notices for what it cannot mean. Other tools' keys are not looked at.
 */
import * as z from "zod";
import { nearest } from "./nearest.ts";
import { settings, settingsRoot } from "./settings.ts";

/** A settings file as it was parsed. `name` is what people know it by, such as `./.gjc/settings.json`. */
export interface Layer {
  readonly name: string;
  readonly value: unknown;
}

export interface FileLayer {
  readonly name: string;
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  readonly value: unknown;
  /** How many objects it is nested in: the flatter of two spellings of one key wins. */
  readonly depth: number;
}

const known: ReadonlySet<string> = new Set(settings.map(({ key }) => key));
const prefix = `${settingsRoot}.`;

/** Finds the settings of a file; what is unknown or in the wrong place adds a notice. */
export function readLayer(layer: Layer, notices: string[]): FileLayer {
  const entries = new Map<string, Entry>();
  const visit = (value: unknown, path: string, depth: number) => {
    const key = path.startsWith(prefix) ? path.slice(prefix.length) : null;
    if (key !== null && known.has(key)) {
      const present = entries.get(key);
      if (present === undefined || depth < present.depth) entries.set(key, { value, depth });
    } else if (isGroup(path)) {
      const inner = z.record(z.string(), z.unknown()).safeParse(value);
      if (!inner.success) notices.push(notAnObject(layer.name, path, value));
      for (const [name, child] of Object.entries(inner.data ?? {})) {
        if (name !== "") visit(child, path === "" ? name : `${path}.${name}`, depth + 1);
      }
    } else if (key !== null) {
      notices.push(unknownKey(layer.name, key));
    }
  };
  visit(layer.value, "", 0);
  return { name: layer.name, entries };
}

/** Whether settings can stand below a path: the whole file, `gjc`, and the groups of this program's own settings. */
function isGroup(path: string): boolean {
  return path === "" || [...known].some((key) => `${prefix}${key}`.startsWith(`${path}.`));
}

/** The one notice for an invalid value (D0.2). */
export function passedOver(file: string, key: string, value: unknown, valid: string): string {
  return `${file}: ${settingsRoot}.${key} is ${describe(value)}, but it has to be ${valid}; the value is passed over.`;
}

function notAnObject(file: string, path: string, value: unknown): string {
  const what = path === "" ? "the file" : printable(path);
  return `${file}: ${what} is ${describe(value)}, but it has to be an object; it is passed over.`;
}

function unknownKey(file: string, key: string): string {
  const meant = nearest(key, [...known]);
  return `${file}: there is no setting ${settingsRoot}.${printable(key)}; the nearest one is ${settingsRoot}.${meant}.`;
}

/** A value as a person wrote it, on one line; text is quoted, so that `"0.05"` is seen to be no number. */
export function describe(value: unknown): string {
  if (typeof value === "string") return `the text ${JSON.stringify(printable(value))}`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** Of what somebody else wrote nothing reaches a terminal but plain characters, and not many of them. */
export function printable(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
