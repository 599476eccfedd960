import {
  cutText,
  type Detection,
  type DnsRecord,
  detectProvider,
  type FailureReason,
  findForm,
  findPanel,
  findProvider,
  formValue,
  type PanelGuide,
  type ProviderManifest,
  type RecordForm,
  type ServerCheck,
  type ServerProof,
  toRelative,
} from "@mooring/dns";
import type { DiagnosisFacts } from "./facts.ts";

/** Where a person edits the domain's records, as far as it is known. */
export interface DnsHost {
  readonly zone: string;
  /** The provider's display name. */
  readonly provider: string | null;
  readonly manifest: ProviderManifest | null;
  /** Its panel and the form there. */
  readonly panel: PanelGuide | null;
  readonly form: RecordForm | null;
}

export function detectFromFacts({ dns }: DiagnosisFacts): Detection | null {
  if (dns.zone?.outcome !== "found") return null;
  return detectProvider(dns.zone.servers.map(({ host }) => host));
}

export function findDnsHost(facts: DiagnosisFacts): DnsHost {
  const { connection, dns } = facts;
  const detection = detectFromFacts(facts);
  if (dns.zone?.outcome !== "found" || detection === null) {
    const known = connection.provider === null ? null : (findProvider(connection.provider) ?? null);
    return dnsHost(connection.registrableDomain, known && { ...known, manifest: known });
  }
  return dnsHost(dns.zone.zone, detection.provider);
}

function dnsHost(zone: string, provider: Detection["provider"]): DnsHost {
  const slug = provider?.slug ?? null;
  const manifest = provider?.manifest ?? null;
  return {
    zone,
    provider: provider?.name ?? null,
    manifest,
    panel: findPanel(slug, zone),
    form: findForm(slug, manifest),
  };
}

/** "At Cloudflare", or a description when the provider is unknown. */
export function atDnsHost({ provider, zone }: DnsHost): string {
  return provider === null ? `Where the DNS of ${zone} is managed` : `At ${provider}`;
}

const plainNames = { host: "Name", value: "Value", ttl: "TTL" } as const;

/**
 * The record in the terms of the provider's own form: its field names and its way to write hosts.
 */
export function inForm(record: DnsRecord, { zone, manifest, form }: DnsHost): string {
  const names = { ...plainNames, ...form, value: form?.value ?? plainNames.value };
  const ttl = Math.max(record.ttl, form?.minimumTtlSeconds ?? 0);
  const priority = record.priority === null ? [] : [`Priority: ${record.priority}`];
  return [
    `Type: ${formType(record, manifest)}`,
    `${names.host}: ${formHost(record.name, zone, form)}`,
    `${names.value}: ${formValue(record, form)}`,
    ...priority,
    ...(names.ttl === null ? [] : [`${names.ttl}: ${ttl}`]),
  ].join(", ");
}

/** Several records in the terms of the form. */
export function allInForm(records: readonly DnsRecord[], dnsHost: DnsHost): string {
  return records.map((record) => inForm(record, dnsHost)).join("; and ");
}

export function formType(record: DnsRecord, manifest: ProviderManifest | null): string {
  return record.type === "ALIAS" ? (manifest?.apexRecordType ?? "ALIAS") : record.type;
}

export function formHost(name: string, zone: string, form: RecordForm | null): string {
  const relative = toRelative(name, zone);
  if (relative === null || form?.hostStyle === "absolute") return name;
  if (relative !== "@") return form === null ? `${relative} (in full: ${name})` : relative;
  switch (form?.apexHost ?? "@") {
    case "@":
      return "@";
    case "":
      return "(leave empty)";
    case "zone":
      return zone;
  }
}

const longest = 120;
const mostValues = 5;

/** Values come from the zone's owner: each is cut to fit a line, and their number is limited. */
export function shown(values: readonly string[]): string {
  const some = values.slice(0, mostValues).map(cut);
  const rest = values.length - some.length;
  return rest > 0 ? `${some.join(", ")} and ${rest} more` : some.join(", ");
}

/** The same without words, for texts in any language. */
export function listed(values: readonly string[]): string {
  const some = values.slice(0, mostValues).map(cut);
  return [...some, ...(values.length > some.length ? ["…"] : [])].join(", ");
}

function cut(value: string): string {
  return value.length > longest ? `${cutText(value, longest)}…` : value;
}

/** A present record as a line of evidence. */
export function recordLine({ name, type, value, priority }: DnsRecord): string {
  const rank = priority === null ? "" : `${priority} `;
  return `${name}: ${type} ${rank}${shown([type === "TXT" ? `"${value}"` : value])}`;
}

const failures: Readonly<Record<FailureReason, string>> = {
  timeout: "no answer in time",
  servfail: "answers with a failure (SERVFAIL)",
  refused: "refuses to answer (REFUSED)",
  unreachable: "cannot be reached",
  malformed: "gives an answer that cannot be read",
  bogus: "fails DNSSEC validation",
  cname_loop: "leads through aliases in a circle",
  lame: "does not serve this domain",
};

export function failureText(reason: FailureReason): string {
  return failures[reason];
}

/** What one server answered for the ownership record. */
export function proofLine({ server, outcome, values, reason }: ServerProof, type = "TXT"): string {
  if (reason === "cname") return `${server}: a CNAME, no ${type} record`;
  if (outcome === "unknown") return failedLine(server, reason);
  if (values.length === 0) return `${server}: no ${type} record`;
  const quoted = type === "TXT" ? values.map((value) => `"${value}"`) : values;
  const line = `${server}: ${type} ${shown(quoted)}`;
  const isEverywhere = reason === "wildcard" || reason === "wildcard_answer";
  return isEverywhere ? `${line} (from a wildcard)` : line;
}

/** What one server answered for a desired record. */
export function checkLine(check: ServerCheck, types: string): string {
  if (check.outcome === "unknown" && check.values.length === 0) {
    return failedLine(check.server, check.reason);
  }
  if (check.values.length === 0) return `${check.server}: no ${types} record`;
  return `${check.server}: ${shown(check.values)}`;
}

function failedLine(server: string, reason: ServerProof["reason"]): string {
  const isFailure =
    reason !== undefined &&
    reason !== "cname" &&
    reason !== "wildcard" &&
    reason !== "wildcard_answer";
  return `${server}: ${isFailure ? failureText(reason) : "no clear answer"}`;
}

/** Hours and minutes in UTC, and the date unless it is today. */
export function clockTime(at: Date, now: Date): string {
  const text = at.toISOString();
  const time = `${text.slice(11, 16)} UTC`;
  return text.slice(0, 10) === now.toISOString().slice(0, 10)
    ? time
    : `${time} on ${text.slice(0, 10)}`;
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, Math.round(seconds))} seconds`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3_600)} hours`;
}

/** What the CA said, in its own words, or what the edge found. */
export function faultLine({ fault }: Pick<DiagnosisFacts, "fault">): string[] {
  if (fault === null) return [];
  const { type, detail } = fault;
  if (type === null) return [`The last attempt: ${detail}`];
  return [`The certificate authority said: ${detail} (${type})`];
}
