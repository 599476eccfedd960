import type { ConnectionDetail, DnsRecord, DomainCheck, RecordCheck } from "@mooring/sdk";
import { isUnproven } from "./machine/watching.ts";

/** One record that the customer is to add, as a form at a DNS provider wants it. */
export interface RecordRow {
  readonly purpose: "ownership" | "traffic";
  readonly record: DnsRecord;
  /** As the provider's form takes it; where that is not known, relative with `@` for the zone. */
  readonly host: string;
  /** What the provider calls the type. */
  readonly type: string;
  readonly status: "found" | "waiting" | "different" | "checking";
  /** What stands there instead. */
  readonly observed: string | null;
}

const challengeTtl = 300;

export function recordRows(
  connection: ConnectionDetail,
  records: readonly RecordCheck[] | null,
  check: DomainCheck | null,
): readonly RecordRow[] {
  const zone = zoneOf(connection, check);
  const form = check?.record_form ?? null;
  const desired = connection.desired_records.map((record): RecordRow => {
    const host = formHost(record.host, zone, form);
    const type = record.type === "ALIAS" ? (form?.apex_type ?? record.type) : record.type;
    return { purpose: "traffic", record, host, type, ...statusOf(record, connection, records) };
  });
  return [ownershipRow(connection, zone, form), ...desired];
}

export type RecordForm = DomainCheck["record_form"];

/** A host as the provider's form takes it. */
export function formHost(name: string, zone: string, form: RecordForm): string {
  const isZone = name === zone;
  if (form?.host_style === "absolute") return name;
  if (isZone && form !== null) return form.apex_host === "zone" ? zone : form.apex_host;
  return relativeHost(name, zone);
}

function ownershipRow(connection: ConnectionDetail, zone: string, form: RecordForm): RecordRow {
  const { name, value } = connection.ownership_challenge;
  const isMissing = isUnproven(connection);
  const isOther = isMissing && connection.error_code === "txt_mismatch";
  return {
    purpose: "ownership",
    record: { host: name, type: "TXT", value, ttl: challengeTtl, priority: null },
    host: formHost(name, zone, form),
    type: "TXT",
    status: isOther ? "different" : isMissing ? "waiting" : "found",
    observed: null,
  };
}

/** The domain that was registered; a zone of its own below it is named in the analysis' warnings. */
export function zoneOf(connection: ConnectionDetail, check: DomainCheck | null): string {
  if (check !== null) return check.registrable_domain;
  const { hostname, kind } = connection;
  return kind === "apex" ? hostname : hostname.slice(hostname.indexOf(".") + 1);
}

export function relativeHost(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

function statusOf(
  record: DnsRecord,
  connection: ConnectionDetail,
  records: readonly RecordCheck[] | null,
): Pick<RecordRow, "status" | "observed"> {
  const isSame = (other: DnsRecord) =>
    other.host === record.host && other.type === record.type && other.value === record.value;
  const checked = records?.find(isSame);
  if (checked === undefined) {
    const seen = connection.observed_records.find(isSame);
    return { status: seen?.propagated === true ? "found" : "checking", observed: null };
  }
  if (checked.propagated) return { status: "found", observed: null };
  const observed = checked.observed_value;
  return { status: observed === null || observed === "" ? "waiting" : "different", observed };
}
