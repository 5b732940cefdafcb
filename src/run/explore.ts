/**
 * D1.1, D1.2: the project as the interview may see it: read-only, bounded in files, bytes and depth, without links,
 * secrets, binaries and what git ignores. Nothing in it is ever an instruction; what is found goes on as data.
 */
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import type { ProjectScan, ProjectSignals } from "../core/deep/finding.ts";
import type { Explorer } from "../ports.ts";
import type { EarlierBounds } from "./earlier.ts";
import type { ScanBounds } from "./scan.ts";
import { findRepository, hasHistory, isManifest, isSourceFile } from "./signals.ts";
import { type Found, type WalkBounds, walk } from "./walk.ts";

export interface ExploreBounds {
  readonly look: WalkBounds;
  readonly walk: WalkBounds;
  readonly scan: ScanBounds;
  readonly earlier: EarlierBounds;
}

/** The port, with what it gives for a deep interview. */
export interface ProjectExplorer extends Explorer {
  signals(): Promise<ProjectSignals>;
  scan(idea: string): Promise<ProjectScan>;
}

const KIB = 1024;

export const exploreBounds: ExploreBounds = {
  look: { entries: 5_000, depth: 6 },
  walk: { entries: 30_000, depth: 14 },
  scan: {
    opened: 250,
    fileBytes: 64 * KIB,
    totalBytes: 4 * KIB * KIB,
    listed: 80,
    symbols: 16,
    excerpts: 6,
    excerptChars: 1_500,
  },
  earlier: { artifacts: 60, fileBytes: 64 * KIB, excerptChars: 2_000 },
};

/** Ends of the idea beyond which its words no longer rank anything. */
const maxIdeaChars = 8_000;

/**
 * Looks at the project in `root`, a folder. `home` bounds the search for a git repository above it. Neither method
 * rejects for what it finds: an unreadable or missing folder is an empty one.
 */
export function createExplorer(
  root: string,
  options: { readonly bounds?: ExploreBounds; readonly home?: string } = {},
): ProjectExplorer {
  const bounds = options.bounds ?? exploreBounds;
  const open = async () => {
    const real = await realpath(root).catch(() => root);
    const home = await realpath(options.home ?? homedir()).catch(() => "");
    return { real, repository: await findRepository(real, home) };
  };
  return {
    async signals() {
      const { real, repository } = await open();
      const found = { source: false, packages: false };
      await walk(real, repository?.top ?? real, bounds.look, (file) => {
        found.source ||= isSourceFile(file.name);
        found.packages ||= isManifest(file.name);
        return !(found.source && found.packages);
      });
      return { ...found, git: repository !== null && (await hasHistory(repository.gitDir)) };
    },
    async scan(idea) {
      // Only an interview about something that exists looks into files.
      const [{ scanFiles }, { findEarlier }] = await Promise.all([import("./scan.ts"), import("./earlier.ts")]);
      const { real, repository } = await open();
      const files: Found[] = [];
      const walked = await walk(real, repository?.top ?? real, bounds.walk, (file) => files.push(file) > 0);
      const words = idea.slice(0, maxIdeaChars);
      const scan = await scanFiles(real, files, words, bounds.scan);
      const earlier = await findEarlier(real, words, bounds.earlier);
      return { ...scan, earlier, truncated: scan.truncated || walked.truncated };
    },
  };
}
