import type { CustomerText } from "../../diagnosis/customer-texts.ts";
import type { FindingActor, FindingText } from "../../diagnosis/finding.ts";
import type { FindingCode } from "../../diagnosis/finding-codes.ts";

/**
 * The texts of findings in one language. A code without one is shown in English; a test finds it.
 */
export interface FindingTexts {
  /** Stands for `{provider}` when the provider is not known. */
  readonly provider: string;
  readonly texts: Readonly<Partial<Record<FindingCode, CustomerText>>>;
}

/** A title, what to do, and other words where another than usual must act. */
export function text(
  title: string,
  fix: string,
  byActor: Readonly<Partial<Record<FindingActor, FindingText>>> = {},
): CustomerText {
  return { title, fix, byActor };
}
