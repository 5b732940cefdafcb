/** The SDK, loaded late and set up once: credentials of the environment, no retries of its own, its log in our hands. */
import type { Messages } from "@anthropic-ai/sdk/resources/messages";
import type * as z from "zod";
import type { SdkErrors } from "./fault.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface Sdk {
  readonly messages: Messages;
  readonly errors: SdkErrors;
  /** As `toSchema`; the same object for the same schema. */
  readonly schemaOf: (wire: z.ZodType) => Readonly<Record<string, unknown>>;
}

/** Whether the environment holds a credential that the SDK would use. Its value is not looked at. */
export function hasCredential(env: Env): boolean {
  const has = (name: string): boolean => readEnv(env, name) !== undefined;
  if (has("ANTHROPIC_API_KEY") || has("ANTHROPIC_AUTH_TOKEN") || has("ANTHROPIC_PROFILE")) return true;
  return has("ANTHROPIC_FEDERATION_RULE_ID") && has("ANTHROPIC_ORGANIZATION_ID");
}

/** A variable without surrounding blanks; one that is empty is not set. */
export function readEnv(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/** A stream begins at once; the time for the whole answer is the caller's to keep. */
const FIRST_BYTE_MS = 120_000;

/** `log` gets every line of the SDK's log, secrets and all: it has to hide them. */
export async function loadSdk(env: Env, log: (line: string) => void): Promise<Sdk> {
  const [{ createMessages, errors, toSchema }, { format }] = await Promise.all([
    import("./client.ts"),
    import("node:util"),
  ]);
  const write = (...values: unknown[]): void => log(format(...values));
  const apiKey = readEnv(env, "ANTHROPIC_API_KEY");
  const authToken = readEnv(env, "ANTHROPIC_AUTH_TOKEN");
  const baseURL = readEnv(env, "ANTHROPIC_BASE_URL");
  // Without either the SDK looks for a profile by itself.
  const credential = apiKey !== undefined ? { apiKey } : authToken !== undefined ? { authToken } : {};
  const messages = createMessages({
    ...credential,
    ...(baseURL === undefined ? {} : { baseURL }),
    maxRetries: 0,
    timeout: FIRST_BYTE_MS,
    logger: { error: write, warn: write, info: write, debug: write },
  });
  const schemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();
  return {
    messages,
    errors,
    schemaOf(wire) {
      const schema = schemas.get(wire) ?? toSchema(wire);
      schemas.set(wire, schema);
      return schema;
    },
  };
}
