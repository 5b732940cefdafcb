/**
 * The answers file (cli.md): who replies what to which question, read once and checked whole, so that a mistake shows
 * before the interview begins.
 */
import { ReplyAs } from "../core/machine.ts";
import { type Located, locate } from "./located.ts";
import { type Matcher, readMatcher } from "./matcher.ts";
import { createProblems, type Problems } from "./problems.ts";

export interface Entry {
  readonly line: number;
  /** Null: a reply for whatever comes next. */
  readonly when: Matcher | null;
  /** Options by label or id, or free text; several only where a question takes several. Null: `as` says it all. */
  readonly reply: readonly string[] | null;
  readonly as: ReplyAs | null;
  /** How often it may be used; `Infinity` is `always`. */
  readonly times: number;
}

export interface Answers {
  readonly file: string;
  readonly entries: readonly Entry[];
}

const entryNames = ["when", "reply", "as", "times"];
const next = "Correct the answers file; `deep-interview schema answers` prints its shape.";

function scalarOf(value: Located | undefined): string | null {
  return value?.kind === "scalar" ? value.text : null;
}

/** The values of a map by key; a key that is not among `known` is a problem. */
function fieldsOf(map: Located, known: readonly string[], what: string, problems: Problems): Map<string, Located> {
  if (map.kind !== "map") {
    problems.add(map.line, `${what} has to be a map with ${known.join(", ")}`);
    return new Map();
  }
  for (const { key, line } of map.entries) {
    if (!known.includes(key)) problems.add(line, `${what} has no key ${key}; there are ${known.join(", ")}`);
  }
  return new Map(map.entries.map(({ key, value }) => [key, value]));
}

function readReply(value: Located, problems: Problems): readonly string[] | null {
  const texts = value.kind === "list" ? value.items.map(scalarOf) : [scalarOf(value)];
  const said = texts.filter((text) => text !== null && text.trim() !== "");
  if (texts.length > 0 && said.length === texts.length) return said.filter((text) => text !== null);
  problems.add(value.line, "reply has to be a text, or a list of options");
  return null;
}

function readAs(value: Located, problems: Problems): ReplyAs | null {
  const parsed = ReplyAs.safeParse(scalarOf(value));
  if (parsed.success) return parsed.data;
  problems.add(value.line, `as has to be one of ${ReplyAs.options.join(", ")}`);
  return null;
}

function readTimes(value: Located, problems: Problems): number {
  const text = scalarOf(value) ?? "";
  if (text === "always") return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  problems.add(value.line, "times has to be a whole number from 1 on, or always");
  return 1;
}

/** What the parts of an entry say together. */
function checkEntry(entry: Entry, problems: Problems): void {
  const { line, as, reply } = entry;
  if (as === null && reply === null) problems.add(line, "an entry needs a reply, or an `as` that says what it is");
  if (as === "answer" && reply === null) problems.add(line, "as: answer needs a reply");
  if (as !== null && as !== "answer" && as !== "explain" && reply !== null) {
    problems.add(line, `as: ${as} takes no reply; leave one of the two out`);
  }
  if (as === "explain" && entry.times === Number.POSITIVE_INFINITY) {
    problems.add(line, "as: explain with times: always would ask for ever, since the same question comes again");
  }
}

function readEntry(node: Located, problems: Problems): Entry {
  const fields = fieldsOf(node, entryNames, "an entry", problems);
  const when = fields.get("when");
  const reply = fields.get("reply");
  const as = fields.get("as");
  const times = fields.get("times");
  const entry: Entry = {
    line: node.line,
    when: when === undefined ? null : readMatcher(when, problems),
    reply: reply === undefined ? null : readReply(reply, problems),
    as: as === undefined ? null : readAs(as, problems),
    times: times === undefined ? 1 : readTimes(times, problems),
  };
  const broken = (reply !== undefined && entry.reply === null) || (as !== undefined && entry.as === null);
  if (node.kind === "map" && !broken) checkEntry(entry, problems);
  return entry;
}

/** Reads the `answers` list of an answers file, or one that stands inside another file (`batch.md`). */
export function readEntries(list: Located, problems: Problems): Entry[] {
  if (list.kind === "list") return list.items.map((item) => readEntry(item, problems));
  problems.add(list.line, "answers has to be a list of entries");
  return [];
}

/** @throws UsageError with file and line of everything that is wrong. */
export async function readAnswers(text: string, file: string): Promise<Answers> {
  const problems = createProblems(file, "answers-file", next);
  const root = await locate(text, problems);
  problems.raise();
  const fields =
    root === null ? new Map<string, Located>() : fieldsOf(root, ["version", "answers"], "the file", problems);
  const version = fields.get("version");
  if (scalarOf(version) !== "1") problems.add(version?.line ?? 1, "version has to be there and has to be 1");
  const list = fields.get("answers");
  if (list === undefined) problems.add(1, "the list answers is missing");
  const entries = list === undefined ? [] : readEntries(list, problems);
  problems.raise();
  return { file, entries };
}
