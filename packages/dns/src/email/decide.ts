import { isSubdomainOf } from "../name.ts";
import { type DnsRecord, sameRecord } from "../record.ts";
import { decideMx } from "./decide-mx.ts";
import type { MailAction, MailDecision, MailSeen } from "./decision.ts";
import type { MailRole, MailSet } from "./generate.ts";
import { mergeSpf, type SpfMerge } from "./spf-merge.ts";

export interface MailPlan {
  readonly decisions: readonly MailDecision[];
  readonly spf: SpfMerge;
  readonly notes: readonly string[];
}

/** Pure. Nothing is ever decided that would change or double what stands in the zone. */
export function decideMail(set: MailSet, seen: MailSeen): MailPlan {
  const at = (name: string) => seen.records.filter((record) => record.name === name);
  const spf = mergeSpf(
    at(set.domain).flatMap(({ type, value }) => (type === "TXT" ? [value] : [])),
    [set.spfTerm],
  );
  if (at(set.domain).some(({ type }) => type === "CNAME")) return impossible(set, spf);
  const mx = decideMx(set, seen, spf);
  const notes = [...mx.notes];
  const decisions = set.records.map(({ role, record }): MailDecision => {
    if (role === "mx") return { role, record, action: mx.action };
    const found = decideOne({ role, record }, set, seen, { leadsHere: mx.leadsHere, spf });
    notes.push(...found.notes);
    return { role, record: found.record ?? record, action: found.action };
  });
  return { decisions, spf, notes };
}

/** RFC 1034 §3.6.2: beside a CNAME there is no MX and no SPF record. */
function impossible(set: MailSet, spf: SpfMerge): MailPlan {
  const note = `${set.domain} is an alias (CNAME), and a name that is one cannot take mail (RFC 1034 §3.6.2): lead it to the service by addresses, or set mail up at another name.`;
  const decisions = set.records.map(
    ({ role, record }) => ({ role, record, action: "manual" }) as const,
  );
  return { decisions, spf, notes: [note] };
}

interface Found {
  readonly action: MailAction;
  readonly record?: DnsRecord;
  readonly notes: readonly string[];
}

interface Besides {
  /** Mail of the domain goes to this provider, or will as soon as the rest is written. */
  readonly leadsHere: boolean;
  readonly spf: SpfMerge;
}

function decideOne(
  { role, record }: { readonly role: Exclude<MailRole, "mx">; readonly record: DnsRecord },
  set: MailSet,
  seen: MailSeen,
  { leadsHere, spf }: Besides,
): Found {
  const standing = seen.records.filter(({ name }) => name === record.name);
  const isThere = standing.some((one) => isSame(one, record));
  switch (role) {
    case "spf":
      return decideSpf(record, spf);
    case "verification":
      // A shared set of texts: a person adds to it, since few interfaces do so without rewriting it.
      return { action: isThere ? "present" : "manual", notes: [] };
    case "dmarc":
      return decideDmarc(set, record, seen);
    case "dkim":
    case "discovery": {
      if (isThere && standing.length === 1) return { action: "present", notes: [] };
      if (standing.length > 0 || isOccupied(seen, record.name)) return taken(record, standing);
      if (role === "dkim" || leadsHere) return { action: "write", notes: [] };
      return { action: "manual", notes: [] };
    }
  }
}

function isOccupied({ occupied }: MailSeen, name: string): boolean {
  return occupied.some((one) => one.name === name);
}

/** RFC 6376 §3.2: white space inside of a key means nothing. */
function isSame(present: DnsRecord, wanted: DnsRecord): boolean {
  if (sameRecord(present, wanted)) return true;
  if (present.type !== "TXT" || wanted.type !== "TXT" || !/\bp=/.test(wanted.value)) return false;
  return isDkimName(wanted.name) && squeezed(present.value) === squeezed(wanted.value);
}

function isDkimName(name: string): boolean {
  return name.includes("._domainkey.");
}

function squeezed(value: string): string {
  return value.replace(/\s+/g, "").replace(/;$/, "");
}

function taken(record: DnsRecord, standing: readonly DnsRecord[]): Found {
  const types = [...new Set(standing.map(({ type }) => type))].join(", ");
  const what = types === "" ? "something" : `another record (${types})`;
  const note = `${record.name} already has ${what}, which was left as it is; replace it by hand if nothing needs it any more.`;
  return { action: "manual", notes: [note] };
}

function decideSpf(record: DnsRecord, { outcome, value, notes }: SpfMerge): Found {
  if (value === null) {
    const rest = `Add “${record.value.split(" ")[1] ?? ""}” to the record that stays.`;
    return { action: "leave", notes: [...notes, rest] };
  }
  const merged = { ...record, value };
  if (outcome === "noop") {
    return {
      action: "manual",
      record: merged,
      notes: [...notes, "The SPF record is right as it is."],
    };
  }
  const how =
    outcome === "create"
      ? "The SPF record is never written automatically: add it by hand."
      : "The SPF record is never written automatically: replace the one that stands there by this value.";
  return { action: "manual", record: merged, notes: [...notes, how] };
}

function isDmarc({ type, value }: DnsRecord): boolean {
  return type === "TXT" && /^v=DMARC1(?:\s|;|$)/i.test(value);
}

/** A second policy voids both (RFC 7489 §6.6.3), and a weaker one is nothing to advise. */
function decideDmarc(set: MailSet, record: DnsRecord, seen: MailSeen): Found {
  const standing = seen.records.filter(({ name }) => name === record.name);
  const policies = standing.filter(isDmarc);
  const [policy] = policies;
  if (policies.length > 1) {
    const note = `${record.name} has ${policies.length} DMARC policies, and receivers then ignore all of them; keep one.`;
    return { action: "leave", notes: [note] };
  }
  if (policy !== undefined) {
    if (policy.value === record.value) return { action: "present", notes: [] };
    const note = `${record.name} already has a DMARC policy; keep it as it is, and add no second one.`;
    return { action: "manual", record: { ...record, value: policy.value }, notes: [note] };
  }
  if (standing.length > 0 || isOccupied(seen, record.name)) {
    const note = `Something else stands at ${record.name}, perhaps an alias to a DMARC service; it was left as it is.`;
    return { action: "leave", notes: [note] };
  }
  const above = seen.records.find(
    (one) => isDmarc(one) && isSubdomainOf(set.domain, one.name.replace(/^_dmarc\./, "")),
  );
  if (above === undefined) return { action: "write", notes: [] };
  const note = `The DMARC policy at ${above.name} covers ${set.domain} too; it needs none of its own.`;
  return { action: "leave", notes: [note] };
}
