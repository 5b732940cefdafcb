import { describe, expect, it } from "vitest";
import type { DeepEvent } from "../../../src/core/deep/events.ts";
import { type Config, fill, type Vars } from "../../../src/core/deep/phrase.ts";
import type { DeepState } from "../../../src/core/deep/schema.ts";
import { blankState } from "../../../src/core/deep/state.ts";
import { tell } from "../../../src/core/deep/tell.ts";
import type { Message } from "../../../src/core/machine.ts";
import { noUsage } from "../../../src/core/usage.ts";
import { loadLanguages } from "../../../src/prompt/languages.ts";
import { component, interview, round } from "./build.ts";

const config: Config = { languages: await loadLanguages(), sha256: () => "" };
const state = interview([component("a"), component("b")], {
  threshold: 0.05,
  current_ambiguity: 0.4,
  session_id: "s1",
});

/** What an event of this type says; tell looks at the states, and at little of the event. */
function told(
  event: { readonly type: DeepEvent["type"] } & Record<string, unknown>,
  after: DeepState = state,
  before = after,
): Message[] {
  return tell(config, before, { seq: 1, at: "2026-08-01T10:00:00.000Z", ...event } as never, after);
}

const words = (key: string, vars: Vars = {}) => fill(config.languages.phrases["en"]?.[key] ?? "", vars);
const text = (said: string) => ({ type: "text", text: said });
const warning = (said: string) => ({ type: "warning", text: said });

describe("the beginning", () => {
  it("D0.3 is the marker line alone, in every language as it is", () => {
    const language = { tag: "ko", name: "Korean", instruction: "", phrases: { announcement: "다른 말" } };
    const after = { ...state, threshold: 0.125, threshold_source: "./.gjc/settings.json", language };
    const line = "Deep Interview threshold: 12.5% (source: ./.gjc/settings.json)";
    expect(told({ type: "interview.started" }, after)).toEqual([{ type: "announcement", text: line }]);
    expect(told({ type: "threshold.changed" }, after)).toEqual([{ type: "announcement", text: line }]);
  });

  it("D1.5 goes on with the idea, its type, that nothing is clear yet, and when execution follows", () => {
    const [announcement, ...more] = told(
      { type: "topology.proposed" },
      { ...state, initial_idea: 'A "tool" for $(x)' },
      blankState,
    );
    expect(more).toEqual([]);
    expect(announcement).toMatchObject({ type: "text" });
    const said = announcement?.type === "text" ? announcement.text : "";
    for (const part of ['A "tool" for $(x)', "greenfield", "100%", "at or below 5%"]) expect(said).toContain(part);
  });

  it("D1.1 says that the interview became a brownfield one, and that a small request needs none", () => {
    const after: DeepState = { ...state, type: "brownfield", small: true };
    const [, brownfield, small] = told({ type: "topology.proposed" }, after, blankState);
    expect([brownfield, small]).toEqual([text(words("notice.brownfield")), text(words("notice.small"))]);
  });

  it.each([
    [0.05, 20, "text"],
    [0.0499, 20, "warning"],
    [0.05, 5, "warning"],
    [0.05, 6, "text"],
  ])("D0.6 says once what %f demands with %i rounds, as a %s", (threshold, round_cap, type) => {
    const messages = told({ type: "topology.locked", remark: null }, { ...state, threshold, round_cap });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      type,
      text: expect.stringMatching(/^[^\n]*[\d.]+%[^\n]*\b6\b[^\n]*95(\.01)?%[^\n]*$/),
    });
  });

  it("D0.6 counts the pairs of active components, and four of them in a brownfield interview", () => {
    const components = [component("a"), component("b", {}, { status: "deferred" })];
    const topology = { ...state.topology, components };
    const said = (type: DeepState["type"]) =>
      told({ type: "topology.locked", remark: null }, { ...state, type, topology })[0];
    expect(said("greenfield")).toMatchObject({ text: words("demand", { percent: "5%", clarity: "95%", pairs: 3 }) });
    expect(said("brownfield")).toMatchObject({ text: words("demand", { percent: "5%", clarity: "95%", pairs: 4 }) });
  });
});

