import { describe, expect, it } from "vitest";
import { DeepEvent } from "../../src/core/deep/events.ts";
import type { StartRequest } from "../../src/core/deep/start.ts";
import { defaultLimits } from "../../src/core/settings.ts";
import { begin } from "../../src/run/begin.ts";
import { openInterview } from "../../src/run/interview.ts";
import { createClock, createMemoryStore, languages, machine, sha256 } from "../scenarios/world.ts";

const config = { languages, sha256 };

function requestFor(idea: string, interviewId = "i1"): StartRequest {
  return {
    interviewId,
    sessionId: "s1",
    idea,
    threshold: 0.2,
    thresholdSource: "default",
    limits: defaultLimits,
    model: "scripted",
    type: "auto",
    language: null,
    signals: { source: false, packages: false, git: false },
    names: new Set(),
    researchSetup: false,
    deliberate: false,
    scripted: false,
    notices: [],
  };
}

/** A session's store, and beginning in it as one process after another does. */
function createSession() {
  const store = createMemoryStore();
  const clock = createClock();
  const archived: string[] = [];
  const order: string[] = [];
  const open = () => openInterview({ machine, store, clock, parse: (line) => DeepEvent.parse(line) });
  const start = async (request: StartRequest, isNew = false) => {
    const begun = await begin({
      config,
      store: {
        ...store,
        putBlob: async (text) => {
          order.push(`blob after ${store.lines.length} events`);
          return store.putBlob(text);
        },
      },
      request,
      isNew,
      archive: async (interviewId) => {
        archived.push(interviewId);
        store.lines.splice(0);
      },
      open,
    });
    await begun.interview.flush();
    return begun;
  };
  const close = async (how: "cancelled" | "pending-approval") => {
    const interview = await open();
    interview.push([{ type: "interview.closed", how }]);
    await interview.flush();
  };
  return { store, archived, order, start, close };
}

describe("beginning in a session", () => {
  it("D0.4 D1.4 begins with one event that holds threshold, source, limits and idea", async () => {
    const { store, start } = createSession();
    const { isNew, interview } = await start(requestFor("A tool"));
    expect(isNew).toBe(true);
    expect(store.lines).toMatchObject([
      { type: "interview.started", idea: "A tool", threshold: 0.2, threshold_source: "default", limits: defaultLimits },
    ]);
    expect(interview.state().initial_idea).toBe("A tool");
  });

  it("D8.2 gives the unfinished interview about the same idea again, and records nothing", async () => {
    const { store, archived, start } = createSession();
    await start(requestFor("A tool"));
    const { isNew, interview } = await start(requestFor("A tool", "i2"));
    expect(isNew).toBe(false);
    expect(interview.state().interview_id).toBe("i1");
    expect([store.lines.length, archived]).toEqual([1, []]);
  });

  it("refuses another idea while one is unfinished, and names both ways out", async () => {
    const { store, archived, start } = createSession();
    await start(requestFor("A tool"));
    await expect(start(requestFor("A game", "i2"))).rejects.toMatchObject({
      code: "session-busy",
      exitCode: 6,
      next: expect.stringMatching(/resume --session s1.*--new/s),
    });
    expect([store.lines.length, archived]).toEqual([1, []]);
  });

  it.each(["A tool", "A game"])("puts the unfinished one aside when told to begin anew: %s", async (idea) => {
    const { store, archived, start } = createSession();
    await start(requestFor("A tool"));
    const { isNew } = await start(requestFor(idea, "i2"), true);
    expect(isNew).toBe(true);
    expect(archived).toEqual(["i1"]);
    expect(store.lines).toMatchObject([{ type: "interview.started", interview_id: "i2", idea }]);
  });

  it.each([
    ["cancelled", "A tool"],
    ["cancelled", "A game"],
    ["pending-approval", "A tool"],
  ] as const)("puts a finished one (%s) aside by itself, also for the same idea: %s", async (how, idea) => {
    const { archived, start, close } = createSession();
    await start(requestFor("A tool"));
    await close(how);
    const { isNew, interview } = await start(requestFor(idea, "i2"));
    expect(isNew).toBe(true);
    expect(archived).toEqual(["i1"]);
    expect(interview.state().interview_id).toBe("i2");
  });

  it("D1.3 keeps the words of an oversized idea before any event names them, and knows them again by their hash", async () => {
    const { store, order, start } = createSession();
    const idea = `${"Many words. ".repeat(1000)}The end.`;
    await start(requestFor(idea));
    expect(order).toEqual(["blob after 0 events"]);
    expect(store.blobs.get(sha256(idea))).toBe(idea);
    expect((await start(requestFor(idea, "i2"))).isNew).toBe(false);
    await expect(start(requestFor(`${idea} Or not.`, "i3"))).rejects.toMatchObject({ code: "session-busy" });
  });

  it("D1.3 keeps no blob of an idea that stands in every prompt", async () => {
    const { store, order, start } = createSession();
    await start(requestFor("A tool"));
    expect([order, store.blobs.size]).toEqual([[], 0]);
  });
});
