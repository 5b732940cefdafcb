import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { replies, SharedReply, shared } from "../../src/core/deep/tasks.ts";
import { createContracts, deepContracts } from "../../src/model/contract.ts";
import { values } from "./values.ts";

/** What the service counts: unions, and properties that need not be there. */
function countLimits(schema: unknown): { unions: number; optional: number; depth: number } {
  let unions = 0;
  let optional = 0;
  const walk = (node: unknown): number => {
    if (typeof node !== "object" || node === null) return 0;
    if ("anyOf" in node || ("type" in node && Array.isArray(node.type))) unions += 1;
    if ("properties" in node && typeof node.properties === "object" && node.properties !== null) {
      const required = new Set("required" in node && Array.isArray(node.required) ? node.required : []);
      optional += Object.keys(node.properties).filter((key) => !required.has(key)).length;
    }
    return 1 + Math.max(0, ...Object.values(node).map(walk));
  };
  const depth = walk(schema);
  return { unions, optional, depth };
}

const wires = { "the shared reply": SharedReply, ...replies };

describe("the JSON schema of", () => {
  for (const [name, wire] of Object.entries(wires)) {
    it(`${name} stays within 16 unions and 24 optional fields, and is an object with nothing beside it`, () => {
      const { schema } = zodOutputFormat(wire);
      const { unions, optional } = countLimits(schema);
      expect(unions).toBeLessThanOrEqual(16);
      expect(optional).toBe(0);
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      // The service ignores or refuses these; the helper turns them into words or into nothing.
      expect(JSON.stringify(schema)).not.toMatch(
        /"(?:minimum|maximum|minLength|maxLength|pattern|propertyNames|oneOf)"/,
      );
      expect(JSON.stringify(schema)).not.toContain("{}");
    });
  }

  it("a schema with an optional field or a union would be counted", () => {
    const schema = z.object({ a: z.string().optional(), b: z.union([z.string(), z.int()]) });
    expect(countLimits(zodOutputFormat(schema).schema)).toMatchObject({ unions: 1, optional: 1 });
  });

  it("the score asks for the reasoning before the number", () => {
    const text = JSON.stringify(zodOutputFormat(replies.score).schema);
    expect(text.indexOf('"justification"')).toBeLessThan(text.indexOf('"score":{"type":"number"'));
  });

  it("the shared reply puts the harmless member and the harmless values first", () => {
    const text = JSON.stringify(zodOutputFormat(SharedReply).schema);
    expect(text.indexOf('"const":"interpret"')).toBeLessThan(text.indexOf('"const":"score"'));
    expect(text).toContain('"enum":["answer","explain","opt-out","finish"]');
  });
});

describe("deepContracts", () => {
  it("knows every task, shares one schema among those that share a prefix, and fits each its value", () => {
    for (const [task, value] of Object.entries(values)) {
      const contract = deepContracts(task);
      const travels = shared.has(task) ? { reply: value } : value;
      expect(contract.wire === SharedReply).toBe(shared.has(task));
      expect(contract.fit(travels)).toEqual({ ok: true, value });
    }
  });

  it("23 takes no reply to another task for its own", () => {
    for (const task of shared) {
      for (const other of shared) {
        const value = Object.entries(values).find(([name]) => name === other)?.[1];
        const fit = deepContracts(task).fit({ reply: value });
        expect(fit.ok).toBe(task === other);
        if (!fit.ok) expect(fit.faults).toEqual([expect.objectContaining({ path: "reply.task", severity: "reject" })]);
      }
    }
  });

  it("takes a reply whose envelope was left out", () => {
    expect(deepContracts("panel").fit(values.panel)).toEqual({ ok: true, value: values.panel });
  });

  it("throws for a task that no interview has", () => {
    expect(() => deepContracts("nonsense")).toThrow("nonsense");
  });
});

describe("createContracts", () => {
  it("joins the tasks of several kinds", () => {
    const Other = z.object({
      reply: z.discriminatedUnion("task", [z.object({ task: z.literal("infer"), why: z.string() })]),
    });
    const tables = [
      { replies: { plain: z.object({ a: z.string() }) }, shared: new Set<string>(), envelope: z.never() },
      { replies: { infer: Other.shape.reply.options[0] }, shared: new Set(["infer"]), envelope: Other },
    ];
    const contracts = createContracts(...tables);
    expect(contracts("plain").fit({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(contracts("infer").fit({ reply: { task: "infer", why: "y" } })).toEqual({
      ok: true,
      value: { task: "infer", why: "y" },
    });
  });
});
