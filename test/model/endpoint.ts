/** The Messages API as msw answers for it: one handler a step, in their order, and every request kept. */
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

export const ENDPOINT = "https://api.anthropic.com";
export const KEY = "sk-ant-api03-abcdefghijklmnop";

export interface Seen {
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}
export type Respond = (request: Request) => Response | Promise<Response>;

/** `answer` sets the steps; a request that no step is for is answered 418, which no test takes for an answer. */
export function createEndpoint(base = ENDPOINT) {
  let steps: Respond[] = [];
  const seen: Seen[] = [];
  const server = setupServer(
    http.post(`${base}/v1/messages`, async ({ request }) => {
      const body = (await request.clone().json()) as Record<string, unknown>;
      seen.push({ body, headers: request.headers, signal: request.signal });
      const step = steps.shift();
      return step === undefined ? new HttpResponse("nobody expected this request", { status: 418 }) : step(request);
    }),
  );
  let patched: typeof fetch | null = null;
  return {
    seen,
    listen() {
      server.listen({ onUnhandledRequest: "error" });
      // msw keeps a copy of each body, and a copied stream that nobody reads cannot be cancelled; a pipe can.
      const intercepted = globalThis.fetch;
      patched = intercepted;
      globalThis.fetch = async (input, init) => {
        const response = await intercepted(input, init);
        return new Response(response.body?.pipeThrough(new TransformStream()) ?? null, response);
      };
    },
    close() {
      if (patched !== null) globalThis.fetch = patched;
      server.close();
    },
    answer(...next: Respond[]) {
      steps = next;
      seen.length = 0;
    },
    unused: () => steps.length,
  };
}

export interface Said {
  readonly text?: string;
  readonly tool?: { readonly name: string; readonly json: string };
  readonly stop?: string;
  readonly model?: string;
  readonly usage?: Record<string, unknown>;
}

const counted = {
  input_tokens: 100,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 200,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 200 },
};

export function eventsOf(said: Said): object[] {
  const { text, tool, stop = tool === undefined ? "end_turn" : "tool_use", model = "claude-opus-5-5" } = said;
  const usage = said.usage ?? counted;
  const start = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null };
  const pieces = (text ?? tool?.json ?? "").match(/[\s\S]{1,7}/g) ?? [];
  const block =
    tool === undefined ? { type: "text", text: "" } : { type: "tool_use", id: "t", name: tool.name, input: {} };
  const delta = (piece: string): object =>
    tool === undefined ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
  const isEmpty = text === undefined && tool === undefined;
  return [
    { type: "message_start", message: { ...start, usage: { ...usage, output_tokens: 1 } } },
    { type: "ping" },
    ...(isEmpty ? [] : [{ type: "content_block_start", index: 0, content_block: block }]),
    ...pieces.map((piece) => ({ type: "content_block_delta", index: 0, delta: delta(piece) })),
    ...(isEmpty ? [] : [{ type: "content_block_stop", index: 0 }]),
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 50 } },
    { type: "message_stop" },
  ];
}

export function sse(events: readonly object[], headers: Record<string, string> = {}): Response {
  const body = events.map(
    (event) => `event: ${"type" in event ? String(event.type) : ""}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return new HttpResponse(body.join(""), {
    headers: { "content-type": "text/event-stream", "request-id": "req_ok", ...headers },
  });
}

export const say = (said: Said | string): Respond => {
  return () => sse(eventsOf(typeof said === "string" ? { text: said } : said));
};

/** The same as one JSON body, from an endpoint that streams nothing. */
export const sayWhole = (said: Said): Respond => {
  const { text = "", stop = "end_turn", model = "claude-opus-5-5" } = said;
  const content = said.tool === undefined ? [{ type: "text", text }] : [toolUse(said.tool)];
  const usage = { ...(said.usage ?? counted), output_tokens: 50 };
  return () =>
    HttpResponse.json({ id: "m", type: "message", role: "assistant", model, content, stop_reason: stop, usage });
};

function toolUse(tool: { name: string; json: string }): object {
  return { type: "tool_use", id: "t", name: tool.name, input: JSON.parse(tool.json) };
}

export const refuse = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Respond => {
  return () =>
    HttpResponse.json(
      { type: "error", error: { type, message } },
      { status, headers: { "request-id": "req_no", ...headers } },
    );
};

/** A stream that breaks off after its first events, or tells of an error in the middle. */
export const cutStream = (said: Said, keep: number, error?: { type: string; message: string }): Respond => {
  const tail = error === undefined ? [] : [{ type: "error", error }];
  return () => sse([...eventsOf(said).slice(0, keep), ...tail]);
};

export const disconnect: Respond = () => HttpResponse.error();

/** Nothing ever comes; the request ends when its signal does. */
export const hang: Respond = (request) =>
  new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(HttpResponse.error()), { once: true });
  });
