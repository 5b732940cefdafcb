/** D2.1, D2.3, D1.6: the topology task by rules: clauses as components, and the language by its script and short words. */

import { splitClauses } from "../../core/deep/clauses.ts";
import { detectLanguage } from "../../core/deep/detect.ts";
import type { TaskReply } from "../../core/deep/tasks.ts";
import { codeNames } from "../../core/deep/terms.ts";
import type { Lexicon } from "../../core/lexicon.ts";
import { cut, fold } from "../../core/text.ts";
import type { Input } from "./inputs.ts";
import type { Tongues } from "./tongue.ts";

export function topologyTask(
  input: Input<"topology">,
  tongues: Tongues,
  lexicons: readonly Lexicon[],
): TaskReply<"topology"> {
  const wanted = input.requested_language;
  const tongue = wanted === "" ? tongues.forText(input.idea, "en") : tongues.forTag(wanted);
  const { lexicon } = tongue;
  // The words of the idea are read in the idea's own language, also when the interview is held in another one.
  const reading = tongues.forText(input.idea, lexicon.tag).lexicon;
  const isForeign = detectLanguage(input.idea, lexicons)?.known === false;
  const split = splitClauses(input.idea, lexicons, isForeign ? "" : reading.tag);
  return {
    language: { tag: lexicon.tag, name: lexicon.name, instruction: lexicon.instruction },
    phrases: [],
    changes_existing: input.context.length > 0 || speaksOfChange(input.idea, reading),
    grouping: split.grouping ?? "",
    components: split.components.map(({ name, text, deliverables }) => ({
      name: split.components.length === 1 ? (symbolIn(input) ?? name) : name,
      description: describe(text),
      evidence: text,
      deliverables: [...new Set(deliverables)],
    })),
  };
}

/** A change of one known symbol is called by it: code has its name already. */
function symbolIn(input: Input<"topology">): string | null {
  const named = codeNames(input.idea).map(({ name }) => name);
  return named.find((name) => input.context.some((finding) => finding.symbol === name)) ?? null;
}

function describe(text: string): string {
  const line = cut(text.replace(/\s+/gu, " ").trim(), 200);
  return line.slice(0, 1).toUpperCase() + line.slice(1);
}

function speaksOfChange(idea: string, lexicon: Lexicon): boolean {
  const folded = fold(idea);
  const words = new Set(folded.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? []);
  return lexicon.change.some(
    (word) => words.has(fold(word)) || (!/^[\p{Script=Latin}]/u.test(word) && folded.includes(fold(word))),
  );
}
