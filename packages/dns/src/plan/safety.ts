import { isAtOrBelow } from "../name.ts";
import type { ProviderManifest } from "../providers/adapter/manifest.ts";
import type { DnsRecord } from "../record.ts";
import type { ZoneLimits, ZoneListing } from "../zone.ts";

export interface PlanInput {
  readonly zone: string;
  readonly manifest: ProviderManifest;
  /** Where the zone differs from the manifest. */
  readonly limits?: ZoneLimits | undefined;
  /** The zone as the provider lists it now. */
  readonly listing: ZoneListing;
  readonly desired: readonly DnsRecord[];
  /** What this service wrote into the zone before; only this is removed without authorisation. */
  readonly owned: readonly DnsRecord[];
  /** The only names at which anything may be changed. */
  readonly allowedNames: readonly string[];
  /**
   * Whether a setting of the provider, such as its proxy, is retained for a record that replaces
   * one with it.
   */
  readonly retainsSettings?: boolean;
  /** Ids of conflicts whose replacement a person authorised. */
  readonly replace?: readonly string[];
  /** How many records the last complete read had, to detect a truncated one. */
  readonly previousCount?: number;
}

export type RefusalCode =
  | "outside_zone"
  | "name_not_allowed"
  | "apex_spf"
  | "zone_records"
  | "contradiction"
  | "unsupported"
  | "incomplete_read";

export interface Refusal {
  readonly code: RefusalCode;
  readonly record: DnsRecord | null;
  readonly message: string;
}

/** A read with fewer than half of the previous records counts as truncated. */
const minPlausibleShare = 0.5;

/** Where a write replaces the zone, each record that a read lacks would be deleted. */
function plausibleShare({ rewriteWarning }: ProviderManifest): number {
  return rewriteWarning === undefined ? minPlausibleShare : 1;
}

export function refuseRead(input: PlanInput): readonly Refusal[] {
  const { listing, zone, manifest, previousCount = 0 } = input;
  const count = listing.records.length + listing.opaque.length;
  const stray = listing.records.find(({ name }) => !isAtOrBelow(name, zone));
  if (stray !== undefined) {
    const message = `The provider listed ${stray.name}, which is not in ${zone}; the reading cannot be trusted.`;
    return [{ code: "incomplete_read", record: stray, message }];
  }
  if (count >= previousCount * plausibleShare(manifest)) return [];
  const message = `The provider listed ${count} records of ${zone} where there were ${previousCount}; the reading seems incomplete.`;
  return [{ code: "incomplete_read", record: null, message }];
}

export function refuseDesired(input: PlanInput, desired: readonly DnsRecord[]): readonly Refusal[] {
  return desired.flatMap((record) => {
    const found = refuseRecord(record, desired, input);
    return found === null ? [] : [{ ...found, record }];
  });
}

type Found = { readonly code: RefusalCode; readonly message: string } | null;

function refuseRecord(record: DnsRecord, desired: readonly DnsRecord[], input: PlanInput): Found {
  return (
    refuseName(record, input) ??
    refuseApex(record, input.zone) ??
    refuseCompany(record, desired) ??
    refuseCapability(record, input)
  );
}

function refuseName(record: DnsRecord, { zone, allowedNames }: PlanInput): Found {
  if (!isAtOrBelow(record.name, zone)) {
    return { code: "outside_zone", message: `${record.name} is not in the zone ${zone}.` };
  }
  if (allowedNames.includes(record.name)) return null;
  return { code: "name_not_allowed", message: `${record.name} is not a name of this connection.` };
}

function refuseApex(record: DnsRecord, zone: string): Found {
  if (record.name !== zone) return null;
  if (record.type === "NS") {
    const message = `The name servers of ${zone} itself are never changed.`;
    return { code: "zone_records", message };
  }
  // A second policy voids both (RFC 7208 §4.5), and merging them needs a person who knows the
  // senders.
  if (record.type === "TXT" && /^v=spf1(?:\s|$)/i.test(record.value)) {
    return {
      code: "apex_spf",
      message: `The SPF record of ${zone} is never written automatically.`,
    };
  }
  return null;
}

/** RFC 1034 §3.6.2, among the desired records. */
function refuseCompany(record: DnsRecord, desired: readonly DnsRecord[]): Found {
  if (record.type !== "CNAME") return null;
  const others = desired.filter((one) => one.name === record.name && one !== record);
  if (others.length === 0) return null;
  return {
    code: "contradiction",
    message: `${record.name} cannot have a CNAME and any other record.`,
  };
}

function refuseCapability(record: DnsRecord, { manifest, limits }: PlanInput): Found {
  const { capabilities, name } = manifest;
  if (record.type === "ALIAS" && limits?.noApexAlias !== undefined) {
    return { code: "unsupported", message: limits.noApexAlias };
  }
  const missing =
    (record.type === "CAA" && !capabilities.caa && "CAA records") ||
    (record.type === "NS" && !capabilities.ns_delegation && "delegations by its interface") ||
    (record.type === "ALIAS" && !capabilities.cname_flattening && "a host name as apex target") ||
    (manifest.unwritableTypes?.includes(record.type) &&
      `${record.type} records by its interface`) ||
    (record.name.startsWith("*.") && !capabilities.wildcard && "wildcard records");
  if (missing === false) return null;
  return { code: "unsupported", message: `${name} does not support ${missing}.` };
}
