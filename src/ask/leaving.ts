/** How a surface tells the loop that the user leaves: as an error, since no reply came and the state is saved. */
import { Interrupted } from "../errors.ts";

const said = "The interview is paused. Everything answered so far is saved.";

/** @param resume the command that goes on from here, such as `deep-interview resume --session ID` */
export function createPause(resume: string): Interrupted {
  return new Interrupted("SIGINT", said, { next: `Go on with: ${resume}` });
}

/** What an aborted signal means: its own reason when it has one, else an interrupt. */
export function reasonOf(signal: AbortSignal, resume: string): Interrupted {
  return signal.reason instanceof Interrupted ? signal.reason : createPause(resume);
}
