/**
 * Driving an interview from a terminal, a pipe or an answers file until it is done, paused or stuck, and what is printed
 * and exited with then. The rules are the machine's; this only chooses who is asked.
 */
import { readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { Say } from "../ask/words.ts";
import type { Config } from "../core/deep/phrase.ts";
import { pendingQuestion } from "../core/deep/state.ts";
import type { Message, Question } from "../core/machine.ts";
import { visible } from "../core/text.ts";
import { type ExitCode, Interrupted, StateError, UsageError } from "../errors.ts";
import type { Asker, Model, Prompts } from "../ports.ts";
import type { DeepInterview } from "../run/begin.ts";
import { createExplorer } from "../run/explore.ts";
import { type LoopResult, runLoop } from "../run/loop.ts";
import type { OpenStore } from "../store/store.ts";
import { clock, hash, type Place } from "./deps.ts";
import { createSay } from "./language.ts";
import type { Output } from "./output.ts";
import type { RunOutput } from "./outputs.ts";
import { explainProvider } from "./provider.ts";
import { shownId } from "./session.ts";
import { watchSignals } from "./signals.ts";

export interface Streams {
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number; rows?: number };
}

export type OnUnanswered = "ask" | "fail" | "defer" | "assume";

export interface Driving {
  readonly place: Place;
  readonly config: Config;
  readonly store: OpenStore;
  readonly interview: DeepInterview;
  readonly model: Model;
  readonly prompts: Prompts;
  readonly output: Output;
  readonly streams: Streams;
  readonly announcement: string;
  readonly answers: string | undefined;
  readonly onUnanswered: OnUnanswered | undefined;
}

export async function drive(driving: Driving): Promise<ExitCode> {
  const { store, interview, model, prompts, place } = driving;
  const abort = new AbortController();
  const resume = `deep-interview resume --session ${shownId(store.sessionId)}`;
  const stop = watchSignals(abort, resume);
  const before = interview.state();
  const wasDone = before.stage.type === "finished" || pendingQuestion(before)?.kind === "bridge";
  const script = await createAsker(driving, abort);
  try {
    const deps = {
      model,
      prompts,
      asker: script.asker,
      store,
      explorer: createExplorer(place.projectRoot),
      clock,
      hash,
    };
    const result = await runLoop(interview, deps, abort.signal);
    for (const entry of script.unused()) driving.output.notice(`never used: ${entry}`);
    return finish(driving, result, wasDone);
  } catch (error) {
    throw explainProvider(error, resume);
  } finally {
    stop();
  }
}

interface Script {
  readonly asker: Asker;
  readonly unused: () => string[];
}

async function createAsker(driving: Driving, abort: AbortController): Promise<Script> {
  const { answers, streams, output, place } = driving;
  const say = createSay(driving.config, driving.interview.state);
  const human = output.format === "text" ? streams.stdout : streams.stderr;
  const isTerminal = streams.stdin.isTTY === true && human.isTTY === true && place.env["TERM"] !== "dumb";
  const scripted = answers !== undefined || driving.onUnanswered === "defer" || driving.onUnanswered === "assume";
  const onUnanswered = driving.onUnanswered ?? (isTerminal ? "ask" : "fail");
  const asksPerson = !scripted || onUnanswered === "ask";
  const person = asksPerson ? await createPerson(driving, { human, isTerminal, say, abort }) : null;
  if (!scripted && person !== null) return { asker: streaming(person, output), unused: () => [] };
  const [{ createScriptedAsker }, { readAnswers }, { createDisplay }] = await Promise.all([
    import("../ask/scripted.ts"),
    import("../ask/answers.ts"),
    import("../ask/display.ts"),
  ]);
  const before = driving.interview.state();
  const script = createScriptedAsker({
    answers: answers === undefined ? { file: "", entries: [] } : await readAnswers(await readText(answers), answers),
    onUnanswered,
    person,
    isUserOnly: (question) => isUserOnly(driving.interview, question),
    answered: before.asked.flatMap((asked) => (asked.status === "pending" ? [] : [asked.question])),
    lastBy: before.inbox?.reply.by ?? "script",
    ...createDisplay({ output: human, say, env: place.env }),
  });
  return { asker: streaming(script, output), unused: () => script.unused() };
}

