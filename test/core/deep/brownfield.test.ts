import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkContext,
  detectType,
  fallbackContext,
  isSmallRequest,
  namesOf,
  speaksOfChange,
} from "../../../src/core/deep/brownfield.ts";
import type { ProjectScan } from "../../../src/core/deep/finding.ts";
import { codeNames, createMatcher, terms } from "../../../src/core/deep/terms.ts";
import type { Lexicon } from "../../../src/core/lexicon.ts";

function lexicon(tag: string, change: readonly string[]): Lexicon {
  return {
    tag,
    name: tag,
    instruction: "",
    control: { opt_out: [], finish: [], cancel: [], explain: [] },
    evasions: [],
    change: [...change],
    constraint: [],
    exclusion: [],
    other: [],
    placeholder: [],
    conjunctions: [],
  };
}

const lexicons = [
  lexicon("en", ["add", "refactor", "rename", "fix", "extend", "migrate to", "change"]),
  lexicon("ko", ["바꿔", "추가", "고쳐"]),
  lexicon("ja", ["変更", "追加"]),
  lexicon("es", ["añade", "cambia"]),
];

const scan: ProjectScan = {
  files: [
    { path: "src/users.ts", bytes: 100, symbols: ["getUser", "UserStore", "paginate"] },
    { path: "src/login/passport.js", bytes: 100, symbols: ["useOAuth"] },
    { path: "README.md", bytes: 10, symbols: [] },
  ],
  excerpts: [{ path: "README.md", text: "Run `serve_all` to start." }],
  earlier: [{ path: ".gjc/_session-a/specs/deep-interview-login.md", excerpt: "# Spec\nLogin by mail." }],
  truncated: false,
};
const names = namesOf(scan);
const none = { source: false, packages: false, git: false };

describe("speaking of change", () => {
  it.each([
    "Add OAuth to the login",
    "Please REFACTOR the store",
    "rename it",
    "we should migrate   to Postgres",
    "로그인을 바꿔줘",
    "ログインに追加して",
    "Añade un botón".normalize("NFD"),
  ])("D1.1 hears it in any language and letter case: %s", (idea) => {
    expect(speaksOfChange(idea, lexicons)).toBe(true);
  });

  it.each(["Build an address book", "A prefix tree for words", "unchanged exchanges", "결제 앱", "_add_", ""])(
    "D1.1 does not hear it inside other words: %s",
    (idea) => {
      expect(speaksOfChange(idea, lexicons)).toBe(false);
    },
  );

  it("D1.1 hears it when the idea names the project's own code, and only then", () => {
    expect(speaksOfChange("passport.js should know about OAuth", lexicons)).toBe(false);
    expect(speaksOfChange("passport.js should know about OAuth", lexicons, names)).toBe(true);
    expect(speaksOfChange("./src/users.ts에 캐시", lexicons, names)).toBe(true);
    expect(speaksOfChange("users who paginate", lexicons, names)).toBe(false);
  });

  it("D1.1 never hears an empty word", () => {
    expect(speaksOfChange("Build an app", [lexicon("x", ["", "  ", "-"])])).toBe(false);
  });
});

describe("type", () => {
  const idea = "Add OAuth to the login";

  it.each([
    [{ ...none, source: true }, idea, "brownfield"],
    [{ ...none, packages: true }, idea, "brownfield"],
    [{ ...none, git: true }, idea, "brownfield"],
    [none, idea, "greenfield"],
    [{ source: true, packages: true, git: true }, "Build a calendar", "greenfield"],
  ] as const)(
    "D1.1 is brownfield when something exists and the idea speaks of changing it: %j %s",
    (signals, text, type) => {
      expect(detectType({ signals, idea: text, lexicons, override: null })).toBe(type);
      expect(detectType({ signals, idea: text, lexicons, override: "auto" })).toBe(type);
    },
  );

  it("D1.1 lets --type decide, whatever the folder holds", () => {
    for (const override of ["greenfield", "brownfield"] as const) {
      for (const source of [true, false]) {
        expect(detectType({ signals: { ...none, source }, idea, lexicons, override })).toBe(override);
      }
    }
  });

  it("D1.1 knows a change by a name of the code too", () => {
    const input = { signals: { ...none, source: true }, idea: "OAuth in passport.js", lexicons, override: null };
    expect(detectType(input)).toBe("greenfield");
    expect(detectType({ ...input, names })).toBe("brownfield");
  });
});

