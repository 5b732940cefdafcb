/** What went wrong in a request, as a value: which kind, whether another attempt can help, when (faults 24). */
import type { APIError } from "@anthropic-ai/sdk";
import type { Usage } from "../core/machine.ts";
import { reasonOf } from "./secrets.ts";
import type { TransportFault } from "./transport.ts";

/** The parts of the SDK that tell errors apart; it is loaded late. */
export type SdkErrors = Pick<
  typeof import("@anthropic-ai/sdk"),
  "APIError" | "APIUserAbortError" | "APIConnectionError" | "APIConnectionTimeoutError"
>;

const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 409, 429]);
/** Errors that arrive inside a stream have a type and no status. */
const RETRYABLE_TYPE: ReadonlySet<string> = new Set([
  "overloaded_error",
  "api_error",
  "rate_limit_error",
  "timeout_error",
]);

export interface FaultContext {
  readonly sdk: SdkErrors;
  readonly signal: AbortSignal;
  readonly usage: Usage;
  readonly secrets: readonly string[];
  readonly requestId: string | null;
  /** Whether an answer had begun. */
  readonly isAnswered: boolean;
}

export function faultOf(error: unknown, context: FaultContext): TransportFault {
  const { sdk, signal, usage, secrets } = context;
  const base = { ok: false, status: null, retryAfter: null, usage, requestId: context.requestId } as const;
  if (signal.aborted || error instanceof sdk.APIUserAbortError) {
    return { ...base, kind: "aborted", retryable: false, message: "aborted" };
  }
  if (error instanceof sdk.APIConnectionTimeoutError) {
    return { ...base, kind: "timeout", retryable: true, message: "the provider did not answer in time" };
  }
  if (error instanceof sdk.APIConnectionError) {
    const why = reasonOf(causeOf(error), secrets);
    return { ...base, kind: "connection", retryable: true, message: `the provider could not be reached: ${why}` };
  }
  if (error instanceof sdk.APIError) return statusFault(error, base, secrets);
  const why = reasonOf(causeOf(error), secrets);
  // A credential that is missing or malformed is found before anything is sent.
  if (!context.isAnswered) {
    return { ...base, kind: "setup", retryable: false, message: `the request could not be made: ${why}` };
  }
  return { ...base, kind: "stream", retryable: true, message: `the answer broke off: ${why}` };
}

type Base = Pick<TransportFault, "ok" | "status" | "retryAfter" | "usage" | "requestId">;

function statusFault(error: APIError, base: Base, secrets: readonly string[]): TransportFault {
  const { status, headers } = error;
  const said = reasonOf(error.apiMessage ?? error.message, secrets);
  if (status === undefined) {
    const retryable = error.type === null || RETRYABLE_TYPE.has(error.type);
    return { ...base, kind: "stream", retryable, message: `the provider broke the answer off: ${error.type ?? said}` };
  }
  return {
    ...base,
    kind: "status",
    status,
    retryable: RETRYABLE_STATUS.has(status) || status >= 500,
    retryAfter: retryAfterOf(headers),
    message: `the provider answered ${status}: ${said}`,
    requestId: error.requestID ?? base.requestId,
  };
}

/** Seconds or a date; the millisecond form goes before. */
function retryAfterOf(headers: Headers | undefined): string | null {
  const ms = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  return ms > 0 ? String(ms / 1000) : (headers?.get("retry-after") ?? null);
}

/** The innermost cause: `ECONNREFUSED` says more than `fetch failed`. */
function causeOf(error: unknown): string {
  let deepest = error;
  for (let depth = 0; depth < 5 && deepest instanceof Error && deepest.cause instanceof Error; depth += 1) {
    deepest = deepest.cause;
  }
  if (!(deepest instanceof Error)) return String(deepest);
  const code = Reflect.get(deepest, "code");
  return typeof code === "string" && !deepest.message.includes(code) ? `${code} ${deepest.message}` : deepest.message;
}
