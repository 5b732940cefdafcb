/**
 * The sentences of the interface (D1.6): by key, in the interview's language when a language file or the topology task
 * has them, else in English. Names in braces are filled in once; what is filled in is never read as a template.
 */
import type { Languages, Phrases } from "../lexicon.ts";
import type { DeepState } from "./schema.ts";

export type Vars = Readonly<Record<string, string | number>>;

export interface Config {
  readonly languages: Languages;
  /** Lower-case hex SHA-256 of the UTF-8 bytes. */
  readonly sha256: (text: string) => string;
}

/** Lines whose labels are read by others too, and stay as they are in every language (D1.6). */
const fixed: ReadonlySet<string> = new Set(["header", "topology.header"]);

/** The sentences that may be put into another language. */
export function translatable(phrases: Phrases): { readonly key: string; readonly text: string }[] {
  return Object.entries(phrases).flatMap(([key, text]) => (fixed.has(key) ? [] : [{ key, text }]));
}

export function fill(template: string, vars: Vars): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in vars ? String(vars[name]) : whole));
}

/** The phrases of a tag: its own, else those of its base language (`pt-BR` reads `pt`). */
export function phrasesOf(languages: Languages, tag: string): Phrases | undefined {
  return languages.phrases[tag] ?? languages.phrases[tag.split("-")[0] ?? tag];
}

export function phrase(config: Config, state: DeepState, key: string, vars: Vars = {}): string {
  const { languages } = config;
  const own =
    state.language === null ? undefined : (phrasesOf(languages, state.language.tag) ?? state.language.phrases);
  const template = (fixed.has(key) ? undefined : own?.[key]) ?? languages.phrases["en"]?.[key];
  if (template === undefined) throw new Error(`no phrase named ${key}`);
  return fill(template, vars);
}

/** What a translated phrase must keep: every place of the English one, and no other. */
export function hasSamePlaces(english: string, translated: string): boolean {
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(" ");
  return translated.trim() !== "" && places(english) === places(translated);
}
