import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TaskReply } from "../../src/core/deep/tasks.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { root } from "../source.ts";
import { inputOf, plain } from "./replies.ts";
import { answering, inTurn, levels } from "./script.ts";
import { createWorld, pick, type Replies, say, user, type World } from "./world.ts";

const proofread = readFileSync(join(root, "prompts/_proofread.md"), "utf8").split(/^---$/m).slice(2).join("---").trim();

/** An interview that calls every task once at least. */
async function playAll(): Promise<World> {
  const question: Replies["question"] = (task, calls) => {
    const made = plain.question?.(task, calls) as TaskReply<"question">;
    return { ...made, question: { ...made.question, research: inputOf<"question">(task).round === 2 } };
  };
  const summarise = () => ({
    summary: "Files in, reports out",
    decisions: [],
    constraints: [],
    unknowns: [],
    citations: [],
    non_goals: [],
  });
  const world = await createWorld({
    replies: { ...levels([0.3, 0.5, 0.6, 0.95]), question, summarise },
    start: { limits: { ...defaultLimits, scoringSamples: 1 }, idea: "Files in, reports out. ".repeat(400) },
  });
  await world.run(answering({ round: inTurn(say("some words"), pick("a"), user({ as: "opt-out" }), pick("a")) }));
  return world;
}

describe("the silent proofread", () => {
  it("D11.4 stands once in the prompt of every task that writes for people, whatever the task", async () => {
    const world = await playAll();
    const { tasks = [], prompts = [] } = world.model;
    const called = new Set(tasks.map(({ name }) => name));
    for (const name of [
      "summarise",
      "topology",
      "question",
      "interpret",
      "score",
      "panel",
      "research",
      "auto-answer",
      "closure",
      "restate",
      "crystallize",
    ]) {
      expect(called).toContain(name);
    }
    for (const [index, prompt] of prompts.entries()) {
      const text = [prompt.system, ...prompt.blocks.map((block) => block.text)].join("\n\n");
      expect(text.split(proofread).length - 1, tasks[index]?.name).toBe(1);
    }
  });

  it("D11.4 spares what the seed lists: ids, paths, code, numbers, quotes, labels and table structure", () => {
    for (const part of ["quotes", "code", "paths", "commands", "ids", "labels", "table", "numbers"]) {
      expect(proofread.toLowerCase()).toContain(part);
    }
    expect(proofread).toMatch(/once/i);
    expect(proofread).toMatch(/silent/i);
  });

  it("D11.4 changes nothing that was said: words and quotes stand in the spec as they came", async () => {
    const odd = "we  NEED `a > b` — it's teh rule";
    const world = await createWorld({
      replies: levels([0.95]),
      start: { limits: { ...defaultLimits, scoringSamples: 1 } },
    });
    await world.run(answering({ round: say(odd) }));
    expect(world.state().rounds[0]?.custom_input).toBe(odd);
    expect(String(world.store.lines.findLast(({ type }) => type === "spec.written")?.["text"])).toContain(odd);
  });
});
