/**
 * D1.6: which language a text is in, by data alone: the scripts of its letters and the short words that it uses.
 * Languages without a lexicon are recognised where the data names them, so that they are said to be missing.
 */
import type { Detection, Lexicon } from "../lexicon.ts";
import { fold } from "../text.ts";

export interface Detected {
  /** BCP 47 base tag, such as `ko`. */
  readonly tag: string;
  readonly name: string;
  /** Whether a lexicon of it ships. */
  readonly known: boolean;
}

/** Below this share of its letters or words nothing is claimed. */
const minShare = 0.12;

interface Sample {
  readonly letters: readonly string[];
  readonly words: readonly string[];
}

interface Reader {
  readonly script: RegExp;
  readonly stop: ReadonlySet<string>;
}

const readers = new WeakMap<Detection, Reader>();

function readerOf(data: Detection): Reader {
  const known = readers.get(data);
  if (known !== undefined) return known;
  const script = new RegExp(`[${data.scripts.map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
  const made = { script, stop: new Set(data.stopwords.map(fold)) };
  readers.set(data, made);
  return made;
}

function share({ letters, words }: Sample, data: Detection): number {
  const { script, stop } = readerOf(data);
  const inScript = letters.filter((char) => script.test(char)).length / Math.max(1, letters.length);
  if (stop.size === 0) return inScript * data.weight;
  if (inScript < 0.5) return 0;
  return (words.filter((word) => stop.has(word)).length / Math.max(1, words.length)) * data.weight;
}

/** The language of a text, or null when nothing in it tells. `first` is the one that wins a draw. */
export function detectLanguage(text: string, lexicons: readonly Lexicon[]): Detected | null {
  const start = text.slice(0, 4000).normalize("NFC");
  const sample = { letters: start.match(/\p{L}/gu) ?? [], words: fold(start).match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [] };
  const candidates: { detected: Detected; share: number }[] = [];
  for (const { tag, name, detect, foreign = [] } of lexicons) {
    if (detect !== undefined) candidates.push({ detected: { tag, name, known: true }, share: share(sample, detect) });
    for (const other of foreign) {
      const detected = { tag: other.tag, name: other.name, known: false };
      candidates.push({ detected, share: share(sample, other) });
    }
  }
  // A draw goes to a language that ships.
  candidates.sort((left, right) => Number(right.detected.known) - Number(left.detected.known));
  const best = candidates.reduce<(typeof candidates)[number] | null>(
    (top, item) => (item.share >= minShare && item.share > (top?.share ?? 0) ? item : top),
    null,
  );
  return best?.detected ?? null;
}

/** The lexicon to read a text with: of the tag, else of the text's language, else the first one. */
export function lexiconFor(lexicons: readonly Lexicon[], tag: string, text: string): Lexicon | undefined {
  const base = tag.split("-")[0] ?? tag;
  const detected = detectLanguage(text, lexicons);
  return (
    lexicons.find((item) => item.tag === tag || item.tag === base) ??
    lexicons.find((item) => item.tag === detected?.tag) ??
    lexicons.find((item) => item.tag === "en") ??
    lexicons[0]
  );
}

/**
 * The name of the language that an idea is in, or that was asked for, when no data of it ships; null when it does.
 * `requested` is a BCP 47 tag, or "".
 */
export function missingLanguage(
  about: { readonly idea: string; readonly requested: string },
  lexicons: readonly Lexicon[],
): string | null {
  const base = about.requested.split("-")[0] ?? "";
  if (base !== "") {
    return lexicons.some((lexicon) => lexicon.tag === base || lexicon.tag === about.requested) ? null : about.requested;
  }
  const detected = detectLanguage(about.idea, lexicons);
  return detected === null || detected.known ? null : detected.name;
}
