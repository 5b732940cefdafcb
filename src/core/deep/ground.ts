/**
 * What a scorer's reply is scored against: the round, what stood before it, and whose answer it is. A round that is
 * scored again (D4.6, an edit) is compared with the round before it, never with its own first score.
 */
import { toUnits, type Units } from "../ratio.ts";
import type { DeepState, Round } from "./schema.ts";
import { activePairs, type Matrix } from "./score.ts";
import { findRound, isDirect, pairKey, scoreOf } from "./state.ts";
import type { Assumption, Entity, Pair } from "./vocabulary.ts";

export interface Ground {
  readonly state: DeepState;
  readonly round: Round;
  /** Scored rounds before this one, oldest first. */
  readonly before: readonly Round[];
  /** Scores of the active pairs before this answer. */
  readonly prior: Matrix;
  /** Stored ambiguity of the prior scored round, in units; null in the first scored round (D5.3). */
  readonly priorAmbiguity: Units | null;
  /** The pair that the question was aimed at; null for a topology question and for a correction. */
  readonly aimed: Pair | null;
  /** The user's or a script's own answer, not the architect's and not an accepted candidate. */
  readonly direct: boolean;
  /** The assumption that stands as this round's answer; null when somebody answered, confirmed or revised it. */
  readonly assumption: Assumption | null;
  /** This round had a score already. */
  readonly again: boolean;
  /** It or a later one had: what stands in the state is not what stood before it. */
  readonly rewound: boolean;
}

export function openGround(state: DeepState, roundId: string): Ground {
  const round = findRound(state, roundId);
  if (round === undefined) throw new Error(`no round ${roundId} to score`);
  const index = state.rounds.indexOf(round);
  const before = state.rounds.slice(0, index).filter(isScored);
  const again = wasScored(state, round);
  const rewound = again || state.rounds.slice(index + 1).some(isScored);
  const { component, dimension } = round;
  return {
    state,
    round,
    before,
    prior: rewound ? scoresOfRound(state, before.at(-1)) : scoresNow(state),
    priorAmbiguity: priorAmbiguityOf(before),
    aimed: !isAimed(round) || component === null || dimension === null ? null : { component, dimension },
    direct: isDirect(round),
    assumption: assumptionOf(state, round),
    again,
    rewound,
  };
}

/** A topology question is about the whole, and so is a correction, whatever pair it is filed under. */
function isAimed(round: Round): boolean {
  return round.kind !== "topology" && round.kind !== "correction";
}

function isScored(round: Round): boolean {
  return round.lifecycle === "scored" && !round.superseded && round.ambiguity !== null;
}

/** Also after an edit, whose new answer has a record without scores: every scoring leaves a snapshot. */
function wasScored(state: DeepState, round: Round): boolean {
  if (round.component_scores.length > 0) return true;
  return round.round !== null && state.ontology_snapshots.some((snapshot) => snapshot.round === round.round);
}

function priorAmbiguityOf(before: readonly Round[]): Units | null {
  const last = before.at(-1);
  return last === undefined ? null : toUnits(last.ambiguity);
}

function scoresNow(state: DeepState): Matrix {
  return matrixOf(state, (pair) => scoreOf(state, pair.component, pair.dimension));
}

function scoresOfRound(state: DeepState, round: Round | undefined): Matrix {
  const scores = new Map(round?.component_scores.map((item) => [item.component, item.scores]));
  return matrixOf(state, (pair) => scores.get(pair.component)?.[pair.dimension] ?? null);
}

function matrixOf(state: DeepState, score: (pair: Pair) => number | null): Matrix {
  return new Map(
    activePairs(state).map((pair) => {
      const value = score(pair);
      return [pairKey(pair), value === null ? null : toUnits(value)];
    }),
  );
}

/** The architect's answer as long as nobody confirmed or revised it. */
function assumptionOf(state: DeepState, round: Round): Assumption | null {
  if (round.answered_by !== "architect-assisted") return null;
  const found = state.assumptions.findLast((item) => item.round === round.round);
  return found === undefined || found.status === "confirmed" || found.status === "revised" ? null : found;
}

/** D6.1: the entities that this round's are compared with; null when no snapshot stands before it. */
export function priorEntities({ state, round, rewound }: Ground): readonly Entity[] | null {
  const snapshots = state.ontology_snapshots;
  const number = round.round;
  const last =
    rewound && number !== null
      ? snapshots.findLast((item) => item.round !== null && item.round < number)
      : snapshots.at(-1);
  return last?.entities ?? null;
}

/** D2.6: the pairs of a component that this round's answer added stay null in its scoring. */
export function isJoining({ state, round }: Ground, component: string): boolean {
  if (round.kind !== "topology" || round.round === null) return false;
  return state.topology.components.some((item) => item.id === component && item.joined_round === round.round);
}
