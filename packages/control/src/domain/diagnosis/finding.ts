import type { DnsRecord } from "@mooring/dns";
import type { DiagnosisFacts } from "./facts.ts";
import type { FindingCode } from "./finding-codes.ts";

/**
 * `error`: the connection cannot proceed; `warning`: something is impaired; `info`: good to know.
 */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/**
 * Who must act: the manager of the domain's DNS, the application's owner, or the service's
 * operator.
 */
export const findingActors = ["end_customer", "tenant", "operator", "wait"] as const;
export type FindingActor = (typeof findingActors)[number];

/** Who reads a finding. What one can do, another may not be able to do. */
export const audiences = ["end_customer", "tenant", "operator"] as const;
export type Audience = (typeof audiences)[number];

export interface FindingText {
  readonly title: string;
  readonly fix: string;
}

/** One finding, in plain sentences; console and CLI show `title` and `fix`. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly title: string;
  /** Which server or service answered what, one line each. */
  readonly evidence: readonly string[];
  readonly actor: FindingActor;
  readonly fix: string;
  /** With the code and the actor, all that a text in another language needs. */
  readonly params: Readonly<Record<string, string>>;
  /** Records that the customer has to add. */
  readonly add: readonly DnsRecord[];
  /** Records that the customer has to delete. */
  readonly remove: readonly DnsRecord[];
  readonly texts: Readonly<Record<Audience, FindingText>>;
}

type Said = Pick<Finding, "severity" | "title" | "evidence" | "actor" | "fix">;

/** What a list of connections shows of a diagnosis: its first finding. */
export interface FindingHeadline extends Pick<Finding, "code" | "actor" | "title"> {
  /** For the words of another reader or language; not stored by earlier releases. */
  readonly params?: Finding["params"];
}

/** What a rule says; the rest of the finding follows from it. */
export interface Draft extends Said, Partial<Pick<Finding, "params" | "add" | "remove">> {
  /** For the application's owner, where `fix` is about the operator's own tools. */
  readonly tenantFix?: string;
}

/** Turns facts into the findings of one code: none, or one for each name concerned. Pure. */
export type Rule = (facts: DiagnosisFacts) => readonly Draft[];

/** Used for a missing record that the service is writing itself. */
export const beingWritten = {
  severity: "info",
  actor: "wait",
  fix: "Nothing to do: the service writes the record itself, and it usually shows within minutes.",
} as const satisfies Partial<Draft>;
