import { describe, expect, it } from "vitest";
import { inputOf, plain, score } from "./replies.ts";
import { createWorld, pick, type Replies, say, user } from "./world.ts";

/** Every typed reply is read as an opt-out, as a model may judge "whatever you think is best". */
const optingOut: Replies = {
  ...plain,
  interpret: (task, calls) => {
    const made = plain.interpret?.(task, calls);
    return typeof made === "object" && !(made instanceof Error) ? { ...made, kind: "opt-out" } : "";
  },
};

describe("an opt-out in words", () => {
  it("D4.1 D2.1 at the topology gate is read once, and takes the components as they were proposed", async () => {
    for (const reply of [say("whatever you think is best"), user({ as: "opt-out", text: "you decide" })]) {
      const world = await createWorld({ replies: optingOut });
      let given = 0;
      const result = await world.run((question) => {
        given += 1;
        return question.kind === "topology" && given === 1 ? reply : null;
      });
      expect(result.type).toBe("pending");
      expect(world.state().topology.status).toBe("confirmed");
      expect(world.store.lines.filter((line) => line.type === "reply.received").length).toBeLessThanOrEqual(1);
    }
  });
});

describe("a pair left open", () => {
  it("D4.5 D9.1 D10.4 is put to the user at closure, and is a gap no longer once it is answered", async () => {
    let deferred = false;
    const world = await createWorld({
      replies: { ...plain, score: (task) => score(task, inputOf<"score">(task).round === 1 ? 0.5 : 0.98) },
    });
    const result = await world.run((question) => {
      if (question.kind === "bridge") return null;
      if (question.kind === "round" && question.round === 2 && !deferred) {
        deferred = true;
        return user({ as: "defer", by: "script" });
      }
      return pick(question.options[0]?.id ?? "");
    });
    expect(deferred).toBe(true);
    expect(world.state().closure_overrides).toHaveLength(1);
    expect(world.state().left_open).toEqual([]);
    expect(result).toMatchObject({ type: "done", outcome: { status: "PASSED" } });
  });
});
