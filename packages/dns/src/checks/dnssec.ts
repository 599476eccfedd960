import {
  type DnssecFault,
  type DnssecVerdict,
  indeterminate,
  pickWorst,
} from "../dnssec/verdict.ts";
import { registrableDomain } from "../name.ts";
import type { FoundZone, Resolver } from "../resolve/resolver.ts";

/** `signed`: the parent vouches for the zone's keys, and its answers are authentic. */
export type DnssecStatus = "unsigned" | "signed" | "bogus" | "unknown";

export interface DnssecCheck {
  readonly status: DnssecStatus;
  /** What is broken where; null unless our own validation found it. */
  readonly fault: DnssecFault | null;
}

/**
 * Validates what a visitor and a CA ask for a hostname: its addresses, and the CAA records that
 * decide (RFC 8659 §3), which for most domains are those of the registrable domain.
 */
export async function validateHostname(
  resolver: Resolver,
  hostname: string,
  signal: AbortSignal,
): Promise<DnssecVerdict> {
  if (resolver.validate === undefined) return indeterminate;
  const domain = registrableDomain(hostname) ?? hostname;
  const above = domain === hostname ? [] : [resolver.validate(domain, ["CAA"], signal)];
  return pickWorst(
    await Promise.all([resolver.validate(hostname, ["A", "AAAA", "CAA"], signal), ...above]),
  );
}

/**
 * The hostname's status by our own validation or, where that cannot tell, by the resolver's. A
 * domain that was not found has none.
 */
export async function checkDnssec(
  resolver: Resolver,
  hostname: string,
  zone: Promise<FoundZone | null>,
  signal: AbortSignal,
): Promise<DnssecCheck> {
  const [found, verdict] = await Promise.all([zone, validateHostname(resolver, hostname, signal)]);
  if (verdict.outcome === "bogus") return { status: "bogus", fault: verdict.fault };
  // A resolver that validates refuses the delegation itself.
  if (found?.outcome === "failed" && found.reason === "bogus") return plain("bogus");
  if (found?.outcome !== "found") return plain("unknown");
  if (verdict.outcome === "secure") return plain("signed");
  if (verdict.outcome === "insecure") return plain("unsigned");
  return plain(await dnssecStatus(resolver, found.zone, signal));
}

function plain(status: DnssecStatus): DnssecCheck {
  return { status, fault: null };
}

/**
 * A zone is signed when its parent has DS records for it (RFC 4035 §5.2). Here the recursive
 * resolver validates the signatures; one that does not validate never reports bogus.
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
