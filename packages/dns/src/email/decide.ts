import { isSubdomainOf } from "../name.ts";
import { type DnsRecord, sameRecord } from "../record.ts";
import type { SendingRole } from "../sending/presets.ts";
import type { MailRole, MailSet } from "./generate.ts";
import { type MxHolder, mxHolder } from "./mx-host.ts";
import { type MailNote, type MailNoteCode, mailNote } from "./notes.ts";
import { findMailboxProvider } from "./presets.ts";
import { isSpf, parseSpf } from "./spf.ts";
import { mergeSpf, type SpfMerge } from "./spf-merge.ts";

/**
 * - `write`: nothing is in the way, and no existing record changes.
 * - `present`: the record, or an equivalent one, exists.
 * - `manual`: a person must decide; `record` is what should be published.
 * - `leave`: the existing record must not be replaced; nothing is to be added.
 */
type MailAction = "write" | "present" | "manual" | "leave";

export interface MailDecision {
  readonly role: MailRole | SendingRole;
  readonly record: DnsRecord;
  readonly action: MailAction;
}

/** The records at the names that matter for mail. */
export interface MailObservation {
  readonly records: readonly DnsRecord[];
  /** Records that exist but cannot be read or written. */
  readonly occupied: readonly { readonly name: string; readonly type: string }[];
}

export interface MailPlan {
  readonly decisions: readonly MailDecision[];
  /**
   * `current` is the SPF record that is there; of several the first one. Null when the domain's own
   * SPF record does not matter.
   */
  readonly spf: (SpfMerge & { readonly current: string | null }) | null;
  readonly notes: readonly MailNote[];
}

/** Pure. No decision changes or duplicates an existing record. */
export function decideMail(set: MailSet, observed: MailObservation): MailPlan {
  const at = (name: string) => observed.records.filter((record) => record.name === name);
  const texts = at(set.domain).flatMap(({ type, value }) => (type === "TXT" ? [value] : []));
  const current = texts.find(isSpf) ?? null;
  const spf = { ...mergeSpf(texts, [set.spfTerm]), current };
  if (at(set.domain).some(({ type }) => type === "CNAME")) return impossible(set, spf);
  const mx = decideMx(set, observed, spf);
  const notes = [...mx.notes];
  const decisions = set.records.map(({ role, record }): MailDecision => {
    if (role === "mx") return { role, record, action: mx.action };
    const found = decideOne({ role, record }, set, observed, { isMailHost: mx.isMailHost, spf });
    notes.push(...found.notes);
    return { role, record: found.record ?? record, action: found.action };
  });
  return { decisions, spf, notes };
}

/** RFC 1034 §3.6.2: beside a CNAME there is no MX and no SPF record. */
function impossible(set: MailSet, spf: MailPlan["spf"]): MailPlan {
  const decisions = set.records.map(
    ({ role, record }) => ({ role, record, action: "manual" }) as const,
  );
  return { decisions, spf, notes: [mailNote("cname_no_mail", { domain: set.domain })] };
}

export interface Found {
  readonly action: MailAction;
  readonly record?: DnsRecord;
  readonly notes: readonly MailNote[];
}

interface MailContext {
  /** Mail of the domain goes to this provider, or will as soon as the rest is written. */
  readonly isMailHost: boolean;
  readonly spf: SpfMerge;
}

function decideOne(
  { role, record }: { readonly role: Exclude<MailRole, "mx">; readonly record: DnsRecord },
  set: MailSet,
  observed: MailObservation,
  { isMailHost, spf }: MailContext,
): Found {
  const existing = observed.records.filter(({ name }) => name === record.name);
  const isThere = existing.some((one) => isSame(one, record));
  switch (role) {
    case "spf":
      return decideSpf(record, spf);
    case "verification":
      // The apex texts are a shared set; most provider APIs rewrite the whole set, so a person adds
      // to it.
      return { action: isThere ? "present" : "manual", notes: [] };
    case "dmarc":
      return decideDmarc(set, record, observed);
    case "dkim":
    case "discovery": {
      if (isThere && existing.length === 1) return { action: "present", notes: [] };
      if (existing.length > 0 || isOccupied(observed, record.name)) return taken(record, existing);
      if (role === "dkim" || isMailHost) return { action: "write", notes: [] };
      return { action: "manual", notes: [] };
    }
  }
}

