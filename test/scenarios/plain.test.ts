import { describe, expect, it } from "vitest";
import { plain, score } from "./replies.ts";
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
});
