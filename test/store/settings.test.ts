import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../src/core/layers.ts";
import { UsageError } from "../../src/errors.ts";
import { readSettings } from "../../src/store/settings.ts";
import { createPlace, write } from "./place.ts";

const own = "project/.gjc/settings.json";
const users = "home/.gjc/settings.json";

function readFrom(root: string, configDir?: string) {
  return readSettings({ projectRoot: join(root, "project"), home: join(root, "home"), configDir });
}

async function refusal(root: string, configDir?: string): Promise<UsageError> {
  const error: unknown = await readFrom(root, configDir).catch((caught: unknown) => caught);
  if (!(error instanceof UsageError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

const setting = (value: unknown) => JSON.stringify({ gjc: { deepInterview: { ambiguityThreshold: value } } });

describe("settings files", () => {
  it("D0.1 are the project's and the user's, and a missing one is no layer", async () => {
    const root = createPlace();
    expect(await readFrom(root)).toEqual({ project: null, user: null });
    write(root, own, setting(0.1));
    write(root, users, setting(0.2));
    const { project, user } = await readFrom(root);
    expect([project?.name, user?.name]).toEqual(["./.gjc/settings.json", "~/.gjc/settings.json"]);
    expect(resolveSettings({ flags: {}, project, user, preset: null }).threshold).toBe(0.1);
  });

  it("D0.1 D0.3 the user's are in $GJC_CONFIG_DIR when that is set, and only there", async () => {
    const root = createPlace();
    write(root, users, setting(0.2));
    expect((await readFrom(root, join(root, "config"))).user).toBeNull();
    expect((await readFrom(root, "")).user?.name).toBe("~/.gjc/settings.json");
    write(root, "config/settings.json", setting(0.3));
    const { user } = await readFrom(root, join(root, "config"));
    const resolved = resolveSettings({ flags: {}, project: null, user, preset: null });
    expect([resolved.threshold, resolved.thresholdSource]).toEqual([0.3, "$GJC_CONFIG_DIR/settings.json"]);
  });

  it("are read once where project and home are one folder", async () => {
    const root = createPlace();
    write(root, users, setting("0.05"));
    const both = await readSettings({
      projectRoot: join(root, "home"),
      home: join(root, "home"),
      configDir: undefined,
    });
    expect([both.project?.name, both.user]).toEqual(["./.gjc/settings.json", null]);
    expect(resolveSettings({ flags: {}, ...both, preset: null }).notices).toHaveLength(1);
  });

  it("may begin with a byte order mark", async () => {
    const root = createPlace();
    write(root, own, `\uFEFF${setting(0.1)}`);
    expect((await readFrom(root)).project?.value).toEqual({ gjc: { deepInterview: { ambiguityThreshold: 0.1 } } });
  });
});

describe("the threshold in two files", () => {
  const kinds = { absent: null, valid: 0.1, text: "0.05", zero: 0, high: 1.5, null: null, broken: null } as const;
  type Kind = keyof typeof kinds;
  const names = ["absent", "valid", "text", "zero", "high", "null", "broken"] as const;
  const contentFor = (kind: Kind) => (kind === "broken" ? '{"gjc": ' : setting(kinds[kind]));

  it.each(names.flatMap((project) => names.map((user) => [project, user] as const)))(
    "D0.1 D0.2 D0.3 project %s, user %s: the first valid value with its source, or a stop",
    async (project, user) => {
      const root = createPlace();
      if (project !== "absent") write(root, own, contentFor(project));
      if (user !== "absent") write(root, users, contentFor(user));
      if (project === "broken" || user === "broken") {
        expect((await refusal(root)).message).toContain(project === "broken" ? "./.gjc/" : "~/.gjc/");
        return;
      }
      const resolved = resolveSettings({ flags: {}, ...(await readFrom(root)), preset: null });
      const [value, source] =
        project === "valid"
          ? [0.1, "./.gjc/settings.json"]
          : user === "valid"
            ? [0.1, "~/.gjc/settings.json"]
            : [0.05, "default"];
      expect([resolved.threshold, resolved.thresholdSource]).toEqual([value, source]);
      const isPassed = (kind: Kind) => kind !== "absent" && kind !== "valid";
      const passed = [isPassed(project), project !== "valid" && isPassed(user)].filter(Boolean);
      expect(resolved.notices).toHaveLength(passed.length);
    },
  );
});

describe("D0.2 a settings file that cannot be used stops the run", () => {
  it.each([
    ["", "1:1", "empty"],
    ["   \n", "2:1", "empty"],
    ['{\n  "gjc": {,}\n}', "2:11", "no JSON"],
    ['{"gjc": {"a": 1', "1:16", "no JSON"],
    ["{'gjc': 1}", "1:2", "no JSON"],
    ['{"한국": tru}', "1:8", "no JSON"],
    ['{"a": 1}\n// more', "2:1", "no JSON"],
    ["[]", "1:1", "JSON object"],
    ["null", "1:1", "JSON object"],
    ['"text"', "1:1", "JSON object"],
  ])("D0.2 %j at line and column %s", async (text, position, reason) => {
    for (const path of [own, users]) {
      const root = createPlace();
      write(root, path, text);
      const error = await refusal(root);
      expect(error).toMatchObject({ code: "settings-syntax", exitCode: 2, next: expect.stringMatching(/\w/) });
      expect(error.message).toContain(`${path === own ? "./.gjc" : "~/.gjc"}/settings.json:${position}: `);
      expect(error.message).toContain(reason);
    }
  });

  it("D0.2 names the real path where the name does not tell it", async () => {
    const root = createPlace();
    write(root, "config/settings.json", "{");
    expect((await refusal(root, join(root, "config"))).message).toContain(
      `$GJC_CONFIG_DIR/settings.json (${join(root, "config", "settings.json")}):1:2: `,
    );
  });

  it("D0.2 when its bytes are no UTF-8", async () => {
    const root = createPlace();
    write(root, own, Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xff]), Buffer.from('"}')]));
    expect((await refusal(root)).message).toContain(":1:8: this is no UTF-8");
  });

  it("D0.2 when it is a folder, a device, a loop of links, or huge", async () => {
    const cases: ((root: string) => void)[] = [
      (root) => mkdirSync(join(root, own), { recursive: true }),
      (root) => {
        write(root, "project/.gjc/x", "");
        symlinkSync("/dev/zero", join(root, own));
      },
      (root) => {
        write(root, "project/.gjc/x", "");
        symlinkSync("settings.json", join(root, own));
      },
      (root) => write(root, own, `{"a": "${"x".repeat(1024 * 1024)}"}`),
    ];
    for (const make of cases) {
      const root = createPlace();
      make(root);
      expect(await refusal(root)).toMatchObject({ code: "settings-unreadable", exitCode: 2 });
    }
  });
});
