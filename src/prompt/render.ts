/**
 * Renders tasks as the cache reads them (model.md, prompt layout): the contract as system, the stable part of the
 * interview, one block a round, then the task's own text, whose last line names it. Equal input gives equal bytes.
 */
import type { Document, Task } from "../core/machine.ts";
import type { Prompts, RenderedPrompt } from "../ports.ts";
import { compact, fitInputs, fitText, rawTextTokens } from "./budget.ts";
import type { Catalog } from "./catalog.ts";
import type { PromptFile, Values } from "./template.ts";

export interface PromptsOptions {
  readonly catalog: Catalog;
  /** D1.3: the text behind a hash; only the summarise task asks for it. */
  readonly getBlob: (sha256: string) => Promise<string>;
  /** For a task's own text, in tokens of four characters. */
  readonly promptBudgetTokens: number;
}

type Block = RenderedPrompt["blocks"][number];

export function createPrompts(options: PromptsOptions): Prompts {
  const { catalog } = options;
  return {
    async render(task) {
      const file = await catalog.find(task.prompt);
      const contract = await catalog.find("_contract");
      return {
        system: contract.render({}).trim(),
        blocks: [
          ...(await prefixBlocks(catalog, task, file)),
          { text: await ownText(options, task, file), cache: false },
        ],
      };
    },
    async document(document: Document) {
      const file = await catalog.find(document.template);
      return `${file.render(document.view).trimEnd()}\n`;
    },
  };
}

/** At most two breakpoints: after the stable part and after the last round. */
async function prefixBlocks(catalog: Catalog, task: Task, file: PromptFile): Promise<Block[]> {
  if (task.prefix === null) return [];
  const { stable, rounds } = task.prefix;
  const prefix = await catalog.find(file.prefix);
  const round = await catalog.find("_round");
  const last = rounds.length - 1;
  return [
    { text: prefix.render(stable).trimEnd(), cache: file.cache },
    ...rounds.map((record, index) => ({
      text: round.render({ record }).trimEnd(),
      cache: file.cache && index === last,
    })),
  ];
}

async function ownText(options: PromptsOptions, task: Task, file: PromptFile): Promise<string> {
  const { values, isCut } = await valuesOf(options, task, file);
  const { text, shortened } = isCut
    ? { text: file.render(values), shortened: ["text"] }
    : fitInputs(values, options.promptBudgetTokens, (smaller) => file.render(smaller));
  const note = shortened.length === 0 ? "" : (await options.catalog.find("_shortened")).render({ shortened }).trim();
  return `${text.trim()}${note === "" ? "" : `\n\n${note}`}\n\ntask: ${task.name}`;
}

/** The task's input; the summarise task's raw text comes by its hash and has a budget of its own. */
async function valuesOf(
  { getBlob }: PromptsOptions,
  task: Task,
  file: PromptFile,
): Promise<{ values: Values; isCut: boolean }> {
  const hash = task.input["text_sha256"];
  if (!file.inputs.includes("text") || typeof hash !== "string") return { values: compact(task.input), isCut: false };
  const { text, isCut } = fitText(await getBlob(hash), rawTextTokens);
  return { values: { ...task.input, text }, isCut };
}
