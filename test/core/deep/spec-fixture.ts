/** An interview that is ready for its spec, in parts that a test can replace. */
import type { DeepState, Round, SpecLine, SpecProse } from "../../../src/core/deep/schema.ts";
import { blankState } from "../../../src/core/deep/state.ts";
import type { CrystallizeReply } from "../../../src/core/deep/tasks.ts";
import type { Assumption, Component, Dimension, Fact, Trigger } from "../../../src/core/deep/vocabulary.ts";

export const at = "2026-03-04T05:06:07.890Z";

export function component(id: string, more: Partial<Component> = {}): Component {
  return {
    id,
    name: id,
    description: `${id} does its part`,
    status: "active",
    evidence: [],
    deliverables: [],
    clarity_scores: { goal: 0.9, constraints: 0.8, criteria: 0.7, context: null },
    gaps: { goal: "", constraints: "", criteria: "", context: "" },
    weakest_dimension: "criteria",
    joined_round: null,
    ...more,
  };
}

export function round(number: number | null, more: Partial<Round> = {}): Round {
  const id = number === null ? "c9" : `r${number}`;
  return {
    round_key: `i1::rid:${id}`,
    round_id: id,
    round: number,
    kind: number === null ? "correction" : "round",
    question_id: `q-${id}`,
    question_text: `Question ${id}?`,
    header: null,
    question_hash: "",
    options: [],
    aim: {
      component: "import",
      dimension: "goal",
      why: "",
      style: "plain",
      trigger_id: null,
      assumption_id: null,
      gap_key: null,
      user_only: false,
      researched: false,
      folded: [],
    },
    answer_hash: "",
    selected_options: [],
    custom_input: `Answer ${id}.`,
    interpretation: null,
    answered_by: "user",
    auto_answer: null,
    component: "import",
    dimension: "goal",
    ambiguity_at_ask: 1,
    lifecycle: "scored",
    answered_at: at,
    scored_at: at,
    component_scores: [],
    scores: { goal: 0.9, constraints: 0.8, criteria: 0.7, context: null },
    ambiguity: 0.19,
    sampling_margin: 0,
    samples: [],
    spread: [],
    milestone: "refined",
    triggers: [],
    corrections: [],
    record: null,
    superseded: false,
    ...more,
  };
}

export function fact(id: string, dimension: Dimension, more: Partial<Fact> = {}): Fact {
  return {
    id,
    statement: `Statement ${id}.`,
    component: "import",
    dimension,
    source_round: 1,
    evidence: `said in ${id}`,
    provenance: "user",
    status: "established",
    contradicts: null,
    superseded_by: null,
    ceiling: null,
    ...more,
  };
}

export function trigger(id: string, more: Partial<Trigger> = {}): Trigger {
  return {
    id,
    round: 2,
    label: "A",
    status: "resolved",
    component: "import",
    dimension: "constraints",
    prior_dimension_score: 0.8,
    new_dimension_score: 0.6,
    prior_ambiguity: 0.4,
    new_ambiguity: 0.46,
    evidence: "10 MB against 5 MB",
    proposed: null,
    contradicted_fact: "f1",
    rationale: null,
    enforced: false,
    aimed: true,
    resolved_round: 3,
    ...more,
  };
}

export function assumption(id: string, number: number, more: Partial<Assumption> = {}): Assumption {
  return {
    id,
    round: number,
    component: "import",
    dimension: "constraints",
    answer: "Files stay below 10 MB.",
    reasons: ["usual for mail"],
    confidence: "medium",
    uncertainty: "nobody measured it",
    status: "open",
    ...more,
  };
}

export function line(text: string, more: Partial<SpecLine> = {}): SpecLine {
  return { text, rounds: [1], sources: [], provenance: "user", covers: [], ...more };
}

export function prose(more: Partial<SpecProse> = {}): SpecProse {
  return {
    title: "Intake pipeline",
    goal: "Import and export run unattended.",
    constraints: [line("Below 10 MB")],
    non_goals: [line("No mobile client", { rounds: [0] })],
    criteria: [line("A file above 10 MB is refused", { rounds: [1, 2], covers: ["import"] })],
    assumptions: [{ assumption: "Files are CSV", challenge: "Asked for others", resolution: "Only CSV" }],
    technical: [],
    coverage: [{ component: "import", note: "limits only" }],
    ...more,
  };
}

export function reply(more: Partial<CrystallizeReply> = {}): CrystallizeReply {
  const own = (text: string, rounds: number[], covers: string[] = []) => ({ text, rounds, sources: [], covers });
  return {
    title: "Intake pipeline",
    goal: "Import and export run unattended.",
    constraints: [own("Below 10 MB", [1])],
    non_goals: [own("No mobile client", [0])],
    criteria: [own("A file above 10 MB is refused", [1], ["import"]), own("A report is written", [2], ["export"])],
    assumptions: [],
    technical: [],
    coverage: [],
    ...more,
  };
}

export function interview(more: Partial<DeepState> = {}): DeepState {
  return {
    ...blankState,
    interview_id: "6f1c2b1e-0000-4000-8000-000000000001",
    session_id: "s1",
    initial_idea: "Build an intake pipeline. It exports too.",
    current_ambiguity: 0.19,
    threshold: 0.2,
    threshold_source: "flag:--threshold",
    options: { model: "offline", research_setup: false, deliberate: false, scripted: false },
    topology: {
      ...blankState.topology,
      status: "confirmed",
      confirmed_at: at,
      components: [component("import"), component("export")],
    },
    rounds: [round(1), round(2, { component: "export", dimension: "criteria" })],
    restated_goal: "Import and export run unattended.",
    ...more,
  };
}
