/**
 * Playing an interview one reply at a time, as an agent host does, and what has to hold after every one of them: each
 * line of the journal parses, folding it anew gives the same state and the same next step, and no question id comes twice.
 */
import { expect } from "vitest";
import { DeepEvent } from "../../src/core/deep/events.ts";
import { fill } from "../../src/core/deep/phrase.ts";
import type { DeepState } from "../../src/core/deep/schema.ts";
import type { Message, Question, Reply } from "../../src/core/machine.ts";
import { languages, machine, pick, type World } from "./world.ts";

/** Gives one reply to the pending question, or none, and goes on to the next question; null when the interview is done. */
export async function turn(world: World, reply: Reply | null = null): Promise<Question | null> {
  let given = false;
  const result = await world.run(() => {
    if (given) return null;
    given = true;
    return reply;
  });
  checkJournal(world);
  if (result.type === "pending") return result.questions[0] ?? null;
  return result.type === "done" ? result.question : null;
}

/** The question that has to be pending after a reply. */
export async function ask(world: World, reply: Reply | null = null): Promise<Question> {
  const question = await turn(world, reply);
  if (question === null) throw new Error(`no question is pending, but ${world.state().stage.type}`);
  return question;
}

/** Confirms the topology as it was proposed, and gives the question of round 1. */
export async function lock(world: World): Promise<Question> {
  expect((await ask(world)).kind).toBe("topology");
  return ask(world, pick("right"));
}

/** Replies one after another; gives the question that is pending after the last. */
export async function play(world: World, ...replies: readonly Reply[]): Promise<Question> {
  let question: Question | null = null;
  for (const reply of replies) question = await ask(world, reply);
  if (question === null) throw new Error("nothing was played");
  return question;
}

export function eventsOf<T extends DeepEvent["type"]>(world: World, type: T): Extract<DeepEvent, { type: T }>[] {
  return world.store.lines.flatMap((line) => {
    const event = DeepEvent.parse(line);
    return event.type === type ? [event as Extract<DeepEvent, { type: T }>] : [];
  });
}

/** Names of the model tasks called so far, repairs included. */
export function tasksOf(world: World): string[] {
  return (world.model.tasks ?? []).map((task) => task.name);
}

/** What the calls of a task read: system, prefix and its own text, as one string each. */
export function promptsOf(world: World, name: string): string[] {
  const { tasks = [], prompts = [] } = world.model;
  return prompts.flatMap((prompt, index) =>
    tasks[index]?.name === name ? [[prompt.system, ...prompt.blocks.map((block) => block.text)].join("\n\n")] : [],
  );
}

/** The words of everything told; a report gives its own. */
export function toldOf(messages: readonly Message[]): string[] {
  return messages.map((message) => (message.type === "report" ? JSON.stringify(message.view) : message.text));
}

/** A sentence of the interface as English has it. */
export function sentence(key: string, vars: Readonly<Record<string, string | number>> = {}): string {
  const template = languages.phrases["en"]?.[key];
  if (template === undefined) throw new Error(`no phrase named ${key}`);
  return fill(template, vars);
}

export function checkJournal(world: World): void {
  const lines = world.store.lines;
  for (const line of lines) {
    const { seq: _seq, at: _at, prev: _prev, hash: _hash, ...event } = line;
    // Nothing is in the journal that its schema does not know.
    expect(DeepEvent.parse(event)).toEqual(event);
  }
  const replayed = lines.reduce<DeepState>(
    (state, line) => machine.evolve(state, JSON.parse(JSON.stringify(line))),
    machine.initial,
  );
  expect(replayed).toEqual(world.state());
  const ids = world.state().asked.map((asked) => asked.question.id);
  expect(new Set(ids).size).toBe(ids.length);
  const open = world.state().asked.filter((asked) => asked.status === "pending");
  const { pending } = world.state();
  expect(open.map((asked) => asked.question.id)).toEqual(pending === null ? [] : [pending]);
  const roundIds = world.state().rounds.map((round) => round.round_id);
  expect(new Set(roundIds).size).toBe(roundIds.length);
}
