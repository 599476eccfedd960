import {
  type DnsRecord,
  isAtOrBelow,
  isRecordType,
  isSubdomainOf,
  registrableDomain,
  selfAndAncestors,
} from "@mooring/dns";
import { sandboxValidationZone } from "../certificates/validation.ts";
import type { DesiredRecord } from "../connections/connection.ts";
import { isOwnershipRecord } from "../ownership/ownership-challenge.ts";

/** A record of a sandbox zone, answered from `visible_at` on. */
export interface SandboxRecord extends DesiredRecord {
  /** ISO 8601; text because it is in a JSON column. */
  readonly visible_at: string;
}

/** Names under `.test` are answered from sandbox zones, in the test environment only. */
export function isSandboxName(hostname: string): boolean {
  return hostname === "test" || hostname.endsWith(".test");
}

/**
 * A stored zone under `.test`: the records that its servers answer, and the tenant that may write
 * it.
 */
export interface SandboxZone {
  readonly zone: string;
  readonly tenantId: string;
  readonly nameservers: readonly string[];
  readonly records: readonly SandboxRecord[];
  readonly updatedAt: Date;
}

/** A zone in a list. */
export interface SandboxZoneSummary {
  readonly zone: string;
  readonly nameservers: readonly string[];
  readonly recordCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The zone of the sandbox's own name servers; no tenant may write it. */
export const sandboxHome = "sandbox.test";

/** Name servers by which a zone's provider is detected as the sandbox. */
export const sandboxNameservers: readonly string[] = [`a.ns.${sandboxHome}`, `b.ns.${sandboxHome}`];

export const maxZoneRecords = 500;
export const maxZonesPerTenant = 100;
export const sandboxTtlSeconds = 60;

/** Zones are the names directly under `.test`. */
export function isSandboxZone(name: string): boolean {
  const isOwn = name === sandboxHome || name === sandboxValidationZone;
  return !isOwn && isSandboxName(name) && registrableDomain(name) === name;
}

/** A documentation address (RFC 5737): a sandbox server is never dialled. */
export function nameserverAddress(index: number): string {
  return `192.0.2.${index + 1}`;
}

/** By how much the clocks of two processes may differ. */
const clockDifferenceMs = 1_000;

/** When a record that is written now is answered: without a delay at once, by every process. */
export function visibleFrom(now: Date, delayMs = 0): Date {
  return new Date(now.getTime() + (delayMs === 0 ? -clockDifferenceMs : delayMs));
}

export function toSandboxRecord(record: DnsRecord, visibleAt: Date): SandboxRecord {
  const { name: host, type, value, ttl, priority } = record;
  return { host, type, value, ttl, priority, visible_at: visibleAt.toISOString() };
}

/** Every record was parsed before it was stored; another type is a bug. */
export function fromSandboxRecord(record: SandboxRecord): DnsRecord {
  const { host: name, type, value, ttl, priority } = record;
  if (!isRecordType(type)) throw new Error(`a sandbox zone holds a record of type ${type}`);
  return { name, type, value, ttl, priority };
}

/** Sandbox names that misbehave on purpose. The documentation's table is made from this list. */
export const magicLabels = [
  {
    label: "stall",
    effect: "records never propagate",
    sentence:
      "Every record at or below the name is answered as absent, except the ownership TXT. The connection waits for its proof; once that TXT record is published it is verified, then stays in `propagating` until it stalls.",
  },
  {
    label: "drift",
    effect: "drifts 10 s after live",
    sentence:
      "From 10 seconds after the connection first went live, the name answers with another address. Writing the zone again after that fixes it.",
  },
  {
    label: "caa",
    effect: "a CAA record forbids issuing",
    sentence:
      'The name carries CAA `0 issue ";"`, so that no authority may issue for it, until a CAA record is written for the name or for its zone.',
  },
  {
    label: "proxied",
    effect: "is behind a proxy",
    sentence:
      "The records of the name are hidden: it answers with addresses of Cloudflare's proxy and no CNAME. Requests arrive through it all the same, so that the connection goes live with `proxied`; where the application refuses that, it gets the error code `proxied`.",
  },
  {
    label: "dnssec",
    effect: "fails DNSSEC validation",
    sentence: "Resolvers refuse the name and everything below it as bogus.",
  },
  {
    label: "slow",
    effect: "propagates in 20 s",
    sentence: "Records at or below the name are answered 20 seconds later than others.",
  },
  {
    label: "reject",
    effect: "the provider refuses the write",
    sentence:
      "The `sandbox` provider refuses to write records at or below the name, except the ownership TXT alone.",
  },
  {
    label: "certfail",
    effect: "the certificate authority refuses",
    sentence: "No certificate is issued for the name.",
  },
  {
    label: "busy",
    effect: "serves visitors elsewhere",
    sentence:
      "Until its zone has an address or a CNAME for it, the name answers with another address and a TTL of 60 seconds, as a domain that is in use: for trying a cut-over.",
  },
  {
    label: "contest",
    effect: "a contest is decided after 60 s",
    sentence:
      "A contest over the name runs for 60 seconds instead of `CONTEST_AFTER`, and the next may begin 60 seconds after it.",
  },
] as const;

export type MagicLabel = (typeof magicLabels)[number]["label"];

/** Whether the hostname begins with the magic label. */
export function isMagic(hostname: string, label: MagicLabel): boolean {
  return isSandboxName(hostname) && hostname.startsWith(`${label}.`);
}

/** Whether the name is a magic hostname or below one. */
export function isUnderMagic(name: string, label: MagicLabel): boolean {
  return isMagic(name, label) || (isSandboxName(name) && name.includes(`.${label}.`));
}

/** How long a contest over a `contest.` name runs, and the rest after it. */
export const sandboxContestMs = 60_000;

const driftAfterMs = 10_000;
const slowByMs = 20_000;

/** A name has drifted since 10 s after it went live, until its zone is written again. */
export function isDrifted(liveSince: Date | null, writtenAt: Date, now: Date): boolean {
  if (liveSince === null) return false;
  const driftsAt = liveSince.getTime() + driftAfterMs;
  return now.getTime() >= driftsAt && writtenAt.getTime() < driftsAt;
}

/** What a zone has at one name. A name that exists may have no records. */
export interface Node {
  readonly exists: boolean;
  readonly records: readonly SandboxRecord[];
}

interface ZoneContent {
  readonly zone: string;
  readonly records: readonly SandboxRecord[];
}

interface NodeOptions {
  readonly now: Date;
  /** The name has drifted and was not repaired; affects `drift.` names only. */
  readonly isDrifted: boolean;
}

/**
 * The node at a name. Every record in it has this name as its owner, also those from a wildcard.
 */
export function nodeAt({ zone, records }: ZoneContent, name: string, options: NodeOptions): Node {
  const visible = records.filter((record) => isVisibleAt(record, record.host, options.now));
  const hasCaa = visible.some(
    ({ host, type }) => type === "CAA" && (host === name || host === zone),
  );
  const node = findNode(zone, visible, name, options.now);
  return applyMagic(node, name, { isDrifted: options.isDrifted, hasCaa });
}

function findNode(zone: string, visible: readonly SandboxRecord[], name: string, now: Date): Node {
  const exists = (owner: string) =>
    owner === zone || visible.some(({ host }) => isAtOrBelow(host, owner));
  if (exists(name)) return { exists: true, records: visible.filter(({ host }) => host === name) };
  // RFC 4592 §3.3.1: only the wildcard right below the closest encloser is a source of synthesis.
  const encloser = selfAndAncestors(name).find(
    (owner) => isSubdomainOf(name, owner) && exists(owner),
  );
  const synthesised = visible
    .filter((record) => record.host === `*.${encloser}` && isVisibleAt(record, name, now))
    .map((record) => ({ ...record, host: name }));
  return { exists: synthesised.length > 0, records: synthesised };
}

function isVisibleAt(record: SandboxRecord, name: string, now: Date): boolean {
  const isChallenge = isOwnershipRecord({ name, type: record.type });
  if (isUnderMagic(name, "stall") && !isChallenge) return false;
  const delayMs = isUnderMagic(name, "slow") ? slowByMs : 0;
  return Date.parse(record.visible_at) + delayMs <= now.getTime();
}

function applyMagic(
  node: Node,
  name: string,
  { isDrifted, hasCaa }: { readonly isDrifted: boolean; readonly hasCaa: boolean },
): Node {
  let { records } = node;
  if (isMagic(name, "busy")) records = atOldLocation(name, records);
  if (isMagic(name, "proxied")) records = pointElsewhere(records, proxyAddresses);
  if (isMagic(name, "drift") && isDrifted) records = pointElsewhere(records, driftAddresses);
  if (isMagic(name, "caa") && !hasCaa) records = [...records, forbiddingCaa(name)];
  return { exists: node.exists || records.length > 0, records };
}

/** In 104.16.0.0/13 and 2606:4700::/32, which Cloudflare publishes as its proxy's. */
const proxyAddresses = [
  { type: "A", value: "104.16.132.229" },
  { type: "AAAA", value: "2606:4700::6810:84e5" },
];
/** RFC 5737 documentation space: never an address of the edge. */
const driftAddresses = [{ type: "A", value: "203.0.113.9" }];

const pointing: readonly string[] = ["A", "AAAA", "CNAME", "ALIAS"];

/** Replaces the records that point the name somewhere; a name without such records is unchanged. */
export function pointElsewhere(
  records: readonly SandboxRecord[],
  addresses: readonly { readonly type: string; readonly value: string }[] = driftAddresses,
): readonly SandboxRecord[] {
  const model = records.find(({ type }) => pointing.includes(type));
  if (model === undefined) return records;
  const others = records.filter(({ type }) => !pointing.includes(type));
  return [...others, ...addresses.map((address) => ({ ...model, ...address }))];
}

/**
 * A busy name resolves to an old location, in RFC 5737 documentation space, until it is pointed
 * elsewhere.
 */
function atOldLocation(host: string, records: readonly SandboxRecord[]): readonly SandboxRecord[] {
  if (records.some(({ type }) => pointing.includes(type))) return records;
  const common = { host, ttl: sandboxTtlSeconds, priority: null };
  return [
    ...records,
    { ...common, type: "A", value: "203.0.113.20", visible_at: new Date(0).toISOString() },
  ];
}

function forbiddingCaa(host: string): SandboxRecord {
  return {
    host,
    type: "CAA",
    value: '0 issue ";"',
    ttl: sandboxTtlSeconds,
    priority: null,
    visible_at: new Date(0).toISOString(),
  };
}
