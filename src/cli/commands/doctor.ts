/** `doctor`: what this machine, its settings, its credentials and its sessions are like; nothing secret is shown. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DeepInterviewError, type ExitCode } from "../../errors.ts";
import { hasCredential } from "../../model/sdk.ts";
import {
  clock,
  createModelFor,
  createPrompting,
  type Env,
  findPlace,
  loadConfig,
  type Place,
  readSettings,
} from "../deps.ts";
import type { Streams } from "../drive.ts";
import { formatOf, type ResumeFlags } from "../options.ts";
import { createOutput } from "../output.ts";
import type { DoctorOutput } from "../outputs.ts";
import { shownId } from "../session.ts";
import { summarise } from "../summaries.ts";

type Check = DoctorOutput["checks"][number];

const ok = (name: string, text: string): Check => ({ name, status: "ok", text, next: null });
const note = (name: string, text: string, next: string | null = null): Check => ({ name, status: "note", text, next });
const problem = (name: string, text: string, next: string | null): Check => ({ name, status: "problem", text, next });

export async function doctorCommand(
  flags: ResumeFlags & { readonly live?: boolean | undefined },
  env: Env,
  streams: Streams,
): Promise<ExitCode> {
  const place = findPlace(env, flags.cwd);
  const output = createOutput(formatOf(flags), { out: streams.stdout, err: streams.stderr });
  const checks = [
    checkNode(process.versions.node),
    ok("project", place.projectRoot),
    ...(await checkSettings(place)),
    checkCredential(env),
    ...(flags.live === true ? [await checkModel(place)] : []),
    ...checkSessions(place),
    await checkIgnored(place),
  ];
  const value: DoctorOutput = { ok: checks.every((check) => check.status !== "problem"), checks };
  output.result(value, () => checks.map(drawCheck).join("\n"));
  if (value.ok) return 0;
  return checks.some((check) => check.status === "problem" && check.name.startsWith("session")) ? 6 : 2;
}

function drawCheck(check: Check): string {
  const mark = { ok: "ok  ", note: "note", problem: "BAD " }[check.status];
  return `${mark} ${check.name}: ${check.text}${check.next === null ? "" : `\n     ${check.next}`}`;
}

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  return fits ? ok("node", version) : problem("node", version, "Install Node 20.19 or newer.");
}

async function checkSettings(place: Place): Promise<Check[]> {
  let settings: Awaited<ReturnType<typeof readSettings>>;
  try {
    settings = await readSettings(place, {});
  } catch (error) {
    if (!(error instanceof DeepInterviewError)) throw error;
    return [problem("settings", error.message, error.next)];
  }
  const changed = settings.values
    .filter((item) => item.source !== "default")
    .map((item) => ok(`setting ${item.key}`, `${JSON.stringify(item.value)} (source: ${item.source})`));
  const threshold = ok("setting ambiguityThreshold", `${settings.threshold} (source: ${settings.thresholdSource})`);
  const rest = changed.filter((check) => check.name !== threshold.name);
  return [threshold, ...rest, ...settings.notices.map((text) => note("settings", text))];
}

function checkCredential(env: Env): Check {
  if (hasCredential(env)) return ok("credential", "found (not shown)");
  return note("credential", "none: `run` uses the offline interviewer", "Set ANTHROPIC_API_KEY to use Claude.");
}

/** One small task, to see that the endpoint answers. */
async function checkModel(place: Place): Promise<Check> {
  if (!hasCredential(place.env)) return note("model", "not asked: there is no credential");
  const [settings, config] = await Promise.all([readSettings(place, {}), loadConfig()]);
  const store = { getBlob: async () => "", sessionId: "doctor" } as never;
  const prompts = createPrompting(store, undefined, settings.limits.promptBudgetTokens);
  const model = await createModelFor(
    { model: "anthropic", env: place.env, settings, scripted: true },
    store,
    prompts,
    config,
  );
  const started = clock.monotonic();
  const outcome = await model.run(
    {
      id: "doctor",
      name: "restate",
      round: null,
      prompt: "restate",
      prefix: null,
      tolerates: "any",
      budget: { tokens: null, usd: null },
      input: {
        language: { tag: "en", instruction: "" },
        type: "greenfield",
        components: [],
        facts: [],
        corrections: [],
        transcript: [],
        idea: "Say hello.",
      },
    },
    { check: () => [] },
  );
  const ms = Math.round(clock.monotonic() - started);
  return outcome.ok
    ? ok("model", `${model.label} answered in ${ms} ms`)
    : problem("model", outcome.reason, "Check the key, the network and ANTHROPIC_BASE_URL.");
}

function checkSessions(place: Place): Check[] {
  let sessions: ReturnType<typeof summarise>;
  try {
    sessions = summarise(place);
  } catch (error) {
    if (!(error instanceof DeepInterviewError)) throw error;
    return [problem("sessions", error.message, error.next)];
  }
  const broken = sessions.filter((session) => session.problem !== null);
  return [
    ok("sessions", `${sessions.length} in ${place.projectRoot}`),
    ...broken.map((session) =>
      problem(
        `session ${shownId(session.id)}`,
        session.problem ?? "",
        `deep-interview state doctor --mode deep-interview --session ${shownId(session.id)}`,
      ),
    ),
  ];
}

async function checkIgnored(place: Place): Promise<Check> {
  try {
    await promisify(execFile)("git", ["check-ignore", "-q", ".gjc/_session-x"], { cwd: place.projectRoot });
    return ok("git", "ignores the sessions");
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
    if (code === 1)
      return note(
        "git",
        "does not ignore .gjc/",
        "Add .gjc/_session-*/ to .gitignore, unless sessions should be committed.",
      );
    return note("git", "this is no git repository");
  }
}
