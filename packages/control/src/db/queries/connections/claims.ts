import { sql } from "kysely";
import type { Connection, ConnectionState } from "../../../domain/connections/connection.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

export interface ClaimHolder {
  readonly connectionId: string;
  readonly applicationId: string;
  readonly state: ConnectionState;
  readonly customerRef: string | null;
}

/** The connection that holds a hostname, of whichever tenant; null when none does. */
export async function selectClaimHolder(tx: Tx, hostname: string): Promise<ClaimHolder | null> {
  const { rows } = await sql<{
    connection_id: string;
    application_id: string;
    state: ConnectionState;
    customer_ref: string | null;
  }>`select connection_id, application_id, state, customer_ref from claim_holder(${hostname})`.execute(
    tx,
  );
  const row = rows[0];
  if (!row) return null;
  return {
    connectionId: row.connection_id,
    applicationId: row.application_id,
    state: row.state,
    customerRef: row.customer_ref,
  };
}

/**
 * Fails on a hostname that is held: the primary key is what makes a claim exclusive. Answers how
 * many names the tenant holds with it.
 */
export async function insertClaim(tx: Tx, connection: Connection, now: Date): Promise<number> {
  await sql`insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
    values (${connection.hostname}, ${connection.id}, ${connection.tenantId}, ${connection.environment},
            nextval('claim_epochs'), ${now})`.execute(tx);
  const { rows } = await sql<{ held: number }>`
    insert into held_hostnames as h (tenant_id, environment, held)
    values (${connection.tenantId}, ${connection.environment}, 1)
    on conflict (tenant_id, environment) do update set held = h.held + 1
    returning held`.execute(tx);
  return rows[0]?.held ?? 1;
}

/** Frees the hostname; nothing happens when this connection does not hold it. */
export async function deleteClaim(tx: Tx, connection: Connection): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("claims")
    .where("connection_id", "=", connection.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await tx
    .updateTable("held_hostnames")
    .set((eb) => ({ held: eb("held", "-", 1) }))
    .where("tenant_id", "=", connection.tenantId)
    .where("environment", "=", connection.environment)
    .execute();
}

/** How many names the tenant of this transaction holds now. */
export async function selectHeld(tx: Tx): Promise<number> {
  const row = await tx.selectFrom("held_hostnames").select("held").executeTakeFirst();
  return row?.held ?? 0;
}

/**
 * Whether hostnames are claimed, for the edge: one index lookup each; lookups that arrive together
 * share a round trip.
 */
export function claimLookup(database: Database): Loader<string, true> {
  return createLoader({
    identify: (hostname) => hostname,
    fetch: async (hostnames) => {
      const rows = await database.prepared<{ hostname: string }>(
        { name: "claimed_hostnames", text: "select claimed_hostnames($1) as hostname" },
        [hostnames],
      );
      return rows.map((row) => [row.hostname, true] as const);
    },
  });
}

export interface OriginRow {
  readonly originUrl: string;
  readonly hostHeader: "preserve" | "origin";
}

/** Where the application of a held hostname is served from. */
export async function hostnameOrigin(
  database: Database,
  hostname: string,
): Promise<OriginRow | null> {
  const rows = await database.prepared<OriginRow>(
    {
      name: "hostname_route",
      text: `select origin_url as "originUrl", origin_host_header as "hostHeader" from hostname_route($1)`,
    },
    [hostname],
  );
  return rows[0] ?? null;
}

export interface ServedHost extends OriginRow {
  readonly hostname: string;
  /** Where visitors are sent, once that is served. */
  readonly redirectTo: string | null;
}

const servedAtOnce = 5_000;

/** Every claimed hostname that has an origin, in pages by name: one statement is never long. */
export async function selectServedHosts(database: Database): Promise<readonly ServedHost[]> {
  const hosts: ServedHost[] = [];
  for (let after = ""; ; ) {
    const rows = await database.prepared<Nullable<ServedHost>>(
      {
        name: "served_hosts",
        text: `select hostname, redirect_to as "redirectTo", origin_url as "originUrl",
          origin_host_header as "hostHeader" from served_hosts($1, $2)`,
      },
      [after, servedAtOnce],
    );
    for (const { originUrl, ...row } of rows) {
      if (originUrl !== null) hosts.push({ ...row, originUrl });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < servedAtOnce) return hosts;
    after = last.hostname;
  }
}

/** An application may have no origin yet. */
type Nullable<T extends OriginRow> = Omit<T, "originUrl"> & { readonly originUrl: string | null };
