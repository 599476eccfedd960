import type { FailureReason, RecordCheck, Reply } from "@mooring/dns";
import { isEdgeName } from "../ownership/target.ts";
import { fromDesired } from "../records/desired-records.ts";
import {
  type CacheFacts,
  type DiagnosisFacts,
  decisiveChecks,
  isBeingWritten,
  isSettled,
} from "./facts.ts";
import { beingWritten, type Rule } from "./finding.ts";
import {
  allInForm,
  atDnsHost,
  clockTime,
  duration,
  failureText,
  faultLine,
  findDnsHost,
  shown,
} from "./finding-text.ts";
import { isAddressLike, isNameRight } from "./record-rules.ts";

/** Rules for what remains when the nameservers have every record, and for general advice. */

export const recordsCached: Rule = (facts) => {
  const late = facts.dns.caches.filter((cache) => isLate(facts, cache));
  const isRight = decisiveChecks(facts).every(({ record }) => isNameRight(facts, record.name));
  if (late.length === 0 || !isSettled(facts) || !isRight) return [];
  const seconds = Math.max(...late.map(({ reply }) => cachedSeconds(reply)));
  const by = clockTime(new Date(facts.now.getTime() + seconds * 1_000), facts.now);
  const when = seconds > 0 ? `by ${by} at the latest` : "soon";
  return [
    {
      severity: "info",
      title: "The nameservers have everything; resolvers still remember what was there before",
      evidence: late.map(({ record, reply }) => `Resolvers, ${record.name}: ${said(reply)}`),
      actor: "wait",
      fix: `Nothing to do: what was changed is visible everywhere ${when}.`,
    },
  ];
};

/**
 * For an alias of another name than the edge's, the addresses do not show whether it is current.
 */
function isLate({ edge }: DiagnosisFacts, { record, reply }: CacheFacts): boolean {
  if (reply.outcome === "failed" || reply.chain.includes(record.value)) return false;
  const isFollower = record.type === "CNAME" || record.type === "ALIAS";
  if (isFollower && reply.chain.length === 0 && !isEdgeName(edge.cname, record.value)) {
    return false;
  }
  if (reply.outcome === "absent") return true;
  const values = reply.records.map(({ value }) => value);
  return !values.includes(record.value) && !values.every((value) => edge.addresses.has(value));
}

function cachedSeconds(reply: Reply): number {
  if (reply.outcome === "failed") return 0;
  if (reply.outcome === "absent") return reply.negativeTtlSeconds ?? 0;
  return Math.max(0, ...reply.records.map(({ ttl }) => ttl));
}

function said(reply: Reply): string {
  if (reply.outcome === "failed") return failureText(reply.reason);
  const seconds = cachedSeconds(reply);
  const rest = seconds > 0 ? `, cached for ${duration(seconds)}` : "";
  if (reply.outcome === "absent") return `nothing there${rest}`;
  return `${shown(reply.records.map(({ value }) => value))}${rest}`;
}

/** A timeout may be our own resolver's fault; visitors get these errors too. */
const resolverErrors: ReadonlySet<FailureReason> = new Set(["servfail", "refused", "malformed"]);

export const resolversFailing: Rule = (facts) => {
  const failed = facts.dns.caches.filter(
    ({ reply }) => reply.outcome === "failed" && resolverErrors.has(reply.reason),
  );
  if (failed.length === 0) return [];
  const { zone } = findDnsHost(facts);
  return [
    {
      severity: "warning",
      title: "The nameservers have the records, but resolvers fail to resolve them",
      evidence: failed.map(({ record, reply }) => `Resolvers, ${record.name}: ${said(reply)}`),
      actor: "wait",
      fix: `Often it passes. If it stays, some nameservers of ${zone} answer resolvers otherwise than us: ask its DNS provider, and check DNSSEC and the list of nameservers at the registrar.`,
    },
  ];
};

const longSeconds = 3_600;

export const slowToChange: Rule = (facts) => {
  const by = facts.dns.records?.visibleEverywhereBy ?? null;
  const seconds = by === null ? 0 : (by.getTime() - facts.now.getTime()) / 1_000;
  if (seconds <= longSeconds || isSettled(facts)) return [];
  return [
    {
      severity: "info",
      title: `The present records are cached for up to ${duration(seconds)}`,
      evidence: (facts.dns.records?.records ?? [])
        .filter(({ outcome }) => outcome !== "match")
        .map(
          ({ record, observedValues }) => `${record.name}: ${shown(observedValues) || "nothing"}`,
        ),
      actor: "wait",
      params: { hours: String(Math.ceil(seconds / 3_600)) },
      fix: `After the records are corrected, some visitors may see the old ones for up to ${duration(seconds)}. To shorten that for a later change, lower the TTL of the old records first.`,
    },
  ];
};

export const apexByAddress: Rule = (facts) => {
  const { connection } = facts;
  const at = connection.desiredRecords.filter(({ host }) => host === connection.hostname);
  const addresses = at.filter(({ type }) => type === "A" || type === "AAAA");
  if (addresses.length === 0 || !resolvesToEdge(facts)) return [];
  if (!isNameRight(facts, connection.hostname)) return [];
  return [
    {
      severity: "info",
      title: `${connection.hostname} holds the service's addresses`,
      evidence: addresses.map(({ type, value }) => `Wanted: ${type} ${value}`),
      actor: "wait",
      fix: `Nothing to do now. Should the service's addresses change one day, these records must change too; a DNS provider with ALIAS or CNAME flattening, or a name such as www.${connection.hostname}, follows by itself.`,
    },
  ];
};

