import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import {
  createTenant,
  generateRootKey,
  migrate,
  openRuntime,
  readConfig,
} from "../../packages/control/src/index.ts";
import { startPostgres } from "../../packages/embedded-postgres/src/index.ts";

/** A temporary PostgreSQL with one tenant. */
export interface BenchDatabase {
  readonly url: string;
  /** The environment of a process of the product that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** The tenant's key in the live environment. */
  readonly key: string;
  readonly session: pg.Client;
  /** Replaces all connections by `count` live ones with their claims. */
  fill(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a server for millions of names is given; the others have the settings of a newcomer's
 * machine.
 */
export const largeServer: readonly string[] = ["shared_buffers=4GB", "max_wal_size=8GB"];

export async function openBenchDatabase(settings: readonly string[] = []): Promise<BenchDatabase> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  await chmod(directory, 0o755);
  const server = await startPostgres({
    dataDir: directory,
    log: { info: () => undefined },
    settings,
  });
  await migrate(server.url);
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: directory,
    // In no file, so that a process may have a directory of its own.
    SECRET_KEY: generateRootKey(),
    DNS_RESOLVERS: "127.0.0.1:1",
    RATE_LIMITS: "general=10000000:10000000",
    LOG_LEVEL: "warn",
  };
  const role = { url: server.url, role: "mooring_operator", name: "operator" } as const;
  const operator = await openRuntime(readConfig(env), role);
  const { tenant, keys } = await createTenant(operator.runtime, "Bench");
  await operator.close();
  const session = new pg.Client({ connectionString: server.url });
  await session.connect();
  return {
    url: server.url,
    env,
    key: keys.live,
    session,
    fill: (count) => fill(session, tenant.id, count),
    async close() {
      await session.end();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function fill(session: pg.Client, tenantId: string, count: number): Promise<void> {
  await session.query("truncate connections, claims, held_hostnames cascade");
  // Without constraint triggers; rows and indexes are the same as in production.
  await session.query("set session_replication_role = replica; set synchronous_commit = off");
  await session.query(connectionRows.connections, [count, tenantId]);
  await session.query(connectionRows.claims);
  await session.query(connectionRows.checks);
  await session.query(connectionRows.queues);
  await session.query(
    "insert into held_hostnames (tenant_id, environment, held) values ($1, 'live', $2)",
    [tenantId, count],
  );
  await session.query("set session_replication_role = default; set synchronous_commit = on");
  await session.query("vacuum (analyze) connections, connection_checks");
  await session.query("vacuum (analyze) claims");
  await session.query("checkpoint");
}

/** The zone of the connections: their names are `h1`, `h2`, … in it. */
export const benchZone = "bench.example";
export const benchEdgeName = "edge.localhost";

/** Rows as the product writes them, created one millisecond apart, all live and due. */
const connectionRows = {
  connections: `
    insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain,
      kind, setup_type, state, challenge, may_use_credentials, zone, desired_records, observed_records,
      phase_started_at, checks, last_checked_at, first_live_at, sequence, version, due_at, created_at)
    select overlay(overlay(md5(n::text) placing '7' from 13) placing '8' from 17)::uuid, $2::uuid, 'live', a.id,
      'h' || n || '.${benchZone}', '${benchZone}', 'subdomain', 'manual', 'live',
      'service-verify=' || md5(n::text) || 'abcdefghijk', true, '${benchZone}',
      jsonb_build_array(jsonb_build_object('host', 'h' || n || '.${benchZone}', 'type', 'CNAME',
        'value', '${benchEdgeName}', 'ttl', 300, 'priority', null)),
      jsonb_build_array(jsonb_build_object('host', 'h' || n || '.${benchZone}', 'type', 'CNAME',
        'value', '${benchEdgeName}', 'ttl', 300, 'priority', null, 'propagated', true,
        'observed_at', '2026-01-01T00:00:00.000Z')),
      t.at, 5, t.at, t.at, 4, 9, t.at + interval '1 hour', t.at
    from generate_series(1, $1::int) as n
    cross join lateral (select now() - interval '1 day' + n * interval '1 millisecond' as at) t
    cross join (select id from applications where tenant_id = $2::uuid and environment = 'live' limit 1) a`,
  claims: `
    insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
    select hostname, id, tenant_id, environment, nextval('claim_epochs'), created_at from connections`,
  // In an order that is not that of the times, as they are after a while.
  checks: `
    insert into connection_checks (connection_id, tenant_id, environment, lane, due_at, last_checked_at)
    select id, tenant_id, environment, 1, due_at, last_checked_at from connections order by id`,
  queues: `
    insert into check_queues (tenant_id, environment, lane, turn_at)
    select tenant_id, environment, lane, min(due_at) from connection_checks group by 1, 2, 3
    on conflict (tenant_id, environment, lane) do update set turn_at = excluded.turn_at`,
} as const;
