import { describe, expect, it } from "vitest";
import { ambiguityOf, lowest } from "../../../src/core/deep/score.ts";
import type { TaskInputs, TaskReply } from "../../../src/core/deep/tasks.ts";
import { components, type dimensions, reply, scored, scoreInput, scoreOf, type Tag } from "./kit.ts";

type Facts = TaskInputs["score"]["facts"];
const fact = (statement: string, change: Partial<Facts[number]> = {}): Facts[number] => ({
  id: "f1",
  statement,
  component: "ingestion",
  dimension: "constraints",
  status: "established",
  ...change,
});
const limit = fact("A file may hold at most 50 MB and 200,000 rows in UTF-8");
const about = {
  target: { component: "ingestion", dimension: "constraints" },
  question: "What does Ingestion do with a large file?",
};

function ambiguityAfter(value: TaskReply<"score">): number {
  const score = (id: string, dimension: (typeof dimensions)[number]) => scoreOf(value, id, dimension);
  return ambiguityOf(
    "greenfield",
    lowest(
      components.map(({ id }) => ({
        goal: score(id, "goal"),
        constraints: score(id, "constraints"),
        criteria: score(id, "criteria"),
        context: null,
      })),
    ),
  );
}

const labels = (value: TaskReply<"score">) => value.triggers.map((trigger) => trigger.label);

describe("trigger A, a contradiction of an established fact", () => {
  it.each([
    "Actually a file may hold at most 500 MB, and nothing larger is taken by the folder.",
    "The clerk drops a file, and a file holds at most 80 MB in the branch.",
  ])("D5.3, D5.4 names the fact, lowers its pair and raises ambiguity: %s", async (answer) => {
    const value = await reply(
      "score",
      scoreInput(answer, { ...about, facts: [limit], components: scored(0.3), prior_ambiguity: 0.7 }),
    );
    expect(value.triggers).toMatchObject([
      { label: "A", status: "active", component: "ingestion", dimension: "constraints", contradicts: "f1" },
    ]);
    expect(scoreOf(value, "ingestion", "constraints")).toBeLessThan(0.3);
    expect(ambiguityAfter(value)).toBeGreaterThan(0.7);
    expect(value.facts.some((item) => item.contradicts === "f1")).toBe(true);
  });

  it("D5.3 is found by a negation, and on another component too", async () => {
    const approves = fact("Reviewers approve every imported record by hand", {
      component: "review-ui",
      dimension: "goal",
    });
    const value = await reply(
      "score",
      scoreInput("Reviewers never approve an imported record by hand, the clerk of the branch does it.", {
        ...about,
        facts: [approves],
      }),
    );
    expect(value.triggers).toMatchObject([{ label: "A", component: "review-ui", dimension: "goal" }]);
  });

  it("D5.3 is found by opposites of the lexicon", async () => {
    const offline = fact("The reviewer screen works offline in the warehouse", {
      component: "review-ui",
      dimension: "constraints",
    });
    const value = await reply(
      "score",
      scoreInput("The reviewer screen is online only and shows what the branch enters.", {
        ...about,
        facts: [offline],
      }),
    );
    expect(labels(value)).toContain("A");
  });

  it.each([
    "A file may hold at most 50 MB, and a bigger one is refused by the folder whole.",
    "A file may hold at most 500 MB when it comes from the auditor of the head office.",
    "A report keeps at most 500 pages, and the printer adds the date to each of them.",
    "At least 1 MB per file has to arrive before the clerk gets a message about the file.",
  ])(
    "D5.3 is none for the same number, a stated condition, another subject or another kind of limit: %s",
    async (answer) => {
      const value = await reply("score", scoreInput(answer, { ...about, facts: [limit] }));
      expect(labels(value)).toEqual([]);
    },
  );

  it.each([
    ["ko", "파일은 최대 50MB까지 받습니다", "파일은 최대 500MB까지 받고 담당자가 폴더에 넣습니다."],
    ["ja", "ファイルは最大50MBまで受け付けます", "ファイルは最大500MBまで受け付け、担当者がフォルダに置きます。"],
    [
      "es",
      "Un archivo puede tener como máximo 50 MB",
      "Un archivo puede tener como máximo 500 MB y lo deja el operador en la carpeta.",
    ],
  ] as const)("D5.3 in %s", async (tag: Tag, statement, answer) => {
    const value = await reply(
      "score",
      scoreInput(answer, {
        ...about,
        language: { tag, instruction: "" },
        question: `${statement}?`,
        facts: [fact(statement)],
      }),
    );
    expect(value.triggers).toMatchObject([{ label: "A", contradicts: "f1" }]);
  });

  it("D5.4 leaves a fact alone that is in dispute already, and says which side stands", async () => {
    const newer = fact("Actually a file may hold at most 500 MB", { id: "f2" });
    const facts = [{ ...limit, status: "disputed" }, newer];
    const disputed = ["f1"];
    const keep = await reply(
      "score",
      scoreInput("A file may hold at most 50 MB and 200,000 rows in UTF-8", { ...about, facts, disputed }),
    );
    expect(keep.triggers).toEqual([]);
    expect(keep.stands).toEqual(["f1"]);
    const change = await reply(
      "score",
      scoreInput("A file may hold at most 500 MB from now on.", { ...about, facts, disputed }),
    );
    expect(change.stands).toEqual(["f2"]);
    const third = await reply(
      "score",
      scoreInput("The branch splits a file into parts of 75 MB before the clerk drops it.", {
        ...about,
        facts,
        disputed,
      }),
    );
    expect(third.stands).toEqual(["new"]);
  });
});

