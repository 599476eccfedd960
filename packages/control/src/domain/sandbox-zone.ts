import { type DnsRecord, isRecordType, registrableDomain } from "@mooring/dns";
import { isSandboxName, type SandboxRecord } from "./sandbox.ts";

/** A zone under `.test` as it is kept: what its servers answer, and for whom it may be written. */
export interface SandboxZone {
  readonly zone: string;
  readonly tenantId: string;
  readonly nameservers: readonly string[];
  readonly records: readonly SandboxRecord[];
  readonly updatedAt: Date;
}

/** What a list shows of a zone. */
export interface SandboxZoneSummary {
  readonly zone: string;
  readonly nameservers: readonly string[];
  readonly recordCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Holds the names of the sandbox's own servers, so that nobody else may write it. */
export const sandboxHome = "sandbox.test";

/** By these a zone's provider is detected as the sandbox. */
export const sandboxNameservers: readonly string[] = [`a.ns.${sandboxHome}`, `b.ns.${sandboxHome}`];

export const maxZoneRecords = 500;
export const maxZonesPerTenant = 100;
export const sandboxTtlSeconds = 60;

/** Zones are the names directly under `.test`. */
export function isSandboxZone(name: string): boolean {
  return name !== sandboxHome && isSandboxName(name) && registrableDomain(name) === name;
}

/** Stands for a documentation address (RFC 5737): a sandbox server is never dialled. */
export function nameserverAddress(index: number): string {
  return `192.0.2.${index + 1}`;
}

export function toSandboxRecord(record: DnsRecord, visibleAt: Date): SandboxRecord {
  const { name: host, type, value, ttl, priority } = record;
  return { host, type, value, ttl, priority, visible_at: visibleAt.toISOString() };
}

/** Every kept record was parsed before it was stored; one of another type would be a bug. */
export function toDnsRecord(record: SandboxRecord): DnsRecord {
  const { host: name, type, value, ttl, priority } = record;
  if (!isRecordType(type)) throw new Error(`a sandbox zone holds a record of type ${type}`);
  return { name, type, value, ttl, priority };
}
