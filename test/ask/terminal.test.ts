import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ctrlC, ctrlD, esc } from "../../src/ask/keys.ts";
import { width } from "../../src/ask/layout.ts";
import { buildHarness, type Harness, startSession } from "./fixtures/pty.ts";
import { cjkQuestion, longQuestion, option, question } from "./fixtures/questions.ts";
import { report } from "./fixtures/reports.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await buildHarness();
});
afterAll(() => harness.remove());

const down = `${esc}[B`;
const paste = (text: string) => `${esc}[200~${text}${esc}[201~`;
const chosen = (...options: string[]) => ({ options, text: null, as: null, by: "user" });
const said = (text: string) => ({ options: [], text, as: null, by: "user" });
const control = (as: string, text: string | null = null) => ({ options: [], text, as, by: "user" });
const collect = question({ kind: "collect", text: "Which constraint, exactly?", options: [], header: null });
const menu = "Choose one";
const own = "Your answer";

describe("a question on a terminal", () => {
  it("D3.3 D3.2 shows header, text and options with the recommended one marked, and takes a choice", async () => {
    const session = startSession(harness, [{ do: "ask", question: question() }]);
    await session.sees(menu);
    const screen = session.screen.all().join("\n");
    expect(screen).toContain("Round 3 | Component: Review UI | Targeting: criteria");
    expect(screen).toContain(
      "1. Every record is seen (Recommended)\n   Nothing is approved unseen\n2. A sample is seen",
    );
    expect(screen).toContain("● 1. Every record is seen (Recommended)");
    session.type(down);
    await session.sees("● 2. A sample is seen");
    session.type("\r");
    expect(await session.result()).toEqual({ replies: [chosen("b")], interrupts: 0, raw: false, error: null });
  });

  it("moves to an option by its digit and waits for Enter", async () => {
    const session = startSession(harness, [{ do: "ask", question: question() }]);
    await session.sees(menu);
    session.type("2");
    await session.sees("● 2. A sample is seen");
    session.type("\r");
    expect((await session.result()).replies).toEqual([chosen("b")]);
  });

  it("D4.1 offers own words, explain, decide for me and finish, each once", async () => {
    const ways = [question(), question({ id: "q5" }), question({ id: "q6" })];
    const session = startSession(
      harness,
      ways.map((item) => ({ do: "ask", question: item })),
    );
    await session.sees("Finish the interview here");
    const labels = session.screen
      .all()
      .filter((line) => line.includes("○"))
      .map((line) => line.replace(/^.*○ /, ""));
    expect(labels).toEqual([
      "2. A sample is seen",
      "Answer in my own words",
      "Explain this question",
      "Decide for me",
      "Finish the interview here",
    ]);
    session.type(`${esc}[A`);
    session.type("\r");
    await session.sees(/◇[\s\S]*Choose one[\s\S]*◆[\s\S]*Choose one/);
    session.type("5\r");
    await session.sees(/(◇[\s\S]*Choose one[\s\S]*){2}◆[\s\S]*Choose one/);
    session.type("4\r");
    await session.sees("What should be explained?");
    session.type("what does a sample mean?");
    await session.sees("what does a sample mean?");
    session.type("\t\r");
    const { replies } = await session.result();
    expect(replies).toEqual([control("finish"), control("opt-out"), control("explain", "what does a sample mean?")]);
  });

  it("D3.3 fault 21 opens the free text for an option that is itself the catch-all, and adds no second one", async () => {
    const options = [option("a", "Every record"), option("b", "3) Other.")];
    const session = startSession(harness, [{ do: "ask", question: question({ options }) }]);
    await session.sees(menu);
    expect(session.screen.all().join("\n")).not.toContain("Answer in my own words");
    session.type("2\r");
    await session.sees(own);
    session.type("half of them");
    await session.sees("half of them");
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said("half of them")]);
  });

  it("takes several options where the question takes several", async () => {
    const many = question({
      kind: "revise",
      round: null,
      multi_select: true,
      options: ["a", "b", "c"].map((id) => option(id, `Decision ${id}`)),
    });
    const session = startSession(harness, [{ do: "ask", question: many }]);
    await session.sees("Mark all that apply");
    session.type(" ");
    await session.sees("◼ 1. Decision a");
    session.type(`${down}${down} `);
    await session.sees(/◼ 1\. Decision a[\s\S]*◼ 3\. Decision c/);
    session.type("\r");
    expect((await session.result()).replies).toEqual([chosen("a", "c")]);
  });

  it("leaves a question without a reply only where it is optional", async () => {
    const bridge = question({ kind: "bridge", round: null, header: null, allow_free_text: false });
    const session = startSession(harness, [{ do: "ask", question: bridge, optional: true }]);
    await session.sees("Leave it unanswered");
    session.type("3\r");
    expect((await session.result()).replies).toEqual([null]);
  });
});

