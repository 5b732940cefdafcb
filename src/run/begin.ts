/**
 * Starting in a session that may hold an interview already (cli.md): the same idea gives its pending step again, another
 * one is refused, a finished interview is put into the archive. The raw text of an oversized idea is kept before the
 * first event names it (D1.3).
 */
import type { DeepEvent } from "../core/deep/events.ts";
import type { Config } from "../core/deep/phrase.ts";
import type { DeepState } from "../core/deep/schema.ts";
import { isOversized, type StartRequest, startEvent } from "../core/deep/start.ts";
import { StateError } from "../errors.ts";
import type { Store } from "../ports.ts";
import type { Interview } from "./interview.ts";

export type DeepInterview = Interview<DeepState, DeepEvent>;

export interface Beginning {
  readonly config: Config;
  readonly store: Store;
  readonly request: StartRequest;
  /** `--new`: an unfinished interview is put aside as well. */
  readonly isNew: boolean;
  /** Moves the session's interview into the archive. */
  readonly archive: (interviewId: string) => Promise<void>;
  /** Opens the journal as it is now. */
  readonly open: () => Promise<DeepInterview>;
}

/** The interview to go on with, and whether it is a new one. */
export async function begin(
  beginning: Beginning,
): Promise<{ readonly interview: DeepInterview; readonly isNew: boolean }> {
  const { config, store, request, open } = beginning;
  let interview = await open();
  if (interview.revision() > 0) {
    const state = interview.state();
    const finished = state.stage.type === "finished";
    if (!finished && !beginning.isNew) {
      if (hasIdea(config, state, request.idea)) return { interview, isNew: false };
      throw new StateError(
        "session-busy",
        `session ${store.sessionId} has an unfinished interview about another idea`,
        {
          next: `Go on with it: deep-interview resume --session ${store.sessionId}. Or put it aside: add --new.`,
        },
      );
    }
    await beginning.archive(state.interview_id);
    interview = await open();
  }
  if (isOversized(request.idea, request.limits)) await store.putBlob(request.idea);
  interview.push([startEvent(config, request)]);
  return { interview, isNew: true };
}

function hasIdea(config: Config, state: DeepState, idea: string): boolean {
  return state.idea_sha256 === null ? state.initial_idea === idea : state.idea_sha256 === config.sha256(idea);
}
