import { type Case, later, pending } from "./facts.ts";

const minutesAgo = later(-300_000);

export const consentCases = {
  domain_connect_cancelled: {
    facts: pending({
      consent: {
        outcome: "cancelled",
        providerName: "DNS Example",
        error: "access_denied",
        returnedAt: minutesAgo,
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "The change was not confirmed at DNS Example",
    evidence: ["DNS Example: sent the customer back without consent (11:55 UTC)"],
    fix: /^Nothing was changed\. Go to DNS Example again .* holds acme\.example, or add the records by hand\.$/,
  },
  domain_connect_refused: {
    facts: pending({
      consent: {
        outcome: "refused",
        providerName: "DNS Example",
        error: "server_error",
        returnedAt: minutesAgo,
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: "DNS Example did not set the records",
    evidence: ["DNS Example: server_error (11:55 UTC)"],
    fix: /^Try again shortly, .* or add the records by hand\.$/,
  },
} as const satisfies Readonly<Record<string, Case>>;
