/** The options that the bank offers, recognised again in an answer whatever was filled into them. */
import { fold } from "../../core/text.ts";
import type { Bank, BankQuestion } from "./bank.ts";
import { dimensions } from "./bank.ts";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const indexes = new WeakMap<Bank, readonly RegExp[]>();

/** A label with places as a pattern of the whole label. */
function labelPattern(label: string): RegExp {
  const parts = fold(label).split(/\{\w+\}/);
  return new RegExp(`^${parts.map(escaped).join(".{1,200}")}$`, "u");
}

function questionsOf(bank: Bank): BankQuestion[] {
  const asks = [bank.ask, ...bank.domains.map((domain) => domain.ask)];
  const all = asks.flatMap((ask) => dimensions.flatMap((dimension) => ask[dimension]));
  return [
    ...all,
    ...bank.ontology,
    ...bank.closure,
    bank.contradiction,
    bank.inconsistency,
    bank.evasive,
    bank.context,
  ];
}

function labelsOf(bank: Bank): string[] {
  const offered = questionsOf(bank).flatMap((question) => question.options.map(([label]) => label));
  const { escalated, ...personas } = bank.panel;
  const lenses = [
    escalated,
    ...Object.values(personas).flatMap((lens) => dimensions.map((dimension) => lens[dimension])),
  ];
  const assumed = dimensions.map((dimension) => bank.assumed[dimension].answer);
  const researched = bank.research.candidates.map((candidate) => candidate.answer);
  return [...bank.replies.confirm, ...offered, ...lenses.flatMap((lens) => lens.options), ...assumed, ...researched];
}

function patternsOf(bank: Bank): readonly RegExp[] {
  const known = indexes.get(bank);
  if (known !== undefined) return known;
  // A label that is all place ("{a}") would recognise anything.
  const made = labelsOf(bank)
    .filter((label) => label.replace(/\{\w+\}/g, "").trim().length >= 4)
    .map(labelPattern);
  indexes.set(bank, made);
  return made;
}

/**
 * What of an answer is the label of an option, and what was said beside it; null when it is no option. A picked label
 * stands on the first line, several of them parted by semicolons; a sentence that only begins like one is a sentence.
 */
export function findOptionIn(answer: string, bank: Bank): { readonly label: string; readonly remark: string } | null {
  const [first = "", ...rest] = answer.split("\n");
  const isLabel = (text: string) => patternsOf(bank).some((pattern) => pattern.test(fold(text)));
  const labels = first.split(/;\s/u);
  const isPicked = isLabel(first) || (labels.length > 1 && labels.every(isLabel));
  return isPicked ? { label: first.trim(), remark: rest.join("\n").trim() } : null;
}
