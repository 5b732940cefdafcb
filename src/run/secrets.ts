/**
 * D1.2: files that look like secrets are neither opened nor named, and what looks like one in another file's text is
 * hidden before it goes anywhere.
 */
const names: readonly RegExp[] = [
  /^\.env/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate|tfvars|ovpn)(?:\.[\w-]+)?$/i,
  /^id_/i,
  /^\.?credentials?/i,
  /^\.?secrets?(?:\.|$)/i,
  /^\.?(?:npmrc|netrc|_netrc|pypirc|pgpass|htpasswd|git-credentials|yarnrc\.yml|dockercfg|boto|s3cfg)$/i,
  /^(?:service[-_]?account|client[-_]?secret|gcp[-_]?key).*\.json$/i,
  /^\.(?:ssh|aws|azure|gnupg|kube|docker|gcloud|password-store)$/i,
];

/** Whether a file or folder of this name may hold secrets: keys, tokens, environments, credential stores. */
export function hasSecretName(name: string): boolean {
  return names.some((pattern) => pattern.test(name));
}

const hidden = "[hidden]";

const tokens: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}/g,
  /\b(?:gh[opusr]_|github_pat_|glpat-|npm_|xox[abeoprs]-|hf_|dop_v1_)[A-Za-z0-9_-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];

const key = String.raw`((?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|passw(?:or)?d|pwd|credential)[\w-]{0,30}`;
const quoted = new RegExp(`${key}["'\`]?\\s{0,4}[:=]\\s{0,4}["'\`])[^"'\`\\n]{6,}(?=["'\`])`, "gi");
/** Unquoted, only what has a digit in it and is no expression: `password: hunter2x`, not `token = next()`. */
const bare = new RegExp(`${key}\\s{0,4}[:=]\\s{0,4})(?=[^\\s\\d]{0,60}\\d)[\\w+/=-]{8,}(?![\\w.(])`, "gi");
const userInfo = /(\w:\/\/[^\s/:@]{1,80}:)[^\s/@]{1,200}(?=@)/g;

/** The text with keys, tokens and passwords replaced by `[hidden]`. */
export function hideSecrets(text: string): string {
  const masked = tokens.reduce((current, pattern) => current.replace(pattern, hidden), text);
  return masked.replace(quoted, `$1${hidden}`).replace(bare, `$1${hidden}`).replace(userInfo, `$1${hidden}`);
}
