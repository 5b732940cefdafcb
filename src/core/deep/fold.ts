/** How one event changes the state: a table with one entry an event type, so that a missing one does not compile. */
import type { Stamp } from "../machine.ts";
import type { DeepEvent, DeepEventOf } from "./events.ts";
import type { DeepState } from "./schema.ts";

export type Fold<T extends DeepEvent["type"]> = (state: DeepState, event: DeepEventOf<T> & Stamp) => DeepState;
export type Folds<T extends DeepEvent["type"]> = { readonly [K in T]: Fold<K> };
