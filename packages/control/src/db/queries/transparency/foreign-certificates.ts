import { sql } from "kysely";
import type {
  ForeignCertificate,
  SeenCertificate,
} from "../../../domain/transparency/foreign-certificate.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

export async function countClaims(database: Database): Promise<number> {
  const text = "select count(*)::float8 as claims from claims";
  const [row] = await database.prepared<{ claims: number }>({ name: "count_claims", text }, []);
  return row?.claims ?? 0;
}

/** The next claimed names in their order. */
export async function selectClaimNames(
  database: Database,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const text = "select hostname from claims where hostname > $1 order by hostname limit $2";
  const rows = await database.prepared<{ hostname: string }>({ name: "page_claim_names", text }, [
    after,
    limit,
  ]);
  return rows.map(({ hostname }) => hostname);
}

export interface ClaimChanges {
  /** The number of the last change of all; 0 before the first. */
  readonly last: number;
  readonly names: readonly string[];
}

/** The names of claims that were made or released after a change, by their log. */
export async function selectClaimChanges(database: Database, after: number): Promise<ClaimChanges> {
  const text = `select coalesce(max(id), 0)::float8 as last,
      array_agg(hostname) filter (where hostname is not null and id > $1) as names
    from host_changes where id > $1 or id = (select max(id) from host_changes)`;
  const [row] = await database.prepared<{ last: number; names: string[] | null }>(
    { name: "claim_changes", text },
    [after],
  );
  return { last: row?.last ?? 0, names: row?.names ?? [] };
}

/** A name of a certificate, and a connection that holds it or is covered by it. */
export interface ConcernedConnection {
  readonly name: string;
  readonly connectionId: string;
}

const namesAtOnce = 1_000;

/**
 * The connections that the names concern: exactly, or for a wildcard all that are one label below
 * its parent. Both searches read an index, the second that of the same expression.
 */
export async function selectConcerned(
  tx: Tx,
  names: readonly string[],
): Promise<readonly ConcernedConnection[]> {
  const found: ConcernedConnection[] = [];
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const piece = names.slice(at, at + namesAtOnce);
    const { rows } = await sql<{ name: string; connectionId: string }>`
      select hostname as name, connection_id as "connectionId" from claims
      where hostname = any (${piece}::text[])`.execute(tx);
    found.push(...rows);
  }
  const wildcards = names.filter((name) => name.startsWith("*."));
  if (wildcards.length === 0) return found;
  const { rows } = await sql<{ name: string; connectionId: string }>`
    select '*' || substr(hostname, strpos(hostname, '.')) as name, connection_id as "connectionId"
    from claims where '*' || substr(hostname, strpos(hostname, '.')) = any (${wildcards}::text[])
      and hostname not like '*.%'`.execute(tx);
  return [...found, ...rows];
}

/** Nothing for one that the connection has already: its precertificate, or from another log. */
export async function insertSeen(
  tx: Tx,
  connectionId: string,
  seen: SeenCertificate,
  at: { readonly log: string; readonly now: Date; readonly dueAt: Date },
): Promise<void> {
  await sql`insert into foreign_certificates (connection_id, certificate, tenant_id, environment,
      public_key, issuer, serial, names, not_before, not_after, log, seen_at, due_at)
    select connection_id, ${seen.id}, tenant_id, environment, ${seen.publicKey}, ${seen.issuer},
      ${seen.serial}, ${seen.names}::text[], ${seen.notBefore}, ${seen.notAfter}, ${at.log}, ${at.now},
      ${at.dueAt}
    from claims where connection_id = ${connectionId}
    on conflict do nothing`.execute(tx);
}

/** A certificate whose key is to be compared now. */
export interface DueForeign {
  readonly connectionId: string;
  readonly certificate: Buffer;
  readonly publicKey: Buffer;
}

export async function selectDueForeign(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<readonly DueForeign[]> {
  const { rows } = await sql<DueForeign>`
    select connection_id as "connectionId", certificate, public_key as "publicKey"
    from foreign_certificates where due_at <= ${now} order by due_at limit ${limit}`.execute(tx);
  return rows;
}

interface ForeignRow {
  readonly issuer: string;
  readonly serial: string;
  readonly names: string[];
  readonly not_before: Date;
  readonly not_after: Date;
  readonly log: string;
  readonly seen_at: Date;
}

function toForeign(row: ForeignRow): ForeignCertificate {
  return {
    issuer: row.issuer,
    serial: row.serial,
    names: row.names,
    notBefore: row.not_before,
    notAfter: row.not_after,
    log: row.log,
    seenAt: row.seen_at,
  };
}

/** Null when it was settled since it was read; with a time it counts as reported then. */
export async function settleForeign(
  tx: Tx,
  due: DueForeign,
  reportedAt: Date | null,
): Promise<ForeignCertificate | null> {
  const { rows } = await sql<ForeignRow>`
    update foreign_certificates set due_at = null, reported_at = ${reportedAt}
    where connection_id = ${due.connectionId} and certificate = ${due.certificate}
      and due_at is not null
    returning issuer, serial, names, not_before, not_after, log, seen_at`.execute(tx);
  const [row] = rows;
  return row ? toForeign(row) : null;
}

/** Those reported since a time, newest first, whose key has not become one of ours. */
export async function selectForeign(
  tx: Tx,
  connectionId: string,
  since: Date,
): Promise<readonly ForeignCertificate[]> {
  const { rows } = await sql<ForeignRow>`
    select issuer, serial, names, not_before, not_after, log, seen_at from foreign_certificates f
    where connection_id = ${connectionId} and reported_at > ${since}
      and not exists (select from certificate_keys k where k.sha256 = f.public_key)
    order by seen_at desc, serial limit 20`.execute(tx);
  return rows.map(toForeign);
}

/** Certificates that ended before the time: no log shows them again. */
export async function sweepForeign(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from foreign_certificates
    where (connection_id, certificate) in (
      select connection_id, certificate from foreign_certificates
      where not_after < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
