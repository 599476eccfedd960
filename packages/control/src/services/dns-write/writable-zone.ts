import {
  type Delegation,
  isAtOrBelow,
  judgeDelegation,
  longestZone,
  ProviderError,
  type ProviderManifest,
  type Zone,
} from "@mooring/dns";
import {
  type SealedCredential,
  selectSealedCredential,
  selectSealedCredentials,
} from "../../db/queries/applications/credentials.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { isAnonymous } from "../../domain/connections/reach.ts";
import { AppError, invalid, notFound } from "../../domain/errors.ts";
import { type Actor, actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { checkFields, requireProvider } from "../credentials/credentials.ts";
import type { Runtime } from "../runtime.ts";
import { notingFailure } from "./note-use.ts";
import {
  listZones,
  type OpenedProvider,
  openStored,
  openUnstored,
  type Purpose,
} from "./open-provider.ts";
import type { ApplyRecords } from "./schemas.ts";

export interface WritableZone extends OpenedProvider {
  readonly zone: Zone;
  /** Whether the hostname is delegated to this zone's name servers. */
  readonly delegation: Delegation;
}

export type ZoneSearch =
  | { readonly outcome: "found"; readonly target: WritableZone }
  | {
      readonly outcome: "none";
      /** The provider refused a credential that is meant for the zone, or may be. */
      readonly isRefused: boolean;
      /** A zone was found that the hostname is not delegated to. */
      readonly isElsewhere: boolean;
    };

/**
 * How long a refused credential is not used: its owner has to act, and retries resemble an attack.
 */
const refusedForMs = 3_600_000;
const zonesLifetimeMs = 30_000;

/**
 * Which stored credentials may be used for a connection: the tenant's own too, only what its
 * customer's sign-in gave, or none.
 */
type CredentialReach = "all" | "own" | "none";

/** An anonymous token may be in anybody's hands, and reaches what others have begun. */
export function credentialReach(actor: Actor, connection: Connection): CredentialReach {
  if (connection.mayUseCredentials && mayNameCredential(actor, connection)) return "all";
  return isAnonymous(actor) ? "none" : "own";
}

/** The same for a worker, which acts for the tenant. */
export function workerReach({ mayUseCredentials }: Connection): "all" | "own" {
  return mayUseCredentials ? "all" : "own";
}

/**
 * Finds a stored credential for the connection that sees the hostname's zone, newest first. A
 * refused credential is marked and skipped; an unavailable provider ends the search with its error,
 * because its credential may be the right one.
 */
export async function findWritableZone(
  runtime: Runtime,
  connection: Connection,
  actor: string,
  signal: AbortSignal,
  reach: "all" | "own" = workerReach(connection),
): Promise<ZoneSearch> {
  const credentials = await runtime.system((tx) => selectSealedCredentials(tx, connection, reach));
  let [isRefused, isElsewhere] = [false, false];
  for (const credential of credentials) {
    if (credential.zone !== null && !isAtOrBelow(connection.hostname, credential.zone)) continue;
    const target = wasRefused(credential, runtime.clock.now())
      ? "refused"
      : await tryStored(runtime, connection, credential, actor, signal);
    if (target === "refused") isRefused ||= isMeantFor(credential, connection);
    else if (target?.delegation === "unknown") throw notWritable(target);
    else if (target?.delegation === "live") return { outcome: "found", target };
    else isElsewhere ||= target !== null;
  }
  return { outcome: "none", isRefused, isElsewhere };
}

/** A refused credential of a provider that does not serve the domain says nothing about it. */
export function isMeantFor(
  { zone, provider }: Pick<SealedCredential, "zone" | "provider">,
  connection: Pick<Connection, "hostname" | "provider">,
): boolean {
  if (zone !== null) return isAtOrBelow(connection.hostname, zone);
  return connection.provider === null || connection.provider === provider;
}

function wasRefused({ refusedAt }: SealedCredential, now: Date): boolean {
  return refusedAt !== null && now.getTime() - refusedAt.getTime() < refusedForMs;
}

async function tryStored(
  runtime: Runtime,
  connection: Connection,
  credential: SealedCredential,
  actor: string,
  signal: AbortSignal,
): Promise<WritableZone | "refused" | null> {
  try {
    return await openZone(runtime, connection, credential, actor, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === "rate_limited" || error.kind === "unavailable") throw error;
    return error.kind === "auth" ? "refused" : null;
  }
}

/** The hostname's zone as this credential sees it; null when it sees none. */
async function openZone(
  runtime: Runtime,
  connection: Connection,
  credential: SealedCredential,
  actor: string,
  signal: AbortSignal,
): Promise<WritableZone | null> {
  const purpose = writePurpose(connection, actor);
  const cache = runtime.providerTraffic.zones;
  // The sandbox lists an unwritten zone only when its name is asked for.
  const key = `${credential.id} ${connection.registrableDomain}`;
  const known = cache.get(key);
  if (known !== undefined) {
    if (longestZone(known, connection.hostname) === null) return null;
    const use = { credentialId: credential.id, connectionId: connection.id };
    const open = () => openStored(runtime, purpose, credential);
    const opened = await notingFailure(runtime, use, open);
    return pickZone(runtime, connection, opened, known, signal);
  }
  const { opened, zones } = await listZones(runtime, purpose, credential, signal);
  cache.set(key, zones, zonesLifetimeMs);
  return pickZone(runtime, connection, opened, zones, signal);
}

export function writePurpose(connection: Connection, actor: string): Purpose {
  const { tenantId, environment, hostname, id } = connection;
  return { tenantId, environment, names: [hostname], actor, connectionId: id };
}

/**
 * The zone that the hostname is delegated to, of those that the credential sees; when it sees none
 * such, the longest that contains the hostname, as a zone that is not asked. Providers hold zones
 * without a delegation, several zones of one name, and stale zones below a live one.
 */
export async function pickZone(
  runtime: Runtime,
  connection: Connection,
  opened: OpenedProvider,
  zones: readonly Zone[],
  signal: AbortSignal,
): Promise<WritableZone | null> {
  const longest = longestZone(zones, connection.hostname);
  if (longest === null) return null;
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const found = await resolver.findZone(connection.hostname, signal);
  if (found.outcome === "failed") return { ...opened, zone: longest, delegation: "unknown" };
  const asked = found.outcome === "found" ? found.zone : null;
  let best: WritableZone = { ...opened, zone: longest, delegation: "elsewhere" };
  for (const candidate of zones.filter(({ name }) => name === asked)) {
    const zone = await withServers(runtime, connection, opened, candidate, signal);
    const delegation = judgeDelegation(zone, opened.manifest, found);
    if (delegation === "live") return { ...opened, zone, delegation };
    if (delegation === "unknown") best = { ...opened, zone, delegation };
  }
  return best;
}

async function withServers(
  runtime: Runtime,
  connection: Connection,
  { provider, manifest, credentialId }: OpenedProvider,
  zone: Zone,
  signal: AbortSignal,
): Promise<Zone> {
  if (zone.nameservers.length > 0 || provider.readNameservers === undefined) return zone;
  const use = credentialId === null ? null : { credentialId, connectionId: connection.id };
  const reading = async () => {
    const servers = await provider.readNameservers?.(zone, signal).catch((error: unknown) => {
      throw isOfCredential(error) ? serversHidden(zone, manifest, error) : error;
    });
    return servers ?? [];
  };
  return { ...zone, nameservers: await notingFailure(runtime, use, reading) };
}

/** Whatever a provider calls it: the credential has just seen the zone in the list. */
function isOfCredential(error: unknown): error is ProviderError {
  const isPassing = ({ kind }: ProviderError) => kind === "rate_limited" || kind === "unavailable";
  return error instanceof ProviderError && !isPassing(error);
}

/** Without its name servers nobody knows whether the world asks the zone. */
function serversHidden(
  { name }: Zone,
  manifest: ProviderManifest,
  cause: ProviderError,
): ProviderError {
  const needed = manifest.nameserverPermission ?? "to read the records of the zone";
  return new ProviderError(
    "auth",
    `The credential sees the zone ${name} at ${manifest.name}, but not its name servers: it needs ${needed}. ${cause.message}`,
    { cause },
  );
}

/** A zone that the world does not ask is never written. */
export function requireDelegated(target: WritableZone): void {
  if (target.delegation !== "live") throw notWritable(target);
}

function notWritable({ zone, manifest, delegation }: WritableZone): ProviderError {
  return delegation === "unknown"
    ? new ProviderError(
        "unavailable",
        `The name servers of ${zone.name} could not be read, so that nothing is written for now.`,
      )
    : new ProviderError("not_found", `${notDelegated(zone, manifest)} Nothing is written there.`);
}

/** For a person, who may see the zone in the provider's panel and wonder. */
export function notDelegated(zone: Zone, { name }: ProviderManifest): string {
  return `${zone.name} is delegated to other name servers than those of its zone at ${name}, so that records in that zone are not seen.`;
}

/** The zone to write: by the credential that the caller names or gives, or by any stored one. */
export async function chooseTarget(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<WritableZone> {
  const { credential_id: id, provider, fields } = input;
  if (id && (provider || fields)) {
    throw invalid([
      { path: "credential_id", message: "give either this or `provider` and `fields`" },
    ]);
  }
  if (id) return storedZone(ctx, connection, id);
  if (provider && fields) return zoneByFields(ctx, connection, provider, fields);
  if (provider || fields) {
    const path = provider ? "fields" : "provider";
    throw invalid([{ path, message: "`provider` and `fields` go together" }]);
  }
  return ownZone(ctx, connection);
}

/**
 * A stored credential belongs to the tenant: a key may use it for any connection, a widget token
 * only when it is bound to this hostname. Otherwise any visitor could write into the tenant's
 * zones.
 */
function mayNameCredential(actor: Actor, connection: Connection): boolean {
  if (actor.kind !== "widget") return true;
  return actor.domain === connection.hostname && connection.mayUseCredentials;
}

async function storedZone(
  ctx: ServiceContext,
  connection: Connection,
  id: string,
): Promise<WritableZone> {
  if (!mayNameCredential(ctx.actor, connection)) {
    throw new AppError("forbidden", "this token cannot use a stored credential; give your own");
  }
  const credential = await ctx.read((tx) =>
    selectSealedCredential(tx, connection.applicationId, id),
  );
  const isOthers = !(credential?.connectionIds?.includes(connection.id) ?? true);
  if (!credential || isOthers) throw notFound("credential");
  const purpose = writePurpose(connection, actorLabel(ctx.actor));
  return withProviderErrors(credential.provider, ctx, async () => {
    const { zone } = credential;
    if (zone !== null && !isAtOrBelow(connection.hostname, zone)) return noZone(connection);
    const { opened, zones } = await listZones(ctx.runtime, purpose, credential, ctx.signal);
    const target = await pickZone(ctx.runtime, connection, opened, zones, ctx.signal);
    return target ?? noZone(connection);
  });
}

async function zoneByFields(
  ctx: ServiceContext,
  connection: Connection,
  slug: string,
  fields: Readonly<Record<string, string>>,
): Promise<WritableZone> {
  const manifest = requireProvider(slug);
  checkFields(manifest, fields);
  const purpose = writePurpose(connection, actorLabel(ctx.actor));
  return withProviderErrors(manifest.slug, ctx, async () => {
    const opened = openUnstored(ctx.runtime, purpose, manifest.slug, fields);
    const zones = await opened.provider.listZones(ctx.signal);
    const target = await pickZone(ctx.runtime, connection, opened, zones, ctx.signal);
    return target ?? noZone(connection);
  });
}

function noZone(connection: Connection): never {
  const message = `This credential sees no zone that holds ${connection.hostname}.`;
  throw new ProviderError("not_found", message);
}

const nothingFound: ZoneSearch = { outcome: "none", isRefused: false, isElsewhere: false };

/** The stored credential that sees the zone, when it may be used without being named. */
async function ownZone(ctx: ServiceContext, connection: Connection): Promise<WritableZone> {
  const reach = credentialReach(ctx.actor, connection);
  const label = actorLabel(ctx.actor);
  const found =
    reach === "none"
      ? nothingFound
      : await withProviderErrors(connection.provider, ctx, () =>
          findWritableZone(ctx.runtime, connection, label, ctx.signal, reach),
        );
  if (found.outcome === "found") return found.target;
  if (reach !== "all" && !found.isRefused && !found.isElsewhere) {
    const message = "no stored credential may be used here; give `provider` and `fields`";
    throw invalid([{ path: "fields", message }]);
  }
  const message = found.isRefused
    ? "the stored credential was refused by its provider; give `provider` and `fields`"
    : found.isElsewhere
      ? `the zone of ${connection.hostname} that the stored credential sees is not the one that it is delegated to`
      : `no stored credential sees the zone of ${connection.hostname}; give \`provider\` and \`fields\``;
  throw invalid([{ path: "credential_id", message }]);
}

/** Runs `work` and converts a ProviderError, or a timeout, into the API's `provider_error`. */
export async function withProviderErrors<T>(
  provider: string | null,
  { signal }: Pick<ServiceContext, "signal">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) {
      throw new AppError("provider_error", error.message, {
        details: { provider, kind: error.kind },
        cause: error,
        ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });
    }
    if (!signal.aborted) throw error;
    throw new AppError("provider_error", "the provider did not answer in time", {
      details: { provider, kind: "unavailable" },
      cause: error,
    });
  }
}
