import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createExplorer } from "../../src/run/explore.ts";
import { addFiles, commitAll, createProject, git } from "./project.ts";

const look = (root: string, home = "/nowhere") => createExplorer(root, { home }).signals();
const nothing = { source: false, packages: false, git: false };

it("D1.1 sees nothing in an empty folder, in one that does not exist, and in one with only sessions", async () => {
  expect(await look(createProject())).toEqual(nothing);
  expect(await look("/nowhere/at/all")).toEqual(nothing);
  expect(await look(createProject({ ".gjc/_session-a/state/x.json": "{}", ".gjc/x.ts": "" }))).toEqual(nothing);
});

it.each([
  ["source", { "src/app.ts": "export {}" }, { source: true, packages: false, git: false }],
  ["source of another language", { "lib/app.rb": "" }, { source: true, packages: false, git: false }],
  ["a manifest", { "package.json": "{}" }, { source: false, packages: true, git: false }],
  ["a nested manifest", { "services/a/go.mod": "module a" }, { source: false, packages: true, git: false }],
  ["notes only", { "notes.md": "# Hi", LICENSE: "MIT" }, nothing],
  ["dependencies only", { "node_modules/a/index.js": "", "node_modules/a/package.json": "{}" }, nothing],
  ["what git ignores", { ".gitignore": "out/\n*.py\n", "out/app.js": "", "gen.py": "" }, nothing],
])("D1.1 tells source and package files apart: %s", async (_name, files, expected) => {
  expect(await look(createProject(files))).toEqual(expected);
});

it("D1.1 takes a repository with a commit as history, and an empty one not (fault 28)", async () => {
  const root = createProject();
  git(root, "init", "-q", "-b", "main");
  expect(await look(root)).toEqual(nothing);
  writeFileSync(join(root, "staged.txt"), "not committed");
  git(root, "add", "-A");
  expect((await look(root)).git).toBe(false);
  git(root, "commit", "-q", "-m", "first");
  expect((await look(root)).git).toBe(true);
});

it("D1.1 finds the history whether refs are loose, packed or HEAD is detached, and on an unborn branch", async () => {
  const root = createProject();
  commitAll(root);
  git(root, "pack-refs", "--all");
  expect((await look(root)).git).toBe(true);
  git(root, "checkout", "-q", "--orphan", "fresh");
  expect((await look(root)).git).toBe(true);
  git(root, "checkout", "-q", "--detach", "main");
  expect((await look(root)).git).toBe(true);
});

it("D1.1 follows the file that a worktree has for a .git folder (fault 28)", async () => {
  const root = createProject();
  const main = join(root, "main");
  mkdirSync(main);
  commitAll(main);
  git(main, "worktree", "add", "-q", join(root, "tree"));
  expect((await look(join(root, "tree"))).git).toBe(true);
  expect((await look(join(root, "tree"), root)).git).toBe(true);
});

it("D1.1 takes a .git file that leads nowhere, and one that is a link, as no repository", async () => {
  const root = createProject({ ".git": "gitdir: /nowhere/else" });
  expect((await look(root)).git).toBe(false);
  const other = createProject();
  commitAll(other);
  const linked = createProject();
  symlinkSync(join(other, ".git"), join(linked, ".git"));
  expect((await look(linked)).git).toBe(false);
});

it("D1.1 sees the repository around a monorepo's folder, with its ignore rules, but not one in the home folder", async () => {
  const root = createProject({ ".gitignore": "generated\n", "packages/a/generated/x.ts": "", "packages/b/b.ts": "" });
  commitAll(root);
  expect(await look(join(root, "packages/a"))).toEqual({ source: false, packages: false, git: true });
  expect(await look(join(root, "packages/b"))).toEqual({ source: true, packages: false, git: true });
  expect((await look(join(root, "packages/b"), root)).git).toBe(false);
  expect((await look(root, root)).git).toBe(true);
});

it("D1.1 does not count source behind a link, nor look without end", async () => {
  const outside = createProject({ "app.ts": "" });
  const root = createProject();
  symlinkSync(outside, join(root, "linked"));
  symlinkSync(join(outside, "app.ts"), join(root, "app.ts"));
  expect(await look(root)).toEqual(nothing);
  addFiles(root, { "a/b/c/d/e/f/g/h/deep.ts": "" });
  expect((await look(root)).source).toBe(false);
});
