import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { esc } from "../../src/ask/keys.ts";
import { width } from "../../src/ask/layout.ts";
import { type Canvas, drawAnyReport, drawReport } from "../../src/ask/report.ts";
import { readReport } from "../../src/ask/report-view.ts";
import { createStyle, hasColor } from "../../src/ask/style.ts";
import { korean, report } from "./fixtures/reports.ts";
import { say } from "./fixtures/say.ts";

const at = (columns: number, color = false): Canvas => ({ columns, style: createStyle(color), say });
const codes = new RegExp(`${esc}\\[[0-9;]*m`, "g");

describe("the report as a table", () => {
  it("D8.1 shows table, topology, matching before the numbers, milestone, next target and closing line at 80 columns", () => {
    expect(`\n${drawReport(report(), at(80)).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      Round 3 complete.

      Dimension             Score  Weight  Weighted  Gap
      ────────────────────  ─────  ──────  ────────  ─────────────────────────────────
      Goal                    90%     35%     31.5%  Clear
      Constraints             55%     25%    13.75%  Nobody said how long the records
                                                     are kept, or who may delete them
      Success Criteria        40%     25%       10%  No number for how fast a reviewer
                                                     approves
      Context (brownfield)      -     15%        0%  The store that exists is not
                                                     named
      ────────────────────  ─────  ──────  ────────  ─────────────────────────────────
      Ambiguity                  52% -> 44.75% down

      Topology: Targeted Review UI | Active: 4 | Deferred: 1 | Next rotation after:
      review-ui
      - Record = Record (same name)
      - Reviewer ~ Approver (same type, 3 of 4 fields shared)
      - Export is new
      Ontology: 5 entities | Stability: 80% | New: 1 | Changed: 1 | Stable: 3
      Milestone: initial → progress — lateral panel convened
      Next target: Review UI / criteria — it is the least clear of all

      Focusing next question on: criteria
      2 model call(s), 5120 tokens, $0.02 this round; 9 call(s), $0.08 in all.
      "
    `);
  });

  it("D8.1 puts each gap under its row at 40 columns, so that the numbers stay aligned", () => {
    expect(`\n${drawReport(report(), at(40)).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      Round 3 complete.

      Dimension        Score  Weight  Weighted
      ───────────────  ─────  ──────  ────────
      Goal               90%     35%     31.5%
        Clear
      Constraints        55%     25%    13.75%
        Nobody said how long the records are
        kept, or who may delete them
      Success            40%     25%       10%
      Criteria
        No number for how fast a reviewer
        approves
      Context              -     15%        0%
      (brownfield)
        The store that exists is not named
      ───────────────  ─────  ──────  ────────
      Ambiguity             52% -> 44.75% down

      Topology: Targeted Review UI | Active: 4
      | Deferred: 1 | Next rotation after:
      review-ui
      - Record = Record (same name)
      - Reviewer ~ Approver (same type, 3 of 4
        fields shared)
      - Export is new
      Ontology: 5 entities | Stability: 80% |
      New: 1 | Changed: 1 | Stable: 3
      Milestone: initial → progress — lateral
      panel convened
      Next target: Review UI / criteria — it
      is the least clear of all

      Focusing next question on: criteria
      2 model call(s), 5120 tokens, $0.02 this
      round; 9 call(s), $0.08 in all.
      "
    `);
  });

  it("D8.1 D5.6 D2.2 names the trigger, the sampling margin and the locked topology, in any script", () => {
    expect(`\n${drawReport(korean, at(100)).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      Round 3 complete.

      Dimension         Score  Weight  Weighted  Gap
      ────────────────  ─────  ──────  ────────  ─────────────────────────────────────────────────────────
      Goal              87.5%     40%       35%  Clear
      Constraints         50%     30%       15%  기록을 얼마나 오래 보관해야 하는지, 누가 삭제할 수 있는지
                                                 아직 정해지지 않았습니다
      Success Criteria    25%     30%      7.5%  承認までの時間の目標がまだありません。レビュー担当者の人
                                                 数も不明です。
      Sampling margin                      0.5%
      ────────────────  ─────  ──────  ────────  ─────────────────────────────────────────────────────────
      Ambiguity              40.25% -> 42.5% up  A direct contradiction

      Locked topology
      - 검토 화면 (active): 사람이 기록을 확인하고 승인하는 화면
      Topology: Targeted Review UI | Active: 4 | Deferred: 1 | Next rotation after: review-ui
      - Record = Record (same name)
      - Reviewer ~ Approver (same type, 3 of 4 fields shared)
      - Export is new
      Ontology: 5 entities | Stability: 80% | New: 1 | Changed: 1 | Stable: 3
      Milestone: initial → progress — lateral panel convened
      Next target: 검토 화면 / criteria — 가장 불분명합니다

      Focusing next question on: criteria
      2 model call(s), 5120 tokens, $0.02 this round; 9 call(s), $0.08 in all.
      "
    `);
  });

  it("D8.1 never gets wider than the terminal, from 40 to 200 columns", () => {
    for (const columns of [40, 41, 59, 71, 72, 80, 120, 200]) {
      for (const view of [report(), korean, report({ round: null, next: null })]) {
        for (const line of drawReport(view, at(columns))) expect([line, width(line) <= columns]).toEqual([line, true]);
      }
    }
  });

  it("D8.1 keeps its width for any words in the view", () => {
    const words = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), words, words, words, (columns, gap, trigger, name) => {
        const [row] = report().rows;
        const rows = row === undefined ? [] : [{ ...row, gap, label: name }];
        const view = report({ rows, trigger, closing: gap, next: { component: name, dimension: "goal", why: gap } });
        for (const line of drawReport(view, at(columns))) expect(width(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it("fault 27 lets no escape code of a model's words reach the terminal", () => {
    const view = report({ closing: "\u001b]0;title\u0007\u001b[2J", trigger: "\u202egnp.exe" });
    expect(drawReport(view, at(80)).join("")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("colours only around what it draws: the text below is the same", () => {
    const colored = drawReport(report(), at(80, true));
    expect(colored.join("\n")).toContain("\u001b[1m");
    expect(colored.map((line) => line.replace(codes, ""))).toEqual(drawReport(report(), at(80)));
  });

  it("lists a report of another kind by its own names, and shows one that is text as it is", () => {
    expect(readReport({ text: "x" })).toBeNull();
    expect(drawAnyReport({ text: "Round 2: three decisions open" }, at(80))).toEqual(["Round 2: three decisions open"]);
    expect(drawAnyReport({ open: 3, phase: "design", nodes: [] }, at(80))).toEqual(["open: 3", "phase: design"]);
  });
});

describe("colour", () => {
  it("honours NO_COLOR, FORCE_COLOR, TERM=dumb and output that is no terminal", () => {
    expect(hasColor({}, true)).toBe(true);
    expect(hasColor({}, false)).toBe(false);
    expect(hasColor({ NO_COLOR: "1" }, true)).toBe(false);
    expect(hasColor({ NO_COLOR: "" }, true)).toBe(true);
    expect(hasColor({ TERM: "dumb" }, true)).toBe(false);
    expect(hasColor({ FORCE_COLOR: "1", NO_COLOR: "1" }, false)).toBe(true);
    expect(hasColor({ FORCE_COLOR: "0" }, true)).toBe(false);
  });
});
