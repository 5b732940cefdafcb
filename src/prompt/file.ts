/**
 * One prompt file: a front matter that names it, its task and its inputs, then the template. Everything that is wrong
 * with it is a UsageError that names file and line, since any of these files may be a user's own.
 */
import * as z from "zod";
import { UsageError } from "../errors.ts";

export const FrontMatter = z.strictObject({
  name: z.string(),
  /** The model task that it words, or `document` for what people read; absent for partials. */
  task: z.string().optional(),
  version: z.int().min(1),
  /** Every variable that the template reads, no other. */
  inputs: z.array(z.string()),
  /** False when no later call reads the same prefix, so that caching it would only cost. */
  cache: z.boolean().default(true),
  /** The partial that renders the task's stable prefix. */
  prefix: z.string().default("_prefix"),
});
export type FrontMatter = z.infer<typeof FrontMatter>;

export interface Source {
  /** As messages show it. */
  readonly path: string;
  readonly front: FrontMatter;
  readonly body: string;
  /** Lines of the file before the body's first one. */
  readonly offset: number;
  /** The line that declares an input, for messages. */
  lineOf(input: string): number;
}

export function fault(path: string, line: number, message: string, cause?: unknown): UsageError {
  return new UsageError("prompt-file", `${path}:${line}: ${message}`, {
    next: "Correct the file, or remove it from the folder given with --prompts to use the one that ships.",
    ...(cause === undefined ? {} : { cause }),
  });
}

const marker = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

export function hasFrontMatter(text: string): boolean {
  return marker.exec(text)?.index === 0;
}

/** Splits a file's text. `name` is what the front matter has to call itself. */
export async function parseFile(name: string, path: string, text: string): Promise<Source> {
  const { yaml, ...parts } = splitFile(path, text);
  const front = await parseFront(path, yaml);
  if (front.name !== name) throw fault(path, lineWith(yaml, "name"), `its name has to be "${name}"`);
  return { ...parts, front };
}

/** The same without reading the front matter, which is left as text. */
export function splitFile(path: string, text: string): Omit<Source, "front"> & { readonly yaml: string } {
  const found = marker.exec(text);
  if (found?.index !== 0) {
    throw fault(path, 1, "it has to begin with a front matter: name, version and inputs between two lines of ---");
  }
  const [head, yaml = ""] = found;
  return {
    path,
    yaml,
    body: text.slice(head.length).replace(/\r\n/g, "\n"),
    offset: head.split("\n").length - 1,
    lineOf: (input) => lineWith(yaml, input),
  };
}

async function parseFront(path: string, text: string): Promise<FrontMatter> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw fault(path, line + 1, `its front matter is no YAML: ${error.message.split("\n")[0] ?? ""}`, error);
  }
  const parsed = FrontMatter.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = String(issue?.path[0] ?? (issue?.code === "unrecognized_keys" ? issue.keys[0] : "name"));
  throw fault(path, lineWith(text, key), `${key}: ${issue?.message ?? "does not fit"}`);
}

/** The line of the file on which a word of the front matter stands; the first one when it is nowhere. */
function lineWith(yaml: string, word: string): number {
  const found = yaml.split("\n").findIndex((line) => line.split(/[^\w-]+/).includes(word));
  return Math.max(0, found) + 2;
}
