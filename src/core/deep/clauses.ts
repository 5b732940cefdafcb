/**
 * D2.1, D2.3: splits an idea into its top-level outcomes, by the words of a lexicon alone: bullets, lines, lists of
 * clauses. A detail ("with inline comments and approvals") stays with the clause that it belongs to. Serves as the
 * fallback of the topology task and as the offline interviewer's enumeration.
 */
import type { ClauseWords, Lexicon } from "../lexicon.ts";
import { cut, fold, hasWords, sentences } from "../text.ts";
import { type Clause, nameClause } from "./clause.ts";
import { detectLanguage, lexiconFor } from "./detect.ts";
import { splitVerbFirst } from "./verb-first.ts";
import { splitVerbLast } from "./verb-last.ts";

export interface SplitComponent {
  readonly name: string;
  /** The words of the idea that it stands for. */
  readonly text: string;
  readonly deliverables: readonly string[];
}

export interface SplitIdea {
  /** One to six. */
  readonly components: readonly SplitComponent[];
  /** Why more than six were grouped, in the idea's language; null when none were. */
  readonly grouping: string | null;
}

const maxComponents = 6;
const bullet = /^(\s*)(?:[-*•‣▪◦·・–—]|\(?\d{1,2}[.)]|[①-⑳]|\(?[a-z][.)])\s*(?=\S)(.+)$/u;

/** `tag` names the language when it is known; "" lets the text tell. */
export function splitClauses(idea: string, lexicons: readonly Lexicon[], tag = ""): SplitIdea {
  const text = idea.normalize("NFC").trim();
  const isForeign = tag === "" && detectLanguage(text, lexicons)?.known === false;
  const lexicon = isForeign ? undefined : lexiconFor(lexicons, tag, text);
  const words = lexicon?.clauses;
  if (lexicon === undefined || words === undefined) return splitUnread(text);
  const clauses = keep(findClauses(text, lexicon, words), words);
  if (clauses.length === 0) return { components: [whole(text, words)], grouping: null };
  return group(merge(clauses.map((clause) => toComponent(clause, words))), words);
}

/** A language that no lexicon reads: only the marks of a list part it. */
function splitUnread(text: string): SplitIdea {
  const items = bullets(text).slice(0, maxComponents);
  const components = (items.length > 1 ? items : [text]).map((item) => whole(item, undefined));
  return { components, grouping: null };
}

function findClauses(text: string, lexicon: Lexicon, words: ClauseWords): Clause[] {
  const listed = bullets(text);
  if (listed.length > 1) return listed.map((item) => asOne(item, lexicon, words));
  const lines = text.split(/\n+/u).filter(hasWords);
  const isList =
    lines.length > 1 && lines.every((line) => line.trim().split(/\s+/u).length <= 8 && !/[.!?。]\s*$/u.test(line));
  if (isList) return lines.map((line) => asOne(line, lexicon, words));
  return sentences(text).flatMap((sentence) => split(sentence, lexicon, words));
}

/** The items of a list, with what is indented below an item as part of it. */
function bullets(text: string): string[] {
  const items: string[] = [];
  let top = Number.POSITIVE_INFINITY;
  for (const line of text.split("\n")) {
    const match = bullet.exec(line);
    const indent = (match?.[1] ?? "").length;
    if (match !== null && indent <= top) {
      top = indent;
      items.push((match[2] ?? "").trim());
    } else if (items.length > 0 && hasWords(line) && /^\s/u.test(line)) {
      items[items.length - 1] = `${items.at(-1) ?? ""}: ${(match?.[2] ?? line).trim()}`;
    }
  }
  return items;
}

function split(sentence: string, lexicon: Lexicon, words: ClauseWords): Clause[] {
  return words.order === "verb-first"
    ? splitVerbFirst(sentence, lexicon, words)
    : splitVerbLast(sentence, lexicon, words);
}

