import { isIPv6 } from "node:net";
import { parseHostname } from "@mooring/dns";
import { checkOriginUrl, EgressError } from "@mooring/egress";
import { ping } from "../../db/engine/pool.ts";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  selectLocalRoot,
  sweepHostChanges as sweep,
} from "../../db/queries/certificates/certificates.ts";
import { sweepValidation as sweepNames } from "../../db/queries/certificates/validation.ts";
import {
  claimLookup,
  hostnameOrigin,
  type OriginRow,
} from "../../db/queries/connections/claims.ts";
import { sweepOriginHealth as sweepOrigins } from "../../db/queries/connections/troubles.ts";
import { notFound } from "../../domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import { coveringNames, createOriginRules, hasLooped, type OriginRules } from "./origin-rules.ts";

/** `invalid`: not a hostname. `deny` gives no reason. */
export type AskAnswer = "allow" | "deny" | "invalid";

/**
 * Whether this name may have a certificate: only while a connection has claimed it, or the wildcard
 * one level up, which is from `verified` on. A claim of a parent name does not count.
 */
export function createAsk(runtime: Runtime): (name: string) => Promise<AskAnswer> {
  const claims = claimLookup(runtime.database);
  return async (name) => {
    const parsed = parseHostname(name, { allowsWildcard: true });
    if (!parsed.ok) return "invalid";
    const held = await Promise.all(coveringNames(parsed.hostname).map((one) => claims.load(one)));
    return held.includes(true) ? "allow" : "deny";
  };
}

/**
 * The origin of a claimed hostname: the URL, and its parts as a proxy's configuration takes them.
 */
export interface Route {
  readonly url: string;
  /** `h2c` for HTTP/2 without TLS. */
  readonly scheme: "http" | "https" | "h2c";
  /** Host and port; the port is always there. */
  readonly dial: string;
  /** The `Host` header for the origin. */
  readonly host: string;
  /** Prefix of every request path; mostly empty. */
  readonly path: string;
}

/** What a proxy asks for, with the `CDN-Loop` field of its request. */
export interface RouteQuestion {
  readonly name: string;
  readonly cdnLoop: string | undefined;
}

/**
 * `refused`: the origin is not a public address, is the edge itself, or its name does not resolve.
 * `looped`: the request has been here before. `suspended`: its tenant is, and a maintenance page is
 * served instead of any origin. `loop` is what to add to its `CDN-Loop`.
 */
export type RouteAnswer =
  | (Route & { readonly loop: string })
  | "absent"
  | "refused"
  | "looped"
  | "suspended";

/**
 * The origin of a claimed name, checked now by the egress policy: a proxy that dials what it is
 * given must not reach the operator's own network. An origin without TLS is dialled at the address
 * that was checked, so that its name cannot change in between. An https one is dialled by its name,
 * which its certificate has to prove.
 */
export function createRouting(runtime: Runtime): (question: RouteQuestion) => Promise<RouteAnswer> {
  const rules = createOriginRules(runtime);
  const claims = claimLookup(runtime.database);
  /** Of the exact name where it is claimed, also by another tenant, else of the wildcard. */
  const findOrigin = async (hostname: string) => {
    const names = coveringNames(hostname);
    const held = await Promise.all(names.map((one) => claims.load(one)));
    const served = names[held.indexOf(true)];
    return served === undefined ? null : hostnameOrigin(runtime.database, served);
  };
  return async ({ name, cdnLoop }) => {
    if (hasLooped(cdnLoop, runtime.config)) return "looped";
    const parsed = parseHostname(name);
    const found = parsed.ok ? await findOrigin(parsed.hostname) : null;
    if (!parsed.ok || !found) return "absent";
    if (found === "suspended") return found;
    try {
      const route = await checkedRoute(rules, parsed.hostname, found);
      return { ...route, loop: runtime.config.edgeCname };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      runtime.log.info({ hostname: parsed.hostname, reason: error.message }, "origin refused");
      return "refused";
    }
  };
}

/** Throws an `EgressError` for an origin that must not be dialled. */
export async function checkedRoute(
  { guard, refuseEdge }: OriginRules,
  hostname: string,
  { originUrl, hostHeader }: OriginRow,
): Promise<Route> {
  const { url, isH2c } = checkOriginUrl(guard, originUrl);
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isTls = url.protocol === "https:";
  const port = Number(url.port || (isTls ? 443 : 80));
  const addresses = await guard.resolve(name);
  await refuseEdge({ name, port, addresses });
  const [first] = addresses;
  return {
    url: originUrl,
    scheme: isH2c ? "h2c" : isTls ? "https" : "http",
    dial: dialAddress(!isTls && first ? first.address : name, port),
    host: hostHeader === "origin" ? url.host : hostname,
    path: url.pathname.replace(/\/$/, ""),
  };
}

function dialAddress(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Deletes old rows of the edges' change log. An edge that was away for longer loads everything
 * again.
 */
export function sweepHostChanges(runtime: Runtime): Promise<number> {
  return runtime.transaction(sweep);
}

/** The same for name servers, and the values of orders that were given up. */
export function sweepValidation(runtime: Runtime): Promise<void> {
  return runtime.transaction((tx) => sweepNames(tx, runtime.clock.now()));
}

const originsRetentionMs = 86_400_000;
const sweepBatch = 1_000;

/** Deletes what edges reported of origins that have not failed for a day and are not in trouble. */
export async function sweepOriginHealth(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - originsRetentionMs);
  const batch = (tx: Tx) => sweepOrigins(tx, before, sweepBatch);
  while ((await runtime.transaction(batch)) === sweepBatch);
}

/** The root certificate of the local CA, which signs sandbox certificates. */
export async function getLocalRoot(runtime: Runtime): Promise<string> {
  const root = await selectLocalRoot(runtime.database);
  if (!root) throw notFound("local CA yet: an edge makes it with its first certificate");
  return root;
}

/** Throws `unavailable` while the database does not answer. */
export async function checkHealth(runtime: Runtime): Promise<void> {
  await ping(runtime.database);
}
