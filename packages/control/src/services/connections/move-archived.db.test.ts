import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { withoutLimits } from "@mooring/testing/control/world";
import { until } from "@mooring/testing/processes/until";
import { sql } from "kysely";
import type pg from "pg";
import { openDatabase } from "../../db/engine/pool.ts";
import { moveArchived as movePiece } from "../../db/queries/connections/archived-connections.ts";
import { moveArchived } from "./move-archived.ts";

const monthMs = 31 * 86_400_000;

describe("the move of archived connections", () => {
  let app: TestApp;
  let session: pg.Client;
  let worker: ReturnType<typeof openDatabase>;
  let caller: Caller;
  let hostname: string;
  let id: string;

  before(async () => {
    app = await startTestApp(withoutLimits);
    session = await openSession(app.databaseUrl);
    worker = openDatabase({ url: app.databaseUrl, role: "mooring_worker" });
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
  });
  after(async () => {
    await worker.close();
    await session.end();
    await app.close();
  });
  beforeEach(async () => {
    hostname = `shop.${freshZone()}`;
    ({ id } = await connect(caller, hostname));
    assert.equal((await archive(caller, id)).status, 200);
    app.clock.advance(monthMs);
  });

  const move = (): Promise<void> =>
    moveArchived({ ...app.operator, ...worker, database: worker, config: app.config });

  async function findTables(connectionId: string): Promise<readonly string[]> {
    const { rows } = await session.query<{ name: string }>(
      "select tableoid::regclass::text as name from connections where id = $1",
      [connectionId],
    );
    return rows.map(({ name }) => name);
  }

  it("changes nothing of the row", async () => {
    const row = () => session.query("select * from connections where id = $1", [id]);
    const { rows: before } = await row();
    await move();
    assert.deepEqual(await findTables(id), ["archived_connections"]);
    assert.deepEqual((await row()).rows, before);
  });

  it("takes along what is shown and removes what only an open connection has", async () => {
    const own = `$1, tenant_id, environment from connections where id = $1`;
    await session.query(
      `insert into share_links (token_hash, connection_id, tenant_id, environment, created_at, expires_at)
       select decode(md5(random()::text), 'hex'), id, tenant_id, environment, now(), now() from connections where id = $1`,
      [id],
    );
    await session.query(
      `insert into drop_in_fields (connection_id, tenant_id, environment, vendor, fields, updated_at)
       select ${own.replace(" from", ", 'vercel', '{}', now() from")}`,
      [id],
    );
    await session.query("insert into origin_health (connection_id, failures) values ($1, '{}')", [
      id,
    ]);
    const count = async (tables: readonly string[]) => {
      const each = tables.map(
        (table) => `(select count(*)::int from ${table} where connection_id = $1) as ${table}`,
      );
      return (await session.query(`select ${each.join()}`, [id])).rows[0];
    };
    const shown = ["events", "timeline", "connection_search"];
    const before = await count(shown);
    await move();
    assert.deepEqual(await count(shown), before);
    assert.deepEqual(await count(["share_links", "drop_in_fields", "origin_health"]), {
      share_links: 0,
      drop_in_fields: 0,
      origin_health: 0,
    });
  });

  it("is done once when several workers move at the same time, and again", async () => {
    await Promise.all([move(), move(), move()]);
    await move();
    assert.deepEqual(await findTables(id), ["archived_connections"]);
    const { rows } = await session.query(
      "select id from connections group by id having count(*) > 1",
    );
    assert.deepEqual(rows, []);
  });

  it("leaves the connection where it was when it is killed half way", async () => {
    const piece = worker.transaction(async (tx) => {
      assert.equal(await movePiece(tx, app.clock.now(), 10), 1);
      assert.equal((await get(caller, id)).status, 200, "readers see it meanwhile");
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await session.query("select pg_terminate_backend($1, 10000)", [rows[0]?.pid]);
    });
    await assert.rejects(piece);
    assert.deepEqual(await findTables(id), ["connections"]);
    await move();
    assert.deepEqual(await findTables(id), ["archived_connections"]);
  });

  it("passes over a hostname that somebody has locked, and does not wait", async () => {
    await session.query("begin");
    await session.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `hostname:${hostname}`,
    ]);
    await move();
    assert.deepEqual(await findTables(id), ["connections"]);
    await session.query("rollback; begin");
    await session.query("select from connections where id = $1 for update", [id]);
    await move();
    assert.deepEqual(await findTables(id), ["connections"]);
    await session.query("rollback");
    await move();
    assert.deepEqual(await findTables(id), ["archived_connections"]);
  });

  it("lets a request that waits for it find the connection", async () => {
    const repeated = await worker.transaction(async (tx) => {
      assert.equal(await movePiece(tx, app.clock.now(), 10), 1);
      const answer = archive(caller, id);
      await until(async () => {
        const { rowCount } = await session.query(
          `select from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock' and wait_event = 'advisory'`,
        );
        return rowCount === 1;
      }, "the request that waits");
      return { answer };
    });
    const { status, text } = await repeated.answer;
    assert.equal(status, 200, text);
    assert.deepEqual(await findTables(id), ["archived_connections"]);
  });

  it("leaves a connection that a claim or a certificate says is served", async () => {
    await session.query(
      `insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
       select hostname, id, tenant_id, environment, nextval('claim_epochs'), now() from connections where id = $1`,
      [id],
    );
    await move();
    assert.deepEqual(await findTables(id), ["connections"]);
    await session.query("delete from claims where connection_id = $1", [id]);
    await move();
    assert.deepEqual(await findTables(id), ["archived_connections"]);
  });

  it("has an index for each list of connections that can show archived ones", async () => {
    const { rows } = await session.query<{ name: string }>(
      `with indexes as (
         select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as relation,
           regexp_replace(pg_get_indexdef(i.indexrelid), '.* USING ', '') as definition
         from pg_index i where i.indrelid in ('connections'::regclass, 'archived_connections'::regclass))
       select c.name from indexes c where c.relation = 'connections' and not exists (
         select from indexes a where a.relation = 'archived_connections' and a.definition = c.definition)
       order by 1`,
    );
    // Those of checks and of what is served, of other states, and of what only the move reads.
    assert.deepEqual(
      rows.map(({ name }) => name),
      [
        "connections_archived",
        "connections_by_finding",
        "connections_by_state",
        "connections_by_test_domain",
        "connections_due",
        "connections_in_progress",
        "connections_parked",
        "connections_queue",
        "connections_redirecting",
        "connections_stuck",
        "connections_under_way",
        "connections_validation",
        "connections_went_live",
      ],
    );
  });
});
