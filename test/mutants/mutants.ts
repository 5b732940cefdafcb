/** The list: at least one mutant for every rule. See `harness.ts` for what a row means. */
import { early } from "./early.ts";
import { type Mutant, readRow } from "./harness.ts";
import { late } from "./late.ts";

export const mutants: readonly Mutant[] = [...early, ...late].map(readRow);
