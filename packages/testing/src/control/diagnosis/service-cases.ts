import type {
  TroubleKind,
  TroubleReason,
} from "../../../../control/src/domain/connections/trouble.ts";
import type { Registration } from "../../../../control/src/domain/registrations/registration.ts";
import {
  absent,
  absentReply,
  type Case,
  desired,
  edgeName,
  failure,
  healthy,
  hostname,
  later,
  now,
  propagating,
  record,
  right,
  toEdge,
  withRecords,
  wrong,
} from "./facts.ts";

const registration = (change: Partial<Registration>): Registration => ({
  domain: "acme.com",
  expiresAt: null,
  status: [],
  registrar: "Example Registrar",
  checkedAt: now,
  ...change,
});
const awaited = { certificate: null } as const;
const issuing = { state: "issuing_cert" } as const;
const missing = withRecords(absent(toEdge));
const oldCertificate = { notAfter: later(-1_000), errorCode: null, nextAttemptAt: null } as const;
const waitingFor = (errorCode: "ca_rate_limited" | "ca_unavailable") =>
  ({ status: "pending", notAfter: null, errorCode, nextAttemptAt: later(7_200_000) }) as const;

function trouble(kind: TroubleKind, reason: TroubleReason) {
  return { kind, reason, openedAt: later(-3_600_000), closedAt: null };
}

