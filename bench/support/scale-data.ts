import type pg from "pg";

/**
 * The skewed data of a large installation, as the product writes it: one tenant has half of
 * everything, the others a hundred connections each.
 */
export interface ScaleData {
  /** The tenant with half of everything, and two of the others. */
  readonly large: ScaleTenant;
  readonly small: ScaleTenant;
  readonly second: ScaleTenant;
}

export interface ScaleTenant {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly endpointId: string;
  readonly connectionId: string;
  readonly hostname: string;
  /** One that has moved. */
  readonly archivedId: string;
}

const perTenant = 100;

/** Ids by kind and number, so that rows name each other without a join. */
const id = (kind: number, number: string): string =>
  `('0190a0c0-000${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const tenantNumber = `case when n <= $1 / 2 then 0 else 1 + (n - $1 / 2 - 1) / ${perTenant} end`;

const scope = `${id(1, "t.number")}, 'live'`;

/** Each statement gets the number of connections, and is one step of the progress. */
const steps: readonly (readonly [what: string, text: string])[] = [
  [
    "tenants",
    `insert into tenants (id, name, plan, created_at)
     select ${id(1, "n")}, 'Tenant ' || n, 'scale', now() from generate_series(0, $1::int / 2 / ${perTenant}) n`,
  ],
  [
    "applications",
    `insert into applications (id, tenant_id, environment, name, origin_url, created_at)
     select ${id(2, "n")}, ${id(1, "n")}, 'live', 'Shop', 'https://origin.example', now()
     from generate_series(0, $1::int / 2 / ${perTenant}) n`,
  ],
  [
    "endpoints",
    `insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
       sealed_secret, created_at)
     select ${id(3, "n")}, ${id(1, "n")}, 'live', ${id(2, "n")}, 'https://hooks.example/', '{*}', true, 'x', now()
     from generate_series(0, $1::int / 2 / ${perTenant}) n`,
  ],
  [
    "connections",
    // Of the large tenant seven tenths of what is live are overdue.
    `insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain, kind,
       setup_type, state, challenge, may_use_credentials, desired_records, observed_records, phase_started_at,
       checks, last_checked_at, first_live_at, sequence, due_at, created_at, archived_at)
     select ${id(4, "n")}, ${scope}, ${id(2, "t.number")}, 'h' || n || '.d' || n || '.example',
       'd' || n || '.example', 'subdomain', 'manual', s.state, 'service-verify=' || md5(n::text), true, r.records,
       r.records, at.at, 30, at.at, case when s.state = 'live' then at.at end, 4,
       case when s.state in ('failed', 'archived') then null
         when s.state = 'live' and t.number = 0 and n % 10 < 7 then now() - (n % 18000) * interval '1 second'
         else now() + (1 + n % 3600) * interval '1 second' end, at.at, case when s.state = 'archived' then at.at end
     from generate_series(1, $1::int) n
     cross join lateral (select ${tenantNumber} as number) t
     cross join lateral (select now() - interval '60 days' + n * interval '60 days' / $1 as at) at
     cross join lateral (select case n % 100 when 94 then 'archived' when 95 then 'pending_ownership' when 96 then 'pending_ownership'
       when 97 then 'issuing_cert' when 98 then 'drifted' when 99 then 'failed' else 'live' end as state) s
     cross join lateral (select jsonb_build_array(jsonb_build_object('host', 'h' || n || '.d' || n || '.example',
       'type', 'CNAME', 'value', 'edge.localhost', 'ttl', 300, 'priority', null)) as records) r`,
  ],
  [
    "checks",
    `insert into connection_checks (connection_id, tenant_id, environment, lane, due_at, last_checked_at)
     select id, tenant_id, environment, check_lane(state, checks), due_at, last_checked_at from connections
     where state <> 'archived' and $1 > 0`,
  ],
  [
    "archived connections",
    // As many again, by the same tenants, that were archived in the year before.
    `insert into archived_connections (id, tenant_id, environment, application_id, hostname, registrable_domain, kind,
       setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, checks, last_checked_at,
       first_live_at, sequence, created_at, archived_at)
     select ${id(9, "n")}, ${scope}, ${id(2, "t.number")}, 'a' || n || '.d' || n || '.example', 'd' || n || '.example',
       'subdomain', 'manual', 'archived', 'service-verify=' || md5(n::text), true, '[]', at.at, 30, at.at, at.at, 5,
       at.at, at.at + interval '1 day'
     from generate_series(1, $1::int) n
     cross join lateral (select ${tenantNumber} as number) t
     cross join lateral (select now() - interval '400 days' + n * interval '360 days' / $1 as at) at`,
  ],
  [
    "claims",
    `insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
     select hostname, id, tenant_id, environment, nextval('claim_epochs'), created_at
     from connections where state in ('live', 'issuing_cert', 'drifted') and $1 > 0`,
  ],
  [
    "counters",
    `insert into held_hostnames (tenant_id, environment, held)
     select tenant_id, environment, count(*) from claims where $1 > 0 group by tenant_id, environment`,
  ],
  [
    "certificates",
    // Some are due for renewal; those of new names wait for the CA.
    `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status,
       issuer, chain, sealed_key, not_before, not_after, issue_id, renew_at, due_at, ari_due_at, alarm_at,
       waits_for, turn, created_at)
     select c.hostname, c.connection_id, c.tenant_id, c.environment, c.epoch, c.hostname,
       case when w.waits then 'pending' else 'issued' end, case when w.waits then null else 'https://ca.example' end,
       case when w.waits then null else repeat('chain', 60) end, case when w.waits then null else 'key' end,
       t.at, t.at + interval '90 days', gen_random_uuid(), t.at + interval '60 days',
       case when w.waits then now() + n * interval '36 seconds' when n % 500 = 0 then now()
         else now() + (n % 1000) * interval '1 hour' end,
       now() + (n % 20000) * interval '1 second', t.at + interval '67 days',
       case when w.waits then 'orders:https://ca.example' end, case when w.waits then n end, c.claimed_at
     from (select *, row_number() over (order by epoch) as n from claims) c
     cross join lateral (select now() - interval '50 days' + (n % 1000000) * interval '4 seconds' as at) t
     cross join lateral (select n % 97 = 96 as waits) w where $1 > 0`,
  ],
  [
    "events",
    `insert into events (id, tenant_id, environment, application_id, connection_id, sequence, type, body, created_at)
     select ${id(5, "n")}, ${scope}, ${id(2, "t.number")}, ${id(4, "m.connection")}, n % 2 + 1,
       case when n % 20000 = 0 then 'domain.drift' when n % 2 = 0 then 'domain.added' else 'ssl.issued' end,
       repeat('event ', 50), now() - interval '30 days' + n * interval '30 days' / (2 * $1)
     from generate_series(1, 2 * $1::int) as n
     cross join lateral (select (n + 1) / 2 as connection) m
     cross join lateral (select case when m.connection <= $1 / 2 then 0
       else 1 + (m.connection - $1 / 2 - 1) / ${perTenant} end as number) t`,
  ],
  [
    "deliveries",
    // The large tenant's endpoint has a backlog, and every other one has something open.
    `insert into deliveries (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
     select ${id(6, "n")}, ${scope}, ${id(3, "t.number")}, ${id(5, "n")}, 'ssl.issued', s.status,
       case when s.status = 'pending' then now() - (n % 3600 - 1800) * interval '1 second' end,
       now() - interval '30 days' + n * interval '30 days' / (2 * $1)
     from generate_series(1, 2 * $1::int) n
     cross join lateral (select (n + 1) / 2 as connection) m
     cross join lateral (select case when m.connection <= $1 / 2 then 0
       else 1 + (m.connection - $1 / 2 - 1) / ${perTenant} end as number) t
     cross join lateral (select case when n % 4 = 0 and t.number = 0 or n % 200 = 0 then 'pending'
       else 'delivered' end as status) s`,
  ],
  [
    "timeline",
    `insert into timeline (id, tenant_id, environment, connection_id, kind, details, created_at)
     select ${id(7, "n")}, ${scope}, ${id(4, "n")}, 'state', '{}',
       now() - interval '300 days' + n * interval '300 days' / $1
     from generate_series(1, $1::int) n cross join lateral (select ${tenantNumber} as number) t`,
  ],
  [
    "audit log",
    `insert into audit_log (id, tenant_id, environment, at, actor, action, subject)
     select ${id(8, "n")}, ${scope}, now() - interval '300 days' + n * interval '300 days' / $1, 'key:x',
       'connection.create', 'connection:' || n
     from generate_series(1, $1::int) n cross join lateral (select ${tenantNumber} as number) t`,
  ],
  [
    "causes",
    `insert into usage_causes (tenant_id, environment, kind, cause, at)
     select ${scope}, 'connect', ${id(4, "n")}, now() - interval '300 days' + n * interval '300 days' / $1
     from generate_series(1, $1::int) n cross join lateral (select ${tenantNumber} as number) t`,
  ],
  [
    "queues",
    `with checks as (
       insert into check_queues (tenant_id, environment, lane, turn_at)
       select tenant_id, environment, lane, min(due_at) from connection_checks
       where due_at is not null and $1 > 0 group by 1, 2, 3)
     insert into endpoint_queue (endpoint_id, tenant_id, environment, turn_at)
     select endpoint_id, tenant_id, environment, coalesce(min(due_at), 'infinity') from deliveries group by 1, 2, 3`,
  ],
];

export async function fillScaleData(
  session: pg.Client,
  connections: number,
  onProgress: (what: string, elapsedMs: number) => void = () => undefined,
): Promise<ScaleData> {
  // Without triggers; rows and indexes are the same as in production.
  await session.query("set session_replication_role = replica; set synchronous_commit = off");
  for (const [what, text] of steps) {
    const startedAt = performance.now();
    await session.query(text, [connections]);
    onProgress(what, performance.now() - startedAt);
  }
  await session.query("set session_replication_role = default; set synchronous_commit = on");
  const startedAt = performance.now();
  await session.query("vacuum (analyze)");
  onProgress("analyze", performance.now() - startedAt);
  return {
    large: await tenantAt(session, 0, 1),
    small: await tenantAt(session, 7, connections / 2 + 601),
    second: await tenantAt(session, 8, connections / 2 + 701),
  };
}

async function tenantAt(
  session: pg.Client,
  tenant: number,
  connection: number,
): Promise<ScaleTenant> {
  const { rows } = await session.query<ScaleTenant>(
    `select ${id(1, "$1::int")} as "tenantId", ${id(2, "$1::int")} as "applicationId",
       ${id(3, "$1::int")} as "endpointId", ${id(4, "$2::int")} as "connectionId",
       'h' || $2::int || '.d' || $2::int || '.example' as hostname, ${id(9, "$2::int")} as "archivedId"`,
    [tenant, connection],
  );
  const [row] = rows;
  if (!row) throw new Error("no such tenant");
  return row;
}

/**
 * Has the planner believe that the tables have `factor` times as many rows, as many as the index of
 * each too.
 */
export async function scaleStatistics(session: pg.Client, factor: number): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 1000`,
  );
  for (const { name } of rows) {
    // Nothing may set them right again.
    await session.query(`alter table ${name} set (autovacuum_enabled = false)`);
  }
  await session.query(
    `update pg_class set reltuples = reltuples * $1
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples > 1000`,
    [factor],
  );
}
