import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StateError, UsageError } from "../../src/errors.ts";
import { readState } from "../../src/store/read.ts";
import { contentOf, createPlace, createSession, optionsFor, read, statePath, write } from "./place.ts";

describe("reading the state", () => {
  it("gives skill, the envelope as it is on disk, and where it is", async () => {
    const root = createPlace();
    await createSession(root, 2);
    const before = contentOf(root);
    expect(readState(optionsFor(root))).toEqual({
      skill: "deep-interview",
      state: JSON.parse(read(root, statePath)),
      storage_path: join(root, statePath),
    });
    expect(contentOf(root)).toEqual(before);
  });

  it("gives the fields that are asked for, of the envelope and of the state in it", async () => {
    const root = createPlace();
    await createSession(root, 1);
    const fields = ["current_phase", "rounds", "threshold"];
    expect(readState({ ...optionsFor(root), fields }).state).toEqual({
      current_phase: "interviewing",
      threshold: 0.05,
      state: { rounds: [] },
    });
    expect(readState({ ...optionsFor(root), fields: ["active"] }).state).toEqual({ active: true });
    expect(() => readState({ ...optionsFor(root), fields: ["round"] })).toThrow(
      expect.objectContaining({ code: "unknown-field", next: "Did you mean rounds?" }),
    );
    expect(() => readState({ ...optionsFor(root), fields: ["toString"] })).toThrow(UsageError);
  });

  it("says in short how much there is", () => {
    const root = createPlace();
    const state = {
      rounds: [1, 2, 3],
      topology: { a: 1, b: 2 },
      initial_idea: "x".repeat(300),
      current_ambiguity: 0.4,
    };
    write(root, statePath, JSON.stringify({ active: true, state }));
    expect(readState({ ...optionsFor(root), compact: true }).state).toEqual({
      active: true,
      state: {
        rounds: { count: 3 },
        topology: { count: 2 },
        initial_idea: { characters: 300 },
        current_ambiguity: 0.4,
      },
    });
  });

  it("D11.3 refuses state that cannot be trusted, and says when there is none", async () => {
    const root = createPlace();
    expect(() => readState(optionsFor(root))).toThrow(expect.objectContaining({ code: "no-state" }));
    await createSession(root, 1);
    write(root, statePath, read(root, statePath).replace("interviewing", "complete"));
    expect(() => readState(optionsFor(root))).toThrow(StateError);
  });
});
