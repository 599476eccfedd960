import {
  confusables,
  type Detection,
  type DnssecFault,
  type FailureReason,
  foreignLine,
  isProxyAddress,
  nearestEnding,
  registrableDomain,
  toUnicode,
} from "@mooring/dns";
import type { DesiredRecord } from "../../domain/connections/connection.ts";
import type { ProxiedChoice } from "../../domain/connections/front.ts";
import { dnssecRepair } from "../../domain/diagnosis/dnssec-repair.ts";
import type { WarningCode } from "../../domain/locales/warnings/en.ts";
import { isTrafficType } from "../../domain/records/desired-records.ts";
import type { DomainFacts } from "./facts.ts";
import type { NameObservation } from "./observe-name.ts";

export interface WarningInput {
  readonly hostname: string;
  readonly facts: DomainFacts;
  readonly detection: Detection | null;
  readonly desired: readonly DesiredRecord[];
  readonly conflicts: readonly DesiredRecord[];
  /** The CAA names of the certificate authorities that may issue. */
  readonly issuers: readonly string[];
  /** Whether names may stay behind a CDN. */
  readonly proxied: ProxiedChoice;
}

/**
 * With the code and the parameters, a text in any language; `message` is for developers and
 * operators.
 */
export interface Warning {
  readonly code: WarningCode;
  readonly params: Readonly<Record<string, string>>;
  /** A sentence that starts with the action. */
  readonly message: string;
}

/** What a person should do or know before connecting, most severe first. */
export function warningsFor(input: WarningInput): readonly Warning[] {
  return [
    ...aboutRegistration(input),
    ...aboutSpelling(input.hostname),
    ...aboutDnssec(input),
    ...aboutDelegation(input),
    ...aboutCaa(input),
    ...aboutTraffic(input),
    ...aboutApex(input),
    ...aboutWildcards(input),
    ...aboutGaps(input.facts),
  ];
}

function registeredDomain(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}

function aboutRegistration({ hostname, facts }: WarningInput): Warning[] {
  if (facts.zone?.outcome !== "unregistered") return [];
  const zone = registeredDomain(hostname);
  const meant = nearestEnding(hostname);
  if (meant !== null) {
    const message = `Check the ending of ${hostname}: there is none such. Is ${meant} meant?`;
    return [{ code: "ending_unknown", params: { domain: hostname, meant }, message }];
  }
  const message = `Register ${zone} first, or check its spelling: DNS does not know it.`;
  return [{ code: "not_registered", params: { zone }, message }];
}

function aboutSpelling(hostname: string): Warning[] {
  const why = {
    mixed_script: "it mixes letters of several scripts",
    latin_lookalike: "its letters can be mistaken for Latin ones",
  } as const;
  return confusables(hostname).map(({ label, kind }) => ({
    code: kind,
    params: { domain: hostname, label },
    message: `Check that ${toUnicode(hostname)} (${hostname}) is the name that is meant: in "${label}" ${why[kind]}.`,
  }));
}

function aboutDnssec({ hostname, facts }: WarningInput): Warning[] {
  if (facts.dnssec.status !== "bogus") return [];
  const { fault } = facts.dnssec;
  const zone = fault?.zone ?? registeredDomain(hostname);
  return [
    { code: "dnssec_broken", params: { zone }, message: dnssecMessage(zone, fault, hostname) },
  ];
}

function dnssecMessage(zone: string, fault: DnssecFault | null, hostname: string): string {
  if (fault !== null) {
    const { why, fix } = dnssecRepair(fault, hostname);
    return `${fix} ${why} Many visitors and every certificate authority are turned away.`;
  }
  return `Repair DNSSEC for ${zone} at its registrar (correct or remove the DS record): its answers fail validation, so that many visitors and every certificate authority are turned away.`;
}

