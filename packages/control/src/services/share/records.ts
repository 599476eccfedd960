import {
  type DnsRecord,
  formValue,
  type RecordCheck,
  type RecordProof,
  toRelative,
} from "@mooring/dns";
import { isValidationRecord } from "../../domain/certificates/validation.ts";
import { type DesiredRecord, holdsClaim } from "../../domain/connections/connection.ts";
import { type DiagnosisFacts, factsNeeded } from "../../domain/diagnosis/facts.ts";
import { type DnsHost, findDnsHost, formType } from "../../domain/diagnosis/finding-text.ts";
import { fromDesired } from "../../domain/records/desired-records.ts";
import { toObserved } from "../../domain/records/observed-records.ts";

/**
 * `found` on all servers, `partly` on some, `missing`, `other` values present, or `unknown`: not
 * checked. `proven`: it was found once, which suffices; whether it is still there is not checked.
 */
export type RecordStatus = "found" | "proven" | "partly" | "missing" | "other" | "unknown";

/** A record to add, in the notation of the DNS provider's form, and what DNS answers there now. */
export interface SharedRecord {
  /**
   * `both`: for visitors, and it proves ownership. `validation`: for the certificate alone.
   * `moving`: replaces the traffic records, which work meanwhile.
   */
  readonly purpose: "ownership" | "traffic" | "both" | "validation" | "moving";
  readonly record: DnsRecord;
  readonly form: RecordForm;
  readonly status: RecordStatus;
  readonly observed: readonly string[];
}

export interface RecordForm {
  readonly type: string;
  /** What goes into the field for the name; empty where the form wants nothing there. */
  readonly host: string;
  readonly value: string;
  /** Null where the form has no field for it. */
  readonly ttl: number | null;
}

/**
 * Exactly what is needed. The ownership record comes first where it is one of its own: everything
 * else waits for it.
 */
export function sharedRecords(facts: DiagnosisFacts): readonly SharedRecord[] {
  const { connection, dns } = facts;
  const dnsHost = findDnsHost(facts);
  const inForm = (record: DnsRecord) => formFor(record, dnsHost);
  const { ownership, records: needed, now, proof: leadingProof } = factsNeeded(facts);
  const challenge = ownership.record;
  const isProven = holdsClaim(connection.state);
  // A record that has proven stays in the list: it may be needed again.
  const isShown = ownership.need === "required" || (isProven && wasByText(connection));
  const leading = (
    purpose: "traffic" | "moving",
    records: readonly DesiredRecord[],
    checks: readonly RecordCheck[] = [],
  ) =>
    records.flatMap((desired, index) => {
      if (!now.includes(desired)) return [];
      const record = fromDesired(desired);
      const isValidation = isValidationRecord(connection.hostname, record);
      const proves = !isShown && leadingProof === "cname" && record.name === connection.hostname;
      const followed = proves && purpose === "traffic" ? ("both" as const) : purpose;
      const shown = isValidation ? ("validation" as const) : followed;
      return [{ purpose: shown, record, form: inForm(record), ...trafficStatus(checks[index]) }];
    });
  const proof = isProven
    ? { status: "proven" as const, observed: [] }
    : ownershipStatus(dns.proof, challenge.value);
  const text: SharedRecord = {
    purpose: "ownership",
    record: challenge,
    form: inForm(challenge),
    ...proof,
  };
  return [
    ...(isShown ? [text] : []),
    ...(connection.pendingRecords === null
      ? leading("traffic", needed, dns.records?.records)
      : leading("moving", needed, dns.pending?.records)),
  ];
}

/**
 * The record that proves the name before it is switched, where something else is at it now; null
 * where there is nothing to offer.
 */
export function offeredRecord(facts: DiagnosisFacts): SharedRecord | null {
  const { connection, dns, now } = facts;
  const observedRecords =
    dns.records === null ? connection.observedRecords : toObserved(dns.records.records, now);
  const seen = { ...facts, connection: { ...connection, observedRecords } };
  const { ownership } = factsNeeded(seen);
  if (ownership.need !== "optional") return null;
  const { record } = ownership;
  const { proof } = dns;
  // All proofs were asked for: when another one is known to be absent, this one is too.
  const isAbsent = proof?.outcome === "absent" || proof?.outcome === "mismatch";
  const state =
    proof?.method !== "txt" && isAbsent
      ? ({ status: "missing", observed: [] } as const)
      : ownershipStatus(proof?.method === "txt" ? proof : null, record.value);
  return { purpose: "ownership", record, form: formFor(record, findDnsHost(facts)), ...state };
}

/** Also of proofs from before it was noted. */
function wasByText({ ownership }: DiagnosisFacts["connection"]): boolean {
  return ownership === null || ownership.method === "txt";
}

function formFor(record: DnsRecord, dnsHost: DnsHost): RecordForm {
  const { form, manifest } = dnsHost;
  return {
    type: formType(record, manifest),
    host: hostField(record.name, dnsHost),
    value: formValue(record, form),
    ttl: form?.ttl === null ? null : Math.max(record.ttl, form?.minimumTtlSeconds ?? 0),
  };
}

/** The name as the provider's form wants it; relative to the zone when the form is not known. */
export function hostField(name: string, { zone, form }: DnsHost): string {
  const relative = toRelative(name, zone);
  if (relative === null || form?.hostStyle === "absolute") return name;
  if (relative !== "@") return relative;
  const apexHost = form?.apexHost ?? "@";
  return apexHost === "zone" ? zone : apexHost;
}

type RecordState = Pick<SharedRecord, "status" | "observed">;

function ownershipStatus(proof: RecordProof | null, value: string): RecordState {
  const observed = (proof?.observed ?? []).filter((one) => one !== value);
  switch (proof?.outcome) {
    case "match":
      return { status: "found", observed: [] };
    case "partial":
      return { status: "partly", observed };
    case "mismatch":
      return { status: "other", observed };
    case "absent":
      return { status: "missing", observed: [] };
    default:
      return { status: "unknown", observed: [] };
  }
}

function trafficStatus(check: RecordCheck | undefined): RecordState {
  if (check === undefined) return { status: "unknown", observed: [] };
  const observed = check.observedValues.filter((value) => value !== check.record.value);
  switch (check.outcome) {
    case "match":
      return { status: "found", observed: [] };
    case "absent":
      return { status: "missing", observed: [] };
    case "unknown":
      return { status: "unknown", observed: [] };
    case "conflict":
      return { status: "other", observed };
    case "mismatch": {
      const isSomewhere = check.servers.some(({ outcome }) => outcome === "match");
      return { status: isSomewhere ? "partly" : "other", observed };
    }
  }
}
