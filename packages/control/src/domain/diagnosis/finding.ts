import type { FindingCode } from "./codes.ts";
import type { DiagnosisFacts } from "./facts.ts";

/** `error`: nothing goes on until it is gone; `warning`: something suffers; `info`: good to know. */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** Whose move it is: who manages the domain's DNS, the application's owner, who runs the service. */
export const actors = ["end_customer", "tenant", "operator", "wait"] as const;
export type Actor = (typeof actors)[number];

/** One thing that was found, in plain sentences; the widget, console and CLI show these texts. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly title: string;
  /** Who said what, one line each. */
  readonly evidence: readonly string[];
  readonly actor: Actor;
  readonly fix: string;
}

export type Draft = Omit<Finding, "code">;

/** Facts → this finding, none or once for each thing that it is about. Pure. */
export type Rule = (facts: DiagnosisFacts) => readonly Draft[];

/** Said of a record that is missing while the service writes it. */
export const beingWritten = {
  severity: "info",
  actor: "wait",
  fix: "Nothing to do: the service writes the record itself, and it usually shows within minutes.",
} as const satisfies Partial<Draft>;
