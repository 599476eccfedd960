import type { DnsRecord, RecordsCheck, Reply, Resolver } from "@mooring/dns";
import type { CacheFacts } from "../../../domain/diagnosis/facts.ts";

/**
 * What recursive resolvers say of the records that the nameservers have. They are asked for those
 * only: a question that comes too early would make them remember the absence (RFC 2308).
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

/** A name that follows another is asked for its addresses: flattened ones have nothing else. */
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