export function isOccupied({ occupied }: MailObservation, name: string): boolean {
  return occupied.some((one) => one.name === name);
}

/** RFC 6376 §3.2: white space inside of a key means nothing. */
export function isSame(present: DnsRecord, requested: DnsRecord): boolean {
  if (sameRecord(present, requested)) return true;
  if (present.type !== "TXT" || requested.type !== "TXT" || !/\bp=/.test(requested.value))
    return false;
  return isDkimName(requested.name) && squeezed(present.value) === squeezed(requested.value);
}

function isDkimName(name: string): boolean {
  return name.includes("._domainkey.");
}

function squeezed(value: string): string {
  return value.replace(/\s+/g, "").replace(/;$/, "");
}

export function taken(record: DnsRecord, existing: readonly DnsRecord[]): Found {
  const types = [...new Set(existing.map(({ type }) => type))].join(", ");
  const { name } = record;
  const note =
    types === "" ? mailNote("name_occupied", { name }) : mailNote("name_taken", { name, types });
  return { action: "manual", notes: [note] };
}

export function decideSpf(record: DnsRecord, { outcome, value, notes }: SpfMerge): Found {
  if (value === null) {
    const term = record.value.split(" ")[1] ?? "";
    return { action: "leave", notes: [...notes, mailNote("spf_term", { term })] };
  }
  const merged = { ...record, value };
  if (outcome === "noop") {
    return { action: "manual", record: merged, notes: [...notes, mailNote("spf_right")] };
  }
  const how = outcome === "create" ? "spf_add" : "spf_replace";
  return { action: "manual", record: merged, notes: [...notes, mailNote(how)] };
}

export function isDmarc({ type, value }: DnsRecord): boolean {
  return type === "TXT" && /^v=DMARC1(?:\s|;|$)/i.test(value);
}

/** A second policy voids both (RFC 7489 §6.6.3), and a weaker one must not be advised. */
export function decideDmarc(
  set: Pick<MailSet, "domain">,
  record: DnsRecord,
  observed: MailObservation,
): Found {
  const { name } = record;
  const existing = observed.records.filter((one) => one.name === name);
  const policies = existing.filter(isDmarc);
  const [policy] = policies;
  if (policies.length > 1) {
    const note = mailNote("dmarc_several", { name, count: policies.length });
    return { action: "leave", notes: [note] };
  }
  if (policy !== undefined) {
    if (policy.value === record.value) return { action: "present", notes: [] };
    const retained = { ...record, value: policy.value };
    return { action: "manual", record: retained, notes: [mailNote("dmarc_present", { name })] };
  }
  if (existing.length > 0 || isOccupied(observed, name)) {
    return { action: "leave", notes: [mailNote("dmarc_occupied", { name })] };
  }
  const above = observed.records.find(
    (one) => isDmarc(one) && isSubdomainOf(set.domain, one.name.replace(/^_dmarc\./, "")),
  );
  if (above === undefined) return { action: "write", notes: [] };
  const note = mailNote("dmarc_above", { name: above.name, domain: set.domain });
  return { action: "leave", notes: [note] };
}

interface MxDecision {
  /** For all MX records alike: half a set would lose mail. */
  readonly action: MailAction;
  /** Mail of the domain goes to this provider, or will. */
  readonly isMailHost: boolean;
  readonly notes: readonly MailNote[];
}

