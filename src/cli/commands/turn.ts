/** `start`, `next`, `answer`: the turn protocol for agent hosts. Each call prints one object and exits (cli.md). */
import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import * as z from "zod";
import { findAsked } from "../../core/deep/state.ts";
import { type Question, type Reply, ReplyAs } from "../../core/machine.ts";
import { answerHash, findOption } from "../../core/replies.ts";
import { thresholdLine } from "../../core/settings.ts";
import { type ExitCode, StateError, UsageError } from "../../errors.ts";
import type { Model, Prompts } from "../../ports.ts";
import type { DeepInterview } from "../../run/begin.ts";
import { createExplorer } from "../../run/explore.ts";
import { type Given, type Move, move, takeReply } from "../../run/turn.ts";
import { startDeep } from "../begin.ts";
import {
  clock,
  createModelFor,
  createPrompting,
  type Env,
  findPlace,
  hash,
  loadConfig,
  type Place,
  readSettings,
} from "../deps.ts";
import type { Streams } from "../drive.ts";
import type { AnswerFlags, StartFlags } from "../options.ts";
import { createOutput, type Output } from "../output.ts";
import type { StepOutput } from "../outputs.ts";
import { explainProvider } from "../provider.ts";
import { findSession, openSession, requireStarted, type Session, shownId } from "../session.ts";
import { watchSignals } from "../signals.ts";

interface Turning {
  readonly place: Place;
  readonly session: Session;
  readonly interview: DeepInterview;
  readonly model: Model;
  readonly prompts: Prompts;
  readonly output: Output;
}

export async function startCommand(
  words: readonly string[],
  flags: StartFlags,
  env: Env,
  streams: Streams,
): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput("json", { out: streams.stdout, err: streams.stderr });
  return afresh(async () => {
    const started = await startDeep({ words, flags, place, output, streams, scripted: false });
    return print({ place, output, ...started });
  });
}

export async function nextCommand(flags: AnswerFlags, env: Env, streams: Streams): Promise<ExitCode> {
  return afresh(async () => print(await openTurn(flags, env, streams, "next")));
}

export async function answerCommand(flags: AnswerFlags, env: Env, streams: Streams): Promise<ExitCode> {
  const given = await readGiven(flags, streams);
  return afresh(async () => {
    const turning = await openTurn(flags, env, streams, "answer");
    try {
      await takeAll(turning, given);
    } catch (error) {
      // Of several answers, some may have been taken; else the snapshot follows with the step.
      await turning.interview.settle();
      throw error;
    }
    return print(turning);
  });
}

/** Another process may have appended since this one looked: then look again and decide anew (state.md). */
async function afresh<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StateError) || error.code !== "conflict" || tries >= maxTries) throw error;
    }
  }
}

const maxTries = 5;

async function takeAll({ interview }: Turning, given: readonly Given[]): Promise<void> {
  // Known before the first is taken: a host is not left with half of what it sent.
  const unknown = given.find((one) => findAsked(interview.state(), one.questionId) === undefined);
  if (unknown !== undefined) await takeReply(interview, unknown, null, () => "");
  for (const one of given) {
    const state = interview.state();
    const asked = findAsked(state, one.questionId);
    const isPending = state.pending === one.questionId && state.stage.type !== "finished";
    const standing =
      asked === undefined ? null : { question: asked.question, isPending, answerHash: asked.answer_hash };
    if (state.stage.type === "finished" && asked?.status === "pending") throw isOver(state.session_id);
    const hashOf = (question: Question, reply: Reply) =>
      answerHash(hash.sha256, {
        ...reply,
        options: reply.options.map((name) => findOption(question, name)?.label ?? name),
      });
    try {
      await takeReply(interview, one, standing, hashOf);
    } catch (error) {
      throw withOptions(error, asked?.question);
    }
  }
}

/** An option that the question does not have: what it has. */
function withOptions(error: unknown, question: Question | undefined): unknown {
  if (!(error instanceof UsageError) || error.code !== "unknown-option" || question === undefined) return error;
  const names = question.options.map((option) => `${option.id} (${option.label})`);
  const next = names.length === 0 ? "It has none: answer with --text." : `One of: ${names.join(", ")}.`;
  return new UsageError(error.code, error.message, { next, cause: error });
}

