import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionFolder, slugOf, specPath } from "../../../src/core/deep/slug.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const slug = (text: string) => slugOf(text, sha256(text));

describe("slugs", () => {
  it.each([
    ["Review UI", "review-ui"],
    ["  Crème brûlée & Straße — Łódź  ", "creme-brulee-strasse-lodz"],
    ["İstanbul'da ışık", "istanbulda-isik"],
    ["passport.js 로그인 추가", "passport-js"],
    ["a > b; `rm -rf $(x)`", "a-b-rm-rf-x"],
    ["../../etc/passwd", "etc-passwd"],
    ["Ｆｕｌｌ Ｗｉｄｔｈ", "full-width"],
    ["Tiếng Việt", "tieng-viet"],
  ])("D10.1 keeps what is readable of %j", (text, expected) => {
    expect(slug(text)).toBe(expected);
  });

  it.each(["회원 관리 시스템", "検索エンジン", "Только Европа", "نظام الفواتير", "🎉🎉", "", "..", "///", "10 %"])(
    "D10.1 names %j by its digest when nothing readable is left",
    (text) => {
      expect(slug(text)).toMatch(/^(?:spec|10)-[0-9a-f]{12}$/);
      expect(slug(text)).toContain(sha256(text).slice(0, 12));
    },
  );

  it("D10.1 tells two ideas without a Latin letter apart", () => {
    expect(slug("검색")).not.toBe(slug("정산"));
  });

  it.each(["con", "NUL", "com1", "LPT9", "index", "versions"])("D10.1 never is the reserved name %s", (text) => {
    expect(slug(text)).toBe(`${text.toLowerCase()}-${sha256(text).slice(0, 12)}`);
  });

  it("D10.1 ends a long one after a whole word", () => {
    expect(slug("word ".repeat(100_000))).toBe(Array(13).fill("word").join("-").slice(0, 64));
    expect(slug(`${"x".repeat(500)} tail`)).toBe("x".repeat(64));
  });

  it("D10.1 is a safe, stable name of at most 64 characters, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.webUrl(), fc.string({ minLength: 200 })),
        (text) => {
          const name = slug(text);
          expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
          expect(name.length).toBeLessThanOrEqual(64);
          expect(slug(text)).toBe(name);
        },
      ),
    );
  });
});

describe("the path of a spec", () => {
  it("D10.1 is exactly the session's specs folder and the slug", () => {
    expect(specPath("abc", "review-ui")).toBe(".gjc/_session-abc/specs/deep-interview-review-ui.md");
  });

  it("D10.1 no session id leaves the folder", () => {
    expect(sessionFolder("../x/ü")).toBe("_session-%2E%2E%2Fx%2F%C3%BC");
  });
});
