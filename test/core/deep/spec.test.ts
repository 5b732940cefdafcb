import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { plain, visible } from "../../../src/core/deep/markdown.ts";
import type { DeepState, SpecLine } from "../../../src/core/deep/schema.ts";
import { compareSpec, parseSpec, specView } from "../../../src/core/deep/spec.ts";
import {
  isUnresolved,
  type ParsedSpec,
  type SpecParts,
  type SpecView,
  sections,
} from "../../../src/core/deep/specform.ts";
import { createCatalog } from "../../../src/prompt/catalog.ts";
import { hostile } from "./hostile.ts";
import { assumption, at, component, fact, interview, line, prose, round, trigger } from "./spec-fixture.ts";

let render: (view: SpecView) => string;

beforeAll(async () => {
  const template = await createCatalog().find("spec");
  render = (view) => template.render(view);
});

const parts = (more: Partial<SpecParts> = {}): SpecParts => ({
  prose: prose(),
  gaps: [],
  generatedAt: at,
  status: "PASSED",
  ...more,
});

function read(markdown: string): ParsedSpec {
  const parsed = parseSpec(markdown);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.spec;
}

/** The file of a state, and its lines below one heading. */
function write(state: DeepState, more: Partial<SpecParts> = {}) {
  const text = render(specView(state, parts(more)));
  const section = (title: string) => (text.split(`## ${title}\n`)[1]?.split(/\n## /)[0] ?? "").trim().split("\n");
  return { text, section, spec: read(text) };
}

const brownfield = interview({
  type: "brownfield",
  rounds: [round(1, { scores: { goal: 0.9, constraints: 0.8, criteria: 0.7, context: 0.3333 }, ambiguity: 0.2601 })],
  current_ambiguity: 0.2601,
});

describe("sections", () => {
  it("D10.2 are those of the seed, each once and in order", () => {
    const { text } = write(interview());
    expect(text.split("\n")[0]).toBe("# Deep Interview Spec: Intake pipeline");
    expect([...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([...sections]);
  });

  it("D10.2 make up a view that is plain JSON", () => {
    const view = specView(interview(), parts());
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  });
});

describe("metadata", () => {
  it("D0.4 D10.2 has every line of the seed, threshold and source among them, then model and cost", () => {
    const state = interview({
      auto_researched_rounds: [2],
      auto_answered_rounds: [3, 5],
      refined_rounds: [1],
      architect_failures: 1,
      lateral_panel_failures: 2,
      lateral_reviews: [
        {
          round: 1,
          cause: "milestone",
          from: "initial",
          to: "progress",
          personas: [],
          failed: [],
          findings: [],
          folded: [],
        },
        { round: 3, cause: "auto-answer", from: null, to: null, personas: [], failed: [], findings: [], folded: [] },
      ],
      closure_overrides: [{ round: 4, gap: { key: "k", component: "import", dimension: "goal", text: "x" } }],
      initial_context_summary: "short",
      meter: {
        calls: 12,
        input_tokens: 3400,
        cache_read_tokens: 20000,
        cache_write_tokens: 900,
        output_tokens: 5600,
        ms: 1,
        usd: 0.1 + 0.2,
      },
    });
    expect(write(state).section("Metadata")).toMatchInlineSnapshot(`
      [
        "- Interview ID: 6f1c2b1e-0000-4000-8000-000000000001",
        "- Rounds: 2",
        "- Final Ambiguity Score: 19%",
        "- Type: greenfield",
        "- Generated: 2026-03-04T05:06:07.890Z",
        "- Threshold: 0.2",
        "- Threshold Source: flag:--threshold",
        "- Initial Context Summarized: yes",
        "- Status: PASSED",
        "- Auto-Researched Rounds: 2",
        "- Auto-Answered Rounds: 3, 5",
        "- Architect Failures: 1",
        "- Lateral Reviews: 2 (round 1: initial -> progress; round 3: auto-answer)",
        "- Lateral Panel Failures: 2",
        "- Refined Rounds: 1",
        "- Closure Overrides: 1 (round 4)",
        "- Restated Goal: Import and export run unattended.",
        "- Model: offline",
        "- Model Calls: 12",
        "- Tokens: 3400 in, 20000 from cache, 900 to cache, 5600 out",
        "- Cost: $0.3",
      ]
    `);
  });

  it("D9.2 D10.4 says none where there is nothing, and the status that it was given", () => {
    const state = interview({ restated_goal: null, meter: { ...interview().meter, usd: null } });
    const { spec } = write(state, { status: "BELOW_THRESHOLD_EARLY_EXIT" });
    expect(spec.status).toBe("BELOW_THRESHOLD_EARLY_EXIT");
    expect(spec.metadata).toMatchObject({
      restated_goal: "none",
      closure_overrides: "none",
      refined: "none",
      cost: "unknown",
    });
  });
});

describe("the clarity table", () => {
  it("D5.1 D10.2 multiplies scores and weights without a loss", () => {
    expect(write(brownfield).section("Clarity Breakdown")).toMatchInlineSnapshot(`
      [
        "| Dimension | Score | Weight | Weighted |",
        "|-----------|-------|--------|----------|",
        "| Goal Clarity | 0.9 | 0.35 | 0.315 |",
        "| Constraint Clarity | 0.8 | 0.25 | 0.2 |",
        "| Success Criteria | 0.7 | 0.25 | 0.175 |",
        "| Context Clarity | 0.3333 | 0.15 | 0.049995 |",
        "| **Total Clarity** | | | **0.7399** |",
        "| **Ambiguity** | | | **0.2601** |",
      ]
    `);
  });

  it("D5.1 has no context row in a greenfield interview", () => {
    expect(write(interview()).text).not.toContain("Context Clarity");
  });

  it("D5.6 D5.7 prints the stored ambiguity, and the sampling margin as a row of its own", () => {
    const state = interview({
      rounds: [round(1, { ambiguity: 0.2012, sampling_margin: 0.0112 })],
      current_ambiguity: 0.2012,
    });
    const { section, spec } = write(state);
    expect(section("Clarity Breakdown").slice(-3)).toEqual([
      "| **Total Clarity** | | | **0.81** |",
      "| Sampling margin | | | 0.0112 |",
      "| **Ambiguity** | | | **0.2012** |",
    ]);
    expect(spec.metadata.ambiguity).toBe("20.12%");
    expect(spec.clarity).toMatchObject({ margin: 0.0112, ambiguity: 0.2012 });
  });

  it("D5.1 a pair without a score counts as 0 and is no number", () => {
    const { spec } = write(interview({ rounds: [], current_ambiguity: 1 }));
    expect(spec.clarity.rows.map((row) => row.score)).toEqual([null, null, null]);
    expect(spec.clarity.total).toBe(0);
  });

  it("D5.1 D10.2 adds up to the total, and the total and the margin to the ambiguity, for all scores", () => {
    const units = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(
        units,
        units,
        units,
        units,
        fc.integer({ min: 0, max: 500 }),
        (goal, constraints, criteria, context, extra) => {
          const hundredths = goal * 35 + constraints * 25 + criteria * 25 + context * 15;
          const formula = Math.floor((1_000_000 - hundredths + 50) / 100);
          const margin = Math.min(extra, 10_000 - formula);
          const scores = {
            goal: goal / 1e4,
            constraints: constraints / 1e4,
            criteria: criteria / 1e4,
            context: context / 1e4,
          };
          const ambiguity = (formula + margin) / 1e4;
          const state = interview({
            type: "brownfield",
            current_ambiguity: ambiguity,
            rounds: [round(1, { scores, ambiguity, sampling_margin: margin / 1e4 })],
          });
          const { clarity, metadata } = write(state).spec;
          const sum = clarity.rows.reduce((total, row) => total + row.weighted, 0);
          expect(clarity.rows.map((row) => row.score)).toEqual(Object.values(scores));
          expect(clarity.rows.map((row) => row.weighted)).toEqual(
            clarity.rows.map((row) => Math.round((row.score ?? 0) * row.weight * 1e6) / 1e6),
          );
          expect(Math.abs(sum - clarity.total)).toBeLessThanOrEqual(0.00005 + 1e-9);
          expect(clarity.ambiguity).toBe(ambiguity);
          expect(Math.round((1 - clarity.total + clarity.margin) * 1e4)).toBe(formula + margin);
          expect(metadata.ambiguity).toBe(`${(formula + margin) / 100}%`);
        },
      ),
    );
  });

  it("D5.1 follows the components that are still active when one was deferred after the last score", () => {
    const weak = component("export", {
      status: "deferred",
      clarity_scores: { goal: 0.1, constraints: 0.1, criteria: 0.1, context: null },
    });
    const state = interview({
      topology: { ...interview().topology, components: [component("import"), weak] },
      rounds: [round(1, { scores: weak.clarity_scores, ambiguity: 0.9 })],
      current_ambiguity: 0.19,
    });
    expect(write(state).spec.clarity.rows.map((row) => row.score)).toEqual([0.9, 0.8, 0.7]);
  });
});

describe("topology and deferrals", () => {
  const topology = {
    ...interview().topology,
    grouping: "seven outcomes in two",
    components: [
      component("import"),
      component("review-ui", { name: "Review UI" }),
      component("c-3", { name: "내보내기", status: "deferred" }),
    ],
    deferrals: [
      { component_id: "c-3", reason: "taken back", confirmed_at: "2026-01-01T00:00:00.000Z" },
      { component_id: "c-3", reason: "next year | maybe", confirmed_at: at },
    ],
  };

  it("D10.3 shows what covers an active component, and why and when one was deferred", () => {
    const { section, spec } = write(interview({ topology }));
    expect(section("Topology")).toMatchInlineSnapshot(`
      [
        "| Component | Status | Description | Coverage / Deferral Note |",
        "|-----------|--------|-------------|--------------------------|",
        "| import | active | import does its part | Criteria 1. limits only |",
        "| Review UI | active | review-ui does its part | Unresolved: review-ui/criteria |",
        "| 내보내기 (c-3) | deferred | c-3 does its part | next year \\| maybe (deferred 2026-03-04T05:06:07.890Z) |",
        "",
        "- Grouping: seven outcomes in two",
      ]
    `);
    expect(spec.topology.rows[2]?.note).toBe(`next year | maybe (deferred ${at})`);
  });

  it("D10.3 counts criteria as they stand, without the gaps among them", () => {
    const gap: SpecLine = line("Unresolved: import/criteria: log", { rounds: [] });
    const criteria = [gap, line("a", { covers: ["review-ui"] }), line("b", { covers: ["import", "review-ui"] })];
    const { spec } = write(interview({ topology }), { prose: prose({ criteria, coverage: [] }) });
    expect(spec.topology.rows.map((row) => row.note).slice(0, 2)).toEqual(["Criteria 2", "Criteria 1, 2"]);
    expect(spec.criteria.map((item) => item.box)).toEqual([false, true, true]);
  });

  it("D5.5 D8.3 D9.1 lists deferred components, rounds without an answer, the pacing and every standing gap", () => {
    const state = interview({ topology, rounds: [round(1), round(2, { lifecycle: "unresolved", answered_by: null })] });
    const gaps = [
      { component: "import", dimension: "constraints", text: "the size is disputed" },
      { component: "import", dimension: "constraints", text: "the size is disputed" },
      { component: "review-ui", dimension: "goal", text: "" },
    ];
    const { section, spec } = write(state, { gaps });
    expect(section("Deferrals")).toMatchInlineSnapshot(`
      [
        "- 내보내기: next year | maybe (deferred 2026-03-04T05:06:07.890Z)",
        "- Round 2 ended without an answer (import/goal)",
        "",
        "Convergence Pacing: no min-round floor, score-drop cap, or dampening; bidirectional scoring is the pacing mechanism.",
        "",
        "### Unresolved Items",
        "- Unresolved: import/constraints: the size is disputed",
        "- Unresolved: review-ui/goal",
      ]
    `);
    expect(spec.unresolved).toHaveLength(2);
  });

  it("D11.1 names research setup as an unresolved follow-up when the interview was for it", () => {
    const state = interview({ options: { ...interview().options, research_setup: true } });
    expect(write(state).spec.unresolved).toEqual(["Unresolved: research setup"]);
    expect(write(interview()).spec.unresolved).toEqual([]);
  });
});

describe("lines of prose", () => {
  it("D10.3 name the rounds they rest on and where they come from", () => {
    const { section } = write(interview(), {
      prose: prose({
        constraints: [
          line("One", { rounds: [2] }),
          line("Two", { rounds: [], sources: ["src/a (1), b.ts"], provenance: "code" }),
          line("Three", { rounds: [], provenance: "assumption" }),
          line("Unresolved: import/constraints (rounds 1; user)", { rounds: [], provenance: "assumption" }),
        ],
      }),
    });
    expect(section("Constraints")).toEqual([
      "- One (round 2; user)",
      "- Two (code; sources src/a &#40;1&#41;&#44; b.ts)",
      "- Three (assumption)",
      "- Unresolved: import/constraints (rounds 1; user&#41;",
    ]);
    expect(section("Acceptance Criteria")).toEqual([
      "- [ ] A file above 10 MB is refused (rounds 1, 2; user; covers import)",
    ]);
  });

  it("D10.2 D10.3 come back with the same words, rounds, names, sources and provenance", () => {
    const names = fc.array(
      hostile.filter((text) => plain(text) !== ""),
      { maxLength: 3 },
    );
    const record = fc.record({
      text: hostile,
      rounds: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
      covers: names,
      sources: names,
      provenance: fc.constantFrom("user", "document", "code", "research", "assumption" as const),
    });
    const own = record.filter((item) => !isUnresolved(item));
    fc.assert(
      fc.property(fc.array(own, { maxLength: 4 }), (lines) => {
        const made = prose({ constraints: lines, criteria: lines, non_goals: lines, technical: lines });
        const { spec } = write(interview(), { prose: made });
        const expected = lines.map((item) => ({
          text: plain(item.text),
          rounds: item.rounds,
          covers: item.covers.map(plain),
          sources: item.sources.map(plain),
          provenance: item.provenance,
        }));
        for (const list of [spec.constraints, spec.non_goals, spec.technical]) {
          expect(list).toEqual(expected.map((item) => ({ ...item, box: false })));
        }
        expect(spec.criteria).toEqual(expected.map((item) => ({ ...item, box: true })));
      }),
    );
  });

  it("D10.2 of the codebase and of earlier documents stand in the technical context with their source", () => {
    const state = interview({
      codebase_context: {
        summary: "A small parser.",
        findings: [{ statement: "Rows are parsed", path: "src/parse.ts", symbol: "parseRow" }],
        earlier: [{ path: "specs/old.md", note: "CSV only" }],
      },
    });
    expect(write(state, { prose: prose({ technical: [line("Node 20")] }) }).section("Technical Context")).toEqual([
      "- Node 20 (round 1; user)",
      "- A small parser. (code)",
      "- Rows are parsed (code; sources src/parse.ts#parseRow)",
      "- CSV only (document; sources specs/old.md)",
    ]);
  });
});

describe("what happened", () => {
  it("D10.2 facts stand with source, evidence and dispute, triggers with both ambiguities, panels with their findings", () => {
    const state = interview({
      established_facts: [
        fact("f1", "constraints", { status: "superseded", superseded_by: "f2" }),
        fact("f2", "constraints", { status: "disputed", contradicts: "f1", source_round: null }),
      ],
      triggers: [
        trigger("t1"),
        trigger("t2", {
          label: "D",
          status: "active",
          prior_dimension_score: null,
          new_ambiguity: 0.4,
          enforced: true,
          proposed: "Billing",
          contradicted_fact: null,
          resolved_round: null,
          rationale: "masked by import/goal",
        }),
      ],
      lateral_reviews: [
        {
          round: 3,
          cause: "milestone",
          from: "progress",
          to: "refined",
          personas: ["researcher", "contrarian", "simplifier"],
          failed: ["simplifier"],
          findings: [
            { persona: "contrarian", finding: "Is it a queue?", reasons: ["r"], options: ["o"], confidence: "high" },
          ],
          folded: ["contrarian"],
        },
      ],
    });
    const { section } = write(state);
    expect([
      section("Established Facts"),
      section("Trigger Metadata"),
      section("Lateral Review Panel"),
    ]).toMatchInlineSnapshot(`
        [
          [
            "- Statement f1. (f1; import/constraints; round 1; user; superseded; superseded by f2)",
            "  - Evidence: said in f1",
            "- Statement f2. (f2; import/constraints; correction; user; disputed; contradicts f1)",
            "  - Evidence: said in f2",
          ],
          [
            "- Round 2: A direct contradiction, resolved; import/constraints 0.8 -> 0.6; ambiguity 40% -> 46% (up)",
            "  - Evidence: 10 MB against 5 MB",
            "  - Contradicted fact: f1",
            "  - Resolved in round 3",
            "- Round 2: D scope expansion, active; import/constraints - -> 0.6; ambiguity 40% -> 40% (flat)",
            "  - Evidence: 10 MB against 5 MB",
            "  - Proposed outcome: Billing",
            "  - Rationale: masked by import/goal",
            "  - Score enforced by code",
          ],
          [
            "- Round 3: progress -> refined; cause milestone; personas researcher, contrarian, simplifier; failed simplifier; folded contrarian",
            "  - contrarian (confidence high): Is it a queue?",
            "",
            "Lateral panel failures: 0",
          ],
        ]
      `);
  });

  it("D10.2 architect-assisted assumptions come from the state, before those of the prose", () => {
    const state = interview({ assumptions: [assumption("a1", 2, { status: "left_open" })] });
    expect(write(state).spec.assumptions).toEqual([
      {
        assumption: "Files stay below 10 MB.",
        challenge: "Round 2, architect-assisted, confidence medium; nobody measured it",
        resolution: "left open",
      },
      { assumption: "Files are CSV", challenge: "Asked for others", resolution: "Only CSV" },
    ]);
  });

  it("D6.1 D10.2 the ontology is the last snapshot, and its convergence every one", () => {
    const entity = (name: string) => ({ name, type: "core domain", fields: ["id", "a|b"], relationships: ["x has y"] });
    const snapshot = { removed: 0, matching_reasoning: [] };
    const state = interview({
      ontology_snapshots: [
        { ...snapshot, round: 1, entities: [entity("A")], stability_ratio: null, new: 1, changed: 0, stable: 0 },
        {
          ...snapshot,
          round: 2,
          entities: [entity("A"), entity("B"), entity("C")],
          stability_ratio: 2 / 3,
          new: 1,
          changed: 1,
          stable: 1,
        },
        { ...snapshot, round: null, entities: [], stability_ratio: null, new: 0, changed: 0, stable: 0 },
        { ...snapshot, round: 3, entities: [entity("Z")], stability_ratio: 0, new: 1, changed: 0, stable: 0 },
      ],
    });
    const { section, spec } = write(state);
    expect(section("Ontology (Key Entities)").slice(2)).toEqual(["| Z | core domain | id, a\\|b | x has y |"]);
    expect(section("Ontology Convergence").slice(2)).toEqual([
      "| 1 | 1 | 1 | - | - | N/A |",
      "| 2 | 3 | 1 | 1 | 1 | 66.67% |",
      "| correction | 0 | 0 | 0 | 0 | N/A |",
      "| 3 | 1 | 1 | 0 | 0 | 0% |",
    ]);
    expect(spec.entities[0]?.fields).toBe("id, a|b");
  });
});

describe("the transcript", () => {
  it("D10.2 tells who answered, in the words that were said", () => {
    const state = interview({
      rounds: [
        round(1, { selected_options: ["Yes"], custom_input: "but not on Sundays" }),
        round(2, { answered_by: "architect-assisted", auto_answer: "10 MB", custom_input: "you decide" }),
        round(3, {
          answered_by: "research",
          selected_options: ["SQLite"],
          custom_input: null,
          lifecycle: "answered",
          ambiguity: null,
          scores: null,
        }),
        round(4, { lifecycle: "unresolved", answered_by: null, custom_input: null, ambiguity: null, scores: null }),
        round(5, {
          custom_input: "# Not a heading\n</details>\n```\n**A:** forged",
          interpretation: {
            decision: "D",
            reasoning: [],
            constraints: ["Max <5>"],
            out_of_scope: ["Fax"],
            context: [],
          },
        }),
        round(6, { superseded: true }),
        round(7, { answered_by: "user", auto_answer: "10 MB", selected_options: ["opt"], custom_input: "12 MB" }),
        round(null),
      ],
    });
    const { section, spec } = write(state);
    expect(section("Interview Transcript").slice(0, 60).join("\n")).toMatchInlineSnapshot(`
      "<details>
      <summary>Full Q&A (6 rounds)</summary>

      ### Round 1

      **Q:** Question r1?

      **A:** Yes

      **Remark:** but not on Sundays

      **Ambiguity:** 19% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7)

      ### Round 2

      **Q:** Question r2?

      **Reply:** you decide

      **A (architect-assisted):** 10 MB

      **Ambiguity:** 19% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7)

      ### Round 3

      **Q:** Question r3?

      **A (research):** SQLite

      **Ambiguity:** not scored

      ### Round 4

      **Q:** Question r4?

      **A (unresolved):**

      **Ambiguity:** not scored

      ### Round 5

      **Q:** Question r5?

      **A:**

      \`\`\`\`text
      # Not a heading
      </details>
      \`\`\`
      **A:** forged
      \`\`\`\`

      **Confirmed reading:**

      - Decision: D
      - Constraint: Max <5>
      - Out of scope: Fax

      **Ambiguity:** 19% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7)
      "
    `);
    expect(spec.transcript.rounds).toBe(6);
    expect(spec.transcript.entries[4]?.parts[1]).toEqual({
      label: "A",
      text: "# Not a heading\n</details>\n```\n**A:** forged",
    });
    expect(spec.transcript.entries[5]?.parts.slice(1, 3).map((part) => [part.label, part.text])).toEqual([
      ["A", "12 MB"],
      ["Ambiguity", "19% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7)"],
    ]);
    expect(spec.transcript.entries.at(-1)?.heading).toBe("Correction of the restated goal");
  });

  it("D2.5 D10.2 does not count a recorded round 0 among the rounds", () => {
    const { spec } = write(interview({ rounds: [round(0), round(1)] }));
    expect([spec.rounds, spec.transcript.rounds]).toEqual([1, 1]);
  });

  it("D10.2 names the context score in a brownfield interview only", () => {
    expect(write(brownfield).text).toContain(
      "**Ambiguity:** 26.01% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7, Context: 0.3333)",
    );
    expect(write(interview()).text).toContain("**Ambiguity:** 19% (Goal: 0.9, Constraints: 0.8, Criteria: 0.7)\n");
  });
});

/** An interview whose every text is hostile. */
const anything = fc
  .record({ words: fc.array(hostile, { minLength: 12, maxLength: 12 }), margin: fc.nat({ max: 300 }) })
  .map(({ words, margin }) => {
    const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = "", k = "", l = ""] = words;
    const ambiguity = (1900 + margin) / 1e4;
    const state = interview({
      interview_id: a,
      threshold_source: b,
      restated_goal: c,
      options: { model: d, research_setup: false, deliberate: false, scripted: false },
      topology: {
        ...interview().topology,
        grouping: e,
        components: [component(f, { name: g, description: h }), component("x", { name: i, status: "deferred" })],
        deferrals: [{ component_id: "x", reason: j, confirmed_at: at }],
      },
      established_facts: [
        fact(k, "goal", { statement: l, component: a, evidence: b, contradicts: c, superseded_by: d }),
      ],
      triggers: [trigger(a, { component: e, evidence: f, proposed: g, contradicted_fact: h, rationale: i })],
      lateral_reviews: [
        {
          round: 1,
          cause: "research",
          from: null,
          to: null,
          personas: [],
          failed: [],
          folded: [j, k],
          findings: [{ persona: "architect", finding: l, reasons: [], options: [], confidence: "low" }],
        },
      ],
      assumptions: [assumption(a, 1, { answer: b, uncertainty: c })],
      codebase_context: {
        summary: d,
        findings: [{ statement: e, path: f, symbol: g }],
        earlier: [{ path: h, note: i }],
      },
      ontology_snapshots: [
        {
          round: 1,
          entities: [{ name: j, type: k, fields: [l, a], relationships: [b] }],
          stability_ratio: 1 / 3,
          new: 1,
          changed: 0,
          stable: 0,
          removed: 0,
          matching_reasoning: [],
        },
      ],
      rounds: [
        round(1, { question_text: c, custom_input: d, ambiguity, sampling_margin: margin / 1e4 }),
        round(2, {
          question_text: e,
          selected_options: [f],
          custom_input: g,
          lifecycle: "unresolved",
          component: h,
          interpretation: { decision: i, reasoning: [j], constraints: [k], out_of_scope: [l], context: [a] },
        }),
      ],
      current_ambiguity: ambiguity,
    });
    const own = line(a, { covers: [b], sources: [c] });
    const made = prose({
      title: d,
      goal: e,
      constraints: [own, line(`Unresolved: ${f}`, { rounds: [] })],
      criteria: [own],
      non_goals: [line(g)],
      technical: [line(h, { rounds: [] })],
      assumptions: [{ assumption: i, challenge: j, resolution: k }],
      coverage: [{ component: f, note: l }],
    });
    return { state, parts: parts({ prose: made, gaps: [{ component: a, dimension: "goal", text: b }] }), words };
  });

describe("reading back", () => {
  it("D10.2 gives the same numbers, tables and lists, whatever people wrote", () => {
    fc.assert(
      fc.property(anything, ({ state, parts: given }) => {
        const view = specView(state, given);
        expect(compareSpec(view, read(render(view)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("D10.2 gives people's words back as they were", () => {
    fc.assert(
      fc.property(anything, ({ state, parts: given }) => {
        const spec = read(render(specView(state, given)));
        const [first, second] = state.rounds;
        expect(spec.title).toBe(plain(given.prose.title));
        expect(spec.goal).toBe(plain(given.prose.goal));
        expect(spec.metadata.restated_goal).toBe(plain(state.restated_goal ?? ""));
        expect(spec.topology.rows[0]?.description).toBe(plain(state.topology.components[0]?.description ?? ""));
        expect(spec.entities[0]).toMatchObject({
          entity: plain(state.ontology_snapshots[0]?.entities[0]?.name ?? ""),
          type: plain(state.ontology_snapshots[0]?.entities[0]?.type ?? ""),
        });
        expect(spec.assumptions[1]?.assumption).toBe(plain(given.prose.assumptions[0]?.assumption ?? ""));
        const said = spec.transcript.entries.map((entry) => entry.parts[0]?.text);
        expect(said).toEqual([visible(first?.question_text ?? ""), visible(second?.question_text ?? "")]);
        expect(spec.transcript.entries[0]?.parts[1]?.text).toBe(visible(first?.custom_input ?? ""));
      }),
      { numRuns: 300 },
    );
  });

  it("D10.2 holds no control character, whatever people wrote", () => {
    fc.assert(
      fc.property(anything, ({ state, parts: given }) => {
        const text = render(specView(state, given)).replace(/\r\n/g, "\n");
        expect(text).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it.each<[string, (text: string) => string]>([
    ["metadata.ambiguity", (text) => text.replace("Score: 19%", "Score: 5%")],
    ["clarity.ambiguity", (text) => text.replace("**0.19**", "**0.05**")],
    ["clarity.rows[0].score", (text) => text.replace("| 0.9 | 0.4 |", "| 0.99 | 0.4 |")],
    ["status", (text) => text.replace("Status: PASSED", "Status: BELOW_THRESHOLD_EARLY_EXIT")],
    ["topology.rows", (text) => text.replace(/^\| export .*\n/m, "")],
    [
      "criteria[0].rounds",
      (text) => text.replace("(rounds 1, 2; user; covers import)", "(round 1; user; covers import)"),
    ],
    ["constraints[0].provenance", (text) => text.replace("Below 10 MB (round 1; user)", "Below 10 MB (round 1; code)")],
    ["goal", (text) => text.replace("## Goal\nImport", "## Goal\nExport")],
    ["transcript.entries[0].parts[1].text", (text) => text.replace("Answer r1.", "Answer r1!")],
    ["transcript.rounds", (text) => text.replace("(2 rounds)", "(3 rounds)")],
  ])("D10.2 names a change of %s", (path, change) => {
    const view = specView(interview(), parts());
    const text = render(view);
    expect(change(text)).not.toBe(text);
    expect(compareSpec(view, read(change(text))).join("\n")).toContain(`${path}: `);
  });

  it.each<[string, (text: string) => string]>([
    ['the section "## Goal" is missing or not in its place', (text) => text.replace("## Goal\n", "")],
    [
      'the section "## Constraints" is missing or not in its place',
      (text) =>
        text
          .replace("## Constraints\n", "## X\n")
          .replace("## Non-Goals\n", "## Constraints\n")
          .replace("## X\n", "## Non-Goals\n"),
    ],
    ['the section "## Goal" stands twice', (text) => `${text}\n## Goal\nagain\n`],
    ['there is no heading "# Deep Interview Spec: {title}"', (text) => text.replace("# Deep", "# Shallow")],
    ['"Final Ambiguity Score" is not a number', (text) => text.replace("Score: 19%", "Score: low")],
    ['"Goal Clarity" is not a number', (text) => text.replace("| 0.9 | 0.4 |", "| 1e999 | 0.4 |")],
    ['"Rounds" is not a number', (text) => text.replace("- Rounds: 2\n", "")],
    ['the status "OK" is unknown', (text) => text.replace("Status: PASSED", "Status: OK")],
    ['the type "brown" is unknown', (text) => text.replace("Type: greenfield", "Type: brown")],
  ])("D10.2 refuses a file: %s", (fault, change) => {
    expect(parseSpec(change(write(interview()).text))).toEqual({ ok: false, fault });
  });

  it("D10.2 reads a spec that was made elsewhere after the seed's structure, with Windows line ends", () => {
    const { text } = write(interview());
    const foreign = text
      .replace(/^- (Model|Model Calls|Tokens|Cost): .*\n/gm, "")
      .replace(/ \(rounds? [^)]*\)$/gm, "")
      .replace("- Threshold: 0.2", "- Threshold: 20%")
      .replace("**A:** Answer r1.", "**A:** Answer r1.\non two lines")
      .replace(/\n### Unresolved Items\nNone\.\n/, "")
      .replaceAll("\n", "\r\n");
    const spec = read(foreign);
    expect(spec).toMatchObject({
      threshold: 0.2,
      rounds: 2,
      goal: "Import and export run unattended.",
      unresolved: [],
    });
    expect(spec.criteria).toEqual([
      { text: "A file above 10 MB is refused", rounds: [], covers: [], sources: [], provenance: null, box: true },
    ]);
    expect(spec.transcript.entries[0]?.parts[1]?.text).toBe("Answer r1.\non two lines");
  });
});
