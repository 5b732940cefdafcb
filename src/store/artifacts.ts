/**
 * The files beside the state that an interview leaves (D10.1, D10.5, D11.2): the spec, its earlier versions, its line in
 * the index, and the state files that other tools go on from. All of it can be done again after a crash in between.
 */
import type { Artifact } from "../core/machine.ts";
import { isRecord } from "./canonical.ts";
import { checkIn, checkSlug, pathIn } from "./layout.ts";
import { sha256 } from "./line.ts";
import { replaceFile } from "./replacement.ts";
import type { Site } from "./site.ts";

const index = "specs/deep-interview-index.jsonl";

function specFile(slug: string): string {
  checkSlug(slug);
  return `specs/deep-interview-${slug}.md`;
}

/** Whether spec and index line are as this artifact wants them. A spec that was edited by hand since stays as it is. */
export function isLaidOut(site: Site, spec: Artifact): boolean {
  const path = specFile(spec.slug);
  checkIn(site.disk, site.session, path);
  return site.disk.look(pathIn(site.session, path)) !== null && isIndexed(readIndex(site), spec);
}

/**
 * Writes the spec, keeps the one that it replaces under `specs/versions`, and adds the index line. The index line comes
 * last: where it stands, the spec was complete once, and is only written again when it is gone.
 */
export async function layOutSpec(site: Site, spec: Artifact): Promise<void> {
  const path = specFile(spec.slug);
  if (sha256(spec.text) !== spec.sha256) throw new Error(`the spec ${spec.slug} does not match its own checksum`);
  checkIn(site.disk, site.session, path);
  const present = site.disk.read(pathIn(site.session, path));
  const lines = readIndex(site);
  const indexed = isIndexed(lines, spec);
  if (present === null) await replaceFile(site, path, spec.text);
  else if (!indexed && sha256(present) !== spec.sha256) {
    await keepVersion(site, spec, present);
    await replaceFile(site, path, spec.text);
  }
  if (indexed) return;
  const { slug, created_at } = spec;
  const line = { slug, stage: "final", path: `${site.session.path}/${path}`, created_at, sha256: spec.sha256 };
  await replaceFile(site, index, [...lines, JSON.stringify(line), ""].join("\n"));
}

/** Copies before the spec is replaced, so that there is one at every moment. Takes the next free number. */
async function keepVersion(site: Site, spec: Artifact, bytes: Buffer): Promise<void> {
  for (let number = Math.max(1, spec.version - 1); ; number += 1) {
    const path = `specs/versions/deep-interview-${spec.slug}.${number}.md`;
    checkIn(site.disk, site.session, path);
    const taken = site.disk.read(pathIn(site.session, path));
    if (taken === null) {
      await replaceFile(site, path, bytes);
      return;
    }
    // A crash came after this very copy.
    if (taken.equals(bytes)) return;
  }
}

/** Whole lines only: what a crash cut off is left out, and gone with the next line that is added. */
function readIndex(site: Site): string[] {
  checkIn(site.disk, site.session, index);
  const text = site.disk.read(pathIn(site.session, index))?.toString("utf8") ?? "";
  return text.split("\n").slice(0, -1);
}

function isIndexed(lines: readonly string[], spec: Artifact): boolean {
  return lines.some((line) => {
    const entry = parse(line);
    if (!isRecord(entry)) return false;
    return entry["slug"] === spec.slug && entry["sha256"] === spec.sha256 && entry["created_at"] === spec.created_at;
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** State files of other tools, made once: from then on they are theirs. */
export async function plantSeeds(site: Site, seeds: Readonly<Record<string, unknown>>): Promise<void> {
  for (const name of missingSeeds(site, seeds)) {
    await replaceFile(site, `state/${name}`, `${JSON.stringify(seeds[name], null, 2)}\n`);
  }
}

export function missingSeeds(site: Site, seeds: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(seeds).filter((name) => {
    if (!/^[a-z0-9][a-z0-9-]*\.json$/.test(name)) throw new Error(`${name} is no name for a state file`);
    checkIn(site.disk, site.session, `state/${name}`);
    return site.disk.look(pathIn(site.session, `state/${name}`)) === null;
  });
}
