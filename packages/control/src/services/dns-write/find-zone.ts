import { isAtOrBelow, longestZone, ProviderError, type Zone } from "@mooring/dns";
import { selectSealedCredentials } from "../../db/credentials.ts";
import { inSystem } from "../../db/transaction.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";
import { noteUse, type OpenedProvider, openStored } from "./open-provider.ts";

export interface WritableZone extends OpenedProvider {
  readonly zone: Zone;
}

/**
 * The stored credential of the application that sees the zone of the hostname, newest first. A
 * credential that the provider refuses is marked so and passed over; a provider that is away ends
 * the search, since the right one may be behind it.
 */
export async function findWritableZone(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<WritableZone | null> {
  const credentials = await inSystem(runtime.database.query, (tx) =>
    selectSealedCredentials(tx, connection.applicationId),
  );
  for (const credential of credentials) {
    if (credential.zone !== null && !isAtOrBelow(connection.hostname, credential.zone)) continue;
    const opened = await openStored(runtime, connection, credential);
    if (!opened) continue;
    const zone = await zoneOf(runtime, opened, credential.id, connection.hostname, signal);
    if (zone && (await isDelegatedTo(runtime, connection, zone, signal)))
      return { ...opened, zone };
  }
  return null;
}

async function zoneOf(
  runtime: Runtime,
  opened: OpenedProvider,
  credentialId: string,
  hostname: string,
  signal: AbortSignal,
): Promise<Zone | null> {
  try {
    const zones = await opened.provider.listZones(signal);
    await noteUse(runtime, credentialId, null);
    return longestZone(zones, hostname);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await noteUse(runtime, credentialId, error.message);
    if (error.kind === "rate_limited" || error.kind === "unavailable") throw error;
    return null;
  }
}

/** Providers let zones exist that nobody delegates to; writing there would change nothing. */
async function isDelegatedTo(
  runtime: Runtime,
  connection: Connection,
  zone: Zone,
  signal: AbortSignal,
): Promise<boolean> {
  if (zone.nameservers.length === 0) return true;
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const found = await resolver.findZone(connection.hostname, signal);
  if (found.outcome !== "found") return true;
  const assigned = zone.nameservers.map((name) => name.toLowerCase().replace(/\.$/, ""));
  return found.servers.some((server) => assigned.includes(server.host));
}
