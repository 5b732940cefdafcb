/**
 * D1.1, D1.2: whether an idea changes something that exists, whether it needs an interview at all, and which findings of
 * the explore task hold against what was really seen in the project.
 */
import type { Lexicon } from "../lexicon.ts";
import { fold, hasWords, sentences } from "../text.ts";
import type { CodebaseContext, ProjectScan, ProjectSignals } from "./finding.ts";
import type { TaskReply } from "./tasks.ts";
import { type CodeName, codeNames, isUnspaced, nameStyle } from "./terms.ts";
import type { ProjectType } from "./vocabulary.ts";

/** Names of the project's own files and symbols, as `namesOf` gives them. */
export type Names = ReadonlySet<string>;

/** Every path, file name and symbol of a scan. */
export function namesOf(scan: ProjectScan): Names {
  return new Set(scan.files.flatMap((file) => [file.path, baseName(file.path), ...file.symbols]));
}

/**
 * Whether the idea speaks of changing something: a word of change of any language, or a name of the project's own code.
 * A word counts whole; at an edge in a script that writes without blanks it counts anywhere.
 */
export function speaksOfChange(idea: string, lexicons: readonly Lexicon[], names: Names = new Set()): boolean {
  const text = fold(idea);
  const words = lexicons.flatMap((lexicon) => lexicon.change).map(fold);
  return words.some((word) => hasWords(word) && hasWhole(text, word)) || known(codeNames(idea), names).length > 0;
}

function hasWhole(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // Two units hold any neighbouring character; a long idea is never cut up as a whole.
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
    const after = [...text.slice(end, end + 2)][0] ?? "";
    if (hasEdge(before, [...word][0] ?? "") && hasEdge(after, [...word].at(-1) ?? "")) return true;
  }
  return false;
}

function hasEdge(outside: string, inside: string): boolean {
  return outside === "" || !/[\p{L}\p{M}\p{N}_]/u.test(outside) || isUnspaced(inside) || isUnspaced(outside);
}

/** D1.1. `override` is `--type`; `auto` and null let the signals and the idea decide. */
export function detectType(input: {
  readonly signals: ProjectSignals;
  readonly idea: string;
  readonly lexicons: readonly Lexicon[];
  readonly override: ProjectType | "auto" | null;
  readonly names?: Names;
}): ProjectType {
  const { signals, idea, lexicons, override, names } = input;
  if (override !== null && override !== "auto") return override;
  const exists = signals.source || signals.packages || signals.git;
  return exists && speaksOfChange(idea, lexicons, names) ? "brownfield" : "greenfield";
}

const smallWords = 14;

/**
 * Whether a request is small, clear and bounded (D1.1): one short sentence about a change of exactly one known symbol,
 * or the rename of one known symbol or file to a name written alike. In doubt it is not.
 */
export function isSmallRequest(idea: string, lexicons: readonly Lexicon[], names: Names): boolean {
  const words = idea.split(/\s+/u).filter(hasWords);
  if (sentences(idea).length !== 1 || words.length > smallWords || !speaksOfChange(idea, lexicons)) return false;
  const mentioned = codeNames(idea);
  const mine = known(mentioned, names);
  const others = mentioned.filter((name) => !mine.includes(name));
  const symbols = mine.filter((name) => name.kind === "symbol");
  const subject = symbols[0] ?? mine[0];
  // A symbol may be named together with the one file that holds it.
  if (!subject || symbols.length > 1 || mine.length - symbols.length > 1) return false;
  if (others.length === 0) return subject.kind === "symbol";
  return others.length === 1 && others.every((other) => isAnotherName(other, subject));
}

function isAnotherName(other: CodeName, subject: CodeName): boolean {
  if (other.kind !== subject.kind) return false;
  return other.kind === "path" || nameStyle(other.name) === nameStyle(subject.name);
}

function known(mentioned: readonly CodeName[], names: Names): CodeName[] {
  return mentioned.filter(({ name }) => names.has(name) || names.has(name.replace(/^\.\//, "")));
}

/**
 * What the explore task says, held against the scan: a finding whose path or symbol was not seen, or whose words name a
 * path that was not seen, is dropped, and so are such sentences of the summary and notes about other earlier artifacts.
 */
export function checkContext(
  reply: TaskReply<"explore">,
  scan: ProjectScan,
): { readonly context: CodebaseContext; readonly dropped: number } {
  const told = sentences(reply.summary);
  const summary = told.filter((sentence) => areSeen(sentence, scan));
  const findings = unique(
    reply.findings.map((finding) => ({
      statement: finding.statement.trim(),
      path: cleanPath(finding.path),
      symbol: cleanSymbol(finding.symbol) || null,
    })),
  ).filter(
    ({ statement, path, symbol }) => hasWords(statement) && areSeen(statement, scan) && isSeen(path, symbol, scan),
  );
  const earlier = unique(reply.earlier.map(({ path, note }) => ({ path: cleanPath(path), note: note.trim() })))
    .filter(({ path, note }) => hasWords(note) && scan.earlier.some((artifact) => artifact.path === path))
    .slice(0, 3);
  const before = told.length + reply.findings.length + reply.earlier.length;
  const kept = summary.length + findings.length + earlier.length;
  return { context: { summary: summary.join(" "), findings, earlier }, dropped: before - kept };
}

/** What is known without the explore task: where the symbols are, and which earlier artifacts are close. */
export function fallbackContext(scan: ProjectScan): CodebaseContext {
  const findings = scan.files.filter((file) => file.symbols.length > 0).slice(0, 8);
  return {
    summary: "",
    findings: findings.map(({ path, symbols }) => ({
      statement: symbols.slice(0, 6).join(", "),
      path,
      symbol: symbols[0] ?? null,
    })),
    earlier: scan.earlier.map(({ path, excerpt }) => ({ path, note: sentences(excerpt)[0] ?? baseName(path) })),
  };
}

function isSeen(path: string, symbol: string | null, scan: ProjectScan): boolean {
  const file = scan.files.find((candidate) => candidate.path === path);
  if (!file) return false;
  if (symbol === null || file.symbols.includes(symbol)) return true;
  const excerpts = scan.excerpts.filter((excerpt) => excerpt.path === path);
  return excerpts.some(({ text }) => hasWhole(text, symbol));
}

/** Whether every path with a folder that a sentence names was seen; a bare `Node.js` is no path. */
function areSeen(sentence: string, scan: ProjectScan): boolean {
  const seen = [...scan.files, ...scan.earlier].map((file) => `/${file.path}`);
  return codeNames(sentence)
    .filter(({ kind, name }) => kind === "path" && name.includes("/") && !name.startsWith("//"))
    .every(({ name }) => seen.some((path) => path.endsWith(`/${cleanPath(name)}`)));
}

/** Without `./`, backticks and a trailing line number. */
function cleanPath(path: string): string {
  return path
    .trim()
    .replace(/^`|`$/g, "")
    .replace(/(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$/, "")
    .replace(/^(?:\.\/)+/, "");
}

function cleanSymbol(symbol: string): string {
  return symbol.trim().replace(/^`|`$/g, "").replace(/\(\)$/, "");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
