/**
 * The one place where ports get their adapters. What a command does not need is not loaded: the SDK, the offline rules,
 * the terminal's prompts and the YAML reader come in when they are used.
 */
import { createHash, randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../core/deep/phrase.ts";
import { pickPreset, type ResolvedSettings, resolveSettings, type SettingFlags } from "../core/layers.ts";
import { UsageError } from "../errors.ts";
import { hasCredential } from "../model/sdk.ts";
import type { Clock, Hash, Ids, Model, Prompts, Store } from "../ports.ts";
import { createCatalog } from "../prompt/catalog.ts";
import { loadLanguages, openBanks } from "../prompt/languages.ts";
import { createPrompts } from "../prompt/render.ts";
import { createDisk } from "../store/disk.ts";
import { findProjectRoot } from "../store/layout.ts";
import { readSettings as readLayers } from "../store/settings.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await pause(ms, undefined, signal === undefined ? {} : { signal });
  },
};

export const ids: Ids = { uuid: () => randomUUID() };
export const hash: Hash = { sha256: (text) => createHash("sha256").update(text, "utf8").digest("hex") };

/** Where a command works. */
export interface Place {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly env: Env;
  readonly home: string;
}

export function findPlace(env: Env, cwd: string | undefined): Place {
  const home = env["HOME"] ?? homedir();
  const from = resolve(cwd ?? process.cwd());
  return { cwd: from, projectRoot: findProjectRoot(createDisk(), from, home), env, home };
}

export interface SettingsRequest extends SettingFlags {
  readonly quick?: boolean;
  readonly standard?: boolean;
  readonly deep?: boolean;
}

export async function readSettings(place: Place, request: SettingsRequest): Promise<ResolvedSettings> {
  const { projectRoot, home, env } = place;
  const layers = await readLayers({ projectRoot, home, configDir: env["GJC_CONFIG_DIR"] });
  return resolveSettings({ flags: request, ...layers, preset: pickPreset(request) });
}

export async function loadConfig(): Promise<Config> {
  return { languages: await loadLanguages(), sha256: hash.sha256 };
}

export function createPrompting(store: Store, dir: string | undefined, promptBudgetTokens: number): Prompts {
  return createPrompts({
    catalog: createCatalog({ dir: dir === undefined ? null : resolve(dir) }),
    getBlob: (sha256) => store.getBlob(sha256),
    promptBudgetTokens,
  });
}

export interface ModelRequest {
  /** `auto`, `anthropic`, `offline` or a model id. */
  readonly model: string;
  readonly env: Env;
  readonly settings: ResolvedSettings;
  readonly scripted: boolean;
}

/** What `--model` comes to: `auto` is Anthropic when a credential is found, else the offline rules (cli.md). */
export function chooseModel(request: ModelRequest): "anthropic" | "offline" {
  const { model, env } = request;
  if (model === "offline") return "offline";
  if (model === "host") {
    throw new UsageError("model", "this version has no host model", {
      next: "Use --model auto, anthropic, offline or a model id.",
    });
  }
  if (hasCredential(env)) return "anthropic";
  if (model === "auto") return "offline";
  throw new UsageError("credential", `--model ${model} needs a credential, and none is set`, {
    next: "Set ANTHROPIC_API_KEY, or use --model offline.",
  });
}

export async function createModelFor(
  request: ModelRequest,
  store: Store,
  prompts: Prompts,
  config: Config,
): Promise<Model> {
  if (chooseModel(request) === "offline") {
    const { createOffline } = await import("../model/offline/model.ts");
    return createOffline({
      lexicons: config.languages.lexicons,
      banks: openBanks(),
      getBlob: (sha) => store.getBlob(sha),
    });
  }
  const [{ createAnthropic }, { createModel }, profiles] = await Promise.all([
    import("../model/anthropic.ts"),
    import("../model/text.ts"),
    import("../model/profiles.ts"),
  ]);
  const { settings } = request;
  const overridden =
    settings.modelProfiles === null
      ? profiles.shippedProfiles
      : profiles.overrideProfiles(
          profiles.shippedProfiles,
          settings.modelProfiles.value,
          settings.modelProfiles.source,
        );
  const transport = createAnthropic({
    env: request.env,
    roles: settings.models,
    profiles: overridden,
    ttl: request.scripted ? "5m" : "1h",
  });
  return createModel({ transport, prompts, clock });
}