describe("small requests", () => {
  it.each([
    "Rename getUser to fetchUser",
    "Rename `getUser` to `fetchUser` in src/users.ts.",
    "getUser를 fetchUser로 이름을 바꿔줘",
    "Fix the off-by-one in paginate()",
    "Rename UserStore to AccountStore",
    "Rename src/users.ts to src/accounts.ts",
  ])("D1.1 needs no interview for a rename or one known symbol: %s", (idea) => {
    expect(isSmallRequest(idea, lexicons, names)).toBe(true);
  });

  it.each([
    ["no known name", "Rename loadUser to fetchUser"],
    ["two known symbols", "Refactor getUser and useOAuth"],
    ["a plain word that is also a symbol", "Add a paginate feature"],
    ["a file, and what to do with it open", "Add authentication to README.md"],
    ["no change", "getUser is nice"],
    ["two sentences", "Rename getUser to fetchUser. Then add OAuth for everybody."],
    ["something else beside the symbol", "Add OAuth2 to getUser"],
    ["two files", "Change getUser in src/users.ts and src/login/passport.js"],
    ["many words", `Change getUser so that ${"it also does more ".repeat(4)}`],
    ["nothing", ""],
  ])("D1.1 is not sure, so it asks: %s", (_why, idea) => {
    expect(isSmallRequest(idea, lexicons, names)).toBe(false);
  });
});