function aboutDelegation({ hostname, facts, detection }: WarningInput): Warning[] {
  const { zone } = facts;
  const domain = registeredDomain(hostname);
  if (zone?.outcome === "failed" && isTheirFault(zone.reason)) {
    const message = `Check the nameservers of ${domain} at its registrar: they do not answer for it (${zone.reason}).`;
    return [{ code: "ns_failing", params: { zone: domain }, message }];
  }
  const warnings: Warning[] = [];
  const names = detection?.ambiguous.map(({ name }) => name) ?? [];
  if (detection?.mixed === true) {
    const known = names.length > 1 ? names.join(", ") : `${names.join("")} and another provider`;
    warnings.push({
      code: "ns_mixed_operators",
      params: { zone: domain },
      message: `Add the records at every DNS provider of the domain: its nameservers belong to different ones (${known}).`,
    });
  } else if (names.length > 0) {
    const all = [detection?.provider?.name ?? "", ...names].join(", ");
    warnings.push({
      code: "provider_ambiguous",
      params: { zone: domain, providers: all },
      message: `Make sure where the DNS is managed: these nameservers serve ${all} alike.`,
    });
  }
  warnings.push(...aboutStaleOffer(facts));
  if (zone?.outcome === "found" && zone.zone !== domain) {
    warnings.push({
      code: "zone_delegated",
      params: { zone: zone.zone },
      message: `Add the records in the zone ${zone.zone}: it is delegated to nameservers of its own, so that records in a zone above it have no effect.`,
    });
  }
  return warnings;
}

/** The _domainconnect record may have been copied along when the zone moved to another provider. */
function aboutStaleOffer({ zone, domainConnect }: DomainFacts): Warning[] {
  if (zone?.outcome !== "found" || domainConnect?.offered !== true) return [];
  const { nameServers, providerName } = domainConnect.settings;
  const isServed = zone.servers.some(({ host }) => nameServers.includes(host));
  if (nameServers.length === 0 || isServed) return [];
  return [
    {
      code: "domain_connect_stale",
      params: { zone: zone.zone, provider: providerName },
      message: `Make sure that the DNS is still managed at ${providerName}: it offers to set the records, but the domain uses other nameservers than it names.`,
    },
  ];
}

/** A timeout may be our own network's fault; any other failure is an answer of the nameservers. */
function isTheirFault(reason: FailureReason): boolean {
  return reason !== "timeout" && reason !== "unreachable" && reason !== "bogus";
}

function aboutCaa({ hostname, facts, issuers }: WarningInput): Warning[] {
  const { caa } = facts;
  if (caa?.outcome === "unknown" && facts.zone?.outcome === "found") {
    const message = `Check the nameservers behind ${caa.name}: they give no answer about CAA records, without which no certificate authority issues.`;
    return [{ code: "caa_unanswered", params: { zone: facts.zone.zone }, message }];
  }
  if (caa?.outcome !== "forbidden") return [];
  const at = caa.name ?? hostname;
  const forbidden = { code: "caa_forbidden", params: { name: at, domain: hostname } } as const;
  if (caa.reason.by === "accounturi" || caa.reason.by === "validationmethods") {
    const message = `Remove the parameter ${caa.reason.by}=${caa.reason.value} from the CAA record at ${at}: it keeps the certificate authority from issuing.`;
    return [{ ...forbidden, message }];
  }
  const record = `${at} CAA 0 issue "${issuers[0] ?? ""}"`;
  const message = `Add the record ${record}: the CAA records at ${at} (${shown(caa.records)}) allow other certificate authorities only, so that no certificate can be issued.`;
  return [{ ...forbidden, message }];
}

function aboutTraffic({ desired, conflicts, facts, proxied: choice }: WarningInput): Warning[] {
  const directed = new Set(
    desired.filter(({ type }) => isTrafficType(type)).map(({ host }) => host),
  );
  const proxied = facts.names
    .filter((observed) => directed.has(observed.name) && isProxied(observed, facts.edgeAddresses))
    .map(({ name }) => (choice === "refuse" ? switchOff(name) : mayStay(name)));
  const leftovers = conflicts
    .filter(({ type, host }) => type === "AAAA" && directed.has(host))
    .filter(({ value }) => choice === "refuse" || !isProxyAddress(value))
    .map(({ host, value }) => ({
      code: "aaaa_leftover" as const,
      params: { name: host, observed: value },
      message: `Remove the AAAA record ${value} at ${host}: visitors with IPv6, and the certificate authority, would go there instead.`,
    }));
  const bindings = conflicts
    .filter(({ type }) => type === "HTTPS")
    .map(({ host, value, priority }) => ({
      code: "https_leftover" as const,
      params: { name: host },
      message: `Remove the HTTPS record ${priority} ${value} at ${host}: browsers that read it would go elsewhere, or not connect.`,
    }));
  return [...proxied, ...leftovers, ...bindings, ...aboutCaches(conflicts)];
}

