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
 * many names the tenant holds with it, without those that wait for its quota.
 */
export async function insertClaim(tx: Tx, connection: Connection, now: Date): Promise<number> {
  await sql`insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
    values (${connection.hostname}, ${connection.id}, ${connection.tenantId}, ${connection.environment},
            nextval('claim_epochs'), ${now})`.execute(tx);
  const { rows } = await sql<{ held: number }>`
    insert into held_hostnames as h (tenant_id, environment, held)
    values (${connection.tenantId}, ${connection.environment}, 1)
    on conflict (tenant_id, environment) do update set held = h.held + 1
    returning held - (select count(*)::int from quota_waits w
      where w.tenant_id = h.tenant_id and w.environment = h.environment) as held`.execute(tx);
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

/** How many names the tenant of this transaction holds now, without those that wait. */
export async function selectHeld(tx: Tx): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select held - (select count(*)::int from quota_waits) as held from held_hostnames`.execute(tx);
  return rows[0]?.held ?? 0;
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

/** Where the application of a held hostname is served from; null when it is served by nothing. */
export async function hostnameOrigin(
  database: Database,
  hostname: string,
): Promise<OriginRow | "suspended" | null> {
  const rows = await database.prepared<SuspendableRow>(
    {
      name: "hostname_route",
      text: `select origin_url as "originUrl", origin_host_header as "hostHeader", suspended as "isSuspended"
        from hostname_route($1) where not waits_for_quota($1)`,
    },
    [hostname],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.isSuspended) return "suspended";
  const { originUrl, hostHeader } = row;
  return originUrl === null ? null : { originUrl, hostHeader };
}

/** An application may have no origin yet, and the operator may have suspended its tenant. */
interface SuspendableRow extends Pick<OriginRow, "hostHeader"> {
  readonly originUrl: string | null;
  readonly isSuspended: boolean;
}

export interface ServedHost extends OriginRow {
  readonly hostname: string;
  /** Where visitors are sent, once that is served. */
  readonly redirectTo: string | null;
}

/** A claimed name, which may still wait for its tenant's quota. */
interface ListedHost extends Omit<ServedHost, "originUrl">, SuspendableRow {
  readonly isWaiting: boolean;
}

export interface ServedHosts {
  readonly served: readonly ServedHost[];
  /** The names of suspended tenants. */
  readonly suspended: readonly string[];
}

const servedAtOnce = 5_000;

/** Every claimed hostname that has an origin, in pages by name: one statement is never long. */
export async function selectServedHosts(database: Database): Promise<ServedHosts> {
  const served: ServedHost[] = [];
  const suspended: string[] = [];
  for (let after = ""; ; ) {
    const rows = await database.prepared<ListedHost>(
      {
        name: "served_hosts",
        text: `select hostname, redirect_to as "redirectTo", origin_url as "originUrl",
          origin_host_header as "hostHeader", suspended as "isSuspended",
          waits_for_quota(hostname) as "isWaiting" from served_hosts($1, $2)`,
      },
      [after, servedAtOnce],
    );
    for (const { originUrl, isSuspended, isWaiting, ...row } of rows) {
      if (isWaiting) continue;
      if (isSuspended) suspended.push(row.hostname);
      else if (originUrl !== null) served.push({ ...row, originUrl });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < servedAtOnce) return { served, suspended };
    after = last.hostname;
  }
}
