/** `run`: an interview from idea to spec, on a terminal, through a pipe or from an answers file. */

import type { ExitCode } from "../../errors.ts";
import { startDeep } from "../begin.ts";
import { type Env, findPlace } from "../deps.ts";
import { drive, type Streams } from "../drive.ts";
import { formatOf, type StartFlags } from "../options.ts";
import { createOutput } from "../output.ts";

export async function runCommand(
  words: readonly string[],
  flags: StartFlags,
  env: Env,
  streams: Streams,
): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const scripted = flags.answers !== undefined || flags.onUnanswered === "defer" || flags.onUnanswered === "assume";
  const started = await startDeep({ words, flags, place, output, streams, scripted });
  const { session, interview, model, prompts, config, announcement } = started;
  output.event({ type: "session", announcement, session_id: session.store.sessionId, model: model.label });
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
    answers: flags.answers,
    onUnanswered: flags.onUnanswered,
  });
}
