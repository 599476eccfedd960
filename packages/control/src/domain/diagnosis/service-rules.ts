import { type CaaRefusal, type DnsRecord, findProvider, isAtOrBelow } from "@mooring/dns";
import { caaForbidsRenewal, isWaitingForCa } from "../certificates/certificate.ts";
import { type Connection, type ConnectionError, holdsClaim } from "../connections/connection.ts";
import type { AttemptOutcome } from "../domain-connect/domain-connect.ts";
import { defaultTtlSeconds } from "../records/record-template.ts";
import {
  type ConsentFacts,
  type DiagnosisFacts,
  isBeingWritten,
  isOwnershipOpen,
  isSettled,
} from "./facts.ts";
import type { Draft, Rule } from "./finding.ts";
import {
  atDnsHost,
  clockTime,
  faultLine,
  findDnsHost,
  inForm,
  listed,
  shown,
} from "./finding-text.ts";
import { resolvesToEdge } from "./follow-up-rules.ts";

/**
 * Rules about the DNS provider's API and consent, the certificate authority, the edge and the
 * origin.
 */

function knownProvider({ connection, lastWrite }: DiagnosisFacts): string | null {
  const slug = lastWrite?.provider ?? connection.provider;
  return (slug === null ? null : findProvider(slug)?.name) ?? slug;
}

function providerName(facts: DiagnosisFacts): string {
  return knownProvider(facts) ?? "The DNS provider";
}

function writeEvidence(facts: DiagnosisFacts, what: string): string[] {
  const { lastWrite, now } = facts;
  const at = lastWrite === null ? "" : ` (last written to at ${clockTime(lastWrite.at, now)})`;
  return [`${providerName(facts)}: ${what}${at}`];
}

function onError(
  errors: readonly ConnectionError[],
  draft: (facts: DiagnosisFacts) => Draft,
): Rule {
  return (facts) => {
    const { errorCode } = facts.connection;
    return errorCode !== null && errors.includes(errorCode) ? [draft(facts)] : [];
  };
}

export const providerAuth = onError(["provider_auth"], (facts) => ({
  severity: "error",
  title: `${providerName(facts)} refuses the stored credential`,
  evidence: [
    ...writeEvidence(facts, "the credential is wrong, expired, or lacks a permission"),
    ...facts.failingCredentials.flatMap(({ name, lastError }) =>
      lastError === null ? [] : [`Credential “${name}”: ${lastError}`],
    ),
  ],
  actor: "tenant",
  params: { provider: knownProvider(facts) ?? "" },
  fix: `Store a new credential for ${findDnsHost(facts).zone} and apply the records again, or have them added by hand.`,
}));

export const providerUnsupported = onError(["provider_unsupported"], (facts) => ({
  severity: "warning",
  title: `The records cannot be written at ${providerName(facts)} automatically`,
  evidence: writeEvidence(facts, "the zone was not found there, or cannot hold these records"),
  actor: "end_customer",
  params: { provider: knownProvider(facts) ?? "" },
  fix: `Add the records by hand where the DNS of ${findDnsHost(facts).zone} is managed.`,
}));

export const providerBusy = onError(["provider_rate_limited", "provider_unavailable"], (facts) => ({
  severity: "warning",
  title: `${providerName(facts)} does not accept the records at present`,
  evidence: writeEvidence(
    facts,
    facts.connection.errorCode === "provider_rate_limited" ? "asks to wait" : "does not answer",
  ),
  actor: "wait",
  params: { provider: knownProvider(facts) ?? "" },
  fix: "Writing is tried again by itself. In a hurry, add the records by hand.",
}));

export const checkFailed = onError(["check_failed"], ({ connection }) => ({
  severity: "error",
  title: `The service cannot check ${connection.hostname}`,
  evidence: ["Service: every check failed, and it has stopped trying"],
  actor: "operator",
  tenantFix:
    "Verify the connection, which tries again. If that fails too, ask the operator of the service.",
  fix: `Verify the connection, which tries again. If that fails too: \`mooring parked list\` shows the cause, and \`mooring parked wake\` has it tried again once that is fixed.`,
}));

