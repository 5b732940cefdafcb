import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./source.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "package-")));
const prefix = join(place, "prefix");
const installed = join(prefix, "lib", "node_modules", "deep-interview");
const elsewhere = join(place, "elsewhere");

/** Nobody's key, settings or npm lifecycle; a home of its own. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:ANTHROPIC_|GJC_|VITEST|NODE_OPTIONS)/.test(name)),
  ),
  GJC_CONFIG_DIR: join(place, "config"),
};

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

let packed: readonly string[] = [];

beforeAll(() => {
  if (!existsSync(join(root, "dist", "main.js"))) throw new Error("dist/ is missing: run `npm run build` first");
  mkdirSync(elsewhere);
  const [report]: { filename: string; files: { path: string }[] }[] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", place], root),
  );
  packed = report?.files.map(({ path }) => path) ?? [];
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"];
  run("npm", ["install", "--global", "--prefix", prefix, ...flags, join(place, report?.filename ?? "")], elsewhere);
}, 60_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the package", () => {
  it("holds what is read at run time, and no source, test or session", () => {
    const of = (folder: string) => packed.filter((path) => path.startsWith(`${folder}/`)).length;
    const onDisk = (folder: string) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        .length;
    for (const folder of ["prompts", "fragments", "dist"])
      expect([folder, of(folder)]).toEqual([folder, onDisk(folder)]);
    expect(packed).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "dist/types/index.d.ts"]));
    expect(packed.filter((path) => /^(?:src|test|bench|\.ci|\.gjc)\//.test(path) || path.endsWith(".map"))).toEqual([]);
  });

  it("installs the command, which knows its version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(run(join(prefix, "bin", "deep-interview"), ["--version"], elsewhere).trim()).toBe(version);
  });

  it("runs the demo from another folder, without a key, and leaves nothing there", () => {
    const out = run(process.execPath, [join(installed, "examples", "demo.mjs")], elsewhere);
    expect(out.split("\n", 1)[0]).toMatch(/^Deep Interview threshold: /);
    const spec = out.trimEnd().split("\n").at(-1) ?? "";
    expect(spec).toMatch(/specs[\\/]deep-interview-[^\\/]+\.md$/);
    expect(readFileSync(spec, "utf8")).toContain("# Deep Interview Spec:");
    expect(readdirSync(elsewhere)).toEqual([]);
  }, 30_000);
});

describe("the library", () => {
  const consumer = join(place, "consumer");

  beforeAll(() => {
    mkdirSync(join(consumer, "node_modules"), { recursive: true });
    symlinkSync(installed, join(consumer, "node_modules", "deep-interview"), "dir");
    symlinkSync(join(root, "node_modules", "@types"), join(consumer, "node_modules", "@types"), "dir");
    writeFileSync(join(consumer, "package.json"), '{ "type": "module" }');
    const options = { module: "NodeNext", target: "ES2023", strict: true, noEmit: true, types: ["node"] };
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  });

  function compile(code: string): string {
    writeFileSync(join(consumer, "a.ts"), code);
    try {
      return run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc")], consumer);
    } catch (error) {
      return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    }
  }

  it("type-checks in a consumer's project, and its types are real", () => {
    const start = 'import * as library from "deep-interview";\nimport type { Deps } from "deep-interview";\n';
    const use =
      "export const label = (deps: Deps): string => deps.model.label;\nexport const all = Object.keys(library);\n";
    expect(compile(start + use)).toBe("");
    expect(compile(`${start}export const wrong = (deps: Deps): number => deps.model.label;`)).toContain("TS2322");
  });

  it("loads in a consumer's program", () => {
    const code = 'import("deep-interview").then((library) => console.log(Object.keys(library).length > 0))';
    expect(run(process.execPath, ["-e", code], consumer).trim()).toBe("true");
  });
});
