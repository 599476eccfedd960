import { parseHostname } from "@mooring/dns";
import { translateDatabaseError } from "../db/engine/transaction.ts";
import { selectLocalRoot, sweepHostChanges as sweep } from "../db/queries/certificates.ts";
import { claimLookup, hostnameOrigin } from "../db/queries/claims.ts";
import { notFound } from "../domain/errors.ts";
import type { Runtime } from "./runtime.ts";

/** `invalid` is no hostname at all; `deny` says nothing about why. */
export type AskAnswer = "allow" | "deny" | "invalid";

/**
 * May this exact name have a certificate? Only while a connection holds it, which is from
 * `verified` on; no parent and no wildcard counts.
 */
export function createAsk(runtime: Runtime): (name: string) => Promise<AskAnswer> {
  const claims = claimLookup(runtime.database);
  return async (name) => {
    const parsed = parseHostname(name);
    if (!parsed.ok) return "invalid";
    return (await claims.load(parsed.hostname)) === true ? "allow" : "deny";
  };
}

/** Where a held hostname is served from, whole and in the parts that a proxy is configured by. */
export interface Route {
  readonly url: string;
  readonly scheme: "http" | "https";
  /** Host and port, the port always said. */
  readonly dial: string;
  /** What the origin wants in `Host`. */
  readonly host: string;
  /** What comes before the path of a request; empty for most. */
  readonly path: string;
}

/** Null when nobody holds the name, or its tenant has not said where the product is. */
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

/** Keeps the edges' change log short; an edge that was away for longer loads everything anew. */
export function sweepHostChanges(runtime: Runtime): Promise<number> {
  return runtime.transaction(sweep);
}

/** The root that sandbox certificates lead to, for whoever wants to trust it. */
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
