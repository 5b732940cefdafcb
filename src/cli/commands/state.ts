/** `state read | clear | doctor`: the session's state as the seed's other tools use it (state.md, D11.3). */
import * as z from "zod";
import { type ExitCode, UsageError } from "../../errors.ts";
import { clearState } from "../../store/clear.ts";
import { inspectState } from "../../store/inspect.ts";
import { readState } from "../../store/read.ts";
import { clock, type Env, findPlace, type Place } from "../deps.ts";
import type { Streams } from "../drive.ts";
import { formatOf } from "../options.ts";
import { createOutput, type Output } from "../output.ts";
import { findSession, shownId } from "../session.ts";

const Flags = z.object({
  json: z.boolean().optional(),
  output: z.enum(["text", "json", "stream-json"]).optional(),
  session: z.string().optional(),
  sessionId: z.string().optional(),
  cwd: z.string().optional(),
  mode: z.string().default("deep-interview"),
  force: z.boolean().default(false),
  compact: z.boolean().default(false),
  fields: z.string().optional(),
});
type Flags = z.infer<typeof Flags>;

export async function stateCommand(action: string, given: unknown, env: Env, streams: Streams): Promise<ExitCode> {
  const flags = Flags.parse(given);
  if (flags.mode !== "deep-interview") {
    throw new UsageError("mode", `this program keeps no state of "${flags.mode}"`, { next: "--mode deep-interview" });
  }
  if (action !== "read" && action !== "clear" && action !== "doctor") {
    throw new UsageError("state", `state knows no "${action}"`, { next: "read, clear or doctor." });
  }
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const sessionId = await findSession(place, flags.session ?? flags.sessionId, `state ${action}`);
  switch (action) {
    case "read":
      return read(place, sessionId, flags, streams);
    case "clear":
      return clear(place, sessionId, flags, output);
    case "doctor":
      return inspect(place, sessionId, output);
  }
}

function read(place: Place, sessionId: string, flags: Flags, streams: Streams): ExitCode {
  const fields = flags.fields
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const reading = readState({ projectRoot: place.projectRoot, sessionId, clock, fields, compact: flags.compact });
  streams.stdout.write(`${JSON.stringify(reading, null, flags.compact ? 0 : 2)}\n`);
  return 0;
}

async function clear(place: Place, sessionId: string, flags: Flags, output: Output): Promise<ExitCode> {
  if (!flags.force) {
    throw new UsageError("force", "clearing ends the session's interview", {
      next: `If that is meant: deep-interview state clear --force --mode deep-interview --session ${shownId(sessionId)}`,
    });
  }
  const cleared = await clearState({ projectRoot: place.projectRoot, sessionId, clock });
  const value = {
    ok: true,
    session_id: sessionId,
    cleared: cleared.cleared,
    interview_id: cleared.interviewId,
    kept: [...cleared.kept],
  };
  output.result(value, () => {
    if (!cleared.cleared) return `Session ${shownId(sessionId)} has nothing to clear.`;
    return `Cleared session ${shownId(sessionId)}. Everything is kept:\n${cleared.kept.map((path) => `  ${path}`).join("\n")}`;
  });
  return 0;
}

function inspect(place: Place, sessionId: string, output: Output): ExitCode {
  const findings = inspectState({ projectRoot: place.projectRoot, sessionId, clock });
  const ok = findings.every((finding) => finding.severity !== "error");
  output.result({ ok, session_id: sessionId, findings: findings.map((finding) => ({ ...finding })) }, () =>
    findings
      .map(
        (finding) =>
          `${finding.severity.padEnd(7)} ${finding.path}: ${finding.message}${finding.next === null ? "" : `\n        ${finding.next}`}`,
      )
      .join("\n"),
  );
  return ok ? 0 : 6;
}
