/**
 * D6: how the entities of one round match those of the round before, written out before the numbers (D6.2), and the
 * sign of an unstable core noun (D3.5).
 */
import { round4 } from "../ratio.ts";
import { fold } from "../text.ts";
import type { DeepState } from "./schema.ts";
import type { Entity, OntologySnapshot } from "./vocabulary.ts";

interface Match {
  readonly before: Entity;
  readonly now: Entity;
  /** Field names that both have, as the present entity writes them; empty for a match by name. */
  readonly shared: readonly string[];
  /** Fields of the larger of the two sets. */
  readonly of: number;
}

export interface Matching {
  readonly stable: readonly Match[];
  readonly changed: readonly Match[];
  readonly fresh: readonly Entity[];
  readonly removed: readonly Entity[];
}

function fieldsOf(entity: Entity): Map<string, string> {
  return new Map(entity.fields.map((field) => [fold(field), field]));
}

/** D6.1: the same type, and more than half of the larger field set shared; null when it is no rename. */
function renameOf(before: Entity, now: Entity): Match | null {
  if (fold(before.type) !== fold(now.type)) return null;
  const old = fieldsOf(before);
  const fresh = fieldsOf(now);
  const shared = [...fresh].flatMap(([key, field]) => (old.has(key) ? [field] : []));
  const of = Math.max(old.size, fresh.size);
  return shared.length * 2 > of ? { before, now, shared, of } : null;
}

/** One-to-one: equal names first, then renames, best overlap first; ties in the order of the lists. */
export function matchEntities(prior: readonly Entity[], now: readonly Entity[]): Matching {
  const before = new Set(prior.map((entity) => ({ ...entity })));
  const after = new Set(now.map((entity) => ({ ...entity })));
  const take = (match: Match) =>
    before.has(match.before) && after.has(match.now) && before.delete(match.before) && after.delete(match.now);
  const stable: Match[] = [];
  for (const entity of [...after]) {
    const same = [...before].find((old) => fold(old.name) === fold(entity.name));
    const match = same === undefined ? null : { before: same, now: entity, shared: [], of: 0 };
    if (match !== null && take(match)) stable.push(match);
  }
  const candidates = [...after].flatMap((entity) => [...before].flatMap((old) => renameOf(old, entity) ?? []));
  candidates.sort((a, b) => b.shared.length * a.of - a.shared.length * b.of || b.shared.length - a.shared.length);
  const changed = candidates.filter(take);
  return { stable, changed, fresh: [...after], removed: [...before] };
}

function explain({ stable, changed, fresh, removed }: Matching): string[] {
  return [
    ...stable.map(({ before, now }) =>
      before.name === now.name ? `stable: ${now.name} (same name)` : `stable: ${now.name} = ${before.name} (same name)`,
    ),
    ...changed.map(
      ({ before, now, shared, of }) =>
        `changed: ${before.name} -> ${now.name} (same type "${now.type}", ${shared.length} of ${of} fields shared: ${shared.join(", ")})`,
    ),
    ...fresh.map((entity) => `new: ${entity.name} (${entity.type}; no match by name or by type and fields)`),
    ...removed.map((entity) => `removed: ${entity.name} (${entity.type}; matched by nothing now)`),
  ];
}

/**
 * The snapshot of a round. `prior`: the entities of the snapshot before, null when there is none. `stability_ratio` is
 * null (N/A) for the first snapshot and for one without entities.
 */
export function matchOntology(
  prior: readonly Entity[] | null,
  now: readonly Entity[],
  round: number | null,
): OntologySnapshot {
  const matching = matchEntities(prior ?? [], now);
  const { stable, changed, fresh, removed } = matching;
  const comparable = prior !== null && now.length > 0;
  return {
    round,
    entities: [...now],
    stability_ratio: comparable ? round4((stable.length + changed.length) / now.length) : null,
    new: fresh.length,
    changed: changed.length,
    stable: stable.length,
    removed: removed.length,
    matching_reasoning: explain(matching),
  };
}

const coreDomain = "core domain";

function bringsCoreNoun(prior: OntologySnapshot | undefined, now: OntologySnapshot | undefined): boolean {
  if (prior === undefined || now === undefined) return false;
  return matchEntities(prior.entities, now.entities).fresh.some((entity) => fold(entity.type) === coreDomain);
}

/** D3.5: from the third snapshot on, stability below one half, or a new core noun in each of the last two. */
export function isCoreUnstable(snapshots: DeepState["ontology_snapshots"]): boolean {
  const [third, second, last] = snapshots.slice(-3);
  if (last === undefined) return false;
  if (last.stability_ratio !== null && last.stability_ratio < 0.5) return true;
  return bringsCoreNoun(third, second) && bringsCoreNoun(second, last);
}
