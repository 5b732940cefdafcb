/** What `run` and `start` have in common: the idea, the settings, the threshold line, the session, the first event. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as readStream } from "node:stream/consumers";
import { namesOf } from "../core/deep/brownfield.ts";
import { ProjectScan } from "../core/deep/finding.ts";
import { languageOf } from "../core/deep/language.ts";
import type { Config } from "../core/deep/phrase.ts";
import { phrase } from "../core/deep/phrase.ts";
import { blankState } from "../core/deep/state.ts";
import { thresholdLine } from "../core/settings.ts";
import { hasWords } from "../core/text.ts";
import { UsageError } from "../errors.ts";
import type { Model, Prompts } from "../ports.ts";
import { begin, type DeepInterview } from "../run/begin.ts";
import { createExplorer } from "../run/explore.ts";
import { chooseModel, createModelFor, createPrompting, ids, loadConfig, type Place, readSettings } from "./deps.ts";
import type { Streams } from "./drive.ts";
import type { StartFlags } from "./options.ts";
import { presetOf } from "./options.ts";
import type { Output } from "./output.ts";
import { nameSession, openSession, type Session } from "./session.ts";

export interface StartParts {
  readonly words: readonly string[];
  readonly flags: StartFlags;
  readonly place: Place;
  readonly output: Output;
  readonly streams: Streams;
  readonly scripted: boolean;
}

export interface Started {
  readonly config: Config;
  readonly session: Session;
  readonly interview: DeepInterview;
  readonly model: Model;
  readonly prompts: Prompts;
  readonly announcement: string;
}

const maxIdeaBytes = 16 * 1024 * 1024;

export async function startDeep(parts: StartParts): Promise<Started> {
  const { flags, place, output } = parts;
  presetOf(flags);
  const idea = await readIdea(parts);
  const custom =
    flags.model === "auto" || flags.model === "anthropic" || flags.model === "offline" || flags.model === "host";
  const settings = await readSettings(place, {
    ...flags,
    model: custom ? undefined : flags.model,
    quick: flags.quick,
    standard: flags.standard,
    deep: flags.deep,
  });
  const request = { model: flags.model, env: place.env, settings, scripted: parts.scripted };
  const kind = chooseModel(request);
  const announcement = thresholdLine(settings.threshold, settings.thresholdSource);
  const config = await loadConfig();
  const sessionId = nameSession(place, flags.session);
  const session = await openSession(place, sessionId, config, settings, output.notice);
  const prompts = createPrompting(session.store, flags.prompts, settings.limits.promptBudgetTokens);
  const model = await createModelFor(request, session.store, prompts, config);
  const explorer = createExplorer(place.projectRoot);
  const signals = await explorer.signals();
  const { interview, isNew } = await begin({
    config,
    store: session.store,
    isNew: flags.new,
    open: session.open,
    archive: (id) => session.store.archiveInterview(id),
    request: {
      interviewId: ids.uuid(),
      sessionId,
      idea,
      threshold: settings.threshold,
      thresholdSource: settings.thresholdSource,
      limits: settings.limits,
      model: model.label,
      type: flags.type,
      language: flags.language ?? null,
      signals,
      names: await namesNear(explorer, idea, signals),
      researchSetup: flags.researchSetup,
      deliberate: flags.deliberate,
      scripted: parts.scripted,
      notices: settings.notices,
    },
  });
  const state = interview.state();
  const line = isNew ? announcement : thresholdLine(state.threshold, state.threshold_source);
  output.line(line);
  for (const notice of settings.notices) output.notice(notice);
  if (kind === "offline" && flags.model === "auto") {
    const language = flags.language === undefined ? null : languageOf(config, flags.language);
    output.notice(phrase(config, { ...blankState, language }, "notice.offline"));
  }
  return { config, session, interview, model, prompts, announcement: line };
}

/** A request so short that it may be a small one is looked up in the project (D1.1); others are not worth the look. */
async function namesNear(
  explorer: ReturnType<typeof createExplorer>,
  idea: string,
  signals: { source: boolean },
): Promise<ReadonlySet<string>> {
  if (!signals.source || idea.length > 160) return new Set();
  return namesOf(ProjectScan.parse(await explorer.scan(idea)));
}

async function readIdea({ words, flags, place, streams }: StartParts): Promise<string> {
  if (flags.ideaFile !== undefined && words.length > 0) {
    throw new UsageError("idea", "the idea is given twice, as words and with --idea-file", {
      next: "Give one of them.",
    });
  }
  const idea = flags.ideaFile === undefined ? words.join(" ") : await readIdeaFile(flags.ideaFile, place, streams);
  if (!hasWords(idea)) {
    throw new UsageError("idea", "there is no idea to interview about", {
      next: 'For example: deep-interview "Build an intake pipeline that ingests CSVs"',
    });
  }
  return idea.trim();
}

async function readIdeaFile(file: string, place: Place, streams: Streams): Promise<string> {
  try {
    const text = file === "-" ? await readStream(streams.stdin) : await readFile(resolve(place.cwd, file), "utf8");
    if (text.length > maxIdeaBytes)
      throw new UsageError("idea-file", `${file} is longer than ${maxIdeaBytes} characters`);
    return text;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError("idea-file", `${file} cannot be read`, {
      next: "Give the path of a text file, or - for standard input.",
      cause,
    });
  }
}
