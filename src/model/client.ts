/**
 * What is used of the SDK, by name: it is made to be taken in parts, and the whole of it takes as long to load as all the
 * rest of the program. Loaded late, by sdk.ts.
 */
import { BaseAnthropic, type ClientOptions } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "@anthropic-ai/sdk/error";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { Messages } from "@anthropic-ai/sdk/resources/messages";
import type * as z from "zod";
import type { SdkErrors } from "./fault.ts";

export const errors: SdkErrors = { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError };

export function createMessages(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options));
}

/** The JSON schema of a reply in the dialect that the service takes. */
export function toSchema(wire: z.ZodType): Readonly<Record<string, unknown>> {
  return zodOutputFormat(wire).schema;
}