export const providerWriteFailed: Rule = (facts) => {
  const { lastWrite, connection } = facts;
  const isReported = connection.errorCode?.startsWith("provider_") === true;
  if (lastWrite?.outcome !== "failed" || isReported || isSettled(facts)) return [];
  return [
    {
      severity: "warning",
      title: `The last attempt to write records at ${providerName(facts)} failed`,
      evidence: writeEvidence(facts, "the change was not made, or only in part"),
      actor: "tenant",
      params: { provider: knownProvider(facts) ?? "" },
      fix: "Test the credential and apply the records again, or have them added by hand.",
    },
  ];
};

/** The operator must fix CAA at the edge's own name, the customer CAA at the domain. */
export const caaForbidden: Rule = (facts) => {
  const { caa } = facts.dns;
  // Of a tenant that brings its own certificates none is ordered.
  if (caa?.outcome !== "forbidden" || facts.renewal?.isOwn === true) return [];
  const { connection } = facts;
  const at = caa.name ?? connection.hostname;
  const owner = caa.records[0]?.name ?? at;
  const isEdges = !isAtOrBelow(owner, connection.registrableDomain) && !isAtOrBelow(at, owner);
  const name = caaOwner(connection, at);
  const tag = caa.reason.by === "issuewild" ? "issuewild" : "issue";
  const value = `0 ${tag} "${facts.issuers[0] ?? ""}"`;
  const requested: DnsRecord = {
    name,
    type: "CAA",
    value,
    ttl: defaultTtlSeconds,
    priority: null,
  };
  const isServed = caaForbidsRenewal({ caa: caa.outcome, certificate: facts.certificate });
  const parameter = forbiddingParameter(caa.reason);
  return [
    {
      severity: isServed || isOwnershipOpen(facts) ? "warning" : "error",
      title: `CAA records forbid a certificate for ${connection.hostname}`,
      evidence: [
        ...caa.records.map((record) => `${record.name}: CAA ${shown([record.value])}`),
        ...(parameter === null ? [] : [`CAA at ${at}: ${caa.reason.text}`]),
      ],
      actor: isEdges ? "operator" : "end_customer",
      params: { name, observed: listed(caa.records.map((record) => record.value)) },
      add: isEdges ? [] : [requested],
      ...(isEdges && parameter === null ? { tenantFix: edgeCaa } : {}),
      fix: caaFix(facts, { parameter, isEdges, owner, requested }),
    },
  ];
};

/**
 * Where the customer can add a CAA record. The closest set counts (RFC 8659 §3): one above the
 * domain is overridden by one in the domain. Beside a CNAME there is none (RFC 1034 §3.6.2).
 */
function caaOwner({ registrableDomain, desiredRecords }: Connection, at: string): string {
  const isAlone = desiredRecords.some(({ host, type }) => host === at && type === "CNAME");
  return isAtOrBelow(at, registrableDomain) && !isAlone ? at : registrableDomain;
}

interface CaaRemedy {
  readonly parameter: string | null;
  readonly isEdges: boolean;
  readonly owner: string;
  readonly requested: DnsRecord;
}

function caaFix(
  facts: DiagnosisFacts,
  { parameter, isEdges, owner, requested }: CaaRemedy,
): string {
  const dnsHost = findDnsHost(facts);
  if (parameter !== null) {
    return `${atDnsHost(dnsHost)}, remove the parameter ${parameter} from the CAA record that names the certificate authority, or ask for the right value.`;
  }
  return isEdges
    ? `Add the record ${owner} CAA ${requested.value}: the CAA records of the edge's own name count for every name that points there.`
    : `${atDnsHost(dnsHost)}, add a record with ${inForm(requested, dnsHost)}. The other CAA records can stay.`;
}

const edgeCaa =
  "The CAA records of the edge's own name forbid it: ask the operator of the service to correct them.";

/** A parameter of the record that does name the CA (RFC 8657). */
function forbiddingParameter({ by, value }: CaaRefusal): string | null {
  return by === "accounturi" || by === "validationmethods" ? `${by}=${value}` : null;
}

