/**
 * The rules of the deep interview as data: an id, the part of the specification that it stands in, and what it asks for
 * in one sentence. A test names in its title the ids that it verifies; `requirements.test.ts` holds the two together.
 */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly rule: string;
}

const threshold = [
  [
    "D0.1",
    "The threshold is taken from flag, project, user settings, preset or default, in that order, under one key in two spellings.",
  ],
  [
    "D0.2",
    "An invalid value is passed over with one notice, an unreadable file stops the run, an unknown key is a notice.",
  ],
  ["D0.3", "The first line of every surface names threshold and source; percent prints exactly."],
  [
    "D0.4",
    "Threshold and source are in every state and in the spec; a resumed interview keeps its own unless an event changes it.",
  ],
  ["D0.5", "Every limit is a validated setting with a default, shown in the example settings."],
  [
    "D0.6",
    "After the topology is locked one line says what the threshold demands, with a warning where it is out of reach.",
  ],
] as const;

const start = [
  [
    "D1.1",
    "Brownfield needs existing code and an idea of changing it; a flag overrides; a small request is told that it needs no interview.",
  ],
  [
    "D1.2",
    "Brownfield context is read before round 1, bounded and read-only, every citation checked, with the closest earlier artifacts as data.",
  ],
  [
    "D1.3",
    "An oversized idea is summarised first, its raw words kept by hash and out of every later prompt, at any size.",
  ],
  ["D1.4", "The first state holds every field of the seed under the seed's name."],
  ["D1.5", "The announcement gives marker line, idea, type and an ambiguity of 100%."],
  [
    "D1.6",
    "The language comes from flag, state or idea, goes into every prompt that users read, and none is special in code.",
  ],
] as const;

const topology = [
  ["D2.1", "Round 0 runs once before any score: one question on one to six components."],
  [
    "D2.2",
    "The answer may edit and defer; a bare edit option is followed by one collect; at least one component stays active.",
  ],
  ["D2.3", "The four-component idea yields four siblings, however detailed one of them is."],
  ["D2.4", "A state without topology gets round 0 before its next score, unless a spec exists already."],
  ["D2.5", "Round 0 is never an unscored round and never blocks scoring."],
  [
    "D2.6",
    "A new outcome joins only by the user's choice in the next, numbered question; its pairs stay null in that score.",
  ],
] as const;

const question = [
  [
    "D3.1",
    "Code picks the target: what is owed, triggered pairs, then the lowest pair with rotation among the similarly weak.",
  ],
  ["D3.2", "A header line names round, component, dimension, reason and ambiguity."],
  [
    "D3.3",
    "One self-contained question a round with two to four real options and free text; empty, double or missing ones are asked for again.",
  ],
  ["D3.4", "Facts are shown as cited confirmations, decisions go to the user, and only a confirmed fact counts."],
  ["D3.5", "An unstable core noun or a stall makes an ontology question, at most one in three rounds."],
  ["D3.6", "After three rounds without the user's own judgement the next question is the user's alone."],
  [
    "D3.7",
    "A question marked for research gets panel, two or three candidates as options, and on failure stays plain.",
  ],
] as const;

const reply = [
  [
    "D4.1",
    "A reply is of one of eight kinds; only three answer, an explanation is uncounted, nothing records nothing.",
  ],
  ["D4.2", "Exact phrases are matched in code, the rest is interpreted, and an option label is always an answer."],
  [
    "D4.3",
    "Free text with substance is structured, confirmed once, folded and scored as confirmed; the raw words are kept.",
  ],
  [
    "D4.4",
    "An opt-out is answered by the architect after a panel, marked, never evasive; failing that it stays a gap.",
  ],
  ["D4.5", "A pair improved by an uncertain auto-answer is capped until the user answers or confirms it."],
  ["D4.6", "An auto-answer that reaches the threshold is confirmed by the user first; keeping on leaves a gap."],
  ["D4.7", "Nobody but the user answers: silence leaves the question pending."],
] as const;

