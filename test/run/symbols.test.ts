import { expect, it } from "vitest";
import { isSource, symbolsOf } from "../../src/run/symbols.ts";

const samples: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a.ts",
    `export async function getUser<T>(id: string) {
  if (id) { return; }
  const inner = 1;
}
export default class UserStore {
  private async load(id: string): Promise<void> {
    for (const x of []) {
  }
  static #x() {}
}
export interface User { name: string }
export type Id = string;
export const MAX = 3;
let $count = 0;
enum Color { Red }`,
    ["getUser", "UserStore", "load", "User", "Id", "MAX", "$count", "Color"],
  ],
  ["a.cjs", "function one() {}\nexports.two = one;", ["one", "two"]],
  [
    "a.py",
    "LIMIT = 3\nclass Shop(Base):\n    def pay(self):\n        x = 1\nasync def main():\n    if a == b: pass",
    ["LIMIT", "Shop", "pay", "main"],
  ],
  [
    "a.go",
    "func (s *Store) Get(id string) error {\nfunc New() *Store {\ntype Store struct {\nvar ErrX = 1",
    ["Get", "New", "Store", "ErrX"],
  ],
  [
    "a.rs",
    "pub(crate) async fn run() {}\nstruct S;\nimpl S {\n    pub fn new() -> S {}\n}\nmacro_rules! say {\npub const N: u8 = 1;",
    ["run", "S", "new", "say", "N"],
  ],
  [
    "A.java",
    "public final class Shop extends Base {\n  private static Map<String, List<X>> byId(String id) {\n    return of(id);\n  }\n}\ninterface Pay {}",
    ["Shop", "byId", "Pay"],
  ],
  [
    "a.rb",
    "module Pay\n  class Card\n    def self.build(x)\n    def pay?\n  LIMIT = 3",
    ["Pay", "Card", "build", "pay", "LIMIT"],
  ],
  [
    "a.php",
    "<?php\nabstract class Shop {\n  public static function pay($x) {\n  const LIMIT = 3;\nfunction &ref() {}",
    ["Shop", "pay", "LIMIT", "ref"],
  ],
  [
    "a.c",
    "#define MAX 3\nstruct node {\nstatic int *find_node(struct node *n)\n{\n  return other(n);\n}\nint declared(void);",
    ["MAX", "node", "find_node"],
  ],
  [
    "A.cs",
    "namespace X;\npublic record Money(decimal Value);\ninternal sealed class Shop {\n  public async Task<int> PayAsync(int x) {",
    ["Money", "Shop", "PayAsync"],
  ],
  ["a.kt", "data class User(val id: Int)\nfun String.shout() = 1\nsuspend fun load() {}", ["User", "shout", "load"]],
  ["a.swift", "struct Card {\n  func pay(_ x: Int) {}\n  let id: Int", ["Card", "pay", "id"]],
  ["a.scala", "case class Card(id: Int)\nobject Shop {\n  def pay(x: Int) = x", ["Card", "Shop", "pay"]],
  ["a.sh", "deploy() {\nfunction undo {", ["deploy", "undo"]],
  ["a.ex", "defmodule Shop do\n  def pay(x), do: x\n  defp add(x) do", ["Shop", "pay", "add"]],
  ["a.lua", "local function one()\nfunction M.two()", ["one", "two"]],
  ["a.sql", "CREATE TABLE IF NOT EXISTS orders (\ncreate view totals as", ["orders", "totals"]],
  ["a.proto", "message Order {\n  rpc Pay (X) returns (Y);", ["Order", "Pay"]],
  ["a.hs", "module Shop where\ndata Card = Card", ["Shop", "Card"]],
];

it.each(samples)("D1.2 finds what a file declares, and no control flow: %s", (name, text, symbols) => {
  expect(symbolsOf(name, text)).toEqual(symbols);
  expect(isSource(name)).toBe(true);
});

it("D1.2 finds names in any script, once each, and none in text, unknown kinds and endless lines", () => {
  expect(symbolsOf("a.py", "def größe():\ndef größe():\nclass 사용자:")).toEqual(["größe", "사용자"]);
  expect(symbolsOf("a.md", "function x() {}")).toEqual([]);
  expect(symbolsOf("constructor", "function x() {}")).toEqual([]);
  expect(symbolsOf("a.constructor", "function x() {}")).toEqual([]);
  expect(symbolsOf("a.js", `function x() {}${" ".repeat(500)}`)).toEqual([]);
  expect(isSource("README.md")).toBe(false);
  expect(isSource("Makefile")).toBe(false);
});

it("D1.2 is quick on text made to be slow", () => {
  const hostile = ["(".repeat(399), `public ${"a ".repeat(190)}`, "async ".repeat(60), `a${"(".repeat(300)}`].join(
    "\n",
  );
  const text = `${hostile}\n`.repeat(100);
  for (const name of ["a.ts", "A.java", "a.c", "a.rs", "a.php", "a.kt"]) {
    const before = performance.now();
    symbolsOf(name, text);
    expect(performance.now() - before).toBeLessThan(2_000);
  }
});