describe("own words on a terminal", () => {
  const pasted = "first line\r\rthird, after a blank one\r\twith a tab, `ticks`, $(x) and <<EOF\r\r한국어 😀 end";
  const text = pasted.replaceAll("\r", "\n");

  it("fault 27 keeps a paste whole, with its blank lines and tabs, and sends it with the button", async () => {
    const session = startSession(harness, [{ do: "ask", question: collect }]);
    await session.sees(own);
    session.type(paste(pasted));
    await session.sees("한국어 😀 end");
    session.type("\t");
    await session.sees("[ Send ] ◂");
    session.type("\r");
    expect((await session.result()).replies).toEqual([said(text)]);
  });

  it("fault 27 keeps a paste whole on a terminal that does not mark pastes", async () => {
    const session = startSession(harness, [{ do: "ask", question: collect }]);
    await session.sees(own);
    session.type(pasted);
    await session.sees("한국어 😀 end");
    session.type("\t");
    await session.sees("[ Send ] ◂");
    session.type("\r");
    expect((await session.result()).replies).toEqual([said(text)]);
  });

  it("D4.1 opens from the menu by typing or pasting, and nothing that is typed there chooses an option", async () => {
    const session = startSession(harness, [
      { do: "ask", question: question() },
      { do: "ask", question: question() },
    ]);
    await session.sees(menu);
    session.type(paste("a pasted\ranswer\r"));
    await session.sees(/│ {2}a pasted\n│ {2}answer/);
    session.type(ctrlD);
    await session.sees(/◇ {2}Your answer[\s\S]*◆ {2}Choose one/);
    session.type("7 ");
    session.type("y");
    await session.sees(/│ {2}7 y/);
    session.type("ears");
    await session.sees("7 years");
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said("a pasted\nanswer\n"), said("7 years")]);
  });

  it("edits by grapheme: backspace takes a whole emoji or syllable, the cursor keys move between them", async () => {
    const session = startSession(harness, [{ do: "ask", question: collect }]);
    await session.sees(own);
    for (const key of ["가", "😀", "나", "👍🏽", "\u007f", `${esc}[D`, "\u007f", "x", `${esc}[H`, "y"])
      session.type(key);
    await session.sees("y가x나");
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said("y가x나")]);
  });

  it("D4.2 takes a whole slash word for what it says, and a path for an answer", async () => {
    const words = ["/skip", "/usr/bin is fixed", "/cancel", "/explain what is B?"];
    const session = startSession(
      harness,
      words.map(() => ({ do: "ask", question: collect })),
    );
    for (const [index, word] of words.entries()) {
      await session.sees(new RegExp(`(◇[\\s\\S]*){${index}}◆ {2}Your answer`));
      session.type(word);
      await session.sees(word);
      session.type(ctrlD);
    }
    const { replies } = await session.result();
    expect(replies).toEqual([
      control("opt-out"),
      said(words[1] ?? ""),
      control("cancel"),
      control("explain", "what is B?"),
    ]);
  });

  it("D4.1 sends nothing while nothing is typed", async () => {
    const session = startSession(harness, [{ do: "ask", question: collect }]);
    await session.sees(own);
    session.type("\t");
    await session.sees("[ Send ] ◂");
    session.type("\r");
    await session.sees("Nothing typed yet");
    session.type("x");
    await session.sees(/│ {2}x/);
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said("x")]);
  });

  it("keeps what was typed when Escape goes back to the menu", async () => {
    const session = startSession(harness, [{ do: "ask", question: question() }]);
    await session.sees(menu);
    session.type("m");
    await session.sees(own);
    session.type("ostly");
    await session.sees("mostly");
    session.type(esc);
    await session.sees(/Choose one[\s\S]*Choose one/);
    session.type("3\r");
    await session.sees("mostly");
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said("mostly")]);
  });
});

