/**
 * Which questions an entry of the answers file is for (cli.md): by kind, component, dimension, round, and the question's
 * words. A pattern runs under a time limit, so that none can hold up an interview.
 */
import { createContext, Script } from "node:vm";
import { Dimension } from "../core/deep/vocabulary.ts";
import { type Question, QuestionKind } from "../core/machine.ts";
import { fold } from "../core/text.ts";
import type { Located, LocatedEntry } from "./located.ts";
import { createFault, type Problems } from "./problems.ts";

/** A test of a question; throws `UsageError` for a pattern that takes too long. */
export type Matcher = (question: Question) => boolean;

const names = ["kind", "component", "dimension", "question", "round"];
const maxTested = 20_000;
const patternMs = 250;

/** The component's name as the header line has it (D3.2); its label is fixed in every language. */
function componentName(question: Question): string {
  const part = (question.header ?? "").split(" | ").find((piece) => piece.startsWith("Component: "));
  return part === undefined ? "" : part.slice("Component: ".length);
}

function matchComponent(wanted: string): Matcher {
  const name = fold(wanted);
  return (question) => fold(question.deepInterview?.component ?? "") === name || fold(componentName(question)) === name;
}

const script = new Script("pattern.test(text)");

function matchPattern(pattern: RegExp, line: number, problems: Problems): Matcher {
  return ({ text }) => {
    const context = createContext({ pattern, text: text.normalize("NFC").slice(0, maxTested) });
    try {
      return script.runInContext(context, { timeout: patternMs }) === true;
    } catch {
      const message = `the pattern ${pattern} takes too long on a question`;
      throw createFault(problems.file, line, message, "answers-pattern", "Write a simpler pattern.");
    }
  };
}

/** `/pattern/flags`, or words that have to be in the question in any letter case. */
function matchWords(value: string, line: number, problems: Problems): Matcher | null {
  const refuse = (message: string) => {
    problems.add(line, message);
    return null;
  };
  if (!value.startsWith("/")) {
    const part = fold(value);
    return (question) => fold(question.text).includes(part);
  }
  const end = value.lastIndexOf("/");
  if (end === 0) return refuse(`the pattern ${value} has no closing /`);
  const flags = value.slice(end + 1);
  if (!/^[imsuv]*$/.test(flags)) return refuse(`the pattern ${value} has flags other than i, m, s, u, v`);
  if (end === 1) return refuse("the pattern is empty");
  try {
    return matchPattern(new RegExp(value.slice(1, end).normalize("NFC"), flags), line, problems);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function readCondition(entry: LocatedEntry, value: string, problems: Problems): Matcher | null {
  const { line } = entry.value;
  const oneOf = (allowed: readonly string[]) => {
    if (allowed.includes(value)) return true;
    problems.add(line, `${entry.key} is ${value}; it has to be one of ${allowed.join(", ")}`);
    return false;
  };
  switch (entry.key) {
    case "kind":
      return oneOf(QuestionKind.options) ? (question) => question.kind === value : null;
    case "dimension":
      return oneOf(Dimension.options) ? (question) => question.deepInterview?.dimension === value : null;
    case "component":
      return matchComponent(value);
    case "question":
      return matchWords(value, line, problems);
    case "round": {
      if (/^\d{1,6}$/.test(value)) return (question) => question.round === Number(value);
      problems.add(line, `round is ${value}; it has to be a whole number`);
      return null;
    }
    default:
      problems.add(entry.line, `when has no key ${entry.key}; there are ${names.join(", ")}`);
      return null;
  }
}

/** All conditions of a `when`; null when any of them could not be read (then `problems` says why). */
export function readMatcher(when: Located, problems: Problems): Matcher | null {
  if (when.kind !== "map" || when.entries.length === 0) {
    problems.add(when.line, `when needs at least one of ${names.join(", ")}`);
    return null;
  }
  const matchers = when.entries.map((entry) => {
    if (entry.value.kind === "scalar" && entry.value.text.trim() !== "") {
      return readCondition(entry, entry.value.text.trim(), problems);
    }
    problems.add(entry.line, `${entry.key} needs one value`);
    return null;
  });
  const all = matchers.filter((matcher) => matcher !== null);
  return all.length === matchers.length ? (question) => all.every((matches) => matches(question)) : null;
}
