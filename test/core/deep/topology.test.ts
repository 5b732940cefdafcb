import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyEdits,
  componentId,
  componentsFrom,
  createComponent,
  maxComponents,
  resolveComponent,
} from "../../../src/core/deep/topology.ts";
import type { Component, TopologyEdit } from "../../../src/core/deep/vocabulary.ts";

function shown(...names: readonly string[]): Component[] {
  const made: Component[] = [];
  for (const name of names) {
    const parts = { name, description: `${name} works`, evidence: [name], deliverables: [`${name} file`] };
    made.push(
      createComponent(
        parts,
        made.map((item) => item.id),
      ),
    );
  }
  return made;
}

const four = shown("Ingestion", "Normalization", "Review UI", "Export");
const apply = (edits: readonly TopologyEdit[], components = four) => applyEdits(components, edits, null);
const names = (edits: readonly TopologyEdit[], components = four) => {
  const edited = apply(edits, components);
  return edited.ok ? edited.components.map((item) => item.name) : edited.why;
};

describe("componentId", () => {
  it("D2.1 makes an id of a name in any script, unique among those taken", () => {
    expect(componentId("Review UI (new!)", [])).toBe("review-ui-new");
    expect(componentId("검토 화면", [])).toBe("검토-화면");
    expect(componentId("E\u0301cran", [])).toBe("écran");
    expect(componentId("!!!", [])).toBe("component");
    expect(componentId("Export", ["export"])).toBe("export-2");
    expect(componentId("Export", ["export", "export-2"])).toBe("export-3");
    expect(componentId("x".repeat(200), []).length).toBeLessThanOrEqual(48);
  });

  it("D2.1 law: ids are never empty, never taken, and hold letters, digits and single hyphens only", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.array(fc.string(), { maxLength: 4 }),
        (name, taken) => {
          const id = componentId(name, taken);
          expect(id).not.toBe("");
          expect(taken).not.toContain(id);
          expect(id).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]*)*$/u);
        },
      ),
    );
  });
});

describe("componentsFrom", () => {
  it("D2.3 makes one component of each, in order, with its evidence and deliverables", () => {
    const base = {
      language: { tag: "en", name: "", instruction: "" },
      phrases: [],
      changes_existing: false,
      grouping: "",
    };
    const made = componentsFrom({
      ...base,
      components: ["Ingestion", "Normalization", "Review UI", "Export"].map((name) => ({
        name: ` ${name} `,
        description: "d ",
        evidence: name === "Export" ? " " : "said",
        deliverables: ["a"],
      })),
    });
    expect(made.map((item) => [item.id, item.name, item.evidence.length])).toEqual([
      ["ingestion", "Ingestion", 1],
      ["normalization", "Normalization", 1],
      ["review-ui", "Review UI", 1],
      ["export", "Export", 0],
    ]);
    expect(made[0]).toMatchObject({
      status: "active",
      deliverables: ["a"],
      joined_round: null,
      weakest_dimension: null,
    });
  });
});

describe("resolveComponent", () => {
  it("D2.2 finds by id, by name in any case and form, and by the number that was shown", () => {
    for (const name of ["review-ui", "Review UI", " review  ui ", "REVIEW UI", "3"])
      expect(resolveComponent(four, name)?.id).toBe("review-ui");
    const accented = shown("Écran");
    expect(resolveComponent(accented, "e\u0301cran")?.id).toBe("écran");
    for (const name of ["", "0", "5", "-1", "1.0", "review", "Review UI and more"])
      expect(resolveComponent(four, name)).toBeUndefined();
  });

  it("D2.2 a name that is a number comes before the place in the list", () => {
    expect(resolveComponent(shown("2", "Import"), "2")?.name).toBe("2");
  });
});

