/**
 * Which model a task goes to. One model for everything shares one cache, so that is the default; a setting can name
 * another for a role or for a single task.
 */
import * as z from "zod";

export const DEFAULT_MODEL = "claude-opus-5-5";

/** Model ids by role or by task name; `default` serves the rest. */
export const ModelRoles = z.record(z.string(), z.string().min(1));
export type ModelRoles = z.infer<typeof ModelRoles>;

const ROLES: Readonly<Record<string, readonly string[]>> = {
  interviewer: ["topology", "question", "interpret", "restate", "territory", "wording", "glossary"],
  scorer: ["score", "closure", "infer"],
  panel: ["panel"],
  architect: ["auto-answer", "research", "map-answer"],
  writer: ["crystallize", "summarise"],
  explorer: ["explore"],
};

/** Every key that `ModelRoles` knows beside task names. */
export const roleNames: readonly string[] = ["default", ...Object.keys(ROLES)];

/** The model for a task: the task's own, else its role's, else the default. */
export function modelFor(roles: ModelRoles, task: string): string {
  const role = Object.keys(ROLES).find((name) => ROLES[name]?.includes(task));
  return roles[task] ?? (role === undefined ? undefined : roles[role]) ?? roles["default"] ?? DEFAULT_MODEL;
}
