/**
 * The first event of an interview (D0.4, D1.1, D1.3, D1.4, D1.6): everything it needs to be replayed without looking at
 * settings, files or clocks again.
 */
import type { Limits } from "../settings.ts";
import { detectType, isSmallRequest, type Names } from "./brownfield.ts";
import type { DeepEventOf } from "./events.ts";
import type { ProjectSignals } from "./finding.ts";
import { maxIdeaChars } from "./intake.ts";
import { languageOf } from "./language.ts";
import type { Config } from "./phrase.ts";
import type { ProjectType } from "./vocabulary.ts";

export interface StartRequest {
  readonly interviewId: string;
  readonly sessionId: string;
  readonly idea: string;
  readonly threshold: number;
  readonly thresholdSource: string;
  readonly limits: Limits;
  readonly model: string;
  readonly type: ProjectType | "auto";
  /** BCP 47, or null: the topology task says. */
  readonly language: string | null;
  readonly signals: ProjectSignals;
  /** Names of files and symbols near the idea, to tell a small request by. */
  readonly names: Names;
  readonly researchSetup: boolean;
  readonly deliberate: boolean;
  readonly scripted: boolean;
  readonly notices: readonly string[];
}

/** Whether the idea is too long to stand in every prompt, so that its raw text is kept as a blob (D1.3). */
export function isOversized(idea: string, limits: Limits): boolean {
  return idea.length > maxIdeaChars(limits.promptBudgetTokens);
}

export function startEvent(config: Config, request: StartRequest): DeepEventOf<"interview.started"> {
  const { idea, limits, signals, names } = request;
  const { lexicons } = config.languages;
  const override = request.type === "auto" ? null : request.type;
  const oversized = isOversized(idea, limits);
  return {
    type: "interview.started",
    interview_id: request.interviewId,
    session_id: request.sessionId,
    idea: oversized ? headAndTail(idea, maxIdeaChars(limits.promptBudgetTokens)) : idea,
    idea_sha256: oversized ? config.sha256(idea) : null,
    idea_chars: idea.length,
    threshold: request.threshold,
    threshold_source: request.thresholdSource,
    limits,
    options: {
      model: request.model,
      research_setup: request.researchSetup,
      deliberate: request.deliberate,
      scripted: request.scripted,
    },
    project_type: detectType({ signals, idea, lexicons, override, names }),
    type_forced: override !== null,
    signals,
    language: request.language === null ? null : languageOf(config, request.language),
    small: isSmallRequest(idea, lexicons, names),
    notices: [...request.notices],
  };
}

/** What stands for an oversized idea when it cannot be summarised: its beginning and its end, where limits tend to be. */
function headAndTail(text: string, max: number): string {
  const characters = [...text];
  const tail = Math.floor(max / 4);
  const head = characters
    .slice(0, max - tail - 3)
    .join("")
    .trimEnd();
  return `${head}\n…\n${characters.slice(-tail).join("").trimStart()}`;
}