describe("leaving on a terminal", () => {
  it("asks whether to pause at the first Ctrl-C, and goes on with the words kept", async () => {
    const session = startSession(harness, [{ do: "ask", question: collect }]);
    await session.sees(own);
    session.type("half a thought");
    await session.sees("half a thought");
    session.type(ctrlC);
    await session.sees("Pause the interview?");
    session.type(`${down}\r`);
    await session.sees(/Go on[\s\S]*half a thought/);
    session.type(ctrlD);
    expect(await session.result()).toMatchObject({ replies: [said("half a thought")], error: null, raw: false });
  });

  it("pauses with the resume command named, as an interrupt", async () => {
    const session = startSession(harness, [{ do: "ask", question: question() }]);
    await session.sees(menu);
    session.type(ctrlC);
    await session.sees("Pause the interview?");
    session.type("\r");
    const result = await session.result();
    expect(result).toMatchObject({ replies: [], raw: false, error: { code: "interrupted", exitCode: 130 } });
    expect(result.error?.next).toContain("deep-interview resume");
  });

  it("pauses at once at the second Ctrl-C, also when both come together", async () => {
    for (const keys of [[ctrlC, ctrlC], [ctrlC + ctrlC]]) {
      const session = startSession(harness, [{ do: "ask", question: question() }]);
      await session.sees(menu);
      for (const key of keys) session.type(key);
      expect((await session.result()).error?.exitCode).toBe(130);
      expect(session.raw()).toContain(`${esc}[?25h`);
      expect(session.raw().lastIndexOf(`${esc}[?2004l`)).toBeGreaterThan(session.raw().lastIndexOf(`${esc}[?2004h`));
    }
  });

  it("while the model works, Ctrl-C asks before the next question, and twice interrupts", async () => {
    const session = startSession(harness, [
      { do: "work", labels: ["score"] },
      { do: "ask", question: question() },
    ]);
    await session.sees("Scoring clarity");
    session.type(ctrlC);
    await session.sees("You will be asked whether to pause");
    session.wake();
    await session.sees("Pause the interview?");
    session.type("2\r");
    await session.sees(menu);
    session.type("\r");
    expect(await session.result()).toMatchObject({ replies: [chosen("a")], interrupts: 0 });

    const other = startSession(harness, [{ do: "work", labels: ["score", "score", "panel"] }]);
    await other.sees("Scoring clarity, Asking the panel");
    other.type(ctrlC);
    await other.sees("You will be asked whether to pause");
    other.type(ctrlC);
    await other.sees("INTERRUPTED");
    other.wake();
    expect(await other.result()).toMatchObject({ interrupts: 1, raw: false });
  });

  it("D4.7 fault 16 takes the end of input for no reply: Ctrl-D, a closed pipe, a terminal that went away", async () => {
    for (const asked of [question(), collect]) {
      const typed = startSession(harness, [{ do: "ask", question: asked }]);
      await typed.sees("◆");
      typed.type(ctrlD);
      expect(await typed.result()).toMatchObject({ replies: [null], error: null });
    }
    const steps = join(harness.folder, "eof.json");
    writeFileSync(
      steps,
      JSON.stringify([
        { do: "ask", question: collect },
        { do: "ask", question: question() },
      ]),
    );
    const out = join(harness.folder, "eof-result.json");
    const child = spawn(process.execPath, [join(harness.folder, "harness.mjs"), steps, out], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin?.end();
    await new Promise((resolve) => child.on("exit", resolve));
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ replies: [null, null], error: null });

    const gone = startSession(harness, [{ do: "ask", question: question() }]);
    await gone.sees(menu);
    gone.hangUp();
    await vi.waitUntil(() => existsSync(gone.resultFile), { timeout: 5000 });
    expect(JSON.parse(readFileSync(gone.resultFile, "utf8"))).toMatchObject({ replies: [null], error: null });
  });

  it("hands over the replies given before the user left in the middle of several questions", async () => {
    const session = startSession(harness, [
      { do: "ask-many", questions: [question(), question({ id: "q5" }), question({ id: "q6" })] },
      { do: "ask", question: question({ id: "q5" }) },
    ]);
    await session.sees(menu);
    session.type("\r");
    await session.sees(/◇[\s\S]*◆ {2}Choose one/);
    session.type(ctrlC + ctrlC);
    expect(await session.result()).toMatchObject({ replies: [[chosen("a"), null, null]], error: { exitCode: 130 } });
  });
});

describe("before a question is shown", () => {
  it("fault 17 drops what was typed while the model worked or nobody listened", async () => {
    const session = startSession(harness, [
      { do: "idle" },
      { do: "ask", question: question() },
      { do: "work", labels: ["score"] },
      { do: "ask", question: collect },
    ]);
    await session.sees("IDLE");
    session.type("a stray line\r\r");
    session.wake();
    await session.sees(menu);
    session.type("2");
    await session.sees("● 2. A sample");
    session.type("\r");
    await session.sees("Scoring clarity");
    session.type("stray words\t\r");
    session.wake();
    await session.sees(own);
    session.type("meant");
    await session.sees("meant");
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([chosen("b"), said("meant")]);
  });
});

