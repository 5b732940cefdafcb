/**
 * The transcript of the spec (D10.2): every question and answer in the words in which they came, and who gave the answer.
 */
import { percent } from "../ratio.ts";
import { inline, quoted } from "./markdown.ts";
import type { DeepState, Round } from "./schema.ts";
import type { SpecRound, SpecView } from "./specform.ts";
import { scoreText } from "./spectables.ts";
import { isDirect } from "./state.ts";
import type { Interpretation } from "./vocabulary.ts";

type Part = SpecRound["parts"][number];

/** Rounds that count, and corrections; what an edit took back is left out. */
export function standingRounds(state: DeepState): readonly Round[] {
  return state.rounds.filter((round) => !round.superseded);
}

export function countRounds(state: DeepState): number {
  return standingRounds(state).filter((round) => round.round !== null && round.round > 0).length;
}

export function transcriptView(state: DeepState): SpecView["transcript"] {
  return {
    rounds: countRounds(state),
    entries: standingRounds(state).map((round) => ({
      heading: round.round === null ? "Correction of the restated goal" : `Round ${round.round}`,
      parts: [
        { label: "Q", text: quoted(round.question_text) },
        ...answerParts(round),
        ...readingParts(round.interpretation),
        { label: "Ambiguity", text: ` ${ambiguityText(state, round)}` },
      ],
    })),
  };
}

/** Who answered stands in the label, so that no answer can pass for another's. */
function answerParts(round: Round): Part[] {
  const words = round.custom_input ?? "";
  const picked = round.selected_options.join("; ");
  const said = (label: string): Part[] => (words === "" ? [] : [{ label, text: quoted(words) }]);
  if (round.answered_by === "architect-assisted" && round.auto_answer !== null) {
    return [...said("Reply"), { label: "A (architect-assisted)", text: quoted(round.auto_answer) }];
  }
  const label =
    round.lifecycle === "unresolved" ? "A (unresolved)" : round.answered_by === "research" ? "A (research)" : "A";
  // A revised answer replaced whatever had been picked; a remark stands beside its option.
  if (picked === "" || (round.auto_answer !== null && isDirect(round))) {
    return words === "" ? [{ label, text: "" }] : said(label);
  }
  return [{ label, text: quoted(picked) }, ...said("Remark")];
}

function readingParts(reading: Interpretation | null): Part[] {
  if (reading === null) return [];
  const list = (name: string, items: readonly string[]) => items.map((item) => `- ${name}: ${inline(item)}`);
  const lines = [
    ...list("Decision", [reading.decision]),
    ...list("Reasoning", reading.reasoning),
    ...list("Constraint", reading.constraints),
    ...list("Out of scope", reading.out_of_scope),
    ...list("Context", reading.context),
  ];
  return [{ label: "Confirmed reading", text: `\n\n${lines.join("\n")}` }];
}

function ambiguityText(state: DeepState, round: Round): string {
  if (round.ambiguity === null || round.scores === null) return "not scored";
  const { goal, constraints, criteria, context } = round.scores;
  const inside = [
    `Goal: ${scoreText(goal)}`,
    `Constraints: ${scoreText(constraints)}`,
    `Criteria: ${scoreText(criteria)}`,
    ...(state.type === "brownfield" ? [`Context: ${scoreText(context)}`] : []),
  ];
  return `${percent(round.ambiguity)} (${inside.join(", ")})`;
}
