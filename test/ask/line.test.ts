import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineAsker } from "../../src/ask/line.ts";
import { interpretTyped, readTyped } from "../../src/ask/typed.ts";
import type { Question, Reply } from "../../src/core/machine.ts";
import { Interrupted } from "../../src/errors.ts";
import { option, question } from "./fixtures/questions.ts";
import { report } from "./fixtures/reports.ts";
import { say } from "./fixtures/say.ts";

const signal = new AbortController().signal;
const required = { optional: false, signal };
const chosen = (...options: string[]): Reply => ({ options, text: null, as: null, by: "user" });
const said = (text: string): Reply => ({ options: [], text, as: null, by: "user" });
const control = (as: Reply["as"], text: string | null = null): Reply => ({ options: [], text, as, by: "user" });

/** An asker with everything that standard input will ever bring. */
function piped(text: string, more: { isTTY?: boolean; columns?: number } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: more.isTTY ?? false });
  const output = Object.assign(new PassThrough(), { columns: more.columns ?? 80 });
  input.end(text);
  const asker = createLineAsker({ input, output, say, other: ["Other"], resume: "deep-interview resume", settleMs: 5 });
  return { asker, input, shown: () => String(output.read() ?? "") };
}

async function replyTo(asked: Question, text: string): Promise<Reply | null> {
  return piped(text).asker.ask(asked, required);
}

