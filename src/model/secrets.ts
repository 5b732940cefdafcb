/**
 * Keeps credentials and control characters out of every sentence that leaves the model layer: reasons, logs, records.
 */
import { cut } from "../core/text.ts";

const MARK = "[hidden]";
const PATTERNS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[\w-]{6,}/g,
  /\bey[JK][\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g,
  /\b(?:gh[opsu]_|github_pat_|xox[abp]-|AIza)[\w-]{10,}/g,
  /(?<=\bbearer\s+)[^\s"',;]{6,}/gi,
  /(?<=\b(?:x-api-key|api[_-]?key|auth[_-]?token|access[_-]?token|authorization|password|secret)["']?\s*[:=]\s*["']?)(?!bearer\b)[^\s"',;}]{4,}/gi,
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
];
const MAX_REASON = 400;

/** Hides the given secrets and whatever looks like one. */
export function scrub(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, MARK), text);
  return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, MARK), without);
}

/** One line for a person: scrubbed, without control or direction characters, at most 400 characters. */
export function reasonOf(text: string, secrets: readonly string[] = []): string {
  const line = scrub(text, secrets)
    .replace(/\p{Cc}+|[\u2028\u2029]/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/gu, " ");
  return cut(line.trim(), MAX_REASON);
}

/** The secrets of an environment: keys, tokens and the values of custom headers. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const headers = (env["ANTHROPIC_CUSTOM_HEADERS"] ?? "").split("\n").map((line) => line.slice(line.indexOf(":") + 1));
  const named = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_IDENTITY_TOKEN",
    "ANTHROPIC_WEBHOOK_SIGNING_KEY",
  ];
  return [...named.map((name) => env[name] ?? ""), ...headers]
    .map((value) => value.trim())
    .filter((v) => v.length >= 4);
}
