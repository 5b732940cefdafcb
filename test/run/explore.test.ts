import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ProjectScan } from "../../src/core/deep/finding.ts";
import { createExplorer, exploreBounds } from "../../src/run/explore.ts";
import { addFiles, commitAll, createProject } from "./project.ts";

const explore = (root: string, idea: string, scan: Partial<typeof exploreBounds.scan> = {}) =>
  createExplorer(root, {
    home: "/nowhere",
    bounds: { ...exploreBounds, scan: { ...exploreBounds.scan, ...scan } },
  }).scan(idea);
const paths = (scan: ProjectScan) => scan.files.map((file) => file.path);

const shop = {
  "package.json": '{ "name": "shop" }',
  "src/checkout/invoice.ts": "export class InvoiceWriter {\n  total(order: Order) {\n    return order.sum;\n  }\n}\n",
  "src/checkout/cart.ts": "export const emptyCart = { lines: [] };\n",
  "src/login/passport.js": "function useOAuth() {}\nmodule.exports = { useOAuth };\n",
  "docs/notes.md": "An invoice goes out once a month.\n",
};

it("D1.2 gives files with their symbols, the ones that the idea speaks of first", async () => {
  const scan = await explore(createProject(shop), "Change how invoices are totalled");
  expect(ProjectScan.parse(scan)).toEqual(scan);
  expect(scan.files[0]).toEqual({
    path: "src/checkout/invoice.ts",
    bytes: shop["src/checkout/invoice.ts"].length,
    symbols: ["InvoiceWriter", "total"],
  });
  expect(paths(scan).sort()).toEqual(Object.keys(shop).sort());
  expect(scan.excerpts.map((excerpt) => excerpt.path)).toEqual(["src/checkout/invoice.ts", "docs/notes.md"]);
  expect(scan.excerpts[0]?.text).toContain("total(order: Order)");
  expect(scan.truncated).toBe(false);
});

it("D1.2 puts a file that the idea names before everything else, whatever the language around it", async () => {
  const scan = await explore(createProject(shop), "passport.js를 새 인보이스 invoice 방식으로 바꿔줘");
  expect(paths(scan)[0]).toBe("src/login/passport.js");
});

it("D1.2 shows the part of a long file that the idea is about", async () => {
  const filler = Array.from({ length: 300 }, (_, index) => `export const value${index} = ${index};`).join("\n");
  const text = `${filler}\nexport function retentionYears() {\n  return 7;\n}\n`;
  const scan = await explore(createProject({ "src/a.ts": text }), "Extend the retention period");
  expect(scan.excerpts[0]?.text).toContain("retentionYears");
  expect(scan.files[0]?.symbols).toHaveLength(exploreBounds.scan.symbols);
  expect(scan.files[0]?.symbols[0]).toBe("retentionYears");
});

it("D1.2 gives the same scan every time", async () => {
  const root = createProject(shop);
  const again = await explore(root, "Change the cart");
  expect(await explore(root, "Change the cart")).toEqual(again);
});