function isOver(sessionId: string): StateError {
  return new StateError("finished", "the interview is over, and takes no answer", {
    next: `A cancelled one goes on with: deep-interview resume --session ${shownId(sessionId)}`,
  });
}

async function openTurn(flags: AnswerFlags, env: Env, streams: Streams, command: string): Promise<Turning> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput("json", { out: streams.stdout, err: streams.stderr });
  const sessionId = await findSession(place, flags.session, command);
  const [settings, config] = await Promise.all([readSettings(place, {}), loadConfig()]);
  const session = await openSession(place, sessionId, config, settings, output.notice);
  const interview = await session.open();
  requireStarted(interview, sessionId);
  const prompts = createPrompting(session.store, flags.prompts, interview.state().limits.promptBudgetTokens);
  const wanted =
    flags.model === "auto" && interview.state().options.model === "offline rules" ? "offline" : flags.model;
  const model = await createModelFor(
    { model: wanted, env: place.env, settings, scripted: false },
    session.store,
    prompts,
    config,
  );
  return { place, session, interview, model, prompts, output };
}

const AnswerFile = z.strictObject({
  answers: z.array(
    z.strictObject({
      question: z.string(),
      options: z.array(z.string()).default([]),
      text: z.string().nullable().default(null),
      as: ReplyAs.exclude(["defer"]).nullable().default(null),
    }),
  ),
});

async function readGiven(flags: AnswerFlags, streams: Streams): Promise<Given[]> {
  if (flags.input !== undefined) {
    const file = AnswerFile.safeParse(await readInput(flags.input, streams));
    if (!file.success) {
      throw new UsageError("answer-input", `the answers do not fit: ${z.prettifyError(file.error)}`, {
        next: 'Give {"answers":[{"question":"q1","options":["a"],"text":null}]}.',
      });
    }
    return file.data.answers.map(({ question, options, text, as }) => ({
      questionId: question,
      reply: { options, text, as, by: "user" },
    }));
  }
  if (flags.question === undefined) {
    throw new UsageError("question", "say which question is answered", {
      next: "--question <id>, as the pending step names it.",
    });
  }
  const reply: Reply = { options: flags.option, text: flags.text ?? null, as: flags.as ?? null, by: "user" };
  return [{ questionId: flags.question, reply }];
}

async function readInput(input: string, streams: Streams): Promise<unknown> {
  const name = input === "-" ? "standard input" : input.replace(/^@/, "");
  try {
    return JSON.parse(input === "-" ? await readStream(streams.stdin) : await readFile(name, "utf8"));
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new UsageError("answer-input", isMissing ? `${name} does not exist` : `${name} cannot be read as JSON`, {
      next: "Give --input @FILE, or - for standard input.",
      cause,
    });
  }
}

async function print(turning: Turning): Promise<ExitCode> {
  const { interview, session, model, prompts, place, output } = turning;
  const deps = { model, prompts, store: session.store, explorer: createExplorer(place.projectRoot), clock, hash };
  const abort = new AbortController();
  const goOn = `deep-interview next --session ${shownId(session.store.sessionId)}`;
  const stop = watchSignals(abort, goOn);
  const moved = await move(interview, deps, abort.signal)
    .catch((error: unknown) => {
      throw explainProvider(error, goOn);
    })
    .finally(stop);
  const state = interview.state();
  const value: StepOutput = {
    protocol: "deep-interview/1",
    announcement: thresholdLine(state.threshold, state.threshold_source),
    session_id: session.store.sessionId,
    revision: interview.revision(),
    model: state.options.model,
    report: moved.report,
    step: stepOf(moved.result),
  };
  output.result(value, () => "");
  return 0;
}

const retryAfterMs = 1000;

function stepOf(result: Move["result"]): StepOutput["step"] {
  switch (result.type) {
    case "pending": {
      const [question] = result.questions;
      return result.questions.length === 1 && question !== undefined
        ? { type: "ask", question }
        : { type: "ask-many", questions: [...result.questions] };
    }
    case "working":
      return { type: "working", retry_after_ms: retryAfterMs, holder: result.holder };
    case "stopped":
      return { type: "stopped", reason: result.reason };
    case "done": {
      if (result.question !== null) return { type: "ask", question: result.question };
      const { status, ambiguity, spec_path, handoff } = result.outcome;
      return { type: "done", status, ambiguity, spec_path, handoff };
    }
  }
}
