import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitClauses } from "../../../src/core/deep/clauses.ts";
import { missingLanguage } from "../../../src/core/deep/detect.ts";
import type { TaskInputs } from "../../../src/core/deep/tasks.ts";
import { japanesePipeline, koreanPipeline, pipeline, spanishPipeline } from "./answers.ts";
import { blobs, common, components, lexicons, reply, tags } from "./kit.ts";

const topology = (idea: string, change: Partial<TaskInputs["topology"]> = {}) =>
  reply("topology", {
    ...common(),
    idea,
    context: [],
    requested_language: "",
    phrases: [],
    known_languages: [...tags],
    ...change,
  });

describe("topology", () => {
  it("D2.3 names the four components with the words of the idea as evidence", async () => {
    const value = await topology(pipeline);
    expect(value.components.map(({ name, evidence }) => [name, pipeline.includes(evidence)])).toEqual([
      ["Ingestion", true],
      ["Normalization", true],
      ["Review UI", true],
      ["Export", true],
    ]);
    expect(value.components[2]?.deliverables).toContain("inline comments");
    expect(value.changes_existing).toBe(false);
  });

  it.each([
    [pipeline, "en"],
    [koreanPipeline, "ko"],
    [japanesePipeline, "ja"],
    [spanishPipeline, "es"],
  ])("D1.6 tells the language: %s", async (idea, tag) => {
    expect((await topology(idea)).language.tag).toBe(tag);
    expect(missingLanguage({ idea, requested: "" }, lexicons)).toBeNull();
  });

  it("fault 25: another language gets the English bank, and its name for the one loud line", async () => {
    const idea = "Créer une application de recettes pour les familles";
    expect((await topology(idea)).language.tag).toBe("en");
    expect(missingLanguage({ idea, requested: "" }, lexicons)).toBe("French");
    expect(missingLanguage({ idea, requested: "pt-BR" }, lexicons)).toBe("pt-BR");
    expect(missingLanguage({ idea, requested: "es-MX" }, lexicons)).toBeNull();
  });

  it("D1.6 reads the idea in its own language, also when another one was asked for", async () => {
    const value = await topology(pipeline, { requested_language: "ko" });
    expect(value.language.tag).toBe("ko");
    expect(value.components.map((component) => component.name)).toEqual(
      splitClauses(pipeline, lexicons).components.map((component) => component.name),
    );
  });

  it.each([
    ["Extend src/auth/passport.js with GitHub login", true],
    ["기존 로그인에 GitHub 로그인을 추가해 주세요", true],
    ["既存のログイン機能にGitHubを追加したい", true],
    ["Ampliar el inicio de sesión existente con GitHub", true],
    ["Build a recipe sharing site", false],
  ])("D1.1 says whether it speaks of changing something: %s", async (idea, changes) => {
    expect((await topology(idea)).changes_existing).toBe(changes);
  });
});