describe("line mode", () => {
  it("D3.3 prints header, text, numbered options with the recommended one marked, and how to reply", async () => {
    const { asker, shown } = piped("1\n");
    await asker.ask(question(), required);
    expect(`\n${shown()}`).toMatchInlineSnapshot(`
      "
      Round 3 | Component: Review UI | Targeting: criteria | Why now: it is the least
      clear of all | Ambiguity: 41%

      How would you know that the review works?

      1. Every record is seen (Recommended)
         Nothing is approved unseen
      2. A sample is seen
         One record in ten

      Type the number, the letter or the label of an option, or an answer in your own
      words. /explain, /skip (decide for me), /finish, /cancel. A line that ends in \\
      goes on in the next one; between a line << and a line << everything is taken as
      it stands.
      "
    `);
  });

  it("takes a number, a letter, an id or a label for an option", async () => {
    const yes = question({
      options: [option("right", "Looks right"), option("edit", "Yes, with changes", { recommended: true })],
    });
    const table: [string, string][] = [
      ["1", "right"],
      ["2.", "edit"],
      ["b", "edit"],
      ["A)", "right"],
      ["right", "right"],
      ["looks RIGHT", "right"],
      ["Yes, with changes (Recommended)", "edit"],
    ];
    for (const [typed, id] of table) expect([typed, await replyTo(yes, `${typed}\n`)]).toEqual([typed, chosen(id)]);
  });

  it("D4.1 takes everything else for own words, byte for byte", async () => {
    const lines = [
      "3",
      "yes",
      "c",
      "  keep `$(x)` and a > b  ",
      "はい",
      "한국어".normalize("NFD"),
      "/usr/bin",
      "<<EOF stays",
    ];
    for (const line of lines) expect(await replyTo(question(), `${line}\n`)).toEqual(said(line));
  });

  it("D4.2 takes a whole slash word for what it says", async () => {
    expect(await replyTo(question(), "/explain\n")).toEqual(control("explain"));
    expect(await replyTo(question(), "/explain what does 2 mean?\n")).toEqual(control("explain", "what does 2 mean?"));
    expect(await replyTo(question(), "/SKIP\n")).toEqual(control("opt-out"));
    expect(await replyTo(question(), " /finish \n")).toEqual(control("finish"));
    expect(await replyTo(question(), "/cancel\n")).toEqual(control("cancel"));
    expect(await replyTo(question(), "/skip browser tests\n")).toEqual(said("/skip browser tests"));
    expect(await replyTo(question(), "/explained\n")).toEqual(said("/explained"));
  });

  it("goes on after a backslash, and takes a block as it stands", async () => {
    expect(await replyTo(question(), "first \\\nsecond\\\n\\\nlast\n")).toEqual(said("first \nsecond\n\nlast"));
    expect(await replyTo(question(), "a path C:\\\\\n")).toEqual(said("a path C:\\\\"));
    expect(await replyTo(question(), "<<\n1\n\n/skip\nends in \\\n<<\n")).toEqual(said("1\n\n/skip\nends in \\"));
    expect(await replyTo(question(), "<<END\n<<\nx\nEND\n")).toEqual(said("<<\nx"));
  });

  it("D4.7 fault 16 takes closed input for no reply, half a reply too, and stays closed", async () => {
    for (const text of ["", "\n\n", "<<\nnever ended\n", "goes on \\\n"]) {
      const { asker } = piped(text);
      expect([text, await asker.ask(question(), required)]).toEqual([text, null]);
      expect(await asker.ask(question(), required)).toBeNull();
    }
    expect(await replyTo(question(), "the last line has no end")).toEqual(said("the last line has no end"));
  });

  it("D4.1 takes an empty line for nothing and asks on", async () => {
    const { asker, shown } = piped("\n  \nan answer\n");
    expect(await asker.ask(question(), required)).toEqual(said("an answer"));
    expect(shown()).toContain("Nothing typed yet");
  });

  it("asks on where only an option is a reply, and where the catch-all was chosen", async () => {
    const closed = question({ allow_free_text: false });
    const { asker, shown } = piped("whatever\n2\n");
    expect(await asker.ask(closed, required)).toEqual(chosen("b"));
    expect(shown()).toContain("Please choose one of the options.");
    const other = question({ options: [option("a", "All"), option("b", "Other")] });
    expect(await replyTo(other, "2\nhalf of them\n")).toEqual(said("half of them"));
  });

  it("takes several options only where the question takes several", async () => {
    const many = question({ multi_select: true, options: ["a", "b", "c"].map((id) => option(id, `Decision ${id}`)) });
    expect(await replyTo(many, "1, 3\n")).toEqual(chosen("a", "c"));
    expect(await replyTo(many, "a c c\n")).toEqual(chosen("a", "c"));
    expect(await replyTo(many, "1 and 3\n")).toEqual(said("1 and 3"));
    expect(await replyTo(question(), "1, 2\n")).toEqual(said("1, 2"));
  });

  it("leaves an optional question unanswered on request", async () => {
    const { asker, shown } = piped("/leave\n2\n");
    expect(await asker.ask(question(), { optional: true, signal })).toBeNull();
    expect(shown()).toContain("/leave leaves it unanswered.");
    expect(await asker.ask(question(), required)).toEqual(chosen("b"));
  });

  it("asks several in turn and hands over what came before the input ended", async () => {
    const { asker } = piped("1\n2\n");
    const asked = ["q1", "q2", "q3"].map((id) => question({ id }));
    expect(await asker.askMany(asked, { signal })).toEqual([chosen("a"), chosen("b"), null]);
  });

  it("rejects with the reason when it is interrupted while it waits", async () => {
    const input = new PassThrough();
    const asker = createLineAsker({
      input,
      output: new PassThrough(),
      say,
      other: [],
      resume: "deep-interview resume",
    });
    const abort = new AbortController();
    const asked = asker.ask(question(), { optional: false, signal: abort.signal });
    const reason = new Interrupted("SIGTERM", "told to stop");
    abort.abort(reason);
    await expect(asked).rejects.toBe(reason);
    const plain = new AbortController();
    plain.abort();
    await expect(asker.ask(question(), { optional: false, signal: plain.signal })).rejects.toMatchObject({
      exitCode: 130,
      next: "Go on with: deep-interview resume",
    });
  });

  it("fault 17 drops what was typed on a dumb terminal before the question was shown", async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    const asker = createLineAsker({ input, output, say, other: [], resume: "", settleMs: 5 });
    input.write("a stray line\n");
    output.on("data", (chunk) => {
      if (String(chunk) === "> ") input.write("2\n");
    });
    expect(await asker.ask(question(), required)).toEqual(chosen("b"));
  });

  it("prints no escape code, spinner or control character, whatever it is told", async () => {
    const { asker, shown } = piped("1\n");
    asker.tell({ type: "announcement", text: "Deep Interview threshold: 5% (source: default)\n\u001b[2J" });
    asker.tell({ type: "report", view: { ...report() } });
    asker.tell({ type: "warning", text: "\u0007bell" });
    asker.working(["score"])();
    await asker.ask(question({ text: "\u001b[31mred" }), required);
    const all = shown();
    expect(all.startsWith("Deep Interview threshold: 5% (source: default)\n")).toBe(true);
    expect(all.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(all).toContain("… Scoring clarity");
  });

  it("fault 18 never loses or changes a byte of a block, and any line comes to a reply or to nothing", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, " "));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
        const queue = ["<<STOP", ...lines.map((text) => (text.trim() === "STOP" ? "x" : text)), "STOP"];
        const expected = queue.slice(1, -1).join("\n");
        const typed = await readTyped(async () => queue.shift() ?? null);
        expect(typed).toEqual({ text: expected, block: true });
        const reply = interpretTyped(question(), { text: expected, block: true });
        expect(reply).toEqual(expected.trim() === "" ? null : said(expected));
      }),
    );
  });
});