describe("small and wide", () => {
  it("fault 27 shows all of a question of 60 lines on 24 rows by 40 columns, and the menu below it", async () => {
    const session = startSession(harness, [{ do: "ask", question: longQuestion() }], { columns: 40, rows: 24 });
    await session.sees(menu);
    await session.sees("Finish the interview");
    const all = session.screen.all();
    const whole = all.map((line) => line.trim()).join(" ");
    for (let line = 1; line <= 60; line += 1)
      expect(whole).toContain(`Line ${line}: what the system does when step ${line} fails.`);
    const seen = session.screen.visible().join("\n");
    expect(seen).toContain("1. Every record is seen (Recommended)");
    expect(seen).toContain("One record in ten");
    for (const line of all) expect(width(line)).toBeLessThanOrEqual(40);
    session.type("2\r");
    expect((await session.result()).replies).toEqual([chosen("b")]);
  });

  it("fault 27 draws CJK text, options and input in place at 40 columns", async () => {
    const session = startSession(harness, [{ do: "ask", question: cjkQuestion }], { columns: 40, rows: 24 });
    await session.sees(menu);
    expect(session.screen.all().slice(0, 14).join("\n")).toMatchInlineSnapshot(`
      "Round 3 | Component: Review UI |
      Targeting: criteria | Why now: it is the
      least clear of all | Ambiguity: 41%

      검토 화면이 제대로 동작한다는 것을
      어떻게 알 수 있나요? 承認された記録は誰
      が確認しますか。

      1. 모든 기록을 사람이 직접 확인한 뒤
         승인한다
         全ての記録を人が確認する
      2. 표본만 확인한다
      │
      ◆  Choose one, or start typing to answer"
    `);
    session.type("기록마다 담당자가 있고, 승인은 두 번의 클릭으로 끝난다. 承認は二回のクリックで終わる。");
    await session.sees("終わる。");
    const rows = session.screen.visible();
    const { row, column } = session.screen.cursor();
    expect(width(rows[row] ?? "")).toBe(column);
    expect(rows[row]?.endsWith("。")).toBe(true);
    session.type(ctrlD);
    const [reply] = (await session.result()).replies;
    expect(reply).toEqual(
      said("기록마다 담당자가 있고, 승인은 두 번의 클릭으로 끝난다. 承認は二回のクリックで終わる。"),
    );
  });

  it("fault 27 keeps a paste of more lines than the terminal has in view around the cursor", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `pasted line ${index + 1}`);
    const session = startSession(harness, [{ do: "ask", question: collect }], { columns: 40, rows: 24 });
    await session.sees(own);
    session.type(paste(lines.join("\r")));
    await session.sees("pasted line 200");
    await session.sees(/… 18\d more line/);
    expect(session.screen.all().length).toBeLessThan(30);
    session.type(ctrlD);
    expect((await session.result()).replies).toEqual([said(lines.join("\n"))]);
  });
});

describe("messages on a terminal", () => {
  it("D0.3 D8.1 prints the announcement first and unbroken, then report and spinner, then the question", async () => {
    const marker = "Deep Interview threshold: 12.5% (source: $GJC_CONFIG_DIR/settings.json)";
    const session = startSession(
      harness,
      [
        { do: "tell", message: { type: "announcement", text: `${marker}\n\nYour idea: "x"` } },
        { do: "tell", message: { type: "warning", text: "No model is used." } },
        { do: "work", labels: ["crystallize"] },
        { do: "tell", message: { type: "report", view: { ...report() } } },
        { do: "ask", question: collect },
      ],
      { columns: 40, rows: 24 },
    );
    await session.sees("Writing the spec");
    session.wake();
    await session.sees(own);
    expect(session.raw().startsWith(marker)).toBe(true);
    const all = session.screen.all().join("\n");
    expect(all).toMatch(/! No model is used\.[\s\S]*Round 3 complete\.[\s\S]*Which constraint, exactly\?/);
    expect(all).not.toContain("Writing the spec");
    session.type(ctrlD);
    await session.result();
  });

  it("fault 18 fault 27 lets no escape code of a question reach the terminal", async () => {
    const text = `${esc}]0;owned\u0007${esc}[2Jquestion \u202eabc`;
    const options = [option("a", `${esc}[31mred`, { description: `x${esc}[5n` }), option("b", "line\nbreak")];
    const session = startSession(harness, [{ do: "ask", question: question({ text, header: `h${esc}c`, options }) }]);
    await session.sees(menu);
    expect(session.raw()).not.toMatch(
      new RegExp(`${esc}\\]0;owned|${esc}\\[2J|${esc}\\[31m|${esc}\\[5n|${esc}c|\\u202e`),
    );
    expect(session.screen.all().join("\n")).toContain("␛]0;owned␇␛[2Jquestion <U+202E>abc");
    session.type(ctrlC + ctrlC);
    await session.result();
  });

  it("NO_COLOR takes every colour away, from the menu too", async () => {
    for (const [env, colored] of [
      [{ NO_COLOR: "1" }, false],
      [{}, true],
    ] as const) {
      const session = startSession(
        harness,
        [
          { do: "tell", message: { type: "report", view: { ...report() } } },
          { do: "ask", question: question() },
        ],
        undefined,
        env,
      );
      await session.sees(menu);
      expect(new RegExp(`${esc}\\[[0-9;]*m`).test(session.raw())).toBe(colored);
      session.type(ctrlC + ctrlC);
      await session.result();
    }
  });
});
