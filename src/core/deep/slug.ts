/**
 * D10.1: the name of a spec's file. Safe as a file name everywhere, the same for the same text, at most 64 characters.
 */

const maxLength = 64;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|index|versions)$/;

/** Latin letters that no decomposition leads to a plain one. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
};

/**
 * Words of a-z and 0-9 joined by single hyphens. `sha256hex` is the digest of the same text: its first twelve digits stand
 * in when nothing readable is left, which is so in scripts that are not Latin, and behind a name that a system reserves.
 */
export function slugOf(text: string, sha256hex: string): string {
  // An idea may be half a megabyte; what names a file stands at its beginning.
  const words = text
    .slice(0, 400)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => letters[letter] ?? "")
    .replace(/['’]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const slug = join(words, maxLength);
  if (/[a-z]{2}/.test(slug) && !reserved.test(slug)) return slug;
  return [slug.slice(0, maxLength - 17).replace(/-$/, "") || "spec", sha256hex.slice(0, 12)].join("-");
}

/** As many whole words as fit; the first one is cut when it alone is too long. */
function join(words: readonly string[], max: number): string {
  let slug = "";
  for (const word of words) {
    const next = slug === "" ? word.slice(0, max) : `${slug}-${word}`;
    if (next.length > max) break;
    slug = next;
  }
  return slug;
}

/** The folder of a session: its id, in which no character can leave the folder or end the name. */
export function sessionFolder(sessionId: string): string {
  return `_session-${encodeURIComponent(sessionId).replaceAll(".", "%2E")}`;
}

/** Relative to the project. */
export function specPath(sessionId: string, slug: string): string {
  return `.gjc/${sessionFolder(sessionId)}/specs/deep-interview-${slug}.md`;
}
