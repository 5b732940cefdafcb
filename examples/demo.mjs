// A whole interview without a key: the offline interviewer asks, the answers file answers, in a folder made for it.
// From a clone `npm run demo` builds first if the build is missing or older than the source.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = dirname(fileURLToPath(import.meta.url));
const root = dirname(examples);
const main = join(root, "dist", "main.js");

function run(args, options = {}) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", ...options });
  return status ?? 1;
}

function isStale() {
  if (!existsSync(main)) return true;
  const built = statSync(main).mtimeMs;
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > built,
  );
}

if (existsSync(join(root, "build.mjs")) && isStale()) {
  const built = run([join(root, "build.mjs")], { cwd: root });
  if (built !== 0) process.exit(built);
}

const place = mkdtempSync(join(tmpdir(), "deep-interview-demo-"));
// Nobody's key or settings: the demo is the same everywhere.
const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, GJC_SESSION_ID: _session, ...env } = process.env;
const answers = join(examples, "intake-pipeline", "answers.yaml");
const idea = join(examples, "intake-pipeline", "idea.md");
const code = run(
  [
    main,
    "run",
    "--model",
    "offline",
    "--session",
    "demo",
    "--threshold",
    "0.2",
    "--answers",
    answers,
    "--idea-file",
    idea,
  ],
  { cwd: place, env: { ...env, GJC_CONFIG_DIR: join(place, "config") } },
);

const specs = join(place, ".gjc", "_session-demo", "specs");
for (const name of existsSync(specs) ? readdirSync(specs).filter((file) => file.endsWith(".md")) : []) {
  console.log(`\n${join(specs, name)}`);
}
process.exitCode = code;
