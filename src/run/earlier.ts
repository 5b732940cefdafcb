/**
 * D1.2: the one to three specs and plans of earlier sessions of this project that are closest to the idea. Their text is
 * data for the explore task; the parts that only report numbers and the transcript are left out.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { createMatcher, terms } from "../core/deep/terms.ts";
import { cut } from "../core/text.ts";
import { readText } from "./scan.ts";
import { list } from "./walk.ts";

export interface Earlier {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly excerpt: string;
}

export interface EarlierBounds {
  readonly artifacts: number;
  readonly fileBytes: number;
  readonly excerptChars: number;
}

const kinds = [
  { folder: "specs", name: /^deep-.*\.md$/ },
  { folder: "plans", name: /^.*\.md$/ },
];

/** Fixed labels of a spec that hold no decision. */
const reported: ReadonlySet<string> = new Set([
  "Metadata",
  "Clarity Breakdown",
  "Trigger Metadata",
  "Lateral Review Panel",
  "Ontology Convergence",
  "Interview Transcript",
]);

/** At most three, closest first; unrelated ones only when there is nothing else, and then one. */
export async function findEarlier(root: string, idea: string, bounds: EarlierBounds): Promise<Earlier[]> {
  const match = createMatcher(terms(idea));
  const artifacts: { path: string; text: string; hits: ReadonlySet<string> }[] = [];
  for (const path of (await artifactPaths(root)).slice(0, bounds.artifacts)) {
    const text = (await readText(join(root, path), bounds.fileBytes))?.text;
    if (text !== undefined) artifacts.push({ path, text, hits: match(terms(`${path} ${decisionsOf(text)}`)) });
  }
  const holding = (term: string) => artifacts.filter(({ hits }) => hits.has(term)).length;
  const ranked = artifacts
    .map((artifact) => ({
      ...artifact,
      score: [...artifact.hits].reduce((sum, term) => sum + 1 / holding(term), 0),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const close = ranked.filter(({ score }) => score > 0).slice(0, 3);
  return (close.length > 0 ? close : ranked.slice(0, 1)).map(({ path, text }) => ({
    path,
    excerpt: cut(decisionsOf(text), bounds.excerptChars),
  }));
}

/** Both layouts of sessions; a link in the place of any folder ends the way. */
async function artifactPaths(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const base of [".gjc", ".gjc/sessions"]) {
    for (const session of await folders(root, base)) {
      if (!session.startsWith("_session-")) continue;
      for (const { folder, name } of kinds) {
        const path = `${base}/${session}/${folder}`;
        if (!(await isOwnFolder(root, path))) continue;
        const files = (await list(join(root, path))).filter((entry) => entry.isFile() && name.test(entry.name));
        found.push(...files.map((entry) => `${path}/${entry.name}`));
      }
    }
  }
  return found;
}

async function folders(root: string, path: string): Promise<string[]> {
  if (!(await isOwnFolder(root, path))) return [];
  return (await list(join(root, path))).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** A folder on a way without links. */
async function isOwnFolder(root: string, path: string): Promise<boolean> {
  const steps = path.split("/");
  for (let length = 1; length <= steps.length; length += 1) {
    const entry = await lstat(join(root, ...steps.slice(0, length))).catch(() => null);
    if (!entry?.isDirectory()) return false;
  }
  return true;
}

/** The sections that later work rests on. A document without headings is taken whole. */
function decisionsOf(text: string): string {
  const sections = text.split(/^(?=## )/m);
  const kept = sections.filter(
    (section) => !reported.has(/^## (.*)$/m.exec(section.split("\n", 1)[0] ?? "")?.[1]?.trim() ?? ""),
  );
  return kept.join("").trim();
}
