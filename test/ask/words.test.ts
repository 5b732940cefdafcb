import { describe, expect, it } from "vitest";
import { askPhrases, sayWorking } from "../../src/ask/words.ts";
import { replies } from "../../src/core/deep/tasks.ts";
import { english, say } from "./fixtures/say.ts";

describe("the askers' own sentences", () => {
  it("D1.6 come from the language files by key, every one of them", () => {
    for (const key of askPhrases) expect([key, english[key]]).toEqual([key, expect.stringMatching(/\S/)]);
    const known: readonly string[] = askPhrases;
    const unused = Object.keys(english).filter((key) => key.startsWith("ask.") && !known.includes(key));
    expect(unused).toEqual([]);
  });

  it("name every task that the model works on, once", () => {
    for (const task of Object.keys(replies)) expect(sayWorking(say, [task])).not.toBe(task);
    expect(sayWorking(say, ["score", "score", "panel"])).toBe("Scoring clarity, Asking the panel");
    expect(sayWorking(say, [])).toBe("Working");
    expect(sayWorking(say, ["unheard-of"])).toBe("unheard-of");
  });
});
