import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SharedReply } from "../../src/core/deep/tasks.ts";
import type { Rung } from "../../src/model/ladder.ts";
import { profileOf, shippedProfiles } from "../../src/model/profiles.ts";
import { buildRequest, estimateInput, type RequestParts } from "../../src/model/request.ts";
import type { Call } from "../../src/model/transport.ts";

const schemaRung: Rung = { form: "schema", without: new Set() };

function partsOf(
  over: Partial<RequestParts> & { blocks?: Call["prompt"]["blocks"]; system?: string } = {},
): RequestParts {
  const { blocks = [{ text: "x\ntask: score", cache: false }], system = "s", ...parts } = over;
  const model = parts.model ?? "claude-opus-5-5";
  return {
    call: {
      task: "score",
      prompt: { system, blocks },
      wire: SharedReply,
      turns: [],
      maxOutputTokens: null,
      wording: () => Promise.reject(new Error("not asked for")),
    },
    model,
    profiles: shippedProfiles,
    profile: profileOf(shippedProfiles, model),
    rung: schemaRung,
    ttl: "1h",
    effort: "medium",
    schema: { type: "object" },
    wording: "",
    ...parts,
  };
}

interface Marked {
  readonly text: string;
  readonly cache_control?: { readonly ttl?: string };
}
function contentOf(parts: RequestParts): Marked[] {
  const [message] = buildRequest(parts).messages;
  return Array.isArray(message?.content)
    ? message.content.flatMap((block) =>
        block.type === "text"
          ? [
              {
                text: block.text,
                ...("cache_control" in block && block.cache_control
                  ? { cache_control: { ttl: block.cache_control.ttl ?? "" } }
                  : {}),
              },
            ]
          : [],
      )
    : [];
}

describe("breakpoints", () => {
  const block = fc.record({ text: fc.string({ maxLength: 6000 }), cache: fc.boolean() });
  const models = fc.constantFrom("claude-opus-5-5", "claude-haiku-4-5", "claude-sonnet-5", "somebody-else");

  it("are at most four, only where the prompt marks them, and on no prefix below the model's floor", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 30 }), models, fc.string(), (blocks, model, system) => {
        const parts = partsOf({ blocks, model, system });
        const content = contentOf(parts);
        const marked = content.flatMap((part, index) => (part.cache_control === undefined ? [] : [index]));
        expect(marked.length).toBeLessThanOrEqual(4);
        for (const index of marked) {
          expect(blocks[index]?.cache).toBe(true);
          const prefix = system.length + blocks.slice(0, index + 1).reduce((sum, { text }) => sum + text.length, 0);
          // No script takes more than two characters for less than a token.
          expect(prefix).toBeGreaterThanOrEqual(2 * parts.profile.cache_floor_tokens);
        }
      }),
    );
  });

  it("keep the stable prefix and the newest rounds when there are more than four", () => {
    const blocks = Array.from({ length: 9 }, (_, index) => ({ text: `${index}`.repeat(4000), cache: true }));
    const marked = contentOf(partsOf({ blocks })).map((part) => part.cache_control !== undefined);
    expect(marked).toEqual([true, false, false, false, false, false, true, true, true]);
  });

  it("last an hour when a person answers and five minutes for a script", () => {
    const blocks = [{ text: "x".repeat(9000), cache: true }];
    for (const ttl of ["1h", "5m"] as const)
      expect(contentOf(partsOf({ blocks, ttl }))[0]?.cache_control).toEqual({ ttl });
  });

  it("are left out where the endpoint refused them", () => {
    const blocks = [{ text: "x".repeat(9000), cache: true }];
    const rung: Rung = { form: "schema", without: new Set(["cache"]) };
    expect(contentOf(partsOf({ blocks, rung }))[0]?.cache_control).toBeUndefined();
  });

  it("leave a Latin prefix just below the floor unmarked, and mark one just above", () => {
    const at = (length: number) =>
      contentOf(partsOf({ system: "", blocks: [{ text: "x".repeat(length), cache: true }] }));
    expect(at(4 * 512 - 4)[0]?.cache_control).toBeUndefined();
    expect(at(4 * 512)[0]?.cache_control).toBeDefined();
  });
});

describe("the body", () => {
  it("has no sampling knob, prefill or thinking setting for any model that ships but the seed's temperature", () => {
    for (const model of [...Object.keys(shippedProfiles.models), "somebody-else"]) {
      const sent = buildRequest(partsOf({ model }));
      for (const knob of ["top_p", "top_k", "stop_sequences", "thinking", "tool_choice", "cache_control"]) {
        expect(sent).not.toHaveProperty(knob);
      }
      expect("temperature" in sent).toBe(shippedProfiles.models[model]?.temperature ?? false);
      expect(sent.messages.at(-1)?.role).toBe("user");
    }
  });

  it("sends effort only to a model that takes it", () => {
    expect(buildRequest(partsOf({ model: "claude-haiku-4-5" })).output_config).not.toHaveProperty("effort");
    expect(buildRequest(partsOf()).output_config).toHaveProperty("effort", "medium");
  });

  it("forces a tool on no model that refuses it", () => {
    const rung: Rung = { form: "tool", without: new Set() };
    for (const [model, { forced_tool }] of Object.entries(shippedProfiles.models)) {
      expect(buildRequest(partsOf({ model, rung })).tool_choice?.type).toBe(forced_tool ? "tool" : "auto");
    }
    const refused: Rung = { form: "tool", without: new Set(["forced-tool"]) };
    expect(buildRequest(partsOf({ model: "claude-opus-4-6", rung: refused })).tool_choice?.type).toBe("auto");
  });

  it("keeps the answer inside what a budget leaves", () => {
    const parts = partsOf();
    expect(buildRequest({ ...parts, call: { ...parts.call, maxOutputTokens: 700 } }).max_tokens).toBe(700);
    expect(buildRequest({ ...parts, call: { ...parts.call, maxOutputTokens: 1e9 } }).max_tokens).toBe(22_000);
  });

  it("has its turns after the prompt, and is counted with them", () => {
    const parts = partsOf();
    const turns = [
      { role: "assistant", text: "{}" },
      { role: "user", text: "wrong\ntask: score" },
    ] as const;
    const call = { ...parts.call, turns };
    expect(buildRequest({ ...parts, call }).messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
    expect(estimateInput(call)).toBeGreaterThan(estimateInput(parts.call));
  });
});
