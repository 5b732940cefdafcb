/**
 * D5.3: a trigger lowers its pair, below the lowest of that dimension, so that ambiguity rises by the formula and by
 * nothing else. What the answer gained elsewhere stays only as far as ambiguity still rises.
 */
import { ambiguityOf, lowest } from "../../core/deep/score.ts";
import type { ScoreReply } from "../../core/deep/tasks.ts";
import { toUnits } from "../../core/ratio.ts";
import { type Dimension, fill, isDimension } from "./bank.ts";
import type { Input } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";

export type Matrix = ReadonlyMap<string, number>;

export interface Claim {
  readonly label: "A" | "B" | "C" | "D";
  readonly component: string;
  /** Null: the one of the component's dimensions that loses least. */
  readonly dimension: Dimension | null;
  readonly evidence: string;
  readonly contradicts: string;
  readonly proposed: string;
}

type Trigger = ScoreReply["triggers"][number];

export function pairOf(component: string, dimension: string): string {
  return `${component}/${dimension}`;
}

const falls = { A: 0.15, B: 0.15, C: 0.05, D: 0.05 } as const;
/** How far below the lowest of its dimension a lowered pair goes. */
const below = 0.05;

export function applyTriggers(
  input: Input<"score">,
  scores: { readonly start: Matrix; readonly raised: Matrix },
  claims: readonly Claim[],
  tongue: Tongue,
): { readonly matrix: Matrix; readonly triggers: Trigger[] } {
  const { start, raised } = scores;
  if (claims.length === 0) return { matrix: raised, triggers: [] };
  const aimed = claims.map((claim) => ({
    ...claim,
    dimension: claim.dimension ?? cheapest(input, start, raised, claim.component),
  }));
  const lower = (matrix: Matrix) => lowered(input, start, matrix, aimed);
  const kept = lower(raised);
  const isFirst = input.components.every((component) => component.scores.every(({ score }) => score === null));
  const rises = (matrix: Matrix) =>
    isFirst || input.prior_ambiguity >= 1 || toUnits(ambiguity(input, matrix)) > toUnits(input.prior_ambiguity);
  const matrix = rises(kept) ? kept : lower(start);
  const met = rises(matrix);
  const triggers = aimed.map(
    (claim): Trigger => ({
      label: claim.label,
      status: met ? "active" : "unresolved",
      component: claim.component,
      dimension: claim.dimension,
      evidence: claim.evidence,
      contradicts: claim.contradicts,
      proposed: claim.proposed,
      rationale: met ? "" : fill(tongue.bank.texts["trigger.unresolved"] ?? "", { component: claim.component }),
    }),
  );
  return { matrix: met ? matrix : kept, triggers };
}

function lowered(
  input: Input<"score">,
  start: Matrix,
  matrix: Matrix,
  claims: readonly (Claim & { dimension: Dimension })[],
): Matrix {
  const made = new Map(matrix);
  for (const { label, component, dimension } of claims) {
    const key = pairOf(component, dimension);
    const now = start.get(key) ?? 0;
    made.set(key, Math.max(0, Math.min(now - falls[label], floorOf(input, start, dimension) - below)));
  }
  return made;
}

/** The lowest score of a dimension before this answer. */
function floorOf(input: Input<"score">, start: Matrix, dimension: Dimension): number {
  return Math.min(...input.components.map((component) => start.get(pairOf(component.id, dimension)) ?? 0));
}

function cheapest(input: Input<"score">, start: Matrix, raised: Matrix, component: string): Dimension {
  const loss = (dimension: Dimension) =>
    (raised.get(pairOf(component, dimension)) ?? 0) - floorOf(input, start, dimension);
  const [first = "goal", ...rest] = input.dimensions.filter(isDimension);
  return rest.reduce((best, dimension) => (loss(dimension) < loss(best) ? dimension : best), first);
}

function ambiguity(input: Input<"score">, matrix: Matrix): number {
  const score = (component: string, dimension: Dimension) => matrix.get(pairOf(component, dimension)) ?? null;
  const minima = lowest(
    input.components.map(({ id }) => ({
      goal: score(id, "goal"),
      constraints: score(id, "constraints"),
      criteria: score(id, "criteria"),
      context: score(id, "context"),
    })),
  );
  return ambiguityOf(input.type, minima);
}