describe("triggers B, C and D", () => {
  it.each([
    "Reviewers must work fully offline in the hospital. The reviewer screen is online only and shows what the bank enters.",
    "A reviewer approves a flagged record within 2 minutes of opening. A reviewer approves a flagged record within 9 minutes of opening.",
  ])("D5.3 B: two requirements that cannot both hold: %s", async (answer) => {
    const value = await reply("score", scoreInput(answer));
    expect(value.triggers).toMatchObject([{ label: "B", component: "review-ui", dimension: "goal" }]);
    expect(scoreOf(value, "review-ui", "goal")).toBeLessThan(0.3);
  });

  it("D5.3 C: a repetition of an earlier answer", async () => {
    const answer = "The clerk drops a file into the watched folder and sees the refused rows.";
    const transcript = [
      { round: 1, component: "ingestion", dimension: "goal", question: "?", answer, answered_by: "user" },
    ];
    expect(labels(await reply("score", scoreInput(answer, { transcript })))).toEqual(["C"]);
  });

  it.each([
    [
      "en",
      "A reviewer opens the oldest record and approves it. We should also send SMS notifications to the clients.",
      "Notifications",
    ],
    [
      "en",
      "A reviewer opens the oldest record and approves it. We also need a mobile app for the drivers who bring the boxes.",
      "Mobile App",
    ],
    ["ko", "검토자는 가장 오래된 레코드를 열고 승인합니다. 또한 고객에게 문자 알림을 보내야 합니다.", "알림"],
    ["ja", "レビュアーはいちばん古いレコードを開いて承認します。さらに顧客にSMS通知を送る必要があります。", "通知"],
    [
      "es",
      "El revisor abre el registro más antiguo y lo aprueba. Además hay que enviar notificaciones SMS a los clientes.",
      "Notificaciones SMS",
    ],
  ] as const)(
    "D5.3, D2.6 D in %s: a new outcome is named and not scored away: %s",
    async (tag: Tag, answer, proposed) => {
      const value = await reply("score", scoreInput(answer, { language: { tag, instruction: "" } }));
      expect(value.triggers).toMatchObject([{ label: "D", component: "review-ui", proposed }]);
      const [trigger] = value.triggers;
      expect(scoreOf(value, "review-ui", trigger?.dimension ?? "")).toBeLessThan(0.3);
    },
  );

  it.each([
    "A reviewer opens the oldest record, and Review UI also shows an audit log of every decision.",
    "A reviewer opens the oldest record and also adds inline comments before the approval.",
    "A reviewer opens the oldest record and sees the reason beside the value that was changed.",
  ])("D5.3 D: a detail of what was asked about is none: %s", async (answer) => {
    expect(labels(await reply("score", scoreInput(answer)))).toEqual([]);
  });

  it("D5.3 in the first scored round there is nothing to rise against; a pair at 0 that cannot fall is unresolved with a reason", async () => {
    const first = await reply("score", scoreInput("I don't know.", { components: scored(null), prior_ambiguity: 1 }));
    expect(first.triggers).toMatchObject([{ label: "C", status: "active", rationale: "" }]);
    const floor = await reply(
      "score",
      scoreInput("I don't know.", { components: scored(0.3, { "review-ui/goal": 0 }), prior_ambiguity: 0.82 }),
    );
    expect(floor.triggers).toMatchObject([{ label: "C", status: "unresolved" }]);
    expect(floor.triggers[0]?.rationale).not.toBe("");
  });
});

describe("facts", () => {
  it("D5.4 are sentences of the answer with their evidence, at the pair that was asked about", async () => {
    const answer =
      "Decision: Only the two named reviewers may approve.\nConstraints (user-stated): A decision cannot be undone after 24 hours; the reason is required";
    const value = await reply(
      "score",
      scoreInput(answer, { target: { component: "review-ui", dimension: "constraints" } }),
    );
    expect(value.facts.map((item) => item.statement)).toEqual([
      "Only the two named reviewers may approve.",
      "A decision cannot be undone after 24 hours",
      "the reason is required",
    ]);
    for (const item of value.facts) {
      expect(answer).toContain(item.evidence);
      expect(item).toMatchObject({ component: "review-ui", dimension: "constraints", contradicts: "" });
    }
  });

  it("fault 18: a limit at the end of a long answer is among them", async () => {
    const filler = Array.from(
      { length: 60 },
      (_, index) => `The clerk of branch ${index + 1} opens the folder and looks at the flagged record.`,
    ).join(" ");
    const value = await reply("score", scoreInput(`${filler} A file over 50 MB must never be accepted by the folder.`));
    expect(value.facts.map((item) => item.statement)).toContain(
      "A file over 50 MB must never be accepted by the folder.",
    );
    expect(value.facts.length).toBeLessThanOrEqual(8);
  });
});

describe("entities", () => {
  it("D6.1 keep the names used before, and bring at most two new ones", async () => {
    const prior_entities = [
      { name: "Record", type: "core domain", fields: [] },
      { name: "Report", type: "core domain", fields: [] },
    ];
    const value = await reply(
      "score",
      scoreInput(
        "A reviewer opens the record in SAP and the auditor sends the PDF with the invoice to the inspector.",
        { prior_entities },
      ),
    );
    expect(value.entities.slice(0, 2).map((entity) => entity.name)).toEqual(["Record", "Report"]);
    expect(value.entities.length).toBeGreaterThan(2);
    expect(value.entities.length).toBeLessThanOrEqual(4);
    expect(value.entities.slice(2).every((entity) => entity.type !== "core domain")).toBe(true);
  });
});
