import { parseHostname } from "@mooring/dns";
import { type Tx, translateDatabaseError } from "../db/engine/transaction.ts";
import { selectLocalRoot, sweepHostChanges as sweep } from "../db/queries/certificates.ts";
import { claimLookup, hostnameOrigin } from "../db/queries/claims.ts";
import { sweepOriginHealth as sweepOrigins } from "../db/queries/troubles.ts";
import { notFound } from "../domain/errors.ts";
import type { Runtime } from "./runtime.ts";

/** `invalid`: not a hostname. `deny` gives no reason. */
export type AskAnswer = "allow" | "deny" | "invalid";

/**
 * Whether this exact name may have a certificate: only while a connection has claimed it, which is
 * from `verified` on. A claim of a parent name or a wildcard does not count.
 */
export function createAsk(runtime: Runtime): (name: string) => Promise<AskAnswer> {
  const claims = claimLookup(runtime.database);
  return async (name) => {
    const parsed = parseHostname(name);
    if (!parsed.ok) return "invalid";
    return (await claims.load(parsed.hostname)) === true ? "allow" : "deny";
  };
}

/** The origin of a claimed hostname: the URL, and its parts as a proxy's configuration takes them. */
export interface Route {
  readonly url: string;
  readonly scheme: "http" | "https";
  /** Host and port; the port is always there. */
  readonly dial: string;
  /** The `Host` header for the origin. */
  readonly host: string;
  /** Prefix of every request path; mostly empty. */
  readonly path: string;
}

/** Null when no connection has claimed the name, or its application has no origin. */
export async function routeHostname(runtime: Runtime, name: string): Promise<Route | null> {
  const parsed = parseHostname(name);
  const found = parsed.ok ? await hostnameOrigin(runtime.database, parsed.hostname) : null;
  if (!parsed.ok || !found) return null;
  const url = new URL(found.originUrl);
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port || (scheme === "https" ? "443" : "80");
  return {
    url: found.originUrl,
    scheme,
    dial: `${url.hostname}:${port}`,
    host: found.hostHeader === "origin" ? url.host : parsed.hostname,
    path: url.pathname.replace(/\/$/, ""),
  };
}

/** Deletes old rows of the edges' change log. An edge that was away for longer loads everything again. */
export function sweepHostChanges(runtime: Runtime): Promise<number> {
  return runtime.transaction(sweep);
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
  await runtime.database.pool.query("select 1").catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
}