describe("the panel and the architect", () => {
  const panel = (persona: string, escalated = false, tag: (typeof tags)[number] = "en") =>
    reply("panel", {
      ...common(tag),
      persona,
      cause: "milestone",
      escalated,
      target: { component: "export", name: "Export", dimension: "criteria", gap: "no check yet" },
      entities: ["Report", "Record"],
      facts: [],
      question: "How would you know?",
      idea: pipeline,
      components,
      transcript: [],
    });

  it.each(tags)(
    "D7.2, D7.3 in %s answers as the lens it was given, each another finding, with reasons and options",
    async (tag) => {
      const personas = ["researcher", "contrarian", "simplifier", "architect"];
      const values = await Promise.all(personas.map((persona) => panel(persona, false, tag)));
      expect(values.map((value) => value.persona)).toEqual(personas);
      expect(new Set(values.map((value) => value.finding)).size).toBe(4);
      for (const { finding, reasons, options } of values) {
        expect(finding).toContain("Export");
        expect(reasons.length).toBeGreaterThanOrEqual(1);
        expect(reasons.length).toBeLessThanOrEqual(3);
        expect(options.length).toBeGreaterThanOrEqual(1);
        expect(options.length).toBeLessThanOrEqual(3);
        expect([finding, ...reasons, ...options].join()).not.toMatch(/\{\w+\}/);
      }
    },
  );

  it("D7.4 asks what this really is when it is escalated", async () => {
    const [contrarian, researcher] = await Promise.all([panel("contrarian", true), panel("researcher", true)]);
    expect(contrarian?.finding).toContain("Report");
    expect(contrarian?.finding).toContain("Record");
    expect(researcher?.finding).not.toContain("Record");
  });

  it.each(tags)(
    "D4.4 in %s assumes one answer with reasons, never of high confidence, and names what is uncertain",
    async (tag) => {
      const input = {
        ...common(tag),
        question: "?",
        options: [],
        target: { component: "export", dimension: "constraints" },
        components,
        facts: [],
        findings: [],
        candidates: [],
        idea: pipeline,
      };
      const value = await reply("auto-answer", input);
      expect(value.answer).toContain("Export");
      expect(value.reasons.length).toBeGreaterThanOrEqual(2);
      expect(value.confidence).not.toBe("high");
      expect(value.uncertainty).not.toBe("");
      expect((await reply("auto-answer", { ...input, candidates: ["Take the service"] })).answer).toBe(
        "Take the service",
      );
    },
  );

  it("D3.7 gives two or three candidates and a way out", async () => {
    const value = await reply("research", {
      ...common(),
      question: "?",
      idea: pipeline,
      components,
      facts: [],
      findings: [],
    });
    expect([2, 3]).toContain(value.candidates.length);
    expect(value.candidates.every((candidate) => candidate.rationale !== "")).toBe(true);
    expect(value.fallback).not.toBe("");
  });
});

const stated = components.flatMap(({ id, name }) =>
  (["goal", "constraints", "criteria"] as const).map((dimension, index) => ({
    id: `${id}-${index}`,
    statement: `${name} shows ${index + 2} ${dimension} lines, and the reviewer sees inline comments`,
    component: id,
    dimension,
    status: "established",
  })),
);
const told = stated.map((fact, index) => ({
  round: index + 1,
  component: fact.component,
  dimension: fact.dimension,
  question: "?",
  answer: `${fact.statement}.`,
  answered_by: "user",
}));

describe("closure and restate", () => {
  const closure = (facts: typeof stated, change: Partial<TaskInputs["closure"]> = {}) =>
    reply("closure", {
      ...common(),
      components,
      facts,
      findings: [],
      assumptions: [],
      transcript: [],
      idea: pipeline,
      ...change,
    });

  it("D9.1 is ready when every pair has a concrete statement, and names each pair without one", async () => {
    expect(await closure(stated)).toEqual({ ready: true, gaps: [] });
    const without = stated.filter((fact) => !(fact.component === "export" && fact.dimension === "criteria"));
    const value = await closure(without);
    expect(value).toMatchObject({ ready: false, gaps: [{ component: "export", dimension: "criteria" }] });
    expect(value.gaps[0]?.gap).toContain("Export");
  });

  it("D9.1 takes an answer for a statement, but no disputed fact; asks for the fit only of a brownfield idea; leaves deferred ones out", async () => {
    const without = stated.filter((fact) => fact.component !== "export");
    const transcript = told.filter((round) => round.component === "export");
    expect((await closure(without, { transcript })).ready).toBe(true);
    const disputed = stated.map((fact) => (fact.id === "export-0" ? { ...fact, status: "disputed" } : fact));
    expect((await closure(disputed)).gaps).toMatchObject([{ component: "export", dimension: "goal" }]);
    expect((await closure(stated, { type: "brownfield" })).gaps.map((gap) => gap.dimension)).toEqual([
      "context",
      "context",
      "context",
      "context",
    ]);
    const deferred = components.map((component) =>
      component.id === "export" ? { ...component, status: "deferred" as const } : component,
    );
    expect((await closure(without, { components: deferred })).ready).toBe(true);
  });

  it.each(tags)("D9.3 in %s says one sentence on one line that names every active component", async (tag) => {
    const deferred = components.map((component) =>
      component.id === "ingestion" ? { ...component, status: "deferred" as const } : component,
    );
    const value = await reply("restate", {
      ...common(tag),
      components: deferred,
      facts: stated,
      corrections: [],
      transcript: told,
      idea: pipeline,
    });
    expect(value.covers).toEqual(["normalization", "review-ui", "export"]);
    for (const name of ["Normalization", "Review UI", "Export"]) expect(value.sentence).toContain(name);
    expect(value.sentence).not.toContain("Ingestion");
    expect(value.sentence).not.toContain("\n");
    expect(value.sentence.slice(0, -1)).not.toMatch(/[.!?。](\s|$)/u);
  });

  it("D9.3 takes the last correction in", async () => {
    const value = await reply("restate", {
      ...common(),
      components,
      facts: stated,
      corrections: ["first", "reports leave by 7 am.\nAlways."],
      transcript: told,
      idea: pipeline,
    });
    expect(value.sentence).toContain("reports leave by 7 am");
    expect(value.sentence).not.toContain("first");
    expect(value.sentence).not.toContain("\n");
  });
});

