/**
 * D3.3: the question task by rules. A question of the bank for the dimension, of the component's domain first; never the
 * same words twice; panel findings become options that name their persona (D7.3).
 */
import type { DraftReply } from "../../core/deep/tasks.ts";
import { cut, fold } from "../../core/text.ts";
import { type Bank, type BankQuestion, type Dimension, fill, isDimension } from "./bank.ts";
import { domainsOf } from "./domain.ts";
import { say } from "./gaps.ts";
import type { Input } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";
import { countShared, stemsOf } from "./words.ts";

type QuestionInput = Input<"question">;
type Vars = Readonly<Record<string, string | number>>;

interface Chosen {
  readonly question: BankQuestion;
  readonly text: string;
  readonly vars: Vars;
}

const maxOptions = 4;

export function questionTask(input: QuestionInput, tongue: Tongue, cautious: boolean): DraftReply {
  const dimension: Dimension = isDimension(input.target.dimension) ? input.target.dimension : "goal";
  const chosen = choose(input, dimension, tongue);
  const options = optionsFor(input, chosen, tongue, cautious);
  return {
    component: input.target.component,
    dimension,
    why: say(tongue, `why.${dimension}`, { component: input.target.name, gap: input.target.gap }),
    question: chosen.text,
    options,
    // Rules know no reason to prefer one decision to another.
    recommended: "",
    research: chosen.question.research && input.type === "greenfield" && !input.user_only && !cautious,
    nature: "decision",
    fact: { statement: "", path: "", symbol: "", interpreted: false },
  };
}

/** The first wording that was not asked yet; when all were, the first with what is still open, then with its number. */
function choose(input: QuestionInput, dimension: Dimension, tongue: Tongue): Chosen {
  const asked = input.asked.map(fold);
  const isAsked = (text: string) => asked.some((other) => other.includes(fold(text)));
  const vars = varsOf(input, dimension, tongue);
  const rendered = candidates(input, dimension, tongue).map((question) => ({
    question,
    vars,
    text: fill(question.text, vars),
  }));
  const fresh = rendered.find((item) => !isAsked(item.text));
  if (fresh !== undefined) return fresh;
  const [first] = rendered;
  if (first === undefined) throw new Error("a question bank without questions");
  const at = input.asked.length % rendered.length;
  const again = rendered[at] ?? first;
  const gap =
    input.target.gap === "" ? say(tongue, `gap.${dimension}`, { component: input.target.name }) : input.target.gap;
  const withGap = say(tongue, "question.again", { question: again.text, gap });
  if (!isAsked(withGap)) return { ...again, text: withGap };
  return { ...again, text: say(tongue, "question.numbered", { question: again.text, gap, round: input.round }) };
}

function candidates(input: QuestionInput, dimension: Dimension, tongue: Tongue): readonly BankQuestion[] {
  const { bank } = tongue;
  const plain = plainQuestions(input, dimension, tongue);
  const disputed = disputedOf(input);
  if (input.trigger?.label === "A" && disputed.length > 0) return [bank.contradiction, ...plain];
  if (input.trigger?.label === "B") return [bank.inconsistency, ...plain];
  if (input.trigger?.label === "C") return [bank.evasive, ...plain];
  if (input.style === "ontology" && input.entities.length > 0) return [...bank.ontology, ...plain];
  if (input.style === "closure") return [...bank.closure, ...plain];
  return plain;
}

function plainQuestions(input: QuestionInput, dimension: Dimension, tongue: Tongue): readonly BankQuestion[] {
  const { bank } = tongue;
  const cited = dimension === "context" && citation(input, tongue) !== null ? [bank.context] : [];
  return [...cited, ...domainQuestions(input, dimension, tongue), ...bank.ask[dimension]];
}

function domainQuestions(input: QuestionInput, dimension: Dimension, tongue: Tongue): BankQuestion[] {
  const component = input.components.find(({ id }) => id === input.target.component);
  const named: Bank["domains"] = domainsOf(input.target.name, tongue);
  const described = domainsOf(component?.description ?? "", tongue).filter((domain) => !named.includes(domain));
  return [...named, ...described].slice(0, 2).flatMap((domain) => domain.ask[dimension]);
}

function disputedOf(input: QuestionInput) {
  const { component, dimension } = input.target;
  return input.facts.filter(
    (fact) => fact.status === "disputed" && fact.component === component && fact.dimension === dimension,
  );
}

/** The finding about the code that has most to do with the component. */
function citation(input: QuestionInput, tongue: Tongue) {
  const component = input.components.find(({ id }) => id === input.target.component);
  const stems = stemsOf(`${input.target.name} ${component?.description ?? ""}`, tongue);
  const rate = (item: QuestionInput["context"][number]) =>
    countShared(stemsOf(`${item.path.replace(/[/._-]/g, " ")} ${item.symbol} ${item.statement}`, tongue), stems);
  return [...input.context].sort((left, right) => rate(right) - rate(left))[0] ?? null;
}

function varsOf(input: QuestionInput, dimension: Dimension, tongue: Tongue): Vars {
  const cited = citation(input, tongue);
  const [disputed] = disputedOf(input);
  const { component } = input.target;
  const other = input.facts.findLast(
    (fact) => fact.component === component && fact.id !== disputed?.id && fact.status !== "superseded",
  );
  const symbol = cited === null || cited.symbol === "" ? "" : ` (\`${cited.symbol}\`)`;
  const [a = input.target.name, b = input.components.find(({ name }) => name !== a)?.name ?? a] = input.entities;
  return {
    component: input.target.name,
    gap: input.gap === "" ? input.target.gap : input.gap,
    evidence: input.trigger?.evidence ?? "",
    path: cited?.path ?? "",
    place: cited === null ? "" : `\`${cited.path}\`${symbol}`,
    finding: cited?.statement ?? "",
    dimension: say(tongue, `dimension.${dimension}`),
    entity: a,
    other: b,
    a: disputed === undefined ? (input.trigger?.evidence ?? "") : cut(disputed.statement, 160),
    b: cut(input.trigger?.evidence || other?.statement || "", 160),
  };
}

function optionsFor(input: QuestionInput, chosen: Chosen, tongue: Tongue, cautious: boolean): DraftReply["options"] {
  const own = chosen.question.options.map(([label, description]) => ({
    label: fill(label, chosen.vars),
    description: fill(description, chosen.vars),
    from: "",
  }));
  const isDispute = chosen.question === tongue.bank.contradiction;
  const found = cautious || input.user_only || isDispute ? [] : fromFindings(input);
  const kept = own.slice(0, Math.max(2, maxOptions - found.length));
  const all = [...kept, ...found].filter(
    (option, index, list) => list.findIndex((other) => fold(other.label) === fold(option.label)) === index,
  );
  const named = all.filter((option) => !isCatchAll(option.label, tongue) && option.label.trim() !== "");
  return named.slice(0, maxOptions);
}

/** One option a persona, two at most. */
function fromFindings(input: QuestionInput): DraftReply["options"] {
  return input.findings
    .flatMap(({ persona, finding, options }) => {
      const [label] = options;
      return label === undefined || label.trim() === ""
        ? []
        : [{ label: cut(label, 200), description: finding, from: persona }];
    })
    .slice(0, 2);
}

function isCatchAll(label: string, tongue: Tongue): boolean {
  return [...tongue.lexicon.other, ...tongue.lexicon.placeholder].some((word) => fold(word) === fold(label));
}
