/**
 * Reads one reply: names what a stop reason says, extracts, parses, validates, then lets the interview check what no
 * schema can say (faults 19-22). A bad number is a fault here and never a number.
 */
import type { Fault } from "../core/machine.ts";
import type { Contract } from "./contract.ts";
import { extractJson } from "./extract.ts";
import { type Parsed, parseJson } from "./json.ts";

/** What came back, whoever answered: an endpoint, a recording or a host's own model. */
export interface Answer {
  readonly text: string;
  readonly stopReason: string | null;
  /** A tool that was called in place of a text. */
  readonly toolCall: string | null;
}

export interface Reading {
  /** Undefined unless it fits the schema. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Words and no JSON at all: the endpoint may not know the form it was asked in. */
  readonly isProse: boolean;
}

/** Reads an answer against its task's contract. Never throws but for a bug in `check`. */
export function readReply(answer: Answer, contract: Contract, check: (value: unknown) => readonly Fault[]): Reading {
  const named = nameFault(answer);
  if (named !== null) return { value: undefined, faults: [named], isProse: false };
  const { candidates, isTruncated, isArray } = extractJson(answer.text);
  if (candidates.length === 0) {
    return { value: undefined, faults: [missing(isTruncated, isArray)], isProse: !isTruncated && !isArray };
  }
  const { parsed, fit } = choose(candidates, contract);
  const faults = [...parsed.faults, ...(parsed.isJson && !fit.ok ? fit.faults : [])];
  if (faults.length > 0 || !fit.ok) return { value: undefined, faults, isProse: false };
  return { value: fit.value, faults: check(fit.value).map((fault) => placed(contract.root, fault)), isProse: false };
}

/** A fault as the model sees its place: the interview knows nothing of the envelope. */
function placed(root: string, fault: Fault): Fault {
  return { ...fault, path: [root, fault.path].filter((part) => part !== "").join(".") };
}

export function isRejected(faults: readonly Fault[]): boolean {
  return faults.some((fault) => fault.severity === "reject");
}

function nameFault(answer: Answer): Fault | null {
  switch (answer.stopReason) {
    case "refusal":
      return reject("stop_reason", "the model refused to answer");
    case "max_tokens":
    case "model_context_window_exceeded":
      return reject("stop_reason", "the reply was cut off at the token limit; it has to be shorter");
    case "pause_turn":
      return reject("stop_reason", "the model paused before it had answered");
  }
  if (answer.text.trim() !== "") return null;
  return answer.toolCall === null
    ? reject("", "the reply is empty")
    : reject("", `the tool ${answer.toolCall} was called; the reply has to be the JSON itself`);
}

function missing(isTruncated: boolean, isArray: boolean): Fault {
  if (isTruncated) return reject("", "the JSON breaks off before its end");
  if (isArray) return reject("", "a list stands where an object is expected");
  return reject("", "there is no JSON object in the reply");
}

interface Choice {
  readonly parsed: Parsed;
  readonly fit: ReturnType<Contract["fit"]>;
}

/**
 * The first candidate that fits. One that is an example (its strings stand for something) gives way to a later one
 * that fits; a broken value, such as a key that stands twice, ends the search, so that no second object ever wins.
 */
function choose(candidates: readonly string[], contract: Contract): Choice {
  const read = candidates.map((text): Choice => {
    const parsed = parseJson(text);
    return { parsed, fit: contract.fit(parsed.value) };
  });
  const broken = read.findIndex((choice) => choice.parsed.isJson && choice.parsed.faults.length > 0);
  const eligible = (broken < 0 ? read : read.slice(0, broken)).filter((choice) => choice.fit.ok);
  const chosen = eligible.find((choice) => !isExample(choice.parsed.value)) ?? eligible[0];
  const fallback = read[broken < 0 ? nearest(read) : broken];
  const result = chosen ?? fallback;
  if (result === undefined) throw new Error("no candidate to choose from");
  return result;
}

/** Of replies that do not fit: the one with the fewest faults, so that an echoed schema is not what gets repaired. */
function nearest(read: readonly Choice[]): number {
  const counts = read.map((choice) => (choice.fit.ok ? 0 : choice.fit.faults.length + choice.parsed.faults.length));
  return counts.indexOf(Math.min(...counts));
}

const PLACEHOLDER = /^(?:\.{3}|…|string|text|<[^<>]*>|\{[^{}]*\})$/iu;

function isExample(value: unknown): boolean {
  if (typeof value === "string") return PLACEHOLDER.test(value.trim());
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(isExample);
}

function reject(path: string, message: string): Fault {
  return { path, message, severity: "reject" };
}
