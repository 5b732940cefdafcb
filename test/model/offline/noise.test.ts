import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  english,
  japanese,
  japanesePipeline,
  korean,
  koreanPipeline,
  pipeline,
  pipelineAnswers,
  spanish,
  spanishPipeline,
} from "./answers.ts";
import { banks, interview, reply, scored, scoreInput, type Tag, tags } from "./kit.ts";

const ideas: Readonly<Record<Tag, string>> = {
  en: pipeline,
  ko: koreanPipeline,
  ja: japanesePipeline,
  es: spanishPipeline,
};
const small: Readonly<Record<Tag, string>> = {
  en: "Build a todo app with reminders",
  ko: "할 일 관리 앱을 만들고 싶어요",
  ja: "ToDoアプリを作りたいです",
  es: "Crear una app de tareas con recordatorios",
};
const concrete: Readonly<Record<Tag, readonly string[]>> = {
  en: [...Object.values(pipelineAnswers), ...english.map(([, answer]) => answer)],
  ko: korean.map(([, answer]) => answer),
  ja: japanese.map(([, answer]) => answer),
  es: spanish.map(([, answer]) => answer),
};
const lorem =
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua".split(
    " ",
  );
const everyday =
  "apple river stone quickly running beautiful machine garden the of and to in is that for it with as was on be at by this have from or one had but not what all were when we there can an your which their said if will each about how up out them then she many some so these would other into has more two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know".split(
    " ",
  );

/** Every word of the lists that mark evidence: what somebody would take to look concrete. */
function markersOf(tag: Tag): string[] {
  const words = banks[tags.indexOf(tag)]?.words;
  return words === undefined
    ? []
    : [
        words.limits,
        words.musts,
        words.units,
        words.actors,
        words.observables,
        words.conditions,
        words.numbers,
        words.negations,
      ].flat();
}

/** Words as they are parted in writing; where they are not, by script. */
function wordsOf(answer: string, tag: Tag): string[] {
  if (tag !== "ja") return answer.split(/\s+/);
  return answer.match(/[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|\p{Script=Hiragana}+|[A-Za-z0-9,]+/gu) ?? [];
}

const shuffled = (words: readonly string[], min: number, max: number) =>
  fc
    .shuffledSubarray([...words], { minLength: min, maxLength: Math.min(max, words.length) })
    .map((made) => made.join(" "));

function nonsense(tag: Tag): fc.Arbitrary<string> {
  const idea = [...wordsOf(ideas[tag], tag), ...wordsOf(small[tag], tag)];
  const markers = markersOf(tag);
  return fc.oneof(
    shuffled(lorem, 4, 18),
    fc.array(fc.constantFrom(...everyday), { minLength: 5, maxLength: 24 }).map((words) => `${words.join(" ")}.`),
    shuffled(markers, 6, 20),
    shuffled([...markers.slice(0, 200), ...idea], 8, 20),
    fc.tuple(shuffled(markers, 4, 8), shuffled(everyday, 5, 9), shuffled(idea, 2, 6)).map((parts) => parts.join(" ")),
    fc.array(fc.string({ minLength: 2, maxLength: 9 }), { minLength: 1, maxLength: 9 }).map((words) => words.join(" ")),
    fc.constantFrom(...concrete[tag]).chain((answer) => {
      const words = wordsOf(answer, tag);
      return shuffled(words, Math.min(8, words.length), 60).map((text) =>
        tag === "ja" ? text.replace(/ /g, "") : text,
      );
    }),
  );
}

describe.each(tags)("answers that say nothing, in %s", (tag) => {
  it("fault 20: never bring an interview to a gate, whatever was thrown together", async () => {
    const words =
      tag === "en" || tag === "es"
        ? nonsense(tag)
        : fc.oneof(
            nonsense(tag),
            shuffled(markersOf(tag), 6, 20).map((text) => text.replace(/ /g, "")),
          );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 12, maxLength: 12 }), fc.boolean(), async (answers, isSmall) => {
        const { ambiguities } = await interview(
          (isSmall ? small : ideas)[tag],
          ({ round }) => answers[round - 1] ?? "",
          { tag, rounds: 12 },
        );
        // Glued scripts tell a salad of endings from a sentence less well: there it stays above the `--deep` gate.
        expect(Math.min(...ambiguities)).toBeGreaterThan(tag === "ko" ? 0.35 : 0.6);
      }),
      { numRuns: 60 },
    );
  });

  it("fault 20: one good answer, said over and over, counts once", async () => {
    for (const answer of concrete[tag].slice(0, 3)) {
      for (const idea of [ideas[tag], small[tag]]) {
        const { ambiguities } = await interview(idea, () => answer, { tag });
        expect(Math.min(...ambiguities)).toBeGreaterThan(0.6);
      }
    }
  });

  it("fault 20: a copy of the question is no answer", async () => {
    const { ambiguities } = await interview(ideas[tag], ({ question }) => question, { tag });
    expect(Math.min(...ambiguities)).toBeGreaterThan(0.9);
  });
});

describe("evasions", () => {
  it.each([
    ["en", "I don't know yet."],
    ["en", "It depends, whatever."],
    ["ko", "아직 잘 모르겠어요. 상황에 따라 달라요."],
    ["ja", "まだわかりません。場合によります。"],
    ["es", "No lo sé todavía, depende."],
  ] as const)("fault 20, D5.3 in %s never close an interview and are trigger C: %s", async (tag, answer) => {
    const { ambiguities } = await interview(small[tag], () => answer, { tag });
    expect(Math.min(...ambiguities)).toBeGreaterThan(0.9);
    const value = await reply("score", scoreInput(answer, { language: { tag, instruction: "" } }));
    expect(value.triggers.map(({ label, component, dimension }) => ({ label, component, dimension }))).toEqual([
      { label: "C", component: "review-ui", dimension: "goal" },
    ]);
  });

  it("never lift any pair above its start, nor do words without sense", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(shuffled(lorem, 3, 18), fc.constantFrom("idk", "TBD", "?", "whatever works", "...", "as usual")),
        async (answer) => {
          const value = await reply("score", scoreInput(answer, { components: scored(0.4), prior_ambiguity: 0.6 }));
          for (const item of value.components)
            for (const { score } of item.dimensions) expect(score).toBeLessThanOrEqual(0.4);
          expect(value.facts).toEqual([]);
        },
      ),
    );
  });

  it.each([
    ["はい", "ja"],
    ["네", "ko"],
    ["Yes", "en"],
    ["Sí", "es"],
    ["👍", "en"],
    ["Solo Europa", "es"],
  ] as const)("fault 15: %s is short, but no evasion", async (answer, tag) => {
    const value = await reply("score", scoreInput(answer, { language: { tag, instruction: "" } }));
    expect(value.triggers).toEqual([]);
  });
});
