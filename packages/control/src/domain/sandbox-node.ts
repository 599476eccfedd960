import { isAtOrBelow, isSubdomainOf, selfAndAncestors } from "@mooring/dns";
import type { SandboxRecord } from "./sandbox.ts";
import { isMagic, isUnderMagic, slowByMs } from "./sandbox-magic.ts";
import { sandboxTtlSeconds } from "./sandbox-zone.ts";

/** What a zone's servers hold at one name. A name that exists may have no records. */
export interface Node {
  readonly exists: boolean;
  readonly records: readonly SandboxRecord[];
}

interface Content {
  readonly zone: string;
  readonly records: readonly SandboxRecord[];
}

interface Moment {
  readonly now: Date;
  /** The name's drift has begun and was not repaired; matters to `drift.` names only. */
  readonly isDrifted: boolean;
}

/** Pure. Every record given is owned by the name that was asked for, wildcards included. */
export function nodeAt({ zone, records }: Content, name: string, moment: Moment): Node {
  const visible = records.filter((record) => isVisibleAt(record, record.host, moment.now));
  return enchant(findNode(zone, visible, name, moment.now), name, moment.isDrifted);
}

function findNode(zone: string, visible: readonly SandboxRecord[], name: string, now: Date): Node {
  const isThere = (owner: string) =>
    owner === zone || visible.some(({ host }) => isAtOrBelow(host, owner));
  if (isThere(name)) return { exists: true, records: visible.filter(({ host }) => host === name) };
  // RFC 4592 §3.3.1: only the wildcard right below the closest encloser is a source of synthesis.
  const encloser = selfAndAncestors(name).find(
    (owner) => isSubdomainOf(name, owner) && isThere(owner),
  );
  const synthesised = visible
    .filter((record) => record.host === `*.${encloser}` && isVisibleAt(record, name, now))
    .map((record) => ({ ...record, host: name }));
  return { exists: synthesised.length > 0, records: synthesised };
}

function isVisibleAt(record: SandboxRecord, name: string, now: Date): boolean {
  const isChallenge = record.type === "TXT" && name.startsWith("_service-challenge.");
  if (isUnderMagic(name, "stall") && !isChallenge) return false;
  const delayMs = isUnderMagic(name, "slow") ? slowByMs : 0;
  return Date.parse(record.visible_at) + delayMs <= now.getTime();
}

function enchant(node: Node, name: string, isDrifted: boolean): Node {
  let { records } = node;
  if (isMagic(name, "proxied")) records = pointElsewhere(records, proxyAddresses);
  if (isMagic(name, "drift") && isDrifted) records = pointElsewhere(records, driftAddresses);
  if (isMagic(name, "caa"))
    records = [...records.filter(({ type }) => type !== "CAA"), forbid(name)];
  return { exists: node.exists || records.length > 0, records };
}

/** In 104.16.0.0/13 and 2606:4700::/32, which Cloudflare publishes as its proxy's. */
const proxyAddresses = [
  { type: "A", value: "104.16.132.229" },
  { type: "AAAA", value: "2606:4700::6810:84e5" },
];
/** RFC 5737 documentation space: surely not the edge's. */
const driftAddresses = [{ type: "A", value: "203.0.113.9" }];

const pointing: readonly string[] = ["A", "AAAA", "CNAME", "ALIAS"];

/** Replaces whatever sends visitors somewhere; a name that sends them nowhere is left alone. */
export function pointElsewhere(
  records: readonly SandboxRecord[],
  addresses: readonly { readonly type: string; readonly value: string }[] = driftAddresses,
): readonly SandboxRecord[] {
  const model = records.find(({ type }) => pointing.includes(type));
  if (model === undefined) return records;
  const others = records.filter(({ type }) => !pointing.includes(type));
  return [...others, ...addresses.map((address) => ({ ...model, ...address }))];
}

function forbid(host: string): SandboxRecord {
  return {
    host,
    type: "CAA",
    value: '0 issue ";"',
    ttl: sandboxTtlSeconds,
    priority: null,
    visible_at: new Date(0).toISOString(),
  };
}
