/**
 * D1.2: reads the project's files that matter to an idea, most relevant first, within fixed bounds. The same tree and
 * the same idea always give the same scan: nothing here looks at a clock.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectScan } from "../core/deep/finding.ts";
import { codeNames, createMatcher, terms } from "../core/deep/terms.ts";
import { cut } from "../core/text.ts";
import { hideSecrets } from "./secrets.ts";
import { isManifest } from "./signals.ts";
import { isSource, symbolsOf } from "./symbols.ts";
import type { Found } from "./walk.ts";

export interface ScanBounds {
  /** Files opened at most, and bytes of each and of all. */
  readonly opened: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Files and symbols of each that are listed. */
  readonly listed: number;
  readonly symbols: number;
  readonly excerpts: number;
  readonly excerptChars: number;
}

interface Read {
  readonly file: Found;
  readonly bytes: number;
  readonly text: string;
  readonly symbols: readonly string[];
}

interface Ranked extends Read {
  readonly score: number;
  readonly wanted: ReadonlySet<string>;
}

const opaque =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|bin|wasm|pyc|mp[34]|mov|avi|webm|wav|ogg|flac|ttf|otf|woff2?|eot|sqlite3?|db|parquet|min\.(?:js|css)|map|lock|snap)$/i;
const locks = /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$/;

/** Whether a file of this name is text that somebody wrote. */
export function isReadable(name: string): boolean {
  return !opaque.test(name) && !locks.test(name);
}

/** Ranks by the idea's words: what few files hold weighs more, and a file or symbol that the idea names most of all. */
export async function scanFiles(
  root: string,
  files: readonly Found[],
  idea: string,
  bounds: ScanBounds,
): Promise<Pick<ProjectScan, "files" | "excerpts" | "truncated">> {
  const named = new Set(codeNames(idea).map(({ name }) => name.replace(/^\.\//, "")));
  const match = createMatcher(terms(idea));
  const candidates = rankPaths(files, named, match);
  const { read, truncated } = await readAll(root, candidates, bounds);
  const ranked = rank(read, named, match);
  return {
    files: ranked.slice(0, bounds.listed).map(({ file, bytes, symbols, wanted }) => ({
      path: file.path,
      bytes,
      symbols: [...symbols].sort((a, b) => Number(wanted.has(b)) - Number(wanted.has(a))).slice(0, bounds.symbols),
    })),
    excerpts: ranked
      .filter(({ score }) => score > 0)
      .slice(0, bounds.excerpts)
      .map((item) => ({ path: item.file.path, text: excerptOf(item, named, match, bounds.excerptChars) })),
    truncated: truncated || ranked.length > bounds.listed,
  };
}

type Match = (present: Iterable<string>) => Set<string>;

/** Which files to open at all, by their names alone. */
function rankPaths(files: readonly Found[], named: ReadonlySet<string>, match: Match): Found[] {
  const scored = files
    .filter(({ name }) => isReadable(name))
    .map((file) => {
      const mention = named.has(file.path) || named.has(file.name) ? 100 : 0;
      const kind = isManifest(file.name) || /^readme/i.test(file.name) ? 2 : isSource(file.name) ? 1 : 0;
      return { file, score: mention + 3 * match(terms(file.path)).size + kind - file.depth / 100 };
    });
  return scored.sort((a, b) => b.score - a.score || compare(a.file.path, b.file.path)).map(({ file }) => file);
}

async function readAll(root: string, files: readonly Found[], bounds: ScanBounds) {
  const read: Read[] = [];
  let left = bounds.totalBytes;
  let truncated = false;
  for (const [index, file] of files.entries()) {
    if (index >= bounds.opened || left <= 0) return { read, truncated: true };
    const content = await readText(join(root, file.path), Math.min(bounds.fileBytes, left));
    if (content === null) continue;
    left -= Math.min(content.bytes, bounds.fileBytes);
    truncated ||= content.bytes > bounds.fileBytes;
    read.push({ file, bytes: content.bytes, text: content.text, symbols: symbolsOf(file.name, content.text) });
  }
  return { read, truncated };
}

function rank(read: readonly Read[], named: ReadonlySet<string>, match: Match): Ranked[] {
  const hits = read.map((item) => ({
    item,
    path: match(terms(item.file.path)),
    symbols: match(terms(item.symbols.join(" "))),
    text: match(terms(item.text)),
  }));
  const frequency = new Map<string, number>();
  for (const { path, symbols, text } of hits) {
    for (const term of new Set([...path, ...symbols, ...text])) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const weigh = (found: ReadonlySet<string>) =>
    [...found].reduce((sum, term) => sum + Math.log(1 + read.length / (frequency.get(term) ?? 1)), 0);
  const ranked = hits.map(({ item, path, symbols, text }) => {
    const wanted = new Set(item.symbols.filter((symbol) => named.has(symbol) || match(terms(symbol)).size > 0));
    const mentions = [item.file.path, item.file.name, ...item.symbols].filter((name) => named.has(name)).length;
    return { ...item, wanted, score: 20 * mentions + 3 * weigh(path) + 2 * weigh(symbols) + weigh(text) };
  });
  return ranked.sort((a, b) => b.score - a.score || a.file.depth - b.file.depth || compare(a.file.path, b.file.path));
}

/** The part of a file with the most of the idea's words in it. */
function excerptOf(item: Ranked, named: ReadonlySet<string>, match: Match, maxChars: number): string {
  const lines = item.text.split("\n").map((line) => line.trimEnd());
  const worth = lines.map((line) => {
    const words = terms(line.slice(0, 400));
    return match(words).size + codeNames(line.slice(0, 400)).filter(({ name }) => named.has(name)).length * 3;
  });
  const span = 30;
  let sum = worth.slice(0, span).reduce((total, value) => total + value, 0);
  let best = { start: 0, sum };
  for (let start = 1; start + span <= lines.length; start += 1) {
    sum += (worth[start + span - 1] ?? 0) - (worth[start - 1] ?? 0);
    if (sum > best.sum) best = { start, sum };
  }
  const from = best.start + Math.max(0, worth.slice(best.start, best.start + span).findIndex((value) => value > 0) - 3);
  return cut(lines.slice(from).join("\n").trim(), maxChars);
}

/**
 * The head of a regular text file without its secrets, and its whole size; null for a link, a device, binary content or a file that cannot
 * be read. Opening never waits and never follows a link, whatever took the file's place since it was found.
 */
export async function readText(path: string, maxBytes: number): Promise<{ text: string; bytes: number } | null> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(maxBytes, stat.size)), 0, null, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.includes(0)) return null;
    return { text: hideSecrets(new TextDecoder().decode(head).replaceAll("\r\n", "\n")), bytes: stat.size };
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