describe("checked context", () => {
  const finding = { statement: "Users are read here.", path: "src/users.ts", symbol: "getUser" };
  const check = (findings: readonly (typeof finding)[]) =>
    checkContext({ summary: "", findings: [...findings], earlier: [] }, scan);

  it.each([
    ["a symbol of the file", finding, "getUser"],
    ["no symbol", { ...finding, symbol: "" }, null],
    ["another way to write the path", { ...finding, path: "./`src/users.ts:12`".replaceAll("`", "") }, "getUser"],
    ["a call", { ...finding, symbol: "`getUser`" }, "getUser"],
    ["a name in the excerpt", { ...finding, path: "README.md", symbol: "serve_all" }, "serve_all"],
    ["an earlier artifact in its words", { ...finding, statement: `As ${scan.earlier[0]?.path} says.` }, "getUser"],
    [
      "a product with a dot",
      { ...finding, statement: "It runs on Node.js, see https://nodejs.org/api/fs.html" },
      "getUser",
    ],
  ])("D1.2 keeps a finding whose path and symbol were seen: %s", (_name, cited, symbol) => {
    const { context, dropped } = check([cited]);
    expect(context.findings).toEqual([{ statement: cited.statement, path: expect.any(String), symbol }]);
    expect(scan.files.map((file) => file.path)).toContain(context.findings[0]?.path);
    expect(dropped).toBe(0);
  });

  it.each([
    ["an unknown path", { ...finding, path: "src/nope.ts" }],
    ["no path", { ...finding, path: "" }],
    ["the end of a path", { ...finding, path: "users.ts" }],
    ["a way out", { ...finding, path: "../src/users.ts" }],
    ["an unknown symbol", { ...finding, symbol: "dropUser" }],
    ["a symbol of another file", { ...finding, symbol: "useOAuth" }],
    ["a part of a name in the excerpt", { ...finding, path: "README.md", symbol: "serve" }],
    ["an unknown path in its words", { ...finding, statement: "It calls src/db/pool.ts for that." }],
    ["no words", { ...finding, statement: " - " }],
  ])("D1.2 drops and counts a finding that cites what was not seen: %s", (_name, cited) => {
    const { context, dropped } = check([cited, finding]);
    expect(context.findings).toEqual([finding]);
    expect(dropped).toBe(1);
  });

  it("D1.2 keeps one of two equal findings", () => {
    expect(check([finding, finding])).toMatchObject({ context: { findings: [finding] }, dropped: 1 });
  });

  it("D1.2 keeps notes on the earlier artifacts that were read, three at most, and the sentences that hold", () => {
    const path = scan.earlier[0]?.path ?? "";
    const note = "Login is by mail.";
    const { context, dropped } = checkContext(
      {
        summary: "Users live in src/users.ts. The pool is src/db/pool.ts. Small.",
        findings: [],
        earlier: [
          { path, note },
          { path: ".gjc/_session-x/specs/deep-nope.md", note },
          { path, note: "" },
        ],
      },
      scan,
    );
    expect(context).toEqual({ summary: "Users live in src/users.ts. Small.", findings: [], earlier: [{ path, note }] });
    expect(dropped).toBe(3);
  });

  it("D1.2 lets through only what the scan holds, whatever a model says", () => {
    const word = fc.constantFrom(
      "src/users.ts",
      "src/nope.ts",
      "README.md",
      "getUser",
      "useOAuth",
      "",
      "x",
      "a b",
      "./README.md",
    );
    const item = fc.record({ statement: word, path: word, symbol: word });
    fc.assert(
      fc.property(fc.array(item), (findings) => {
        const { context, dropped } = checkContext({ summary: "", findings, earlier: [] }, scan);
        expect(context.findings.length + dropped).toBe(findings.length);
        for (const { path, symbol } of context.findings) {
          const file = scan.files.find((candidate) => candidate.path === path);
          expect(file).toBeDefined();
          expect(symbol === null || file?.symbols.includes(symbol)).toBe(true);
        }
      }),
    );
  });

  it("D1.2 still knows where things are when the explore task failed", () => {
    expect(fallbackContext(scan)).toEqual({
      summary: "",
      findings: [
        { statement: "getUser, UserStore, paginate", path: "src/users.ts", symbol: "getUser" },
        { statement: "useOAuth", path: "src/login/passport.js", symbol: "useOAuth" },
      ],
      earlier: [{ path: ".gjc/_session-a/specs/deep-interview-login.md", note: "# Spec" }],
    });
  });
});

describe("terms", () => {
  it("D1.2 splits identifiers, folds letter case and pairs the characters of unspaced scripts", () => {
    expect([...terms("getUserName HTTPServer user_id of a 세금계산 passport.js를")]).toEqual([
      "getusername",
      "get",
      "user",
      "name",
      "httpserver",
      "http",
      "server",
      "세금",
      "금계",
      "계산",
      "passport",
    ]);
    expect(terms("Größe".normalize("NFD"))).toEqual(terms("GRÖSSE".toLowerCase().replace("ss", "ß")));
  });

  it("D1.2 finds likenesses, not every common beginning", () => {
    const match = createMatcher(["exporter", "normalize", "user", "interview", "test"]);
    expect([...match(["export", "normalized", "users", "interface", "tests", "use"])]).toEqual([
      "exporter",
      "normalize",
      "user",
      "test",
    ]);
  });

  it("D1.1 tells names of code from words", () => {
    const text =
      "Rename `paginate`, getUser (in ./src/a.ts, e.g. a README) to user_id; API, Users, Node.js, 1.2 and v1.2.3!";
    expect(codeNames(text).map(({ name }) => name)).toEqual([
      "paginate",
      "getUser",
      "./src/a.ts",
      "user_id",
      "Node.js",
    ]);
    expect(codeNames("]".repeat(100_000))).toEqual([]);
  });
});
