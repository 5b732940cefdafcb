/**
 * Scores, ambiguity, bands, caps and thresholds: rounded half up to 1e-4, computed and compared as integers
 * (deep-interview.md, Terms), so that no sum of decimals ever disagrees with what is printed (D5.7).
 */

/** 1e-4 of a whole, as an integer: 0.8 is 8000. Null counts as 0. */
export type Units = number;

export function toUnits(value: number | null): Units {
  // The nudge keeps 0.00005 and its like, which no double holds exactly, on the upper side.
  return value === null ? 0 : Math.floor(value * 10_000 + 0.5 + 1e-7);
}

export function fromUnits(units: Units): number {
  return units / 10_000;
}

/** Rounded half up to four decimals. */
export function round4(value: number): number {
  return fromUnits(toUnits(value));
}

/** Percent without a loss: up to two decimals, no trailing zeros (D0.3). 0.125 is `12.5%`. */
export function percent(value: number): string {
  return `${toUnits(value) / 100}%`;
}
