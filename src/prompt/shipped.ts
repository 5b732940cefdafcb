/**
 * The prompt files that ship, compiled when the program is built: there, what precompile.ts makes stands in place of this
 * file. In the source tree nothing is compiled yet.
 */
import type { Runtime } from "./engine.ts";
import type { FrontMatter } from "./file.ts";

export interface Shipped {
  readonly runtime: Runtime;
  readonly files: ReadonlyMap<string, Precompiled>;
}

export interface Precompiled {
  /** Of the file's text, by which it is told whether it is still the one that was compiled. */
  readonly sha256: string;
  /** From the package's root, as messages show it. */
  readonly path: string;
  readonly front: FrontMatter;
  /** Names of the files that it includes. */
  readonly partials: readonly string[];
  readonly template: Parameters<Runtime["template"]>[0];
}

export const shipped: Shipped | null = null;
