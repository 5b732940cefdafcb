import { describe, expect, it } from "vitest";
import { inputOf, plain, score } from "./replies.ts";
import { createWorld, pick, say } from "./world.ts";

describe("a plain interview", () => {
  it("goes from the idea to a spec that passed, one question a round", async () => {
    let clarity = 0.3;
    const world = await createWorld({
      replies: {
        ...plain,
        score: (task) =>
          score(task, () => {
            clarity = Math.min(0.95, clarity + 0.1);
            return clarity;
          }),
      },
      start: { idea: "Build a tool that imports files and exports reports" },
    });
    const result = await world.run((question) => {
      if (question.kind === "bridge") return null;
      const first = question.options[0];
      return first === undefined ? say("some words") : pick(first.id);
    });
    expect(result).toMatchObject({ type: "done", outcome: { status: "PASSED", passed: true } });
    const rounds = world.asked.filter((question) => question.kind === "round").map((question) => question.round);
    expect(rounds).toEqual(rounds.map((_, index) => index + 1));
  });

  it("D8.2 has every answer on disk before its scoring call", async () => {
    const seen: string[] = [];
    const world = await createWorld({
      replies: {
        ...plain,
        score: (task) => {
          const { round } = inputOf<"score">(task);
          const answered = world.store.lines.filter((line) => line.type === "answer.recorded");
          expect(JSON.stringify(answered.at(-1))).toContain(`"round":${round}`);
          seen.push(String(round));
          return score(task, 0.9);
        },
      },
    });
    await world.run((question) => (question.kind === "bridge" ? null : pick(question.options[0]?.id ?? "")));
    expect(seen.length).toBeGreaterThan(0);
  });
});
