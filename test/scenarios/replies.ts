/** Default model replies for scripted interviews: valid, unremarkable, and easy to override one by one. */
import type { ScoreReply, TaskInputs } from "../../src/core/deep/tasks.ts";
import type { Task } from "../../src/core/machine.ts";
import type { Replies } from "./world.ts";

export function inputOf<N extends keyof TaskInputs>(task: Task): TaskInputs[N] {
  return task.input as unknown as TaskInputs[N];
}

const noFact = { statement: "", path: "", symbol: "", interpreted: false };

export function draft(component: string, dimension: "goal" | "constraints" | "criteria" | "context", question: string) {
  return {
    component,
    dimension,
    why: "it is the least clear",
    question,
    options: [
      { label: `One way for ${component}`, description: "first", from: "" },
      { label: `Another way for ${component}`, description: "second", from: "" },
    ],
    recommended: "",
    research: false,
    nature: "decision" as const,
    fact: noFact,
  };
}

/** A score reply that gives every pair the same score. */
export function score(
  task: Task,
  value: number | ((component: string, dimension: string) => number),
  change: Partial<ScoreReply> = {},
): ScoreReply {
  const input = inputOf<"score">(task);
  const at = typeof value === "number" ? () => value : value;
  return {
    task: "score",
    components: input.components.map((component) => ({
      component: component.id,
      dimensions: component.scores.map(({ dimension }) => ({
        dimension: dimension as "goal",
        justification: "as it stands",
        score: at(component.id, dimension),
        gap: `what ${component.id} means by its ${dimension}`,
      })),
    })),
    triggers: [],
    facts: [],
    stands: [],
    entities: [{ name: "Record", type: "core domain", fields: ["id"], relationships: [] }],
    draft: [],
    ...change,
  };
}

let serial = 0;

export const plain: Replies = {
  topology: () => ({
    language: { tag: "en", name: "English", instruction: "Write in English." },
    phrases: [],
    changes_existing: false,
    grouping: "",
    components: [
      { name: "Import", description: "Reads files", evidence: "reads", deliverables: [] },
      { name: "Export", description: "Writes reports", evidence: "writes", deliverables: [] },
    ],
  }),
  question: (task) => {
    const { target, round } = inputOf<"question">(task);
    serial += 1;
    return {
      task: "question",
      question: draft(
        target.component,
        target.dimension as "goal",
        `What happens in ${target.name} (${target.dimension}, ${round}, ${serial})?`,
      ),
    };
  },
  interpret: () => ({
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
  }),
  panel: (task) => {
    const { persona } = inputOf<"panel">(task);
    return {
      task: "panel",
      persona: persona as "researcher",
      finding: `the ${persona} sees a hidden assumption`,
      reasons: ["it was never said"],
      options: [`What the ${persona} would do`],
      confidence: "medium",
    };
  },
  "auto-answer": () => ({
    task: "auto-answer",
    answer: "Keep records for a year",
    reasons: ["usual", "cheap"],
    confidence: "medium",
    uncertainty: "the law may ask for more",
  }),
  research: () => ({
    task: "research",
    candidates: [
      { answer: "A ready parser", rationale: "kept well", confidence: "high" },
      { answer: "Our own parser", rationale: "full control", confidence: "low" },
    ],
    fallback: "ask plainly",
  }),
  closure: () => ({ ready: true, gaps: [] }),
  restate: (task) => ({
    sentence: "Import files and export reports.",
    covers: inputOf<"restate">(task).components.map((component) => component.id),
  }),
  crystallize: (task) => {
    const { components, transcript } = inputOf<"crystallize">(task);
    const rounds = transcript.flatMap((item) => (item.round === null ? [] : [item.round])).slice(0, 3);
    const line = (text: string, covers: string[]) => ({ text, rounds, sources: [], covers });
    return {
      title: "Import and export",
      goal: "Files come in, reports go out.",
      constraints: [line("At most 10 MB a file", [])],
      non_goals: [],
      criteria: components.map((component) => line(`${component.name} gives the expected rows`, [component.id])),
      assumptions: [],
      technical: [],
      coverage: components.map((component) => ({ component: component.id, note: "covered" })),
    };
  },
};
