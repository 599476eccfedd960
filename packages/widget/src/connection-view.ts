import type {
  ConnectionDetail,
  DnsRecord,
  DomainCheck,
  RecordCheck,
  SetupGuide,
} from "@mooring/sdk";
import { moveStatus } from "./machine/cutover.ts";
import { type Joined, partsOf } from "./machine/joined.ts";
import { isContested } from "./machine/routing.ts";

/** A record that the customer adds, in the form that their DNS provider expects. */
export interface RecordRow {
  /** `both`: for visitors, and it proves ownership. Null for a record that a finding asks for. */
  readonly purpose: "ownership" | "traffic" | "both" | "validation" | null;
  readonly record: DnsRecord;
  /** As the provider's form expects it; if unknown, relative with `@` for the zone. */
  readonly host: string;
  /** With a dot at the end of a host name where the form needs it. */
  readonly value: string;
  /** The provider's name of the type. */
  readonly type: string;
  /** At least what the provider accepts; null also where its form has no field for it. */
  readonly ttl: number | null;
  /** Null where it is not checked by itself. */
  readonly status: "found" | "waiting" | "different" | "checking" | null;
  /** The value that DNS has instead. */
  readonly observed: string | null;
}

/** The records that are needed for the connection, or for both names of a pair. */
export function recordRows(
  connection: Joined,
  records: readonly RecordCheck[] | null,
  check: DomainCheck | null,
  proofs: readonly RecordCheck[] = [],
): readonly RecordRow[] {
  const status = moveStatus(connection);
  return partsOf(connection).flatMap((one) => {
    const rows = rowsOfOne(one, records, check, proofs);
    // Both of a pair are switched together, when both are ready.
    return moveStatus(one) === null ? rows : rowsOfMove(rows, status === "preparing");
  });
}

/**
 * Before the switch only records that no visitor follows, and then only those that visitors follow.
 */
function rowsOfMove(rows: readonly RecordRow[], isBefore: boolean): readonly RecordRow[] {
  const isFollowed = ({ purpose }: RecordRow) => purpose === "traffic" || purpose === "both";
  return rows.filter((row) => isFollowed(row) !== isBefore);
}

/** What proves ownership before the name is switched, where another record proves it too. */
export function earlyProofs(connection: Joined, check: DomainCheck | null): readonly RecordRow[] {
  return partsOf(connection).flatMap((one) =>
    one.needed_records
      .filter(({ optional }) => optional)
      .map(
        (record): RecordRow => ({
          ...desiredRow(record, findZone(one, check), check),
          purpose: "ownership",
        }),
      ),
  );
}

function rowsOfOne(
  connection: ConnectionDetail,
  records: readonly RecordCheck[] | null,
  check: DomainCheck | null,
  proofs: readonly RecordCheck[],
): readonly RecordRow[] {
  const zone = findZone(connection, check);
  const needed = connection.needed_records.filter(({ optional }) => !optional);
  const isByText = hasOwnershipStep(connection);
  const rows = needed.map((record): RecordRow => {
    const row = desiredRow(record, zone, check);
    if (record.purpose === "ownership") {
      const seen = proofs.find(({ host, value }) => host === record.host && value === record.value);
      return { ...row, purpose: "ownership", ...ownershipStatus(connection, seen) };
    }
    if (record.purpose === "validation") {
      return { ...row, purpose: "validation", ...recordStatus(record, connection, records) };
    }
    const { value, host } = record;
    // The CNAME of a wildcard is that of every name, and proves none.
    const mayProve = !isByText && !connection.wildcard;
    const proves = mayProve && host === connection.hostname && value === connection.target;
    const isValidation = host === connection.validation?.name;
    const purpose = isValidation ? "validation" : proves ? "both" : "traffic";
    return { ...row, purpose, ...recordStatus(record, connection, records) };
  });
  return [...provenRow(connection, zone, check), ...rows];
}

/** A record in the form of the provider. */
export function desiredRow(record: DnsRecord, zone: string, check: DomainCheck | null): RecordRow {
  const form = check?.record_form ?? null;
  return {
    purpose: null,
    record,
    host: formHost(record.host, zone, form),
    value: formValue(record, form),
    type: record.type === "ALIAS" ? (form?.apex_type ?? record.type) : record.type,
    ttl: formTtl(record, form),
    status: null,
    observed: null,
  };
}

