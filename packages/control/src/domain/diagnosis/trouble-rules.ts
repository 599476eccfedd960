import { type DnsRecord, findProvider } from "@mooring/dns";
import { isValidationRecord, needsDelegation } from "../certificates/validation.ts";
import { holdsClaim } from "../connections/connection.ts";
import type { TroubleKind, TroubleReason } from "../connections/trouble.ts";
import type { DiagnosisFacts, OriginRefusal } from "./facts.ts";
import type { Draft, Finding, Rule } from "./finding.ts";
import { clockTime, faultLine, findDnsHost } from "./finding-text.ts";

/** Rules about the trouble of live connections: what edges and workers report. */

function open({ troubles }: DiagnosisFacts, kind: TroubleKind) {
  return troubles.find((trouble) => trouble.kind === kind && trouble.closedAt === null) ?? null;
}

/** CAA has a finding of its own, with the record to add. */
const causes: Readonly<Partial<Record<TroubleReason, string>>> = {
  renewal_failed: "its renewal has failed",
  caa_forbidden: "CAA records forbid its renewal",
  validation_missing: "the CNAME that its renewal needs is not there",
  own_certificate_ends: "it is the tenant's own, and its successor was not brought yet",
};

const riskFixes: Readonly<Partial<Record<TroubleReason, string>>> = {
  caa_forbidden: "Change the CAA records as is said here; the renewal then goes on by itself.",
  validation_missing: "Add the CNAME again; the renewal then goes on by itself.",
  own_certificate_ends:
    "Bring a new certificate with PUT /v1/connections/{id}/certificate. Shortly before the end an automatic one is obtained instead, if the name leads here and its CAA records allow it.",
};

const riskActors: Readonly<Partial<Record<TroubleReason, Finding["actor"]>>> = {
  renewal_failed: "operator",
  own_certificate_ends: "tenant",
};

const asksOperator =
  "It is tried again by itself. If nothing in DNS is named here as wrong, ask the operator of the service.";

/** The CNAME that the renewal of a live wildcard needs, where it is gone or has another target. */
function missingValidation({ connection, dns }: DiagnosisFacts): readonly DnsRecord[] {
  if (connection.state !== "live" || !needsDelegation(connection)) return [];
  return (dns.records?.records ?? [])
    .filter(({ record }) => isValidationRecord(connection.hostname, record))
    .filter(({ outcome }) => outcome !== "match" && outcome !== "unknown")
    .map(({ record }) => record);
}

/** An open episode, or one that the next check opens. */
function findRisk(facts: DiagnosisFacts): TroubleReason | null {
  const risk = open(facts, "certificate_at_risk");
  if (risk !== null) return risk.reason;
  const isOrdered = facts.renewal !== null && !facts.renewal.isOwn;
  return isOrdered && missingValidation(facts).length > 0 ? "validation_missing" : null;
}

export const certificateAtRisk: Rule = (facts) => {
  const reason = findRisk(facts);
  if (reason === null || !holdsClaim(facts.connection.state)) return [];
  const { connection, renewal, now } = facts;
  const { notAfter = null, nextAttemptAt = null } = renewal ?? {};
  return [
    {
      severity: "warning",
      title: `The certificate of ${connection.hostname} may not be renewed in time`,
      evidence: [
        `Certificate of ${connection.hostname}: ${causes[reason] ?? reason}`,
        ...(notAfter ? [`It is valid until ${clockTime(notAfter, now)}`] : []),
        ...(nextAttemptAt && nextAttemptAt > now
          ? [`The next attempt is at ${clockTime(nextAttemptAt, now)}`]
          : []),
        ...(reason === "renewal_failed" ? faultLine(facts) : []),
      ],
      actor: riskActors[reason] ?? "end_customer",
      add: missingValidation(facts),
      ...(riskFixes[reason] === undefined ? { tenantFix: asksOperator } : {}),
      fix:
        riskFixes[reason] ??
        "It is tried again by itself. If nothing in DNS is named here as wrong, the edge's log has the whole order.",
    },
  ];
};

/** Every request gets a 502 by then, whether or not visitors have met it. */
function refusedOrigin(origin: string, { kind, reason }: OriginRefusal): Draft {
  return {
    severity: "error",
    title: "The application behind the name is not asked: its origin is refused",
    evidence: [`Edge: ${origin} is not dialled (${kind}): ${reason}`],
    actor: "tenant",
    tenantFix:
      "Let origin_url name a host with public addresses only. Ask the operator of the service if a private one is to be allowed.",
    fix: "Let origin_url name a host with public addresses only, or open its network with EGRESS_ALLOW or ORIGIN_ALLOW_PRIVATE, in the environment of edge, API and worker.",
  };
}

export const originUnreachable: Rule = (facts) => {
  const trouble = open(facts, "origin_unreachable");
  if (!holdsClaim(facts.connection.state)) return [];
  const origin = facts.application.originUrl ?? "the origin";
  if (facts.originRefusal !== null) return [refusedOrigin(origin, facts.originRefusal)];
  if (trouble === null) return [];
  const since = clockTime(trouble.openedAt, facts.now);
  return [
    {
      severity: "error",
      title: "The application behind the name does not answer",
      evidence: [
        `Edge: ${origin} cannot be reached, or answers with an error of a gateway (since ${since})`,
      ],
      actor: "tenant",
      fix: "Check that the application runs, that its origin_url is right, and that it lets the edge in.",
    },
  ];
};

/** A refusal that ended this connection's automatic path is `provider_auth`. */
export const credentialFailing: Rule = (facts) => {
  const { connection, failingCredentials, now } = facts;
  if (connection.errorCode === "provider_auth") return [];
  return failingCredentials.map(({ provider, name, lastError, failingSince }) => {
    const at = findProvider(provider)?.name ?? provider;
    return {
      severity: "warning",
      title: `${at} refuses the stored credential “${name}”`,
      evidence: [`${at}: ${lastError ?? "refuses it"} (since ${clockTime(failingSince, now)})`],
      actor: "tenant",
      params: { provider: at },
      fix: `Store a new credential for ${findDnsHost(facts).zone}: until then changes of its records must be made by hand.`,
    };
  });
};
