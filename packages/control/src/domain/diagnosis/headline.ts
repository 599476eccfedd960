import type { ConnectionError, ConnectionState } from "../connections/connection.ts";
import type { Finding, FindingHeadline } from "./finding.ts";
import type { FindingCode } from "./finding-codes.ts";

/** What an error code says by itself, until a diagnosis says it better. */
const headlines: Readonly<Record<ConnectionError, FindingHeadline>> = {
  txt_not_found: {
    code: "ownership_missing",
    actor: "end_customer",
    title: "The ownership record is not there yet",
  },
  txt_mismatch: {
    code: "ownership_mismatch",
    actor: "end_customer",
    title: "The ownership record has another value",
  },
  hostname_conflict: {
    code: "hostname_conflict",
    actor: "tenant",
    title: "Another connection holds the hostname",
  },
  ownership_timeout: {
    code: "gave_up",
    actor: "tenant",
    title: "Ownership was not proven in time",
  },
  dns_timeout: {
    code: "ns_unreachable",
    actor: "end_customer",
    title: "The nameservers of the domain do not answer",
  },
  dns_servfail: {
    code: "ns_servfail",
    actor: "end_customer",
    title: "The nameservers of the domain answer with an error",
  },
  dnssec_bogus: {
    code: "dnssec_broken",
    actor: "end_customer",
    title: "The domain's answers fail DNSSEC validation",
  },
  not_registered: {
    code: "not_registered",
    actor: "end_customer",
    title: "DNS does not know the domain",
  },
  record_missing: {
    code: "record_missing",
    actor: "end_customer",
    title: "A DNS record is missing",
  },
  record_mismatch: {
    code: "record_mismatch",
    actor: "end_customer",
    title: "A DNS record has another value",
  },
  record_conflict: {
    code: "record_conflict",
    actor: "end_customer",
    title: "Another record stands in the way",
  },
  proxied: {
    code: "record_proxied",
    actor: "end_customer",
    title: "A proxy of the DNS provider stands in front of the record",
  },
  provider_auth: {
    code: "provider_auth",
    actor: "tenant",
    title: "The DNS provider refuses the stored credential",
  },
  provider_rate_limited: {
    code: "provider_busy",
    actor: "wait",
    title: "The DNS provider asks to wait",
  },
  provider_unavailable: {
    code: "provider_busy",
    actor: "wait",
    title: "The DNS provider does not answer",
  },
  provider_unsupported: {
    code: "provider_unsupported",
    actor: "end_customer",
    title: "The DNS provider cannot write the records",
  },
  provider_not_delegated: {
    code: "provider_not_delegated",
    actor: "end_customer",
    title: "The domain's DNS is not at the provider that was written to",
  },
  propagation_timeout: {
    code: "gave_up",
    actor: "tenant",
    title: "The records were not there in time",
  },
  caa_forbidden: {
    code: "caa_forbidden",
    actor: "end_customer",
    title: "A CAA record forbids the certificate",
  },
  ca_rate_limited: {
    code: "ca_rate_limited",
    actor: "wait",
    title: "The certificate waits for its turn at the CA",
  },
  ca_unavailable: {
    code: "ca_unavailable",
    actor: "wait",
    title: "The CA does not answer",
  },
  certificate_failed: {
    code: "certificate_failed",
    actor: "operator",
    title: "The certificate could not be obtained",
  },
  certificate_timeout: {
    code: "gave_up",
    actor: "operator",
    title: "The certificate was not obtained in time",
  },
  certificate_at_risk: {
    code: "certificate_at_risk",
    actor: "operator",
    title: "The certificate is not renewed",
  },
  certificate_expired: {
    code: "certificate_expired",
    actor: "operator",
    title: "The certificate has ended",
  },
  origin_unreachable: {
    code: "origin_unreachable",
    actor: "tenant",
    title: "The origin does not answer",
  },
  records_changed: {
    code: "records_changed",
    actor: "end_customer",
    title: "The records are to be replaced",
  },
  quota_exceeded: {
    code: "quota_exceeded",
    actor: "tenant",
    title: "The plan allows no more names",
  },
  check_failed: {
    code: "check_failed",
    actor: "operator",
    title: "The check itself fails",
  },
};

/** The headline of a connection that was checked; null where nothing is wrong. */
export function errorHeadline(
  state: ConnectionState,
  errorCode: ConnectionError | null,
): FindingHeadline | null {
  if (state === "archived" || errorCode === null) return null;
  return headlines[errorCode];
}

/** Advice, which nobody waits for. */
const advice: ReadonlySet<FindingCode> = new Set([
  "apex_by_address",
  "behind_cdn",
  "check_incomplete",
  "slow_to_change",
  "www_not_connected",
]);

/**
 * The finding that says what is going on and whose move it is, wherever one is shown alone: in the
 * sentence of a diagnosis and in lists. Findings are listed with the cause first. What is merely
 * good to know is none for a live connection.
 */
export function leadingFinding<F extends Pick<Finding, "code" | "severity">>(
  state: ConnectionState,
  findings: readonly F[],
): F | null {
  const problem = findings.find(({ severity }) => severity !== "info");
  if (problem !== undefined || state === "live") return problem ?? null;
  return findings.find(({ code }) => !advice.has(code)) ?? null;
}

/** The headline of a diagnosis; null where nothing is wrong. */
export function headlineIn(
  state: ConnectionState,
  findings: readonly Finding[],
): FindingHeadline | null {
  const first = state === "archived" ? null : leadingFinding(state, findings);
  if (first === null) return null;
  return { code: first.code, actor: first.actor, title: first.title, params: first.params };
}
