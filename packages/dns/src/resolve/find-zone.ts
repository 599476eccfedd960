import { isAtOrBelow, isSubdomainOf, registryDomain, selfAndAncestors } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { type AskDelegation, nextStep, type Step } from "./descend.ts";
import type { RecursiveAnswer } from "./recursive.ts";
import type { Failed, FoundZone, NameServer } from "./resolver.ts";

/** Limits the queries for one delegation. Few have more; of those the first by name are asked. */
const maxServers = 8;
const maxAddressesPerServer = 4;
/** Limits the questions on the way down; each zone below the registry's needs two or three. */
const maxSteps = 12;

export type RecursiveAsk = (
  name: string,
  type: QueryType,
  signal: AbortSignal,
) => Promise<RecursiveAnswer>;

/** The two ways to ask: the recursive resolvers, and an authoritative server itself. */
export interface ZoneSearch {
  readonly askRecursive: RecursiveAsk;
  readonly askDelegation: AskDelegation;
}

type Found = Extract<FoundZone, { outcome: "found" }>;

/**
 * The deepest zone that holds the name. The resolvers are asked for the domain that the registry
 * delegated; from there each zone's own servers say where the name lies. A resolver that is asked
 * for the name itself remembers for the zone's negative TTL that it does not exist (RFC 2308), and
 * its users do not see the record that is about to be published.
 */
export async function findZone(
  search: ZoneSearch,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  const top = registryDomain(name) ?? name;
  const { reply, additionals } = await search.askRecursive(top, "NS", signal);
  if (reply.outcome === "absent" && reply.rcode === "NXDOMAIN") return { outcome: "unregistered" };
  if (reply.outcome === "failed" && !isSkipped(reply)) return reply;
  if (reply.outcome !== "records" || reply.chain.length > 0) {
    return climb(search.askRecursive, name, top, signal);
  }
  const hosts = reply.records.map((record) => record.value);
  return descend(
    search,
    await makeZone(search, top, { hosts, glue: additionals }, signal),
    name,
    signal,
  );
}

/** From a zone down to the deepest one, by asking each zone's servers. */
async function descend(
  search: ZoneSearch,
  top: Found,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  let found = top;
  let asked = name;
  for (let steps = 0; isSubdomainOf(asked, found.zone) && steps < maxSteps; steps += 1) {
    const at = { zone: found.zone, name: asked };
    const step = await nextStep(search.askDelegation, found.servers, at, signal);
    // No server says where the name lies: the resolvers may know, from a cache of theirs.
    if (step === null)
      return deeper(found, await climb(search.askRecursive, name, found.zone, signal));
    if (step.kind === "here") return found;
    if (step.kind === "cut") found = await makeZone(search, step.zone, step, signal);
    // A CNAME is at no zone's apex (RFC 1034 §3.6.2); the answer may come from a zone in between.
    asked = nextName(step, { asked, name });
  }
  return found;
}

function nextName(step: Step, at: { readonly asked: string; readonly name: string }): string {
  if (step.kind === "alias") return at.asked.slice(at.asked.indexOf(".") + 1);
  return step.kind === "below" ? step.zone : at.name;
}

function deeper(found: Found, climbed: FoundZone): FoundZone {
  return climbed.outcome === "found" ? climbed : found;
}

async function makeZone(
  { askRecursive }: Pick<ZoneSearch, "askRecursive">,
  zone: string,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<Found> {
  const servers = await locateServers(askRecursive, zone, delegation, signal);
  return { outcome: "found", zone, servers };
}

/**
 * Walks up from the name to `top` through the resolvers, for zones whose servers do not say. A name
 * with a CNAME, even one in a loop, is no zone's apex and is skipped.
 */
async function climb(
  askRecursive: RecursiveAsk,
  name: string,
  top: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  for (const zone of selfAndAncestors(name).filter((level) => isAtOrBelow(level, top))) {
    const { reply, additionals } = await askRecursive(zone, "NS", signal);
    if (reply.outcome === "failed" && (zone === top || !isSkipped(reply))) return reply;
    if (reply.outcome === "records" && reply.chain.length === 0) {
      const hosts = reply.records.map((record) => record.value);
      return makeZone({ askRecursive }, zone, { hosts, glue: additionals }, signal);
    }
  }
  return { outcome: "failed", reason: "lame" };
}

/**
 * A CNAME loop; some resolvers report one as SERVFAIL. If the cause is a broken zone after all, the
 * servers above it return a referral, which proves nothing.
 */
function isSkipped({ reason }: Failed): boolean {
  return reason === "cname_loop" || reason === "servfail";
}

/**
 * One server of exactly this zone, in a random order the first that has an address; null when none
 * has. Fewer questions than for all of them.
 */
export async function oneServer(
  { askRecursive }: Pick<ZoneSearch, "askRecursive">,
  zone: string,
  signal: AbortSignal,
): Promise<NameServer | null> {
  const { reply, additionals } = await askRecursive(zone, "NS", signal);
  if (reply.outcome !== "records" || reply.chain.length > 0) return null;
  const hosts = reply.records.map((record) => ({ host: record.value, order: Math.random() }));
  const glue = additionals.filter((record) => isAtOrBelow(record.name, zone));
  for (const { host } of hosts.sort((one, other) => one.order - other.order)) {
    for (const type of ["A", "AAAA"] as const) {
      const { reply: found } = await askRecursive(host, type, signal);
      const own = glue.filter((record) => record.name === host && record.type === type);
      const records = found.outcome === "records" ? found.records : own;
      const addresses = records.map((record) => record.value);
      if (addresses.length > 0)
        return { host, addresses: addresses.slice(0, maxAddressesPerServer) };
    }
  }
  return null;
}

/** The hosts of a zone's NS records, and the addresses that came with them. */
interface Delegation {
  readonly hosts: readonly string[];
  readonly glue: readonly AnswerRecord[];
}

/** The servers of a zone with their addresses, sorted by host. */
export function locateServers(
  askRecursive: RecursiveAsk,
  zone: string,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<readonly NameServer[]> {
  const glue = delegation.glue.filter((record) => zone === "." || isAtOrBelow(record.name, zone));
  const hosts = [...new Set(delegation.hosts)].sort().slice(0, maxServers);
  return Promise.all(hosts.map((host) => locate(askRecursive, host, glue, signal)));
}

/** IPv4 first: every network reaches it. Glue is used only where the lookups return nothing. */
async function locate(
  askRecursive: RecursiveAsk,
  host: string,
  glue: readonly AnswerRecord[],
  signal: AbortSignal,
): Promise<NameServer> {
  const [v4, v6] = await Promise.all([
    askRecursive(host, "A", signal),
    askRecursive(host, "AAAA", signal),
  ]);
  const found = [v4, v6].flatMap(({ reply }) => (reply.outcome === "records" ? reply.records : []));
  const records = found.length > 0 ? found : glue.filter((record) => isAddressOf(record, host));
  const addresses = records.map((record) => record.value);
  return { host, addresses: addresses.slice(0, maxAddressesPerServer) };
}

function isAddressOf(record: AnswerRecord, host: string): boolean {
  return record.name === host && (record.type === "A" || record.type === "AAAA");
}
