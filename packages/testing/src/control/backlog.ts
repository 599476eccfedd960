import type pg from "pg";

/**
 * Copies the connection `count` times, all due for hours: the backlog of one tenant. Triggers are
 * off for the copies, which would take minutes otherwise; the tenant's queue is notified once.
 */
export async function copyAsBacklog(session: pg.Client, id: string, count: number): Promise<void> {
  await session.query("set session_replication_role = replica");
  await session.query("create temp table copies (like connections)");
  await session.query("insert into copies select * from connections where id = $1", [id]);
  await session.query(
    `update copies set state = 'live', checks = 30, leased_until = null, error_code = null`,
  );
  const columns = await session.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
     from information_schema.columns where table_name = 'connections' and table_schema = 'public'
       and column_name not in ('id', 'hostname', 'due_at')`,
  );
  const names = columns.rows[0]?.names ?? "";
  await session.query(
    `insert into connections (id, hostname, due_at, ${names})
     select gen_random_uuid(), 'n' || n || '.' || c.registrable_domain,
       now() - interval '5 hours' + n * interval '1 ms', ${names}
     from copies c cross join generate_series(1, ${count}) as n`,
  );
  await session.query("drop table copies");
  await session.query(
    `insert into connection_checks (connection_id, tenant_id, environment, lane, due_at, last_checked_at)
     select id, tenant_id, environment, 1, due_at, last_checked_at from connections
     on conflict do nothing`,
  );
  await session.query("set session_replication_role = default");
  await session.query(
    `insert into check_queues (tenant_id, environment, lane, turn_at)
     select tenant_id, environment, 1, '-infinity' from connections where id = $1
     on conflict (tenant_id, environment, lane) do update set turn_at = excluded.turn_at`,
    [id],
  );
  // A backlog of hours is on disk: nobody waits for the server to write it.
  await session.query("vacuum (analyze) connections, connection_checks");
  await session.query("checkpoint");
}

/**
 * Copies the unproven connection `count` times, each with another name in one of the zones, all due
 * now: some for their first check, some for a later one.
 */
export async function copyAsUnproven(
  session: pg.Client,
  id: string,
  count: number,
  zones: readonly string[],
): Promise<void> {
  const own = ["id", "hostname", "registrable_domain", "zone", "checks", "due_at", "leased_until"];
  const columns = await session.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
     from information_schema.columns where table_name = 'connections' and table_schema = 'public'
       and is_generated = 'NEVER' and column_name <> all ($1)`,
    [own],
  );
  const names = columns.rows[0]?.names ?? "";
  await session.query(
    `insert into connections (${own.join(", ")}, ${names})
     select gen_random_uuid(), 'n' || n || '.' || z.zone, z.zone, null, n % 6,
       now() - interval '1 second', null, ${names}
     from only connections c cross join generate_series(1, $2::int) as n
       cross join lateral (select ($3::text[])[1 + n % cardinality($3::text[])] as zone) z
     where c.id = $1`,
    [id, count, zones],
  );
  await session.query("analyze connections, connection_checks");
}

/** Records when each connection is checked, by the server's clock. */
export async function logChecks(session: pg.Client): Promise<void> {
  await session.query(`create table check_log (id uuid, tenant_id uuid, at timestamptz)`);
  await session.query(
    `create function log_check() returns trigger language plpgsql security definer as $$
     begin
       insert into check_log values (new.connection_id, new.tenant_id, clock_timestamp());
       return null;
     end $$`,
  );
  await session.query(
    `create trigger log_check after update of last_checked_at on connection_checks for each row
     when (new.last_checked_at is distinct from old.last_checked_at) execute function log_check()`,
  );
}