describe("the way", () => {
  it("D2.2 names a component that was deferred, and why", () => {
    expect(told({ type: "component.deferred", component_id: "b", reason: "next year" })).toEqual([
      text(words("component.deferred", { component: "B", reason: "next year" })),
    ]);
  });

  it("D4.1 gives an explanation as it is, and nothing for a question that is merely put again", () => {
    expect(told({ type: "reply.returned", text: "It means {this}." })).toEqual([text("It means {this}.")]);
    expect(told({ type: "reply.returned", text: "" })).toEqual([]);
  });

  it("D3.6 says that a question is the user's own, and nothing of other rounds without an answer", () => {
    const unresolved = (why: string) => told({ type: "round.unresolved", why, round: round(1, null) });
    expect(unresolved("user-only")).toMatchObject([text(words("user-only"))]);
    for (const why of ["architect-failed", "deferred", "left-open", "early-exit"]) expect(unresolved(why)).toEqual([]);
  });

  it("D8.4 has the seed's line at the cap", () => {
    expect(told({ type: "rounds.ended", reason: "cap" })).toEqual([
      warning("Maximum interview rounds reached. Proceeding with current clarity level (40%)."),
    ]);
  });

  it("D8.3 D9.2 warns at every other end but the gate's", () => {
    expect(told({ type: "rounds.ended", reason: "gate" })).toEqual([]);
    expect(told({ type: "rounds.ended", reason: "early-exit" })).toEqual([
      warning(words("early-exit", { ambiguity: "40%", percent: "5%" })),
    ]);
    for (const reason of ["budget", "exhausted"]) {
      expect(told({ type: "rounds.ended", reason })).toMatchObject([
        { type: "warning", text: expect.stringContaining("40%") },
      ]);
    }
  });

  it.each<{ readonly type: DeepEvent["type"] } & Record<string, unknown>>([
    { type: "task.failed", task: "panel", reason: "down", code: "provider", usage: noUsage },
    { type: "task.completed", task: "panel", usage: noUsage },
    { type: "panel.convened", review: { failed: ["researcher"] } },
    { type: "research.completed", candidates: [] },
    { type: "answer.recorded" },
    { type: "answer.assumed" },
    { type: "question.asked" },
    { type: "question.closed" },
    { type: "reply.received" },
    { type: "reply.interpreted" },
    { type: "closure.audited", failed: true, gaps: [] },
    { type: "gap.raised" },
    { type: "spec.drafted", fallback: true },
    { type: "interview.refined" },
  ])("D7.5 says nothing of what only the program is concerned with: $type", (event) => {
    expect(told(event)).toEqual([]);
  });
});

describe("the end", () => {
  const spec: NonNullable<DeepState["spec"]> = {
    slug: "a",
    path: ".gjc/_session-s1/specs/deep-interview-a.md",
    sha256: "",
    status: "PASSED",
    version: 1,
    persisted_at: "",
  };

  it("D10.4 D5.7 names the spec, its status, and ambiguity and threshold without rounding", () => {
    const after = { ...state, current_ambiguity: 0.0501, threshold: 0.05 };
    expect(told({ type: "spec.written", path: spec.path, status: "BELOW_THRESHOLD_EARLY_EXIT" }, after)).toEqual([
      text(
        words("spec.written", {
          path: spec.path,
          status: "BELOW_THRESHOLD_EARLY_EXIT",
          ambiguity: "5.01%",
          percent: "5%",
        }),
      ),
    ]);
  });

  it("D11.2 prints the entry to go on with", () => {
    const after = { ...state, spec, handoff: { to: "ultragoal", at: "" } };
    expect(told({ type: "handoff.chosen", to: "ultragoal" }, after)).toEqual([
      text(words("handoff", { entry: `/skill:ultragoal ${spec.path}` })),
    ]);
  });

  it("D2.4 warns in the handoff of an older interview that its topology was not captured", () => {
    const topology = { ...state.topology, status: "legacy_missing" as const };
    const after = { ...state, topology, spec, handoff: { to: "team", at: "" } };
    expect(told({ type: "handoff.chosen", to: "team" }, after)[0]).toEqual(warning(words("handoff.legacy")));
  });

  it("D8.3 says after a cancel how to go on, and nothing where the spec merely waits", () => {
    expect(told({ type: "interview.closed", how: "cancelled" })).toMatchObject([
      { text: expect.stringContaining("deep-interview resume --session s1") },
    ]);
    expect(told({ type: "interview.closed", how: "pending-approval" })).toEqual([]);
  });
});
