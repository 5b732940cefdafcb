/**
 * Deliberate breaks of a rule, and whether a test that cites the rule notices. A mutant is applied in a copy of the
 * tree, and only the tests of one file whose titles cite its id are run there.
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../source.ts";

export interface Mutant {
  /** The rule that is broken. */
  readonly id: string;
  /** Source, prompt or fragment file, from the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test file that has to notice. */
  readonly test: string;
  /** What is wrong afterwards, in a few words. */
  readonly note: string;
}

/** A mutant as a line of the list: id, file, find, replace, test, note. */
export type Row = readonly [id: string, file: string, find: string, replace: string, test: string, note: string];

export function readRow([id, file, find, replace, test, note]: Row): Mutant {
  return { id, file, find, replace, test, note };
}

/** `broken`: the mutant did not run, because it does not apply or its file does not load. */
export type Verdict = "killed" | "survived" | "broken";

export interface Result {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** Titles of the tests that failed, or what went wrong. */
  readonly details: readonly string[];
}

/** Left out of the copy: dependencies are linked, the rest is made or not needed. */
const left = /^(?:node_modules|dist|coverage|\.git|\.gjc|test-results\.json|.*\.tgz)$/;

/** Runs mutants in as many copies of the tree as there are jobs; the copies are removed in any case. */
export async function runMutants(
  mutants: readonly Mutant[],
  options: { readonly jobs: number; readonly onResult?: (result: Result) => void },
): Promise<Result[]> {
  const queue = [...mutants];
  const results: Result[] = [];
  const work = async () => {
    const place = copyTree();
    try {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const result = await runMutant(place, mutant);
        results.push(result);
        options.onResult?.(result);
      }
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, mutants.length) }, work));
  return results;
}

function copyTree(): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "mutants-")));
  cpSync(root, place, { recursive: true, filter: (source) => !left.test(relative(root, source)) });
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"), "dir");
  return place;
}

async function runMutant(place: string, mutant: Mutant): Promise<Result> {
  const file = join(place, mutant.file);
  if (!existsSync(file)) return { mutant, verdict: "broken", details: ["no such file"] };
  const original = readFileSync(file, "utf8");
  const parts = original.split(mutant.find);
  if (parts.length !== 2)
    return { mutant, verdict: "broken", details: [`stands in the file ${parts.length - 1} times`] };
  writeFileSync(file, parts.join(mutant.replace));
  try {
    return { mutant, ...judge(await runTests(place, mutant)) };
  } finally {
    writeFileSync(file, original);
  }
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function judge(report: Report | null): Pick<Result, "verdict" | "details"> {
  if (report === null) return { verdict: "broken", details: ["the test run left no report"] };
  const tests = report.testResults.flatMap((result) => result.assertionResults);
  const failed = tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  if (failed.length > 0) return { verdict: "killed", details: failed };
  if (report.numPassedTests > 0) return { verdict: "survived", details: [`${report.numPassedTests} tests passed`] };
  const messages = report.testResults
    .map(({ message }) => message.split("\n", 1)[0] ?? "")
    .filter((line) => line !== "");
  return { verdict: "broken", details: ["no test ran", ...messages] };
}

async function runTests(place: string, { id, test }: Mutant): Promise<Report | null> {
  const output = join(place, "test-results.json");
  rmSync(output, { force: true });
  const vitest = join(place, "node_modules", "vitest", "vitest.mjs");
  const cited = `${id.replace(".", "\\.")}(?!\\d)`;
  const args = [vitest, "run", test, "--root", place, "-t", cited, "--reporter=json", `--outputFile=${output}`];
  // A run inside a run must not take the outer one's settings.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_OPTIONS|NODE_V8)/.test(name)),
  );
  await new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: place, env, stdio: "ignore" });
    child.once("close", resolve);
    child.once("error", resolve);
  });
  return existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : null;
}
