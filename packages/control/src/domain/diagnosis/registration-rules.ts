import { holdStatuses, isExpiring } from "../registrations/registration.ts";
import type { DiagnosisFacts } from "./facts.ts";
import type { Rule } from "./finding.ts";

/** Rules about what the registry says of the domain. Without an answer there is no finding. */

function source({ registration }: DiagnosisFacts): string {
  const at = registration?.checkedAt.toISOString().slice(0, 10);
  return `Registry of ${registration?.domain} (asked on ${at})`;
}

export const registrationOnHold: Rule = (facts) => {
  const { registration } = facts;
  const statuses = registration ? holdStatuses(registration) : [];
  if (!registration || statuses.length === 0) return [];
  const { domain, registrar } = registration;
  const isLapsed = statuses.some(
    (status) => status === "redemptionPeriod" || status === "pendingDelete",
  );
  const at = registrar === null ? "the registrar" : `the registrar (${registrar})`;
  return [
    {
      severity: "error",
      title: isLapsed
        ? `The registration of ${domain} has lapsed, and the registry is about to delete it`
        : `The registry has taken ${domain} out of DNS`,
      evidence: [`${source(facts)}: ${statuses.join(", ")}`],
      actor: "end_customer",
      params: { zone: domain, status: statuses.join(", ") },
      fix: isLapsed
        ? `Have ${domain} restored at ${at} now: once it is deleted, anybody may register it.`
        : `Ask ${at} why ${domain} is on hold; an address that was not confirmed or a bill that was not paid are usual.`,
    },
  ];
};

export const registrationExpiring: Rule = (facts) => {
  const { registration, now } = facts;
  if (!registration?.expiresAt || !isExpiring(registration, now)) return [];
  const { domain, expiresAt, registrar } = registration;
  const date = expiresAt.toISOString().slice(0, 10);
  const hasEnded = expiresAt <= now;
  const where = registrar === null ? "where it was registered" : `at ${registrar}`;
  return [
    {
      severity: "warning",
      title: `The registration of ${domain} ${hasEnded ? "ended" : "ends"} on ${date}`,
      evidence: [`${source(facts)}: expires at ${expiresAt.toISOString()}`],
      actor: "end_customer",
      params: { zone: domain, date },
      fix: `Renew ${domain} ${where}, unless it renews by itself; the registry is asked again every day.`,
    },
  ];
};
