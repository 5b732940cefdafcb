/** Replies that fit, one for each task. */
import type { TaskName, TaskReply } from "../../src/core/deep/tasks.ts";

const draft: TaskReply<"question">["question"] = {
  component: "review-ui",
  dimension: "criteria",
  why: "Nothing says when a review is done.",
  question: "When is a review done?",
  options: [
    { label: "When it is approved", description: "One reviewer approves it.", from: "" },
    { label: "After a day", description: "Nobody objected.", from: "" },
  ],
  recommended: "When it is approved",
  research: false,
  nature: "decision",
  fact: { statement: "", path: "", symbol: "", interpreted: false },
};

export const values: { readonly [N in TaskName]: TaskReply<N> } = {
  summarise: { summary: "s", decisions: [], constraints: [], unknowns: [], citations: [], non_goals: [] },
  explore: { summary: "s", findings: [], earlier: [] },
  topology: {
    language: { tag: "en", name: "English", instruction: "Write in English." },
    phrases: [],
    changes_existing: false,
    grouping: "",
    components: [{ name: "Review UI", description: "Shows records.", evidence: "the idea", deliverables: [] }],
  },
  interpret: {
    task: "interpret",
    kind: "answer",
    structured: false,
    decision: "",
    reasoning: [],
    constraints: [],
    out_of_scope: [],
    context: [],
    explanation: "",
    edits: [],
  },
  score: {
    task: "score",
    components: [
      {
        component: "review-ui",
        dimensions: [{ dimension: "goal", justification: "It says who and why.", score: 0.6, gap: "No limit." }],
      },
    ],
    triggers: [],
    facts: [],
    stands: [],
    entities: [],
    draft: [],
  },
  question: { task: "question", question: draft },
  research: {
    task: "research",
    candidates: [
      { answer: "a", rationale: "r", confidence: "high" },
      { answer: "b", rationale: "r", confidence: "low" },
    ],
    fallback: "f",
  },
  "auto-answer": { task: "auto-answer", answer: "a", reasons: ["x", "y"], confidence: "high", uncertainty: "" },
  panel: {
    task: "panel",
    persona: "contrarian",
    finding: "f",
    reasons: ["r"],
    options: ["o"],
    confidence: "medium",
  },
  closure: { ready: true, gaps: [] },
  restate: { sentence: "A tool.", covers: ["review-ui"] },
  crystallize: {
    title: "t",
    goal: "g",
    constraints: [],
    non_goals: [],
    criteria: [],
    assumptions: [],
    technical: [],
    coverage: [],
  },
};

/** The score of a reply, as it travels. */
export const scoreText = JSON.stringify({ reply: values.score });
export const restateText = JSON.stringify(values.restate);
