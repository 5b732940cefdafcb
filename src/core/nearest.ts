/** Which known word a mistyped one was most likely meant to be (D0.2). */

/** Letters to insert, delete, replace or swap with their neighbour; case does not count. */
export function editDistance(one: string, other: string): number {
  const a = [...one.toLowerCase()];
  const b = [...other.toLowerCase()];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, wanted] of b.entries()) {
      const replaced = (row[j] ?? 0) + (letter === wanted ? 0 : 1);
      const swapped = letter === b[j - 1] && a[i - 1] === wanted ? (before[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, replaced, swapped));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * The candidate closest to a word; the first of equally close ones, null when there is no candidate. Of a dotted one the
 * last part alone may match as well, and a word that is a part of one letter by letter counts as close.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const distance = distanceTo(word, candidate);
    if (best === null || distance < best.distance) best = { candidate, distance };
  }
  return best === null ? null : best.candidate;
}

function distanceTo(word: string, candidate: string): number {
  const last = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const apart = Math.min(editDistance(word, candidate), editDistance(last(word), last(candidate)));
  const [short, long] = [last(word).toLowerCase(), candidate.toLowerCase()];
  return short.length >= 4 && (long.includes(short) || short.includes(long)) ? Math.min(apart, 1) : apart;
}
