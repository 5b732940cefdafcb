import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replies, type TaskInputs, type TaskName } from "../../../src/core/deep/tasks.ts";
import type { Fault } from "../../../src/core/machine.ts";
import { components, dimensions, model, questionInput, runTask, scoreInput, tags, taskOf } from "./kit.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        "reviewer",
        "must",
        "50 MB",
        "never",
        "and",
        ".",
        "?",
        "because",
        "검토자가",
        "승인합니다.",
        "承認する。",
        "revisor",
        "{gap}",
        "`src/a.ts`",
        "Export",
        "also",
        "dashboard",
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(" ")),
);
const common = fc.record({
  language: fc.record({ tag: fc.constantFrom(...tags, "fr", "pt-BR", ""), instruction: text }),
  type: fc.constantFrom("greenfield" as const, "brownfield" as const),
});
const dimension = fc.constantFrom(...dimensions, "context", "other");
const component = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  name: text,
  description: text,
  status: fc.constantFrom("active" as const, "deferred" as const),
});
const fact = fc.record({
  id: fc.constantFrom("f1", "f2"),
  statement: text,
  component: fc.constantFrom("a", "b"),
  dimension,
  status: fc.constantFrom("established", "disputed"),
});
const round = fc.record({
  round: fc.option(fc.integer({ min: 1, max: 20 })),
  component: fc.option(fc.constantFrom("a", "b")),
  dimension: fc.option(dimension),
  question: text,
  answer: text,
  answered_by: fc.option(fc.constantFrom("user", "architect-assisted", "research")),
});
const some = <T>(item: fc.Arbitrary<T>, maxLength = 4) => fc.array(item, { maxLength });
const cited = fc.record({
  statement: text,
  path: fc.constantFrom("src/a.ts", ""),
  symbol: fc.constantFrom("login", ""),
});
const finding = fc.record({
  persona: fc.constantFrom("researcher", "contrarian"),
  finding: text,
  options: some(text, 3),
});
const target = fc.record({
  component: fc.constantFrom("a", "b", ""),
  name: text,
  dimension,
  score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  gap: text,
});

