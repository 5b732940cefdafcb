import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DeepEvent } from "../../src/core/deep/events.ts";
import { startEvent } from "../../src/core/deep/start.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import type { Asker } from "../../src/ports.ts";
import { createCatalog } from "../../src/prompt/catalog.ts";
import { createPrompts } from "../../src/prompt/render.ts";
import { openInterview } from "../../src/run/interview.ts";
import { runLoop } from "../../src/run/loop.ts";
import { filesOf, readSource } from "../source.ts";
import { contentOf, createPlace, journalPath, open as openPlace, read, statePath, write } from "../store/place.ts";
import { draft, inputOf } from "./replies.ts";
import { answering, createDirectModel, inTurn, levels } from "./script.ts";
import { type Answerer, createClock, languages, machine, pick, type Replies, sha256, user } from "./world.ts";

const limits = { ...defaultLimits, scoringSamples: 1 };
const folder = ".gjc/_session-s1";

const replies: Replies = {
  ...levels([0.3, 0.5, 0.95]),
  question: (task) => {
    const { target, round } = inputOf<"question">(task);
    return {
      task: "question",
      question: draft(target.component, target.dimension as "goal", `What about it, ${round}?`),
    };
  },
};

/** One process on the files of a project: goes on with its interview, or begins one. */
async function run(projectRoot: string, answer: Answerer, more: { readonly deliberate?: boolean } = {}) {
  const store = await openPlace(projectRoot);
  const clock = createClock();
  const interview = await openInterview({ machine, store, clock, parse: (line) => DeepEvent.parse(line) });
  if (interview.revision() === 0) {
    const request = {
      interviewId: "i1",
      sessionId: "s1",
      idea: "Build a tool",
      threshold: 0.2,
      thresholdSource: "flag:--threshold",
      limits,
      model: "scripted",
      type: "auto",
      language: null,
      signals: { source: false, packages: false, git: false },
      names: new Set<string>(),
      researchSetup: false,
      deliberate: more.deliberate ?? false,
      scripted: false,
      notices: [],
    } as const;
    interview.push([startEvent({ languages, sha256 }, request)]);
  }
  const asker: Asker = {
    ask: async (question) => answer(question, interview.state()),
    askMany: async () => [],
    tell: () => undefined,
    working: () => () => undefined,
  };
  const prompts = createPrompts({
    catalog: createCatalog(),
    getBlob: (hash) => store.getBlob(hash),
    promptBudgetTokens: 4000,
  });
  const explorer = {
    signals: async () => ({ source: false, packages: false, git: false }),
    scan: async () => ({ files: [], excerpts: [], earlier: [], truncated: false }),
  };
  const deps = { model: createDirectModel(replies), prompts, asker, store, explorer, clock, hash: { sha256 } };
  const result = await runLoop(interview, deps, new AbortController().signal);
  return { result, interview };
}

