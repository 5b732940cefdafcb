/**
 * D1.6: the language of an interview: `--language`, else what the topology task reports for the idea. What ships as data
 * wins over the model's word; sentences of the interface that no file holds are the model's.
 */
import { hasWords } from "../text.ts";
import { type Config, fill, hasSamePlaces, phrasesOf } from "./phrase.ts";
import type { TaskReply } from "./tasks.ts";
import type { Language } from "./vocabulary.ts";

/** A language given by tag: its own data when it ships, else the plain instruction to write in it. */
export function languageOf(config: Config, tag: string): Language {
  const { lexicons, phrases } = config.languages;
  const own =
    lexicons.find((lexicon) => lexicon.tag === tag) ?? lexicons.find((lexicon) => lexicon.tag === tag.split("-")[0]);
  const plain = fill(phrases["en"]?.["language.instruction"] ?? "", { tag });
  return { tag, name: own?.name ?? tag, instruction: own?.instruction ?? plain, phrases: {} };
}

/**
 * The language that was asked for, else the one that the topology task reports. A phrase that lost a place of its English
 * original is dropped.
 */
export function languageFrom(config: Config, given: Language | null, reply: TaskReply<"topology">): Language {
  const told = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(reply.language.tag) ? reply.language.tag : "en";
  const { tag, name, instruction } = given ?? readLanguage(languageOf(config, told), reply.language);
  const english = config.languages.phrases["en"] ?? {};
  const phrases = reply.phrases.filter(({ key, text }) => key in english && hasSamePlaces(english[key] ?? "", text));
  const ships = phrasesOf(config.languages, tag) !== undefined;
  return {
    tag,
    name,
    instruction,
    phrases: ships ? {} : Object.fromEntries(phrases.map(({ key, text }) => [key, text])),
  };
}

/** Name and instruction of a language that has no data of its own are the model's. */
function readLanguage(known: Language, told: TaskReply<"topology">["language"]): Language {
  const ships = known.name !== known.tag;
  return ships || !hasWords(told.instruction) ? known : { ...known, name: told.name, instruction: told.instruction };
}
