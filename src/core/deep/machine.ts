/**
 * The deep interview as a machine: D0-D11 of the rules, put together. The loop drives it and knows none of them.
 */
import type { Machine } from "../machine.ts";
import type { Code } from "./assist.ts";
import { checkReply } from "./checks.ts";
import { createEnvelope } from "./envelope.ts";
import type { DeepEvent } from "./events.ts";
import { evolve, together } from "./evolve.ts";
import { ProjectScan } from "./finding.ts";
import { outcomeOf, seedsOf, specEvents } from "./finishing.ts";
import { next } from "./next.ts";
import type { Config } from "./phrase.ts";
import { replyTo } from "./replying.ts";
import type { DeepState } from "./schema.ts";
import { blankState } from "./state.ts";
import { tell } from "./tell.ts";

export type DeepMachine = Machine<DeepState, DeepEvent>;

/** `config` holds the language files and a SHA-256; the same config and events always give the same interview. */
export function createDeepMachine(config: Config): DeepMachine {
  const { lexicons } = config.languages;
  const words = {
    other: lexicons.flatMap((lexicon) => lexicon.other),
    placeholder: lexicons.flatMap((lexicon) => lexicon.placeholder),
  };
  const code: Code = { config, words };
  return {
    kind: "deep",
    initial: blankState,
    evolve,
    next: (state) => {
      const step = next(code, state);
      return step.type === "record" ? { ...step, events: together(step.events) } : step;
    },
    reply: (state, question, reply) => {
      const replied = replyTo(config, state, question, reply);
      return "refused" in replied ? replied : together(replied);
    },
    check: (state, task, value) => checkReply(code, state, task, value),
    scanned: (_, scan) => [{ type: "project.scanned", scan: ProjectScan.parse(scan) }],
    written: (state, text, sha256) => specEvents(config, state, text, sha256),
    tell: (before, event, after) => tell(config, before, event, after),
    isAsking: (event) => event.type === "question.asked",
    outcome: outcomeOf,
    envelope: createEnvelope,
    artifact: (event) =>
      event.type === "spec.written"
        ? { slug: event.slug, text: event.text, sha256: event.sha256, version: event.version, created_at: event.at }
        : null,
    seeds: seedsOf,
  };
}
