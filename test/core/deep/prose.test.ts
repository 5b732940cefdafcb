import { describe, expect, it } from "vitest";
import { provenanceOf } from "../../../src/core/deep/coverage.ts";
import { checkCrystallize, fallbackProse, finishProse } from "../../../src/core/deep/prose.ts";
import type { Gap, Round } from "../../../src/core/deep/schema.ts";
import type { Provenance } from "../../../src/core/deep/vocabulary.ts";
import { assumption, component, fact, interview, reply, round } from "./spec-fixture.ts";

const context = {
  summary: "",
  findings: [{ statement: "Rows are parsed", path: "src/parse.ts", symbol: "parseRow" }],
  earlier: [{ path: ".gjc/_session-a/specs/deep-interview-x.md", note: "CSV only" }],
};
const document = ".gjc/_session-a/specs/deep-interview-x.md";
const own = (text: string, rounds: number[], covers: string[] = [], sources: string[] = []) => ({
  text,
  rounds,
  sources,
  covers,
});
const texts = (lines: readonly { text: string }[]) => lines.map((line) => line.text);
const faults = (found: ReturnType<typeof checkCrystallize>) => found.map((item) => `${item.severity} ${item.path}`);

describe("provenance", () => {
  const assisted = (more: Partial<Round> = {}) =>
    round(3, { answered_by: "architect-assisted", auto_answer: "10 MB", custom_input: "you decide", ...more });
  const state = interview({
    codebase_context: context,
    rounds: [
      round(1),
      round(2, { answered_by: "script" }),
      assisted(),
      round(4, { answered_by: "research" }),
      round(5, { lifecycle: "unresolved" }),
      round(null),
    ],
    assumptions: [assumption("a1", 3)],
  });
  const settled = (status: "confirmed" | "revised" | "answered" | "left_open" | "kept") => ({
    ...state,
    assumptions: [assumption("a1", 3, { status })],
  });

  it.each<[Provenance, number[], string[]]>([
    ["user", [1, 2], []],
    ["user", [1], ["src/parse.ts"]],
    ["user", [0], []],
    ["user", [], ["correction"]],
    ["assumption", [1, 3], []],
    ["research", [1, 4], []],
    ["assumption", [3, 4], []],
    ["code", [], ["src/parse.ts"]],
    ["code", [], ["src/parse.ts#parseRow"]],
    ["document", [], [document]],
    ["document", [], ["src/parse.ts", document]],
    ["assumption", [], []],
    ["assumption", [5], []],
    ["assumption", [9], ["src/nowhere.ts"]],
  ])("D10.3 is %s for the rounds %j and the sources %j", (expected, rounds, sources) => {
    expect(provenanceOf(state, { rounds, sources })).toBe(expected);
  });

  it.each<[Provenance, "confirmed" | "revised" | "answered" | "left_open" | "kept"]>([
    ["user", "confirmed"],
    ["user", "revised"],
    ["assumption", "answered"],
    ["assumption", "left_open"],
    ["assumption", "kept"],
  ])("D10.3 is %s for an architect-assisted round whose assumption is %s", (expected, status) => {
    expect(provenanceOf(settled(status), { rounds: [3], sources: [] })).toBe(expected);
  });

  it("D10.3 is computed from what a line cites, in every list", () => {
    const lines = [own("x", [3]), own("y", [1])];
    const made = finishProse(state, reply({ constraints: lines, non_goals: lines, technical: lines }), []);
    for (const list of [made.constraints, made.non_goals, made.technical]) {
      expect(list.map((item) => item.provenance)).toEqual(["assumption", "user"]);
    }
  });
});