describe("what it never reads", () => {
  const secrets = [
    ".env",
    ".env.local",
    "config/.ENV.production",
    "certs/server.pem",
    "certs/server.key",
    "id_rsa",
    "keys/id_ed25519.pub",
    "credentials.json",
    "aws-credentials/../credentials",
    ".npmrc",
    ".netrc",
    "store.p12",
    "secrets.yaml",
    ".aws/config",
    "terraform.tfstate.backup",
  ];

  it.each(secrets)("D1.2 neither opens nor names a secret-looking file: %s (fault 28)", async (path) => {
    const root = createProject({ "src/app.ts": "export const token = 1;" });
    addFiles(root, { [path]: "token needle-in-secret" });
    const before = statSync(join(root, path)).atimeMs;
    const scan = await explore(root, "Rework the token needle in secret");
    expect(paths(scan)).toEqual(["src/app.ts"]);
    expect(JSON.stringify(scan)).not.toContain("needle-in-secret");
    expect(statSync(join(root, path)).atimeMs).toBe(before);
  });

  it("D1.2 follows no link, out of the project or inside it, not even for .gitignore or sessions (fault 28)", async () => {
    const outside = createProject({
      "secret.ts": "export const needle = 1;",
      "specs/deep-interview-x.md": "needle",
      ".gitignore": "*.ts",
    });
    const root = createProject({ "src/app.ts": "export const needle = 2;" });
    symlinkSync(join(outside, "secret.ts"), join(root, "src/linked.ts"));
    symlinkSync(outside, join(root, "folder"));
    symlinkSync(root, join(root, "src/loop"));
    symlinkSync(join(outside, ".gitignore"), join(root, ".gitignore"));
    mkdirSync(join(root, ".gjc"));
    symlinkSync(outside, join(root, ".gjc/_session-a"));
    const scan = await explore(root, "Change the needle");
    expect(paths(scan)).toEqual(["src/app.ts"]);
    expect(scan.earlier).toEqual([]);
    renameSync(join(root, ".gjc"), join(outside, "gjc"));
    symlinkSync(join(outside, "gjc"), join(root, ".gjc"));
    addFiles(outside, { "gjc/_session-b/plans/p.md": "needle" });
    expect((await explore(root, "Change the needle")).earlier).toEqual([]);
  });

  it("D1.2 passes over binaries, dependencies, build output, sessions and unreadable names", async () => {
    const root = createProject({
      "src/app.ts": "export const app = 1;",
      "image.png": "png",
      "data.txt": "text\0with a zero",
      "app.min.js": "var app",
      "package-lock.json": "{}",
      "node_modules/app/index.js": "app",
      "dist/app.js": "app",
      ".git/app.ts": "app",
      ".gjc/app.ts": "app",
      "src/two\nlines.ts": "app",
      "src/\u001b[31m.ts": "app",
    });
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    expect(paths(await explore(root, "Change the app"))).toEqual(["src/app.ts"]);
  });

  it("D1.2 keeps git's rules: nested files, negation, anchors, folders, letter case", async () => {
    const root = createProject({
      ".gitignore": "*.log\n/build/\nsecretive/\n!keep.log\nCase.ts\n",
      "a.log": "",
      "keep.log": "kept",
      "build/out.ts": "",
      "src/build/in.ts": "kept",
      "secretive/a.ts": "",
      "case.ts": "kept",
      "sub/.gitignore": "*.ts\n!own.ts\n!a.log\n",
      "sub/x.ts": "",
      "sub/own.ts": "kept",
      "sub/a.log": "kept",
      "sub/keep.log": "kept",
    });
    commitAll(root);
    const kept = [".gitignore", "case.ts", "keep.log", "src/build/in.ts"];
    const nested = ["sub/.gitignore", "sub/a.log", "sub/keep.log", "sub/own.ts"];
    expect(paths(await explore(root, "x")).sort()).toEqual([...kept, ...nested].sort());
  });

  it("D1.2 hides keys, tokens and passwords that stand in ordinary files", async () => {
    const token = `sk-${"a1".repeat(12)}`;
    const text = [
      `const needle = "${token}";`,
      'const dbPassword = "hunter2hunter2";',
      "password: abc12345678",
      "url = postgres://admin:topsecret@db/x",
      "-----BEGIN RSA PRIVATE KEY-----",
      ...Array.from({ length: 60 }, () => "MIIneedle"),
      "-----END RSA PRIVATE KEY-----",
      "const nextToken = readToken();",
    ].join("\n");
    const scan = JSON.stringify(await explore(createProject({ "src/app.ts": text }), "Change the needle"));
    for (const secret of [token, "hunter2", "abc12345678", "topsecret", "MII"]) expect(scan).not.toContain(secret);
    expect(scan).toContain("nextToken = readToken()");
    expect(scan).toContain("[hidden]");
  });
});

