import {
  decideDmarc,
  decideSpf,
  type Found,
  isDmarc,
  isOccupied,
  isSame,
  type MailDecision,
  type MailObservation,
  type MailPlan,
  taken,
} from "../email/decide.ts";
import { distinctNotes, type MailNote, mailNote } from "../email/notes.ts";
import { isSpf } from "../email/spf.ts";
import { mergeSpf } from "../email/spf-merge.ts";
import { isSubdomainOf } from "../name.ts";
import type { DnsRecord } from "../record.ts";
import type { SendingRecord, SendingSet } from "./generate.ts";

/** Pure. No decision changes or duplicates an existing record. */
export function decideSending(set: SendingSet, observed: MailObservation): MailPlan {
  const spf = mergeSpfTerm(set, observed);
  const notes: MailNote[] = [];
  const decisions = set.records.map((requested): MailDecision => {
    const found = decideOne(requested, set, observed, spf);
    notes.push(...found.notes);
    const { role, record } = requested;
    return { role, record: found.record ?? record, action: found.action };
  });
  return { decisions, spf, notes: distinctNotes(notes) };
}

function at({ records }: MailObservation, name: string): readonly DnsRecord[] {
  return records.filter((record) => record.name === name);
}

function isAlias(observed: MailObservation, name: string): boolean {
  return at(observed, name).some(({ type }) => type === "CNAME");
}

function mergeSpfTerm({ domain, spfTerm }: SendingSet, observed: MailObservation): MailPlan["spf"] {
  if (spfTerm === null || isAlias(observed, domain)) return null;
  const texts = at(observed, domain).flatMap(({ type, value }) => (type === "TXT" ? [value] : []));
  return { ...mergeSpf(texts, [spfTerm]), current: texts.find(isSpf) ?? null };
}

function decideOne(
  { role, record }: SendingRecord,
  set: SendingSet,
  observed: MailObservation,
  spf: MailPlan["spf"],
): Found {
  if (role === "dmarc") return decideDmarc(set, record, observed);
  if (role === "spf" || role === "verification") {
    // RFC 1034 §3.6.2: beside a CNAME there is no TXT record.
    if (isAlias(observed, record.name)) {
      const example = `mail.${set.domain}`;
      const note = mailNote("cname_no_text", { name: record.name, example });
      return { action: "leave", notes: [note] };
    }
    if (role === "spf") return spf === null ? absent : decideSpf(record, spf);
    const isThere = at(observed, record.name).some((one) => isSame(one, record));
    // The texts of the domain are a shared set that most provider APIs rewrite as a whole.
    return { action: isThere ? "present" : "manual", notes: [] };
  }
  return decideOwnName(record, set, observed);
}

const absent: Found = { action: "leave", notes: [] };

/**
 * DKIM and the return path have names of their own; a return path has an MX and a TXT at one name.
 */
function decideOwnName(record: DnsRecord, set: SendingSet, observed: MailObservation): Found {
  const existing = at(observed, record.name);
  const requested = set.records.filter((one) => one.record.name === record.name);
  const foreign = existing.filter((one) => !requested.some((row) => isSame(one, row.record)));
  if (foreign.length > 0 || isOccupied(observed, record.name)) return taken(record, foreign);
  const isThere = existing.some((one) => isSame(one, record));
  return { action: isThere ? "present" : "write", notes: [] };
}

export type SendingRecordStatus = "right" | "missing" | "wrong";

/** Whether the service finds what it asks for in DNS. Pure. */
export function sendingStatus(
  { role, record }: SendingRecord,
  set: SendingSet,
  observed: MailObservation,
): SendingRecordStatus {
  const existing = at(observed, record.name);
  if (role === "dmarc") return dmarcStatus(set, record, observed);
  if (role === "spf") {
    const spf = mergeSpfTerm(set, observed);
    if (spf === null) return "wrong";
    return spf.outcome === "noop" ? "right" : spf.current === null ? "missing" : "wrong";
  }
  if (existing.some((one) => isSame(one, record))) return "right";
  const isTaken = existing.some(({ type }) => type === record.type || type === "CNAME");
  return isTaken && role !== "verification" ? "wrong" : "missing";
}

/** Any one policy will do, also one of a domain above. */
function dmarcStatus(
  set: SendingSet,
  record: DnsRecord,
  observed: MailObservation,
): SendingRecordStatus {
  const policies = at(observed, record.name).filter(isDmarc);
  if (policies.length > 1) return "wrong";
  const isCovered = observed.records.some(
    (one) => isDmarc(one) && isSubdomainOf(set.domain, one.name.replace(/^_dmarc\./, "")),
  );
  return policies.length === 1 || isCovered || isAlias(observed, record.name) ? "right" : "missing";
}
