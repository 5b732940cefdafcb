/**
 * D5.4: the ledger of facts. A statement is promoted with its round and evidence; one that contradicts a fact is stored
 * when it is made, and the contradicted fact is disputed and kept. A disputed fact holds its pair under a ceiling.
 */
import { fromUnits, toUnits, type Units } from "../ratio.ts";
import { fold } from "../text.ts";
import type { FactClaim, TriggerClaim } from "./agreement.ts";
import { disputeAt, settleDisputes } from "./disputes.ts";
import type { Ground } from "./ground.ts";
import type { Round } from "./schema.ts";
import { dimensionsOf, type Matrix } from "./score.ts";
import { findComponent, isPair, pairKey } from "./state.ts";
import { nextNumber } from "./triggers.ts";
import type { Fact, Provenance } from "./vocabulary.ts";

interface Ledger {
  facts: Fact[];
  readonly fresh: string[];
  readonly restated: string[];
  /** Facts whose dispute was made, or made anew, by this answer. */
  readonly disputed: Set<string>;
  readonly corrections: string[];
}

export interface FactUpdate {
  readonly facts: readonly Fact[];
  readonly disputed: ReadonlySet<string>;
  /** Every side of the disputes that ended. */
  readonly settled: ReadonlySet<string>;
  readonly corrections: readonly string[];
}

export interface Statements {
  readonly facts: readonly FactClaim[];
  /** Triggers that count. */
  readonly triggers: readonly TriggerClaim[];
  readonly stands: readonly string[];
  readonly refused: readonly string[];
  /** The answer ends the disputes that its question was aimed at. */
  readonly settles: boolean;
}

export function updateFacts(ground: Ground, statements: Statements): FactUpdate {
  const ledger: Ledger = { facts: withdraw(ground), fresh: [], restated: [], disputed: new Set(), corrections: [] };
  const addressed = disputeAt(ground);
  for (const claim of statements.facts) promote(ground, ledger, claim, addressed);
  for (const claim of statements.triggers) if (claim.label === "A") contradict(ground, ledger, claim, addressed);
  replaceWithdrawn(ground, ledger);
  const { fresh, restated, disputed, corrections } = ledger;
  const unknown = statements.stands.filter((id) => id !== "new" && !addressed.has(id));
  corrections.push(...unknown.map((id) => `no side of the dispute asked about: ${id}`));
  if (!statements.settles) return { facts: ledger.facts, disputed, settled: new Set(), corrections };
  const { stands, refused } = statements;
  const ended = settleDisputes(ground, ledger.facts, { stands, fresh, restated, refused });
  return { ...ended, disputed, corrections };
}

/** A round that is scored again takes back what its first scoring stated, and the disputes that only that made. */
function withdraw({ state: { established_facts: facts }, round }: Ground): Fact[] {
  const own = new Set(
    facts.filter((fact) => round.round !== null && fact.source_round === round.round).map((fact) => fact.id),
  );
  if (own.size === 0) return [...facts];
  const isContested = (id: string, by: (fact: Fact) => boolean) =>
    facts.some((fact) => fact.contradicts === id && fact.status !== "superseded" && by(fact));
  return facts.map((fact) => {
    if (own.has(fact.id)) return { ...fact, status: "superseded", ceiling: null };
    const freed =
      fact.status === "disputed" &&
      isContested(fact.id, (by) => own.has(by.id)) &&
      !isContested(fact.id, (by) => !own.has(by.id));
    return freed ? { ...fact, status: "established", ceiling: null } : fact;
  });
}

/** What a first scoring stated is superseded by what the second states of the same pair, if anything. */
function replaceWithdrawn({ round }: Ground, ledger: Ledger): void {
  const fresh = ledger.facts.filter((fact) => ledger.fresh.includes(fact.id));
  for (const fact of ledger.facts) {
    if (fact.status !== "superseded" || fact.superseded_by !== null || fact.source_round !== round.round) continue;
    change(ledger, fact.id, { superseded_by: fresh.find((item) => isPair(item, fact))?.id ?? null });
  }
}

function provenanceOf({ round }: Ground): Provenance {
  if (round.answered_by === "architect-assisted") return "assumption";
  if (round.answered_by === "research") return "research";
  return round.custom_input === null && isConfirmed(round) ? "code" : "user";
}

/** D3.4: a cited confirmation recommends its yes. */
function isConfirmed({ aim, options, selected_options: picked }: Round): boolean {
  return aim.style === "fact" && options.some(({ recommended, label }) => recommended && picked.includes(label));
}

/** D3.4: the looked-up statement itself, in the answer that did not confirm it. */
function isRefused({ round }: Ground, claim: FactClaim): boolean {
  const declined = round.aim.style === "fact" && round.selected_options.length > 0 && !isConfirmed(round);
  return declined && fold(round.question_text).includes(fold(claim.statement));
}

