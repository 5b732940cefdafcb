/**
 * The sentences that the model layer itself sends, all of them rendered from prompt files: the repair turn, the plainer
 * forms of asking for JSON. The last line of whatever a model reads last is `task: NAME`, repairs included.
 */
import type { Fault, Task } from "../core/machine.ts";
import type { Prompts, RenderedPrompt } from "../ports.ts";
import { REPLY_TOOL } from "./request.ts";
import { reasonOf } from "./secrets.ts";

/** Prompt files, by the name in their front matter. */
export const REPAIR_PROMPT = "repair";
export const FORM_PROMPT = "reply-form";
const MAX_FAULTS = 20;

/** The repair turn: at most 20 faults, each with its place and what would be right. */
export async function renderRepair(prompts: Prompts, task: Task, faults: readonly Fault[]): Promise<string> {
  const listed = faults.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path, message: reasonOf(message) }));
  const input = { task: task.name, faults: listed, more: faults.length - listed.length };
  return withTaskLine(await renderAlone(prompts, task, REPAIR_PROMPT, input), task.name);
}

/** How to reply when no schema does it: by the tool, or in words with the JSON schema. */
export async function renderForm(prompts: Prompts, task: Task, form: "tool" | "json", schema: string): Promise<string> {
  const text = await renderAlone(prompts, task, FORM_PROMPT, { is_tool: form === "tool", tool: REPLY_TOOL, schema });
  // It goes into the system prompt, which is the same for every task.
  return text.replace(/\s*^task: \S+$\s*$/m, "");
}

/** The prompt with `task: NAME` as its last line. */
export function endWithTask(prompt: RenderedPrompt, name: string): RenderedPrompt {
  const last = prompt.blocks.at(-1);
  if (last === undefined) return { ...prompt, blocks: [{ text: withTaskLine("", name), cache: false }] };
  return { ...prompt, blocks: [...prompt.blocks.slice(0, -1), { ...last, text: withTaskLine(last.text, name) }] };
}

function withTaskLine(text: string, name: string): string {
  const line = `task: ${name}`;
  const body = text.trimEnd();
  if (body === line || body.endsWith(`\n${line}`)) return body;
  return body === "" ? line : `${body}\n\n${line}`;
}

async function renderAlone(
  prompts: Prompts,
  task: Task,
  prompt: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const rendered = await prompts.render({ ...task, prompt, prefix: null, input });
  return rendered.blocks
    .map((block) => block.text)
    .join("\n\n")
    .trim();
}