/** The records that replace those of a live connection. */
export function pendingRows(
  connection: ConnectionDetail | null,
  check: DomainCheck | null,
): readonly RecordRow[] {
  if (connection === null || connection.pending_records === null) return [];
  return recordRows(connection, null, check)
    .filter(({ purpose }) => purpose === "traffic" || purpose === "both")
    .map((row) => ({ ...row, status: "waiting" }));
}

export type RecordForm = DomainCheck["record_form"];

/** A host as the provider's form expects it. */
export function formHost(name: string, zone: string, form: RecordForm): string {
  const isZone = name === zone;
  if (form?.host_style === "absolute") return name;
  if (isZone && form !== null) return form.apex_host === "zone" ? zone : form.apex_host;
  return relativeHost(name, zone);
}

/** A value as the provider's form expects it. */
export function formValue({ type, value }: DnsRecord, form: RecordForm): string {
  const hasTarget = endsInName.includes(type) && !value.endsWith(".");
  return form?.target_dot === true && hasTarget ? `${value}.` : value;
}

export type PanelNote = NonNullable<SetupGuide["manual"]>["notes"][number];

/** The notes of a panel that are about any of the records. */
export function notesAbout(
  rows: readonly RecordRow[],
  notes: readonly PanelNote[],
  zone: string,
): readonly PanelNote[] {
  const some = (test: (record: DnsRecord) => boolean) => rows.some(({ record }) => test(record));
  const isAbout: Partial<Record<PanelNote, boolean>> = {
    addresses_apart: some(({ type }) => type === "A" || type === "AAAA"),
    no_apex_alias: some(
      ({ host, type }) => host === zone && (type === "ALIAS" || type === "CNAME"),
    ),
    no_wildcard: some(({ host }) => host.startsWith("*.")),
    quotes: some(({ type }) => type === "TXT"),
  };
  return notes.filter((note) => isAbout[note] ?? true);
}

function formTtl({ ttl }: DnsRecord, form: RecordForm): number | null {
  if (ttl === null || form?.ttl_label === null) return null;
  return Math.max(ttl, form?.minimum_ttl ?? 0);
}

function ownershipStatus(
  connection: ConnectionDetail,
  seen: RecordCheck | undefined,
): Pick<RecordRow, "status" | "observed"> {
  const { error_code: code } = connection;
  // The record of a prover was found; that of a holder who is asked to prove again was not.
  const isMissing = isContested(connection) || code !== "hostname_conflict";
  if (!isMissing) return { status: "found", observed: null };
  const observed = seen?.propagated === false ? seen.observed_value : null;
  const isWrong = code === "txt_mismatch" || observed !== null;
  return { status: isWrong ? "different" : "waiting", observed };
}

/** The record that has proven stays ticked off until everything is there. */
function provenRow(
  { ownership, ownership_challenge, state, contest }: ConnectionDetail,
  zone: string,
  check: DomainCheck | null,
): readonly RecordRow[] {
  if (ownership?.method !== "txt" || state === "drifted" || contest) return [];
  const { name: host, value } = ownership_challenge;
  const record = { host, type: "TXT", value, ttl: null, priority: null };
  return [{ ...desiredRow(record, zone, check), purpose: "ownership", status: "found" }];
}

/** The zone that holds the name: hosts are relative to it. */
export function findZone(connection: ConnectionDetail, check: DomainCheck | null): string {
  if (check !== null) return check.zone ?? check.registrable_domain;
  const { hostname, kind } = connection;
  return kind === "apex" ? hostname : hostname.slice(hostname.indexOf(".") + 1);
}

