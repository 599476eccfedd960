import {
  acmeChallengeName,
  type DnsRecord,
  type FoundZone,
  type NameServer,
  type RecordsCheck,
  type Reply,
  type Resolver,
} from "@mooring/dns";
import { validationAlias, validationZoneFor } from "../../../domain/certificates/validation.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type {
  CacheFacts,
  DnssecFacts,
  NameserverFacts,
  StrayProof,
  StrayRecord,
} from "../../../domain/diagnosis/facts.ts";
import { challengeName, challengePrefix } from "../../../domain/ownership/ownership-challenge.ts";
import type { ProofZones } from "../../../domain/ownership/proofs.ts";
import { isTargetName, ownTarget } from "../../../domain/ownership/target.ts";
import { askZone } from "../../domains/observe-name.ts";

/** A zone and its authoritative servers. */
export interface ServedZone {
  readonly zone: string;
  readonly servers: readonly NameServer[];
}

export function servedZone(found: FoundZone | null): ServedZone | null {
  return found?.outcome === "found" ? found : null;
}

/** Asks each server of the delegation for the zone's NS records. */
export async function queryServers(
  resolver: Resolver,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly NameserverFacts[]> {
  if (at === null) return [];
  return Promise.all(
    at.servers.map(async (server) => {
      const asked = { signal, transport: "udp" } as const;
      const reply = await resolver.askServer(server, at.zone, "NS", asked);
      return { host: server.host, reply };
    }),
  );
}

/**
 * The DS records at the parent and, where there are any, whether each server has DNSKEY records.
 */
export async function queryKeys(
  resolver: Resolver,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<Pick<DnssecFacts, "ds" | "keys">> {
  if (at === null) return noKeys;
  const ds = answeredValues(await resolver.resolve(at.zone, "DS", signal));
  if (ds.length === 0) return noKeys;
  const keys = await Promise.all(
    at.servers.map(async (server) => {
      const asked = { signal, transport: "udp" } as const;
      const reply = await resolver.askServer(server, at.zone, "DNSKEY", asked);
      return reply.outcome === "failed"
        ? []
        : [{ host: server.host, hasKeys: reply.outcome === "records" }];
    }),
  );
  return { ds, keys: keys.flat() };
}

export const noKeys = { ds: [], keys: [] } as const;

export function answeredValues(reply: Reply): readonly string[] {
  return reply.outcome === "records" ? reply.records.map(({ value }) => value) : [];
}

/** RFC 1035 §2.3.4. */
const longestName = 253;

/**
 * The records in the zone by which another connection can be proven: public values of our own form,
 * whosever they are. Where the connection is alone, as is usual, nothing is asked.
 */
export async function findOtherProofs(
  resolver: Resolver,
  zones: ProofZones,
  connection: Connection,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  const isAlone = connection.contest === null && connection.errorCode !== "hostname_conflict";
  if (at === null || isAlone) return [];
  const { edgeCname } = zones;
  const { hostname } = connection;
  const validationZone = validationZoneFor(zones.validationZone, hostname);
  const alias = validationAlias(zones.validationZone, connection);
  const asked: readonly (readonly [string, "TXT" | "CNAME", (value: string) => boolean])[] = [
    [
      challengeName(hostname),
      "TXT",
      (value) => value.startsWith(challengePrefix) && value !== connection.challenge,
    ],
    [
      hostname,
      "CNAME",
      (value) => isTargetName(edgeCname, value) && value !== ownTarget(edgeCname, connection),
    ],
    [
      acmeChallengeName(hostname),
      "CNAME",
      (value) =>
        validationZone !== null && value.endsWith(`.${validationZone}`) && value !== alias?.target,
    ],
  ];
  const found = await Promise.all(
    asked.map(async ([name, type, isOther]) => {
      const reply = await askZone(resolver, at.servers, { name, type }, signal);
      const records = reply.outcome === "records" ? reply.records : [];
      return records
        .filter((record) => record.type === type && isOther(record.value))
        .map(({ value, ttl }): DnsRecord => ({ name, type, value, ttl, priority: null }));
    }),
  );
  return found.flat();
}

/** Searches the names where the ownership record is most often published by mistake. */
export async function findStrayProofs(
  resolver: Resolver,
  connection: Connection,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly StrayProof[]> {
  if (at === null) return [];
  const found = await Promise.all(
    proofMistakes(connection.hostname, at.zone).map(async (mistake) => {
      const question = { name: mistake.name, type: "TXT" } as const;
      const values = answeredValues(await askZone(resolver, at.servers, question, signal));
      return values.includes(connection.challenge) ? [mistake] : [];
    }),
  );
  return found.flat();
}

/** Most likely first. */
function proofMistakes(hostname: string, zone: string): readonly StrayProof[] {
  const right = challengeName(hostname);
  const doubled = [`${right}.${zone}`];
  const misplaced = [hostname, challengeName(zone), zone, right.replace(/^_/, "")];
  const mistakes = [
    ...doubled.map((name) => ({ name, isDoubled: true })),
    ...[...new Set(misplaced)].map((name) => ({ name, isDoubled: false })),
  ];
  return mistakes.filter(({ name }) => name !== right && name.length <= longestName);
}

/** Searches absent records at their name with the zone appended a second time. */
export async function findStrayRecords(
  resolver: Resolver,
  check: RecordsCheck | null,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly StrayRecord[]> {
  if (at === null || check === null) return [];
  const missing = check.records.filter(({ outcome }) => outcome === "absent");
  const found = await Promise.all(
    missing.map(({ record }) => findStrayRecord(resolver, record, at, signal)),
  );
  return found.flat();
}

/** Only the exact value counts, because a wildcard of the zone answers for the doubled name too. */
async function findStrayRecord(
  resolver: Resolver,
  record: DnsRecord,
  at: ServedZone,
  signal: AbortSignal,
): Promise<readonly StrayRecord[]> {
  const name = `${record.name}.${at.zone}`;
  // An ALIAS is answered with addresses, which do not show the record they come from.
  if (record.type === "ALIAS" || name.length > longestName) return [];
  const question = { name, type: record.type };
  const values = answeredValues(await askZone(resolver, at.servers, question, signal));
  return values.includes(record.value) ? [{ requested: record.name, name, values }] : [];
}

/**
 * The names of desired records that are aliases in a loop. Authoritative servers show the first
 * step only, so a recursive resolver follows the chain. Absent names are not asked for: the
 * resolver would cache the absence (RFC 2308).
 */
export async function findAliasLoops(
  resolver: Resolver,
  check: RecordsCheck | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wrong = (check?.records ?? []).filter(
    ({ outcome }) => outcome !== "match" && outcome !== "absent",
  );
  const names = [...new Set(wrong.map(({ record }) => record.name))];
  const found = await Promise.all(
    names.map(async (name) => {
      const reply = await resolver.resolve(name, "A", signal);
      return reply.outcome === "failed" && reply.reason === "cname_loop" ? [name] : [];
    }),
  );
  return found.flat();
}

/**
 * What recursive resolvers answer for records that the nameservers already have. Other records are
 * not asked for: a query that comes too early makes the resolver cache the absence (RFC 2308).
 */
export async function askCaches(
  resolver: Resolver,
  check: RecordsCheck | null,
  signal: AbortSignal,
): Promise<readonly CacheFacts[]> {
  const present = (check?.records ?? []).filter(({ outcome }) => outcome === "match");
  return Promise.all(
    present.map(async ({ record }) => ({ record, reply: await askFor(resolver, record, signal) })),
  );
}

/** CNAME and ALIAS are asked for as addresses, because a flattened name has nothing else. */
async function askFor(
  resolver: Resolver,
  { name, type }: DnsRecord,
  signal: AbortSignal,
): Promise<Reply> {
  if (type !== "CNAME" && type !== "ALIAS") return resolver.resolve(name, type, signal);
  const reply = await resolver.resolve(name, "A", signal);
  const isEmpty = reply.outcome === "absent" && reply.chain.length === 0;
  return isEmpty ? resolver.resolve(name, "AAAA", signal) : reply;
}
