/**
 * What a task's reply has to look like: the schema that travels to the endpoint, and the value that comes out of it.
 * Tasks that read one cached prefix travel in one shared envelope, since a schema that changes throws the cache away.
 */
import type * as z from "zod";
import { replies as deepReplies, SharedReply, shared } from "../core/deep/tasks.ts";
import type { Fault } from "../core/machine.ts";

export interface Contract {
  readonly task: string;
  /** What the endpoint is given. */
  readonly wire: z.ZodType;
  /** Where the reply stands in what travels, as the paths of faults begin: "" or "reply". */
  readonly root: string;
  /** The reply's value without its envelope, or what does not fit. */
  fit(
    value: unknown,
  ): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly faults: Fault[] };
}

/** Finds a task's contract. Throws for a name that no interview has: that is a bug. */
export type Contracts = (task: string) => Contract;

export interface ContractTable {
  readonly replies: Readonly<Record<string, z.ZodType>>;
  /** Names of the tasks that travel in the envelope `{"reply": …}`. */
  readonly shared: ReadonlySet<string>;
  readonly envelope: z.ZodType;
}

const deepTable: ContractTable = { replies: deepReplies, shared, envelope: SharedReply };

/** The one key of the envelope. */
const ENVELOPE = "reply";

/** The contracts of several interview kinds as one; a name that stands in two tables is the first one's. */
export function createContracts(...tables: readonly ContractTable[]): Contracts {
  const byTask = new Map<string, Contract>();
  for (const table of tables) {
    for (const [task, schema] of Object.entries(table.replies)) {
      if (byTask.has(task)) continue;
      byTask.set(task, table.shared.has(task) ? enveloped(task, schema, table.envelope) : plain(task, schema));
    }
  }
  return (task) => {
    const contract = byTask.get(task);
    if (contract === undefined) throw new Error(`no reply schema for the task ${task}`);
    return contract;
  };
}

/** The deep interview's own tasks. */
export const deepContracts: Contracts = createContracts(deepTable);

function plain(task: string, schema: z.ZodType): Contract {
  return { task, wire: schema, root: "", fit: (value) => parse(schema, value) };
}

function enveloped(task: string, schema: z.ZodType, envelope: z.ZodType): Contract {
  return {
    task,
    wire: envelope,
    root: ENVELOPE,
    fit(value) {
      const bare = parse(schema, value);
      // An endpoint that was asked in words may leave the envelope out; what is inside is what counts.
      if (bare.ok) return bare;
      const wrapped = parse(envelope, value);
      if (!wrapped.ok) return wrapped;
      const inner = parse(schema, property(wrapped.value, ENVELOPE));
      const got = property(property(wrapped.value, ENVELOPE), "task");
      return inner.ok || got === task
        ? inner
        : { ok: false, faults: [reject(`${ENVELOPE}.task`, `this is a reply to ${String(got)}, not to ${task}`)] };
    },
  };
}

type Fit = ReturnType<Contract["fit"]>;

function parse(schema: z.ZodType, value: unknown): Fit {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.map((issue) => reject(pathOf(issue.path), issue.message)) };
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function reject(path: string, message: string): Fault {
  return { path, message, severity: "reject" };
}
