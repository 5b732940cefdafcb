/** `resume` and `cancel`: going on where any process stopped, or ending it. */
import { thresholdLine } from "../../core/settings.ts";
import type { ExitCode } from "../../errors.ts";
import type { DeepInterview } from "../../run/begin.ts";
import {
  chooseModel,
  createModelFor,
  createPrompting,
  type Env,
  findPlace,
  loadConfig,
  readSettings,
} from "../deps.ts";
import { drive, type Streams } from "../drive.ts";
import { formatOf, type ResumeFlags } from "../options.ts";
import { createOutput } from "../output.ts";
import { findSession, openSession, requireStarted, shownId } from "../session.ts";
import type { Summary } from "../summaries.ts";

const unfinished = (session: Summary) => session.active && !session.finished;

export async function resumeCommand(flags: ResumeFlags, env: Env, streams: Streams): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const sessionId = await findSession(place, flags.session, "resume", unfinished);
  const settings = await readSettings(place, { threshold: flags.threshold });
  const config = await loadConfig();
  const session = await openSession(place, sessionId, config, settings, output.notice);
  const interview = await session.open();
  requireStarted(interview, sessionId);
  const scripted = flags.answers !== undefined;
  const wanted =
    flags.model === "auto" && interview.state().options.model === "offline rules" ? "offline" : flags.model;
  const request = { model: wanted, env: place.env, settings, scripted };
  chooseModel(request);
  const prompts = createPrompting(session.store, flags.prompts, interview.state().limits.promptBudgetTokens);
  const model = await createModelFor(request, session.store, prompts, config);
  goOn(interview, flags.threshold === undefined ? null : settings);
  // The line that follows says it all: what the change itself would tell is the same line again.
  if (flags.threshold !== undefined) await interview.flush();
  const { threshold, threshold_source: source } = interview.state();
  const announcement = thresholdLine(threshold, source);
  output.line(announcement);
  output.event({ type: "session", announcement, session_id: sessionId, model: model.label });
  const { answers, onUnanswered } = flags;
  return drive({
    place,
    config,
    store: session.store,
    interview,
    model,
    prompts,
    output,
    streams,
    announcement,
    answers,
    onUnanswered,
  });
}

/** A cancelled interview goes on; `--threshold` changes the gate by an event (D0.4). */
function goOn(
  interview: DeepInterview,
  changed: { readonly threshold: number; readonly thresholdSource: string } | null,
): void {
  const { stage } = interview.state();
  if (stage.type === "finished" && stage.how === "cancelled") interview.push([{ type: "interview.resumed" }]);
  if (changed === null) return;
  const { threshold, thresholdSource } = changed;
  interview.push([{ type: "threshold.changed", threshold, threshold_source: thresholdSource }]);
}

export async function cancelCommand(flags: ResumeFlags, env: Env, streams: Streams): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const sessionId = await findSession(place, flags.session, "cancel", unfinished);
  const config = await loadConfig();
  const settings = await readSettings(place, {});
  const session = await openSession(place, sessionId, config, settings, output.notice);
  const interview = await session.open();
  requireStarted(interview, sessionId);
  if (interview.state().stage.type !== "finished") interview.push([{ type: "interview.closed", how: "cancelled" }]);
  await interview.flush();
  await interview.settle();
  const value = { ok: true, session_id: sessionId, status: "CANCELLED" };
  output.result(
    value,
    () =>
      `Cancelled session ${shownId(sessionId)}. Its state is kept: deep-interview resume --session ${shownId(sessionId)} goes on with it.`,
  );
  return 0;
}