describe("crystallize", () => {
  const spec = (change: Partial<TaskInputs["crystallize"]> = {}) =>
    reply("crystallize", {
      ...common(),
      idea: pipeline,
      restated_goal: "",
      components: components.map((component) => ({
        ...component,
        deliverables: component.id === "review-ui" ? ["inline comments"] : [],
      })),
      facts: stated,
      transcript: told,
      gaps: [],
      context: [],
      dimensions: ["goal", "constraints", "criteria"],
      ...change,
    });

  it("D10.3 cites for every line the round that it was said in, and covers every component and deliverable", async () => {
    const value = await spec();
    for (const line of [...value.constraints, ...value.criteria]) {
      expect(line.rounds).toHaveLength(1);
      expect(told[(line.rounds[0] ?? 0) - 1]?.answer).toContain(line.text);
    }
    const covered = value.criteria.flatMap((line) => line.covers);
    for (const name of ["ingestion", "normalization", "review-ui", "export", "inline comments"])
      expect(covered).toContain(name);
    expect(value.coverage.map((row) => row.component)).toEqual(components.map((component) => component.id));
  });

  it("D10.2 says nothing that was not said: no fact, no answer, no line", async () => {
    const value = await spec({ facts: [], transcript: [] });
    expect(value).toMatchObject({ constraints: [], criteria: [], non_goals: [], technical: [], goal: "" });
  });

  it("D10.3 leaves disputed facts out and keeps what was marked out of scope apart", async () => {
    const facts = stated.map((fact) => (fact.id === "export-1" ? { ...fact, status: "disputed" } : fact));
    const answer =
      "Decision: Reports are PDF.\nConstraints (user-stated): At most 40 pages\nOut of scope (user-stated): Printing is out of scope";
    const transcript = [
      ...told,
      { round: 13, component: "export", dimension: "constraints", question: "?", answer, answered_by: "user" },
    ];
    const value = await spec({ facts, transcript });
    expect(value.constraints.map((line) => line.text)).not.toContain(
      stated.find((fact) => fact.id === "export-1")?.statement,
    );
    expect(value.constraints).toContainEqual({
      text: "At most 40 pages",
      rounds: [13],
      sources: [],
      covers: ["export"],
    });
    expect(value.non_goals).toContainEqual({
      text: "Printing is out of scope",
      rounds: [13],
      sources: [],
      covers: ["export"],
    });
  });

  it("D10.3 lists assumed answers as assumptions, and cites a correction by its name", async () => {
    const assumed = {
      round: 13,
      component: "export",
      dimension: "goal",
      question: "Who reads it?",
      answer: "One clerk reads it.",
      answered_by: "architect-assisted",
    };
    const corrected = {
      round: null,
      component: "export",
      dimension: "criteria",
      question: "?",
      answer: "The page total equals the sum.",
      answered_by: "user",
    };
    const fact = {
      id: "f99",
      statement: "The page total equals the sum",
      component: "export",
      dimension: "criteria",
      status: "established",
    };
    const value = await spec({ facts: [...stated, fact], transcript: [...told, assumed, corrected] });
    expect(value.assumptions).toMatchObject([{ assumption: "One clerk reads it." }]);
    expect(value.assumptions[0]?.challenge).toContain("Who reads it?");
    expect(value.criteria).toContainEqual({
      text: fact.statement,
      rounds: [],
      sources: ["correction"],
      covers: ["export"],
    });
  });
});

