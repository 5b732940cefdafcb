/**
 * The lists of the spec (D10.2, D10.3): facts, triggers, panels, deferrals and gaps from the state, and the lines of prose
 * with the rounds and sources they rest on in brackets.
 */
import { percent } from "../ratio.ts";
import type { CodebaseContext, LateralReview } from "./finding.ts";
import { atom, inline, unnoted } from "./markdown.ts";
import type { DeepState, SpecLine } from "./schema.ts";
import { isUnresolved, type SpecEntry, type SpecItem, type SpecParts, unresolvedText } from "./specform.ts";
import { deferralNote, scoreText } from "./spectables.ts";
import type { Fact, Provenance, Trigger } from "./vocabulary.ts";

const triggerNames = {
  A: "A direct contradiction",
  B: "B internal inconsistency",
  C: "C low-quality or evasive answer",
  D: "D scope expansion",
} as const satisfies Record<Trigger["label"], string>;

function roundName(round: number | null): string {
  return round === null ? "correction" : `round ${round}`;
}

/** What stands in brackets behind a line, such as `(rounds 2, 4; user; covers ingestion; sources src/a.ts)`. */
function groundOf(line: SpecLine): string {
  const count = line.rounds.length;
  const rounds = count === 0 ? [] : [`${count === 1 ? "round" : "rounds"} ${line.rounds.join(", ")}`];
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${name} ${items.map(atom).join(", ")}`];
  return [...rounds, line.provenance, ...list("covers", line.covers), ...list("sources", line.sources)].join("; ");
}

/** A gap stands without brackets and is no task. */
export function entryOf(line: SpecLine, task = false): SpecEntry {
  if (isUnresolved(line)) return { box: "", text: unnoted(line.text) };
  return { box: task ? "[ ] " : "", text: `${inline(line.text)} (${groundOf(line)})` };
}

export function factItems(state: DeepState): SpecItem[] {
  return state.established_facts.map((fact) => ({
    text: `${inline(fact.statement)} (${factGround(fact)})`,
    notes: [`Evidence: ${inline(fact.evidence)}`],
  }));
}

function factGround(fact: Fact): string {
  return [
    atom(fact.id),
    `${atom(fact.component)}/${fact.dimension}`,
    roundName(fact.source_round),
    fact.provenance,
    fact.status,
    ...(fact.contradicts === null ? [] : [`contradicts ${atom(fact.contradicts)}`]),
    ...(fact.superseded_by === null ? [] : [`superseded by ${atom(fact.superseded_by)}`]),
  ].join("; ");
}

export function triggerItems(state: DeepState): SpecItem[] {
  return state.triggers.map((trigger) => {
    const { prior_ambiguity: prior, new_ambiguity: now } = trigger;
    const direction = now > prior ? "up" : now < prior ? "down" : "flat";
    const scores = `${scoreText(trigger.prior_dimension_score)} -> ${scoreText(trigger.new_dimension_score)}`;
    const at = trigger.round === null ? "Correction" : `Round ${trigger.round}`;
    return {
      text: `${at}: ${triggerNames[trigger.label]}, ${trigger.status}; ${atom(trigger.component)}/${trigger.dimension} ${scores}; ambiguity ${percent(prior)} -> ${percent(now)} (${direction})`,
      notes: triggerNotes(trigger),
    };
  });
}

function triggerNotes(trigger: Trigger): string[] {
  const note = (label: string, text: string | null) =>
    text === null || text === "" ? [] : [`${label}: ${inline(text)}`];
  return [
    ...note("Evidence", trigger.evidence),
    ...note("Contradicted fact", trigger.contradicted_fact),
    ...note("Proposed outcome", trigger.proposed),
    ...note("Rationale", trigger.rationale),
    ...(trigger.enforced ? ["Score enforced by code"] : []),
    ...(trigger.resolved_round === null ? [] : [`Resolved in round ${trigger.resolved_round}`]),
  ];
}

/** Why it convened: the change of band, else its cause. */
export function reviewCause(review: LateralReview): string {
  const isMove = review.from !== null && review.to !== null && review.from !== review.to;
  return isMove ? `${review.from} -> ${review.to}` : review.cause;
}

export function reviewItems(state: DeepState): SpecItem[] {
  return state.lateral_reviews.map((review) => {
    const names = (list: readonly string[]) => (list.length === 0 ? "none" : list.map(atom).join(", "));
    return {
      text: `Round ${review.round}: ${reviewCause(review)}; cause ${review.cause}; personas ${names(review.personas)}; failed ${names(review.failed)}; folded ${names(review.folded)}`,
      notes: review.findings.map(
        (finding) => `${finding.persona} (confidence ${finding.confidence}): ${inline(finding.finding)}`,
      ),
    };
  });
}

/** Deferred components with reason and time, then rounds that ended without an answer. */
export function deferralLines(state: DeepState): string[] {
  const components = state.topology.components
    .filter((component) => component.status === "deferred")
    .map((component) => `${inline(component.name)}: ${inline(deferralNote(state, component))}`);
  const rounds = state.rounds
    .filter((round) => round.lifecycle === "unresolved" && !round.superseded)
    .map((round) => {
      const pair =
        round.component === null || round.dimension === null ? "" : ` (${atom(round.component)}/${round.dimension})`;
      return `Round ${round.round ?? "-"} ended without an answer${pair}`;
    });
  return [...components, ...rounds];
}

/** D9.1, D11.1: gaps that stand, and research setup when the interview was for it. */
export function unresolvedLines(state: DeepState, gaps: SpecParts["gaps"]): string[] {
  const lines = gaps.map((gap) => inline(unresolvedText(gap.component, gap.dimension, gap.text)));
  return [...new Set(lines), ...(state.options.research_setup ? ["Unresolved: research setup"] : [])];
}

/** The model's lines, then what the look into the project found and earlier documents said. */
export function technicalEntries(state: DeepState, lines: readonly SpecLine[]): SpecEntry[] {
  return [...lines, ...contextLines(state.codebase_context)].map((line) => entryOf(line));
}

function contextLines(context: CodebaseContext | null): SpecLine[] {
  if (context === null) return [];
  const line = (text: string, source: string | null, provenance: Provenance): SpecLine => ({
    text,
    rounds: [],
    sources: source === null ? [] : [source],
    provenance,
    covers: [],
  });
  return [
    ...(context.summary.trim() === "" ? [] : [line(context.summary, null, "code")]),
    ...context.findings.map(({ statement, path, symbol }) =>
      line(statement, symbol === null ? path : `${path}#${symbol}`, "code"),
    ),
    ...context.earlier.map(({ path, note }) => line(note, path, "document")),
  ];
}
