/** The list: at least one mutant for every rule. See `harness.ts` for what the fields mean. */
import type { Mutant } from "./harness.ts";

export const mutants: readonly Mutant[] = [
  {
    id: "D1.1",
    file: "src/core/deep/brownfield.ts",
    find: "return exists && speaksOfChange(idea, lexicons, names) ?",
    replace: "return exists || speaksOfChange(idea, lexicons, names) ?",
    test: "test/core/deep/brownfield.test.ts",
    note: "either the code or the words are enough for brownfield",
  },
  {
    id: "D1.1",
    file: "src/core/deep/brownfield.ts",
    find: 'if (override !== null && override !== "auto") return override;',
    replace: "",
    test: "test/core/deep/brownfield.test.ts",
    note: "--type is ignored",
  },
  {
    id: "D1.1",
    file: "src/run/signals.ts",
    find: 'if (!head.startsWith("ref: ")) return false;',
    replace: "return true;",
    test: "test/run/explore-signals.test.ts",
    note: "a repository without commits has a history",
  },
  {
    id: "D1.2",
    file: "src/run/walk.ts",
    find: "|| hasSecretName(entry.name)",
    replace: "",
    test: "test/run/explore.test.ts",
    note: "secret-looking files are read",
  },
  {
    id: "D1.2",
    file: "src/run/walk.ts",
    find: "if (verdict.ignored || verdict.unignored) return verdict.ignored;",
    replace: "if (verdict.ignored) return true;",
    test: "test/run/explore.test.ts",
    note: "a nested .gitignore cannot take a file back in",
  },
  {
    id: "D1.2",
    file: "src/core/deep/brownfield.ts",
    find: "isSeen(path, symbol, scan)",
    replace: "isSeen(path, null, scan)",
    test: "test/core/deep/brownfield.test.ts",
    note: "a cited symbol need not exist",
  },
];
