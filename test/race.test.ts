import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, runCommand } from "./command.ts";

const idea = "Build a tool that imports photos, sorts them by date, and exports a report";
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

describe("two processes on one session", () => {
  it(
    "give the same start and the same answer, sent at once, one interview and one answer (fault 7)",
    () =>
      inFolder(async (cwd) => {
        const start = ["start", "--model", "offline", "--session", "p", idea];
        for (const ran of await times(3, () => runCommand(start, { cwd }))) expect(ran).toMatchObject({ code: 0 });
        const answer = ["answer", "--session", "p", "--question", "q1", "--option", "right"];
        for (const ran of await times(3, () => runCommand(answer, { cwd }))) expect(ran).toMatchObject({ code: 0 });
        const journal = await readFile(
          join(cwd, ".gjc", "_session-p", "state", "deep-interview-journal.jsonl"),
          "utf8",
        );
        const types = journal
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).type);
        expect(types.filter((type) => type === "interview.started")).toHaveLength(1);
        expect(types.filter((type) => type === "topology.locked")).toHaveLength(1);
      }),
    30_000,
  );

  it(
    "take one of two different answers, and refuse the other",
    () =>
      inFolder(async (cwd) => {
        await runCommand(["start", "--model", "offline", "--session", "p", idea], { cwd });
        await runCommand(["answer", "--session", "p", "--question", "q1", "--option", "right"], { cwd });
        const give = (option: string) =>
          runCommand(["answer", "--session", "p", "--question", "q2", "--option", option], { cwd });
        const codes = (await Promise.all([give("a"), give("b")])).map((ran) => ran.code).sort();
        expect(codes).toEqual([0, 6]);
      }),
    30_000,
  );

  it(
    "D8.3 take no answer after a cancel, and leave half of a refused batch untaken",
    () =>
      inFolder(async (cwd) => {
        await runCommand(["start", "--model", "offline", "--session", "p", idea], { cwd });
        const input = JSON.stringify({
          answers: [
            { question: "q1", options: ["right"] },
            { question: "q9", text: "x" },
          ],
        });
        expect((await runCommand(["answer", "--session", "p", "--input", "-"], { cwd, input })).code).toBe(2);
        const next = JSON.parse((await runCommand(["next", "--session", "p"], { cwd })).out);
        expect(next.step.question.id).toBe("q1");
        await runCommand(["cancel", "--session", "p"], { cwd });
        const ran = await runCommand(["answer", "--session", "p", "--question", "q1", "--option", "right"], { cwd });
        expect(ran.code).toBe(6);
        expect(ran.out).toContain("deep-interview resume --session p");
      }),
    30_000,
  );
});
