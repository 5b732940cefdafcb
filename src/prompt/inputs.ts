/**
 * What each task's prompt may read: the keys of its input. A prompt file that names anything else is refused when it is
 * loaded, not in the round that first needs it. The types keep the table complete.
 */
import type { TaskInputs, TaskName } from "../core/deep/tasks.ts";

type Keys<N extends TaskName> = { readonly [K in keyof TaskInputs[N]]: true };

const every = { language: true, type: true } as const;

export const taskInputs: { readonly [N in TaskName]: Keys<N> } = {
  summarise: { ...every, text_sha256: true, max_chars: true },
  explore: { ...every, idea: true, files: true, excerpts: true, earlier: true },
  topology: {
    ...every,
    idea: true,
    context: true,
    requested_language: true,
    phrases: true,
    known_languages: true,
  },
  interpret: {
    ...every,
    purpose: true,
    question: true,
    options: true,
    picked: true,
    text: true,
    components: true,
    explain: true,
  },
  score: {
    ...every,
    round: true,
    target: true,
    question: true,
    answer: true,
    answered_by: true,
    assumption: true,
    components: true,
    dimensions: true,
    facts: true,
    disputed: true,
    prior_entities: true,
    prior_ambiguity: true,
    gap_below: true,
    idea: true,
    transcript: true,
  },
  question: {
    ...every,
    round: true,
    target: true,
    style: true,
    why: true,
    user_only: true,
    findings: true,
    facts: true,
    trigger: true,
    gap: true,
    entities: true,
    context: true,
    asked: true,
    idea: true,
    components: true,
  },
  research: { ...every, question: true, idea: true, components: true, facts: true, findings: true },
  "auto-answer": {
    ...every,
    question: true,
    options: true,
    target: true,
    components: true,
    facts: true,
    findings: true,
    candidates: true,
    idea: true,
  },
  panel: {
    ...every,
    persona: true,
    cause: true,
    escalated: true,
    target: true,
    entities: true,
    facts: true,
    question: true,
    idea: true,
    components: true,
    transcript: true,
  },
  closure: {
    ...every,
    components: true,
    facts: true,
    findings: true,
    assumptions: true,
    transcript: true,
    idea: true,
  },
  restate: { ...every, components: true, facts: true, corrections: true, transcript: true, idea: true },
  crystallize: {
    ...every,
    idea: true,
    restated_goal: true,
    components: true,
    facts: true,
    transcript: true,
    gaps: true,
    context: true,
    dimensions: true,
  },
};

/** What the renderer adds: the raw text that the summarise task is given by its hash (D1.3). */
const rendered: Readonly<Record<string, readonly string[]>> = { summarise: ["text"] };

/** The names that a task's prompt may declare; null for a task whose inputs are not listed here. */
export function inputsOf(task: string): readonly string[] | null {
  const entry = Object.entries(taskInputs).find(([name]) => name === task);
  return entry === undefined ? null : [...Object.keys(entry[1]), ...(rendered[task] ?? [])];
}
