import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirements } from "../requirements.ts";
import { filesOf, root } from "../source.ts";
import { type Mutant, runMutants } from "./harness.ts";
import { mutants } from "./mutants.ts";

const files = new Set([...filesOf("src", /./), ...filesOf("prompts", /./), ...filesOf("fragments", /./)]);
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("mutants", () => {
  it("apply: each stands in its file exactly once and changes it", () => {
    const faults = mutants.flatMap(({ id, file, find, replace, note }) => {
      if (!files.has(file)) return [`${id} (${note}): no file ${file}`];
      const times = read(file).split(find).length - 1;
      return times === 1 && find !== replace ? [] : [`${id} (${note}): ${times} times in ${file}`];
    });
    expect(faults).toEqual([]);
  });

  it("are each watched by a test file that cites their rule", () => {
    const tests = new Set(filesOf("test", /\.test\.ts$/));
    const cites = ({ id, test }: Mutant) =>
      tests.has(test) && new RegExp(`${id.replace(".", "\\.")}(?!\\d)`).test(read(test));
    expect(mutants.filter((mutant) => !cites(mutant)).map(({ id, test }) => `${id}: ${test}`)).toEqual([]);
  });

  it("break every rule at least once, and no other", () => {
    const broken = new Set(mutants.map(({ id }) => id));
    expect(requirements.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...broken].filter((id) => !requirements.some((rule) => rule.id === id))).toEqual([]);
  });

  it("are killed, a few of them here; one that changes nothing survives, one that does not load is broken", async () => {
    const base = mutants.find(({ id }) => id === "D1.1");
    if (base === undefined) throw new Error("the list has no mutant of D1.1");
    const harmless = {
      ...base,
      find: "D1.1, D1.2: whether an idea changes",
      replace: "D1.1, D1.2: if an idea changes",
    };
    const unreadable = { ...harmless, replace: "*/ (" };
    const sample = [...mutants.slice(0, 1), ...mutants.slice(-1), harmless, unreadable];
    const results = await runMutants(sample, { jobs: 2 });
    const verdicts = sample.map((mutant) => results.find((result) => result.mutant === mutant)?.verdict);
    expect(verdicts).toEqual(["killed", "killed", "survived", "broken"]);
  }, 60_000);
});
