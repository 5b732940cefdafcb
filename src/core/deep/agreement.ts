/**
 * D5.6: what several samples of one score agree on. A claim counts once a sample; it stands when more than half of the
 * samples make it. Claims of one and the same sample are never taken for one another.
 */
import { fold } from "../text.ts";
import { isPair } from "./state.ts";
import type { ScoreReply } from "./tasks.ts";

export type TriggerClaim = ScoreReply["triggers"][number];
export type FactClaim = ScoreReply["facts"][number];

type IsSame<T> = (left: T, right: T) => boolean;

interface Cluster<T> {
  readonly members: T[];
  readonly samples: Set<number>;
}

/** `tests` from strict to loose: a claim joins by the strictest one that finds it a cluster. */
function cluster<T>(samples: readonly (readonly T[])[], tests: readonly IsSame<T>[]): Cluster<T>[] {
  const clusters: Cluster<T>[] = [];
  for (const [index, claims] of samples.entries()) {
    const left = new Set(claims.keys());
    for (const isSame of tests) {
      for (const [position, claim] of claims.entries()) {
        if (!left.has(position)) continue;
        const home = clusters.find(
          (item) => !item.samples.has(index) && item.members.some((member) => isSame(member, claim)),
        );
        if (home === undefined) continue;
        home.members.push(claim);
        home.samples.add(index);
        left.delete(position);
      }
    }
    for (const [position, claim] of claims.entries()) {
      if (left.has(position)) clusters.push({ members: [claim], samples: new Set([index]) });
    }
  }
  return clusters;
}

/** The first of the members that look like most of the others. */
function commonest<T>(members: readonly T[], look: (member: T) => string): T | undefined {
  const count = (member: T) => members.filter((other) => look(other) === look(member)).length;
  const [first, ...rest] = members;
  return first === undefined
    ? undefined
    : rest.reduce((best, member) => (count(member) > count(best) ? member : best), first);
}

function agree<T>(samples: readonly (readonly T[])[], tests: readonly IsSame<T>[], look: (member: T) => string): T[] {
  return cluster(samples, tests)
    .filter((item) => item.samples.size * 2 > samples.length)
    .flatMap((item) => commonest(item.members, look) ?? []);
}

export function agreeOnTriggers(samples: readonly (readonly TriggerClaim[])[]): TriggerClaim[] {
  const samePair: IsSame<TriggerClaim> = (a, b) => a.label === b.label && isPair(a, b);
  const sameFact: IsSame<TriggerClaim> = (a, b) => samePair(a, b) && a.contradicts === b.contradicts;
  return agree(samples, [sameFact, samePair], (claim) => `${claim.status} ${claim.contradicts}`);
}

export function agreeOnFacts(samples: readonly (readonly FactClaim[])[]): FactClaim[] {
  const equal: IsSame<FactClaim> = (a, b) => isPair(a, b) && fold(a.statement) === fold(b.statement);
  const sameFact: IsSame<FactClaim> = (a, b) => a.contradicts !== "" && a.contradicts === b.contradicts;
  const alike: IsSame<FactClaim> = (a, b) => isPair(a, b) && isAlike(a.statement, b.statement);
  return agree(samples, [equal, sameFact, alike], (claim) => `${fold(claim.statement)} ${claim.contradicts}`);
}

/** Ids that more than half of the samples name. */
export function agreeOnIds(samples: readonly (readonly string[])[]): string[] {
  const named = [...new Set(samples.flat())];
  return named.filter((id) => samples.filter((ids) => ids.includes(id)).length * 2 > samples.length);
}

/** Pairs of neighbouring characters: works for every script, spaced or not. */
function bigrams(text: string): Set<string> {
  const chars = [...fold(text)];
  return new Set(chars.slice(1).map((char, index) => `${chars[index]}${char}`));
}

/** Two samples' wordings of one statement: the same numbers, and more than half of the larger one's character pairs. */
function isAlike(left: string, right: string): boolean {
  const numbers = (text: string) => (text.match(/\p{N}+/gu) ?? []).toSorted().join(" ");
  if (numbers(left) !== numbers(right)) return false;
  const a = bigrams(left);
  const b = bigrams(right);
  return [...a].filter((pair) => b.has(pair)).length * 2 > Math.max(a.size, b.size);
}
