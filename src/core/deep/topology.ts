/**
 * D2.1-D2.3, D2.6: making components of what was enumerated, and applying the user's edits to them. An edit that names
 * nothing known, or that would leave no active component, is refused and changes nothing.
 */
import { fold } from "../text.ts";
import { noScores } from "./state.ts";
import type { TaskReply } from "./tasks.ts";
import type { Component, TopologyEdit } from "./vocabulary.ts";

export const maxComponents = 6;

/** An id from a name, in any script: letters and digits, the rest as single hyphens; unique among `taken`. */
export function componentId(name: string, taken: readonly string[]): string {
  const base =
    name
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 48) || "component";
  if (!taken.includes(base)) return base;
  let n = 2;
  while (taken.includes(`${base}-${n}`)) n += 1;
  return `${base}-${n}`;
}

export interface NewComponent {
  readonly name: string;
  readonly description: string;
  readonly evidence?: readonly string[];
  readonly deliverables?: readonly string[];
  readonly status?: Component["status"];
  readonly joinedRound?: number | null;
}

export function createComponent(parts: NewComponent, taken: readonly string[]): Component {
  return {
    id: componentId(parts.name, taken),
    name: parts.name.trim(),
    description: parts.description.trim(),
    status: parts.status ?? "active",
    evidence: [...(parts.evidence ?? [])],
    deliverables: [...(parts.deliverables ?? [])],
    clarity_scores: noScores,
    gaps: { goal: "", constraints: "", criteria: "", context: "" },
    weakest_dimension: null,
    joined_round: parts.joinedRound ?? null,
  };
}

export function componentsFrom(reply: TaskReply<"topology">): Component[] {
  const made: Component[] = [];
  for (const item of reply.components) {
    const evidence = item.evidence.trim() === "" ? [] : [item.evidence];
    made.push(
      createComponent(
        { name: item.name, description: item.description, evidence, deliverables: item.deliverables },
        made.map((component) => component.id),
      ),
    );
  }
  return made;
}

/** A component by id, by name in any case, or by its number in the list as it was shown. */
export function resolveComponent(components: readonly Component[], name: string): Component | undefined {
  const wanted = fold(name);
  const byNumber = /^\d+$/.test(wanted) ? components[Number(wanted) - 1] : undefined;
  return (
    components.find((item) => item.id === name.trim()) ??
    components.find((item) => fold(item.name) === wanted) ??
    byNumber
  );
}

/** A deferral before its time is known. */
export interface NewDeferral {
  readonly component_id: string;
  readonly reason: string;
}

export type Edited =
  | { readonly ok: true; readonly components: Component[]; readonly deferrals: NewDeferral[] }
  | { readonly ok: false; readonly why: "unclear-edit" | "no-active-component"; readonly name: string };

/** Applies edits in order; numbers and names mean the components as they were shown, before the first edit. */
export function applyEdits(shown: readonly Component[], edits: readonly TopologyEdit[], round: number | null): Edited {
  let components = [...shown];
  const deferrals: NewDeferral[] = [];
  const find = (name: string) => {
    const found = resolveComponent(shown, name);
    return found === undefined ? resolveComponent(components, name) : components.find((item) => item.id === found.id);
  };
  for (const edit of edits) {
    const step = applyEdit(components, edit, find, round);
    if ("unknown" in step) return { ok: false, why: "unclear-edit", name: step.unknown };
    components = step.components;
    if (step.deferral !== undefined) deferrals.push(step.deferral);
  }
  if (!components.some((item) => item.status === "active")) return { ok: false, why: "no-active-component", name: "" };
  if (components.filter((item) => item.status === "active").length > maxComponents * 2) {
    return { ok: false, why: "unclear-edit", name: "" };
  }
  return { ok: true, components, deferrals: standing(components, deferrals) };
}

