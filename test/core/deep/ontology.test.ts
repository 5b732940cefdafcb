import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCoreUnstable, matchEntities, matchOntology } from "../../../src/core/deep/ontology.ts";
import type { Entity, OntologySnapshot } from "../../../src/core/deep/vocabulary.ts";

function entity(name: string, type = "supporting", ...fields: string[]): Entity {
  return { name, type, fields, relationships: [] };
}

describe("matchOntology", () => {
  it("D6.1 takes names that differ by form, case or blanks for the same", () => {
    const prior = [entity("Café"), entity(" ORDER "), entity("주문")];
    const now = [entity("Cafe\u0301"), entity("order"), entity("주문".normalize("NFD"))];
    expect(matchOntology(prior, now, 2)).toMatchObject({
      stable: 3,
      changed: 0,
      new: 0,
      removed: 0,
      stability_ratio: 1,
    });
  });

  it("D6.1 takes a renamed entity by type and shared fields, and only above one half of the larger set", () => {
    const before = entity("Purchase", "core domain", "id", "total", "date");
    const renamed = entity("Order", "Core Domain", "ID", "total", "status");
    expect(matchOntology([before], [renamed], 2)).toMatchObject({ changed: 1, new: 0, removed: 0, stability_ratio: 1 });
    expect(matchOntology([before], [{ ...renamed, type: "supporting" }], 2)).toMatchObject({
      changed: 0,
      new: 1,
      removed: 1,
    });
    const half = entity("Order", "core domain", "id", "total", "status", "owner");
    expect(matchOntology([before], [half], 2)).toMatchObject({ changed: 0, new: 1, removed: 1, stability_ratio: 0 });
    expect(matchOntology([entity("A")], [entity("B")], 2)).toMatchObject({ changed: 0, new: 1, removed: 1 });
  });

  it("D6.1 matches one to one, the best overlap first", () => {
    const prior = [entity("P", "t", "a", "b", "c", "d"), entity("Q", "t", "a", "b", "c")];
    const now = [entity("X", "t", "a", "b", "c"), entity("Y", "t", "a", "b", "c", "d")];
    const { changed } = matchEntities(prior, now);
    expect(changed.map((match) => `${match.before.name}>${match.now.name}`).toSorted()).toEqual(["P>Y", "Q>X"]);
    const one = matchOntology([entity("P", "t", "a")], [entity("X", "t", "a"), entity("Y", "t", "a")], 2);
    expect(one).toMatchObject({ changed: 1, new: 1, removed: 0, stability_ratio: 0.5 });
  });

  it("D6.1 takes the match with more shared fields when two overlap in the same proportion", () => {
    const prior = [entity("P", "t", "a", "b", "c"), entity("Q", "t", "a", "b", "c", "d", "e", "f")];
    const now = [entity("X", "t", "a", "b", "x"), entity("Y", "t", "a", "b", "c", "d", "y", "z")];
    // P-X shares 2 of 3, Q-Y shares 4 of 6.
    expect(matchEntities(prior, now).changed.map((match) => `${match.before.name}>${match.now.name}`)).toEqual([
      "Q>Y",
      "P>X",
    ]);
  });

  it("D6.1 gives no ratio for the first snapshot and for one without entities", () => {
    expect(matchOntology(null, [entity("A"), entity("B")], 1)).toMatchObject({
      stability_ratio: null,
      new: 2,
      stable: 0,
    });
    expect(matchOntology([entity("A")], [], 2)).toMatchObject({ stability_ratio: null, new: 0, removed: 1 });
    expect(matchOntology([], [entity("A")], 3)).toMatchObject({ stability_ratio: 0, new: 1 });
  });

  it("D6.2 writes out who matched whom and why", () => {
    const prior = [entity("User"), entity("Purchase", "core domain", "id", "total"), entity("Gone", "external system")];
    const now = [entity("user"), entity("Order", "core domain", "id", "total", "at"), entity("Fresh")];
    expect(matchOntology(prior, now, 2).matching_reasoning).toEqual([
      "stable: user = User (same name)",
      'changed: Purchase -> Order (same type "core domain", 2 of 3 fields shared: id, total)',
      "new: Fresh (supporting; no match by name or by type and fields)",
      "removed: Gone (external system; matched by nothing now)",
    ]);
  });

  const name = fc.constantFrom("A", "a ", "B", "C", "Ｃ", "D", "E", "É", "E\u0301");
  const fields = fc.uniqueArray(fc.constantFrom("id", "x", "y", "z", "w"), { maxLength: 5 });
  const some = fc.array(
    fc.record({
      name,
      type: fc.constantFrom("core domain", "supporting"),
      fields,
      relationships: fc.constant<string[]>([]),
    }),
    { maxLength: 7 },
  );

  it("D6.1 counts every entity once, and its ratio is that of an independent count", () => {
    fc.assert(
      fc.property(some, some, (prior, now) => {
        const found = matchOntology(prior, now, 2);
        expect(found.stable + found.changed + found.new).toBe(now.length);
        expect(found.stable + found.changed + found.removed).toBe(prior.length);
        const key = (item: Entity) => item.name.normalize("NFC").trim().toLowerCase();
        const names = new Set([...prior, ...now].map(key));
        let stable = 0;
        for (const each of names) {
          stable += Math.min(
            prior.filter((item) => key(item) === each).length,
            now.filter((item) => key(item) === each).length,
          );
        }
        expect(found.stable).toBe(stable);
        const ratio =
          now.length === 0 ? null : Math.round(((found.stable + found.changed) / now.length) * 10_000) / 10_000;
        expect(found.stability_ratio).toBe(ratio);
        expect(found.matching_reasoning).toHaveLength(found.stable + found.changed + found.new + found.removed);
      }),
      { numRuns: 500 },
    );
  });

  it("D6.1 uses each side of a match once, only for what may match, and leaves no rename unmatched", () => {
    fc.assert(
      fc.property(some, some, (prior, now) => {
        const { changed, fresh, removed } = matchEntities(prior, now);
        const overlap = (a: Entity, b: Entity) => {
          const shared = a.fields.filter((field) => b.fields.includes(field)).length;
          return a.type === b.type && shared > Math.max(a.fields.length, b.fields.length) / 2
            ? shared / Math.max(a.fields.length, b.fields.length)
            : 0;
        };
        expect(new Set(changed.map((match) => match.before)).size).toBe(changed.length);
        expect(new Set(changed.map((match) => match.now)).size).toBe(changed.length);
        for (const match of changed) expect(overlap(match.before, match.now)).toBeGreaterThan(0.5);
        for (const left of fresh) for (const gone of removed) expect(overlap(gone, left)).toBe(0);
        // Best first: a match that was passed over lost to one at least as good on either side.
        for (const a of changed) {
          for (const b of changed) {
            const crossed = overlap(a.before, b.now);
            const kept = Math.max(overlap(a.before, a.now), overlap(b.before, b.now));
            if (crossed > 0) expect(kept + 1e-9).toBeGreaterThanOrEqual(crossed);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("isCoreUnstable", () => {
  const chain = (...lists: Entity[][]): OntologySnapshot[] =>
    lists.map((now, index) => matchOntology(index === 0 ? null : (lists[index - 1] ?? null), now, index + 1));
  const core = (...names: string[]) => names.map((name) => entity(name, "core domain"));

  it("D3.5 looks from the third snapshot on for a stability below one half", () => {
    expect(isCoreUnstable(chain(core("A"), core("B")))).toBe(false);
    expect(isCoreUnstable(chain(core("A"), core("A"), [...core("A"), entity("B"), entity("C")]))).toBe(true);
    expect(isCoreUnstable(chain(core("A"), core("A"), [...core("A"), entity("B")]))).toBe(false);
    expect(isCoreUnstable(chain(core("A"), core("A"), []))).toBe(false);
  });

  it("D3.5 looks for a new core noun in each of the last two snapshots", () => {
    expect(isCoreUnstable(chain(core("A"), core("A", "B"), core("A", "B", "C")))).toBe(true);
    expect(isCoreUnstable(chain(core("A"), core("A", "B"), [...core("A", "B"), entity("C")]))).toBe(false);
    expect(isCoreUnstable(chain(core("A"), core("A"), core("A", "B")))).toBe(false);
    expect(isCoreUnstable(chain(core("A"), core("A", "B"), core("A", "B", "C"), core("A", "B", "C")))).toBe(false);
  });

  it("D3.5 does not take a renamed core noun for a new one", () => {
    const named = (name: string) => entity(name, "core domain", "id", "total");
    expect(isCoreUnstable(chain([named("A")], [named("B")], [named("C")]))).toBe(false);
  });
});
