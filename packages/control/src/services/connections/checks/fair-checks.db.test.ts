import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { copyAsBacklog, logChecks } from "@mooring/testing/control/backlog";
import { startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { openDatabase } from "../../../db/engine/pool.ts";
import { claimDueConnections } from "../../../db/queries/connections/due-connections.ts";
import { startWorker } from "../../../process/start-worker.ts";

const backlog = proofSize(5_000, 1_400_000);
const tenants = 10;
const each = 10;
const rounds = proofSize(1, 5);
/**
 * One short round on a busy machine says little about time; the order of the checks says it all.
 */
const factor = proofSize(20, 2);
/**
 * The promise for a new connection, on an idle machine; one that runs other tests is given more.
 */
const checkedWithinMs = proofSize(60_000, 2_000);
const share = { recent: 32, running: 256 };

interface Round {
  /** Milliseconds from due to checked, of each row of the others. */
  readonly waits: readonly number[];
  /** Checks of the tenant with the backlog until half of the others were checked. */
  readonly ofBacklog: number;
}

describe(`a tenant with ${backlog} connections due`, () => {
  let app: TestApp;
  let session: pg.Client;
  let large = "";
  let newcomer: Caller;
  let others: readonly string[] = [];
  before(async () => {
    app = await startTestApp();
    session = await openSession(app.databaseUrl);
    await logChecks(session);
    const open = async (name: string) =>
      openCaller(app.api.url, (await app.tenant(name)).keys.test);
    large = (await connect(await open("Large"), `shop.${freshZone()}`)).id;
    newcomer = await open("Newcomer");
    const made: string[] = [];
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      const caller = await open(`Other ${tenant}`);
      const zone = freshZone();
      for (let count = 0; count < each; count += 1) {
        made.push((await connect(caller, `shop${count}.${zone}`)).id);
      }
    }
    others = made;
    await session.query("update connection_checks set due_at = 'infinity'");
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  /** Makes none of the others due. A check that is under way would set its own time afterwards. */
  async function rest(): Promise<void> {
    await until(async () => {
      const { rowCount } = await session.query(
        `update connection_checks set due_at = 'infinity'
         where connection_id = any ($1) and (leased_until is null or leased_until < now())`,
        [others],
      );
      return rowCount === others.length;
    }, "the end of the checks of the others");
  }

  /** Makes all of the others due, and waits until each is checked. */
  async function round(): Promise<Round> {
    // What is under way is finished whatever becomes due, and a slow machine has more of it. It is
    // read before: with a large backlog it takes longer than a check.
    const { rows: running } = await session.query<{ id: string }>(
      `select connection_id as id from connection_checks
       where connection_id <> all ($1) and leased_until is not null`,
      [others],
    );
    const { rows: started } = await session.query<{ at: Date; count: number }>(
      `with made_due as (
         update connection_checks set due_at = clock_timestamp(), lane = 0
         where connection_id = any ($1) and due_at = 'infinity' returning due_at)
       select min(due_at) as at, count(*)::int as count from made_due`,
      [others],
    );
    const since = started[0]?.at;
    assert.equal(started[0]?.count, others.length);
    const earlier = [...others, ...running.map(({ id }) => id)];
    await session.query("select pg_notify('mooring_due', 'connections')");
    await until(async () => {
      const { rows } = await session.query<{ checked: number }>(
        "select count(distinct id)::int as checked from check_log where id = any ($1) and at > $2",
        [others, since],
      );
      return rows[0]?.checked === others.length;
    }, "a check of all of the others");
    const { rows } = await session.query<{ ms: number; at: Date }>(
      `select extract(epoch from min(at) - $2::timestamptz)::float8 * 1000 as ms, min(at) as at
       from check_log where id = any ($1) and at > $2 group by id order by 1`,
      [others, since],
    );
    // Until half are checked: while the last of them are under way, free slots rightly go to the
    // backlog.
    const half = rows[Math.floor(rows.length / 2)]?.at;
    const counted = await session.query<{ count: number }>(
      `select count(*)::int as count from check_log where id <> all ($1) and at > $2 and at <= $3`,
      [earlier, since, half],
    );
    await rest();
    return { waits: rows.map(({ ms }) => ms), ofBacklog: counted.rows[0]?.count ?? Number.NaN };
  }

  async function measure(): Promise<Round> {
    const worker = await startWorker(app.config, { clock: app.clock, log: app.operator.log });
    const done: Round[] = [];
    try {
      // The first is for the caches of the new process.
      for (let count = 0; count <= rounds; count += 1) done.push(await round());
    } finally {
      await worker.close();
    }
    const measured = done.slice(1);
    return {
      waits: measured.flatMap(({ waits }) => waits).toSorted((a, b) => a - b),
      ofBacklog: Math.max(...measured.map(({ ofBacklog }) => ofBacklog)),
    };
  }

  const quantile = ({ waits }: Round, share: number): number =>
    waits[Math.ceil(waits.length * share) - 1] ?? Number.NaN;

  it("delays no fresh connection of others beyond twice the time of an idle system", async (t) => {
    const idle = await measure();
    await copyAsBacklog(session, large, backlog);
    const busy = await measure();
    const quantiles = [idle, busy].map((each) =>
      [0.5, 0.99].map((share) => Math.round(quantile(each, share))).join("/"),
    );
    t.diagnostic(
      `p50/p99 from due to checked of ${others.length} connections: ${quantiles[0]} ms idle, ${quantiles[1]} ms beside ${backlog} due rows; ${busy.ofBacklog} of those were checked meanwhile`,
    );
    // Of the slots that become free, the others get all but one in twenty.
    assert.ok(busy.ofBacklog < others.length / 2, `${busy.ofBacklog} checks of the backlog`);
    assert.ok(quantile(busy, 0.99) < factor * quantile(idle, 0.99), quantiles.join(" and "));
  });

  it(`has another tenant's new connection checked by a worker process within ${checkedWithinMs} ms`, async (t) => {
    const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir, LOG_LEVEL: "warn" };
    const worker = await startProcess("worker", env);
    const waits: number[] = [];
    try {
      await until(async () => {
        const { rowCount } = await session.query("select from check_log limit 1 offset 500");
        return rowCount === 1;
      }, "checks of the backlog");
      for (let count = 0; count < 10; count += 1) {
        const made = await connect(newcomer, `new${count}.${freshZone()}`);
        const waited = async (): Promise<number | null> => {
          const { rows } = await session.query<{ ms: number | null }>(
            `select extract(epoch from min(l.at) - c.created_at)::float8 * 1000 as ms
             from connections c left join check_log l on l.id = c.id where c.id = $1 group by c.id`,
            [made.id],
          );
          return rows[0]?.ms ?? null;
        };
        await until(async () => (await waited()) !== null, "its first check");
        waits.push((await waited()) ?? Number.NaN);
      }
    } finally {
      await worker.signal("SIGTERM");
    }
    const { rows } = await session.query<{ left: number }>(
      "select count(*)::int as left from connection_checks where lane = 1 and due_at < now()",
    );
    const slowest = Math.round(Math.max(...waits));
    t.diagnostic(
      `10 new connections, each checked at most ${slowest} ms after it was due, beside ${rows[0]?.left} overdue`,
    );
    assert.ok(slowest <= checkedWithinMs, `${waits.join()} ms`);
  });

  // After some runs a named statement has one plan for all values.
  for (const kind of ["custom", "generic"]) {
    it(`is claimed by index, whatever the size of its backlog, by a ${kind} plan`, async (t) => {
      // A few thousand rows are read as a whole sooner than by index: they pass for a million.
      await session.query(
        `update pg_class set reltuples = greatest(reltuples, 1000000)
       where relname like 'connection_checks%' and relkind in ('r', 'i') and reltuples > 1000`,
      );
      const database = openDatabase({ url: app.databaseUrl, role: "mooring_worker", max: 1 });
      try {
        const now = new Date();
        const until = new Date(now.getTime() + 30_000);
        const shares = { tenant: share, test: share };
        await database.pool.query(`set plan_cache_mode = force_${kind}_plan`);
        await claimDueConnections(database, now, until, 32, { busy: [], shares });
        const { rows } = await database.pool.query<{ "QUERY PLAN": readonly [Plan] }>(
          `explain (analyze, buffers, format json) execute claim_due_connections(
           now(), now() + interval '30 s', 32, '{}', '{}', '{}', '{}', '{}', 32, 256, 32, 256)`,
        );
        const plan = rows[0]?.["QUERY PLAN"][0];
        assert.ok(plan);
        // Partitions of small tenants may be read as a whole. The order of the index is used:
        // nothing sorts a backlog.
        for (const node of walk(plan.Plan)) {
          const read =
            (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
          if (!/^(Seq Scan|Sort|Incremental Sort)$/.test(node["Node Type"])) continue;
          assert.ok(read < 1_000, `${node["Node Type"]} of ${read} rows`);
        }
        const buffers = plan.Plan["Shared Hit Blocks"] + plan.Plan["Shared Read Blocks"];
        t.diagnostic(`a claim of 32 rows: ${plan["Execution Time"]} ms, ${buffers} buffers`);
        // A scan of the backlog reads a buffer for every few rows.
        assert.ok(buffers < 4_000, `${buffers} buffers`);
      } finally {
        await database.close();
      }
    });
  }
});

interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Plan {
  readonly Plan: PlanNode & {
    readonly "Shared Hit Blocks": number;
    readonly "Shared Read Blocks": number;
  };
  readonly "Execution Time": number;
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}
