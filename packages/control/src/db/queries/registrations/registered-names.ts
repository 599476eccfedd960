import { sql } from "kysely";
import type { Notice } from "../../../domain/registrations/registration.ts";
import type { Environment } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";

/** A connection below a registered domain. */
export interface RegisteredName {
  readonly connectionId: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly domain: string;
}

export interface ScannedConnection {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly hostname: string;
  /** It is not archived. */
  readonly isOpen: boolean;
}

export interface Scan {
  readonly afterId: string | null;
  readonly startedAt: Date | null;
}

/** The position of the scan, locked; null while another worker has it. */
export async function lockScan(tx: Tx): Promise<Scan | null> {
  const { rows } = await sql<Scan>`
    select after_id as "afterId", started_at as "startedAt" from registration_scan
    for update skip locked`.execute(tx);
  return rows[0] ?? null;
}

export async function storeScan(tx: Tx, { afterId, startedAt }: Scan): Promise<void> {
  await sql`update registration_scan set after_id = ${afterId}::uuid,
    started_at = ${startedAt}::timestamptz`.execute(tx);
}

/** Connections in the order of their ids, which is that of their making. */
export async function selectScanned(
  tx: Tx,
  afterId: string | null,
  limit: number,
): Promise<readonly ScannedConnection[]> {
  const { rows } = await sql<ScannedConnection>`
    select id, tenant_id as "tenantId", environment, hostname, state <> 'archived' as "isOpen"
    from only connections where ${afterId === null ? sql`true` : sql`id > ${afterId}::uuid`}
    order by id limit ${limit}`.execute(tx);
  return rows;
}

/** Returns those that were not there. */
export async function insertNames(
  tx: Tx,
  names: readonly RegisteredName[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await tx
    .insertInto("registered_names")
    .values(
      names.map(({ connectionId, tenantId, environment, domain }) => ({
        connection_id: connectionId,
        tenant_id: tenantId,
        environment,
        domain,
      })),
    )
    .onConflict((conflict) => conflict.column("connection_id").doNothing())
    .returning("domain")
    .execute();
  return [...new Set(rows.map(({ domain }) => domain))].sort();
}

/**
 * Has each domain a row: a new one is asked about at `askAt`, of one that is known the notices are
 * due, since a new connection has had none.
 */
export async function upsertDomains(
  tx: Tx,
  domains: readonly { readonly domain: string; readonly askAt: Date }[],
  now: Date,
): Promise<void> {
  if (domains.length === 0) return;
  await sql`insert into registrations as r (domain, ask_at, due_at, created_at)
    select domain, ask_at, ask_at, ${now}::timestamptz
    from unnest(${domains.map(({ domain }) => domain)}::text[],
                ${domains.map(({ askAt }) => askAt)}::timestamptz[]) as d (domain, ask_at)
    order by domain
    on conflict (domain) do update set due_at = least(r.due_at, ${now}::timestamptz)
      where r.leased_until is null`.execute(tx);
}

/** Forgets names whose connection was archived or removed; returns whether any is left. */
export async function sweepNames(tx: Tx, domain: string): Promise<boolean> {
  await sql`delete from registered_names n where n.domain = ${domain} and not exists (
    select from only connections c where c.id = n.connection_id and c.state <> 'archived')`.execute(
    tx,
  );
  const left = await tx
    .selectFrom("registered_names")
    .select("connection_id")
    .where("domain", "=", domain)
    .limit(1)
    .executeTakeFirst();
  return left !== undefined;
}

export interface NotifiedName {
  readonly connectionId: string;
  readonly notified: Notice | null;
}

/** Names of the domain after a connection, in pages. */
export async function selectNames(
  tx: Tx,
  domain: string,
  afterId: string | null,
  limit: number,
): Promise<readonly NotifiedName[]> {
  let query = tx
    .selectFrom("registered_names")
    .select(["connection_id", "notified_expires_at", "notified_days"])
    .where("domain", "=", domain);
  if (afterId !== null) query = query.where("connection_id", ">", afterId);
  const rows = await query.orderBy("connection_id").limit(limit).execute();
  return rows.map(({ connection_id: connectionId, notified_expires_at, notified_days }) => ({
    connectionId,
    notified:
      notified_expires_at === null || notified_days === null
        ? null
        : { expiresAt: notified_expires_at, days: notified_days },
  }));
}

/** What the connection was notified, locked: workers that send at once wait for each other. */
export async function lockNotified(tx: Tx, connectionId: string): Promise<NotifiedName | null> {
  const row = await tx
    .selectFrom("registered_names")
    .select(["notified_expires_at", "notified_days"])
    .where("connection_id", "=", connectionId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const { notified_expires_at: expiresAt, notified_days: days } = row;
  return {
    connectionId,
    notified: expiresAt === null || days === null ? null : { expiresAt, days },
  };
}

export async function storeNotified(
  tx: Tx,
  connectionId: string,
  { expiresAt, days }: Notice,
): Promise<void> {
  await tx
    .updateTable("registered_names")
    .set({ notified_expires_at: expiresAt, notified_days: days })
    .where("connection_id", "=", connectionId)
    .execute();
}

/** RDAP was turned off: nothing is due, and the next scan begins at the first connection. */
export async function pauseQuestions(tx: Tx): Promise<void> {
  await sql`update registration_scan set after_id = null, started_at = null
    where started_at is not null`.execute(tx);
  await sql`update registrations set due_at = null where due_at is not null`.execute(tx);
}

/** It was turned on: what was due then is due again. */
export async function resumeQuestions(tx: Tx): Promise<void> {
  await sql`update registrations set due_at = ask_at
    where due_at is null and ask_at is not null`.execute(tx);
}
