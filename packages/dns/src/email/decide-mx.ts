import type { DnsRecord } from "../record.ts";
import type { MailAction, MailSeen } from "./decision.ts";
import type { MailSet } from "./generate.ts";
import { type MxHolder, mxHolder } from "./mx-holder.ts";
import { findMailboxProvider } from "./presets.ts";
import { isSpf, parseSpf } from "./spf.ts";
import type { SpfMerge } from "./spf-merge.ts";

interface MxDecision {
  /** For all of the MX records alike: half a set would lose mail. */
  readonly action: MailAction;
  /** Mail of the domain goes to this provider, or will. */
  readonly leadsHere: boolean;
  readonly notes: readonly string[];
}

/** Whether the MX set may be written: only where no mail of the domain goes anywhere yet. */
export function decideMx(set: MailSet, seen: MailSeen, spf: SpfMerge): MxDecision {
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