export function relativeHost(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

function recordStatus(
  record: DnsRecord,
  connection: ConnectionDetail,
  records: readonly RecordCheck[] | null,
): Pick<RecordRow, "status" | "observed"> {
  const isSame = (other: DnsRecord) =>
    other.host === record.host && other.type === record.type && other.value === record.value;
  const checked = records?.find(isSame);
  if (checked === undefined) {
    const observed = connection.observed_records.find(isSame);
    return { status: observed?.propagated === true ? "found" : "checking", observed: null };
  }
  if (checked.propagated) return { status: "found", observed: null };
  const observed = checked.observed_value;
  return { status: observed === null || observed === "" ? "waiting" : "different", observed };
}

/** Types whose value ends in a hostname, which needs a trailing dot in a zone file. */
const endsInName: readonly string[] = ["ALIAS", "CNAME", "MX", "NS", "SRV"];

/** The records as a zone file (RFC 1035 section 5), which DNS providers import. */
export function zoneFile(zone: string, records: readonly DnsRecord[]): string {
  const lines = records.map((record) => line(record));
  return [`$ORIGIN ${dotted(zone)}`, ...lines, ""].join("\n");
}

function line(record: DnsRecord): string {
  const { host, type, ttl, priority } = record;
  const preference = priority === null ? "" : `${priority} `;
  const text = `${dotted(host)}\t${ttl ?? 3_600}\tIN\t${type}\t${preference}${rdata(record)}`;
  // ALIAS is not a standard type; an importer would refuse the whole file.
  return type === "ALIAS" ? `; ${text}` : text;
}

function rdata({ type, value }: DnsRecord): string {
  if (type === "TXT") return quoted(value);
  return endsInName.includes(type) ? dotted(value) : oneLine(value);
}

function dotted(name: string): string {
  const plain = oneLine(name);
  return plain.endsWith(".") ? plain : `${plain}.`;
}

/** A line break in a value would inject another record. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}

/**
 * Strings of at most 255 octets (RFC 1035 section 3.3.14), with other than printable ASCII escaped.
 */
function quoted(value: string): string {
  const octets = [...new TextEncoder().encode(value)];
  const strings: string[] = [];
  for (let at = 0; at < octets.length || at === 0; at += 255) {
    strings.push(
      `"${octets
        .slice(at, at + 255)
        .map(escaped)
        .join("")}"`,
    );
  }
  return strings.join(" ");
}

function escaped(octet: number): string {
  if (octet === 0x22 || octet === 0x5c) return `\\${String.fromCharCode(octet)}`;
  const isPlain = octet >= 0x20 && octet < 0x7f;
  return isPlain ? String.fromCharCode(octet) : `\\${String(octet).padStart(3, "0")}`;
}

type Stage = "ownership" | "records" | "certificate" | "live";

export interface StageProgress {
  readonly stage: Stage;
  readonly status: "done" | "active" | "waiting";
}

const stages = ["ownership", "records", "certificate", "live"] as const;

/** The active stage of each state. */
const activeStage: Readonly<Record<ConnectionDetail["state"], Stage | "done">> = {
  created: "ownership",
  pending_ownership: "ownership",
  verifying: "ownership",
  verified: "records",
  dns_writing: "records",
  propagating: "records",
  stalled: "records",
  issuing_cert: "certificate",
  live: "done",
  drifted: "records",
  failed: "ownership",
  archived: "ownership",
};

/** Ownership is a stage of its own only where a record of its own proves it. */
export function stageProgress(connection: Joined): readonly StageProgress[] {
  const active = activeStage[connection.state];
  const at = active === "done" ? stages.length : stages.indexOf(active);
  const all = stages.map(
    (stage, index): StageProgress => ({
      stage,
      status: index < at ? "done" : index === at ? "active" : "waiting",
    }),
  );
  if (partsOf(connection).some(hasOwnershipStep)) return all;
  return all
    .slice(1)
    .map((one) =>
      one.stage === "records" && active === "ownership" ? { ...one, status: "active" } : one,
    );
}

/** Whether the TXT record is, or was, what proves ownership. */
export function hasOwnershipStep({ ownership, needed_records }: ConnectionDetail): boolean {
  if (ownership !== null) return ownership.method === "txt";
  return needed_records.some(({ purpose, optional }) => purpose === "ownership" && !optional);
}

export function countFound(records: readonly RecordCheck[] | null): {
  readonly found: number;
  readonly all: number;
} | null {
  if (records === null || records.length === 0) return null;
  return { found: records.filter(({ propagated }) => propagated).length, all: records.length };
}

/**
 * How long resolvers may still return the replaced records: their TTL. The connection itself may be
 * live earlier, since the service queries the authoritative servers.
 */
export function cacheMinutes(check: DomainCheck | null): number {
  const seconds = Math.max(0, ...(check?.record_conflicts ?? []).map(({ ttl }) => ttl ?? 0));
  return Math.ceil(seconds / 60);
}
