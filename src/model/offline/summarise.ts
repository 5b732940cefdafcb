/**
 * D1.3 by rules: an oversized text cut to size. Its head and its tail stay, and between them the sentences that hold
 * decisions, limits, numbers, paths and exclusions, verbatim and in their order.
 */
import type { TaskReply } from "../../core/deep/tasks.ts";
import { cut, fold, sentences } from "../../core/text.ts";
import { evidenceOf } from "./evidence.ts";
import { say } from "./gaps.ts";
import type { Tongue } from "./tongue.ts";

const maxItems = 12;
const maxItemChars = 200;

interface Rated {
  readonly text: string;
  readonly index: number;
  readonly rate: number;
}

/** `max` characters for the summary; the lists repeat some of its sentences for those who look for them. */
export function summariseText(text: string, max: number, tongue: Tongue): TaskReply<"summarise"> {
  const all = sentences(text);
  const rated = all.map(
    (sentence, index): Rated => ({
      text: cut(sentence, 400),
      index,
      rate: rateOf(sentence, index, all.length, tongue),
    }),
  );
  const note = (kept: number) => say(tongue, "summary.cut", { kept, all: all.length });
  const room = Math.max(0, max - note(all.length).length - 2);
  const kept = pick(rated, room).sort((a, b) => a.index - b.index);
  const body = kept.map((item) => item.text).join(" ");
  const summary = kept.length === all.length ? body : `${body}\n${note(kept.length)}`;
  const list = (isIn: (folded: string, sentence: string) => boolean) =>
    distinct(all.filter((sentence) => isIn(fold(sentence), sentence))).slice(0, maxItems);
  const share = Math.floor(max / 10);
  const has = (name: Parameters<Tongue["find"]>[0]) => (folded: string) => tongue.find(name, folded).length > 0;
  return {
    summary: cut(summary.trim() === "" ? text.trim().slice(0, max) : summary, max),
    decisions: within(
      list((folded) => has("musts")(folded) && !has("negations")(folded)),
      share,
    ),
    constraints: within(
      list((folded) => has("constraint")(folded) || has("limits")(folded)),
      share,
    ),
    unknowns: within(
      list((folded, sentence) => /[?？]\s*$/u.test(sentence) || has("hedges")(folded)),
      share,
    ),
    citations: within(distinct(text.match(citation) ?? []).slice(0, 40), share),
    non_goals: within(
      list((folded) => has("exclusion")(folded) && !has("limits")(folded)),
      share,
    ),
  };
}

const citation =
  /(?:[\w@.-]+\/)+[\w@.-]+\.\w+|`[^`\n]{2,80}`|\b[\w-]+\.(?:[jt]sx?|py|go|rs|java|rb|sql|json|ya?ml|toml|md|css|html)\b/gu;

/** Head and tail first, then what binds; of what is equal, what stands earlier. */
function rateOf(sentence: string, index: number, count: number, tongue: Tongue): number {
  const edge = index < 6 || index >= count - 4 ? 10 : 0;
  const { kinds } = evidenceOf(sentence, tongue);
  const binding = ["must", "limit", "exclusion", "measure", "path"].filter((kind) =>
    [...kinds].some((own) => own === kind),
  ).length;
  return edge + 2 * binding + (kinds.has("number") ? 1 : 0) + (kinds.has("reason") ? 0.5 : 0);
}

function pick(rated: readonly Rated[], room: number): Rated[] {
  const kept: Rated[] = [];
  let used = 0;
  const seen = new Set<string>();
  for (const item of [...rated].sort((a, b) => b.rate - a.rate || a.index - b.index)) {
    const key = fold(item.text);
    if (seen.has(key) || used + item.text.length + 1 > room) continue;
    seen.add(key);
    kept.push(item);
    used += item.text.length + 1;
  }
  return kept;
}

function within(items: readonly string[], room: number): string[] {
  const made: string[] = [];
  let used = 0;
  for (const item of items) {
    const text = cut(item, maxItemChars);
    if (used + text.length > room) break;
    used += text.length;
    made.push(text);
  }
  return made;
}

function distinct(items: readonly string[]): string[] {
  return [...new Map(items.toReversed().map((item) => [fold(item), item])).values()].toReversed();
}
