import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createDeepMachine, type DeepMachine } from "../../src/core/deep/machine.ts";
import type { Fault } from "../../src/core/machine.ts";
import { deepContracts } from "../../src/model/contract.ts";
import { isRejected, readReply } from "../../src/model/reply.ts";
import { loadLanguages } from "../../src/prompt/languages.ts";
import { component, interview } from "../core/deep/build.ts";
import { taskNamed } from "./doubles.ts";

/** A reply as it came, and what must become of it: taken, mended by code, or sent back with these words. */
const Specimen = z.strictObject({
  name: z.string(),
  /** The number of the kind of fault that it is an instance of. */
  fault: z.int().min(19).max(23),
  task: z.string(),
  reply: z.union([z.string(), z.array(z.string())]),
  stop: z.string().optional(),
  tool: z.string().optional(),
  outcome: z.enum(["accept", "mend", "repair"]),
  says: z.string().optional(),
  value: z.unknown().optional(),
});
type Specimen = z.infer<typeof Specimen>;

const folder = fileURLToPath(new URL("../fixtures/replies/", import.meta.url));
const corpus = readdirSync(folder).map((file) => {
  const specimens: unknown = JSON.parse(readFileSync(`${folder}${file}`, "utf8"));
  return { file: file.replace(".json", ""), specimens: z.array(Specimen).parse(specimens) };
});

let machine: DeepMachine;
beforeAll(async () => {
  machine = createDeepMachine({ languages: await loadLanguages(), sha256: (text) => text });
});

const state = interview([
  component("review-ui", {}, { name: "Review UI" }),
  component("import", {}, { name: "Import" }),
]);

function read(specimen: Specimen) {
  const text = Array.isArray(specimen.reply) ? specimen.reply.join("\n") : specimen.reply;
  const task = taskNamed(specimen.task, { input: { persona: "contrarian", max_chars: 4000 } });
  const answer = { text, stopReason: specimen.stop ?? "end_turn", toolCall: specimen.tool ?? null };
  return readReply(answer, deepContracts(specimen.task), (value) => machine.check(state, task, value));
}

function outcomeOf(faults: readonly Fault[]): Specimen["outcome"] {
  if (faults.length === 0) return "accept";
  return isRejected(faults) ? "repair" : "mend";
}

for (const { file, specimens } of corpus) {
  describe(`replies, ${file}:`, () => {
    for (const specimen of specimens) {
      it(`${specimen.fault} ${specimen.name}: ${specimen.outcome}`, () => {
        const { value, faults } = read(specimen);
        expect({ outcome: outcomeOf(faults), faults }).toMatchObject({ outcome: specimen.outcome });
        const said = faults.map((fault) => `${fault.path}: ${fault.message}`).join("\n");
        expect(said).toContain(specimen.says ?? "");
        if (specimen.value !== undefined) expect(value).toEqual(specimen.value);
      });
    }
  });
}

describe("the corpus", () => {
  it("holds at least sixty specimens, of every kind from 19 to 23, and no name twice in a file", () => {
    const all = corpus.flatMap(({ specimens }) => specimens);
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(new Set(all.map(({ fault }) => fault))).toEqual(new Set([19, 20, 21, 22, 23]));
    for (const { specimens } of corpus) expect(new Set(specimens.map(({ name }) => name)).size).toBe(specimens.length);
  });

  it("20 gives no specimen that is sent back a value that could be stored as a score", () => {
    for (const specimen of corpus.flatMap(({ specimens }) => specimens)) {
      if (specimen.outcome !== "repair") continue;
      expect(isRejected(read(specimen).faults)).toBe(true);
    }
  });
});
