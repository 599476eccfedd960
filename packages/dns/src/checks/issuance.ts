import type { Resolver } from "../resolve/resolver.ts";

/** `signed`: the parent vouches for the zone's keys and the zone resolves. */
export type DnssecStatus = "unsigned" | "signed" | "bogus" | "unknown";

/**
 * A zone is signed when its parent has DS records for it (RFC 4035 §5.2). The recursive resolver
 * validates the signatures; one that does not validate never reports bogus.
 */
export async function dnssecStatus(
  resolver: Resolver,
  zone: string,
  signal: AbortSignal,
): Promise<DnssecStatus> {
  const [delegation, apex] = await Promise.all([
    resolver.resolve(zone, "DS", signal),
    resolver.resolve(zone, "SOA", signal),
  ]);
  if ([delegation, apex].some((reply) => reply.outcome === "failed" && reply.reason === "bogus")) {
    return "bogus";
  }
  if (delegation.outcome === "failed") return "unknown";
  if (delegation.outcome === "absent") return "unsigned";
  return apex.outcome === "failed" ? "unknown" : "signed";
}
