/** The options that the bank offers, recognised again in an answer whatever was filled into them. */
import { fold } from "../../core/text.ts";
import type { Bank, BankQuestion } from "./bank.ts";
import { dimensions } from "./bank.ts";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const indexes = new WeakMap<Bank, readonly RegExp[]>();

/** A label with places as a pattern that stands at the start of an answer. */
function labelPattern(label: string): RegExp {
  const parts = fold(label).split(/\{\w+\}/);
  return new RegExp(`^${parts.map(escaped).join(".{1,160}?")}(?=$|[\\s;,.:。、—–-])`, "u");
}

function questionsOf(bank: Bank): BankQuestion[] {
  const asks = [bank.ask, ...bank.domains.map((domain) => domain.ask)];
  const all = asks.flatMap((ask) => dimensions.flatMap((dimension) => ask[dimension]));
  return [...all, ...bank.ontology, ...bank.closure, bank.contradiction, bank.inconsistency, bank.evasive, bank.context];
}

function labelsOf(bank: Bank): string[] {
  const offered = questionsOf(bank).flatMap((question) => question.options.map(([label]) => label));
  const { escalated, ...personas } = bank.panel;
  const lenses = [escalated, ...Object.values(personas).flatMap((lens) => dimensions.map((dimension) => lens[dimension]))];
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
    .sort((a, b) => b.length - a.length)
    .map(labelPattern);
  indexes.set(bank, made);
  return made;
}

/** What of an answer is an option's label, and what was said beside it; null when it is no option. */
export function findOptionIn(answer: string, bank: Bank): { readonly label: string; readonly remark: string } | null {
  const folded = fold(answer);
  for (const pattern of patternsOf(bank)) {
    const match = pattern.exec(folded);
    if (match === null) continue;
    const first = answer.split("\n")[0] ?? answer;
    const rest = answer.includes("\n") && fold(first).startsWith(match[0]) ? answer.slice(first.length) : folded.slice(match[0].length);
    return { label: match[0], remark: rest.replace(/^[\s;,.:。、—–-]+/u, "") };
  }
  return null;
}
