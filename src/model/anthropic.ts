/**
 * The Anthropic SDK as a transport, loaded at the first call. One request an attempt (retries are ours), streamed; the
 * form that an endpoint takes is found by the ladder. Credentials and base address are those of the environment.
 */
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { faultOf } from "./fault.ts";
import { type Feature, type Ladder, processLadder, refusedFeature } from "./ladder.ts";
import { usageOf } from "./meter.ts";
import {
  findProfile,
  maxTokens,
  type Profile,
  type Profiles,
  profileOf,
  replyTokens,
  shippedProfiles,
} from "./profiles.ts";
import { buildRequest, type Effort, estimateInput, REPLY_TOOL, type Ttl } from "./request.ts";
import { type ModelRoles, modelFor } from "./roles.ts";
import { type Env, loadSdk, readEnv, type Sdk } from "./sdk.ts";
import { scrub, secretsOf } from "./secrets.ts";
import { answerOf, createGathered, type Gathered, gather, gatherWhole } from "./stream.ts";
import type { Call, Form, Plan, Transport, TransportFault, TransportResult } from "./transport.ts";

export interface AnthropicOptions {
  readonly env: Env;
  readonly roles?: ModelRoles;
  readonly profiles?: Profiles;
  /** How long a prefix is kept: an hour while a person answers, five minutes for a script. */
  readonly ttl?: Ttl;
  /** One for all tasks: a change between calls throws the cache away. */
  readonly effort?: Effort;
  readonly ladder?: Ladder;
  /** Where lines of the SDK's log go; standard error by default. Secrets are hidden before. */
  readonly log?: (line: string) => void;
}

const DEFAULT_ENDPOINT = "https://api.anthropic.com";

interface Setup {
  readonly env: Env;
  readonly roles: ModelRoles;
  readonly profiles: Profiles;
  readonly ttl: Ttl;
  readonly effort: Effort;
  readonly ladder: Ladder;
  readonly endpoint: string;
  readonly secrets: readonly string[];
  readonly sdk: () => Promise<Sdk>;
}

/** A transport to the Anthropic API, or to whatever answers at `ANTHROPIC_BASE_URL`. Opens nothing until it is used. */
export function createAnthropic(options: AnthropicOptions): Transport {
  const secrets = secretsOf(options.env);
  const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
  let sdk: Promise<Sdk> | null = null;
  const setup: Setup = {
    env: options.env,
    roles: options.roles ?? {},
    profiles: options.profiles ?? shippedProfiles,
    ttl: options.ttl ?? "1h",
    effort: options.effort ?? "medium",
    ladder: options.ladder ?? processLadder,
    endpoint: scrub(readEnv(options.env, "ANTHROPIC_BASE_URL") ?? DEFAULT_ENDPOINT),
    secrets,
    sdk: () => {
      sdk ??= loadSdk(options.env, (line) => log(scrub(line, secrets)));
      return sdk;
    },
  };
  const modelOf = (task: string): string => modelFor(setup.roles, task);
  return {
    label: modelOf("default"),
    modelFor: modelOf,
    plan: (call) => planCall(setup, call),
    complete: (call, signal) => complete(setup, call, signal),
    simplify(task, form) {
      const model = modelOf(task);
      return setup.ladder.down(endpointOf(setup, model), form, "the reply held no JSON");
    },
  };
}

/** Endpoints differ by model too: a gateway may hand each to another provider. */
function endpointOf(setup: Setup, model: string): string {
  return `${setup.endpoint} ${model}`;
}

function firstForm(profile: Profile): Form {
  return profile.schema ? "schema" : "tool";
}

function planCall(setup: Setup, call: Call): Plan {
  const model = modelFor(setup.roles, call.task);
  const profile = profileOf(setup.profiles, model);
  // The schema is not known before the SDK is loaded; a fixed allowance stands for it.
  return {
    model,
    inputTokens: estimateInput(call) + SCHEMA_TOKENS,
    replyTokens: Math.min(replyTokens(setup.profiles, call.task), profile.max_output_tokens),
    maxOutputTokens: maxTokens(setup.profiles, profile, call.task),
    price: profile.price,
  };
}

const SCHEMA_TOKENS = 2500;

/** One request, and another at once when the endpoint refuses a feature that we can do without. */
async function complete(setup: Setup, call: Call, signal: AbortSignal): Promise<TransportResult> {
  const sdk = await setup.sdk();
  const model = modelFor(setup.roles, call.task);
  const profile = profileOf(setup.profiles, model);
  const endpoint = endpointOf(setup, model);
  const schema = sdk.schemaOf(call.wire);
  let calls = 0;
  for (;;) {
    const rung = setup.ladder.at(endpoint, firstForm(profile));
    const inWords = rung.form === "schema" ? "" : await call.wording(rung.form, JSON.stringify(schema));
    const parts = { call, model, profile, rung, schema, wording: inWords, ...pick(setup) };
    const result = await send(setup, sdk, buildRequest(parts), rung.form, signal);
    calls += 1;
    const usage = { ...result.usage, calls };
    const refused = result.ok ? null : featureOf(result);
    if (refused === null || !stepDown(setup.ladder, endpoint, rung.form, refused)) return { ...result, usage };
  }
}

function pick({ profiles, ttl, effort }: Setup): Pick<Setup, "profiles" | "ttl" | "effort"> {
  return { profiles, ttl, effort };
}

function featureOf(fault: TransportFault): Feature | null {
  return fault.status === 400 || fault.status === 422 ? refusedFeature(fault.message) : null;
}

function stepDown(ladder: Ladder, endpoint: string, form: Form, feature: Feature): boolean {
  const why = `the endpoint refused: ${feature}`;
  switch (feature) {
    case "format":
      return ladder.down(endpoint, form, why);
    case "tool":
      return form === "tool" && ladder.down(endpoint, form, why);
    case "effort":
    case "temperature":
    case "forced-tool":
    case "cache-ttl":
    case "cache":
      return ladder.drop(endpoint, feature, why);
  }
}

async function send(
  setup: Setup,
  sdk: Sdk,
  body: MessageCreateParamsStreaming,
  form: Form,
  signal: AbortSignal,
): Promise<TransportResult> {
  const gathered = createGathered();
  let requestId: string | null = null;
  let isAnswered = false;
  try {
    const { data, response } = await sdk.messages.create(body, { signal }).withResponse();
    requestId = response.headers.get("request-id");
    isAnswered = true;
    if (response.headers.get("content-type")?.includes("application/json") === true) {
      gatherWhole(gathered, await response.json(), setup.ttl);
    } else {
      for await (const event of data) gather(gathered, event, setup.ttl);
    }
    // The SDK ends a stream in silence when it is aborted, and when the other side closes it early.
    if (!gathered.isComplete || signal.aborted) throw new Error("the stream ended before the message did");
  } catch (error) {
    const usage = priced(setup, gathered, body.model);
    return faultOf(error, { sdk: sdk.errors, signal, usage, secrets: setup.secrets, requestId, isAnswered });
  }
  const { text, toolCall } = answerOf(gathered, REPLY_TOOL);
  const usage = priced(setup, gathered, body.model);
  const { stopReason, model } = gathered;
  return { ok: true, text, toolCall, stopReason, form, usage, model: model ?? body.model, requestId };
}

/** By the model that answered, if it says which. */
function priced(setup: Setup, gathered: Gathered, asked: string): ReturnType<typeof usageOf> {
  return usageOf(gathered.tokens, findProfile(setup.profiles, gathered.model ?? asked)?.price ?? null);
}