/** An item of a list is one outcome, however many clauses it is written in. */
function asOne(item: string, lexicon: Lexicon, words: ClauseWords): Clause {
  const first = split(item, lexicon, words)[0];
  const kind = first === undefined || first.kind === "bare" ? "thing" : first.kind;
  const object = kind === "thing" ? (item.split(/[:：–—]|\s-\s/u)[0] ?? item) : (first?.object ?? item);
  return { kind, text: item, outcome: first?.outcome ?? "", object, details: first?.details ?? [] };
}

/** Leaves out the whole where its parts are named, and what is no outcome where there are some. */
function keep(clauses: readonly Clause[], words: ClauseWords): Clause[] {
  const isWhole = (clause: Clause) =>
    clause.kind !== "outcome" &&
    clause.details.length === 0 &&
    endsInContainer(clause.object, words) &&
    !isThing(clause.object, words);
  const named = clauses.filter((clause) => clause.kind !== "bare");
  const parts = named.filter((clause) => !isWhole(clause));
  return parts.length > 0 ? parts : named.slice(0, 1);
}

/** "a mobile app" is one of the parts although it ends like a whole. */
function isThing(object: string, words: ClauseWords): boolean {
  const folded = ` ${fold(object)}`;
  const edge = words.order === "verb-first" ? " " : "";
  return words.things.some((thing) => thing.words.some((word) => folded.endsWith(`${edge}${fold(word)}`)));
}

function endsInContainer(object: string, words: ClauseWords): boolean {
  const folded = fold(object);
  return words.containers.some((word) => folded === fold(word) || folded.endsWith(fold(word)));
}

function toComponent(clause: Clause, words: ClauseWords): SplitComponent {
  const delivered = clause.kind === "carried" || clause.kind === "thing" ? [clause.object] : [];
  const deliverables = [...delivered, ...clause.details]
    .map((item) => cut(withoutArticle(item.trim(), words), 80))
    .filter(hasWords);
  return { name: nameClause(clause, words), text: cut(clause.text.trim(), 300), deliverables };
}

function withoutArticle(phrase: string, words: ClauseWords): string {
  const [first = "", ...rest] = phrase.split(/\s+/u);
  return rest.length > 0 && words.fillers.some((word) => fold(word) === fold(first)) ? rest.join(" ") : phrase;
}

function whole(text: string, words: ClauseWords | undefined): SplitComponent {
  const clause: Clause = { kind: "bare", text, outcome: "", object: sentences(text)[0] ?? text, details: [] };
  const name = words === undefined ? cut(clause.object, 40) : nameClause(clause, words);
  return { name, text: cut(text, 300), deliverables: [] };
}

/** Two clauses of one name are one component. */
function merge(components: readonly SplitComponent[]): SplitComponent[] {
  const byName = new Map<string, SplitComponent>();
  for (const item of components) {
    const key = fold(item.name);
    const prior = byName.get(key);
    const joined = prior && {
      ...prior,
      text: `${prior.text}; ${item.text}`,
      deliverables: [...prior.deliverables, ...item.deliverables],
    };
    byName.set(key, joined ?? item);
  }
  return [...byName.values()];
}

/** More than six: neighbours go together, so that the order of the idea stays. */
function group(components: readonly SplitComponent[], words: ClauseWords): SplitIdea {
  if (components.length <= maxComponents) return { components, grouping: null };
  const groups: SplitComponent[][] = Array.from({ length: maxComponents }, () => []);
  components.forEach((item, index) => {
    groups[Math.floor((index * maxComponents) / components.length)]?.push(item);
  });
  const joined = groups.map((items) => ({
    name: cut(items.map((item) => item.name).join(" / "), 60),
    text: cut(items.map((item) => item.text).join("; "), 300),
    deliverables: items.flatMap((item) => item.deliverables),
  }));
  const list = joined.filter((_, index) => (groups[index]?.length ?? 0) > 1).map((item) => item.name);
  return { components: joined, grouping: words.grouping.replace("{list}", () => list.join(", ")) };
}