interface Scene {
  readonly human: Streams["stdout"];
  readonly isTerminal: boolean;
  readonly say: Say;
  readonly abort: AbortController;
}

async function createPerson(driving: Driving, { human, isTerminal, say, abort }: Scene): Promise<Asker> {
  const { streams, place, store } = driving;
  const other = driving.config.languages.lexicons.flatMap((lexicon) => lexicon.other);
  const resume = `deep-interview resume --session ${shownId(store.sessionId)}`;
  if (!isTerminal) {
    const { createLineAsker } = await import("../ask/line.ts");
    // Off a terminal, progress is nothing that whoever reads the questions waits for.
    const progress = human.isTTY === true ? human : streams.stderr;
    return createLineAsker({ input: streams.stdin, output: human, progress, say, other, resume });
  }
  const { createTerminalAsker } = await import("../ask/terminal.ts");
  const interrupt = () =>
    abort.abort(new Interrupted("SIGINT", "interrupted; everything so far is saved", { next: `Go on: ${resume}` }));
  return createTerminalAsker({ input: streams.stdin, output: human, env: place.env, say, other, resume, interrupt });
}

/** D3.6: whether a question is one that nobody but the user may answer. */
function isUserOnly(interview: DeepInterview, question: Question): boolean {
  return interview.state().asked.some((asked) => asked.question.id === question.id && asked.aim?.user_only === true);
}

/** With `stream-json`, everything told and asked is an object of its own as well. */
function streaming(asker: Asker, output: Output): Asker {
  if (output.format !== "stream-json") return asker;
  return {
    ...asker,
    async ask(question, context) {
      output.event({ type: "question", question });
      return asker.ask(question, context);
    },
    tell(message: Message) {
      output.event(
        message.type === "report"
          ? { type: "report", report: message.view }
          : { type: message.type, text: message.text },
      );
      asker.tell(message);
    },
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new UsageError("answers-file", `${file} cannot be read`, {
      next: "Give the path of a YAML or JSON file.",
      cause,
    });
  }
}

/** What the run came to: printed, and as an exit code (cli.md). */
function finish(driving: Driving, result: LoopResult, wasDone: boolean): ExitCode {
  const { output, store } = driving;
  const resume = `deep-interview resume --session ${shownId(store.sessionId)}`;
  switch (result.type) {
    case "working":
      throw new StateError("working", `another process (${result.holder}) has this interview's model call in hand`, {
        next: resume,
      });
    case "stopped":
      output.result(
        resultOf(driving, { status: "STOPPED", question: null, next: resume }),
        () => `Stopped: ${result.reason}\nGo on: ${resume}`,
      );
      return 3;
    case "pending": {
      const question = result.questions[0] ?? null;
      const text = question === null ? "" : visible(`${question.header ?? ""}\n${question.text}\n`);
      output.result(
        resultOf(driving, { status: "PENDING", question, next: resume }),
        () => `\nNobody answered:\n${text}\nThe interview is saved. Go on: ${resume}`,
      );
      return 4;
    }
    case "done": {
      const { status, passed } = result.outcome;
      const value = resultOf(driving, { status, question: null, next: result.outcome.handoff });
      // Told while it came about, unless that was in another process.
      output.result(value, () => (wasDone ? drawEnd(value) : ""));
      return passed ? 0 : 3;
    }
  }
}

function drawEnd({ status, spec_path, handoff, next }: RunOutput): string {
  return [
    `This interview is over: ${status}`,
    ...(spec_path === null ? [] : [`Spec: ${spec_path}`]),
    ...(handoff === null ? [] : [`Chosen way on: ${handoff}`]),
    ...(next === null || next === handoff ? [] : [next]),
  ].join("\n");
}

function resultOf(driving: Driving, parts: Pick<RunOutput, "status" | "question" | "next">): RunOutput {
  const { interview, store, announcement } = driving;
  const state = interview.state();
  return {
    ok: true,
    announcement,
    session_id: store.sessionId,
    interview_id: state.interview_id,
    model: state.options.model,
    status: parts.status,
    ambiguity: state.current_ambiguity,
    threshold: state.threshold,
    rounds: state.round_count,
    spec_path: state.spec?.path ?? null,
    handoff: state.handoff?.to ?? null,
    question: parts.question,
    next: parts.next,
    usage: state.meter,
  };
}
