import { isAtOrBelow, ProviderError } from "@mooring/dns";
import { selectSealedCredential } from "../../db/queries/credentials.ts";
import type { Connection } from "../../domain/connection.ts";
import { AppError, invalid, notFound } from "../../domain/errors.ts";
import { type Actor, actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { checkFields, requireProvider } from "../credentials.ts";
import { findWritableZone, pickZone, purposeOf, type WritableZone } from "./find-zone.ts";
import { listZones, openGiven } from "./open-provider.ts";
import type { ApplyRecords } from "./schemas.ts";

/** The zone to write with the credential that the caller names, gives, or leaves to us. */
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
  if (provider && fields) return givenZone(ctx, connection, provider, fields);
  if (provider || fields) {
    const path = provider ? "fields" : "provider";
    throw invalid([{ path, message: "`provider` and `fields` go together" }]);
  }
  return ownZone(ctx, connection);
}

/**
 * A stored credential is the tenant's: a key may name it for any connection. A widget token may use
 * it only when it is bound to this very hostname, or any visitor could write into the tenant's zones.
 */
function mayNameCredential(actor: Actor, connection: Connection): boolean {
  if (actor.kind === "key") return true;
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
  if (!credential) throw notFound("credential");
  const purpose = purposeOf(connection, actorLabel(ctx.actor));
  return atProvider(credential.provider, ctx, async () => {
    const { zone } = credential;
    if (zone !== null && !isAtOrBelow(connection.hostname, zone)) return noZone(connection);
    const { opened, zones } = await listZones(ctx.runtime, purpose, credential, ctx.signal);
    const target = await pickZone(ctx.runtime, connection, opened, zones, ctx.signal);
    return target ?? noZone(connection);
  });
}

async function givenZone(
  ctx: ServiceContext,
  connection: Connection,
  slug: string,
  fields: Readonly<Record<string, string>>,
): Promise<WritableZone> {
  const manifest = requireProvider(slug);
  checkFields(manifest, fields);
  const purpose = purposeOf(connection, actorLabel(ctx.actor));
  return atProvider(manifest.slug, ctx, async () => {
    const opened = openGiven(ctx.runtime, purpose, manifest.slug, fields);
    const zones = await opened.provider.listZones(ctx.signal);
    const target = await pickZone(ctx.runtime, connection, opened, zones, ctx.signal);
    return target ?? noZone(connection);
  });
}

function noZone(connection: Connection): never {
  const message = `This credential sees no zone that holds ${connection.hostname}.`;
  throw new ProviderError("not_found", message);
}

/** The stored one that sees the zone, where it may be used without having been named. */
async function ownZone(ctx: ServiceContext, connection: Connection): Promise<WritableZone> {
  const mayUse = connection.mayUseCredentials && mayNameCredential(ctx.actor, connection);
  if (!mayUse) {
    const message = "no stored credential may be used here; give `provider` and `fields`";
    throw invalid([{ path: "fields", message }]);
  }
  const label = actorLabel(ctx.actor);
  const found = await atProvider(connection.provider, ctx, () =>
    findWritableZone(ctx.runtime, connection, label, ctx.signal),
  );
  if (found.outcome === "found") return found.target;
  const message = found.isRefused
    ? "the stored credential was refused by its provider; give `provider` and `fields`"
    : `no stored credential sees the zone of ${connection.hostname}; give \`provider\` and \`fields\``;
  throw invalid([{ path: "credential_id", message }]);
}

/** What a provider does or does not, in the words of the interface. */
export async function atProvider<T>(
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
