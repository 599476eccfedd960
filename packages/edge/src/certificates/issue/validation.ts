import { createNetworkResolver, type Resolver } from "@mooring/dns/lookup";
import { createGuard, permitsAddress } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { EdgeParts } from "../../config/settings.ts";
import { createDelegation, type Delegation } from "./delegation.ts";
import { createPreflight, type Preflight } from "./preflight.ts";

/** How this edge finds out whether a CA could validate a name, and by which method. */
export function createValidation(
  parts: EdgeParts,
  shared: { readonly pool: pg.Pool; readonly clock: Clock },
): { readonly preflight: Preflight; readonly delegation: Delegation | null } {
  const resolver = createResolver(parts, shared.clock);
  const delegation = createEdgeDelegation(parts.settings, { ...shared, resolver });
  return { preflight: createEdgePreflight(parts, resolver, delegation), delegation };
}

const standardDnsPort = 53;

/**
 * A zone's owner chooses the addresses of its name servers, so they pass the egress policy. With a
 * non-standard port the servers are the operator's, as in tests, and the policy is not asked.
 */
function createResolver({ settings, resolvers }: EdgeParts, clock: Clock): Resolver {
  const port = settings.DNS_AUTHORITATIVE_PORT;
  const guard = createGuard({ allow: settings.EGRESS_ALLOW });
  return createNetworkResolver({
    resolvers,
    authoritativePort: port,
    now: () => clock.now(),
    permitAddress: (address) => port !== standardDnsPort || permitsAddress(guard, address),
  });
}

function createEdgePreflight(
  { settings, caaNames }: EdgeParts,
  resolver: Resolver,
  delegation: Delegation | null,
): Preflight {
  return createPreflight({
    resolver,
    edgeAddresses: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
    edgeCname: settings.EDGE_CNAME,
    caaNames: (issuer) => caaNames(issuer.name),
    delegation,
  });
}

/** A zone of the sandbox is for names of the sandbox, whose certificates need no validation. */
function createEdgeDelegation(
  {
    VALIDATION_ZONE: zone,
    VALIDATION_NS: nameServers,
    VALIDATION_PERSIST: isPersistent,
  }: EdgeParts["settings"],
  shared: { readonly pool: pg.Pool; readonly clock: Clock; readonly resolver: Resolver },
): Delegation | null {
  if (zone === null || zone.endsWith(".test")) return null;
  return createDelegation({ ...shared, zone, nameServers, isPersistent });
}
