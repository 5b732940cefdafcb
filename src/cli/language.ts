/** The sentences of the askers, in the language that the interview has by then. */

import type { Say } from "../ask/words.ts";
import { type Config, phrase } from "../core/deep/phrase.ts";
import type { DeepState } from "../core/deep/schema.ts";

export function createSay(config: Config, state: () => DeepState): Say {
  return (key, vars) => phrase(config, state(), key, vars);
}
