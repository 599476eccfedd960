import { randomBytes } from "node:crypto";
import {
  type AnswerRecord,
  type DnsRecord,
  isRecordType,
  type QueryType,
  type Reply,
  type Resolver,
} from "@mooring/dns";
import { askZone } from "./ask-zone.ts";
import { findKnownZone } from "./known-zone.ts";
import type { LookRuntime } from "./recent-facts.ts";

/** What stands at one name. */
export interface SeenName {
  readonly name: string;
  /** The zone that answers for it; null when it could not be found, or does not exist. */
  readonly zone: string | null;
  /** Records owned by the name itself. */
  readonly records: readonly DnsRecord[];
  /** A wildcard gives these records: nothing of its own stands at the name. */
  readonly fromWildcard: boolean;
  /** Every question was answered. */
  readonly complete: boolean;
}

const otherTypes: readonly QueryType[] = ["AAAA", "CNAME", "TXT", "MX", "NS", "CAA"];

export function unseen(name: string): SeenName {
  return { name, zone: null, records: [], fromWildcard: false, complete: false };
}

/**
 * All records at a name, from the servers of its zone. The first question tells most names apart: of
 * one that does not exist there is nothing more to ask (RFC 8020), nor beside a CNAME.
 */
export async function lookAtName(
  runtime: LookRuntime,
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<SeenName> {
  const found = await findKnownZone(runtime, resolver, name, signal);
  if (found.outcome === "failed") return unseen(name);
  if (found.outcome === "unregistered") return { ...unseen(name), complete: true };
  const { zone, servers } = found;
  const ask = (owner: string, type: QueryType) =>
    askZone(resolver, servers, { name: owner, type }, signal);
  const first = await ask(name, "A");
  const rest = furtherTypes(first);
  const replies = [first, ...(await Promise.all(rest.map((type) => ask(name, type))))];
  const asked: readonly QueryType[] = ["A", ...rest];
  const records = replies.flatMap((reply, index) => ownedBy(name, asked[index], reply));
  const complete = replies.every(({ outcome }) => outcome !== "failed");
  const fromWildcard = name !== zone && (await isFromWildcard(ask, name, records));
  return { name, zone, records, fromWildcard, complete };
}

function furtherTypes(reply: Reply): readonly QueryType[] {
  if (reply.outcome === "failed") return otherTypes;
  if (reply.chain.length > 0) return ["CNAME"];
  return reply.outcome === "absent" && reply.rcode === "NXDOMAIN" ? [] : otherTypes;
}

function ownedBy(name: string, type: QueryType | undefined, reply: Reply): DnsRecord[] {
  if (reply.outcome !== "records") return [];
  return reply.records
    .filter((record) => record.name === name && record.type === type)
    .flatMap(asRecord);
}

function asRecord(record: AnswerRecord): DnsRecord[] {
  const { type } = record;
  return isRecordType(type) ? [{ ...record, type }] : [];
}

/**
 * RFC 4592 §3.3.1: a wildcard answers for what does not exist, at any depth. So records that come
 * back for an unguessable name beside this one and for one below it are the wildcard's; below a
 * name that has records of its own there would be nothing.
 */
async function isFromWildcard(
  ask: (owner: string, type: QueryType) => Promise<Reply>,
  name: string,
  records: readonly DnsRecord[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const label = `probe-${randomBytes(8).toString("hex")}`;
  const probes = [`${label}${name.slice(name.indexOf("."))}`, `${label}.${name}`];
  const present = [...new Set(records.map(({ type }) => type))].filter((type) => type !== "ALIAS");
  const answers = await Promise.all(
    probes.flatMap((owner) =>
      present.map(async (type) => {
        const seen = ownedBy(owner, type, await ask(owner, type));
        return valuesOf(seen) === valuesOf(records.filter((record) => record.type === type));
      }),
    ),
  );
  return answers.every((isSame) => isSame);
}

function valuesOf(records: readonly DnsRecord[]): string {
  return records
    .map(({ value, priority }) => `${priority ?? ""} ${value}`)
    .sort()
    .join("\n");
}