/** Of components that are deferred in the end, each once; the first reason stands. */
function standing(components: readonly Component[], deferrals: readonly NewDeferral[]): NewDeferral[] {
  return components.flatMap((component) => {
    const own = deferrals.find((deferral) => deferral.component_id === component.id);
    return component.status === "deferred" && own !== undefined ? [own] : [];
  });
}

type EditStep = { readonly components: Component[]; readonly deferral?: NewDeferral } | { readonly unknown: string };

function applyEdit(
  components: Component[],
  edit: TopologyEdit,
  find: (name: string) => Component | undefined,
  round: number | null,
): EditStep {
  const ids = components.map((item) => item.id);
  switch (edit.op) {
    case "add": {
      if (edit.name.trim() === "") return { unknown: edit.name };
      const parts = { name: edit.name, description: edit.description || edit.name, joinedRound: round };
      return { components: [...components, createComponent(parts, ids)] };
    }
    case "remove": {
      const found = find(edit.component);
      return found === undefined
        ? { unknown: edit.component }
        : { components: components.filter((item) => item.id !== found.id) };
    }
    case "rename": {
      const found = find(edit.component);
      if (found === undefined || edit.name.trim() === "") return { unknown: edit.component };
      return {
        components: components.map((item) => (item.id === found.id ? { ...item, name: edit.name.trim() } : item)),
      };
    }
    case "defer": {
      const found = find(edit.component);
      if (found === undefined) return { unknown: edit.component };
      return {
        components: components.map((item) => (item.id === found.id ? { ...item, status: "deferred" as const } : item)),
        deferral: { component_id: found.id, reason: edit.reason },
      };
    }
    case "merge":
      return merge(components, edit, find, round);
    case "split":
      return split(components, edit, find, round);
  }
}

function merge(
  components: Component[],
  edit: Extract<TopologyEdit, { op: "merge" }>,
  find: (name: string) => Component | undefined,
  round: number | null,
): EditStep {
  const parts: Component[] = [];
  for (const name of edit.components) {
    const found = find(name);
    if (found === undefined) return { unknown: name };
    if (!parts.includes(found)) parts.push(found);
  }
  const first = parts[0];
  if (first === undefined || parts.length < 2) return { unknown: edit.components[0] ?? "" };
  const name = edit.name.trim() || parts.map((item) => item.name).join(" / ");
  const rest = components.filter((item) => !parts.includes(item));
  const merged = createComponent(
    {
      name,
      description: edit.description || parts.map((item) => item.description).join("; "),
      evidence: parts.flatMap((item) => item.evidence),
      deliverables: parts.flatMap((item) => item.deliverables),
      joinedRound: round,
    },
    rest.map((item) => item.id),
  );
  return { components: components.flatMap((item) => (item === first ? [merged] : parts.includes(item) ? [] : [item])) };
}

function split(
  components: Component[],
  edit: Extract<TopologyEdit, { op: "split" }>,
  find: (name: string) => Component | undefined,
  round: number | null,
): EditStep {
  const found = find(edit.component);
  const isNamed = edit.into.every((part) => part.name.trim() !== "");
  if (found === undefined || edit.into.length < 2 || !isNamed) return { unknown: edit.component };
  const taken = components.filter((item) => item !== found).map((item) => item.id);
  const made: Component[] = [];
  for (const [index, part] of edit.into.entries()) {
    const parts = {
      name: part.name,
      description: part.description || part.name,
      evidence: found.evidence,
      deliverables: found.deliverables.filter((item) => partFor(edit.into, item) === index),
      joinedRound: round,
    };
    made.push(createComponent(parts, [...taken, ...made.map((item) => item.id)]));
  }
  return { components: components.flatMap((item) => (item === found ? made : [item])) };
}

/** The part that names a deliverable of the whole, else the first: none may be lost (D10.3). */
function partFor(
  parts: readonly { readonly name: string; readonly description: string }[],
  deliverable: string,
): number {
  const wanted = fold(deliverable);
  return Math.max(
    0,
    parts.findIndex(({ name, description }) => fold(`${name} ${description}`).includes(wanted)),
  );
}
