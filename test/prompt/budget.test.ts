import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../src/prompt/catalog.ts";
import { createPrompts } from "../../src/prompt/render.ts";
import { samples, taskOf } from "./samples.ts";

const catalog = createCatalog();
const own = async (task: ReturnType<typeof taskOf>, promptBudgetTokens: number, raw = "") => {
  const prompts = createPrompts({ catalog, getBlob: async () => raw, promptBudgetTokens });
  return (await prompts.render(task)).blocks.at(-1)?.text ?? "";
};

const round = (number: number, answer: string) => ({
  round: number,
  component: "ingestion",
  dimension: "goal",
  question: `Question ${number}?`,
  answer,
  answered_by: "user",
});
const long = (number: number) => `HEAD-${number} ${"words and more words ".repeat(27)} TAIL-${number}`;
const reading = (number: number, reasons = 60) =>
  `Decision: decided ${number}\nReasoning: ${`because-${number} `.repeat(reasons)}\nConstraints (user-stated): limit ${number}\nOut of scope (user-stated): never ${number}`;

describe("budget", () => {
  it("D1.3 cuts the oldest raw answers first, keeps their ends, and says so", async () => {
    const transcript = [1, 2, 3, 4, 5, 6].map((number) => round(number, long(number)));
    const full = await own(taskOf("closure", { transcript }), 100_000);
    expect(full).not.toContain("Shortened to fit");
    const text = await own(taskOf("closure", { transcript }), Math.floor(full.length / 4) - 200);
    expect(text.length).toBeLessThan(full.length);
    const answers = text.match(/A: .*/g) ?? [];
    expect(answers[0]?.length).toBeLessThan(200);
    expect(answers[0]).toMatch(/HEAD-1 .*\[…\].* TAIL-1/);
    expect(answers[5]).toBe(`A: ${long(6)}`);
    expect(text).toMatch(/Shortened to fit: transcript\. Established facts[^\n]*\n\ntask: closure$/);
  });

  it("keeps facts, decisions, constraints and scope of confirmed readings whatever the budget", async () => {
    const transcript = [1, 2, 3].map((number) => round(number, reading(number, 30)));
    const facts = Array.from({ length: 80 }, (_, index) => ({
      ...samples.closure.facts[0],
      id: `f${index}`,
      statement: `fact number ${index} stands`,
    }));
    const task = taskOf("crystallize", {
      transcript,
      facts: facts.map((fact) => ({ component: "ingestion", dimension: "goal", status: "established", ...fact })),
    });
    const text = await own(task, 1000);
    for (const number of [1, 2, 3]) {
      expect(text).toContain(`decided ${number}`);
      expect(text).toContain(`limit ${number}`);
      expect(text).toContain(`never ${number}`);
      expect(text).not.toContain(`because-${number}`);
    }
    for (const { statement } of facts) expect(text).toContain(statement);
    expect(text).toContain("Reviewers get clean records every day.");
  });

  it("D5.2 never cuts the answer that is being scored, whatever the budget", async () => {
    const answer = `${"x".repeat(8000)} and never more than 10 minutes`;
    expect(await own(taskOf("score", { answer }), 1000)).toContain(answer);
  });

  it("shows a full answer only in its own score: elsewhere its ends, and a reading without its reasons", async () => {
    const answers = [`START ${"y".repeat(4000)} never more than 10 minutes`, reading(2)];
    const transcript = answers.map((answer, index) => round(index + 1, answer));
    for (const name of ["closure", "crystallize"] as const) {
      const text = await own(taskOf(name, { transcript }), 100_000);
      expect(text).not.toContain("y".repeat(600));
      expect(text).toMatch(/START y.* \[…\] y.* never more than 10 minutes/);
      expect(text).toContain("limit 2");
      expect(text).not.toContain("because-2");
      expect(text).not.toContain("Shortened to fit");
    }
  });

  it("D1.2 drops excerpts and files of a project before anything else of it", async () => {
    const files = Array.from({ length: 200 }, (_, index) => ({ path: `src/f${index}.ts`, symbols: [`s${index}`] }));
    const excerpts = Array.from({ length: 20 }, (_, index) => ({ path: `src/f${index}.ts`, text: "z".repeat(3000) }));
    const text = await own(taskOf("explore", { files, excerpts }), 3000);
    expect(text.length).toBeLessThan(3000 * 4 + 400);
    expect(text).toContain("src/f0.ts: s0");
    expect(text).toContain(samples.explore.idea);
    expect(text).toMatch(/Shortened to fit: excerpts/);
  });

  it("stays within the budget, or has nothing left that may go", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1000, max: 6000 }), async (lengths, tokens) => {
        const transcript = lengths.map((length, index) => round(index + 1, "w".repeat(length)));
        const text = await own(taskOf("closure", { transcript }), tokens);
        const answers = text.match(/A: w*(?: \[…\] w*)?/g) ?? [];
        const isSpent = answers.every((answer) => answer.length <= 163);
        expect(isSpent || text.length <= tokens * 4 + 300).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it.each([1900, 50_000, 500_000])("D1.3 summarises a text of %i characters, rules behind it", async (length) => {
    const head = `BEGIN ${"lorem ipsum ".repeat(50_000)}`.slice(0, length - 20);
    const raw = `${head} never after midnight`;
    const text = await own(taskOf("summarise"), 12_000, raw);
    expect(text).toContain(raw);
    expect(text.indexOf("Condense it.")).toBeGreaterThan(text.indexOf("never after midnight"));
    expect(text).not.toContain("Shortened to fit");
  });

  it("D1.3 cuts the middle of a raw text that no call could read, and says so", async () => {
    const raw = `시작 ${"가나다라마바사 ".repeat(62_500)} 끝`;
    const text = await own(taskOf("summarise"), 12_000, raw);
    expect(text.length).toBeLessThan(200_000);
    expect(text).toMatch(/시작 가[\s\S]*\[…\][\s\S]* 끝\n<\/data>/);
    expect(text).toMatch(/Shortened to fit: text\./);
  });
});
