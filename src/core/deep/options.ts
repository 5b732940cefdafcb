/**
 * D7.3, D3.7: folding panel findings and research candidates into the options of the one next question. At most four
 * options; what came from a persona names it.
 */
import type { Option } from "../machine.ts";
import { cut, fold } from "../text.ts";
import { type DraftWords, isCatchAll, isPlaceholder } from "./draft.ts";
import type { Candidate, Finding, Persona } from "./finding.ts";

const maxOptions = 4;
const rank = { high: 0, medium: 1, low: 2 } as const;

export interface Folded {
  readonly options: Option[];
  /** Personas whose findings became options. */
  readonly folded: string[];
}

/**
 * Options by rank: candidates first, then what the question already offers, and at least one finding if there are any.
 * What only names the asker's own "other", or nothing, is left out, whoever it comes from (D3.3).
 */
export function foldOptions(
  base: readonly Option[],
  findings: readonly Finding[],
  candidates: readonly Candidate[],
  words: DraftWords,
): Folded {
  const named = findings
    .map((finding) => finding.persona)
    .filter((persona) => base.some((option) => namesPersona(option, persona)));
  const says = (label: string) => !isCatchAll(label, words) && !isPlaceholder(label, words);
  const fresh = named.length > 0 ? [] : findingOptions(findings, says).slice(0, 2);
  const usable = candidates.filter((candidate) => says(candidate.answer));
  const researched = usable.map((candidate) => ({
    label: cut(candidate.answer, 200),
    description: `${candidate.confidence}: ${candidate.rationale}`,
    persona: null,
  }));
  const added = [...researched, ...fresh];
  const room = Math.max(0, maxOptions - added.length);
  const kept = pickBase(
    base,
    room,
    findings.map((finding) => finding.persona),
  );
  const seen = new Set<string>();
  const options = [
    ...added.map((item) => ({ id: "", label: item.label, description: item.description, recommended: false })),
    ...kept,
  ]
    .filter((option) => !seen.has(fold(option.label)) && seen.add(fold(option.label)))
    .slice(0, maxOptions)
    .map((option, index) => ({ ...option, id: String.fromCharCode(97 + index) }));
  const personas = new Set([...named, ...fresh.map((item) => item.persona)]);
  const shown = (persona: Persona) => options.some((option) => namesPersona(option, persona));
  return { options: recommendOne(options, usable.length > 0), folded: [...personas].filter(shown) };
}

function namesPersona(option: Option, persona: Persona): boolean {
  return option.description.startsWith(`${persona}: `);
}

/** Options that name a persona outrank the others when there is no room for all. */
function pickBase(base: readonly Option[], room: number, personas: readonly Persona[]): Option[] {
  const names = (option: Option) =>
    personas.some((persona) => namesPersona(option, persona)) ? 0 : option.recommended ? 1 : 2;
  const chosen = [...base].sort((a, b) => names(a) - names(b)).slice(0, room);
  return base.filter((option) => chosen.includes(option));
}

function findingOptions(findings: readonly Finding[], says: (label: string) => boolean) {
  return [...findings]
    .sort((a, b) => rank[a.confidence] - rank[b.confidence])
    .flatMap((finding) => {
      const label = finding.options.find(says);
      return label === undefined
        ? []
        : [{ label: cut(label, 200), description: `${finding.persona}: ${finding.finding}`, persona: finding.persona }];
    });
}

/** At most one recommendation; ranked candidates put theirs first. */
function recommendOne(options: Option[], ranked: boolean): Option[] {
  const chosen = ranked ? 0 : options.findIndex((option) => option.recommended);
  return options.map((option, index) => ({ ...option, recommended: index === chosen }));
}
