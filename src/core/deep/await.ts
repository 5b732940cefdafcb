/** Waiting for a model result in a pure machine: it is there, it failed for good, or it has to be run. */
import type { Task } from "../machine.ts";
import type { DeepState } from "./schema.ts";
import { replies, type TaskName, type TaskReply } from "./tasks.ts";

export type Awaited<N extends TaskName> =
  | { readonly status: "done"; readonly value: TaskReply<N> }
  | { readonly status: "failed"; readonly reason: string }
  | { readonly status: "run"; readonly task: Task };

/** The result of a task by its id; a journalled value is parsed again, since a journal is a border. */
export function awaitTask<N extends TaskName>(state: DeepState, name: N, task: Task): Awaited<N> {
  const failure = state.failures[task.id];
  if (failure !== undefined) return { status: "failed", reason: failure };
  if (!(task.id in state.results)) return { status: "run", task };
  const parsed = replies[name].safeParse(state.results[task.id]);
  if (!parsed.success) return { status: "run", task };
  return { status: "done", value: parsed.data as TaskReply<N> };
}
