import type { SendingKey } from "@mooring/dns";
import { type Selectable, sql } from "kysely";
import type { SendingDomain } from "../../../domain/sending/sending.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { SendingTables } from "../../sending-tables.ts";
import { unmovedConnections } from "../connections/connection-table.ts";
import { announceDue } from "../connections/due-connections.ts";

const columns = [
  "id",
  "connection_id",
  "provider",
  "domain",
  "inputs",
  "records",
  "advice",
  "spf_term",
  "status",
  "sealed_access",
  "account_error",
  "checked_at",
  "ready_at",
  "accepted_at",
  "checks",
  "misses",
  "due_at",
  "version",
  "created_at",
] as const;

type Row = Pick<Selectable<SendingTables["sending_domains"]>, (typeof columns)[number]>;

function toSendingDomain(row: Row): SendingDomain {
  return {
    id: row.id,
    connectionId: row.connection_id,
    provider: row.provider,
    domain: row.domain,
    inputs: row.inputs,
    records: row.records,
    advice: row.advice,
    spfTerm: row.spf_term,
    state: row.status,
    sealedAccess: row.sealed_access,
    accountError: row.account_error,
    checkedAt: row.checked_at,
    readyAt: row.ready_at,
    acceptedAt: row.accepted_at,
    checks: row.checks,
    misses: row.misses,
    dueAt: row.due_at,
    version: Number(row.version),
    createdAt: row.created_at,
  };
}

export async function selectSendingDomains(tx: Tx, connectionId: string): Promise<SendingDomain[]> {
  const rows = await tx
    .selectFrom("sending_domains")
    .select(columns)
    .where("connection_id", "=", connectionId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toSendingDomain);
}

export async function selectSendingDomain(
  tx: Tx,
  connectionId: string,
  provider: SendingKey,
): Promise<SendingDomain | null> {
  const all = await selectSendingDomains(tx, connectionId);
  return all.find((one) => one.provider === provider) ?? null;
}

/**
 * One a connection and provider; set up again, it is due at once and its state stays until then.
 */
export async function saveSendingDomain(
  tx: Tx,
  scope: TenantScope,
  sending: SendingDomain,
  now: Date,
): Promise<SendingDomain> {
  const content = {
    domain: sending.domain,
    inputs: jsonColumn(sending.inputs),
    records: jsonColumn(sending.records),
    advice: jsonColumn(sending.advice),
    spf_term: sending.spfTerm,
    sealed_access: sending.sealedAccess,
    account_error: null,
    due_at: now,
    leased_until: null,
    updated_at: now,
  };
  const row = await tx
    .insertInto("sending_domains")
    .values({
      id: sending.id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      connection_id: sending.connectionId,
      provider: sending.provider,
      ...content,
      status: "waiting",
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "provider"]).doUpdateSet((eb) => ({
        ...content,
        checks: 0,
        misses: 0,
        version: eb("sending_domains.version", "+", 1),
      })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
  announceDue(tx, "sending_domains");
  return toSendingDomain(row);
}

export interface SendingCheck {
  readonly sending: SendingDomain;
  readonly dueAt: Date;
  readonly now: Date;
}

/** Compare-and-set on the version; null when the row was leased or written since it was read. */
export async function storeSendingCheck(
  tx: Tx,
  { sending, dueAt, now }: SendingCheck,
): Promise<SendingDomain | null> {
  const row = await tx
    .updateTable("sending_domains")
    .set((eb) => ({
      status: sending.state,
      records: jsonColumn(sending.records),
      account_error: sending.accountError,
      checked_at: now,
      ready_at: sending.readyAt,
      accepted_at: sending.acceptedAt,
      checks: sending.checks,
      misses: sending.misses,
      due_at: dueAt,
      leased_until: null,
      updated_at: now,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", sending.id)
    .where("version", "=", sending.version)
    .returning(columns)
    .executeTakeFirst();
  return row ? toSendingDomain(row) : null;
}

/** Returns whether there was one. */
export async function deleteSendingDomain(
  tx: Tx,
  connectionId: string,
  provider: SendingKey,
): Promise<boolean> {
  const row = await tx
    .deleteFrom("sending_domains")
    .where("connection_id", "=", connectionId)
    .where("provider", "=", provider)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The rows are named as an array, so that the table is not read whole: see `claimText` of
 * deliveries.
 */
const claimText = `
  with due as (
    select id from sending_domains
    where due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by due_at limit $3 for update skip locked
  )
  update sending_domains s set leased_until = $2, due_at = $2, version = s.version + 1
  where s.id = any (array(select id from due))
  returning ${columns.map((column) => `s.${column}`).join(", ")}`;

/** Rows another worker is claiming are skipped; the version grows with the claim. */
export async function claimDueSending(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
): Promise<SendingDomain[]> {
  const statement = { name: "claim_due_sending", text: claimText };
  const rows = await database.prepared<Row>(statement, [now, leasedUntil, limit]);
  return rows.map(toSendingDomain);
}

const extendText = `update sending_domains s set leased_until = $3, due_at = $3
  from unnest($1::uuid[], $2::bigint[]) as h (id, version)
  where s.id = h.id and s.version = h.version and s.leased_until is not null`;

export async function extendSending(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.prepared({ name: "extend_sending_leases", text: extendText }, [
    [...leased.keys()],
    [...leased.values()],
    leasedUntil,
  ]);
}

const releaseText =
  "update sending_domains set leased_until = null, due_at = $3 where id = $1 and version = $2";

export async function releaseSending(
  database: Database,
  { id, version }: SendingDomain,
  dueAt: Date,
): Promise<void> {
  await database.prepared({ name: "release_sending", text: releaseText }, [id, version, dueAt]);
}

/** The next number for an event of the connection; a check that is running is made again. */
export async function nextSequence(tx: Tx, connectionId: string, now: Date): Promise<void> {
  await tx
    .updateTable(unmovedConnections)
    .set((eb) => ({
      sequence: eb("sequence", "+", 1),
      version: eb("version", "+", 1),
      due_at: sql<Date | null>`case when leased_until > ${now}::timestamptz and due_at is not null
        then ${now}::timestamptz else due_at end`,
      leased_until: null,
    }))
    .where("id", "=", connectionId)
    .execute();
  announceDue(tx, "connections");
}
