/**
 * The library: the pure machine, the loop that drives it, and the adapters that ship. A program of your own builds its
 * `Deps`, opens an interview and calls `runLoop`; see the README.
 */
export { DeepEvent } from "./core/deep/events.ts";
export { createDeepMachine, type DeepMachine } from "./core/deep/machine.ts";
export type { Config } from "./core/deep/phrase.ts";
export type { DeepState } from "./core/deep/schema.ts";
export { compareSpec, parseSpec } from "./core/deep/spec.ts";
export { type StartRequest, startEvent } from "./core/deep/start.ts";
export type { Languages, Lexicon } from "./core/lexicon.ts";
export type {
  Document,
  Fault,
  Machine,
  Message,
  Option,
  Outcome,
  Question,
  Reply,
  Step,
  Task,
  Usage,
} from "./core/machine.ts";
export { defaultLimits, type Limits } from "./core/settings.ts";
export {
  DeepInterviewError,
  type ExitCode,
  InputNeeded,
  Interrupted,
  ModelError,
  ModelReplyError,
  StateError,
  UsageError,
} from "./errors.ts";
export { createAnthropic } from "./model/anthropic.ts";
export { createOffline } from "./model/offline/model.ts";
export { createModel } from "./model/text.ts";
export type {
  Asker,
  Clock,
  Deps,
  Explorer,
  Hash,
  Ids,
  Model,
  Projection,
  Prompts,
  RenderedPrompt,
  Stamped,
  Store,
  TaskOutcome,
} from "./ports.ts";
export { createCatalog } from "./prompt/catalog.ts";
export { loadBanks, loadLanguages } from "./prompt/languages.ts";
export { createPrompts } from "./prompt/render.ts";
export { createExplorer } from "./run/explore.ts";
export { type Interview, openInterview } from "./run/interview.ts";
export { type LoopResult, runLoop } from "./run/loop.ts";
export { openStore } from "./store/store.ts";
