/** One complete input for every task, typed against the contract, and tasks made of them. */
import type { TaskInputs, TaskName } from "../../src/core/deep/tasks.ts";
import type { PromptPrefix, Task } from "../../src/core/machine.ts";

export const instruction = "Write everything that the user reads in English.";
const every = { type: "brownfield", language: { tag: "en", instruction } } as const;

const components = [
  { id: "ingestion", name: "Ingestion", description: "Takes CSV files in.", status: "active" },
  { id: "review-ui", name: "Review UI", description: "Lets reviewers approve records.", status: "active" },
  { id: "export", name: "Export", description: "Writes reports.", status: "deferred" },
] as const;
const facts = [
  {
    id: "f1",
    statement: "Files are at most 2 GB.",
    component: "ingestion",
    dimension: "constraints",
    status: "established",
  },
  {
    id: "f2",
    statement: "Records are kept for 7 years.",
    component: "ingestion",
    dimension: "constraints",
    status: "disputed",
  },
];
const context = [{ statement: "Uploads go through one queue.", path: "src/queue.ts", symbol: "enqueue" }];
const findings = [
  { persona: "contrarian", finding: "Nobody said that files come in batches.", options: ["One file at a time"] },
  { persona: "simplifier", finding: "The queue could go.", options: ["Read on request", "Read every hour"] },
];
const transcript = [
  {
    round: 1,
    component: "ingestion",
    dimension: "goal",
    question: "What happens first when a file arrives?",
    answer: "It is checked line by line.",
    answered_by: "user",
  },
  {
    round: null,
    component: null,
    dimension: null,
    question: "Is the line right?",
    answer: "Add the reports.",
    answered_by: "user",
  },
];
const target = { component: "ingestion", dimension: "constraints" };
const named = { ...target, name: "Ingestion", score: 0.4, gap: "the limit per file" };
const idea = "Build an intake pipeline that ingests CSVs and lets reviewers approve them.";
const options = ["Reject the file", "Keep the good lines"];

export const samples: { readonly [N in TaskName]: TaskInputs[N] } = {
  summarise: { ...every, text_sha256: "a".repeat(64), max_chars: 4000 },
  explore: {
    ...every,
    idea,
    files: [{ path: "src/queue.ts", symbols: ["enqueue", "drain"] }],
    excerpts: [{ path: "src/queue.ts", text: "export function enqueue() {\n  return 1;\n}" }],
    earlier: [{ path: "specs/deep-interview-queue.md", excerpt: "The queue keeps order." }],
  },
  topology: {
    ...every,
    idea,
    context,
    requested_language: "de",
    phrases: [{ key: "restate.yes", text: "Yes, crystallize {percent}" }],
    known_languages: ["en", "ko"],
  },
  interpret: {
    ...every,
    purpose: "round",
    question: "What happens with a broken line?",
    options,
    picked: [],
    text: "Reject the file, because partial data is worse. Never more than 10 minutes.",
    components,
    explain: false,
  },
  score: {
    ...every,
    round: 2,
    target,
    question: "What happens with a broken line?",
    answer: "The file is rejected within 10 minutes.",
    answered_by: "architect-assisted",
    assumption: { reasons: ["Partial data is worse"], confidence: "medium", uncertainty: "large files" },
    components: components.slice(0, 2).map((component) => ({
      ...component,
      scores: [
        { dimension: "goal", score: 0.6 },
        { dimension: "constraints", score: null },
      ],
    })),
    dimensions: ["goal", "constraints", "criteria", "context"],
    facts,
    disputed: ["f2"],
    prior_entities: [{ name: "Record", type: "core domain", fields: ["line", "status"] }],
    prior_ambiguity: 0.61,
    gap_below: 0.95,
    idea,
    transcript,
  },
  question: {
    ...every,
    round: 3,
    target: named,
    style: "ontology",
    why: "nothing limits a file yet",
    user_only: false,
    findings,
    facts,
    trigger: { label: "A", evidence: "now it is 5 GB" },
    gap: "the limit per file is not known",
    entities: ["Record", "File"],
    context,
    asked: ["What happens first when a file arrives?"],
    idea,
    components,
  },
  research: { ...every, question: "Which limit per file?", idea, components, facts, findings },
  "auto-answer": {
    ...every,
    question: "Which limit per file?",
    options,
    target,
    components,
    facts,
    findings,
    candidates: ["2 GB", "500 MB"],
    idea,
  },
  panel: {
    ...every,
    persona: "contrarian",
    cause: "milestone",
    escalated: true,
    target: named,
    entities: ["Record", "File"],
    facts,
    question: "Which limit per file?",
    idea,
    components,
    transcript,
  },
  closure: { ...every, components, facts, findings, assumptions: ["ingestion/goal (open): daily"], transcript, idea },
  restate: { ...every, components, facts, corrections: ["Add the reports."], transcript, idea },
  crystallize: {
    ...every,
    idea,
    restated_goal: "Reviewers get clean records every day.",
    components: components.map((component) => ({ ...component, deliverables: ["audit report"] })),
    facts,
    transcript,
    gaps: ["export/criteria: not said"],
    context,
    dimensions: ["goal", "constraints", "criteria", "context"],
  },
};

export const prefix: PromptPrefix = {
  stable: {
    type: "brownfield",
    idea,
    components: components.map(({ id, name, description }) => ({ id, name, description, evidence: ["ingests CSVs"] })),
    remark: "Keep it small.",
    context,
    context_summary: "A queue that feeds one worker.",
  },
  rounds: ["Round 1 [ingestion/goal]: checked line by line.", "Round 2 [ingestion/constraints]: 10 minutes."],
};

const files: Partial<Record<TaskName, string>> = {
  research: "auto-research-greenfield",
  "auto-answer": "auto-answer-uncertain",
  panel: "lateral-review-panel",
};

export const names: readonly TaskName[] = [
  "summarise",
  "explore",
  "topology",
  "interpret",
  "score",
  "question",
  "research",
  "auto-answer",
  "panel",
  "closure",
  "restate",
  "crystallize",
];

export function taskOf<N extends TaskName>(
  name: N,
  change: Partial<TaskInputs[N]> = {},
  more: Partial<Task> = {},
): Task {
  const standalone = ["summarise", "explore", "topology"].includes(name);
  return {
    id: `${name}-r3-77`,
    name,
    round: 3,
    prompt: files[name] ?? name,
    prefix: standalone ? null : prefix,
    input: { ...samples[name], ...change },
    tolerates: "nothing",
    budget: { tokens: null, usd: null },
    ...more,
  };
}
