import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answers, readAnswers } from "../../src/ask/answers.ts";
import { createScriptedAsker, type OnUnanswered } from "../../src/ask/scripted.ts";
import { standingGaps } from "../../src/core/deep/gates.ts";
import { parseSpec } from "../../src/core/deep/spec.ts";
import type { StartRequest } from "../../src/core/deep/start.ts";
import { activeComponents } from "../../src/core/deep/state.ts";
import { toUnits } from "../../src/core/ratio.ts";
import { createOffline } from "../../src/model/offline/model.ts";
import { loadBanks } from "../../src/prompt/languages.ts";
import { createExplorer } from "../../src/run/explore.ts";
import { root } from "../command.ts";
import { createWorld, languages, sha256, type World } from "./world.ts";

const banks = Object.values(await loadBanks());

interface Example {
  readonly name: string;
  readonly threshold: number;
  readonly start?: Partial<StartRequest>;
  readonly scan?: unknown;
}

async function read(name: string): Promise<{ idea: string; answers: Answers }> {
  const folder = join(root, "examples", name);
  const file = join(folder, "answers.yaml");
  return {
    idea: (await readFile(join(folder, "idea.md"), "utf8")).trim(),
    answers: await readAnswers(await readFile(file, "utf8"), file),
  };
}

interface Played {
  readonly world: World;
  readonly status: string;
  readonly unused: string[];
}

/** Plays an example with some of its entries, over the offline rules. */
async function play(example: Example, idea: string, answers: Answers, onUnanswered: OnUnanswered): Promise<Played> {
  const world = await createWorld({
    model: createOffline({ lexicons: languages.lexicons, banks, getBlob: () => idea }),
    start: { idea, threshold: example.threshold, ...example.start },
    ...(example.scan === undefined ? {} : { explorer: { scan: example.scan } }),
  });
  const display = { tell: () => undefined, working: () => () => undefined };
  const isUserOnly = (question: { id: string }) =>
    world.state().asked.some((asked) => asked.question.id === question.id && asked.aim?.user_only === true);
  const script = createScriptedAsker({ answers, onUnanswered, person: null, isUserOnly, display });
  const result = await world.runWith(script);
  return { world, status: result.type === "done" ? result.outcome.status : result.type, unused: script.unused() };
}

const pipeline: Example = { name: "intake-pipeline", threshold: 0.2 };

function ambiguities(world: World): number[] {
  return world.state().rounds.flatMap((round) => (round.ambiguity === null ? [] : [toUnits(round.ambiguity)]));
}

describe("the pipeline example", () => {
  it("D2.3 gives four components, all covered or deferred in the spec", async () => {
    const { idea, answers } = await read(pipeline.name);
    const { world, status, unused } = await play(pipeline, idea, answers, "fail");
    expect({ status, unused }).toEqual({ status: "PASSED", unused: [] });
    expect(world.state().topology.components.map((component) => component.id)).toEqual([
      "ingestion",
      "normalization",
      "review-ui",
      "export",
    ]);
    const spec = world.store.lines.findLast((line) => line.type === "spec.written");
    const parsed = parseSpec(String(spec?.["text"]));
    if (!parsed.ok) throw new Error(parsed.fault);
    expect(parsed.spec.topology.rows).toHaveLength(4);
    const prose = world.state().prose;
    for (const component of activeComponents(world.state())) {
      const covered = prose?.criteria.some((line) => line.covers.includes(component.id));
      expect({ component: component.id, covered }).toEqual({ component: component.id, covered: true });
    }
  });

  it("shows a rise of ambiguity, a panel finding folded into a question, a refine, and a passed gate", async () => {
    const { idea, answers } = await read(pipeline.name);
    const { world } = await play(pipeline, idea, answers, "fail");
    const state = world.state();
    const steps = ambiguities(world);
    expect(steps.some((value, index) => index > 0 && value > (steps[index - 1] ?? value))).toBe(true);
    expect(state.triggers.some((trigger) => trigger.label === "A")).toBe(true);
    expect(state.lateral_reviews.some((review) => review.folded.length > 0)).toBe(true);
    expect(state.refined_rounds.length).toBeGreaterThan(0);
    expect(toUnits(state.current_ambiguity)).toBeLessThanOrEqual(toUnits(0.2));
  });

  it("misses the gate when any one of its round answers is taken away", async () => {
    const { idea, answers } = await read(pipeline.name);
    const rounds = answers.entries.flatMap((_, index) => (index === 0 ? [] : [index]));
    expect(rounds.length).toBeGreaterThan(11);
    for (const index of rounds) {
      const fewer: Answers = { ...answers, entries: answers.entries.filter((_, at) => at !== index) };
      // The gap is left open, so that nothing but the missing clarity decides.
      const { world, status } = await play(pipeline, idea, fewer, "defer");
      expect({ index, status }).toEqual({ index, status: "BELOW_THRESHOLD_EARLY_EXIT" });
      const gaps = standingGaps({ languages, sha256 }, world.state());
      expect(gaps.length + (toUnits(world.state().current_ambiguity) > toUnits(0.2) ? 1 : 0)).toBeGreaterThan(0);
    }
  });
});

describe("the Korean example", () => {
  it("D1.6 passes in Korean, with no answer left over", async () => {
    const korean: Example = { name: "korean-intake", threshold: 0.2 };
    const { idea, answers } = await read(korean.name);
    const { world, status, unused } = await play(korean, idea, answers, "fail");
    expect({ status, unused }).toEqual({ status: "PASSED", unused: [] });
    expect(world.state().language?.tag).toBe("ko");
    for (const question of world.asked.filter((item) => item.kind === "round"))
      expect(question.text).toMatch(/\p{Script=Hangul}/u);
  });
});

describe("the brownfield example", () => {
  const project = join(root, "examples", "brownfield-change", "project");

  it("D1.2 D3.4 passes, and every path and symbol that it cites exists in the project", async () => {
    const explorer = createExplorer(project);
    const { idea, answers } = await read("brownfield-change");
    const scan = await explorer.scan(idea);
    const example: Example = {
      name: "brownfield-change",
      threshold: 0.2,
      scan,
      start: { signals: await explorer.signals() },
    };
    const { world, status, unused } = await play(example, idea, answers, "fail");
    expect({ status, unused, type: world.state().type }).toEqual({ status: "PASSED", unused: [], type: "brownfield" });
    const findings = world.state().codebase_context?.findings ?? [];
    expect(findings.length).toBeGreaterThan(1);
    for (const { path, symbol } of findings) {
      const text = await readFile(join(project, path), "utf8");
      expect({ path, symbol, found: symbol === null || text.includes(symbol) }).toEqual({ path, symbol, found: true });
    }
    const asked = world
      .state()
      .rounds.map((round) => round.question_text)
      .join("\n");
    expect(asked).toContain("`src/orders.ts`");
    expect(asked).toContain("`cancelOrder`");
    const cited = [...asked.matchAll(/`(src\/[\w./-]+)`/g)].map((match) => match[1] ?? "");
    for (const path of cited) expect(findings.map((finding) => finding.path)).toContain(path);
  });
});
