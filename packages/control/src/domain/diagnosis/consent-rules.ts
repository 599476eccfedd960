import type { AttemptOutcome } from "../domain-connect.ts";
import { clockTime } from "./evidence.ts";
import { type ConsentFacts, type DiagnosisFacts, isBeingWritten, isSettled } from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import { placeOf } from "./place.ts";

/** How the customer's way to their DNS provider ended, as long as its end is still to be felt. */

/** Later than this, whoever connects has surely gone another way. */
const tellForMs = 86_400_000;

function on(
  outcomes: readonly AttemptOutcome[],
  draft: (facts: DiagnosisFacts, consent: ConsentFacts) => Draft,
): Rule {
  return (facts) => {
    const { consent, now } = facts;
    if (consent?.outcome == null || consent.returnedAt === null) return [];
    if (!outcomes.includes(consent.outcome)) return [];
    if (now.getTime() - consent.returnedAt.getTime() > tellForMs) return [];
    return isSettled(facts) || isBeingWritten(facts) ? [] : [draft(facts, consent)];
  };
}

function said({ now }: DiagnosisFacts, consent: ConsentFacts, what: string): string[] {
  const { providerName, returnedAt } = consent;
  const at = returnedAt === null ? "" : ` (${clockTime(returnedAt, now)})`;
  return [`${providerName}: ${what}${at}`];
}

export const domainConnectCancelled = on(["cancelled"], (facts, consent) => ({
  severity: "warning",
  title: `The change was not confirmed at ${consent.providerName}`,
  evidence: said(facts, consent, "sent the customer back without consent"),
  actor: "end_customer",
  fix: `Nothing was changed. Go to ${consent.providerName} again and confirm there, signed in with the account that holds ${placeOf(facts).zone}, or add the records by hand.`,
}));

export const domainConnectRefused = on(["refused", "failed"], (facts, consent) => ({
  severity: "warning",
  title: `${consent.providerName} did not set the records`,
  evidence: said(facts, consent, consent.error ?? "gave no reason"),
  actor: "end_customer",
  fix: `Try again in a moment, signed in with the account that holds ${placeOf(facts).zone}, or add the records by hand.`,
}));