/** Whether the MX set may be written: only where the domain has no mail delivery yet. */
function decideMx(set: MailSet, observed: MailObservation, spf: SpfMerge): MxDecision {
  const existing = observed.records.filter(
    ({ name, type }) => name === set.domain && type === "MX",
  );
  const isHidden = observed.occupied.some(({ name, type }) => name === set.domain && type === "MX");
  if (existing.length > 0) return decideBesideMx(set, existing);
  if (isHidden) {
    return manual("mx_hidden", { domain: set.domain });
  }
  if (!set.records.some(({ role }) => role === "mx")) {
    return { action: "manual", isMailHost: false, notes: [] };
  }
  return decideWithoutMx(set, observed, spf);
}

function manual(code: MailNoteCode, params: MailNote["params"]): MxDecision {
  return { action: "manual", isMailHost: false, notes: [mailNote(code, params)] };
}

function decideBesideMx(set: MailSet, existing: readonly DnsRecord[]): MxDecision {
  const hosts = existing.map(({ value }) => value);
  const holders = hosts.map(mxHolder);
  const isOwn = holders.every(({ provider }) => provider === set.provider);
  if (isOwn) return besideOwnMx(set, hosts);
  const other = holders.find(({ provider }) => provider !== set.provider);
  return besideOtherMx(set.domain, other ?? mxHolder(""));
}

/** RFC 5321 §5.1: the numbers only order the hosts; the same hosts take the same mail. */
function besideOwnMx(set: MailSet, hosts: readonly string[]): MxDecision {
  const requested = set.records.flatMap(({ role, record }) =>
    role === "mx" ? [record.value] : [],
  );
  const legacy = findMailboxProvider(set.provider)?.legacyMx ?? [];
  const isSet = (one: readonly string[]) =>
    one.length === hosts.length && one.every((host) => hosts.includes(host));
  if (requested.length === 0 || isSet(requested))
    return { action: "present", isMailHost: true, notes: [] };
  if (legacy.length > 0 && isSet(legacy)) {
    return { action: "present", isMailHost: true, notes: [mailNote("mx_older_set")] };
  }
  const note = mailNote("mx_other_own", { domain: set.domain, hosts: hosts.join(", ") });
  return { action: "manual", isMailHost: true, notes: [note] };
}

function besideOtherMx(domain: string, holder: MxHolder): MxDecision {
  switch (holder.kind) {
    case "gateway":
      return { ...manual("mx_filtered", { domain }), action: "leave" };
    case "none":
      return manual("mx_null", { domain });
    case "forwarding":
      return manual("mx_forwarded", { domain });
    case "hosting":
      return manual("mx_hosting", { domain });
    case "parking":
      return manual("mx_parked", { domain });
    default:
      return manual("mx_elsewhere", { domain, holder: holder.name });
  }
}

function decideWithoutMx(set: MailSet, observed: MailObservation, spf: SpfMerge): MxDecision {
  const { domain } = set;
  const at = (name: string) => observed.records.filter((record) => record.name === name);
  const hasStrictTransport = at(`_mta-sts.${domain}`).length > 0;
  if (hasStrictTransport) return manual("mx_strict_transport", { domain });
  const isAddressed = at(domain).some(({ type }) => addresses.has(type));
  if (isAddressed && usesOwnServer(at(domain))) return manual("mx_own_server", { domain });
  const notes = at(`*.${domain}`).some(({ type }) => type === "MX")
    ? [mailNote("mx_wildcard", { domain })]
    : [];
  return spf.outcome === "confirm"
    ? manual("mx_no_mail", { domain })
    : { action: "write", isMailHost: true, notes };
}

const addresses: ReadonlySet<string> = new Set(["A", "AAAA", "ALIAS"]);

function usesOwnServer(records: readonly DnsRecord[]): boolean {
  return records.some(({ type, value }) => {
    if (type !== "TXT" || !isSpf(value)) return false;
    const parsed = parseSpf(value);
    return !parsed.ok || parsed.terms.some(({ name }) => name === "a" || name === "mx");
  });
}
