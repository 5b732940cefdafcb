/**
 * The sentences that the askers themselves say (D1.6). They come from the language files by key; the asker is given a
 * function that knows the interview's language.
 */
export const askPhrases = [
  "ask.recommended",
  "ask.choose",
  "ask.choose.plain",
  "ask.choose.many",
  "ask.words",
  "ask.words.title",
  "ask.words.keys",
  "ask.words.send",
  "ask.words.more",
  "ask.words.empty",
  "ask.words.other",
  "ask.explain",
  "ask.explain.title",
  "ask.opt-out",
  "ask.finish",
  "ask.leave",
  "ask.back",
  "ask.pause",
  "ask.pause.yes",
  "ask.pause.no",
  "ask.pause.later",
  "ask.line.help",
  "ask.line.options",
  "ask.line.choose",
  "ask.line.optional",
  "ask.working",
  "ask.working.summarise",
  "ask.working.explore",
  "ask.working.topology",
  "ask.working.interpret",
  "ask.working.score",
  "ask.working.question",
  "ask.working.research",
  "ask.working.auto-answer",
  "ask.working.panel",
  "ask.working.closure",
  "ask.working.restate",
  "ask.working.crystallize",
  "ask.report.round",
  "ask.report.correction",
  "ask.report.panel",
  "locked.title",
] as const;
export type AskPhrase = (typeof askPhrases)[number];

/** A sentence in the interview's language, with `{name}` filled in. */
export type Say = (key: AskPhrase, vars?: Readonly<Record<string, string | number>>) => string;

const known: ReadonlySet<string> = new Set(askPhrases);

function isPhrase(key: string): key is AskPhrase {
  return known.has(key);
}

/** What the model is doing, from task names; several alike count once. */
export function sayWorking(say: Say, labels: readonly string[]): string {
  const said = [...new Set(labels)].map((label) => {
    const key = `ask.working.${label}`;
    return isPhrase(key) ? say(key) : label;
  });
  return said.length === 0 ? say("ask.working") : said.join(", ");
}
