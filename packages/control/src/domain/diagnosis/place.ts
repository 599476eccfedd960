import {
  type Detection,
  type DnsRecord,
  detectProvider,
  findProvider,
  type ProviderManifest,
  toRelative,
} from "@mooring/dns";
import type { DiagnosisFacts } from "./facts.ts";

/** Where a person edits the domain's records, as far as it is known. */
export interface Place {
  readonly zone: string;
  /** The provider's display name. */
  readonly provider: string | null;
  readonly manifest: ProviderManifest | null;
}

export function detectionOf({ dns }: DiagnosisFacts): Detection | null {
  if (dns.zone?.outcome !== "found") return null;
  return detectProvider(dns.zone.servers.map(({ host }) => host));
}

export function placeOf(facts: DiagnosisFacts): Place {
  const { connection, dns } = facts;
  const detection = detectionOf(facts);
  if (dns.zone?.outcome !== "found" || detection === null) {
    const known = connection.provider === null ? null : (findProvider(connection.provider) ?? null);
    const zone = connection.registrableDomain;
    return { zone, provider: known?.name ?? null, manifest: known };
  }
  const { provider } = detection;
  return {
    zone: dns.zone.zone,
    provider: provider?.name ?? null,
    manifest: provider?.manifest ?? null,
  };
}

/** "At Cloudflare", or where it is not known at whose. */
export function atProvider({ provider, zone }: Place): string {
  return provider === null ? `Where the DNS of ${zone} is managed` : `At ${provider}`;
}

const plainNames = { host: "Name", value: "Value", ttl: "TTL" } as const;

/** The record as the provider's own form takes it: its names for the inputs, its way to write hosts. */
export function inForm(record: DnsRecord, { zone, manifest }: Place): string {
  const names = manifest?.fieldNames ?? plainNames;
  const priority = record.priority === null ? [] : [`Priority: ${record.priority}`];
  return [
    `Type: ${formType(record, manifest)}`,
    `${names.host}: ${formHost(record.name, zone, manifest)}`,
    `${names.value}: ${record.value}`,
    ...priority,
    `${names.ttl}: ${Math.max(record.ttl, manifest?.minimumTtlSeconds ?? 0)}`,
  ].join(", ");
}

/** Several records, one after the other. */
export function allInForm(records: readonly DnsRecord[], place: Place): string {
  return records.map((record) => inForm(record, place)).join("; and ");
}

export function formType(record: DnsRecord, manifest: ProviderManifest | null): string {
  return record.type === "ALIAS" ? (manifest?.apexRecordType ?? "ALIAS") : record.type;
}

export function formHost(name: string, zone: string, manifest: ProviderManifest | null): string {
  const relative = toRelative(name, zone);
  if (relative === null || manifest?.hostStyle === "absolute") return name;
  if (relative !== "@") return manifest === null ? `${relative} (in full: ${name})` : relative;
  switch (manifest?.apexHost ?? "@") {
    case "@":
      return "@";
    case "":
      return "(leave empty)";
    case "zone":
      return zone;
  }
}
