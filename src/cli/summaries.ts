/** Every session of a project at a glance, from the snapshots that others read as well. */
import * as z from "zod";
import { DeepInterviewError } from "../errors.ts";
import { createDisk } from "../store/disk.ts";
import { checkPath } from "../store/layout.ts";
import { readState } from "../store/read.ts";
import { listSessions, type SessionEntry } from "../store/sessions.ts";
import { clock, type Place } from "./deps.ts";

export interface Summary {
  readonly id: string;
  readonly idea: string;
  /** What it is at, in words: a stage of the machine, or what became of the interview. */
  readonly stage: string;
  readonly finished: boolean;
  readonly active: boolean;
  readonly ambiguity: number | null;
  readonly rounds: number;
  readonly updatedAt: string;
  readonly specPath: string | null;
  /** What is wrong with it; null when it can be read. */
  readonly problem: string | null;
}

/** What a glance needs of an envelope, ours or another tool's. */
const Glance = z.looseObject({
  active: z.boolean().catch(false),
  updated_at: z.string().catch(""),
  spec_path: z.string().nullable().catch(null),
  state: z
    .looseObject({
      initial_idea: z.string().catch(""),
      current_ambiguity: z.number().nullable().catch(null),
      round_count: z.int().catch(0),
      pending: z.string().nullable().catch(null),
      asked: z.array(z.looseObject({ question: z.looseObject({ id: z.string(), kind: z.string() }) })).catch([]),
      stage: z.looseObject({ type: z.string(), how: z.string().optional() }).catch({ type: "unknown" }),
    })
    .catch({
      initial_idea: "",
      current_ambiguity: null,
      round_count: 0,
      pending: null,
      asked: [],
      stage: { type: "unknown" },
    }),
});

function stageOf({ active, state }: z.infer<typeof Glance>): string {
  const { type, how } = state.stage;
  if (type === "finished") return how === "handoff" || how === undefined ? type : how.replace("-", " ");
  if (!active) return "cleared";
  const isBridge = state.asked.some(({ question }) => question.id === state.pending && question.kind === "bridge");
  return type === "bridge" || isBridge ? "pending approval" : type;
}

/** @throws StateError when the folder of the sessions is a file or a link: it is not looked into. */
function sessionsOf(place: Place): SessionEntry[] {
  checkPath(createDisk(), place.projectRoot, ".gjc", "folder");
  return listSessions(place.projectRoot).filter((entry) => entry.modifiedMs !== null);
}

/** Whether there is a session of this id, whatever state it is in; none is read. Throws as `summarise` does. */
export function hasSession(place: Place, id: string): boolean {
  return sessionsOf(place).some((entry) => entry.id === id);
}

/** @throws StateError when the folder of the sessions is a file or a link: it is not looked into. */
export function summarise(place: Place): Summary[] {
  return sessionsOf(place).flatMap((entry): Summary[] => {
    const base = {
      id: entry.id,
      idea: "",
      stage: "unknown",
      finished: false,
      active: false,
      ambiguity: null,
      rounds: 0,
      updatedAt: "",
      specPath: null,
    };
    try {
      const { state: envelope } = readState({ projectRoot: place.projectRoot, sessionId: entry.id, clock });
      const glance = Glance.parse(envelope);
      return [
        {
          id: entry.id,
          idea: glance.state.initial_idea,
          stage: stageOf(glance),
          finished: glance.state.stage.type === "finished",
          active: glance.active,
          ambiguity: glance.state.current_ambiguity,
          rounds: glance.state.round_count,
          updatedAt: glance.updated_at,
          specPath: glance.spec_path,
          problem: null,
        },
      ];
    } catch (error) {
      if (!(error instanceof DeepInterviewError)) throw error;
      return [{ ...base, problem: error.message }];
    }
  });
}