describe("the model's prose", () => {
  it("D10.2 is taken as it is when it is sound", () => {
    expect(checkCrystallize(interview(), reply())).toEqual([]);
    const made = finishProse(interview(), reply(), []);
    expect(texts(made.criteria)).toEqual(["A file above 10 MB is refused", "A report is written"]);
    expect(made.goal).toBe("Import and export run unattended.");
  });

  it.each([
    ["goal", { goal: " " }],
    ["constraints", { constraints: [] }],
    ["criteria", { criteria: [] }],
    ["criteria", { criteria: [own("made up", [7], ["import", "export"])] }],
  ])("D10.2 an empty %s is refused while the state holds something for it", (path, change) => {
    const state = interview({ established_facts: [fact("f1", "constraints")] });
    const found = checkCrystallize(state, reply(change));
    expect(found.filter((item) => item.severity === "reject").map((item) => item.path)).toEqual([path]);
  });

  it("D10.2 a direct answer on a dimension is something that the state holds; a disputed fact alone is not", () => {
    const empty = reply({ constraints: [] });
    const base = { restated_goal: null, rounds: [round(1)] };
    const disputed = fact("f1", "constraints", { status: "disputed" });
    expect(faults(checkCrystallize(interview({ ...base, established_facts: [disputed] }), empty))).not.toContain(
      "reject constraints",
    );
    const answered = interview({ ...base, rounds: [round(1, { dimension: "constraints" })] });
    expect(faults(checkCrystallize(answered, empty))).toContain("reject constraints");
  });

  it("D10.2 code writes the unresolved lines where the state holds nothing", () => {
    const state = interview({ rounds: [], restated_goal: null });
    const nothing = reply({ goal: "", constraints: [], criteria: [], non_goals: [] });
    expect(checkCrystallize(state, nothing).filter((item) => item.severity === "reject")).toEqual([]);
    const made = finishProse(state, nothing, []);
    expect(made.goal).toBe("Unresolved: import/goal\nUnresolved: export/goal");
    expect(texts(made.constraints)).toEqual(["Unresolved: import/constraints", "Unresolved: export/constraints"]);
    expect(texts(made.criteria)).toEqual(["Unresolved: import/criteria", "Unresolved: export/criteria"]);
  });

  it("D10.2 an unresolved line says what is known of the gap that stands there", () => {
    const gaps: Gap[] = [{ key: "audit:x", component: "export", dimension: "criteria", text: "no format named" }];
    const made = finishProse(interview(), reply({ criteria: [own("Refused", [1], ["import"])] }), gaps);
    expect(texts(made.criteria)).toEqual(["Refused", "Unresolved: export/criteria: no format named"]);
  });

  it("D10.3 a criterion rests on answered rounds: what rests on none is named as a fault and dropped", () => {
    const state = interview({ rounds: [round(1), round(2, { lifecycle: "unresolved", answered_by: null })] });
    const given = reply({
      criteria: [own("a", [1], ["import", "export"]), own("b", []), own("c", [2]), own("d", [0]), own("e", [9, 1])],
    });
    expect(faults(checkCrystallize(state, given))).toEqual([
      "correct criteria[1].rounds",
      "correct criteria[2].rounds",
      "correct criteria[2].rounds",
      "correct criteria[3].rounds",
      "correct criteria[4].rounds",
    ]);
    expect(finishProse(state, given, []).criteria.map(({ text, rounds }) => [text, rounds])).toEqual([
      ["a", [1]],
      ["e", [1]],
    ]);
  });

  it("D10.3 an answer that an edit took back is no ground", () => {
    const state = interview({ rounds: [round(1), round(2, { superseded: true })] });
    expect(faults(checkCrystallize(state, reply()))).toContain("correct criteria[1].rounds");
  });

  it("D9.3 a correction of the restated goal has no number, and is cited as a source", () => {
    const given = reply({ criteria: [own("By mail too", [], ["import", "export"], ["correction"])] });
    expect(faults(checkCrystallize(interview(), given))).toContain("correct criteria[0].sources");
    const corrected = interview({ rounds: [round(1), round(null)] });
    expect(faults(checkCrystallize(corrected, given))).not.toContain("correct criteria[0].sources");
    expect(finishProse(corrected, given, []).criteria[0]?.provenance).toBe("user");
  });

  it("D3.4 a fact of the code that no answer confirmed is technical context, no constraint", () => {
    const state = interview({ codebase_context: context });
    const given = reply({ constraints: [own("Keep it", [1]), own("Rows are parsed", [], [], ["src/parse.ts"])] });
    expect(faults(checkCrystallize(state, given))).toEqual(["correct constraints[1]"]);
    const made = finishProse(state, given, []);
    expect(texts(made.constraints)).toEqual(["Keep it"]);
    expect(texts(made.technical)).toEqual(["Rows are parsed"]);
  });

  it("D10.3 unknown names and sources are faults, and left out", () => {
    const given = reply({
      criteria: [own("a", [1], ["Import", "ghost"], ["src/ghost.ts"]), own("b", [2], ["export"])],
      coverage: [{ component: "ghost", note: "x" }],
    });
    expect(faults(checkCrystallize(interview(), given))).toEqual([
      "correct criteria[0].sources",
      "correct criteria[0].covers",
    ]);
    const made = finishProse(interview(), given, []);
    expect(made.criteria[0]).toMatchObject({ covers: ["import"], sources: [] });
    expect(made.coverage).toEqual([]);
  });

  it("D10.3 a component without a criterion is an explicit gap; without a note as well it is a fault", () => {
    const bare = reply({ criteria: [own("a", [1], ["import"])] });
    expect(faults(checkCrystallize(interview(), bare))).toEqual(["correct criteria"]);
    const noted = reply({ ...bare, coverage: [{ component: "export", note: "comes later" }] });
    expect(checkCrystallize(interview(), noted)).toEqual([]);
    for (const given of [bare, noted]) {
      expect(texts(finishProse(interview(), given, []).criteria)).toEqual(["a", "Unresolved: export/criteria"]);
    }
  });

  it("D10.3 every deliverable is covered by name, by a criterion's words, or is an explicit gap", () => {
    const state = interview({
      topology: {
        ...interview().topology,
        components: [component("import", { deliverables: ["CSV reader", "Audit log", "import"] }), component("export")],
      },
    });
    const given = reply({
      criteria: [own("It keeps an AUDIT LOG", [1], ["import"]), own("b", [2], ["export"])],
    });
    expect(checkCrystallize(state, given).map((item) => item.message)).toEqual([
      'no criterion covers "CSV reader" of "import"',
    ]);
    expect(texts(finishProse(state, given, []).criteria).at(-1)).toBe("Unresolved: import/criteria: CSV reader");
    const named = reply({ criteria: [own("x", [1], ["csv reader", "audit log"]), own("b", [2], ["export"])] });
    expect(checkCrystallize(state, named).map((item) => item.message)).toEqual([]);
  });

  it("D5.1 deferred components want no criterion", () => {
    const state = interview({
      topology: {
        ...interview().topology,
        components: [component("import"), component("export", { status: "deferred" })],
      },
    });
    const given = reply({ criteria: [own("a", [1], ["import"])] });
    expect(checkCrystallize(state, given)).toEqual([]);
    expect(texts(finishProse(state, given, []).criteria)).toEqual(["a"]);
  });

  it("D10.3 a criterion that names nothing covers what its rounds were about", () => {
    const made = finishProse(interview(), reply({ criteria: [own("a", [1, 2])] }), []);
    expect(made.criteria.map((item) => item.covers)).toEqual([["import", "export"]]);
  });
});

