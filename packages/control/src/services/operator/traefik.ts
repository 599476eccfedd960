import { EgressError } from "@mooring/egress";
import {
  type OriginRow,
  type ServedHost,
  selectServedHosts,
} from "../../db/queries/connections/claims.ts";
import type { Runtime } from "../runtime.ts";
import { checkedRoute, type Route } from "./internal.ts";
import { createOriginRules, type OriginRules } from "./origin-rules.ts";

/** Names of the operator's own Traefik configuration. */
export interface TraefikOptions {
  readonly entryPoints: readonly string[];
  /** Obtains the certificates; null: TLS with what Traefik has. */
  readonly certResolver: string | null;
  /** Where Traefik reads this document: the maintenance page is served there, too. */
  readonly baseUrl: string;
}

interface Router {
  readonly rule: string;
  readonly service: string;
  readonly middlewares?: readonly string[];
  readonly entryPoints?: readonly string[];
  readonly priority: number;
  readonly tls: {
    readonly certResolver?: string;
    /** A rule with a pattern names no domain that a certificate could be obtained for. */
    readonly domains?: readonly { readonly main: string }[];
  };
}

interface Service {
  readonly loadBalancer: {
    readonly servers: readonly { readonly url: string }[];
    readonly passHostHeader: boolean;
  };
}

type Middleware =
  | { readonly redirectRegex: { regex: string; replacement: string; permanent: boolean } }
  | { readonly headers: { readonly customRequestHeaders: Readonly<Record<string, string>> } }
  | { readonly addPrefix: { readonly prefix: string } }
  | { readonly replacePath: { readonly path: string } };

/**
 * The dynamic configuration that Traefik's HTTP provider reads. A section without entries is left
 * out, as it asks.
 */
export interface TraefikDocument {
  readonly http?: {
    readonly routers: Readonly<Record<string, Router>>;
    readonly services: Readonly<Record<string, Service>>;
    readonly middlewares?: Readonly<Record<string, Middleware>>;
  };
}

/**
 * Every claimed hostname as a router for Traefik, which asks nobody about a name at its handshake
 * but polls a document. Each origin is checked by the rules of origins at every poll; a hostname
 * whose origin is refused is left out. An origin without TLS is dialled at the address that was
 * checked.
 */
export function createTraefik(
  runtime: Runtime,
): (options: TraefikOptions) => Promise<TraefikDocument> {
  const rules = createOriginRules(runtime);
  return async (options) => {
    const { served: hosts, suspended } = await selectServedHosts(runtime.database);
    const origins = await checkOrigins(runtime, rules, hosts);
    const served = [
      ...hosts.flatMap((host) => {
        const origin = origins.get(originKey(host));
        return origin ? [{ host, origin }] : [];
      }),
      ...suspended.map((hostname) => maintained(hostname, options)),
    ];
    if (served.length === 0) return {};
    const middlewares = Object.fromEntries(served.flatMap(toMiddlewares));
    return {
      http: {
        routers: Object.fromEntries(
          served.map((one) => [routerName(one.host), toRouter(one, options)]),
        ),
        services: Object.fromEntries(served.map(toService)),
        ...(Object.keys(middlewares).length > 0 ? { middlewares } : {}),
      },
    };
  };
}

export const maintenancePath = "/internal/maintenance";

/** The name of a suspended tenant: whatever is asked for, our page answers. */
function maintained(hostname: string, { baseUrl }: TraefikOptions): Served {
  const { protocol, host } = new URL(baseUrl);
  const scheme = protocol === "https:" ? "https" : "http";
  const route = { url: baseUrl, scheme, dial: host, host: hostname, path: "" } as const;
  return {
    host: { hostname, redirectTo: null, originUrl: baseUrl, hostHeader: "preserve" },
    origin: { ...route, name: "maintenance", replacesPath: maintenancePath },
  };
}

interface Served {
  readonly host: ServedHost;
  readonly origin: CheckedOrigin;
}

/** The checked parts of an origin, and its name in the document. */
interface CheckedOrigin extends Route {
  readonly name: string;
  /** The one path that is asked for; absent: that of the visitor. */
  readonly replacesPath?: string;
}

function originKey({ originUrl, hostHeader }: OriginRow): string {
  return `${hostHeader} ${originUrl}`;
}

const checkedAtOnce = 20;

/** Many hostnames have few origins, so each origin is looked up once. */
async function checkOrigins(
  { log }: Runtime,
  rules: OriginRules,
  hosts: readonly ServedHost[],
): Promise<ReadonlyMap<string, CheckedOrigin>> {
  const waiting = [...new Map(hosts.map((host) => [originKey(host), host])).entries()];
  const checked = new Map<string, CheckedOrigin>();
  const check = async (key: string, host: ServedHost, name: string): Promise<void> => {
    try {
      checked.set(key, { ...(await checkedRoute(rules, host.hostname, host)), name });
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      log.info({ hostname: host.hostname, reason: error.message }, "origin refused");
    }
  };
  const named = waiting.map(([key, host], index) => ({ key, host, name: `origin-${index}` }));
  while (named.length > 0) {
    const batch = named.splice(0, checkedAtOnce);
    await Promise.all(batch.map(({ key, host, name }) => check(key, host, name)));
  }
  return checked;
}

function routerName({ hostname }: ServedHost): string {
  return hostname.replace("*", "wildcard");
}

const exactPriority = 1_000;
const wildcardPriority = 1;

/** The exact name wins over the wildcard. */
function toRouter({ host, origin }: Served, { entryPoints, certResolver }: TraefikOptions): Router {
  const isWildcard = host.hostname.startsWith("*.");
  const middlewares = toMiddlewares({ host, origin }).map(([name]) => name);
  return {
    rule: isWildcard ? wildcardRule(host.hostname) : `Host(\`${host.hostname}\`)`,
    service: origin.name,
    ...(middlewares.length > 0 ? { middlewares } : {}),
    ...(entryPoints.length > 0 ? { entryPoints } : {}),
    priority: isWildcard ? wildcardPriority : exactPriority,
    tls: {
      ...(certResolver === null ? {} : { certResolver }),
      ...(isWildcard ? { domains: [{ main: host.hostname }] } : {}),
    },
  };
}

/** Exactly one label instead of the star. */
function wildcardRule(hostname: string): string {
  return `HostRegexp(\`^[^.]+${hostname.slice(1).replaceAll(".", "\\.")}$\`)`;
}

function toService({ origin }: Served): readonly [string, Service] {
  const servers = [{ url: `${origin.scheme}://${origin.dial}` }];
  return [origin.name, { loadBalancer: { servers, passHostHeader: true } }];
}

/** What a request passes on its way, in this order: a redirect ends it. */
function toMiddlewares({ host, origin }: Served): readonly (readonly [string, Middleware])[] {
  if (host.redirectTo !== null) {
    const replacement = `https://${host.redirectTo}\${1}`;
    const redirectRegex = { regex: "^https?://[^/]+(.*)$", replacement, permanent: true };
    return [[`to-${host.redirectTo}`, { redirectRegex }]];
  }
  const { replacesPath } = origin;
  if (replacesPath !== undefined) {
    return [[`${origin.name}-path`, { replacePath: { path: replacesPath } }]];
  }
  return [
    ...(host.hostHeader === "origin"
      ? [
          [
            `${origin.name}-host`,
            { headers: { customRequestHeaders: { Host: origin.host } } },
          ] as const,
        ]
      : []),
    ...(origin.path === ""
      ? []
      : [[`${origin.name}-path`, { addPrefix: { prefix: origin.path } }] as const]),
  ];
}
