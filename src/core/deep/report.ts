/**
 * D8.1: what a person sees after each scored round, as a view; the terminal draws it as a table at any width, the
 * `progress` template writes it as Markdown.
 */
export interface ReportRow {
  /** Fixed label: Goal, Constraints, Success Criteria, Context (brownfield). */
  readonly label: string;
  /** Percent or decimal text is the surface's work: 0..1. Null: not scored yet. */
  readonly score: number | null;
  readonly weight: number;
  readonly weighted: number;
  /** The gap of the weakest component on this dimension, or "Clear". */
  readonly gap: string;
}

export interface ReportView {
  /** Null: after a correction of the restated goal. */
  readonly round: number | null;
  readonly rows: readonly ReportRow[];
  readonly prior_ambiguity: string;
  readonly ambiguity: string;
  readonly direction: "up" | "down" | "flat";
  /** The trigger's name when ambiguity rose, else "". */
  readonly trigger: string;
  /** D5.6: printed as a row `Sampling margin` when above 0, as percent. */
  readonly sampling_margin: string | null;
  readonly topology: {
    readonly targeted: string;
    readonly active: number;
    readonly deferred: number;
    readonly last_targeted: string;
  };
  /** Shown once, in the first report after the lock (D2.2). */
  readonly locked: readonly { readonly name: string; readonly status: string; readonly description: string }[];
  readonly ontology: {
    readonly entities: number;
    /** Percent or `N/A`. */
    readonly stability: string;
    readonly new: number;
    readonly changed: number;
    readonly stable: number;
    /** D6.2: who matched whom and why, before the numbers. */
    readonly matching: readonly string[];
  };
  readonly milestone: { readonly from: string; readonly to: string; readonly panel: boolean };
  readonly next: { readonly component: string; readonly dimension: string; readonly why: string } | null;
  readonly closing: string;
  /** One line: calls, tokens, cost of this round and in all. */
  readonly meter: string;
}