describe("prose without a model", () => {
  it("D10.2 is made of confirmed facts with their rounds", () => {
    const state = interview({
      established_facts: [
        fact("f1", "constraints"),
        fact("f2", "criteria", { statement: "The CSV reader refuses 11 MB.", source_round: 2 }),
        fact("f3", "constraints", { status: "superseded" }),
        fact("f4", "constraints", { status: "disputed" }),
        fact("f5", "criteria", { component: "export" }),
        fact("f6", "context"),
      ],
      topology: {
        ...interview().topology,
        components: [component("import", { deliverables: ["CSV reader"] }), component("export")],
      },
    });
    const made = fallbackProse(state, []);
    expect(made.title).toBe("Build an intake pipeline");
    expect(made.goal).toBe(state.restated_goal);
    expect(texts(made.constraints)).toEqual(["Statement f1."]);
    expect(made.criteria).toMatchObject([
      { text: "The CSV reader refuses 11 MB.", rounds: [2], covers: ["import", "CSV reader"], provenance: "user" },
      { text: "Statement f5.", rounds: [1], covers: ["export"], provenance: "user" },
    ]);
    expect(texts(made.technical)).toEqual(["Statement f6."]);
  });

  it("D4.3 D10.2 keeps the constraints and exclusions of a confirmed reading, once each", () => {
    const interpretation = {
      decision: "Import by mail",
      reasoning: [],
      constraints: ["Statement f1.", "Never on Sundays"],
      out_of_scope: ["Fax"],
      context: [],
    };
    const state = interview({
      rounds: [round(1, { interpretation })],
      established_facts: [fact("f1", "constraints")],
    });
    const made = fallbackProse(state, []);
    expect(texts(made.constraints)).toEqual(["Statement f1.", "Never on Sundays"]);
    expect(made.non_goals).toMatchObject([{ text: "Fax", rounds: [1], provenance: "user" }]);
  });

  it("D10.2 falls back on direct answers, and leaves no list empty", () => {
    const state = interview({
      restated_goal: null,
      rounds: [round(1), round(2, { dimension: "criteria", component: "export" })],
    });
    const made = fallbackProse(state, []);
    expect(made.goal).toBe("Answer r1.");
    expect(texts(made.constraints)).toEqual(["Unresolved: import/constraints", "Unresolved: export/constraints"]);
    expect(texts(made.criteria)).toEqual(["Answer r2.", "Unresolved: import/criteria"]);
  });

  it("D10.3 a fact from a correction rests on the correction", () => {
    const state = interview({
      rounds: [round(null)],
      established_facts: [fact("f1", "criteria", { source_round: null })],
    });
    expect(fallbackProse(state, []).criteria[0]).toMatchObject({
      rounds: [],
      sources: ["correction"],
      provenance: "user",
    });
  });
});
