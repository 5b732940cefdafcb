/** D1.2 by rules: the places of a project whose paths or symbols match words of the idea; nothing that was not given. */
import type { TaskReply } from "../../core/deep/tasks.ts";
import { codeNames, createMatcher, terms } from "../../core/deep/terms.ts";
import { cut } from "../../core/text.ts";
import { say } from "./gaps.ts";
import type { Input } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";

type ExploreInput = Input<"explore">;
type Finding = TaskReply<"explore">["findings"][number];

const most = 8;
const mostSymbols = 2;

export function exploreTask(input: ExploreInput, tongue: Tongue): TaskReply<"explore"> {
  const match = createMatcher(wordsOf(input.idea, tongue));
  const rated = input.files
    .map((file) => ({ file, words: [...match(terms(`${file.path} ${file.symbols.join(" ")}`))] }))
    .filter((item) => item.words.length > 0)
    .sort((a, b) => b.words.length - a.words.length || a.file.path.localeCompare(b.file.path, "en"));
  const named = new Set(codeNames(input.idea).map(({ name }) => name));
  const findings = rated.flatMap(({ file, words }) => findingsIn(named, file, words, match, tongue)).slice(0, most);
  const summary =
    findings.length === 0
      ? say(tongue, "explore.none")
      : say(tongue, "explore.summary", { count: findings.length, files: input.files.length });
  return {
    summary,
    findings,
    earlier: input.earlier
      .slice(0, 3)
      .map(({ path, excerpt }) => ({ path, note: cut(excerpt.replace(/\s+/gu, " ").trim(), 200) })),
  };
}

/** The idea's content words: short function words match too much. */
function wordsOf(idea: string, tongue: Tongue): string[] {
  return [...terms(idea)].filter((word) => !tongue.stop.has(word) && !tongue.markers.has(word));
}

function findingsIn(
  named: ReadonlySet<string>,
  file: ExploreInput["files"][number],
  words: readonly string[],
  match: (present: Iterable<string>) => Set<string>,
  tongue: Tongue,
): Finding[] {
  const symbols = file.symbols
    .map((symbol) => ({ symbol, hits: [...match(terms(symbol))] }))
    .filter(({ hits }) => hits.length > 0)
    // A symbol that the idea names in full comes before those that share words with it.
    .sort((a, b) => Number(named.has(b.symbol)) - Number(named.has(a.symbol)) || b.hits.length - a.hits.length)
    .slice(0, mostSymbols);
  if (symbols.length === 0) {
    return [
      {
        statement: say(tongue, "explore.file", { path: file.path, words: words.join(", ") }),
        path: file.path,
        symbol: "",
      },
    ];
  }
  return symbols.map(({ symbol, hits }) => ({
    statement: say(tongue, "explore.symbol", { symbol, path: file.path, words: hits.join(", ") }),
    path: file.path,
    symbol,
  }));
}
