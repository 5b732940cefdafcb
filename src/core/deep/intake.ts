/**
 * Before the first round: summarise an oversized idea (D1.3), look into the project (D1.2), enumerate the topology and
 * have it confirmed (D2). Each returns the step that is due, or null when it is done.
 */
import { awaitTask } from "./await.ts";
import { checkContext, fallbackContext } from "./brownfield.ts";
import { splitClauses } from "./clauses.ts";
import type { DeepEvent } from "./events.ts";
import { commonOf, contextOf, createTask } from "./inputs.ts";
import { languageFrom } from "./language.ts";
import { type Config, phrasesOf, translatable } from "./phrase.ts";
import { topologyQuestion } from "./questions.ts";
import type { DeepState } from "./schema.ts";
import { type DeepStep, record, run } from "./step.ts";
import type { TaskReply } from "./tasks.ts";
import { componentsFrom, createComponent } from "./topology.ts";

/** D1.3: above this many characters an idea is summarised; a quarter of the prompt budget, four characters a token. */
export function maxIdeaChars(promptBudgetTokens: number): number {
  return promptBudgetTokens;
}

function summarise(state: DeepState): DeepStep | null {
  if (state.idea_sha256 === null || state.initial_context_summary !== null) return null;
  const max = maxIdeaChars(state.limits.promptBudgetTokens);
  const input = { ...commonOf(state), text_sha256: state.idea_sha256, max_chars: max };
  const waited = awaitTask(state, "summarise", createTask(state, "summarise", "summarise-1", input));
  if (waited.status === "run") return run(waited.task);
  // On a failure the head and tail that the first event kept stand for the idea.
  if (waited.status === "failed") return record({ type: "idea.summarised", summary: state.initial_idea, failed: true });
  return record({ type: "idea.summarised", summary: joinSummary(waited.value).slice(0, max * 2), failed: false });
}

function joinSummary(reply: TaskReply<"summarise">): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join("\n")}`];
  return [
    reply.summary,
    ...list("Decisions", reply.decisions),
    ...list("Constraints", reply.constraints),
    ...list("Non-goals", reply.non_goals),
    ...list("Unknowns", reply.unknowns),
    ...list("Cited", reply.citations),
  ].join("\n\n");
}

/** D1.2: the codebase context of a brownfield interview, built before round 1. */
export function lookIntoProject(state: DeepState): DeepStep | null {
  if (state.type !== "brownfield" || state.codebase_context !== null) return null;
  const { scan } = state;
  if (scan === null) return { type: "scan", idea: state.initial_idea };
  const input = {
    ...commonOf(state),
    idea: state.initial_idea,
    files: scan.files.map(({ path, symbols }) => ({ path, symbols })),
    excerpts: scan.excerpts,
    earlier: scan.earlier,
  };
  const waited = awaitTask(state, "explore", createTask(state, "explore", "explore-1", input));
  if (waited.status === "run") return run(waited.task);
  const { context, dropped } =
    waited.status === "done" ? checkContext(waited.value, scan) : { context: fallbackContext(scan), dropped: 0 };
  return record({ type: "context.explored", context, dropped });
}

export function nextIntake(config: Config, state: DeepState): DeepStep {
  return summarise(state) ?? lookIntoProject(state) ?? proposeTopology(config, state);
}

function proposeTopology(config: Config, state: DeepState): DeepStep {
  const english = config.languages.phrases["en"] ?? {};
  const known = Object.keys(config.languages.phrases);
  const requested = state.language?.tag ?? "";
  // A requested language with a file of its own needs no translation; in all other cases the model may have to supply one.
  const ships = requested !== "" && phrasesOf(config.languages, requested) !== undefined;
  const phrases = ships ? [] : translatable(english);
  const input = {
    ...commonOf(state),
    idea: state.initial_idea,
    context: contextOf(state),
    requested_language: requested,
    phrases,
    known_languages: known,
  };
  const waited = awaitTask(state, "topology", createTask(state, "topology", "topology-1", input));
  if (waited.status === "run") return run(waited.task);
  if (waited.status === "failed") return record(fallbackTopology(config, state));
  const reply = waited.value;
  return record({
    type: "topology.proposed",
    components: componentsFrom(reply),
    grouping: reply.grouping.trim() === "" ? null : reply.grouping,
    language: languageFrom(config, state.language, reply),
    project_type: revisedType(state, reply.changes_existing),
    fallback: false,
  });
}

/** D1.1: what the idea speaks of is judged again by the model, but only where there is something to change. */
function revisedType(state: DeepState, changesExisting: boolean): DeepState["type"] {
  const { source, packages, git } = state.signals;
  return !state.type_forced && changesExisting && (source || packages || git) ? "brownfield" : state.type;
}

/** The clause splitter, confirmed by the user like any topology. */
function fallbackTopology(config: Config, state: DeepState): DeepEvent {
  const split = splitClauses(state.initial_idea, config.languages.lexicons);
  const components: ReturnType<typeof createComponent>[] = [];
  for (const part of split.components) {
    const taken = components.map((item) => item.id);
    components.push(createComponent({ name: part.name, description: part.text, evidence: [part.text] }, taken));
  }
  return {
    type: "topology.proposed",
    components,
    grouping: split.grouping,
    language: state.language,
    project_type: state.type,
    fallback: true,
  };
}

/** Round 0: the question, when it is not pending. */
export function nextTopology(config: Config, state: DeepState): DeepStep {
  return record({ type: "question.asked", question: topologyQuestion(config, state), aim: null, collecting: null });
}