function standing(ledger: Ledger, id: string): Fact | undefined {
  return ledger.facts.find((fact) => fact.id === id && fact.status !== "superseded");
}

function change(ledger: Ledger, id: string, part: Partial<Fact>): void {
  ledger.facts = ledger.facts.map((fact) => (fact.id === id ? { ...fact, ...part } : fact));
}

/** Marks the contradicted fact; a side of the dispute that the question was about is not disputed anew. */
function dispute(ledger: Ledger, id: string, addressed: ReadonlySet<string>): void {
  if (addressed.has(id)) return;
  change(ledger, id, { status: "disputed" });
  ledger.disputed.add(id);
}

function promote(ground: Ground, ledger: Ledger, claim: FactClaim, addressed: ReadonlySet<string>): void {
  if (
    findComponent(ground.state, claim.component) === undefined ||
    !dimensionsOf(ground.state.type).includes(claim.dimension)
  ) {
    ledger.corrections.push(`fact outside the topology dropped: ${pairKey(claim)}`);
    return;
  }
  if (isRefused(ground, claim)) {
    ledger.corrections.push(`fact that was not confirmed dropped: ${claim.statement}`);
    return;
  }
  const target = standing(ledger, claim.contradicts);
  if (claim.contradicts !== "" && target === undefined) {
    ledger.corrections.push(`fact contradicts no standing fact: ${claim.contradicts}`);
  }
  const same = ledger.facts.find(
    (fact) => fact.status !== "superseded" && isPair(fact, claim) && fold(fact.statement) === fold(claim.statement),
  );
  if (same !== undefined) {
    ledger.restated.push(same.id);
    if (target === undefined || target.id === same.id || target.contradicts === same.id) return;
    if (standing(ledger, same.contradicts ?? "") === undefined) change(ledger, same.id, { contradicts: target.id });
  } else {
    const id = `f${nextNumber(ledger.facts.map((fact) => fact.id))}`;
    ledger.fresh.push(id);
    ledger.facts.push({
      id,
      statement: claim.statement,
      component: claim.component,
      dimension: claim.dimension,
      source_round: ground.round.round,
      evidence: claim.evidence,
      provenance: provenanceOf(ground),
      status: "established",
      contradicts: target?.id ?? null,
      superseded_by: null,
      ceiling: null,
    });
  }
  if (target !== undefined) dispute(ledger, target.id, addressed);
}

/** A contradiction disputes its fact; its statement is stored even when the scorer did not list it as one. */
function contradict(ground: Ground, ledger: Ledger, claim: TriggerClaim, addressed: ReadonlySet<string>): void {
  const target = standing(ledger, claim.contradicts);
  if (target === undefined) return;
  dispute(ledger, target.id, addressed);
  const said = ledger.facts.filter((fact) => ledger.fresh.includes(fact.id) || ledger.restated.includes(fact.id));
  if (said.some((fact) => fact.contradicts === target.id || target.contradicts === fact.id)) return;
  const loose = ledger.facts.filter(
    (fact) =>
      ledger.fresh.includes(fact.id) && fact.contradicts === null && (isPair(fact, claim) || isPair(fact, target)),
  );
  const [only] = loose;
  if (only !== undefined && loose.length === 1) {
    change(ledger, only.id, { contradicts: target.id });
    return;
  }
  const { component, dimension } = target;
  promote(
    ground,
    ledger,
    { statement: claim.evidence, component, dimension, evidence: claim.evidence, contradicts: target.id },
    addressed,
  );
}

/** What disputed pairs may not score above: of disputes that stood before this answer and still stand. */
export function ceilingBounds(ground: Ground, facts: readonly Fact[]): [string, Units][] {
  const before = new Map(ground.state.established_facts.map((fact) => [fact.id, fact]));
  return facts.flatMap((fact) => {
    if (fact.status !== "disputed" || before.get(fact.id)?.status !== "disputed") return [];
    // A state of another tool names no ceiling: then the pair stays where it is.
    const units = fact.ceiling === null ? (ground.prior.get(pairKey(fact)) ?? 0) : toUnits(fact.ceiling);
    return [[pairKey(fact), units]];
  });
}

/** The score to which a dispute of this round brought its pair becomes the ceiling; a later one can only lower it. */
export function setCeilings(update: FactUpdate, scores: Matrix): Fact[] {
  return update.facts.map((fact) => {
    if (fact.status !== "disputed" || !update.disputed.has(fact.id)) return fact;
    const units = scores.get(pairKey(fact)) ?? 0;
    return { ...fact, ceiling: fromUnits(fact.ceiling === null ? units : Math.min(units, toUnits(fact.ceiling))) };
  });
}
