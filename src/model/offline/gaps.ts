/** Why a pair has its score, and what is still unclear about it, in the interview's language. */
import type { Assessment } from "./assess.ts";
import { type Dimension, fill } from "./bank.ts";
import { type Kind, lacking } from "./evidence.ts";
import type { PromptComponent } from "./inputs.ts";
import type { Tongue } from "./tongue.ts";

interface About {
  readonly component: PromptComponent;
  readonly dimension: Dimension;
  readonly score: number;
  /** How the answer was judged, on the pair that it was aimed at. */
  readonly verdict: Assessment | null;
}

/** A sentence of the bank; its key when the bank lacks it, so that nothing is ever empty. */
export function say(tongue: Tongue, key: string, vars: Readonly<Record<string, string | number>> = {}): string {
  return fill(tongue.bank.texts[key] ?? key, vars);
}

export function justify({ component, dimension, verdict }: About, tongue: Tongue): string {
  const vars = { component: component.name, dimension };
  if (verdict === null) return say(tongue, "because.carried", vars);
  if (verdict.verdict !== "sentence" && verdict.verdict !== "fragment")
    return say(tongue, `because.${verdict.verdict}`, vars);
  const kinds = [...verdict.evidence.kinds].map((kind) => say(tongue, `kind.${kind}`));
  if (kinds.length === 0) return say(tongue, "because.vague", vars);
  return say(tongue, `because.${verdict.verdict}`, { ...vars, kinds: kinds.join(", ") });
}

export function gapFor({ component, dimension, score, verdict }: About, tongue: Tongue): string {
  const vars = { component: component.name };
  if (
    verdict !== null &&
    verdict.verdict !== "sentence" &&
    verdict.verdict !== "fragment" &&
    verdict.verdict !== "option"
  ) {
    return say(tongue, `gap.${verdict.verdict}.${dimension}`, vars);
  }
  if (score < 0.5 || verdict === null)
    return say(tongue, score < 0.5 ? `gap.${dimension}` : `gap.more.${dimension}`, vars);
  const missing = lacking(dimension, verdict.evidence)
    .slice(0, 2)
    .map((kind: Kind) => say(tongue, `kind.${kind}`));
  return missing.length === 0
    ? say(tongue, `gap.more.${dimension}`, vars)
    : say(tongue, "gap.missing", { ...vars, kinds: missing.join(", ") });
}
