/** D2.1: what a component is called, in the idea's own language: the outcome its verb names, or its object. */
import type { ClauseWords } from "../lexicon.ts";
import { cut, fold } from "../text.ts";

/**
 * A clause as it was found. `outcome`: its verb names it; `carried`: its object does; `thing`: a bare noun that stands
 * for a deliverable; `bare`: neither.
 */
export interface Clause {
  readonly kind: "outcome" | "carried" | "thing" | "bare";
  readonly text: string;
  /** What the verb names, or "". */
  readonly outcome: string;
  /** The noun phrase that is done, built or delivered. */
  readonly object: string;
  /** What is told about it beyond that. */
  readonly details: readonly string[];
}

const maxWords = 4;

export function nameClause(clause: Clause, words: ClauseWords): string {
  if (clause.kind === "outcome" && clause.outcome !== "") return clause.outcome;
  return thingIn(clause.object, words, clause.kind === "carried") ?? nameObject(clause.object, words);
}

/** The deliverable that a phrase names; only the phrase's own head counts where a name of its own would be lost. */
function thingIn(object: string, words: ClauseWords, headOnly: boolean): string | null {
  const folded = ` ${fold(object)} `;
  for (const thing of words.things) {
    for (const word of thing.words) {
      const wanted = fold(word);
      const stands = words.order === "verb-last" ? folded.trim().endsWith(wanted) : folded.includes(` ${wanted} `);
      const isHead = folded.trim() === wanted || folded.trim().endsWith(` ${wanted}`) || words.order === "verb-last";
      if (stands && (isHead || !headOnly) && (wanted.includes(" ") || bare(object, words).length <= 1))
        return thing.name;
    }
  }
  return null;
}

function bare(object: string, words: ClauseWords): string[] {
  const drop = new Set(words.fillers.map(fold));
  return object
    .replace(/[^\p{L}\p{M}\p{N}\s'’./+#-]/gu, " ")
    .split(/\s+/u)
    .filter((word) => word !== "" && !drop.has(fold(word)));
}

export function nameObject(object: string, words: ClauseWords): string {
  const parts = bare(object, words).slice(0, maxWords);
  const joints = new Set([...words.leads, ...words.details, ...words.links].map(fold));
  // A name that is cut off does not end in the word that led on.
  while (parts.length > 1 && joints.has(fold(parts.at(-1) ?? ""))) parts.pop();
  const name = (parts.length === 0 ? object.trim() : parts.join(" ")).replace(/[.,;:'’-]+$/u, "");
  const upper = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  return cut(words.names === "title" ? name.split(" ").map(upper).join(" ") : upper(name), 40);
}