describe("summarise and explore", () => {
  const summarise = async (text: string, max_chars: number) => {
    const text_sha256 = createHash("sha256").update(text).digest("hex");
    blobs.set(text_sha256, text);
    return reply("summarise", { ...common(), text_sha256, max_chars });
  };
  const filler = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `The weather of day ${index} was pleasant and the people were walking around.`,
    ).join(" ");

  it("D1.3, fault 26: keeps head, tail and what binds, within the size, at 2,001, 50,001 and 500,000 characters", async () => {
    for (const size of [2_001, 50_001, 500_000]) {
      const text = `Build a ledger for the harbour. ${filler(Math.ceil(size / 140))} Files over 50 MB must never be accepted. See src/ledger/post.ts for the old one. Printing is out of scope. Who signs it? ${filler(Math.ceil(size / 140))} The harbour master decides.`;
      const value = await summarise(text, 1_500);
      expect(value.summary.length).toBeLessThanOrEqual(1_500);
      expect(value.summary).toContain("Build a ledger for the harbour.");
      expect(value.summary).toContain("The harbour master decides.");
      expect(value.summary).toContain("Files over 50 MB must never be accepted.");
      expect(value.constraints).toContain("Files over 50 MB must never be accepted.");
      expect(value.non_goals).toContain("Printing is out of scope.");
      expect(value.citations).toContain("src/ledger/post.ts");
      expect(value.unknowns).toContain("Who signs it?");
    }
  });

  it("D1.3 stays within any size, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 3000 }),
        fc.integer({ min: 200, max: 2000 }),
        async (text, max) => {
          expect((await summarise(text, max)).summary.length).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  it("D1.2 finds the places whose names match the idea, and cites nothing that was not given", async () => {
    const files = [
      { path: "src/orders.ts", symbols: ["cancelOrder", "listOrders"] },
      { path: "src/payments.ts", symbols: ["refundPayment"] },
      { path: "src/weather.ts", symbols: ["readSky"] },
    ];
    const earlier = [
      { path: ".gjc/_session-a/specs/deep-interview-orders.md", excerpt: "Orders are\nkept for a year." },
    ];
    const value = await reply("explore", {
      ...common(),
      idea: "Extend cancelOrder so that the customer gets a refund for the payment",
      files,
      excerpts: [],
      earlier,
    });
    expect(value.findings.map(({ path, symbol }) => [path, symbol])).toEqual(
      expect.arrayContaining([
        ["src/orders.ts", "cancelOrder"],
        ["src/payments.ts", "refundPayment"],
      ]),
    );
    for (const { path, symbol } of value.findings) {
      const file = files.find((item) => item.path === path);
      expect(file !== undefined && (symbol === "" || file.symbols.includes(symbol))).toBe(true);
    }
    expect(value.findings.some((finding) => finding.path === "src/weather.ts")).toBe(false);
    expect(value.earlier).toEqual([{ path: earlier[0]?.path, note: "Orders are kept for a year." }]);
  });

  it("D1.2 says so when nothing matches", async () => {
    const value = await reply("explore", {
      ...common(),
      idea: "Bake bread",
      files: [{ path: "src/orders.ts", symbols: [] }],
      excerpts: [],
      earlier: [],
    });
    expect(value.findings).toEqual([]);
    expect(value.summary).not.toBe("");
  });
});
