/**
 * D1.6: the languages that ship, as data. A folder `prompts/language/<tag>/` holds `phrases.json`, `lexicon.json` and
 * `bank.json`, each of them optional; adding a language adds files, never code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Languages, Lexicon, type Phrases } from "../core/lexicon.ts";
import { findPackageRoot } from "./root.ts";

const PhraseFile = z.record(z.string(), z.string());

/** Every lexicon and phrase file, in the order of their tags. Throws for a file that does not parse: ours are checked. */
export async function loadLanguages(root: string = findPackageRoot()): Promise<Languages> {
  const lexicons: Lexicon[] = [];
  const phrases: Record<string, Phrases> = {};
  for (const tag of tagsOf(root)) {
    const lexicon = readJson(root, tag, "lexicon.json");
    if (lexicon !== undefined) lexicons.push(parse(Lexicon, lexicon, `${tag}/lexicon.json`));
    const sentences = readJson(root, tag, "phrases.json");
    if (sentences !== undefined) phrases[tag] = parse(PhraseFile, sentences, `${tag}/phrases.json`);
  }
  if (phrases["en"] === undefined) throw new Error("prompts/language/en/phrases.json is missing");
  return { lexicons, phrases };
}

/** The offline interviewer's question banks by tag; it parses them itself. */
export async function loadBanks(root: string = findPackageRoot()): Promise<Readonly<Record<string, unknown>>> {
  const banks: Record<string, unknown> = {};
  for (const tag of tagsOf(root)) {
    const bank = readJson(root, tag, "bank.json");
    if (bank !== undefined) banks[tag] = bank;
  }
  return banks;
}

/** The same, each read when it is asked for; undefined for a tag that ships no bank. */
export function openBanks(root: string = findPackageRoot()): (tag: string) => unknown {
  const tags = tagsOf(root);
  return (tag) => (tags.includes(tag) ? readJson(root, tag, "bank.json") : undefined);
}

// Read at once: a few small files, of which each would cost more in waiting than in reading.
function tagsOf(root: string): string[] {
  return readdirSync(join(root, "prompts", "language"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Undefined when the language has no such file. */
function readJson(root: string, tag: string, name: string): unknown {
  const path = join(root, "prompts", "language", tag, name);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`prompts/language/${tag}/${name} cannot be read`, { cause: error });
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(`prompts/language/${name}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
