/** D2.2: changes of the topology in plain words: "merge 1 and 2", "rename Export to Delivery", "leave Export for later". */
import type { TopologyEdit } from "../../core/deep/vocabulary.ts";
import { fold, foldPhrase, hasWords } from "../../core/text.ts";
import type { Input, PromptComponent } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";
import { shareIn, stemsOf } from "./words.ts";

type InterpretInput = Input<"interpret">;
type Groups = Readonly<Record<string, string | undefined>>;

export function readEdits(input: InterpretInput, read: Tongue): TopologyEdit[] {
  const edits = instructions(input.text, read).flatMap((part) => readEdit(part, input, read));
  if (edits.length === 0 && isDeferralPicked(input, read)) {
    return mentioned(input.text, input).map(({ id }) => ({ op: "defer", component: id, reason: "" }));
  }
  // In a round only a deferral that names a component is one: "defer the upload" may well be the answer.
  return input.purpose === "topology" ? edits : edits.filter((edit) => edit.op === "defer");
}

/** "Defer one or more components" was picked, and the words only say which. */
function isDeferralPicked({ purpose, picked }: InterpretInput, read: Tongue): boolean {
  const ops = picked.flatMap((label) => patternsOf(read).filter(({ pattern }) => pattern.test(foldedKeep(label))));
  return purpose === "topology" && ops.length > 0 && ops.every(({ op }) => op === "defer");
}

/** One instruction each: at stops and lines, and at commas and conjunctions that another instruction follows. */
function instructions(text: string, read: Tongue): string[] {
  const parts: string[] = [];
  for (const line of text.split(/[\n;。；]+|(?<=[.!?])\s+/u).filter(hasWords)) {
    const pieces = line.split(jointOf(read));
    let open = pieces[0] ?? "";
    // Odd places hold the joints; one that a further instruction follows parts it from the one before.
    for (let index = 1; index < pieces.length; index += 2) {
      const piece = pieces[index + 1] ?? "";
      if (isInstruction(piece, read) && isInstruction(open, read)) {
        parts.push(open);
        open = piece;
      } else open += `${pieces[index] ?? ""}${piece}`;
    }
    parts.push(open);
  }
  return parts.map((part) => part.trim()).filter(hasWords);
}

function isInstruction(text: string, read: Tongue): boolean {
  const said = foldedKeep(text);
  return patternsOf(read).some(({ pattern }) => pattern.test(said));
}

/** Commas and conjunctions, kept when a text is split at them. */
function jointOf(read: Tongue): RegExp {
  const words = [...read.lexicon.conjunctions]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
  return read.bank.mode === "words"
    ? new RegExp(`([,;、，]\\s*|\\s(?:${words})\\s)`, "iu")
    : new RegExp(`([,;、，・]\\s*|\\s?(?:${words})\\s?)`, "u");
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const cache = new WeakMap<Tongue, readonly { readonly op: TopologyEdit["op"]; readonly pattern: RegExp }[]>();

function patternsOf(read: Tongue) {
  const known = cache.get(read);
  if (known !== undefined) return known;
  const made = read.bank.replies.edits.map(({ op, pattern }) => ({ op, pattern: new RegExp(pattern, "iu") }));
  cache.set(read, made);
  return made;
}

function foldedKeep(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[.!。！]+$/u, "")
    .replace(/\s+/gu, " ");
}

function readEdit(part: string, input: InterpretInput, read: Tongue): TopologyEdit[] {
  for (const { op, pattern } of patternsOf(read)) {
    const groups: Groups | undefined = pattern.exec(foldedKeep(part))?.groups;
    if (groups === undefined) continue;
    const made = build(op, groups, input, read);
    if (made.length > 0) return made;
  }
  return [];
}

function build(op: TopologyEdit["op"], groups: Groups, input: InterpretInput, read: Tongue): TopologyEdit[] {
  const names = (text: string | undefined) => listed(text ?? "", read);
  const find = (name: string) => findComponent(name, input, read);
  const targets = (text: string | undefined) => {
    const listed = [...new Set(names(text).flatMap((name) => find(name) ?? []))];
    // Joined in a way that no list shows: whatever components are named in it, or numbered.
    const said = mentioned(text ?? "", input);
    return said.length > listed.length ? said : listed;
  };
  const clean = (text: string | undefined) =>
    (text ?? "").replace(/^["'“”‘’«»「」『』\s]+|["'“”‘’«»「」『』\s]+$/gu, "");
  switch (op) {
    case "add":
      return names(groups["name"]).map((name) => ({ op, name: titled(clean(name)), description: clean(name) }));
    case "remove":
      return targets(groups["targets"]).map(({ id }) => ({ op, component: id }));
    case "defer":
      return targets(groups["targets"]).map(({ id }) => ({
        op,
        component: id,
        reason: clean(groups["reason"] ?? groups["reason2"]),
      }));
    case "merge": {
      const found = targets(groups["targets"]).map(({ id }) => id);
      return found.length < 2 ? [] : [{ op, components: found, name: titled(clean(groups["name"])), description: "" }];
    }
    case "split": {
      const found = find(groups["target"] ?? "");
      const into = names(groups["parts"]).map((name) => ({ name: titled(clean(name)), description: clean(name) }));
      return found === undefined || into.length < 2 ? [] : [{ op, component: found.id, into }];
    }
    case "rename": {
      const found = find(groups["target"] ?? "");
      const name = clean(groups["name"]);
      return found === undefined || name === "" ? [] : [{ op, component: found.id, name }];
    }
  }
}

function titled(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function listed(text: string, read: Tongue): string[] {
  return text
    .split(jointOf(read))
    .filter((_, index) => index % 2 === 0)
    .map((part) => part.trim())
    .filter(hasWords);
}

function mentioned(text: string, input: InterpretInput): PromptComponent[] {
  const folded = fold(text);
  const numbers = (folded.match(/(?<![\p{L}\d])\d{1,2}(?!\d)/gu) ?? []).map(Number);
  return input.components.filter(({ name }, index) => folded.includes(fold(name)) || numbers.includes(index + 1));
}

/** By number, ordinal, id or name; else the one component that shares the words. */
function findComponent(text: string, input: InterpretInput, read: Tongue): PromptComponent | undefined {
  const { components } = input;
  const wanted = foldPhrase(text);
  const number = /^(?:\D{0,12}\s)?#?(\d{1,2})\D{0,3}$/u.exec(wanted);
  if (number !== null) return components[Number(number[1]) - 1];
  const ordinal = read.bank.replies.ordinals.findIndex((word) => wanted === fold(word) || wanted.includes(fold(word)));
  const exact = components.find(({ id, name }) => fold(name) === wanted || id === wanted);
  if (exact !== undefined) return exact;
  const named = components.filter(({ name }) => wanted.includes(fold(name)));
  if (named.length === 1) return named[0];
  const stems = stemsOf(text, read);
  const alike = components.filter(({ name }) => {
    const own = stemsOf(name, read);
    return own.size > 0 && shareIn(own, stems) === 1 && stems.size <= own.size + 1;
  });
  if (alike.length === 1) return alike[0];
  return ordinal < 0 || input.purpose === "round" ? undefined : components[ordinal];
}
