import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkDraft,
  countQuestions,
  isCatchAll,
  isPlaceholder,
  noWords,
  readDraft,
  usableOptions,
} from "../../../src/core/deep/draft.ts";
import { draftReply } from "./build.ts";

const words = {
  other: [
    "Other",
    "None",
    "None of the above",
    "type your own",
    "something else",
    "직접 입력",
    "기타",
    "その他",
    "Otro",
    "Ninguna",
  ],
  placeholder: ["TODO", "TBD", "n/a", "unused", "-"],
};
const goal = { component: "a", dimension: "goal" as const };
const option = (label: string) => ({ label, description: "", from: "" });

describe("countQuestions", () => {
  it("D3.3 finds the one question in any script", () => {
    const one = [
      "Who approves a report?",
      "누가 보고서를 승인하나요?",
      "だれが承認しますか？",
      "だれが承認しますか。",
      "谁来审批？",
      "¿Quién aprueba el informe?",
      "من يوافق على التقرير؟",
      "Ποιος εγκρίνει την αναφορά;",
      "Ո՞վ է հաստատում",
      "ใครเป็นผู้อนุมัติรายงาน",
      "Who approves a report?!",
      "Really, nobody??",
      "A report is late. Who hears of it, and how soon?",
      'When the user types "are you sure?", what happens?',
      "What should `a?.b` give when `a` is missing?",
      "What does https://example.org/?q=1 have to answer?",
      "Which of these matters most?\n1. Speed\n2. Cost\n3. Safety",
      "Which comes first:\n- speed\n- cost?",
    ];
    for (const text of one) expect([text, countQuestions(text)]).toEqual([text, 1]);
  });

  it("D3.3 finds none in what asks nothing", () => {
    const none = [
      "",
      "I will now build it.",
      "Tell me more; then we go on.",
      "확인했습니다.",
      "- a\n",
      "了解しました。",
    ];
    for (const text of none) expect([text, countQuestions(text)]).toEqual([text, 0]);
  });

  it("D3.3 finds every further question, also as items of a list", () => {
    const more: readonly (readonly [string, number])[] = [
      ["Who approves? And when?", 2],
      ["¿Quién aprueba? ¿Cuándo?", 2],
      ["誰が承認しますか？いつ承認しますか？", 2],
      ["だれが承認しますか。いつ承認しますか。", 2],
      ["1) Who approves?\n2) When?\n3) How?", 3],
      ["1. who approves\n2. when do they approve?", 2],
      ["ما هو؟ ولماذا؟", 2],
      ["Ποιος; Πότε;", 2],
    ];
    for (const [text, count] of more) expect([text, countQuestions(text)]).toEqual([text, count]);
  });

  it("D3.3 counts as many questions as are put one after the other", () => {
    const question = fc.constantFrom("Who pays?", "¿Cuándo?", "왜요?", "何ですか？", "لماذا؟", "Really?!");
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 5 }), (list) => {
        expect(countQuestions(list.join(" "))).toBe(list.length);
      }),
    );
  });
});

describe("options", () => {
  it("D3.3 are no catch-all, however it is numbered, closed or explained", () => {
    for (const label of [
      "Other",
      "other",
      "3) Other.",
      "(d) Other",
      "Other…",
      "Other (please specify)",
      "Other: type your own",
      "None",
      "직접 입력",
      "2. 기타",
      "その他",
      "Ninguna",
      "Other / something else",
    ]) {
      expect([label, isCatchAll(label, words)]).toEqual([label, true]);
    }
  });

  it("D3.3 are what they say when a catch-all word is only a part of them", () => {
    for (const label of [
      "Other services call it",
      "None of them may see it",
      "None: nothing is kept",
      "Another team",
      "기타 연주자",
      "A",
      "Otros países",
    ]) {
      expect([label, isCatchAll(label, words)]).toEqual([label, false]);
    }
  });

  it("D3.3 count once each, and neither empty nor as placeholders", () => {
    const list = ["Daily", " daily ", "TODO", "", "…", "Weekly", "Other"].map(option);
    expect(usableOptions(list, words).map((item) => item.label)).toEqual(["Daily", "Weekly"]);
  });

  it("D3.3 a placeholder is told in any case and with any closing mark", () => {
    for (const text of ["TODO", "todo.", "N/A", "unused", "", "  ", "?!", "-"])
      expect([text, isPlaceholder(text, words)]).toEqual([text, true]);
    expect(isPlaceholder("TODO lists, or notes?", words)).toBe(false);
  });
});

describe("checkDraft", () => {
  const faults = (more: Parameters<typeof draftReply>[1]) =>
    checkDraft(draftReply(goal, more), words).map((item) => `${item.severity} ${item.path}`);

  it("D3.3 accepts one question with two to four options", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ options: ["A", "B", "C", "D"].map(option) })).toEqual([]);
  });

  it("D3.3 rejects an empty or placeholder body, two questions and none", () => {
    for (const question of ["", "TODO", "n/a", "unused", "Who? And when?", "I will now build it."])
      expect([question, faults({ question })]).toEqual([question, ["reject question"]]);
  });

  it("D3.3 counts options after catch-alls and doubles are dropped", () => {
    expect(faults({ options: ["A", "Other"].map(option) })).toEqual(["reject options"]);
    expect(faults({ options: ["A", "a"].map(option) })).toEqual(["reject options"]);
    expect(faults({ options: [] })).toEqual(["reject options"]);
    expect(faults({ options: ["A", "B", "C", "D", "Other"].map(option) })).toEqual([]);
    expect(faults({ options: ["A", "B", "C", "D", "E"].map(option) })).toEqual(["reject options"]);
  });
});

describe("readDraft", () => {
  it("D3.3 drops catch-alls and keeps the recommended option by its place among the rest", () => {
    const draft = readDraft(
      draftReply(goal, { options: ["Other", "Daily", "Weekly"].map(option), recommended: "b) weekly" }),
      words,
    );
    expect(draft.options.map((item) => item.label)).toEqual(["Daily", "Weekly"]);
    expect(draft.recommended).toBe(1);
    expect(readDraft(draftReply(goal, { recommended: "Other" }), words).recommended).toBeNull();
    expect(readDraft(draftReply(goal, { recommended: "" }), noWords).recommended).toBeNull();
  });

  it("D3.4 takes a fact without statement or path for a decision", () => {
    const fact = { statement: "It uses SQLite", path: "src/db.ts", symbol: "", interpreted: false };
    const read = (part: Partial<typeof fact>, nature: "fact" | "decision" = "fact") =>
      readDraft(draftReply(goal, { nature, fact: { ...fact, ...part } }), noWords);
    expect(read({})).toMatchObject({ nature: "fact", fact });
    for (const draft of [read({ statement: " " }), read({ path: "" }), read({}, "decision")])
      expect(draft).toMatchObject({ nature: "decision", fact: null });
  });
});