function switchOff(name: string): Warning {
  const message = `Switch the proxy off for ${name} ("DNS only"): it answers with addresses of Cloudflare's proxy, which hide the record behind them.`;
  return { code: "record_proxied", params: { name }, message };
}

function mayStay(name: string): Warning {
  const message = `Leave ${name} behind Cloudflare's proxy if you like, and set its target there to the desired record, with the encryption mode "Full (strict)".`;
  return { code: "behind_cdn", params: { name, cdn: "Cloudflare" }, message };
}

/** People expect an hour; a longer TTL is worth a warning. */
const longTtlSeconds = 3_600;

function aboutCaches(conflicts: readonly DesiredRecord[]): Warning[] {
  const longest = Math.max(0, ...conflicts.map(({ ttl }) => ttl));
  if (longest <= longTtlSeconds) return [];
  const hours = Math.ceil(longest / 3_600);
  const message = `Expect up to ${hours} hours until every visitor sees the change: the records that are there now may be cached for so long.`;
  return [{ code: "slow_to_change", params: { hours: String(hours) }, message }];
}

/** A wildcard's proxying does not count: it ends with the first record at the name. */
function isProxied(observed: NameObservation, edgeAddresses: ReadonlySet<string>): boolean {
  if (observed.fromWildcard) return false;
  return observed.records.some(({ value }) => isProxyAddress(value) && !edgeAddresses.has(value));
}

/**
 * At an apex without flattening: a CNAME is impossible, and addresses do not follow the service.
 */
function aboutApex({ hostname, facts, detection, desired }: WarningInput): Warning[] {
  const isZoneApex = facts.zone?.outcome === "found" && facts.zone.zone === hostname;
  const manifest = detection?.provider?.manifest ?? null;
  if (!isZoneApex || (manifest !== null && manifest.apexFlattening !== "none")) return [];
  const at = desired.filter(({ host, type }) => host === hostname && isTrafficType(type));
  if (at.some(({ type }) => type === "CNAME" || type === "ALIAS")) {
    const message = `Use A and AAAA records at ${hostname}, or a provider that offers ALIAS or CNAME flattening: DNS allows no CNAME at the top of a zone.`;
    return [{ code: "apex_needs_alias", params: { name: hostname }, message }];
  }
  if (at.length === 0) return [];
  const message = `Keep the A and AAAA records of ${hostname} up to date: they hold the service's addresses, which may change one day; a provider with ALIAS or CNAME flattening, or a name such as www.${hostname}, follows by itself.`;
  return [{ code: "apex_by_address", params: { name: hostname }, message }];
}

function aboutWildcards({ facts }: WarningInput): Warning[] {
  return facts.names
    .filter(({ fromWildcard }) => fromWildcard)
    .map(({ name, records }) => ({
      code: "wildcard_answers" as const,
      params: { name },
      message: `Add all records for ${name} together: a wildcard answers for it now (${shown(records)}), and stops as soon as any record at or below the name exists.`,
    }));
}

function aboutGaps({ zone, caa, dnssec, names }: DomainFacts): Warning[] {
  if (zone?.outcome === "unregistered") return [];
  const isSilent =
    zone === null ||
    (zone.outcome === "failed" && (zone.reason === "timeout" || zone.reason === "unreachable"));
  // Answers of a zone whose DNSSEC is broken are not missing: they are not believed.
  const isPartial =
    zone?.outcome === "found" &&
    dnssec.status !== "bogus" &&
    (caa === null || dnssec.status === "unknown" || names.some(({ complete }) => !complete));
  if (!isSilent && !isPartial) return [];
  const message =
    "Check again shortly: some DNS servers did not answer in time, so that not everything is known.";
  return [{ code: "check_incomplete", params: {}, message }];
}

const maxShown = 3;
const maxValueLength = 80;

/** Values come from the zone's owner: they are cut, and stripped of control characters. */
function shown(records: readonly { readonly type: string; readonly value: string }[]): string {
  const texts = records.slice(0, maxShown).map(({ type, value }) => {
    const plain = foreignLine(value, maxValueLength);
    return `${type} ${plain}${value.length > maxValueLength ? "…" : ""}`;
  });
  return [...texts, ...(records.length > maxShown ? ["…"] : [])].join("; ");
}