export const caaUnanswered: Rule = (facts) => {
  const { caa, zone, dnssec, aliasLoops } = facts.dns;
  if (caa?.outcome !== "unknown" || zone?.outcome !== "found" || dnssec.status === "bogus") {
    return [];
  }
  // A CNAME loop leaves every question unanswered; it has its own finding.
  if (aliasLoops.includes(facts.connection.hostname)) return [];
  return [
    {
      severity: "warning",
      title: `The CAA records of ${caa.name} cannot be looked up`,
      evidence: [`Resolvers, ${caa.name}: no answer to CAA`],
      actor: "wait",
      fix: `Often it passes. If it stays, ask the DNS provider of ${zone.zone} why its nameservers do not answer CAA questions: a certificate authority issues nothing without that answer.`,
    },
  ];
};

const asksOperator =
  "It is tried again by itself. If nothing in DNS is named here as wrong and it stays so, ask the operator of the service.";

function certificateLine({ certificate, connection }: DiagnosisFacts): string {
  const until = certificate?.notAfter ? `, valid until ${certificate.notAfter.toISOString()}` : "";
  return `Certificate of ${connection.hostname}: ${certificate?.status ?? "none"}${until}`;
}

export const certificateRevoked: Rule = (facts) => {
  if (facts.certificate?.status !== "revoked" || !holdsClaim(facts.connection.state)) return [];
  return [
    {
      severity: "error",
      title: `The certificate of ${facts.connection.hostname} was revoked`,
      evidence: [certificateLine(facts)],
      actor: "operator",
      tenantFix: asksOperator,
      fix: "A new one is ordered by itself; if it does not come, see the edge's log for the reason.",
    },
  ];
};

function isExpired({ certificate, now }: DiagnosisFacts): boolean {
  if (certificate === null || certificate.status === "revoked") return false;
  const { status, notAfter } = certificate;
  return status === "expired" || (notAfter !== null && notAfter.getTime() <= now.getTime());
}

export const certificateExpired: Rule = (facts) => {
  if (!isExpired(facts) || !holdsClaim(facts.connection.state)) return [];
  return [
    {
      severity: "error",
      title: `The certificate of ${facts.connection.hostname} has expired`,
      evidence: [certificateLine(facts)],
      actor: "operator",
      tenantFix: asksOperator,
      fix: "If nothing in DNS is named here as wrong, see the edge's log for the reason why it was not renewed.",
    },
  ];
};

function certificateError({ certificate, connection }: DiagnosisFacts): ConnectionError | null {
  return certificate?.errorCode ?? connection.errorCode;
}

function nextAttemptLine({ certificate, now }: DiagnosisFacts): string[] {
  const at = certificate?.nextAttemptAt;
  return at ? [`The service: orders again at ${clockTime(at, now)}`] : [];
}

export const caRateLimited: Rule = (facts) => {
  if (certificateError(facts) !== "ca_rate_limited") return [];
  return [
    {
      severity: "warning",
      title: "The certificate authority asks to wait",
      evidence: [
        certificateLine(facts),
        "Certificate authority: too many requests",
        ...faultLine(facts),
        ...nextAttemptLine(facts),
      ],
      actor: "wait",
      fix: "The order is repeated by itself as soon as the authority allows it. Archiving and connecting again does not help: it costs another order.",
    },
  ];
};

export const caUnavailable: Rule = (facts) => {
  if (certificateError(facts) !== "ca_unavailable") return [];
  return [
    {
      severity: "warning",
      title: "The certificate authority does not take orders at present",
      evidence: [
        certificateLine(facts),
        "Certificate authority: no usable answer",
        ...nextAttemptLine(facts),
      ],
      actor: "wait",
      tenantFix: "The order is repeated by itself as soon as the authority answers.",
      fix: "The order is repeated by itself as soon as the authority answers. Operators: `mooring doctor` and the edge's log say what it answered.",
    },
  ];
};

/**
 * When the last cached old answer has run out; null once it has, and while the records are not
 * right.
 */
