/** A checked prompt file that can be rendered, however its template was compiled. */
import { UsageError } from "../errors.ts";
import { fault, type Source } from "./file.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface PromptFile {
  readonly name: string;
  /** Null for partials, `document` for what people read. */
  readonly task: string | null;
  readonly version: number;
  readonly inputs: readonly string[];
  /** As messages show it. */
  readonly path: string;
  readonly cache: boolean;
  readonly prefix: string;
  /** Renders the template over its declared inputs; other values are not seen. Throws UsageError for a missing one. */
  render(values: Values): string;
}

export type Run = (context: unknown, options?: Handlebars.RuntimeOptions) => string;

/** A source without its text. */
type Described = Pick<Source, "front" | "path" | "lineOf">;

export function createFile({ front, path, lineOf }: Described, run: Run): PromptFile {
  return {
    name: front.name,
    task: front.task ?? null,
    version: front.version,
    inputs: front.inputs,
    path,
    cache: front.cache,
    prefix: front.prefix,
    render(values) {
      const missing = front.inputs.find((input) => values[input] === undefined);
      if (missing !== undefined) throw fault(path, lineOf(missing), `there is no input "${missing}" here`);
      return run(Object.fromEntries(front.inputs.map((input) => [input, values[input]])));
    },
  };
}

/** The compiled template; what goes wrong in it names its file, also when another file includes it. */
export function guard(template: Run, { path, offset }: Pick<Source, "path" | "offset">): Run {
  return (context, options) => {
    try {
      return template(context, options);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw fault(path, lineOf(error) + offset, messageOf(error), error);
    }
  };
}

/** The line that handlebars puts on its exceptions; 1 when it says none. */
export function lineOf(error: unknown): number {
  const line = typeof error === "object" && error !== null && "lineNumber" in error ? error.lineNumber : undefined;
  return typeof line === "number" ? line : 1;
}

/** Without the place that handlebars adds: it counts from the end of the front matter. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ - \d+:\d+$/, "").replace(/ in \[object \w+\]$/, "");
}
