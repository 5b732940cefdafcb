/** What a user can do about a provider that failed, beside going on later (exit 5). */
import { type DeepInterviewError, ModelError, ModelReplyError } from "../errors.ts";

const advice: readonly (readonly [RegExp, string])[] = [
  [/\b40[13]\b|authentication|permission/i, "Check the key in ANTHROPIC_API_KEY."],
  [/\b404\b|not_found/i, "Check the model's name (--model) and ANTHROPIC_BASE_URL."],
  [
    /connect|ECONN|ENOTFOUND|EAI_AGAIN|fetch failed|network|timed out/i,
    "Check the network and ANTHROPIC_BASE_URL, if it is set.",
  ],
];

/** The same error with what helps against it and the command that goes on from here; any other error as it is. */
export function explainProvider(error: unknown, goOn: string): unknown {
  if (!(error instanceof ModelError) && !(error instanceof ModelReplyError)) return error;
  const help = error instanceof ModelError ? advice.find(([sign]) => sign.test(error.message))?.[1] : undefined;
  const next = [...(help === undefined ? [] : [help]), `Nothing is lost: ${goOn}`].join(" ");
  const options = { next, cause: error };
  const told: DeepInterviewError =
    error instanceof ModelError
      ? new ModelError(error.code, error.message, options)
      : new ModelReplyError(error.code, error.message, options);
  return told;
}
