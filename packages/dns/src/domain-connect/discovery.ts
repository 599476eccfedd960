import type { Resolver } from "../resolver.ts";
import { type Get, get } from "./get.ts";
import { type DomainConnectSettings, parseSettings } from "./settings.ts";

/**
 * Why Domain Connect is not offered. `dns_failure` and `settings_unavailable` may pass; the others
 * are the zone's or the provider's own word.
 */
export type DomainConnectRefusal =
  | "no_record"
  | "invalid_record"
  | "dns_failure"
  | "zone_not_found"
  | "settings_unavailable"
  | "settings_invalid";

export type DomainConnectDiscovery =
  | ({ readonly offered: true } & DomainConnectSettings)
  | { readonly offered: false; readonly reason: DomainConnectRefusal };

export interface DiscoveryOptions {
  readonly resolver: Resolver;
  /** Must refuse addresses inside our own network: the zone's owner chooses the host. */
  readonly fetch: Get;
  readonly signal: AbortSignal;
}

/** A zone with several records is in the middle of something; more than these are not tried. */
const MAX_RECORDS = 3;
const MAX_PREFIX_LENGTH = 509;

/**
 * Whether the zone's provider offers Domain Connect for it: the `_domainconnect` TXT names the API,
 * whose settings call speaks for this zone. Rejects only when aborted.
 */
export async function discoverDomainConnect(
  zone: string,
  options: DiscoveryOptions,
): Promise<DomainConnectDiscovery> {
  const reply = await options.resolver.resolve(`_domainconnect.${zone}`, "TXT", options.signal);
  if (reply.outcome === "failed") return refused("dns_failure");
  if (reply.outcome === "absent") return refused("no_record");
  const prefixes = reply.records
    .filter(({ type }) => type === "TXT")
    .map(({ value }) => value.trim().replace(/\/+$/, ""))
    .filter(isApiPrefix);
  let last: DomainConnectDiscovery = refused("invalid_record");
  for (const prefix of [...new Set(prefixes)].slice(0, MAX_RECORDS)) {
    last = await readSettings(prefix, zone, options);
    if (last.offered) return last;
  }
  return last;
}

async function readSettings(
  prefix: string,
  zone: string,
  options: DiscoveryOptions,
): Promise<DomainConnectDiscovery> {
  const answer = await get(
    options.fetch,
    `https://${prefix}/v2/${encodeURIComponent(zone)}/settings`,
    options.signal,
  );
  if (answer === null) return refused("settings_unavailable");
  if (answer.status === 404) return refused("zone_not_found");
  if (answer.status < 200 || answer.status > 299) return refused("settings_unavailable");
  const settings = parseSettings(answer.body, zone);
  return settings === null ? refused("settings_invalid") : { offered: true, ...settings };
}

function refused(reason: DomainConnectRefusal): DomainConnectDiscovery {
  return { offered: false, reason };
}

/**
 * A public host name with an optional path, and nothing that a URL could read as anything else. A
 * wildcard TXT answers for this name too, so that any text at all may stand here.
 */
function isApiPrefix(value: string): boolean {
  if (value.length > MAX_PREFIX_LENGTH || value.includes("..")) return false;
  const host =
    /^((?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/;
  return host.test(value) && URL.canParse(`https://${value}/v2`);
}
