import { randomUUID } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import pg from "pg";
import type { Log } from "../../../edge/src/config/settings.ts";
import { openPool } from "../../../edge/src/db/pool.ts";
import type { Host } from "../../../edge/src/hosts/host.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";

/** A database as the edge sees it, and a superuser's session to play the control plane's part. */
export interface EdgeDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly admin: pg.Client;
  /** Claims names for a connection each, all of one application; the host of the last one. */
  hold(...names: readonly string[]): Promise<Host>;
  /** Gives the name up. */
  release(hostname: string): Promise<void>;
  /** A certificate is requested for the claim, from now on. */
  want(host: Host, at: Date): Promise<void>;
  row(hostname: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const tenantId = "00000000-0000-7000-8000-000000000001";
const applicationId = "00000000-0000-7000-8000-000000000002";
const originUrl = "http://127.0.0.1:3000";

export const silent: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function quiet(): void {}

export function createMovableClock(): Clock & { advance(ms: number): void } {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(ms) {
      offsetMs += ms;
    },
  };
}

/** A copy of the template, or a migrated database of the caller. */
export async function openEdgeDatabase(
  existing?: Pick<TestDatabase, "url" | "drop">,
): Promise<EdgeDatabase> {
  const database = existing ?? (await createTestDatabase());
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    `insert into tenants (id, name, plan, created_at) values ('${tenantId}', 'Acme', 'free', now());
     insert into applications (id, tenant_id, environment, name, origin_url, created_at)
     values ('${applicationId}', '${tenantId}', 'live', 'Shop', '${originUrl}', now())`,
  );
  const pool = openPool(database.url, quiet);
  return {
    url: database.url,
    pool,
    admin,
    hold: (...names) => hold(admin, names),
    async release(hostname) {
      await admin.query("delete from claims where hostname = $1", [hostname]);
    },
    async want(host, at) {
      await admin.query(
        `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status,
           registrable_domain, due_at, created_at)
         values ($1, $2, $3, 'live', $4, 'pending', 'acme.example', $5, $5)
         on conflict (hostname) do update set connection_id = excluded.connection_id,
           epoch = excluded.epoch, status = 'pending', chain = null, sealed_key = null,
           due_at = excluded.due_at, leased_until = null, version = certificates.version + 1`,
        [host.hostname, host.connectionId, host.tenantId, host.epoch, at],
      );
    },
    async row(hostname) {
      const found = await admin.query<Record<string, unknown>>(
        "select * from certificates where hostname = $1",
        [hostname],
      );
      return found.rows[0] ?? {};
    },
    async close() {
      await pool.end();
      await admin.end();
      await database.drop();
    },
  };
}

async function hold(admin: pg.Client, names: readonly string[]): Promise<Host> {
  const ids = names.map(() => randomUUID());
  await admin.query(
    `insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain,
       kind, setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, created_at)
     select id, $3, 'live', $4, hostname, 'acme.example', 'subdomain', 'manual', 'issuing_cert',
       'service-verify=x', true, '[]', now(), now() from unnest($1::uuid[], $2::text[]) n (id, hostname)`,
    [ids, names, tenantId, applicationId],
  );
  const { rows } = await admin.query<{ epoch: string }>(
    `insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
     select hostname, id, $3, 'live', nextval('claim_epochs'), now()
     from unnest($1::uuid[], $2::text[]) n (id, hostname) returning epoch`,
    [ids, names, tenantId],
  );
  return {
    hostname: names.at(-1) ?? "",
    epoch: Number(rows.at(-1)?.epoch),
    environment: "live",
    connectionId: ids.at(-1) ?? "",
    applicationId,
    tenantId,
    registrableDomain: "acme.example",
    own: null,
  };
}
