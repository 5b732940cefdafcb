/** A whole interview in this process, over the real store, prompts and SDK, timed turn by turn. */
import { createHash, randomUUID } from "node:crypto";
import { DeepEvent } from "../src/core/deep/events.ts";
import { createDeepMachine } from "../src/core/deep/machine.ts";
import { startEvent } from "../src/core/deep/start.ts";
import type { Reply } from "../src/core/machine.ts";
import { defaultLimits } from "../src/core/settings.ts";
import { createAnthropic } from "../src/model/anthropic.ts";
import { createModel } from "../src/model/text.ts";
import type { Asker, Clock } from "../src/ports.ts";
import { createCatalog } from "../src/prompt/catalog.ts";
import { loadLanguages } from "../src/prompt/languages.ts";
import { createPrompts } from "../src/prompt/render.ts";
import { openInterview } from "../src/run/interview.ts";
import { runLoop } from "../src/run/loop.ts";
import { openStore } from "../src/store/store.ts";
import type { Loopback } from "./server.ts";

export interface Turn {
  /** From the answer to the next question, less the time in which the endpoint had a request. */
  readonly overheadMs: number;
  readonly calls: number;
}

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => undefined };
const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const languages = await loadLanguages();

export async function playTurns(folder: string, server: Loopback): Promise<Turn[]> {
  const store = await openStore({ projectRoot: folder, sessionId: "bench", clock });
  const prompts = createPrompts({
    catalog: createCatalog(),
    getBlob: (sha) => store.getBlob(sha),
    promptBudgetTokens: 4000,
  });
  const env = { ANTHROPIC_API_KEY: "bench-key", ANTHROPIC_BASE_URL: server.url };
  const model = createModel({ transport: createAnthropic({ env }), prompts, clock });
  const interview = await openInterview({
    machine: createDeepMachine({ languages, sha256 }),
    store,
    clock,
    parse: (line) => DeepEvent.parse(line),
  });
  interview.push([
    startEvent(
      { languages, sha256 },
      {
        interviewId: randomUUID(),
        sessionId: "bench",
        idea: "Build a tool that does its work step by step",
        threshold: 0.05,
        thresholdSource: "default",
        limits: { ...defaultLimits, softWarningRound: 30, scoringSamples: 1 },
        model: model.label,
        type: "greenfield",
        language: "en",
        signals: { source: false, packages: false, git: false },
        names: new Set(),
        researchSetup: false,
        deliberate: false,
        scripted: false,
        notices: [],
      },
    ),
  ]);
  const turns: Turn[] = [];
  let answered: number | null = null;
  const asker: Asker = {
    async ask(question) {
      if (answered !== null)
        turns.push({ overheadMs: performance.now() - answered - server.busyMs(), calls: server.requests() });
      if (question.kind === "bridge") return null;
      const reply: Reply = { options: [question.options[0]?.id ?? "a"], text: null, as: null, by: "user" };
      server.reset();
      answered = question.kind === "round" ? performance.now() : null;
      return reply;
    },
    askMany: async () => [],
    tell: () => undefined,
    working: () => () => undefined,
  };
  const explorer = { signals: async () => ({ source: false, packages: false, git: false }), scan: async () => ({}) };
  await runLoop(
    interview,
    { model, prompts, asker, store, explorer, clock, hash: { sha256 } },
    new AbortController().signal,
  );
  return turns;
}
