import { askAuthority, isAtOrBelow, resolveAddresses } from "@mooring/dns";
import type { Connection } from "../../../domain/connections/connection.ts";
import { type LeftRecord, leftRecords } from "../../../domain/connections/left-behind.ts";
import { withBudget } from "../../budget.ts";
import type { Runtime } from "../../runtime.ts";

const budgetMs = 8_000;

/**
 * The records by which the name of an archived connection still resolves to us; null when the name
 * servers did not say. Two questions to one server of its zone; of the delegation and of the edge's
 * name what was answered before counts for its TTL. A name behind a CDN shows the CDN's addresses,
 * and an edge tells nothing of names that it does not serve: such a name counts as gone.
 */
export async function findLeftRecords(
  runtime: Pick<Runtime, "dns" | "config">,
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly LeftRecord[] | null> {
  const { edgeCname, edgeIpv4, edgeIpv6 } = runtime.config;
  const own = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const resolver = own.reuse?.("ttl") ?? own;
  return withBudget(budgetMs, signal, async (inner) => {
    const answer = await askAuthority(resolver, connection.hostname, {
      types: ["A", "AAAA"],
      servers: "first",
      isResolvedAsUsual: (name) => isAtOrBelow(name, edgeCname),
      signal: inner,
    });
    if (answer.outcome === "failed") return null;
    const [first] = answer.answers;
    if (first === undefined) return null;
    const known = [...edgeIpv4, ...edgeIpv6];
    const addresses =
      known.length > 0 ? known : ((await resolveAddresses(resolver, edgeCname, inner)) ?? []);
    return leftRecords(connection, first, { cname: edgeCname, addresses: new Set(addresses) });
  });
}
