/** D2.3: outcome clauses of languages whose clauses begin with the verb ("ingests CSVs, and exports reports"). */
import type { ClauseWords, Lexicon } from "../lexicon.ts";
import { fold } from "../text.ts";
import { type Clause, nameObject } from "./clause.ts";

interface Token {
  readonly text: string;
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

interface Verb {
  readonly outcome: string;
  readonly form: string;
}

/** A clause while it grows: where it and its verb begin, and where its details do. */
interface Open {
  readonly kind: Clause["kind"];
  readonly outcome: string;
  readonly start: number;
  readonly body: number;
  details: number | null;
}

const token = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’_./+#-]*[\p{L}\p{M}\p{N}+#])?|[,;:()]/gu;
const isMark = (text: string) => /^[,;:()]$/.test(text);

const verbTables = new WeakMap<ClauseWords, ReadonlyMap<string, Verb>>();

/** Every written form of every verb that the lexicon knows. */
function verbsOf(words: ClauseWords): ReadonlyMap<string, Verb> {
  const known = verbTables.get(words);
  if (known !== undefined) return known;
  const table = new Map<string, Verb>();
  const put = (base: string, outcome: string) => {
    const lemma = fold(base);
    if (!table.has(lemma)) table.set(lemma, { outcome, form: "base" });
    for (const { strip, add, form } of words.endings) {
      if (!lemma.endsWith(strip)) continue;
      const written = lemma.slice(0, lemma.length - strip.length) + add;
      if (!table.has(written)) table.set(written, { outcome, form });
    }
  };
  for (const { name, verbs } of words.outcomes) for (const verb of verbs) put(verb, name);
  for (const verb of words.carriers) put(verb, "");
  verbTables.set(words, table);
  return table;
}

interface Scan {
  readonly sentence: string;
  readonly tokens: readonly Token[];
  readonly words: ClauseWords;
  readonly verbs: ReadonlyMap<string, Verb>;
  readonly is: (kind: "conjunction" | "link" | "lead" | "detail" | "exclusion", index: number) => boolean;
}

function readTokens(sentence: string): Token[] {
  return [...sentence.matchAll(token)].map((match) => {
    const start = match.index;
    return { text: match[0], folded: fold(match[0]), start, end: start + match[0].length };
  });
}

export function splitVerbFirst(sentence: string, lexicon: Lexicon, words: ClauseWords): Clause[] {
  const tokens = readTokens(sentence);
  const sets = {
    conjunction: new Set(lexicon.conjunctions.map(fold)),
    link: new Set(words.links.map(fold)),
    lead: new Set(words.leads.map(fold)),
    detail: new Set(words.details.map(fold)),
    exclusion: new Set(lexicon.exclusion.flatMap((phrase) => fold(phrase).split(" ").slice(0, 1))),
  };
  const is: Scan["is"] = (kind, index) => sets[kind].has(tokens[index]?.folded ?? "");
  const scan = { sentence, tokens, words, verbs: verbsOf(words), is };
  const opened = openClauses(scan);
  return opened.map((open, index) => close(scan, open, opened[index + 1]?.start ?? tokens.length));
}

function openClauses(scan: Scan): Open[] {
  const { tokens, is } = scan;
  const opened: Open[] = [];
  let isHead = true;
  let isLinked = false;
  let form: string | null = null;
  for (let index = 0; index < tokens.length; index += 1) {
    const current = opened.at(-1);
    if (isBreak(scan, index)) {
      isHead = true;
    } else if (isHead || isLinked) {
      const open = openAt(scan, index, current, { form, isLinked });
      if (open !== null) {
        opened.push(open.clause);
        form ??= open.form;
        index = Math.max(index, open.clause.body - 1);
      }
      isHead = false;
      isLinked = false;
    } else if (is("detail", index)) {
      if (current !== undefined) current.details ??= index;
    } else if (is("link", index) && current !== undefined && canLink(scan, current, index)) {
      form = null;
      isLinked = true;
    }
  }
  return opened;
}

function isBreak({ tokens, is }: Scan, index: number): boolean {
  return isMark(tokens[index]?.text ?? "") || is("conjunction", index);
}

/** Only a whole ("an app that ...") gives way to its parts; any other relative clause tells a detail. */
function canLink({ tokens, words }: Scan, current: Open, index: number): boolean {
  const own = tokens.slice(current.body, index).map((item) => item.folded);
  return (
    current.kind !== "outcome" && current.details === null && words.containers.some((word) => own.includes(fold(word)))
  );
}

function openAt(
  scan: Scan,
  index: number,
  current: Open | undefined,
  at: { readonly form: string | null; readonly isLinked: boolean },
): { readonly clause: Open; readonly form: string | null } | null {
  const { tokens, is, verbs } = scan;
  let head = index;
  while (is("lead", head)) head += 1;
  if (is("exclusion", head)) return { clause: opened("bare", "", index, head), form: null };
  head = innerVerb(scan, head);
  const verb = verbs.get(tokens[head]?.folded ?? "") ?? guessVerb(scan, head, at);
  const hasObject = head + 1 < tokens.length && !isBreak(scan, head + 1) && !is("detail", head + 1);
  const agrees = at.form === null || at.form === "" || verb?.form === "" || verb?.form === at.form;
  if (verb !== undefined && agrees && (current?.details == null || hasObject) && (hasObject || verb.outcome !== "")) {
    return {
      clause: opened(verb.outcome === "" ? "carried" : "outcome", verb.outcome, index, head + 1),
      form: verb.form,
    };
  }
  if (current === undefined)
    return { clause: opened(hasThing(scan, index) ? "thing" : "bare", "", index, head), form: null };
  const inList = (current.kind === "thing" || current.kind === "carried") && current.details === null;
  return inList && hasThing(scan, index) ? { clause: opened("thing", "", index, index), form: null } : null;
}

/** "want to track" is about tracking: a verb that only carries gives way to the one behind it. */
function innerVerb({ tokens, verbs, is }: Scan, head: number): number {
  if (verbs.get(tokens[head]?.folded ?? "")?.outcome !== "" || !is("lead", head + 1)) return head;
  let next = head + 1;
  while (is("lead", next)) next += 1;
  return verbs.has(tokens[next]?.folded ?? "") ? next : head;
}

function opened(kind: Clause["kind"], outcome: string, start: number, body: number): Open {
  return { kind, outcome, start, body, details: null };
}

/** After a link there is a verb, known or not; its neighbours in the list end as it does. */
function guessVerb(
  { tokens, words, is }: Scan,
  head: number,
  at: { form: string | null; isLinked: boolean },
): Verb | undefined {
  const word = tokens[head]?.folded ?? "";
  const next = tokens[head + 1];
  if (next === undefined || isMark(next.text) || is("detail", head + 1) || is("conjunction", head + 1))
    return undefined;
  const ending = words.endings.find(({ strip, add, form }) => strip === "" && form !== "" && word.endsWith(add));
  if (ending === undefined || word.length < 4) return undefined;
  // A guess needs the company of a link: in a plain list, `images ...` would pass for a verb.
  if (!at.isLinked && at.form !== ending.form) return undefined;
  const rest: string[] = [];
  for (
    let index = head + 1;
    index < head + 4 && index < tokens.length && !isMark(tokens[index]?.text ?? "");
    index += 1
  ) {
    if (is("conjunction", index) || is("detail", index)) break;
    rest.push(tokens[index]?.text ?? "");
  }
  const base = word.slice(0, word.length - ending.add.length);
  return { outcome: nameObject([base, ...rest].join(" "), words), form: ending.form };
}

/** Whether the segment that begins here names something to deliver. */
function hasThing(scan: Scan, index: number): boolean {
  let end = index;
  while (end < scan.tokens.length && !isBreak(scan, end) && !scan.is("detail", end)) end += 1;
  const segment = ` ${scan.tokens
    .slice(index, end)
    .map((item) => item.folded)
    .join(" ")} `;
  const names = [...scan.words.things.flatMap((thing) => thing.words), ...scan.words.containers];
  return names.some((word) => segment.includes(` ${fold(word)} `));
}

function close(scan: Scan, open: Open, end: number): Clause {
  const { tokens, is } = scan;
  let last = end - 1;
  while (last > open.start && (isBreak(scan, last) || is("link", last) || is("lead", last))) last -= 1;
  const detailsAt = open.details !== null && open.details <= last ? open.details : last + 1;
  return {
    kind: open.kind,
    outcome: open.outcome,
    text: slice(scan, open.start, last + 1),
    object: slice(scan, Math.min(open.body, last), cutAtBreak(scan, open.body, detailsAt)),
    details: tokens.length > detailsAt ? detailsOf(scan, detailsAt + 1, last + 1) : [],
  };
}

function cutAtBreak(scan: Scan, from: number, to: number): number {
  let end = from;
  while (end < to && !isBreak(scan, end) && !(end > from && scan.is("link", end))) end += 1;
  return end;
}

function detailsOf(scan: Scan, from: number, to: number): string[] {
  const found: string[] = [];
  let start = from;
  for (let index = from; index <= to; index += 1) {
    if (index < to && !isBreak(scan, index)) continue;
    if (index > start) found.push(slice(scan, start, index));
    start = index + 1;
  }
  return found;
}

function slice({ sentence, tokens }: Scan, from: number, to: number): string {
  const first = tokens[from];
  const last = tokens[to - 1];
  return first === undefined || last === undefined || to <= from ? "" : sentence.slice(first.start, last.end);
}
