/**
 * D1.2: the symbols that a source file declares, by light patterns per language: enough to cite them and to check a
 * citation, no parser. Line by line, so that no text is slow to read.
 */
const id = String.raw`([\p{L}_$][\p{L}\p{N}_$]*)`;

function rule(source: string): RegExp {
  return new RegExp(source.replaceAll("ID", id), "u");
}

const modifiers = String.raw`(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed|partial|open|data|readonly|export|default|declare|fileprivate|inline|suspend|external|operator)\s+)`;
const typeLike = rule(
  String.raw`^\s*${modifiers}*(?:class|interface|enum(?: class)?|record|struct|trait|object|protocol|extension|mixin|annotation class)\s+ID`,
);
const method = rule(String.raw`^\s*${modifiers}+[^(=;]*?ID\s*\(`);

const script: readonly RegExp[] = [
  rule(String.raw`^\s*${modifiers}*(?:function\*?|class|interface|type|enum|namespace)\s+ID`),
  rule(String.raw`^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+ID`),
  rule(String.raw`^\s+${modifiers}*(?:get |set |\*)?ID\s*(?:<[^>]*>)?\([^;]*\)[^;=]*\{\s*$`),
  rule(String.raw`^exports\.ID\s*=`),
];
const python = [rule(String.raw`^\s*(?:async\s+)?(?:def|class)\s+ID`), rule(String.raw`^ID\s*(?::[^=]+)?=[^=]`)];
const go = [
  rule(String.raw`^func\s+(?:\([^)]*\)\s*)?ID`),
  rule(String.raw`^(?:type|var|const)\s+ID`),
  rule(String.raw`^\tID\s+(?:struct|interface)\b`),
];
const rust = [
  rule(
    String.raw`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern "C")\s+)*(?:fn|struct|enum|trait|mod|type|union)\s+ID`,
  ),
  rule(String.raw`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+ID\s*:`),
  rule(String.raw`^\s*macro_rules!\s*ID`),
];
const ruby = [
  rule(String.raw`^\s*(?:class|module)\s+ID`),
  rule(String.raw`^\s*def\s+(?:self\.)?ID`),
  rule(String.raw`^\s*([A-Z][A-Z0-9_]+)\s*=`),
];
const php = [
  rule(String.raw`^\s*${modifiers}*(?:function\s+&?|const\s+)ID`),
  rule(String.raw`^\s*${modifiers}*(?:class|interface|trait|enum)\s+ID`),
];
const c = [
  rule(String.raw`^\s*(?:typedef\s+)?(?:struct|enum|union|class|namespace)\s+ID\s*(?:[{:]|$)`),
  rule(String.raw`^\s*#\s*define\s+ID`),
  rule(String.raw`^[\p{L}_][^(=;#]*?ID\s*\([^;]*$`),
];
const swift = [typeLike, rule(String.raw`^\s*${modifiers}*(?:func|let|var|typealias)\s+ID`)];
const kotlin = [
  typeLike,
  rule(String.raw`^\s*${modifiers}*(?:fun\s+(?:<[^>]*>\s+)?(?:\w+\.)?|val\s+|var\s+|typealias\s+)ID`),
];
const scala = [typeLike, rule(String.raw`^\s*${modifiers}*(?:case\s+)?(?:class|object|trait|def|type)\s+ID`)];
const shell = [rule(String.raw`^\s*(?:function\s+)?ID\s*\(\)\s*\{?`), rule(String.raw`^\s*function\s+ID`)];
const elixir = [rule(String.raw`^\s*(?:defp?|defmacro|defmodule)\s+ID`)];
const lua = [rule(String.raw`^\s*(?:local\s+)?function\s+(?:\w+[.:])?ID`)];
const sql = [
  rule(
    String.raw`^\s*(?:CREATE|create)\s+(?:OR REPLACE\s+|or replace\s+)?(?:TABLE|VIEW|FUNCTION|PROCEDURE|TYPE|table|view|function|procedure|type)\s+(?:IF NOT EXISTS\s+|if not exists\s+)?["\x60]?ID`,
  ),
];
const schema = [rule(String.raw`^\s*(?:message|service|rpc|enum|type|input|interface|model|scalar|union)\s+ID`)];
const functional = [rule(String.raw`^\s*(?:let(?:\s+rec)?|type|module|data|newtype|class|fun)\s+ID`)];
const classes = [typeLike, method];

const languages: Readonly<Record<string, readonly RegExp[]>> = {
  ...table(script, "ts tsx mts cts js jsx mjs cjs vue svelte astro"),
  ...table(python, "py pyi"),
  ...table(go, "go"),
  ...table(rust, "rs"),
  ...table(ruby, "rb rake"),
  ...table(php, "php"),
  ...table(c, "c h cc cpp cxx hpp hh m mm"),
  ...table(classes, "java cs dart groovy"),
  ...table(kotlin, "kt kts"),
  ...table(swift, "swift"),
  ...table(scala, "scala"),
  ...table(shell, "sh bash zsh"),
  ...table(elixir, "ex exs"),
  ...table(lua, "lua"),
  ...table(sql, "sql"),
  ...table(schema, "proto graphql gql prisma"),
  ...table(functional, "ml mli hs fs fsx elm"),
  ...table([], "html css scss less r jl pl pm clj erl zig nim sol tf ipynb"),
};

function table(rules: readonly RegExp[], extensions: string): Record<string, readonly RegExp[]> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, rules]));
}

/** What a line of control flow looks like where a method is looked for. */
const keywords: ReadonlySet<string> = new Set(
  "if for while switch catch return function else do try await typeof with using lock foreach synchronized sizeof".split(
    " ",
  ),
);

const maxLineChars = 400;

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Whether a file of this name is source code. */
export function isSource(name: string): boolean {
  return name.includes(".") && Object.hasOwn(languages, extensionOf(name));
}

/** Names that the text of a file declares, once each, in their order. None for a language that has no patterns here. */
export function symbolsOf(name: string, text: string): string[] {
  const extension = extensionOf(name);
  const rules = Object.hasOwn(languages, extension) ? languages[extension] : undefined;
  const found = new Set<string>();
  for (const line of rules === undefined ? [] : text.split("\n")) {
    if (line.length > maxLineChars) continue;
    for (const pattern of rules ?? []) {
      const symbol = pattern.exec(line)?.[1];
      if (symbol !== undefined && symbol.length < 100 && !keywords.has(symbol)) found.add(symbol);
    }
  }
  return [...found];
}
