/**
 * D5.4: disputes and their end. A dispute is a fact marked disputed together with every standing fact that is linked
 * to it by a contradiction; one direct answer aimed at it ends it: what it names stands, the rest is superseded.
 */
import type { Ground } from "./ground.ts";
import { isPair } from "./state.ts";
import type { Fact } from "./vocabulary.ts";

/** The standing facts of one dispute, in the order in which they were stated. */
function membersOf(facts: readonly Fact[], root: Fact): Fact[] {
  const standing = facts.filter((fact) => fact.status !== "superseded");
  const ids = new Set([root.id]);
  let size = 0;
  while (size < ids.size) {
    size = ids.size;
    for (const fact of standing) {
      if (fact.contradicts === null) continue;
      if (ids.has(fact.contradicts)) ids.add(fact.id);
      else if (ids.has(fact.id)) ids.add(fact.contradicts);
    }
  }
  return standing.filter((fact) => ids.has(fact.id));
}

/** The disputed facts that this round's question was aimed at: of its pair, or contradicted by a trigger of its pair. */
function rootsAt({ state, aimed }: Ground, facts: readonly Fact[]): Fact[] {
  if (aimed === null) return [];
  const named = new Set(
    state.triggers
      .filter((item) => item.status !== "resolved" && isPair(item, aimed))
      .map((item) => item.contradicted_fact),
  );
  const before = new Set(state.established_facts.filter((fact) => fact.status === "disputed").map((fact) => fact.id));
  return facts.filter(
    (fact) => fact.status === "disputed" && before.has(fact.id) && (isPair(fact, aimed) || named.has(fact.id)),
  );
}

/** Ids of every side of the disputes that this round's question was aimed at. */
export function disputeAt(ground: Ground): ReadonlySet<string> {
  const facts = ground.state.established_facts;
  return new Set(rootsAt(ground, facts).flatMap((root) => membersOf(facts, root).map((fact) => fact.id)));
}

/** What the answer says about the sides. */
export interface Verdict {
  /** Ids that the scorer says stand, or `new`. */
  readonly stands: readonly string[];
  /** Facts first stated in this answer. */
  readonly fresh: readonly string[];
  /** Earlier facts that this answer states again. */
  readonly restated: readonly string[];
  /** Facts that it contradicts. */
  readonly refused: readonly string[];
}

/** Who stands: the sides named, else the one stated again, else the newest that the answer does not contradict. */
function winnersOf(members: readonly Fact[], verdict: Verdict): Fact[] {
  const among = (ids: readonly string[]) => members.filter((fact) => ids.includes(fact.id));
  const fresh = among(verdict.fresh);
  const newest = fresh.length > 0 ? fresh : members.slice(-1);
  const named = [...among(verdict.stands), ...(verdict.stands.includes("new") ? newest : [])];
  if (named.length > 0) return named;
  const restated = among(verdict.restated);
  if (fresh.length === 0 && restated.length === 1) return restated;
  const left = members.filter((fact) => !verdict.refused.includes(fact.id));
  return (left.length > 0 ? left : members).slice(-1);
}

export interface Settled {
  readonly facts: readonly Fact[];
  /** Every side of the disputes that ended. */
  readonly settled: ReadonlySet<string>;
}

/** Ends the disputes that the question was aimed at. `facts` are those after this answer's statements went in. */
export function settleDisputes(ground: Ground, facts: readonly Fact[], verdict: Verdict): Settled {
  let now = [...facts];
  const settled = new Set<string>();
  for (const root of rootsAt(ground, facts)) {
    if (settled.has(root.id)) continue;
    const linked = membersOf(now, root);
    // "new" may be a statement that the scorer did not link to the fact it replaces.
    const loose = verdict.stands.includes("new") && !linked.some((fact) => verdict.fresh.includes(fact.id));
    const { aimed } = ground;
    const joining =
      loose && aimed !== null ? now.filter((fact) => verdict.fresh.includes(fact.id) && isPair(fact, aimed)) : [];
    const members = [...linked, ...joining];
    const winners = new Set(winnersOf(members, verdict).map((fact) => fact.id));
    const heir = [...winners].at(-1) ?? null;
    const ids = new Set(members.map((fact) => fact.id));
    now = now.map((fact) => {
      if (!ids.has(fact.id)) return fact;
      if (winners.has(fact.id)) return { ...fact, status: "established", ceiling: null };
      return { ...fact, status: "superseded", superseded_by: heir, ceiling: null };
    });
    for (const id of ids) settled.add(id);
  }
  return { facts: now, settled };
}
