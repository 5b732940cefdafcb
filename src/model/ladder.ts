/**
 * How an endpoint is asked for JSON, remembered as long as the process lives: by schema, then by one tool, then by
 * words in the prompt. A refusal that names the feature, or words where JSON should be, moves one rung down.
 */
import type { Form } from "./transport.ts";

/** What a request can do without. */
export type Extra = "effort" | "temperature" | "forced-tool" | "cache-ttl" | "cache";
export type Feature = "format" | "tool" | Extra;

export interface Rung {
  readonly form: Form;
  readonly without: ReadonlySet<Extra>;
}

/** One step down, for whoever wants to know: `doctor`, a log. */
export interface Move {
  readonly endpoint: string;
  readonly what: string;
  readonly why: string;
}

export interface Ladder {
  /** Where an endpoint stands; `first` is the form to begin with. */
  at(endpoint: string, first: Form): Rung;
  /** From `form` to the next one. False on the last. One that has moved meanwhile counts as moved. */
  down(endpoint: string, form: Form, why: string): boolean;
  /** Leaves an extra out from now on. False when it was left out already. */
  drop(endpoint: string, extra: Extra, why: string): boolean;
  moves(): readonly Move[];
}

const FORMS: readonly Form[] = ["schema", "tool", "json"];

export function createLadder(): Ladder {
  const rungs = new Map<string, Rung>();
  const moves: Move[] = [];
  const bottom: Rung = { form: "json", without: new Set() };
  const record = (endpoint: string, rung: Rung, what: string, why: string): true => {
    rungs.set(endpoint, rung);
    moves.push({ endpoint, what, why });
    return true;
  };
  return {
    at(endpoint, first) {
      const rung = rungs.get(endpoint) ?? { form: first, without: new Set<Extra>() };
      rungs.set(endpoint, rung);
      return rung;
    },
    down(endpoint, form, why) {
      const rung = rungs.get(endpoint) ?? bottom;
      // Calls that ran at the same time all report the same refusal; only the first one moves.
      if (rung.form !== form) return FORMS.indexOf(rung.form) > FORMS.indexOf(form);
      const next = FORMS[FORMS.indexOf(form) + 1];
      return next === undefined ? false : record(endpoint, { ...rung, form: next }, `${form} -> ${next}`, why);
    },
    drop(endpoint, extra, why) {
      const rung = rungs.get(endpoint) ?? bottom;
      if (rung.without.has(extra)) return false;
      return record(endpoint, { ...rung, without: new Set([...rung.without, extra]) }, `without ${extra}`, why);
    },
    moves: () => moves,
  };
}

/** The ladder of this process. */
export const processLadder: Ladder = createLadder();

/** In the order of the test: `output_config.effort` is about effort, `tool_choice` not about tools as such. */
const NAMES: readonly (readonly [Feature, RegExp])[] = [
  ["effort", /\beffort\b/i],
  ["temperature", /\btemperature\b/i],
  ["cache-ttl", /\bttl\b/i],
  ["cache", /cache[_ ]control|prompt caching/i],
  ["forced-tool", /tool_choice|forces? tool use/i],
  ["format", /output_config|output_format|response_format|json[_ ]schema|structured output|schema|grammar/i],
  ["tool", /\btools?\b/i],
];

/** The feature that a refused request (400, 422) names; null when it is about something else. */
export function refusedFeature(message: string): Feature | null {
  return NAMES.find(([, pattern]) => pattern.test(message))?.[0] ?? null;
}
