import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countQuestions } from "../../../src/core/deep/draft.ts";
import { common, questionInput, reply, tags } from "./kit.ts";

const findings = [
  { persona: "contrarian", finding: "Is this limit real?", options: ["Drop the limit for a month", "Keep it"] },
  { persona: "simplifier", finding: "Refuse what is unknown", options: ["Accept one format and refuse the rest"] },
  { persona: "researcher", finding: "No volume is known", options: ["Measure one week first"] },
];

describe("the question task by rules", () => {
  it.each(tags)(
    "D3.3 in %s never uses the same words twice for a pair, and asks one question with two to four options each time",
    async (tag) => {
      for (const dimension of ["goal", "constraints", "criteria", "context"]) {
        const asked: string[] = [];
        for (let round = 1; round <= 14; round += 1) {
          const target = { component: "ingestion", name: "Ingestion", dimension, score: 0.2, gap: "no limit yet" };
          const { question } = await reply(
            "question",
            questionInput({ ...common(tag), round, asked: [...asked], target }),
          );
          expect(asked).not.toContain(question.question);
          expect({ text: question.question, count: countQuestions(question.question) }).toEqual({
            text: question.question,
            count: 1,
          });
          expect(question.question).toContain("Ingestion");
          expect(question.question).not.toMatch(/\{\w+\}/);
          expect(question.options.length).toBeGreaterThanOrEqual(2);
          expect(question.options.length).toBeLessThanOrEqual(4);
          expect(question).toMatchObject({ component: "ingestion", dimension, nature: "decision", recommended: "" });
          asked.push(question.question);
        }
      }
    },
  );

  it("D3.3 knows that it was asked also under a lead", async () => {
    const { question: first } = await reply("question", questionInput());
    const { question: second } = await reply(
      "question",
      questionInput({ asked: [`The math says ready.\n\n${first.question}`] }),
    );
    expect(second.question).not.toBe(first.question);
  });

  it("asks in the component's own domain first", async () => {
    const { question } = await reply("question", questionInput());
    expect(question.question).toContain("too large, has the wrong columns");
    const target = { component: "x", name: "Payments", dimension: "constraints", score: 0, gap: "" };
    const paid = await reply(
      "question",
      questionInput({
        target,
        components: [{ id: "x", name: "Payments", description: "charges the card", status: "active" }],
      }),
    );
    expect(paid.question.question).toContain("payment succeeded");
    expect(paid.question.research).toBe(true);
    const brown = await reply("question", { ...questionInput({ target }), type: "brownfield" });
    expect(brown.question.research).toBe(false);
  });

  it("D7.3 turns findings into options that name their persona, two at most", async () => {
    const { question } = await reply("question", questionInput({ findings }));
    expect(question.options.filter((option) => option.from !== "").map((option) => option.from)).toEqual([
      "contrarian",
      "simplifier",
    ]);
    expect(question.options).toHaveLength(4);
    expect(question.options.find((option) => option.from === "contrarian")?.label).toBe("Drop the limit for a month");
  });

  it("D3.6 offers neither findings nor research when only the user may answer", async () => {
    const target = { component: "x", name: "Payments", dimension: "constraints", score: 0, gap: "" };
    const { question } = await reply("question", questionInput({ findings, user_only: true, target }));
    expect(question.options.every((option) => option.from === "")).toBe(true);
    expect(question).toMatchObject({ research: false, recommended: "" });
  });

  it("D5.4 puts the two statements of a dispute to the user", async () => {
    const base = { component: "ingestion", dimension: "constraints" };
    const facts = [
      { ...base, id: "f1", statement: "A file holds at most 50 MB", status: "disputed" },
      { ...base, id: "f2", statement: "A file holds at most 500 MB", status: "established" },
    ];
    const trigger = { label: "A", evidence: "A file holds at most 500 MB" };
    const { question } = await reply("question", questionInput({ facts, trigger, findings }));
    expect(question.options.map((option) => option.label)).toEqual([
      "A file holds at most 50 MB",
      "A file holds at most 500 MB",
    ]);
  });

  it.each([
    ["B", "Both cannot hold."],
    ["C", "one single case"],
  ] as const)("D3.1 asks about trigger %s", async (label, part) => {
    const { question } = await reply("question", questionInput({ trigger: { label, evidence: "Both cannot hold." } }));
    expect(question.question).toContain(part);
  });

  it("D3.5 asks what it is, by the latest entities", async () => {
    const { question } = await reply("question", questionInput({ style: "ontology" }));
    expect(question.question).toContain("CSV");
    expect(question.question).toContain("record");
  });

  it("D3.4 cites the place in the code that has most to do with the component", async () => {
    const context = [
      { statement: "`login` checks the password.", path: "src/auth/passport.js", symbol: "login" },
      { statement: "`readCsv` parses a file.", path: "src/ingestion/csv.ts", symbol: "readCsv" },
    ];
    const target = { component: "ingestion", name: "Ingestion", dimension: "context", score: 0, gap: "" };
    const { question } = await reply("question", { ...questionInput({ target, context }), type: "brownfield" });
    expect(question.question).toContain("`src/ingestion/csv.ts` (`readCsv`)");
  });

  it("D9.1 asks about the gap that closure raised", async () => {
    const { question } = await reply(
      "question",
      questionInput({ style: "closure", gap: "Nobody said who may delete." }),
    );
    expect(question.question).toContain("Nobody said who may delete.");
  });

  it("D3.3 fills in no place twice: words of the idea are never read as a template", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 30 }), async (name) => {
        const target = { component: "x", name: `${name} {gap}`, dimension: "goal", score: 0, gap: "SECRET" };
        const { question } = await reply("question", questionInput({ target }));
        expect(question.question).not.toContain("SECRET");
      }),
    );
  });
});
