import { findProvider } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import type { FoundShareLink, ShareLink } from "../../db/queries/connections/share-links.ts";
import { isConnectedAgain, selectDangling } from "../../db/queries/left-behind/left-behind.ts";
import { findRemovalLink, insertRemovalLink } from "../../db/queries/left-behind/removal-links.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type { LeftRecord } from "../../domain/connections/left-behind.ts";
import { AppError } from "../../domain/errors.ts";
import { requireApplication } from "../applications/applications.ts";
import { findLeftRecords } from "../connections/left-behind/find-records.ts";
import { requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { askForTenant } from "../dns-view.ts";
import { createExpiringCache } from "../expiring-cache.ts";
import type { Runtime } from "../runtime.ts";
import { type ShareBrand, shareBrand } from "./brand.ts";

/**
 * Adds a link to the page that asks to remove what an archived connection left in DNS. Only while
 * its name is known to resolve to us, and never by a browser: it is the tenant that asks.
 */
export async function addRemovalLink(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
  { link, retained }: { readonly link: ShareLink; readonly retained: number },
): Promise<void> {
  const isDangling = (await selectDangling(tx, [connection.id])).has(connection.id);
  if (ctx.actor.kind === "widget" || !isDangling) {
    throw new AppError("conflict", "the connection is archived");
  }
  await insertRemovalLink(tx, ctx.actor, link, retained);
}

/** What the page shows. */
export interface RemovalRequest {
  readonly brand: ShareBrand;
  readonly hostname: string;
  readonly zone: string;
  /** The name of the DNS provider; null where it is not known. */
  readonly provider: string | null;
  /** Empty: they are gone. Null: DNS did not say. */
  readonly records: readonly LeftRecord[] | null;
  readonly checkedAt: Date;
  readonly expiresAt: Date;
}

export interface Removals {
  /** Null for a token that is unknown or has expired. */
  find(tokenHash: Buffer): Promise<FoundShareLink | null>;
  /** Null when the name is connected again: the page says nothing of it then. */
  read(ctx: ServiceContext, link: FoundShareLink): Promise<RemovalRequest | null>;
}

/** Readers of one page share a lookup for this long. */
const freshMs = 5_000;

export function createRemovals(runtime: Runtime): Removals {
  const recent = createExpiringCache<Promise<Lookup>>({
    maxEntries: 1_000,
    nowMs: () => performance.now(),
  });
  const lookUp = (ctx: ServiceContext, connection: Connection): Promise<Lookup> => {
    const known = recent.get(connection.id);
    if (known !== undefined) return known;
    const lookup = askForTenant(connection, () =>
      findLeftRecords(runtime, connection, ctx.signal),
    ).then((records) => ({ records, checkedAt: runtime.clock.now() }));
    recent.set(connection.id, lookup, freshMs);
    lookup.catch(() => recent.set(connection.id, lookup, 0));
    return lookup;
  };
  return {
    find: (tokenHash) => findRemovalLink(runtime.database, tokenHash, runtime.clock.now()),
    async read(ctx, link) {
      const { connection, brand } = await ctx.read(async (tx) => ({
        connection: await requireConnection(ctx, tx, link.connectionId),
        brand: shareBrand(await requireApplication(tx, link.applicationId)),
      }));
      // A claim may be anybody's, so that the tenant's own scope does not see it.
      if (await runtime.system((tx) => isConnectedAgain(tx, connection))) return null;
      const { hostname, registrableDomain, provider: slug } = connection;
      const provider = slug === null ? null : (findProvider(slug)?.name ?? null);
      const zone = connection.zone ?? registrableDomain;
      const found = await lookUp(ctx, connection);
      return { brand, hostname, zone, provider, expiresAt: link.expiresAt, ...found };
    },
  };
}

type Lookup = Pick<RemovalRequest, "records" | "checkedAt">;