function oldAnswersUntil(facts: DiagnosisFacts): Date | null {
  const { cachedUntil, connection, now } = facts;
  if (connection.state !== "issuing_cert" || !isSettled(facts) || cachedUntil === null) return null;
  return cachedUntil.getTime() > now.getTime() ? cachedUntil : null;
}

export const certificateCached: Rule = (facts) => {
  const until = oldAnswersUntil(facts);
  if (until === null || facts.dns.caa?.outcome === "forbidden") return [];
  const time = clockTime(until, facts.now);
  const isFailed = certificateError(facts) === "certificate_failed";
  return [
    {
      severity: isFailed ? "warning" : "info",
      title: `The certificate authority may see the old records until ${time}`,
      evidence: [
        certificateLine(facts),
        `Nameservers: have the new records of ${facts.connection.hostname}`,
        `Caches: may hold the old answer until ${until.toISOString()}`,
      ],
      actor: "wait",
      params: { time: until.toISOString() },
      fix: `Nothing to do: the certificate is ordered as soon as possible, and again at ${time} if the authority still saw the old records.`,
    },
  ];
};

export const certificateFailed: Rule = (facts) => {
  const isFailed =
    facts.certificate?.status === "failed" || certificateError(facts) === "certificate_failed";
  const isExplained =
    facts.dns.caa?.outcome === "forbidden" || isExpired(facts) || oldAnswersUntil(facts) !== null;
  if (!isFailed || isExplained || isWaitingForCa(certificateError(facts))) return [];
  return [
    {
      severity: "error",
      title: `The certificate of ${facts.connection.hostname} could not be obtained`,
      evidence: [certificateLine(facts), ...faultLine(facts)],
      actor: "operator",
      tenantFix: asksOperator,
      fix: "It is tried again by itself. If nothing in DNS is named here as wrong, the edge's log has the whole order.",
    },
  ];
};

export const certificatePending: Rule = (facts) => {
  const { certificate, connection } = facts;
  const isAwaited = certificate === null || ["none", "pending"].includes(certificate.status);
  const isHindered = certificateError(facts) !== null || facts.dns.caa?.outcome === "forbidden";
  const isOpen = facts.dns.records !== null && !isSettled(facts);
  if (connection.state !== "issuing_cert" || !isAwaited || isHindered || isOpen) return [];
  return [
    {
      severity: "info",
      title: `The certificate of ${connection.hostname} is being obtained`,
      evidence: [certificateLine(facts)],
      actor: "wait",
      fix: "Nothing to do: it usually takes less than a minute.",
    },
  ];
};

export const originMissing: Rule = (facts) => {
  const { application, connection } = facts;
  const isServing = holdsClaim(connection.state) && resolvesToEdge(facts);
  if (application.originUrl !== null || !isServing) return [];
  return [
    {
      severity: "warning",
      title: "The application has no origin yet",
      evidence: ["The service: origin_url of the application is not set"],
      actor: "tenant",
      fix: "Set origin_url of the application to where it is served from: until then there is nothing to show to visitors.",
    },
  ];
};

/** A visit to the DNS provider that ended longer ago than this is not reported. */
const reportForMs = 86_400_000;

function on(
  outcomes: readonly AttemptOutcome[],
  draft: (facts: DiagnosisFacts, consent: ConsentFacts) => Draft,
): Rule {
  return (facts) => {
    const { consent, now } = facts;
    if (consent?.outcome == null || consent.returnedAt === null) return [];
    if (!outcomes.includes(consent.outcome)) return [];
    if (now.getTime() - consent.returnedAt.getTime() > reportForMs) return [];
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
  params: { provider: consent.providerName },
  fix: `Nothing was changed. Go to ${consent.providerName} again and confirm there, signed in with the account that holds ${findDnsHost(facts).zone}, or add the records by hand.`,
}));

export const domainConnectRefused = on(["refused", "failed"], (facts, consent) => ({
  severity: "warning",
  title: `${consent.providerName} did not set the records`,
  evidence: said(facts, consent, consent.error ?? "gave no reason"),
  actor: "end_customer",
  params: { provider: consent.providerName },
  fix: `Try again shortly, signed in with the account that holds ${findDnsHost(facts).zone}, or add the records by hand.`,
}));
