import { type CaaVerdict, caaAllows, type Reply, type Resolver } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { caaIssuer } from "../../domain/certificate.ts";

/**
 * Whether a certificate could be issued once the wanted records are there. What a CNAME to another
 * platform says today does not count: it will be gone. A CNAME to the edge will lead to the edge's
 * own set (RFC 8659 §3).
 */
export function caaAfterConnect(
  resolver: Resolver,
  config: Pick<Config, "acmeDirectoryUrls">,
  name: { readonly hostname: string; readonly cname: string | null },
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const { hostname, cname } = name;
  const resolve: Resolver["resolve"] = async (asked, type, inner) => {
    const reply = await resolver.resolve(asked, type, inner);
    if (asked !== hostname || reply.outcome === "failed") return reply;
    if (reply.outcome === "records" && reply.chain.length === 0) return reply;
    if (cname === null) return nothing;
    const target = await resolver.resolve(cname, type, inner);
    // The edge's name is the operator's to keep in order; trouble with it says nothing of the domain.
    return target.outcome === "records" ? target : nothing;
  };
  const { findZone, askServer } = resolver;
  const after: Resolver = { findZone, askServer, resolve };
  return caaAllows(after, hostname, caaIssuer(config.acmeDirectoryUrls), signal);
}

const nothing: Reply = {
  outcome: "absent",
  rcode: "NOERROR",
  chain: [],
  negativeTtlSeconds: null,
  authoritative: false,
};
