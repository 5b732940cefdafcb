/** Everything that is wrong with a file of the user's, with lines, reported together. */
import { UsageError } from "../errors.ts";

export interface Problems {
  readonly file: string;
  add(line: number, message: string): void;
  /** Throws `UsageError` when anything was added. */
  raise(): void;
}

const shown = 10;

/** One thing wrong with one line. */
export function createFault(file: string, line: number, message: string, code: string, next: string): UsageError {
  return new UsageError(code, `${file}:${line}: ${message}`, { next });
}

export function createProblems(file: string, code: string, next: string): Problems {
  const found: { readonly line: number; readonly message: string }[] = [];
  return {
    file,
    add: (line, message) => {
      found.push({ line, message });
    },
    raise() {
      if (found.length === 0) return;
      const sorted = [...found].sort((a, b) => a.line - b.line);
      const lines = sorted.slice(0, shown).map(({ line, message }) => `${file}:${line}: ${message}`);
      if (sorted.length > shown) lines.push(`and ${sorted.length - shown} more`);
      throw new UsageError(code, lines.join("\n"), { next });
    },
  };
}
