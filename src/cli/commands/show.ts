/** `show` and `sessions`: looking at one interview, and at all of them. */
import { answerOf } from "../../core/deep/inputs.ts";
import type { DeepState } from "../../core/deep/schema.ts";
import { dimensionsOf } from "../../core/deep/score.ts";
import { pendingQuestion } from "../../core/deep/state.ts";
import { percent } from "../../core/ratio.ts";
import { cut, visible } from "../../core/text.ts";
import { type ExitCode, UsageError } from "../../errors.ts";
import { removeSession } from "../../store/sessions.ts";
import { clock, type Env, findPlace, loadConfig, readSettings } from "../deps.ts";
import type { Streams } from "../drive.ts";
import { formatOf, type ResumeFlags } from "../options.ts";
import { createOutput } from "../output.ts";
import type { SessionsOutput, ShowOutput } from "../outputs.ts";
import { findSession, openSession, requireStarted, shownId } from "../session.ts";
import { summarise } from "../summaries.ts";

export async function showCommand(flags: ResumeFlags, env: Env, streams: Streams): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const sessionId = await findSession(place, flags.session, "show");
  const [config, settings] = await Promise.all([loadConfig(), readSettings(place, {})]);
  const session = await openSession(place, sessionId, config, settings, output.notice);
  const interview = await session.open();
  requireStarted(interview, sessionId);
  const view = showOf(interview.state());
  output.result(view, () => drawShow(view));
  return 0;
}

function showOf(state: DeepState): ShowOutput {
  const dimensions = dimensionsOf(state.type);
  const ontology = state.ontology_snapshots.at(-1);
  return {
    session_id: state.session_id,
    interview_id: state.interview_id,
    idea: state.initial_idea,
    type: state.type,
    stage: state.stage.type,
    model: state.options.model,
    threshold: state.threshold,
    threshold_source: state.threshold_source,
    ambiguity: state.current_ambiguity,
    milestone: state.ambiguity_milestone,
    rounds: state.rounds.map((round) => ({
      round: round.round,
      component: round.component,
      dimension: round.dimension,
      lifecycle: round.lifecycle,
      question: round.question_text,
      answer: answerOf(round),
      answered_by: round.answered_by,
      ambiguity: round.ambiguity,
    })),
    components: state.topology.components.map(({ id, name, status, clarity_scores }) => ({
      id,
      name,
      status,
      scores: Object.fromEntries(dimensions.map((dimension) => [dimension, clarity_scores[dimension]])),
    })),
    facts: state.established_facts.map(({ id, statement, status, source_round }) => ({
      id,
      statement,
      status,
      source_round,
    })),
    entities: (ontology?.entities ?? []).map((entity) => entity.name),
    stability: ontology?.stability_ratio ?? null,
    pending: pendingQuestion(state),
    spec_path: state.spec?.path ?? null,
    usage: state.meter,
  };
}

function drawShow(view: ShowOutput): string {
  const line = (text: string) => visible(text).replace(/\s+/gu, " ").trim();
  const cost = view.usage.usd === null ? "cost unknown" : `$${view.usage.usd.toFixed(4)}`;
  const scores = view.components.map((component) => {
    const parts = Object.entries(component.scores).map(
      ([dimension, score]) => `${dimension} ${score === null ? "-" : percent(score)}`,
    );
    return `  ${line(component.name)} (${component.status}): ${parts.join(", ")}`;
  });
  const rounds = view.rounds.map((round) => {
    const pair = `${round.component ?? "-"} / ${round.dimension ?? "-"}`;
    const came = round.ambiguity === null ? round.lifecycle : percent(round.ambiguity);
    return `  ${round.round ?? "correction"}. [${pair}] ${cut(line(round.question), 100)}\n     > ${cut(line(round.answer), 160)}  (${round.answered_by ?? "nobody"}, ${came})`;
  });
  const facts = view.facts.map(
    (fact) => `  ${fact.id} (${fact.status}, round ${fact.source_round ?? "-"}) ${line(fact.statement)}`,
  );
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ["", title, ...lines]);
  return [
    `Session ${shownId(view.session_id)} · ${view.type} · ${view.stage} · model ${view.model}`,
    `Idea: ${cut(line(view.idea), 300)}`,
    `Ambiguity ${percent(view.ambiguity)} (${view.milestone}), threshold ${percent(view.threshold)} (source: ${view.threshold_source})`,
    ...section("Components", scores),
    ...section("Rounds", rounds),
    ...section("Facts", facts),
    ...section("Entities", view.entities.length === 0 ? [] : [`  ${view.entities.map(line).join(", ")}`]),
    ...section("Pending", view.pending === null ? [] : [`  ${view.pending.id}: ${cut(line(view.pending.text), 200)}`]),
    "",
    `Model: ${view.usage.calls} call(s), ${cost}${view.spec_path === null ? "" : `\nSpec: ${view.spec_path}`}`,
  ].join("\n");
}

export async function sessionsCommand(
  action: string,
  id: string | undefined,
  flags: ResumeFlags,
  env: Env,
  streams: Streams,
): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  if (action === "rm") {
    const sessionId = id ?? flags.session;
    if (sessionId === undefined)
      throw new UsageError("session", "say which session is removed", { next: "deep-interview sessions rm <id>" });
    removeSession({ projectRoot: place.projectRoot, sessionId, clock });
    output.result({ ok: true, removed: sessionId }, () => `Removed session ${shownId(sessionId)}.`);
    return 0;
  }
  const sessions = summarise(place);
  const value: SessionsOutput = {
    sessions: sessions.map((session) => ({
      session_id: session.id,
      idea: session.idea,
      stage: session.stage,
      ambiguity: session.ambiguity,
      rounds: session.rounds,
      updated_at: session.updatedAt,
      spec_path: session.specPath,
      problem: session.problem,
    })),
  };
  output.result(value, () => drawSessions(value));
  return 0;
}

function drawSessions({ sessions }: SessionsOutput): string {
  if (sessions.length === 0) return 'No interviews here yet. Start one: deep-interview "<idea>"';
  return sessions
    .map((session) => {
      const state =
        session.problem ??
        `${session.stage}, ${session.rounds} round(s), ambiguity ${session.ambiguity === null ? "-" : percent(session.ambiguity)}`;
      return `${shownId(session.session_id)}  ${visible(state).replace(/\s+/gu, " ")}\n  ${cut(visible(session.idea).replace(/\s+/gu, " "), 100)}`;
    })
    .join("\n");
}