export const serviceCases = {
  provider_auth: {
    facts: propagating({
      connection: { errorCode: "provider_auth" },
      lastWrite: { provider: "cloudflare", outcome: "failed", at: later(-3_600_000) },
      dns: missing,
    }),
    severity: "error",
    actor: "tenant",
    title: "Cloudflare refuses the stored credential",
    evidence: [
      "Cloudflare: the credential is wrong, expired, or lacks a permission (last written to at 11:00 UTC)",
    ],
    fix: /^Store a new credential for acme\.example/,
  },
  provider_unsupported: {
    facts: propagating({ connection: { errorCode: "provider_unsupported" }, dns: missing }),
    severity: "warning",
    actor: "end_customer",
    title: "The records cannot be written at Cloudflare automatically",
    evidence: ["Cloudflare: the zone was not found there, or cannot hold these records"],
    fix: /^Add the records by hand/,
  },
  provider_not_delegated: {
    facts: propagating({ connection: { errorCode: "provider_not_delegated" }, dns: missing }),
    severity: "warning",
    actor: "end_customer",
    title: "The zone that the service can write is not the one that acme.example is delegated to",
    evidence: [
      "Nameservers of acme.example: ada.ns.cloudflare.com, bob.ns.cloudflare.com",
      `The stored credential: sees a zone for ${hostname} at other nameservers`,
    ],
    fix: /^Add the records at Cloudflare/,
  },
  provider_busy: {
    facts: propagating({ connection: { errorCode: "provider_unavailable" }, dns: missing }),
    severity: "warning",
    actor: "wait",
    title: "Cloudflare does not accept the records at present",
    evidence: ["Cloudflare: does not answer"],
    fix: /^Writing is tried again by itself/,
  },
  provider_write_failed: {
    facts: propagating({
      lastWrite: { provider: "desec", outcome: "failed", at: later(-86_400_000) },
      dns: missing,
    }),
    severity: "warning",
    actor: "tenant",
    title: "The last attempt to write records at deSEC failed",
    evidence: [
      "deSEC: the change was not made, or only in part (last written to at 12:00 UTC on 2026-11-14)",
    ],
    fix: /^Test the credential and apply the records again/,
  },
  caa_forbidden: {
    facts: healthy({
      connection: issuing,
      ...awaited,
      dns: {
        caa: {
          outcome: "forbidden",
          name: "acme.example",
          records: [
            {
              name: "acme.example",
              type: "CAA",
              value: '0 issue "digicert.com"',
              ttl: 60,
              priority: null,
            },
          ],
          reason: { by: "issue", value: null, text: "no issue property names letsencrypt.org" },
        },
      },
    }),
    severity: "error",
    actor: "end_customer",
    title: `CAA records forbid a certificate for ${hostname}`,
    evidence: ['acme.example: CAA 0 issue "digicert.com"'],
    fix: /^At Cloudflare, add a record with Type: CAA, Name: @, Content: 0 issue "letsencrypt\.org", TTL: 300\./,
  },
  caa_unanswered: {
    facts: healthy({ dns: { caa: { outcome: "unknown", name: hostname } } }),
    severity: "warning",
    actor: "wait",
    title: `The CAA records of ${hostname} cannot be looked up`,
    evidence: [`Resolvers, ${hostname}: no answer to CAA`],
    fix: /ask the DNS provider of acme\.example why its nameservers do not answer CAA/,
  },
  certificate_revoked: {
    facts: healthy({ certificate: { ...oldCertificate, status: "revoked", notAfter: null } }),
    severity: "error",
    actor: "operator",
    title: `The certificate of ${hostname} was revoked`,
    evidence: [`Certificate of ${hostname}: revoked`],
    fix: /^A new one is ordered by itself/,
  },
  certificate_expired: {
    facts: healthy({ certificate: { ...oldCertificate, status: "renewing" } }),
    severity: "error",
    actor: "operator",
    title: `The certificate of ${hostname} has expired`,
    evidence: [`Certificate of ${hostname}: renewing, valid until 2026-11-15T11:59:59.000Z`],
    fix: /the edge's log/,
  },
  ca_rate_limited: {
    facts: healthy({
      connection: issuing,
      certificate: waitingFor("ca_rate_limited"),
    }),
    severity: "warning",
    actor: "wait",
    title: "The certificate authority asks to wait",
    evidence: [
      `Certificate of ${hostname}: pending`,
      "Certificate authority: too many requests",
      "The service: orders again at 14:00 UTC",
    ],
    fix: /^The order is repeated by itself/,
  },
  ca_unavailable: {
    facts: healthy({ connection: issuing, certificate: waitingFor("ca_unavailable") }),
    severity: "warning",
    actor: "wait",
    title: "The certificate authority does not take orders at present",
    evidence: [
      `Certificate of ${hostname}: pending`,
      "Certificate authority: no usable answer",
      "The service: orders again at 14:00 UTC",
    ],
    fix: /^The order is repeated by itself/,
  },
  certificate_cached: {
    facts: healthy({
      connection: issuing,
      certificate: {
        status: "failed",
        notAfter: null,
        errorCode: "certificate_failed",
        nextAttemptAt: null,
      },
      cachedUntil: later(1_800_000),
    }),
    severity: "warning",
    actor: "wait",
    title: "The certificate authority may see the old records until 12:30 UTC",
    evidence: [
      `Certificate of ${hostname}: failed`,
      `Nameservers: have the new records of ${hostname}`,
      `Caches: may hold the old answer until ${later(1_800_000).toISOString()}`,
    ],
    fix: /^Nothing to do: .* again at 12:30 UTC/,
  },
  certificate_failed: {
    facts: healthy({
      connection: issuing,
      certificate: { ...oldCertificate, status: "failed", notAfter: null },
      fault: { type: "urn:ietf:params:acme:error:unauthorized", detail: "The key does not fit" },
    }),
    severity: "error",
    actor: "operator",
    title: `The certificate of ${hostname} could not be obtained`,
    evidence: [
      `Certificate of ${hostname}: failed`,
      "The certificate authority said: The key does not fit (urn:ietf:params:acme:error:unauthorized)",
    ],
    fix: /^It is tried again by itself/,
  },
  certificate_pending: {
    facts: healthy({ connection: issuing, ...awaited }),
    severity: "info",
    actor: "wait",
    title: `The certificate of ${hostname} is being obtained`,
    evidence: [`Certificate of ${hostname}: none`],
    fix: /^Nothing to do/,
  },
  registration_on_hold: {
    facts: healthy({ registration: registration({ status: ["clientHold", "active"] }) }),
    severity: "error",
    actor: "end_customer",
    title: "The registry has taken acme.com out of DNS",
    evidence: ["Registry of acme.com (asked on 2026-11-15): clientHold"],
    fix: /^Ask the registrar \(Example Registrar\) why acme\.com is on hold/,
  },
  registration_expiring: {
    facts: healthy({ registration: registration({ expiresAt: later(20 * 86_400_000) }) }),
    severity: "warning",
    actor: "end_customer",
    title: "The registration of acme.com ends on 2026-12-05",
    evidence: [
      `Registry of acme.com (asked on 2026-11-15): expires at ${later(20 * 86_400_000).toISOString()}`,
    ],
    fix: /^Renew acme\.com at Example Registrar/,
  },
  certificate_at_risk: {
    facts: healthy({
      troubles: [trouble("certificate_at_risk", "renewal_failed")],
      renewal: {
        notAfter: new Date("2026-11-20T08:00:00Z"),
        nextAttemptAt: new Date("2026-11-15T13:40:00Z"),
        isOwn: false,
      },
    }),
    severity: "warning",
    actor: "operator",
    title: `The certificate of ${hostname} may not be renewed in time`,
    evidence: [
      `Certificate of ${hostname}: its renewal has failed`,
      "It is valid until 08:00 UTC on 2026-11-20",
      "The next attempt is at 13:40 UTC",
    ],
    fix: /^It is tried again by itself/,
  },
  credential_failing: {
    facts: healthy({
      failingCredentials: [
        {
          provider: "cloudflare",
          name: "DNS token",
          lastError: "The token is not valid.",
          failingSince: new Date("2026-11-15T10:30:00Z"),
        },
      ],
    }),
    severity: "warning",
    actor: "tenant",
    title: "Cloudflare refuses the stored credential “DNS token”",
    evidence: ["Cloudflare: The token is not valid. (since 10:30 UTC)"],
    fix: /^Store a new credential for acme\.example/,
  },
  certificate_foreign: {
    facts: healthy({
      foreignCertificates: [
        {
          issuer: "CN=R1, O=Example Trust",
          serial: "8ff1c02a",
          notBefore: new Date("2026-11-15T09:30:00Z"),
          notAfter: new Date("2027-01-15T09:30:00Z"),
          names: ["shop.acme.example", "a.example", "b.example", "c.example"],
          log: "Example log",
          seenAt: new Date("2026-11-15T10:30:00Z"),
        },
      ],
    }),
    severity: "warning",
    actor: "end_customer",
    title: "Somebody else obtained a certificate for shop.acme.example",
    evidence: [
      "Example log: shop.acme.example, a.example, b.example and 1 more by CN=R1, O=Example Trust, serial 8ff1c02a (seen 10:30 UTC)",
    ],
    fix: /^Nothing, where the customer uses the name at a CDN/,
  },
  origin_unreachable: {
    facts: healthy({ troubles: [trouble("origin_unreachable", "origin_failing")] }),
    severity: "error",
    actor: "tenant",
    title: "The application behind the name does not answer",
    evidence: [
      "Edge: https://app.example cannot be reached, or answers with an error of a gateway (since 11:00 UTC)",
    ],
    fix: /^Check that the application runs/,
  },
  quota_exceeded: {
    facts: healthy({ connection: { state: "verified", errorCode: "quota_exceeded" } }),
    severity: "error",
    actor: "tenant",
    title: "shop.acme.example is proven, but the plan allows no more names",
    evidence: ["The service: as many names are in use as the plan allows"],
    fix: /^Choose a larger plan, or archive a name/,
  },
  check_failed: {
    facts: healthy({ connection: { errorCode: "check_failed" } }),
    severity: "error",
    actor: "operator",
    title: "The service cannot check shop.acme.example",
    evidence: ["Service: every check failed, and it has stopped trying"],
    fix: /^Verify the connection/,
  },
  origin_missing: {
    facts: healthy({
      application: { originUrl: null, recordTemplate: [], proofs: ["txt"], proxied: "accept" },
    }),
    severity: "warning",
    actor: "tenant",
    title: "The application has no origin yet",
    evidence: ["The service: origin_url of the application is not set"],
    fix: /^Set origin_url of the application/,
  },
  gave_up: {
    facts: healthy({
      connection: { state: "failed", errorCode: "ownership_timeout" },
      claim: "free",
      ...awaited,
    }),
    severity: "error",
    actor: "tenant",
    title: `The service has stopped checking ${hostname} by itself`,
    evidence: ["The service: in the time that is allowed, the ownership record was not found"],
    fix: /verify the connection again/,
  },
  records_changed: {
    facts: healthy({
      connection: {
        desiredRecords: [desired("CNAME", "old-edge.mooring.example")],
        pendingRecords: [desired("CNAME", edgeName)],
        errorCode: "records_changed",
      },
      dns: {
        ...withRecords(right(record("CNAME", "old-edge.mooring.example"))),
        pending: { records: [wrong(toEdge, "old-edge.mooring.example")], visibleEverywhereBy: now },
      },
    }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} needs other records than before`,
    evidence: [
      `Until now: ${hostname} CNAME old-edge.mooring.example`,
      `From now on: ${hostname} CNAME ${edgeName}`,
    ],
    fix: /^At Cloudflare, replace the old records with Type: CNAME, Name: shop, Content: edge\.mooring\.example, TTL: 300\. The domain stays connected/,
  },
  resolvers_failing: {
    facts: healthy({ dns: { caches: [{ record: toEdge, reply: failure("servfail") }] } }),
    severity: "warning",
    actor: "wait",
    title: "The nameservers have the records, but resolvers fail to resolve them",
    evidence: [`Resolvers, ${hostname}: answers with a failure (SERVFAIL)`],
    fix: /^Often it passes\. If it stays, some nameservers of acme\.example/,
  },
  records_cached: {
    facts: healthy({ dns: { caches: [{ record: toEdge, reply: absentReply(900) }] } }),
    severity: "info",
    actor: "wait",
    title: "The nameservers have everything; resolvers still remember what was there before",
    evidence: [`Resolvers, ${hostname}: nothing there, cached for 15 minutes`],
    fix: /visible everywhere by 12:15 UTC at the latest\.$/,
  },
  apex_by_address: {
    facts: healthy({
      connection: {
        hostname: "acme.example",
        kind: "apex",
        desiredRecords: [desired("A", "192.0.2.10", "acme.example")],
      },
      dns: withRecords(right(record("A", "192.0.2.10", "acme.example"))),
    }),
    severity: "info",
    actor: "wait",
    title: "acme.example holds the service's addresses",
    evidence: ["Wanted: A 192.0.2.10"],
    fix: /^Nothing to do now\..*www\.acme\.example/,
  },
  www_not_connected: {
    facts: healthy({
      dns: {
        twin: {
          name: "www.acme.example",
          records: [record("A", "203.0.113.9", "www.acme.example")],
          fromWildcard: false,
          complete: true,
        },
      },
    }),
    severity: "info",
    actor: "tenant",
    title: "www.acme.example does not lead to the service",
    evidence: ["www.acme.example: 203.0.113.9"],
    fix: /^Visitors often type either form\. Connect www\.acme\.example too/,
  },
  check_incomplete: {
    facts: healthy({ dns: { unfinished: ["the records"] } }),
    severity: "info",
    actor: "wait",
    title: "Not everything could be checked in time",
    evidence: ["Not answered in time: the records"],
    fix: /^Ask again shortly\.$/,
  },
} as const satisfies Readonly<Record<string, Case>>;
