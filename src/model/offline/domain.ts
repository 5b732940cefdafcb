/** Which domain a component belongs to, by the words of its name, then of its description. */
import { fold } from "../../core/text.ts";
import type { Bank } from "./bank.ts";
import type { Tongue } from "./tongue.ts";
import { hasAlike, stemsOf } from "./words.ts";

export function domainsOf(text: string, tongue: Tongue): Bank["domains"] {
  const stems = stemsOf(text, tongue);
  const folded = fold(text);
  const hits = (words: readonly string[]) =>
    words.filter((word) =>
      word.includes(" ") || tongue.bank.mode === "runs" ? folded.includes(fold(word)) : isNamed(word, stems, tongue),
    ).length;
  return tongue.bank.domains
    .map((domain) => ({ domain, hits: hits(domain.words) }))
    .filter((item) => item.hits > 0)
    .sort((left, right) => right.hits - left.hits)
    .map((item) => item.domain);
}

function isNamed(word: string, stems: ReadonlySet<string>, tongue: Tongue): boolean {
  return [...stemsOf(word, tongue)].some((stem) => hasAlike(stem, stems));
}

/** Words that belong to what a component is about: an answer that uses one is about it. */
export function domainWords(text: string, tongue: Tongue): readonly string[] {
  return domainsOf(text, tongue)
    .slice(0, 2)
    .flatMap((domain) => domain.words);
}