/** Whether the desired records point the hostname to the edge. */
export function resolvesToEdge({ connection, edge }: DiagnosisFacts): boolean {
  return connection.desiredRecords.some(
    ({ host, type, value }) =>
      host === connection.hostname &&
      isAddressLike(type) &&
      (isEdgeName(edge.cname, value) || edge.configured.includes(value)),
  );
}

export const recordsChanged: Rule = (facts) => {
  const { connection, dns } = facts;
  const { pendingRecords } = connection;
  if (pendingRecords === null) return [];
  const isWritten = isBeingWritten(facts);
  const there = new Set((dns.pending?.records ?? []).filter(isThere).map(({ record }) => record));
  const requested = pendingRecords.map(fromDesired);
  const open = dns.pending?.records.map(({ record }) => record) ?? requested;
  const missing = open.filter((record) => !there.has(record));
  return [
    {
      severity: isWritten ? "info" : "warning",
      title: `${connection.hostname} needs other records than before`,
      evidence: [
        ...connection.desiredRecords.map(
          ({ host, type, value }) => `Until now: ${host} ${type} ${value}`,
        ),
        ...requested.map(({ name, type, value }) => `From now on: ${name} ${type} ${value}`),
      ],
      actor: isWritten ? "wait" : "end_customer",
      add: isWritten ? [] : missing.length > 0 ? missing : requested,
      fix: isWritten
        ? beingWritten.fix
        : `${atDnsHost(findDnsHost(facts))}, replace the old records with ${allInForm(missing.length > 0 ? missing : requested, findDnsHost(facts))}. The domain stays connected meanwhile.`,
    },
  ];
};

function isThere({ outcome }: RecordCheck): boolean {
  return outcome === "match";
}

export const wwwNotConnected: Rule = (facts) => {
  const { connection, dns, edge } = facts;
  const { twin } = dns;
  if (twin === null || !twin.complete || !isSettled(facts)) return [];
  if (connection.desiredRecords.some(({ host }) => host === twin.name)) return [];
  const targets = twin.records.filter(({ type }) => isAddressLike(type));
  const isHere = targets.some(
    ({ value }) => isEdgeName(edge.cname, value) || edge.addresses.has(value),
  );
  if (isHere) return [];
  return [
    {
      severity: "info",
      title: `${twin.name} does not lead to the service`,
      evidence: [
        targets.length === 0
          ? `${twin.name}: no address`
          : `${twin.name}: ${shown(targets.map(({ value }) => value))}`,
      ],
      actor: "tenant",
      params: { name: twin.name },
      fix: `Visitors often type either form. Connect ${twin.name} too, or redirect it to ${connection.hostname} where it is served now.`,
    },
  ];
};

export const archivedStillPointsHere: Rule = (facts) => {
  const { connection, claim, dns } = facts;
  if (connection.state !== "archived" || claim !== "free") return [];
  const left = (dns.records?.records ?? []).filter(
    ({ record, outcome }) => isAddressLike(record.type) && outcome === "match",
  );
  if (left.length === 0) return [];
  return [
    {
      severity: "warning",
      title: `${connection.hostname} is archived, but still leads to the service`,
      evidence: left.map(({ record }) => `${record.name}: ${record.type} ${record.value}`),
      actor: "end_customer",
      remove: left.map(({ record }) => record),
      fix: `Remove these records where the DNS of ${findDnsHost(facts).zone} is managed: a name that points at a service which does not serve it can be misused.`,
    },
  ];
};

const phases = {
  ownership_timeout: "the ownership record was not found",
  propagation_timeout: "the records were not all seen",
  certificate_timeout: "no certificate could be obtained",
} as const;

export const gaveUp: Rule = (facts) => {
  const { connection } = facts;
  if (connection.state !== "failed") return [];
  const { errorCode } = connection;
  const isTimeout =
    errorCode === "ownership_timeout" ||
    errorCode === "propagation_timeout" ||
    errorCode === "certificate_timeout";
  return [
    {
      severity: "error",
      title: `The service has stopped checking ${connection.hostname} by itself`,
      evidence: [
        isTimeout
          ? `The service: in the time that is allowed, ${phases[errorCode]}`
          : "The service: the connection has failed",
        ...(errorCode === "certificate_timeout" ? faultLine(facts) : []),
      ],
      actor: "tenant",
      fix: "When what is listed here is fixed, verify the connection again: it goes on with the same ownership record.",
    },
  ];
};

export const checkIncomplete: Rule = (facts) => {
  const { unfinished } = facts.dns;
  if (unfinished.length === 0) return [];
  return [
    {
      severity: "info",
      title: "Not everything could be checked in time",
      evidence: unfinished.map((what) => `Not answered in time: ${what}`),
      actor: "wait",
      fix: "Ask again shortly.",
    },
  ];
};