describe("applyEdits", () => {
  it("D2.2 add puts it last, with its name as description when it has none", () => {
    const edited = apply([{ op: "add", name: " Billing ", description: "" }]);
    expect(edited).toMatchObject({ ok: true, deferrals: [] });
    expect(edited.ok && edited.components.at(-1)).toMatchObject({
      id: "billing",
      name: "Billing",
      description: "Billing",
      status: "active",
    });
  });

  it("D2.2 remove and rename keep the order, the ids and everything else", () => {
    expect(names([{ op: "remove", component: "2" }])).toEqual(["Ingestion", "Review UI", "Export"]);
    const renamed = apply([{ op: "rename", component: "3", name: " Desk " }]);
    expect(renamed.ok && renamed.components[2]).toEqual({ ...four[2], name: "Desk" });
  });

  it("D2.2 merge stands where its first part stood, with the evidence and deliverables of all", () => {
    const merged = apply([{ op: "merge", components: ["2", "4"], name: "", description: "" }]);
    expect(merged.ok && merged.components.map((item) => item.name)).toEqual([
      "Ingestion",
      "Normalization / Export",
      "Review UI",
    ]);
    expect(merged.ok && merged.components[1]).toMatchObject({
      description: "Normalization works; Export works",
      evidence: ["Normalization", "Export"],
      deliverables: ["Normalization file", "Export file"],
    });
  });

  it("D2.2 split stands where the whole stood", () => {
    expect(
      names([
        {
          op: "split",
          component: "1",
          into: [
            { name: "Upload", description: "" },
            { name: "Check", description: "c" },
          ],
        },
      ]),
    ).toEqual(["Upload", "Check", "Normalization", "Review UI", "Export"]);
  });

  it("D2.2 split keeps what the idea named: deliverables of the whole go with it", () => {
    const split = apply([
      {
        op: "split",
        component: "1",
        into: [
          { name: "Upload", description: "" },
          { name: "Check", description: "c" },
        ],
      },
    ]);
    expect(split.ok && split.components.slice(0, 2).flatMap((item) => item.deliverables)).toEqual(["Ingestion file"]);
  });

  it("D2.2 split into nothing nameable is unclear", () => {
    expect(
      names([
        {
          op: "split",
          component: "1",
          into: [
            { name: "Upload", description: "" },
            { name: " ", description: "" },
          ],
        },
      ]),
    ).toBe("unclear-edit");
  });

  it("D2.2 defer keeps it, with its reason, and twice is once", () => {
    const edited = apply([
      { op: "defer", component: "4", reason: "next year" },
      { op: "defer", component: "Export", reason: "again" },
    ]);
    expect(edited).toMatchObject({ ok: true, deferrals: [{ component_id: "export", reason: "next year" }] });
    expect(edited.ok && edited.components.map((item) => item.status)).toEqual([
      "active",
      "active",
      "active",
      "deferred",
    ]);
  });

  it("D2.2 a deferred component that is then removed leaves no deferral behind", () => {
    const edited = apply([
      { op: "defer", component: "4", reason: "next year" },
      { op: "remove", component: "4" },
    ]);
    expect(edited).toMatchObject({ ok: true, deferrals: [] });
  });

  it("D2.2 numbers and names mean the list as it was shown, whatever came before in the same answer", () => {
    expect(
      names([
        { op: "remove", component: "1" },
        { op: "remove", component: "2" },
      ]),
    ).toEqual(["Review UI", "Export"]);
    expect(
      names([
        { op: "rename", component: "1", name: "Export two" },
        { op: "rename", component: "Ingestion", name: "Intake" },
      ]),
    ).toEqual(["Intake", "Normalization", "Review UI", "Export"]);
    // What the answer itself added can be named further on.
    expect(
      names([
        { op: "add", name: "Billing", description: "" },
        { op: "rename", component: "Billing", name: "Invoices" },
      ]),
    ).toEqual(["Ingestion", "Normalization", "Review UI", "Export", "Invoices"]);
    // What it removed cannot.
    expect(
      names([
        { op: "remove", component: "1" },
        { op: "rename", component: "1", name: "X" },
      ]),
    ).toBe("unclear-edit");
  });

  it.each<[string, TopologyEdit[]]>([
    ["an unknown name", [{ op: "remove", component: "Telepathy" }]],
    ["an unknown part", [{ op: "merge", components: ["1", "Telepathy"], name: "", description: "" }]],
    ["one part", [{ op: "merge", components: ["1"], name: "X", description: "" }]],
    ["no part", [{ op: "merge", components: [], name: "X", description: "" }]],
    ["one half", [{ op: "split", component: "1", into: [{ name: "A", description: "" }] }]],
    ["an empty name", [{ op: "add", name: "  ", description: "d" }]],
    ["an empty new name", [{ op: "rename", component: "1", name: "" }]],
    [
      "far too many",
      Array.from({ length: 20 }, (_, index) => ({ op: "add" as const, name: `C${index}`, description: "" })),
    ],
  ])("D2.2 %s is unclear", (_, edits) => {
    expect(apply(edits)).toMatchObject({ ok: false, why: "unclear-edit" });
  });

  it("D2.2 no active component left is refused", () => {
    const gone = four.map((item): TopologyEdit => ({ op: "remove", component: item.id }));
    const later = four.map((item): TopologyEdit => ({ op: "defer", component: item.id, reason: "" }));
    for (const edits of [gone, later, [...gone.slice(0, 2), ...later.slice(2)]])
      expect(apply(edits)).toMatchObject({ ok: false, why: "no-active-component" });
  });

  it("D2.2 law: whatever is asked for, the outcome has an active component and unique ids, or is refused; the input stays as it was", () => {
    const name = fc.constantFrom("1", "2", "3", "4", "5", "Export", "review ui", "New", "Telepathy", " ");
    const edit: fc.Arbitrary<TopologyEdit> = fc.oneof(
      fc.record({ op: fc.constant("add" as const), name, description: fc.constant("") }),
      fc.record({ op: fc.constant("remove" as const), component: name }),
      fc.record({ op: fc.constant("rename" as const), component: name, name }),
      fc.record({ op: fc.constant("defer" as const), component: name, reason: fc.constant("r") }),
      fc.record({
        op: fc.constant("merge" as const),
        components: fc.array(name, { maxLength: 3 }),
        name,
        description: fc.constant(""),
      }),
      fc.record({
        op: fc.constant("split" as const),
        component: name,
        into: fc.array(fc.record({ name, description: fc.constant("") }), { maxLength: 3 }),
      }),
    );
    const before = structuredClone(four);
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        const edited = apply(edits);
        expect(four).toEqual(before);
        if (!edited.ok) return;
        const ids = edited.components.map((item) => item.id);
        expect(new Set(ids).size).toBe(ids.length);
        const active = edited.components.filter((item) => item.status === "active");
        expect(active.length).toBeGreaterThanOrEqual(1);
        expect(active.length).toBeLessThanOrEqual(maxComponents * 2);
        const deferred = edited.components.flatMap((item) => (item.status === "deferred" ? [item.id] : []));
        expect(edited.deferrals.map((item) => item.component_id).toSorted()).toEqual(deferred.toSorted());
        for (const item of edited.components) expect(item.name.trim()).toBe(item.name);
      }),
      { numRuns: 400 },
    );
  });
});
