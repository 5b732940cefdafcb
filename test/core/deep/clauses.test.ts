import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitClauses } from "../../../src/core/deep/clauses.ts";
import { detectLanguage } from "../../../src/core/deep/detect.ts";
import { japanesePipeline, koreanPipeline, pipeline, spanishPipeline } from "../../model/offline/answers.ts";
import { lexicons } from "../../model/offline/kit.ts";

const names = (idea: string) => splitClauses(idea, lexicons).components.map((component) => component.name);

describe("the clause splitter", () => {
  it("D2.3 gives four siblings for the four-component idea, and leaves the reviewer's details with Review UI", () => {
    const { components, grouping } = splitClauses(pipeline, lexicons);
    expect(components.map((component) => component.name)).toEqual([
      "Ingestion",
      "Normalization",
      "Review UI",
      "Export",
    ]);
    expect(components[2]?.deliverables).toEqual(["detailed reviewer UI", "inline comments", "approvals"]);
    expect(grouping).toBeNull();
  });

  it.each([
    [koreanPipeline, ["수집", "정규화", "검토 화면", "내보내기"]],
    [japanesePipeline, ["取り込み", "正規化", "レビュー画面", "出力"]],
    [spanishPipeline, ["Ingesta", "Normalización", "Interfaz de revisión", "Exportación"]],
  ])("D2.3 D1.6 names the siblings in the idea's own language: %s", (idea, expected) => {
    expect(names(idea)).toEqual(expected);
  });

  it.each([
    ["Build a todo app with login, search and notifications", ["Todo App"]],
    ["할 일 관리 앱을 만들고 싶어요", ["할 일 관리 앱"]],
    ["ToDoアプリを作りたいです", ["ToDoアプリ"]],
    ["Crear una app de tareas", ["App de tareas"]],
    ["x", ["X"]],
  ])("D2.1 gives one component for an idea of one clause: %s", (idea, expected) => {
    expect(names(idea)).toEqual(expected);
  });

  it.each([
    [
      "We need:\n- CSV upload\n- a review screen: comments, approvals\n- exports\n  - PDF\n  - XLSX",
      ["CSV Upload", "Review UI", "Export"],
    ],
    ["1. Login\n2. Search\n3. Export", ["Authentication", "Search", "Export"]],
    ["ingest CSVs\nnormalize records\nexport reports", ["Ingestion", "Normalization", "Export"]],
    ["A dashboard, a mobile app and an API for our clinic", ["Dashboard", "Mobile App", "API"]],
    ["A tool that scrapes news, ranks it and emails me a digest", ["Ingestion", "Analysis", "Notifications"]],
    ["An app that feeds the cat, waters plants and walks dogs with GPS", ["Feed Cat", "Water Plants", "Walk Dogs"]],
    ["사진을 업로드하고 친구와 공유하는 앱", ["업로드", "공유"]],
    ["・CSVの取り込み\n・レビュー画面\n・レポート出力", ["取り込み", "レビュー画面", "レポート出力"]],
    ["Un panel, una aplicación móvil y una API para nuestra clínica", ["Panel de control", "Aplicación móvil", "API"]],
  ])("D2.1 splits lists, lines and clauses: %s", (idea, expected) => {
    expect(names(idea)).toEqual(expected);
  });

  it("D2.1 leaves out the story around the outcomes, and what is excluded", () => {
    const idea =
      "I run a bakery. Customers call us all day. I want an app that takes orders, schedules pickups and sends reminders. No social features.";
    expect(names(idea)).toEqual(["Orders", "Scheduling", "Notifications"]);
  });

  it("D2.1 groups more than six and says why", () => {
    const idea = "ingest a, normalize b, validate c, search d, export e, notify f, store g, migrate h";
    const { components, grouping } = splitClauses(idea, lexicons);
    expect(components).toHaveLength(6);
    expect(grouping).toContain("Ingestion / Normalization");
    for (const letter of "abcdefgh") expect(components.some((item) => item.text.includes(` ${letter}`))).toBe(true);
  });

  it("D2.1 parts an idea in a language without a lexicon by its bullets only", () => {
    expect(names("Créer une application de recettes pour les familles")).toHaveLength(1);
    expect(names("- Créer les recettes\n- Partager avec la famille pour les fêtes")).toHaveLength(2);
  });

  it("D2.1 D2.3 gives 1-6 components with different names and words of the idea, whatever the idea", () => {
    const word = fc.constantFrom(
      "ingest",
      "CSVs",
      "and",
      ",",
      "that",
      "app",
      "with",
      "export",
      "수집하고",
      "앱을",
      "取り込み、",
      "informes",
      "y",
      "-",
      "\n",
      "1.",
      "no",
    );
    const idea = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 60 }).map((words) => words.join(" ")),
      fc.string({ unit: "grapheme", maxLength: 400 }),
    );
    fc.assert(
      fc.property(idea, (text) => {
        const { components, grouping } = splitClauses(text, lexicons);
        expect(components.length).toBeGreaterThanOrEqual(1);
        expect(components.length).toBeLessThanOrEqual(6);
        expect(new Set(components.map((item) => item.name.toLowerCase())).size).toBe(components.length);
        expect(splitClauses(text, lexicons)).toEqual({ components, grouping });
      }),
    );
  });
});

describe("the language of a text", () => {
  it.each([
    [pipeline, "en", true],
    [koreanPipeline, "ko", true],
    [japanesePipeline, "ja", true],
    [spanishPipeline, "es", true],
    ["Créer une application de recettes pour les familles", "fr", false],
    ["Eine App, die Rezepte für die Familie verwaltet und teilt", "de", false],
    ["构建一个管理食谱的应用", "zh", false],
    ["تطبيق لإدارة الوصفات", "ar", false],
    ["Xây dựng ứng dụng quản lý công thức nấu ăn cho gia đình", "vi", false],
    ["Приложение для рецептов", "ru", false],
  ])("D1.6 is told by scripts and short words: %s", (text, tag, known) => {
    expect(detectLanguage(text, lexicons)).toMatchObject({ tag, known });
  });

  it("D1.6 is not claimed where nothing tells", () => {
    expect(detectLanguage("passport.js 42", lexicons)).toBeNull();
  });
});
