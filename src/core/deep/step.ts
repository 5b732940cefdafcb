/** The two orders that nearly every stage gives. */
import type { Step, Task } from "../machine.ts";
import type { DeepEvent } from "./events.ts";

export type DeepStep = Step<DeepEvent>;

export function run(...tasks: Task[]): DeepStep {
  return { type: "run", tasks, concurrency: tasks.length };
}

export function record(...events: DeepEvent[]): DeepStep {
  return { type: "record", events };
}
