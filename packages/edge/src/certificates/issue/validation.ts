import {
  createNetworkResolver,
  type Resolver,
  resolveAddresses,
  withoutCaches,
} from "@mooring/dns/lookup";
import { askProbe, createGuard, permitsAddress } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { EdgeParts } from "../../config/settings.ts";
import { probeKeys } from "../../proxy/response/probe.ts";
import { createDelegation, type Delegation } from "./delegation.ts";
import {
  createPreflight,
  type FrontProbe,
  type Preflight,
  type PreflightParts,
} from "./preflight.ts";

/** How this edge finds out whether a CA could validate a name, and by which method. */
export function createValidation(
  parts: EdgeParts,
  shared: { readonly pool: pg.Pool; readonly clock: Clock; readonly vault: Vault },
): { readonly preflight: Preflight; readonly delegation: Delegation | null } {
  const resolver = createResolver(parts, shared.clock);
  const delegation = createEdgeDelegation(parts.settings, { ...shared, resolver });
  const front = createFrontProbe(parts.settings, { ...shared, resolver });
  return { preflight: createEdgePreflight(parts, { resolver, delegation, front }), delegation };
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

/** The name is asked at the servers that own it, and its addresses pass the egress policy. */
function createFrontProbe(
  { EGRESS_ALLOW: allow, EDGE_PROBE_HTTP_PORT: port, EDGE_CNAME: cname }: EdgeParts["settings"],
  shared: { readonly clock: Clock; readonly vault: Vault; readonly resolver: Resolver },
): FrontProbe {
  const { dial } = createGuard({ allow });
  const keys = probeKeys(shared.vault);
  const resolver = withoutCaches(shared.resolver, (name) => name === cname);
  return async (hostname, signal) => {
    const addresses = (await resolveAddresses(resolver, hostname, signal)) ?? [];
    const way = { scheme: "http", port, path: "challenge" } as const;
    const target = { hostname, addresses, keys, now: shared.clock.now(), ...way };
    return (await askProbe(dial, target, signal)).outcome === "ours";
  };
}

function createEdgePreflight(
  { settings, caaNames }: EdgeParts,
  parts: Pick<PreflightParts, "resolver" | "front"> & { readonly delegation: Delegation | null },
): Preflight {
  return createPreflight({
    ...parts,
    edgeAddresses: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
    edgeCname: settings.EDGE_CNAME,
    caaNames: (issuer) => caaNames(issuer.name),
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