describe("bounds", () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `src/f${String(index).padStart(2, "0")}.ts`,
      `export const v${index} = 1;\n`,
    ]),
  );

  it("D1.2 opens, lists and excerpts no more than allowed, and says that it was cut", async () => {
    const root = createProject(many);
    const opened = await explore(root, "change v39", { opened: 10 });
    expect([opened.files.length, opened.truncated]).toEqual([10, true]);
    const listed = await explore(root, "change v39", { listed: 7, excerpts: 0 });
    expect([listed.files.length, listed.excerpts.length, listed.truncated]).toEqual([7, 0, true]);
    expect(listed.files[0]?.path).toBe("src/f39.ts");
    const bytes = await explore(root, "change v39", { totalBytes: 100 });
    expect(bytes.files.length).toBeLessThan(7);
    expect(bytes.truncated).toBe(true);
  });

  it("D1.2 reads the head of a large file, counts it whole and cuts its excerpt", async () => {
    const root = createProject({ "src/big.ts": "export const needle = 1; // needle\n".repeat(5_000) });
    const scan = await explore(root, "Change the needle");
    expect(scan.files[0]?.bytes).toBe(5_000 * 35);
    expect(scan.excerpts[0]?.text.length).toBeLessThanOrEqual(exploreBounds.scan.excerptChars);
    expect(scan.truncated).toBe(true);
  });

  it("D1.2 stops at its depth and at its number of entries", async () => {
    const root = createProject({ "a/b/c/deep.ts": "", "a/top.ts": "" });
    const shallow = { ...exploreBounds, walk: { entries: 100, depth: 1 } };
    const scan = await createExplorer(root, { bounds: shallow }).scan("x");
    expect([paths(scan), scan.truncated]).toEqual([["a/top.ts"], true]);
    const few = { ...exploreBounds, walk: { entries: 2, depth: 9 } };
    const short = await createExplorer(createProject(many), { bounds: few }).scan("x");
    expect([short.files.length, short.truncated]).toEqual([1, true]);
  });

  it("D1.2 writes nothing, and goes on past a folder that it may not read", async () => {
    const root = createProject({ ...shop, "locked/a.ts": "x" });
    const before = readdirSync(root, { recursive: true });
    chmodSync(join(root, "locked"), 0o000);
    const scan = await explore(root, "Change the cart");
    chmodSync(join(root, "locked"), 0o700);
    expect(paths(scan)).toContain("src/checkout/cart.ts");
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });

  it("D1.2 looks at an idea of any length without effort (fault 26)", async () => {
    const root = createProject(shop);
    const long = `Change the invoice. ${"unrelated words and ].]].) ".repeat(20_000)}`;
    const scan = await explore(root, long);
    expect(paths(scan)[0]).toBe("src/checkout/invoice.ts");
  });
});

describe("earlier specs and plans", () => {
  const session = (id: string) => `.gjc/_session-${id}`;

  it("D1.2 finds the closest three of specs and plans, in both layouts, closest first", async () => {
    const root = createProject({
      [`${session("a")}/specs/deep-interview-invoices.md`]:
        "# Spec\n## Goal\nInvoices are exported monthly to the ledger.\n",
      [`${session("a")}/specs/deep-interview-login.md`]: "# Spec\n## Goal\nLogin by mail.\n",
      [`${session("a")}/specs/other.md`]: "Invoices ledger export",
      [`${session("b")}/plans/ledger.md`]: "The ledger export runs at night.\n",
      ".gjc/sessions/_session-c/specs/deep-dive-x.md": "## Goal\nInvoices for tenants.\n",
      ".gjc/_session-b/state/x.md": "Invoices ledger export",
    });
    const { earlier } = await explore(root, "Change the export of invoices to the ledger");
    expect(earlier.map((artifact) => artifact.path)).toEqual([
      `${session("a")}/specs/deep-interview-invoices.md`,
      `${session("b")}/plans/ledger.md`,
      ".gjc/sessions/_session-c/specs/deep-dive-x.md",
    ]);
    expect(earlier[0]?.excerpt).toContain("exported monthly");
  });

  it("D1.2 gives one when none is close, none when there is none", async () => {
    const root = createProject({
      [`${session("a")}/plans/b.md`]: "Nothing alike.",
      [`${session("a")}/plans/c.md`]: "Nor.",
    });
    expect((await explore(root, "Ledger")).earlier.map(({ path }) => path)).toEqual([`${session("a")}/plans/b.md`]);
    expect((await explore(createProject(), "Ledger")).earlier).toEqual([]);
  });

  it("D1.2 takes the decisions of a spec, not its numbers and transcript, and cuts them", async () => {
    const spec = [
      "# Deep Interview Spec: x",
      "## Metadata\n- Interview ID: 123\n",
      "## Goal\nExport the ledger.\n",
      `## Constraints\n- ${"at night ".repeat(600)}\n`,
      "## Interview Transcript\nledger ledger transcript words\n",
    ].join("\n");
    const root = createProject({ [`${session("a")}/specs/deep-interview-x.md`]: spec });
    const { earlier } = await explore(root, "Ledger");
    expect(earlier[0]?.excerpt).toContain("Export the ledger.");
    expect(earlier[0]?.excerpt).not.toContain("Interview ID");
    expect(earlier[0]?.excerpt.length).toBeLessThanOrEqual(exploreBounds.earlier.excerptChars);
    writeFileSync(join(root, `${session("a")}/specs/deep-interview-x.md`), "## Interview Transcript\nonly this\n");
    expect(JSON.stringify((await explore(root, "Ledger")).earlier)).not.toContain("only this");
  });
});
