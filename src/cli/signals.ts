/** Ctrl-C outside a prompt, a polite kill and a closed terminal: all stop where they are, with everything on disk. */
import { Interrupted } from "../errors.ts";

/** @param next the command that goes on from here; returns what takes the handlers away again */
export function watchSignals(abort: AbortController, next: string): () => void {
  const how = { next: `Go on: ${next}` };
  const onInt = () => abort.abort(new Interrupted("SIGINT", "interrupted; everything so far is saved", how));
  const onTerm = () => abort.abort(new Interrupted("SIGTERM", "terminated; everything so far is saved", how));
  process.once("SIGINT", onInt);
  process.once("SIGTERM", onTerm);
  process.once("SIGHUP", onTerm);
  return () => {
    process.off("SIGINT", onInt);
    process.off("SIGTERM", onTerm);
    process.off("SIGHUP", onTerm);
  };
}
