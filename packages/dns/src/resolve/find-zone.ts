import { isAtOrBelow, registryDomain, selfAndAncestors } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { RecursiveAnswer } from "./recursive.ts";
import type { Failed, FoundZone, NameServer } from "./resolver.ts";

/** What a delegation may cost us in queries; real ones stay far below. */
const maxServers = 32;
const maxAddressesPerServer = 4;

export type RecursiveAsk = (
  name: string,
  type: QueryType,
  signal: AbortSignal,
) => Promise<RecursiveAnswer>;

/**
 * Climbs from the name to the domain that its registry delegated and takes the first that has NS
 * records of its own. A CNAME on the way, even one that leads in a circle, is no zone's apex
 * (RFC 1034 §3.6.2) and is passed over.
 */
export async function findZone(
  askRecursive: RecursiveAsk,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  const ceiling = registryDomain(name) ?? name;
  for (const zone of selfAndAncestors(name).filter((level) => isAtOrBelow(level, ceiling))) {
    const { reply, additionals } = await askRecursive(zone, "NS", signal);
    if (reply.outcome === "failed" && (zone === ceiling || !isPassedOver(reply))) return reply;
    if (reply.outcome === "records" && reply.chain.length === 0) {
      const hosts = reply.records.map((record) => record.value).sort();
      const glue = additionals.filter((record) => isAtOrBelow(record.name, zone));
      const servers = hosts
        .slice(0, maxServers)
        .map((host) => locate(askRecursive, host, glue, signal));
      return { outcome: "found", zone, servers: await Promise.all(servers) };
    }
    if (zone === ceiling && reply.outcome === "absent" && reply.rcode === "NXDOMAIN") {
      return { outcome: "unregistered" };
    }
  }
  return { outcome: "failed", reason: "lame" };
}

/**
 * A circle, or what a resolver calls one: some say SERVFAIL. If a broken zone is behind it after all,
 * the servers above only refer to it, and a referral proves nothing.
 */
function isPassedOver({ reason }: Failed): boolean {
  return reason === "cname_loop" || reason === "servfail";
}

/** IPv4 first: it is the one that every network reaches. Glue counts where nothing else is known. */
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
