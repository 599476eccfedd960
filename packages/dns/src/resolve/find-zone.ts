import { isAtOrBelow, registryDomain, selfAndAncestors } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { RecursiveAnswer } from "./recursive.ts";
import type { Failed, FoundZone, NameServer } from "./resolver.ts";

/** Limits the queries for one delegation; real ones need far fewer. */
const maxServers = 32;
const maxAddressesPerServer = 4;

export type RecursiveAsk = (
  name: string,
  type: QueryType,
  signal: AbortSignal,
) => Promise<RecursiveAnswer>;

/**
 * Walks up from the name to the domain that its registry delegated and returns the first with NS
 * records. A name with a CNAME, even one in a loop, is no zone's apex (RFC 1034 §3.6.2) and is skipped.
 */
export async function findZone(
  askRecursive: RecursiveAsk,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  const ceiling = registryDomain(name) ?? name;
  for (const zone of selfAndAncestors(name).filter((level) => isAtOrBelow(level, ceiling))) {
    const { reply, additionals } = await askRecursive(zone, "NS", signal);
    if (reply.outcome === "failed" && (zone === ceiling || !isSkipped(reply))) return reply;
    if (reply.outcome === "records" && reply.chain.length === 0) {
      const answer = { records: reply.records, additionals };
      const servers = await locateServers(askRecursive, zone, answer, signal);
      return { outcome: "found", zone, servers };
    }
    if (zone === ceiling && reply.outcome === "absent" && reply.rcode === "NXDOMAIN") {
      return { outcome: "unregistered" };
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

/** The hosts of a zone's NS records with their addresses, sorted by host. */
export function locateServers(
  askRecursive: RecursiveAsk,
  zone: string,
  answer: Pick<RecursiveAnswer, "additionals"> & { readonly records: readonly AnswerRecord[] },
  signal: AbortSignal,
): Promise<readonly NameServer[]> {
  const hosts = answer.records.map((record) => record.value).sort();
  const glue = answer.additionals.filter(
    (record) => zone === "." || isAtOrBelow(record.name, zone),
  );
  const servers = hosts.slice(0, maxServers);
  return Promise.all(servers.map((host) => locate(askRecursive, host, glue, signal)));
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