describe("an interview on disk", () => {
  it("D11.1 writes nothing outside .gjc, and changes nothing that was there", async () => {
    const place = createPlace();
    write(place, "src/a.ts", "export const a = 1;");
    write(place, "package.json", "{}");
    await run(place, answering({ bridge: pick("team") }));
    const files = contentOf(place);
    expect(Object.keys(files).filter((path) => !path.startsWith(".gjc/"))).toEqual(["package.json", "src/a.ts"]);
    expect(files["src/a.ts"]).toBe("export const a = 1;");
    expect(Object.keys(files).filter((path) => path.startsWith(".gjc/") && !path.startsWith(`${folder}/`))).toEqual([]);
  });

  it("D11.1 runs no shell: no part that an interview is made of can start a process", () => {
    const parts = ["core", "prompt", "model", "ask", "store", "run"].flatMap((part) => filesOf(`src/${part}`, /\.ts$/));
    expect(parts.length).toBeGreaterThan(100);
    const starts = (path: string) =>
      readSource(path).imports.some(({ specifier }) =>
        /^(node:)?(child_process|cluster|worker_threads)$/.test(specifier),
      );
    expect(parts.filter(starts)).toEqual([]);
  });

  it("D10.1 D10.5 D0.4 has the spec at its path with its index line, as state and journal name them", async () => {
    const place = createPlace();
    const { interview } = await run(place, answering());
    const { spec } = interview.state();
    if (spec === null) throw new Error("no spec");
    expect(spec.path).toBe(`${folder}/specs/deep-interview-${spec.slug}.md`);
    const text = read(place, spec.path);
    expect(sha256(text)).toBe(spec.sha256);
    expect(text).toContain("- Threshold Source: flag:--threshold");
    const index = read(place, `${folder}/specs/deep-interview-index.jsonl`)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(index).toMatchObject([{ slug: spec.slug, path: spec.path, sha256: spec.sha256 }]);
    expect(JSON.parse(read(place, statePath))).toMatchObject({
      current_phase: "interviewing",
      approval: "pending",
      spec_path: spec.path,
      spec_sha256: spec.sha256,
      threshold: 0.2,
      threshold_source: "flag:--threshold",
    });
  });

  it("D11.2 puts the earlier spec into versions when it is refined, and seeds ralplan with --deliberate", async () => {
    const place = createPlace();
    const first = await run(place, answering(), { deliberate: true });
    const path = first.interview.state().spec?.path ?? "";
    const text = read(place, path);
    const { interview } = await run(place, answering({ bridge: inTurn(pick("refine"), pick("ralplan")) }));
    const slug = interview.state().spec?.slug;
    expect(read(place, `${folder}/specs/versions/deep-interview-${slug}.1.md`)).toBe(text);
    expect(sha256(read(place, path))).toBe(interview.state().spec?.sha256);
    expect(read(place, path)).not.toBe(text);
    expect(readdirSync(join(place, folder, "specs/versions"))).toHaveLength(1);
    expect(JSON.parse(read(place, `${folder}/state/ralplan-state.json`))).toMatchObject({ state: { spec_path: path } });
    expect(JSON.parse(read(place, statePath))).toMatchObject({ current_phase: "handoff", handoff_to: "ralplan" });
  });

  it("D8.2 D10.5 goes on from a journal cut off anywhere, also inside a line, and comes to the same spec but for its time", async () => {
    const place = createPlace();
    const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T");
    const choices = () => answering({ round: inTurn(pick("a"), user({ as: "opt-out" }), pick("a")) });
    const whole = await run(place, choices());
    const path = whole.interview.state().spec?.path ?? "";
    const spec = timeless(read(place, path));
    const journal = read(place, journalPath);
    const given = whole.interview.state().asked.map(({ question }) => question.id);
    const lines = journal.split("\n").slice(0, -1);
    const ends = lines.map((_, index) => Buffer.byteLength(`${lines.slice(0, index + 1).join("\n")}\n`));
    for (const [index, end] of ends.entries()) {
      if (index % 5 !== 0 && index < ends.length - 6) continue;
      const other = createPlace();
      write(other, journalPath, journal);
      // Half of the next line is left, as a write that was cut off leaves it.
      truncateSync(join(other, journalPath), end + Math.floor(((ends[index + 1] ?? end) - end) / 2));
      const answered = new Set<string>();
      const before = lines.slice(0, index + 1).join("\n");
      const { result, interview } = await run(other, (question, state) => {
        // A question whose reply is in a whole line is not put again.
        const replied = new RegExp(
          `"type":"(answer.recorded|question.closed|round.opted-out)"[^\\n]*"question_id":"${question.id}"`,
        );
        if (question.kind !== "bridge")
          expect(replied.test(before), `${question.id} after line ${index + 1}`).toBe(false);
        expect(answered.has(question.id)).toBe(false);
        if (question.kind !== "bridge") answered.add(question.id);
        const isSecond = question.kind === "round" && state.round_count === 2;
        return isSecond ? user({ as: "opt-out" }) : answering()(question, state);
      });
      expect(result.type).toBe("done");
      expect(interview.state().asked.map(({ question }) => question.id)).toEqual(given);
      expect(timeless(read(other, path)), `after line ${index + 1}`).toBe(spec);
    }
  }, 30_000);
});
