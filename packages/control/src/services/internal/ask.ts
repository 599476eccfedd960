import { parseHostname } from "@mooring/dns";
import { claimLookup, hostnameOrigin } from "../../db/internal.ts";
import type { Runtime } from "../runtime.ts";

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

/** The origin that serves a held hostname; null when there is none. */
export async function routeHostname(runtime: Runtime, name: string): Promise<string | null> {
  const parsed = parseHostname(name);
  return parsed.ok ? hostnameOrigin(runtime.database, parsed.hostname) : null;
}
