/**
 * D5.3, D5.4, D2.6: which of the scorer's triggers count. What code drops or changes is recorded.
 */
import { fold, hasWords } from "../text.ts";
import type { TriggerClaim } from "./agreement.ts";
import { disputeAt } from "./disputes.ts";
import type { Ground } from "./ground.ts";
import { dimensionsOf } from "./score.ts";
import { findComponent, isPair, pairKey } from "./state.ts";

export interface Admitted {
  readonly claims: readonly TriggerClaim[];
  /** Facts that a dropped trigger A contradicts: the sides that the answer did not take (D5.4). */
  readonly refused: readonly string[];
  readonly corrections: readonly string[];
}

export function admitTriggers(ground: Ground, found: readonly TriggerClaim[]): Admitted {
  const claims: TriggerClaim[] = [];
  const refused: string[] = [];
  const corrections: string[] = [];
  const disputed = disputeAt(ground);
  for (const raw of found) {
    const { claim, notes } = amend(ground, raw);
    const why = claims.some((other) => isSameClaim(other, claim)) ? "said twice" : whyNotNew(ground, claim, disputed);
    corrections.push(...notes);
    if (why === null) claims.push(claim);
    else corrections.push(`trigger ${claim.label} dropped, ${why}: ${pairKey(claim)}`);
    if (why === alreadyDisputed) refused.push(claim.contradicts);
  }
  return { claims, refused, corrections };
}

const alreadyDisputed = "the fact is in dispute already";

function isSameClaim(a: TriggerClaim, b: TriggerClaim): boolean {
  return (
    a.label === b.label && isPair(a, b) && a.contradicts === b.contradicts && fold(a.proposed) === fold(b.proposed)
  );
}

/** A claim as code reads it: only a reason makes a trigger anything but active; only a standing fact is contradicted. */
function amend(ground: Ground, raw: TriggerClaim): { readonly claim: TriggerClaim; readonly notes: string[] } {
  const notes: string[] = [];
  let claim = raw;
  if (claim.status !== "active" && !hasWords(claim.rationale)) {
    notes.push(`trigger ${claim.label} taken as active, ${claim.status} without a rationale: ${pairKey(claim)}`);
    claim = { ...claim, status: "active" };
  }
  const fact = ground.state.established_facts.find((item) => item.id === claim.contradicts);
  if (claim.contradicts !== "" && (fact === undefined || fact.status === "superseded")) {
    notes.push(`trigger ${claim.label} contradicts no standing fact: ${claim.contradicts}`);
    claim = { ...claim, contradicts: "" };
  }
  return { claim, notes };
}

function whyNotNew(ground: Ground, claim: TriggerClaim, disputed: ReadonlySet<string>): string | null {
  const { state, round } = ground;
  if (findComponent(state, claim.component)?.status !== "active") return "no active component";
  if (!dimensionsOf(state.type).includes(claim.dimension)) return `no dimension of a ${state.type} interview`;
  // D4.4: an opt-out that got a valid answer is no evasion.
  if (claim.label === "C" && round.answered_by === "architect-assisted") return "the answer was assumed";
  if (claim.label === "A" && disputed.has(claim.contradicts)) return alreadyDisputed;
  return claim.label === "D" ? whyNoExpansion(ground, claim) : null;
}

/** D: only an outcome that is neither a component yet nor put to the user before. */
function whyNoExpansion({ state, again, round }: Ground, claim: TriggerClaim): string | null {
  const proposed = fold(claim.proposed);
  if (!hasWords(proposed)) return "no outcome proposed";
  if (state.topology.components.some((item) => fold(item.name) === proposed || fold(item.id) === proposed))
    return "it is a component";
  const earlier = state.triggers.some(
    (item) =>
      item.label === "D" &&
      fold(item.proposed ?? "") === proposed &&
      !(again && item.round === round.round && !item.aimed),
  );
  return earlier ? "raised before" : null;
}
