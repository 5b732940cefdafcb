import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reasonOf, scrub, secretsOf } from "../../src/model/secrets.ts";

const body = fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/);

describe("scrub", () => {
  it("hides whatever looks like a key, wherever it stands", () => {
    const shapes = fc.constantFrom(
      (s: string) => `sk-ant-api03-${s}`,
      (s: string) => `Bearer ${s}`,
      (s: string) => `x-api-key: ${s}`,
      (s: string) => `"api_key": "${s}"`,
      (s: string) => `Authorization=${s}`,
      (s: string) => `authorization: Bearer ${s}`,
      (s: string) => `ghp_${s}`,
      (s: string) => `https://user:${s}@example.com/v1`,
    );
    fc.assert(
      fc.property(shapes, body, (shape, secret) => {
        expect(scrub(`the provider said: ${shape(secret)} is wrong`)).not.toContain(secret);
      }),
    );
  });

  it("hides the secrets it is given, in any surroundings", () => {
    fc.assert(
      fc.property(body, fc.string(), fc.string(), (secret, before, after) => {
        expect(scrub(`${before}${secret}${after}`, [secret])).not.toContain(secret);
      }),
    );
  });

  it("leaves ordinary words alone", () => {
    const text = "the provider answered 401: invalid x-api-key; the task-list is risky, see https://example.com/a:b";
    expect(scrub(text)).toBe(text);
  });
});

describe("secretsOf", () => {
  it("finds keys, tokens and the values of custom headers", () => {
    const env = {
      ANTHROPIC_API_KEY: " key-1234 ",
      ANTHROPIC_CUSTOM_HEADERS: "X-Team: t\nX-Gate: gate-5678",
      PATH: "/bin",
    };
    expect(secretsOf(env)).toEqual(["key-1234", "gate-5678"]);
  });
});

describe("reasonOf", () => {
  it("is one line of bounded length without control or direction characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
        const reason = reasonOf(`a\u001b[31m\r\n\u202e${text}`);
        expect(reason).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(reason.length).toBeLessThanOrEqual(400);
      }),
    );
  });
});