const scoring = [
  ["D5.1", "Code computes ambiguity from fixed weights over the minimum of active components."],
  ["D5.2", "The scorer answers to a schema; a missing component keeps its scores, an unknown one is refused."],
  [
    "D5.3",
    "An active trigger's pair must not improve and ambiguity must rise; one repair, one correction, else unresolved.",
  ],
  ["D5.4", "Facts are promoted, disputed and superseded, with a ceiling on the pair only while the dispute lasts."],
  ["D5.5", "Nothing slows the score down: no minimum of rounds, no drop cap, no dampening."],
  ["D5.6", "Near the gate three samples are taken, with medians, spread and majorities."],
  ["D5.7", "The gate compares stored values, and a shown number never rounds across the threshold."],
  ["D5.8", "What follows a reply happens in one fixed order."],
] as const;

const ontology = [
  ["D6.1", "Entities match by folded name, then by type and shared fields, one to one; the ratio follows or is N/A."],
  ["D6.2", "The matching is written out before the numbers and stored."],
] as const;

const panel = [
  ["D7.1", "The panel convenes when the band changes, and before any answer that an agent supplies."],
  ["D7.2", "Three personas in parallel and apart, the architect too when the system's shape changed."],
  ["D7.3", "Each answer is validated by itself and folded into the one next question, never more."],
  [
    "D7.4",
    "A stall or high ambiguity after eight rounds has the panel ask what this really is, not again for three rounds.",
  ],
  ["D7.5", "Reviews and failures are recorded; failure is silent to the user."],
] as const;

const report = [
  ["D8.1", "After each scored round the progress report is shown in full."],
  ["D8.2", "A round is on disk as answered before it is scored; resume never asks again."],
  ["D8.3", "Early exit is taken from round 3 on, with a warning; cancel works anywhere."],
  ["D8.4", "One soft limit at round 10, a hard cap at round 20, no other question whether to continue."],
] as const;

const closure = [
  [
    "D9.1",
    "Code finds the gaps, then an audit; each gap is put to the user at most once, and one that stays denies PASSED.",
  ],
  ["D9.2", "After early exit or the cap, closure is silent and restate is asked once."],
  [
    "D9.3",
    "Restate is one sentence over all components; corrections are scored without a round number, two loops at most.",
  ],
] as const;

const spec = [
  ["D10.1", "The spec has one exact path with a safe slug for any script, and a line in the index."],
  [
    "D10.2",
    "Every section in order, numbers from state only, readable back to the same numbers; an empty list is refused or named unresolved.",
  ],
  ["D10.3", "Each component and deliverable has a criterion or a gap; each line its rounds and provenance."],
  ["D10.4", "PASSED needs the threshold and the closure; everything else has the other status."],
  ["D10.5", "Spec, index and state appear together or not at all."],
] as const;

const after = [
  ["D11.1", "The spec waits for approval; nothing is written outside the sessions' folder and no shell is run."],
  ["D11.2", "A chosen path hands off with its entry; refining asks first, raises the cap and keeps the earlier spec."],
  [
    "D11.3",
    "Damaged state is refused with the command that clears it, untouched until then; a snapshot behind its journal is rebuilt.",
  ],
  ["D11.4", "Every prompt that writes for users proofreads itself once, silently."],
] as const;

const sections: Readonly<Record<string, readonly (readonly [id: string, rule: string])[]>> = {
  "Threshold and settings": threshold,
  Start: start,
  "Round 0: topology": topology,
  "Which question next": question,
  "The reply": reply,
  Scoring: scoring,
  Ontology: ontology,
  "Lateral panel": panel,
  "Report, limits": report,
  "Closure, restate": closure,
  Spec: spec,
  "After the spec": after,
};

export const requirements: readonly Requirement[] = Object.entries(sections).flatMap(([source, rules]) =>
  rules.map(([id, rule]) => ({ id, source, rule })),
);
