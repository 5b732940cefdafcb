/**
 * A loopback endpoint with a fixed delay that answers every task of a deep interview over server-sent events, and keeps
 * the time in which at least one request was in its hands.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Loopback {
  readonly url: string;
  /** Milliseconds, since the last `reset`, in which a request was being answered. */
  busyMs(): number;
  requests(): number;
  reset(): void;
  close(): Promise<void>;
}

export async function openLoopback(delayMs: number): Promise<Loopback> {
  let open = 0;
  let since = 0;
  let busy = 0;
  let count = 0;
  let scores = 0;
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (open === 0) since = performance.now();
      open += 1;
      count += 1;
      const body = await readBody(request);
      const task = /task: ([a-z-]+)\s*(?:"|\\n|$)/.exec(body.slice(body.lastIndexOf("task: ")))?.[1] ?? "";
      if (task === "topology") scores = 0;
      if (task === "score") scores += 1;
      const text = JSON.stringify(replyTo(task, scores, body));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(stream(text));
      open -= 1;
      if (open === 0) busy += performance.now() - since;
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    busyMs: () => busy,
    requests: () => count,
    reset() {
      busy = 0;
      count = 0;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function stream(text: string): string {
  const event = (type: string, data: Record<string, unknown>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const usage = { input_tokens: 1000, output_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return [
    event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 200 } }),
    event("message_stop", {}),
  ].join("");
}

const draft = (score: number) => ({
  component: "tool",
  dimension: "goal",
  why: "it is the least clear",
  question: `What happens in step ${score}, exactly?`,
  options: [
    { label: "The small way", description: "as little as possible", from: "" },
    { label: "The large way", description: "everything at once", from: "" },
  ],
  recommended: "",
  research: false,
  nature: "decision",
  fact: { statement: "", path: "", symbol: "", interpreted: false },
});

/** Clarity rises by 0.03 a round: fast enough for no stall, slowly enough for twenty rounds. */
function replyTo(task: string, scores: number, body: string): unknown {
  const shared = (reply: Record<string, unknown>) => ({ reply: { task, ...reply } });
  switch (task) {
    case "topology":
      return {
        language: { tag: "en", name: "English", instruction: "Write in English." },
        phrases: [],
        changes_existing: false,
        grouping: "",
        components: [{ name: "Tool", description: "Does the work", evidence: "the idea", deliverables: [] }],
      };
    case "score":
      return shared({
        components: [
          {
            component: "tool",
            dimensions: ["goal", "constraints", "criteria"].map((dimension) => ({
              dimension,
              justification: "as it stands",
              score: Math.min(0.7, 0.05 + scores * 0.03),
              gap: "more detail",
            })),
          },
        ],
        triggers: [],
        facts: [
          {
            statement: `Step ${scores} is small`,
            component: "tool",
            dimension: "goal",
            evidence: "said",
            contradicts: "",
          },
        ],
        stands: [],
        entities: [{ name: "Tool", type: "core domain", fields: ["step"], relationships: [] }],
        draft: [draft(scores)],
      });
    case "question":
      return shared({ question: draft(scores + 1) });
    case "panel":
      return shared({
        persona: /"persona":\s*"(\w+)"/.exec(body)?.[1] ?? personaIn(body),
        finding: "an assumption is hidden here",
        reasons: ["nobody said it"],
        options: ["Say it"],
        confidence: "medium",
      });
    case "closure":
      return { ready: true, gaps: [] };
    case "restate":
      return { sentence: "The tool does its work step by step.", covers: ["tool"] };
    default:
      return {
        title: "Tool",
        goal: "The tool does its work.",
        constraints: [{ text: "Small steps", rounds: [1], sources: [], covers: [] }],
        non_goals: [],
        criteria: [{ text: "Every step is visible", rounds: [1], sources: [], covers: ["tool"] }],
        assumptions: [],
        technical: [],
        coverage: [{ component: "tool", note: "covered" }],
      };
  }
}

/** The lens that the last block of a panel prompt is about. */
function personaIn(body: string): string {
  const tail = body.slice(-6000);
  return ["researcher", "contrarian", "simplifier", "architect"].find((name) => tail.includes(name)) ?? "researcher";
}