/** Inputs of every shape that a machine could make, and odder ones. */
const inputs: { readonly [N in TaskName]: fc.Arbitrary<TaskInputs[N]> } = {
  summarise: fc
    .tuple(common, fc.integer({ min: 200, max: 3000 }))
    .map(([base, max_chars]) => ({ ...base, text_sha256: "none", max_chars })),
  explore: fc
    .tuple(
      common,
      fc.record({
        idea: text,
        files: some(fc.record({ path: text, symbols: some(text) })),
        excerpts: some(fc.record({ path: text, text })),
        earlier: some(fc.record({ path: text, excerpt: text })),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  topology: fc
    .tuple(
      common,
      fc.record({
        idea: text,
        context: some(cited),
        requested_language: fc.constantFrom("", ...tags, "fr"),
        phrases: fc.constant([]),
        known_languages: fc.constant([...tags]),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  interpret: fc
    .tuple(
      common,
      fc.record({
        purpose: fc.constantFrom("round" as const, "topology" as const),
        question: text,
        options: some(text),
        text,
        picked: some(text, 1),
        components: some(component),
        explain: fc.boolean(),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  score: fc
    .tuple(
      common,
      text,
      text,
      some(fact),
      some(round),
      fc.uniqueArray(component, { selector: (item) => item.id, minLength: 1, maxLength: 3 }),
      dimension,
      some(fc.constantFrom("f1", "f2"), 2),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([base, answer, idea, facts, transcript, parts, aimed, disputed, ambiguity]) => ({
      ...scoreInput(answer, {
        ...base,
        idea,
        facts,
        transcript,
        disputed,
        prior_ambiguity: ambiguity,
        target: { component: parts[0]?.id ?? "", dimension: aimed },
      }),
      components: parts.map((part) => ({
        ...part,
        scores: dimensions.map((name) => ({ dimension: name, score: ambiguity > 0.9 ? null : ambiguity })),
      })),
    })),
  question: fc
    .tuple(
      common,
      target,
      some(finding, 3),
      some(fact),
      some(cited, 2),
      some(text, 6),
      fc.boolean(),
      fc.constantFrom("plain", "ontology", "closure"),
      fc.option(fc.record({ label: fc.constantFrom("A", "B", "C", "D"), evidence: text })),
      some(text, 2),
    )
    .map(([base, aim, findings, facts, context, asked, user_only, style, trigger, entities]) =>
      questionInput({ ...base, target: aim, findings, facts, context, asked, user_only, style, trigger, entities }),
    ),
  research: fc
    .tuple(
      common,
      fc.record({
        question: text,
        idea: text,
        components: some(component),
        facts: some(fact),
        findings: some(finding),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  "auto-answer": fc
    .tuple(
      common,
      fc.record({
        question: text,
        options: some(text),
        target: fc.record({ component: fc.constantFrom("a", ""), dimension }),
        components: some(component),
        facts: some(fact),
        findings: some(finding),
        candidates: some(text, 2),
        idea: text,
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  panel: fc
    .tuple(
      common,
      fc.record({
        persona: fc.constantFrom("researcher", "contrarian", "simplifier", "architect"),
        cause: text,
        escalated: fc.boolean(),
        target,
        entities: some(text),
        facts: some(fact),
        question: text,
        idea: text,
        components: some(component),
        transcript: some(round),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  closure: fc
    .tuple(
      common,
      fc.record({
        components: some(component),
        facts: some(fact),
        findings: some(finding),
        assumptions: some(text),
        transcript: some(round),
        idea: text,
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  restate: fc
    .tuple(
      common,
      fc.record({
        components: some(component),
        facts: some(fact),
        corrections: some(text),
        transcript: some(round),
        idea: text,
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
  crystallize: fc
    .tuple(
      common,
      fc.record({
        idea: text,
        restated_goal: text,
        components: some(fc.tuple(component, some(text)).map(([item, deliverables]) => ({ ...item, deliverables }))),
        facts: some(fact),
        transcript: some(round),
        gaps: some(text),
        context: some(cited),
        dimensions: fc.constant([...dimensions]),
      }),
    )
    .map(([base, rest]) => ({ ...base, ...rest })),
};

const names = Object.keys(replies).filter((name): name is TaskName => name in inputs);

describe("the offline model", () => {
  it.each(names)(
    "has a reply to %s that fits its schema, the same one each time, at no cost, whatever it is given",
    async (name) => {
      await fc.assert(
        fc.asyncProperty(inputs[name], async (input) => {
          const task = taskOf(name, input as TaskInputs[typeof name]);
          const [first, second] = await Promise.all([runTask(task), runTask(task)]);
          expect(first).toMatchObject({ ok: true, model: "offline rules", attempts: 1 });
          expect(first).toEqual(second);
          if (!first.ok) return;
          expect(replies[name].safeParse(first.value).success).toBe(true);
          expect(first.usage).toEqual({
            calls: 0,
            input_tokens: 0,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
            output_tokens: 0,
            ms: 0,
            usd: 0,
          });
        }),
        { numRuns: 60 },
      );
    },
  );

  it("D5.2 keeps every score within 0..1 with four decimals, knows only the components given, and has a gap below the bound", async () => {
    await fc.assert(
      fc.asyncProperty(inputs.score, async (input) => {
        const outcome = await runTask(taskOf("score", input));
        if (!outcome.ok) throw new Error(outcome.reason);
        const value = replies.score.parse(outcome.value);
        expect(value.components.map((item) => item.component)).toEqual(input.components.map((item) => item.id));
        for (const { dimensions: scores } of value.components) {
          for (const { score, gap } of scores) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
            expect(Math.round(score * 10_000) / 10_000).toBe(score);
            if (score < input.gap_below) expect(gap.trim()).not.toBe("");
          }
        }
        const ids = input.facts.map((item) => item.id);
        for (const trigger of value.triggers)
          expect(trigger.contradicts === "" || ids.includes(trigger.contradicts)).toBe(true);
      }),
    );
  });

  it("answers once more, more carefully, when the interview finds faults, and then says that it could not", async () => {
    const answer =
      "A reviewer opens the oldest record and approves it. We should also send SMS notifications to the clients.";
    const task = taskOf("score", scoreInput(answer));
    const refuse = (path: string): Fault => ({ path, message: "not like this", severity: "reject" });
    const repaired = await runTask(task, (value) =>
      replies.score.parse(value).triggers.length > 0 ? [refuse("triggers[0]")] : [],
    );
    expect(repaired).toMatchObject({ ok: true, attempts: 2, value: { triggers: [], facts: [] } });
    const failed = await runTask(task, () => [refuse("components[0]")]);
    expect(failed).toMatchObject({ ok: false, code: "reply", attempts: 2 });
    expect(failed.ok ? "" : failed.reason).toContain("components[0]: not like this");
    const mended = await runTask(task, () => [{ ...refuse("x"), severity: "correct" }]);
    expect(mended).toMatchObject({ ok: true, attempts: 1 });
  });

  it("refuses a task that it has no rules for, an input that does not fit, and a run that was stopped", async () => {
    const task = taskOf("panel", {
      ...questionInput(),
      persona: "researcher",
      cause: "",
      escalated: false,
      question: "",
      transcript: [],
      entities: [],
      components,
    });
    expect(await runTask({ ...task, name: "territory" })).toMatchObject({ ok: false, code: "reply", attempts: 0 });
    expect(await runTask({ ...task, input: { persona: "researcher" } })).toMatchObject({ ok: false, code: "reply" });
    const stopped = new AbortController();
    stopped.abort();
    expect(await model.run(task, { check: () => [], signal: stopped.signal })).toMatchObject({
      ok: false,
      code: "aborted",
    });
    expect({ label: model.label, kind: model.kind }).toEqual({ label: "offline rules", kind: "offline" });
  });
});
