import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DoctorOutput, ErrorOutput, RunOutput, SessionsOutput, ShowOutput, StepOutput } from "../src/cli/outputs.ts";
import { inFolder, main, root, runCommand } from "./command.ts";

const idea = "Build an intake pipeline that ingests CSVs, normalizes records and exports audit-ready reports";
const offline = ["--model", "offline"];

function parse(text: string): unknown {
  const lines = text.trimEnd().split("\n");
  expect(lines, "exactly one JSON value on stdout").toHaveLength(1);
  return JSON.parse(text);
}

const answersFile = (entries: string) =>
  `version: 1\nanswers:\n  - when: { kind: topology }\n    reply: Looks right\n${entries}`;

describe("the command line", () => {
  it("D0.3 prints the threshold line before anything else, in text and as announcement in JSON", () =>
    inFolder(async (cwd) => {
      const text = await runCommand([idea, ...offline, "--threshold", "0.125"], { cwd });
      expect(text.out.split("\n")[0]).toBe("Deep Interview threshold: 12.5% (source: flag:--threshold)");
      const json = RunOutput.parse(
        parse((await runCommand([idea, ...offline, "--json", "--session", "j"], { cwd })).out),
      );
      expect(json.announcement).toBe("Deep Interview threshold: 5% (source: default)");
    }));

  it("D4.7 leaves the question pending when the input ends, exits 4 and names the way on", () =>
    inFolder(async (cwd) => {
      const ran = await runCommand([idea, ...offline, "--session", "s"], { cwd, input: "1\n" });
      expect(ran.code).toBe(4);
      expect(ran.out).toContain("deep-interview resume --session s");
      const shown = ShowOutput.parse(parse((await runCommand(["show", "--session", "s", "--json"], { cwd })).out));
      expect(shown.rounds).toEqual([]);
      expect(shown.pending?.kind).toBe("round");
    }));

  it("goes on where it stopped: resume asks the very question that was pending", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd, input: "1\n" });
      const before = ShowOutput.parse(parse((await runCommand(["show", "--json"], { cwd })).out));
      const ran = await runCommand(["resume"], { cwd });
      expect(ran.code).toBe(4);
      expect(ran.out).toContain(before.pending?.text.split("\n")[0]?.slice(0, 40) ?? "?");
      const after = ShowOutput.parse(parse((await runCommand(["show", "--json"], { cwd })).out));
      expect(after.pending).toEqual(before.pending);
    }));

  it(
    "says what is wrong with a command, where, and what would be right: exit 2, nothing on disk",
    () =>
      inFolder(async (cwd) => {
        for (const args of [
          [],
          ["--threshold", "2", idea],
          ["--threshold", "abc", idea],
          ["--quick", "--deep", idea],
          ["resum"],
          ["resume"],
          ["--type", "purple", idea],
          ["--nonsense", idea],
          ["--answers", "missing.yaml", idea],
          ["--idea-file", "missing.md"],
          ["schema", "nothing"],
          ["state", "read"],
          ["sessions", "eat"],
          [idea, "--model", "anthropic"],
        ]) {
          const ran = await runCommand(args, { cwd });
          expect({ args, code: ran.code }).toEqual({ args, code: 2 });
          expect(ran.err.trim(), args.join(" ")).not.toBe("");
          expect(ran.err, args.join(" ")).not.toContain("bug in deep-interview");
        }
        expect(await readdir(cwd)).toEqual([]);
      }),
    30_000,
  );

  it("prints errors as one JSON value with --json", () =>
    inFolder(async (cwd) => {
      const ran = await runCommand(["resume", "--json"], { cwd });
      expect(ran.code).toBe(2);
      expect(ErrorOutput.parse(parse(ran.out))).toMatchObject({ ok: false, code: "no-session" });
    }));

  it("D0.2 stops at a settings file that is no JSON, naming file and position", () =>
    inFolder(async (cwd) => {
      await mkdir(join(cwd, ".gjc"));
      await writeFile(join(cwd, ".gjc", "settings.json"), '{\n  "gjc": nope\n}');
      const ran = await runCommand([idea, ...offline], { cwd });
      expect(ran.code).toBe(2);
      expect(ran.err).toMatch(/settings\.json:2:\d+/);
    }));

  it("D0.2 passes over an invalid threshold with one notice on stderr", () =>
    inFolder(async (cwd) => {
      await mkdir(join(cwd, ".gjc"));
      await writeFile(join(cwd, ".gjc", "settings.json"), '{"gjc":{"deepInterview":{"ambiguityThreshold":"0.05"}}}');
      const ran = await runCommand([idea, ...offline], { cwd });
      expect(ran.out.split("\n")[0]).toBe("Deep Interview threshold: 5% (source: default)");
      expect(ran.err.split("\n").filter((line) => line.includes("ambiguityThreshold"))).toHaveLength(1);
    }));

  it("refuses another idea in a session that is not finished, and archives with --new", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd });
      const same = await runCommand([idea, ...offline, "--session", "s"], { cwd });
      expect(same.code).toBe(4);
      const other = await runCommand(["Build a game", ...offline, "--session", "s"], { cwd });
      expect(other.code).toBe(6);
      expect(other.err).toContain("--new");
      expect(other.err).toContain("resume");
      const fresh = await runCommand(["Build a game of chess for two", ...offline, "--session", "s", "--new"], { cwd });
      expect(fresh.code).toBe(4);
      expect(await readdir(join(cwd, ".gjc", "_session-s", "state", "archive"))).toHaveLength(1);
    }));

  it("D8.3 cancels anywhere, keeps the state, and goes on with it afterwards", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd, input: "1\n" });
      const cancelled = await runCommand(["cancel"], { cwd });
      expect(cancelled.code).toBe(0);
      const again = await runCommand(["resume", "--session", "s"], { cwd });
      expect(again.code).toBe(4);
      expect(again.out).toContain("Round 1");
    }));

  it("D0.4 changes the threshold of a resumed interview by an event only", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s", "--threshold", "0.3"], { cwd });
      await mkdir(join(cwd, ".gjc"), { recursive: true });
      await writeFile(join(cwd, ".gjc", "settings.json"), '{"gjc":{"deepInterview":{"ambiguityThreshold":0.4}}}');
      const kept = await runCommand(["resume"], { cwd });
      expect(kept.out.split("\n")[0]).toBe("Deep Interview threshold: 30% (source: flag:--threshold)");
      const changed = await runCommand(["resume", "--threshold", "0.2"], { cwd });
      expect(changed.out.split("\n")[0]).toBe("Deep Interview threshold: 20% (source: flag:--threshold)");
      const journal = await readFile(join(cwd, ".gjc", "_session-s", "state", "deep-interview-journal.jsonl"), "utf8");
      expect(journal.match(/"threshold\.changed"/g)).toHaveLength(1);
    }));

  it(
    "drives an interview through start, next and answer, any process at a time",
    () =>
      inFolder(async (cwd) => {
        const started = StepOutput.parse(
          parse((await runCommand(["start", "--json", ...offline, "--session", "t", idea], { cwd })).out),
        );
        expect(started.step).toMatchObject({ type: "ask", question: { kind: "topology", round: 0 } });
        const first = await runCommand(["next", "--session", "t"], { cwd });
        const second = await runCommand(["next", "--session", "t"], { cwd });
        expect(second.out).toBe(first.out);
        const locked = await runCommand(["answer", "--question", "q1", "--option", "Looks right (Recommended)"], {
          cwd,
        });
        const step = StepOutput.parse(parse(locked.out));
        expect(step.step).toMatchObject({ type: "ask", question: { id: "q2", kind: "round", round: 1 } });
        // The same answer again changes nothing; another one is refused; an unknown question is a usage error.
        expect((await runCommand(["answer", "--question", "q1", "--option", "right"], { cwd })).out).toBe(
          (await runCommand(["next"], { cwd })).out,
        );
        expect((await runCommand(["answer", "--question", "q1", "--option", "edit"], { cwd })).code).toBe(6);
        expect((await runCommand(["answer", "--question", "q9", "--option", "a"], { cwd })).code).toBe(2);
        // Nothing at all is no reply (D4.7).
        const nothing = await runCommand(["answer", "--question", "q2", "--text", "  "], { cwd });
        expect(StepOutput.parse(parse(nothing.out)).step).toEqual(step.step);
      }),
    30_000,
  );

  it("keeps an answer byte for byte, whatever a shell would make of it", () =>
    inFolder(async (cwd) => {
      const words = `a > b && $(rm -rf x) \`y\` "z" <<EOF 'q'\n\n${"x".repeat(3900)} never more than 7 rows`;
      await runCommand(["start", ...offline, "--session", "t", idea], { cwd });
      await runCommand(["answer", "--question", "q1", "--option", "right"], { cwd });
      await writeFile(join(cwd, "reply.json"), JSON.stringify({ answers: [{ question: "q2", text: words }] }));
      await runCommand(["answer", "--input", "@reply.json"], { cwd });
      const journal = await readFile(join(cwd, ".gjc", "_session-t", "state", "deep-interview-journal.jsonl"), "utf8");
      const received = journal
        .split("\n")
        .filter((line) => line.includes('"reply.received"'))
        .map((line) => JSON.parse(line));
      expect(received.at(-1).reply.text).toBe(words);
    }));

  it("reports an answers file's mistakes with file and line, and entries that were never used", () =>
    inFolder(async (cwd) => {
      await writeFile(join(cwd, "bad.yaml"), "version: 1\nanswers:\n  - when: { knid: topology }\n    reply: x\n");
      const bad = await runCommand([idea, ...offline, "--answers", "bad.yaml"], { cwd });
      expect(bad.code).toBe(2);
      expect(bad.err).toMatch(/bad\.yaml:3/);
      await writeFile(join(cwd, "few.yaml"), answersFile("  - when: { round: 99 }\n    reply: never\n"));
      const few = await runCommand([idea, ...offline, "--answers", "few.yaml"], { cwd });
      expect(few.code).toBe(4);
      expect(few.err).toMatch(/few\.yaml:5/);
    }));

  it("writes the spec below the gate when the question budget is used up: exit 3", () =>
    inFolder(async (cwd) => {
      await writeFile(join(cwd, "a.yaml"), answersFile("  - reply: a\n    times: always\n"));
      const ran = await runCommand([idea, ...offline, "--answers", "a.yaml", "--budget-questions", "2", "--json"], {
        cwd,
      });
      expect(ran.code).toBe(3);
      const result = RunOutput.parse(parse(ran.out));
      expect(result).toMatchObject({ status: "BELOW_THRESHOLD_EARLY_EXIT", rounds: 2 });
      expect(await readFile(join(cwd, result.spec_path ?? ""), "utf8")).toContain("Status: BELOW_THRESHOLD_EARLY_EXIT");
    }));

  it(
    "takes unanswered questions as gaps or as assumptions, never as the user's word",
    () =>
      inFolder(async (cwd) => {
        await writeFile(join(cwd, "a.yaml"), answersFile(""));
        for (const how of ["defer", "assume"]) {
          const ran = await runCommand(
            [idea, ...offline, "--session", how, "--answers", "a.yaml", "--on-unanswered", how, "--json"],
            { cwd },
          );
          expect({ how, code: ran.code }).toEqual({ how, code: 3 });
          const state = JSON.parse((await runCommand(["state", "read", "--session", how], { cwd })).out).state.state;
          expect(
            state.rounds.filter(
              (round: { answered_by: string }) => round.answered_by === "user" || round.answered_by === "script",
            ),
          ).toEqual([]);
        }
      }),
    30_000,
  );

  it("streams one object a line, first the session, last the result", () =>
    inFolder(async (cwd) => {
      const ran = await runCommand([idea, ...offline, "--output", "stream-json"], { cwd, input: "1\n" });
      const objects = ran.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(objects[0].type).toBe("session");
      expect(objects.at(-1)).toMatchObject({ type: "result", status: "PENDING" });
      expect(objects.some((object) => object.type === "question")).toBe(true);
    }));

  it("D11.3 refuses a tampered snapshot, leaves its bytes, and clears it when told to", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd, input: "1\n" });
      const file = join(cwd, ".gjc", "_session-s", "state", "deep-interview-state.json");
      const bytes = (await readFile(file, "utf8")).replace('"current_ambiguity": 1', '"current_ambiguity": 0');
      await writeFile(file, bytes);
      const ran = await runCommand(["resume", "--session", "s"], { cwd });
      expect(ran.code).toBe(6);
      expect(ran.err).toContain("deep-interview state clear --force --mode deep-interview");
      expect(await readFile(file, "utf8")).toBe(bytes);
      expect((await runCommand(["state", "doctor", "--session", "s"], { cwd })).code).toBe(6);
      expect((await runCommand(["state", "clear", "--mode", "deep-interview", "--session", "s"], { cwd })).code).toBe(
        2,
      );
      const cleared = await runCommand(["state", "clear", "--force", "--mode", "deep-interview", "--session", "s"], {
        cwd,
      });
      expect(cleared.code).toBe(0);
      expect(cleared.out).toContain("corrupt");
    }));

  it("shows sessions and the machine's health as their schemas say", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd });
      expect(
        SessionsOutput.parse(parse((await runCommand(["sessions", "--json"], { cwd })).out)).sessions,
      ).toHaveLength(1);
      expect(DoctorOutput.parse(parse((await runCommand(["doctor", "--json"], { cwd })).out)).ok).toBe(true);
      expect((await runCommand(["sessions", "rm", "s"], { cwd })).code).toBe(0);
      expect(
        SessionsOutput.parse(parse((await runCommand(["sessions", "--json"], { cwd })).out)).sessions,
      ).toHaveLength(0);
    }));

  it(
    "prints a JSON schema for everything that it prints or reads",
    () =>
      inFolder(async (cwd) => {
        for (const name of ["run", "step", "show", "sessions", "doctor", "answers", "settings"]) {
          const ran = await runCommand(["schema", name], { cwd });
          expect({ name, code: ran.code }).toEqual({ name, code: 0 });
          expect(JSON.parse(ran.out)).toHaveProperty("$schema");
        }
      }),
    30_000,
  );

  it(
    "shows one example on every command's help, and it is a command that exists",
    () =>
      inFolder(async (cwd) => {
        for (const name of [
          "",
          "run",
          "resume",
          "cancel",
          "start",
          "next",
          "answer",
          "show",
          "sessions",
          "state",
          "schema",
          "doctor",
        ]) {
          const ran = await runCommand([...(name === "" ? [] : [name]), "--help"], { cwd });
          expect({ name, code: ran.code }).toEqual({ name, code: 0 });
          expect(ran.out).toMatch(/\$ deep-interview /);
        }
      }),
    30_000,
  );

  it("uses no escape code off a terminal", () =>
    inFolder(async (cwd) => {
      const ran = await runCommand([`${idea} \u001b[31mred\u001b[0m`, ...offline], { cwd, input: "1\na\n" });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
      expect(ran.out).not.toMatch(/\u001b/);
    }));

  it(
    "D8.2 comes to the same end after kill -9 in the middle of it, with nothing asked twice",
    () =>
      inFolder(async (cwd) => {
        const example = join(root, "examples", "intake-pipeline");
        const answers = ["--answers", join(example, "answers.yaml")];
        const start = ["run", ...offline, "--threshold", "0.2", "--idea-file", join(example, "idea.md"), ...answers];
        const whole = await runCommand([...start, "--session", "whole"], { cwd });
        expect(whole.code).toBe(0);
        expect((await runCommand([...start, "--session", "cut"], { cwd, killAt: "Round 3 |" })).code).toBe(null);
        for (const killAt of ["Round 6 |", "Round 10 complete", "Round 13 |"]) {
          await runCommand(["resume", "--session", "cut", ...answers], { cwd, killAt });
        }
        expect((await runCommand(["resume", "--session", "cut", ...answers], { cwd })).code).toBe(0);
        const read = async (session: string) => {
          const { out } = await runCommand(["show", "--session", session, "--json"], { cwd });
          const { session_id, interview_id, spec_path, ...rest } = ShowOutput.parse(parse(out));
          return rest;
        };
        expect(await read("cut")).toEqual(await read("whole"));
        const journal = await readFile(
          join(cwd, ".gjc", "_session-cut", "state", "deep-interview-journal.jsonl"),
          "utf8",
        );
        const asked = journal
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
          .filter((event) => event.type === "question.asked");
        expect(new Set(asked.map((event) => event.question.id)).size).toBe(asked.length);
      }),
    60_000,
  );

  it(
    "refuses a command's name behind a flag and names the order, instead of interviewing about it",
    () =>
      inFolder(async (cwd) => {
        for (const args of [
          ["--json", "sessions"],
          ["--cwd", ".", "show"],
          [...offline, "run", idea],
          ["run", "start"],
        ]) {
          const ran = await runCommand(args, { cwd });
          expect({ args, code: ran.code }).toEqual({ args, code: 2 });
          expect(ran.out + ran.err).toContain("a command stands before its flags");
          expect(ran.out + ran.err).not.toContain("Did you mean");
        }
        expect(await readdir(cwd)).toEqual([]);
      }),
    30_000,
  );

  it(
    "refuses flags whose values cannot be right: exit 2, nothing on disk",
    () =>
      inFolder(async (cwd) => {
        for (const [args, said] of [
          [["--prompts", "missing", idea], "no such folder"],
          [["--cwd", "missing", idea], "no such folder"],
          [["--language", "not a tag", idea], "language tag"],
          [["--session", "a", "--session", "b", idea], "given twice"],
          [["-build something"], "Put -- before"],
          [["state", "foo"], 'knows no "foo"'],
          [["answer", "--input", "@missing"], "does not exist"],
          [["answer", "--as", "bogus"], "opt-out"],
        ] as const) {
          const ran = await runCommand(args, { cwd });
          expect({ args, code: ran.code }).toEqual({ args, code: 2 });
          expect(ran.out + ran.err).toContain(said);
          expect(ran.err).not.toContain("error: ");
        }
        expect(await readdir(cwd)).toEqual([]);
      }),
    30_000,
  );

  it("takes an idea behind --, and --debug on every command", () =>
    inFolder(async (cwd) => {
      expect((await runCommand([...offline, "--", `-${idea}`], { cwd })).code).toBe(4);
      expect((await runCommand(["sessions", "--debug"], { cwd })).code).toBe(0);
    }));

  it("prints an error of the command line itself once, as JSON and last in a stream", () =>
    inFolder(async (cwd) => {
      const json = await runCommand(["resume", "--json", "--nonsense"], { cwd });
      expect(json.err).toBe("");
      expect(ErrorOutput.parse(parse(json.out)).message).toBe("unknown option '--nonsense'");
      const stream = await runCommand(["resume", "--output", "stream-json"], { cwd });
      expect(parse(stream.out)).toMatchObject({ type: "result", ok: false, code: "no-session" });
    }));

  it(
    "lets no session id move the cursor or end a line",
    () =>
      inFolder(async (cwd) => {
        const id = "e\u001b[31m\nx";
        for (const args of [[...offline, "--session", id, idea], ["sessions"], ["show"], ["cancel"], ["resume"]]) {
          const ran = await runCommand(args, { cwd });
          // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
          expect(ran.out + ran.err).not.toMatch(/\u001b|\nx/);
        }
      }),
    30_000,
  );

  it("says what became of a session: cancelled, cleared, pending approval", () =>
    inFolder(async (cwd) => {
      await writeFile(join(cwd, "a.yaml"), answersFile("  - reply: a\n    times: always\n"));
      const answers = ["--answers", "a.yaml", "--budget-questions", "1"];
      await runCommand([idea, ...offline, "--session", "pending", ...answers], { cwd });
      for (const session of ["cancelled", "cleared"])
        await runCommand([idea, ...offline, "--session", session], { cwd });
      await runCommand(["cancel", "--session", "cancelled"], { cwd });
      await runCommand(["state", "clear", "--force", "--session", "cleared"], { cwd });
      const { sessions } = SessionsOutput.parse(parse((await runCommand(["sessions", "--json"], { cwd })).out));
      expect(Object.fromEntries(sessions.map((one) => [one.session_id, one.stage]))).toEqual({
        pending: "pending approval",
        cancelled: "cancelled",
        cleared: "cleared",
      });
      const again = await runCommand(["resume", "--session", "pending"], { cwd });
      expect(again.out).toContain("Spec");
    }));

  it("names a damaged session instead of finding none, in resume, cancel and doctor: exit 6", () =>
    inFolder(async (cwd) => {
      await runCommand([idea, ...offline, "--session", "s"], { cwd });
      await writeFile(join(cwd, ".gjc", "_session-s", "state", "deep-interview-state.json"), "{");
      for (const command of ["resume", "cancel", "doctor"]) {
        const ran = await runCommand([command], { cwd });
        expect({ command, code: ran.code }).toEqual({ command, code: 6 });
        expect(ran.out + ran.err).toContain("state doctor --mode deep-interview --session s");
      }
    }));

  it("does not call a .gjc that is no folder an empty one; a bad settings file is one check among others", () =>
    inFolder(async (cwd) => {
      await writeFile(join(cwd, ".gjc"), "x");
      expect((await runCommand(["sessions"], { cwd })).code).toBe(6);
      expect((await runCommand(["doctor"], { cwd })).code).toBe(6);
      await rm(join(cwd, ".gjc"));
      await mkdir(join(cwd, ".gjc"));
      await writeFile(join(cwd, ".gjc", "settings.json"), "{");
      const ran = await runCommand(["doctor", "--json"], { cwd });
      expect(ran.code).toBe(2);
      const { checks } = DoctorOutput.parse(parse(ran.out));
      expect(checks.filter((check) => check.status === "problem").map((check) => check.name)).toEqual(["settings"]);
      expect(checks.some((check) => check.name === "node")).toBe(true);
    }));

  it("D0.4 says a changed threshold once, and keeps progress off a pipe", () =>
    inFolder(async (cwd) => {
      const ran = await runCommand([idea, ...offline, "--session", "s"], { cwd });
      expect(ran.out).not.toContain("…  ");
      expect(ran.out).not.toMatch(/^… /m);
      expect(ran.err).toMatch(/^… /m);
      const changed = await runCommand(["resume", "--threshold", "0.2"], { cwd });
      expect(changed.out.match(/Deep Interview threshold/g)).toHaveLength(1);
    }));

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 143],
    ["SIGINT", 130],
  ] as const)(
    "D8.2 a turn that is stopped by %s prints one error with the way on, and frees the claim",
    (signal, code) =>
      inFolder(async (cwd) => {
        const server = createServer(() => child.kill(signal));
        await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
        const address = server.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        const env = { PATH: process.env["PATH"], HOME: join(cwd, "home"), ANTHROPIC_API_KEY: "test-key" };
        const child = spawn(process.execPath, [main, "start", "--session", "t", "--model", "anthropic", idea], {
          cwd,
          env: { ...env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
          stdio: ["ignore", "pipe", "inherit"],
        });
        let out = "";
        child.stdout.on("data", (data: Buffer) => {
          out += data.toString("utf8");
        });
        const ended = await new Promise((closed) => child.on("close", closed));
        server.closeAllConnections();
        server.close();
        expect(ended).toBe(code);
        expect(ErrorOutput.parse(parse(out)).next).toContain("deep-interview next --session t");
        expect(
          StepOutput.parse(parse((await runCommand(["next", "--session", "t", ...offline], { cwd })).out)).step.type,
        ).toBe("ask");
      }),
  );

  it.each([
    [401, "ANTHROPIC_API_KEY"],
    [404, "--model"],
  ])("says what to check when the provider answers %i, and how to go on: exit 5", (status, said) =>
    inFolder(async (cwd) => {
      const server = createServer((_, response) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end('{"type":"error","error":{"type":"some_error","message":"no"}}');
      });
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const env = { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
      const ran = await runCommand(["start", "--session", "t", "--model", "anthropic", idea], { cwd, env });
      server.close();
      expect(ran.code).toBe(5);
      expect(ErrorOutput.parse(parse(ran.out)).next).toContain(said);
      expect(ran.out).toContain("deep-interview next --session t");
    }),
  );
});
