import { isSubdomainOf } from "../name.ts";
import { type DnsRecord, sameRecord } from "../record.ts";
import type { MailRole, MailSet } from "./generate.ts";
import { type MxHolder, mxHolder } from "./mx-host.ts";
import { findMailboxProvider } from "./presets.ts";
import { isSpf, parseSpf } from "./spf.ts";
import { mergeSpf, type SpfMerge } from "./spf-merge.ts";

/**
 * - `write`: nothing is in the way, and nothing that was there is touched by it.
 * - `present`: it is there, or something that does the same.
 * - `manual`: a person must look first; `record` is what should stand there.
 * - `leave`: what stands there is not to be replaced, so that there is nothing to add.
 */
type MailAction = "write" | "present" | "manual" | "leave";

export interface MailDecision {
  readonly role: MailRole;
  readonly record: DnsRecord;
  readonly action: MailAction;
}

/** What stands at the names that mail is about. */
export interface MailSeen {
  readonly records: readonly DnsRecord[];
  /** Something that cannot be read or written, but is there. */
  readonly occupied: readonly { readonly name: string; readonly type: string }[];
}

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

interface MxDecision {
  /** For all of the MX records alike: half a set would lose mail. */
  readonly action: MailAction;
  /** Mail of the domain goes to this provider, or will. */
  readonly leadsHere: boolean;
  readonly notes: readonly string[];
}

/** Whether the MX set may be written: only where no mail of the domain goes anywhere yet. */
function decideMx(set: MailSet, seen: MailSeen, spf: SpfMerge): MxDecision {
  const standing = seen.records.filter(({ name, type }) => name === set.domain && type === "MX");
  const isHidden = seen.occupied.some(({ name, type }) => name === set.domain && type === "MX");
  if (standing.length > 0) return besideOthers(set, standing);
  if (isHidden) {
    return manual(
      `${set.domain} has MX records that cannot be changed from here; they were left as they are.`,
    );
  }
  if (!set.records.some(({ role }) => role === "mx")) {
    return { action: "manual", leadsHere: false, notes: [] };
  }
  return whereNoneIs(set, seen, spf);
}

function manual(note: string): MxDecision {
  return { action: "manual", leadsHere: false, notes: [note] };
}

function besideOthers(set: MailSet, standing: readonly DnsRecord[]): MxDecision {
  const hosts = standing.map(({ value }) => value);
  const holders = hosts.map(mxHolder);
  const isOwn = holders.every(({ provider }) => provider === set.provider);
  if (isOwn) return besideOwn(set, hosts);
  const foreign = holders.find(({ provider }) => provider !== set.provider);
  return besideForeign(set.domain, foreign ?? mxHolder(""));
}

/** RFC 5321 §5.1: the numbers only order the hosts; the same hosts take the same mail. */
function besideOwn(set: MailSet, hosts: readonly string[]): MxDecision {
  const wanted = set.records.flatMap(({ role, record }) => (role === "mx" ? [record.value] : []));
  const legacy = findMailboxProvider(set.provider)?.legacyMx ?? [];
  const isSet = (one: readonly string[]) =>
    one.length === hosts.length && one.every((host) => hosts.includes(host));
  if (wanted.length === 0 || isSet(wanted))
    return { action: "present", leadsHere: true, notes: [] };
  if (legacy.length > 0 && isSet(legacy)) {
    const note = "The MX records are an older set of the same provider, which does the same.";
    return { action: "present", leadsHere: true, notes: [note] };
  }
  const note = `${set.domain} has other MX records of the same provider (${hosts.join(", ")}); they were left as they are. Compare them with the provider's console.`;
  return { action: "manual", leadsHere: true, notes: [note] };
}

function besideForeign(domain: string, holder: MxHolder): MxDecision {
  const until = "Its MX records were left as they are.";
  switch (holder.kind) {
    case "gateway":
      return {
        action: "leave",
        leadsHere: false,
        notes: [
          `Mail of ${domain} passes through a mail filter. ${until} Tell the filter where to deliver instead.`,
        ],
      };
    case "none":
      return manual(
        `${domain} says that it takes no mail (null MX, RFC 7505). ${until} Remove that record when the new ones are added.`,
      );
    default:
      return manual(
        `Mail of ${domain} goes to ${holder.name} now. ${until} When the mailboxes are moved, replace the whole set at once: with both, half of the mail is lost.`,
      );
  }
}

function whereNoneIs(set: MailSet, seen: MailSeen, spf: SpfMerge): MxDecision {
  const { domain } = set;
  const at = (name: string) => seen.records.filter((record) => record.name === name);
  const hasStrictTransport = at(`_mta-sts.${domain}`).length > 0;
  if (hasStrictTransport) {
    return manual(
      `${domain} has an MTA-STS policy (RFC 8461), which may refuse the new hosts. List them in the policy before adding the MX records.`,
    );
  }
  const isAddressed = at(domain).some(({ type }) => addresses.has(type));
  if (isAddressed && usesOwnServer(at(domain))) {
    return manual(
      `${domain} has no MX record, but its SPF record speaks of a mail server at its own address (RFC 5321 §5.1: without MX, mail goes there). Add the MX records when that server is no longer needed.`,
    );
  }
  const notes = at(`*.${domain}`).some(({ type }) => type === "MX")
    ? [`A wildcard MX takes the mail of names below ${domain}; it was left as it is.`]
    : [];
  return spf.outcome === "confirm"
    ? manual(
        `${domain} is declared not to send mail. Add the MX records by hand if that has changed.`,
      )
    : { action: "write", leadsHere: true, notes };
}

const addresses: ReadonlySet<string> = new Set(["A", "AAAA", "ALIAS"]);

function usesOwnServer(records: readonly DnsRecord[]): boolean {
  return records.some(({ type, value }) => {
    if (type !== "TXT" || !isSpf(value)) return false;
    const parsed = parseSpf(value);
    return !parsed.ok || parsed.terms.some(({ name }) => name === "a" || name === "mx");
  });
}
