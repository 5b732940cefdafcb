/**
 * README and AGENTS say what the code says: the settings table, the map, the excerpt and the examples are made from it.
 * `UPDATE_DOCUMENTS=1 npx vitest run test/documents.test.ts` writes them anew.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settings, settingsRoot } from "../src/core/settings.ts";
import { inFolder, root, runCommand } from "./command.ts";

const update = process.env["UPDATE_DOCUMENTS"] === "1";

/** Holds, or with UPDATE_DOCUMENTS puts, what stands between two marks. */
function hold(file: string, mark: string, text: string): void {
  const path = join(root, file);
  const whole = readFileSync(path, "utf8");
  const [open, close] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
  const from = whole.indexOf(open) + open.length;
  const to = whole.indexOf(close);
  expect(from, `${file} has no mark ${mark}`).toBeGreaterThan(open.length - 1);
  if (update) writeFileSync(path, `${whole.slice(0, from)}${text}\n${whole.slice(to)}`);
  else expect(whole.slice(from, to)).toBe(`${text}\n`);
}

function settingsTable(): string {
  const rows = settings.map(
    ({ key, fallback, valid, about }) => `| \`${key}\` | \`${JSON.stringify(fallback)}\` | ${valid} | ${about} |`,
  );
  return [
    `Keys below \`${settingsRoot}\`:`,
    "",
    "| key | default | valid | what it decides |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The first sentence of a file's opening comment. */
function purposeOf(path: string): string {
  const text = readFileSync(join(root, path), "utf8");
  const comment = /^(?:#!.*\n)?\s*\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  const flat = comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return /^(.+?[.!?])(?:\s|$)/.exec(flat)?.[1] ?? flat;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? sources(`${folder}/${entry.name}`)
        : entry.name.endsWith(".ts")
          ? [`${folder}/${entry.name}`]
          : [],
    )
    .sort();
}

function map(): string {
  const lines: string[] = [];
  let folder = "";
  for (const path of sources("src")) {
    const own = path.slice(0, path.lastIndexOf("/"));
    if (own !== folder) lines.push(...(folder === "" ? [] : [""]), `### ${own}`, "");
    folder = own;
    lines.push(`- \`${path.slice(own.length + 1)}\`: ${purposeOf(path)}`);
  }
  return lines.join("\n");
}

describe("the documents", () => {
  it("D0.5 list every setting with its default in the README", () => hold("README.md", "settings", settingsTable()));

  it("map every source file in one line", () => hold("AGENTS.md", "map", map()));

  it("show a real excerpt of the demo", () =>
    inFolder(async (cwd) => {
      const example = join(root, "examples", "intake-pipeline");
      const args = [
        "run",
        "--model",
        "offline",
        "--session",
        "demo",
        "--threshold",
        "0.2",
        "--idea-file",
        join(example, "idea.md"),
        "--answers",
        join(example, "answers.yaml"),
      ];
      const { out, code } = await runCommand(args, { cwd });
      expect(code).toBe(0);
      const from = out.indexOf("Round 10 | Component");
      const to = out.indexOf("Round 11 | Component");
      const excerpt = out.slice(from, to).trimEnd();
      expect(excerpt).toContain("A direct contradiction");
      hold("README.md", "excerpt", `\`\`\`text\n${excerpt}\n\`\`\``);
    }));

  it("describe commands that run as they are written", () =>
    inFolder(async (cwd) => {
      const readme = readFileSync(join(root, "README.md"), "utf8");
      const commands = [...readme.matchAll(/^deep-interview (start|answer|next) (.+)$/gm)].map((match) =>
        match[0].slice("deep-interview ".length),
      );
      expect(commands.length).toBeGreaterThanOrEqual(3);
      for (const command of commands) {
        const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
        expect({ command, code: (await runCommand(args, { cwd })).code }).toEqual({ command, code: 0 });
      }
    }));
});
