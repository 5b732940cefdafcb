/**
 * D1.6: the languages that ship, as data. A folder `prompts/language/<tag>/` holds `phrases.json`, `lexicon.json` and
 * `bank.json`, each of them optional; adding a language adds files, never code.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type Languages, Lexicon, type Phrases } from "../core/lexicon.ts";
import { findPackageRoot } from "./root.ts";

const PhraseFile = z.record(z.string(), z.string());

/** Every lexicon and phrase file, in the order of their tags. Throws for a file that does not parse: ours are checked. */
export async function loadLanguages(root: string = findPackageRoot()): Promise<Languages> {
  const lexicons: Lexicon[] = [];
  const phrases: Record<string, Phrases> = {};
  for (const tag of await tagsOf(root)) {
    const lexicon = await readJson(root, tag, "lexicon.json");
    if (lexicon !== undefined) lexicons.push(parse(Lexicon, lexicon, `${tag}/lexicon.json`));
    const sentences = await readJson(root, tag, "phrases.json");
    if (sentences !== undefined) phrases[tag] = parse(PhraseFile, sentences, `${tag}/phrases.json`);
  }
  if (phrases["en"] === undefined) throw new Error("prompts/language/en/phrases.json is missing");
  return { lexicons, phrases };
}

/** The offline interviewer's question banks by tag; it parses them itself. */
export async function loadBanks(root: string = findPackageRoot()): Promise<Readonly<Record<string, unknown>>> {
  const banks: Record<string, unknown> = {};
  for (const tag of await tagsOf(root)) {
    const bank = await readJson(root, tag, "bank.json");
    if (bank !== undefined) banks[tag] = bank;
  }
  return banks;
}

async function tagsOf(root: string): Promise<string[]> {
  const entries = await readdir(join(root, "prompts", "language"), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Undefined when the language has no such file. */
async function readJson(root: string, tag: string, name: string): Promise<unknown> {
  const path = join(root, "prompts", "language", tag, name);
  try {
    return JSON.parse(await readFile(path, "utf8"));
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
