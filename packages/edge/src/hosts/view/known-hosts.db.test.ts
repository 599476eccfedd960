import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { startRelay } from "@mooring/testing/database/relay";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { openPool } from "../../db/pool.ts";
import { createKnownHosts, type DatabaseHosts } from "./known-hosts.ts";

const clock = { now: () => new Date() };
const nowhere = "postgres://user@127.0.0.1:1/none";
const hour = 3_600_000;

describe("the known hosts", () => {
  let database: EdgeDatabase;
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-hosts-"));
  before(async () => {
    database = await openEdgeDatabase();
  });
  const opened: DatabaseHosts[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((hosts) => hosts.close()));
  });
  after(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  interface Opened {
    readonly hosts: DatabaseHosts;
    readonly removed: string[];
    readonly from: "source" | "disk";
  }

  /** As one process of a machine has them, or in memory. */
  async function loaded(
    folder: string | null = null,
    parts: Partial<Parameters<typeof createKnownHosts>[0]> = {},
  ): Promise<Opened> {
    const hosts = createKnownHosts({ pool: database.pool, log: silent, clock, ...parts });
    opened.push(hosts);
    const removed: string[] = [];
    hosts.onRemoved((hostname) => removed.push(hostname));
    const from = await hosts.start(folder);
    return { hosts, removed, from };
  }

  const folderOf = (name: string): string => path.join(directory, name);

  async function ended(hosts: DatabaseHosts): Promise<void> {
    opened.splice(opened.indexOf(hosts), 1);
    await hosts.close();
  }

  it("are loaded whole, however many pages they fill", async () => {
    const names = Array.from({ length: 5_001 }, (_, index) => `n${index}.bulk.example`);
    const last = await database.hold(...names);
    const { hosts } = await loaded();
    assert.equal(hosts.size, 5_001);
    assert.deepEqual(hosts.get(last.hostname), last);
    await database.admin.query("delete from claims");
  });

  it("follow notifications: a name that is claimed, released, and changed", async () => {
    const { hosts, removed } = await loaded();
    const held = await database.hold("notified.example");
    hosts.changed("notified.example");
    await until(() => hosts.get("notified.example") !== null);
    assert.deepEqual(hosts.get("notified.example"), held);
    await database.admin.query("update applications set origin_url = 'http://127.0.0.1:4000'");
    hosts.changed(`application:${held.applicationId}`);
    await until(() => hosts.applicationOf(held)?.originUrl === "http://127.0.0.1:4000");
    assert.deepEqual(removed, []);
    await database.release("notified.example");
    hosts.changed("notified.example");
    await until(() => hosts.get("notified.example") === null);
    assert.deepEqual(removed, ["notified.example"]);
    await database.admin.query("update applications set origin_url = 'http://127.0.0.1:3000'");
  });

  it("catch up with changes without a notification", async () => {
    const first = await database.hold("snapshot.example", "dropped.example");
    const { hosts, removed } = await loaded();
    await database.release("dropped.example");
    await database.hold("new.example");
    await database.admin.query("update applications set origin_host_header = 'origin'");
    assert.equal(hosts.get("dropped.example")?.epoch, first.epoch);
    await hosts.catchUp();
    assert.equal(hosts.get("dropped.example"), null);
    assert.deepEqual(removed, ["dropped.example"]);
    assert.notEqual(hosts.get("new.example"), null);
    assert.equal(hosts.applicationOf(first)?.originHostHeader, "origin");
    await database.admin.query("update applications set origin_host_header = 'preserve'");
  });

  it("change their origin by one row, however many names an application has", async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `n${index}.origin.example`);
    const last = await database.hold(...names);
    const counted = countedPool(database.pool);
    const { hosts } = await loaded(null, { pool: counted.pool });
    await hosts.catchUp();
    counted.statements.length = 0;
    const edge = { first_byte_timeout_s: 7 };
    await database.admin.query("update applications set edge = $1", [JSON.stringify(edge)]);
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(last)?.edge.firstByteMs, 7_000);
    // The change log and the application: no hostname is read again.
    assert.deepEqual(counted.statements, ["host_changes", "edge_applications"]);
    await database.admin.query("update applications set edge = '{}'");
    await hosts.catchUp();
    counted.statements.length = 0;
    await database.admin.query("update tenants set suspended_at = now()");
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(last)?.isSuspended, true);
    assert.deepEqual(counted.statements, ["host_changes", "edge_applications"]);
    await database.admin.query("update tenants set suspended_at = null");
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(last)?.isSuspended, false);
    await database.admin.query("delete from claims");
  });

  it("have settings of their own, and redirect while the target is served", async () => {
    const from = await database.hold("own.example", "target.example", "from.example");
    const { hosts, removed } = await loaded();
    const set = (text: string, ...values: readonly string[]) =>
      database.admin.query(`update connections set ${text}`, [...values]);
    const own = () => hosts.get("from.example")?.own ?? null;
    assert.equal(own(), null);
    await set("redirect_to = $1 where hostname = $2", "target.example", "from.example");
    await hosts.catchUp();
    assert.equal(own(), null);
    await set("state = $1 where hostname = $2", "live", "target.example");
    await hosts.catchUp();
    assert.equal(own()?.redirectTo, "target.example");
    await set("state = $1 where hostname = $2", "failed", "target.example");
    await hosts.catchUp();
    assert.equal(own(), null);

    await set("origin_url = $1 where hostname = $2", "http://127.0.0.1:3100", "own.example");
    await hosts.catchUp();
    const host = hosts.get("own.example");
    assert.ok(host);
    const application = hosts.applicationOf(host);
    assert.deepEqual(application?.origins, [{ url: "http://127.0.0.1:3100", weight: 1 }]);
    assert.equal(hosts.applicationOf(host), application);
    assert.equal(hosts.applicationOf(from)?.originUrl, "http://127.0.0.1:3000");
    await database.admin.query("update applications set origin_host_header = 'origin'");
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(host)?.originHostHeader, "origin");
    await set("origin_host_header = $1 where hostname = $2", "preserve", "own.example");
    await hosts.catchUp();
    const changed = hosts.get("own.example");
    assert.ok(changed);
    assert.equal(hosts.applicationOf(changed)?.originHostHeader, "preserve");
    await database.admin.query("update applications set edge = $1", ['{"deny": ["::/0"]}']);
    await set("edge = $1 where hostname = $2", '{"deny": "off"}', "own.example");
    await hosts.catchUp();
    const ruled = hosts.get("own.example") ?? assert.fail("released");
    const rules = [ruled, from].map((one) => hosts.applicationOf(one)?.edge.rules?.deny ?? null);
    assert.deepEqual(rules, [null, ["::/0"]]);
    await database.admin.query("update applications set edge = '{}'");
    // None of it is a new claim, which would need another certificate.
    assert.deepEqual(removed, []);
    await database.admin.query("update applications set origin_host_header = 'preserve'");
    await database.admin.query("delete from claims");
  });

  it("follow all other changes while one cannot be read, and that one when it can", async () => {
    const held = await database.hold("broken.example", "other.example");
    const moved = createMovableClock();
    const counted = countedPool(database.pool);
    const { hosts } = await loaded(null, { pool: counted.pool, clock: moved });
    counted.fail("edge_applications");
    await database.admin.query("update applications set origin_url = 'http://127.0.0.1:4001'");
    await database.release("other.example");
    await hosts.catchUp();
    assert.equal(hosts.get("other.example"), null);
    await database.hold("third.example");
    await hosts.catchUp();
    assert.notEqual(hosts.get("third.example"), null);
    assert.equal(hosts.applicationOf(held)?.originUrl, "http://127.0.0.1:3000");
    // What could not be read for a day is not used any more; the rest is.
    moved.advance(24.1 * hour);
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(held), null);
    assert.notEqual(hosts.get("third.example"), null);
    counted.fail(null);
    await hosts.catchUp();
    assert.equal(hosts.applicationOf(held)?.originUrl, "http://127.0.0.1:4001");
    await database.admin.query("update applications set origin_url = 'http://127.0.0.1:3000'");
    await database.admin.query("delete from claims");
  });

  it("miss no change that was numbered early and committed late", async () => {
    await database.hold("late.example");
    const { hosts } = await loaded();
    await hosts.catchUp();
    const slow = new pg.Client({ connectionString: database.url });
    await slow.connect();
    await slow.query("begin");
    await slow.query("delete from claims where hostname = 'late.example'");
    await database.hold("later.example");
    await hosts.catchUp();
    assert.notEqual(hosts.get("later.example"), null);
    assert.notEqual(hosts.get("late.example"), null);
    await slow.query("commit");
    await slow.end();
    await hosts.catchUp();
    assert.equal(hosts.get("late.example"), null);
  });

  it("report a name that another claim has taken over", async () => {
    const before = await database.hold("taken.example");
    const { hosts, removed } = await loaded();
    await database.release("taken.example");
    const now = await database.hold("taken.example");
    assert.ok(now.epoch > before.epoch);
    await hosts.catchUp();
    assert.equal(hosts.get("taken.example")?.epoch, now.epoch);
    assert.deepEqual(removed, ["taken.example"]);
  });

  it("start from disk without the database, and follow it again when it is back", async () => {
    const folder = folderOf("offline");
    // The copy of an earlier release, which is not read.
    mkdirSync(folder);
    for (const name of ["known-hosts-2.jsonl", "known-hosts-as-of"]) {
      writeFileSync(path.join(folder, name), "anything");
    }
    const held = await database.hold("stays.example", "leaves.example");
    const own = { redirectTo: null, originUrl: "http://127.0.0.1:3100", originHostHeader: null };
    await database.admin.query("update connections set origin_url = $1 where hostname = $2", [
      own.originUrl,
      "stays.example",
    ]);
    const first = await loaded(folder);
    assert.equal(first.from, "source");
    assert.deepEqual(readdirSync(folder), ["known-hosts"]);
    await ended(first.hosts);

    const away = openPool(nowhere, () => undefined);
    const offline = await loaded(folder, { pool: away });
    assert.equal(offline.from, "disk");
    assert.equal(offline.hosts.size, first.hosts.size);
    assert.deepEqual(offline.hosts.get("leaves.example"), held);
    assert.deepEqual(offline.hosts.get("stays.example")?.own, own);
    assert.equal(offline.hosts.applicationOf(held)?.originUrl, "http://127.0.0.1:3000");
    await assert.rejects(offline.hosts.catchUp());
    assert.notEqual(offline.hosts.get("stays.example"), null);
    await ended(offline.hosts);
    await away.end();

    await database.release("leaves.example");
    // Even where the log of changes does not reach back that far.
    await database.admin.query("delete from host_changes");
    const back = await loaded(folder);
    assert.equal(back.from, "source");
    assert.equal(back.hosts.get("leaves.example"), null);
    assert.notEqual(back.hosts.get("stays.example"), null);
    assert.deepEqual(back.removed, ["leaves.example"]);
    await database.admin.query("delete from claims");
  });

  it("are read from disk and the change log only, when they were known before", async () => {
    const folder = folderOf("restarted");
    const names = Array.from({ length: 2_500 }, (_, index) => `n${index}.restart.example`);
    await database.hold(...names);
    const first = await loaded(folder);
    await ended(first.hosts);
    await database.release("n7.restart.example");
    const counted = countedPool(database.pool);
    const { hosts, from } = await loaded(folder, { pool: counted.pool });
    assert.equal(from, "source");
    assert.equal(hosts.get("n7.restart.example"), null);
    assert.equal(hosts.size, 2_499);
    // Names of the log, never pages of all.
    assert.ok(!counted.statements.includes("edge_claims_page"));
    await database.admin.query("delete from claims");
  });

  it("are written by one process, and refused by all when they are released", async () => {
    const folder = folderOf("shared");
    await database.hold("first.shared.example", "second.shared.example");
    const writer = await loaded(folder);
    const counted = countedPool(database.pool);
    const reader = await loaded(folder, { pool: counted.pool });
    assert.equal(reader.from, "source");
    assert.deepEqual(counted.statements, ["host_changes"]);
    assert.notEqual(reader.hosts.get("first.shared.example"), null);
    await database.release("first.shared.example");
    const added = await database.hold("third.shared.example");
    for (const { hosts } of [reader, writer]) {
      hosts.changed("first.shared.example");
      hosts.changed("third.shared.example");
    }
    for (const { hosts } of [reader, writer]) {
      await until(() => hosts.get("first.shared.example") === null, "the release");
      await until(() => hosts.get("third.shared.example") !== null, "the claim");
    }
    assert.deepEqual(reader.hosts.get("third.shared.example"), added);
    assert.deepEqual(reader.removed, ["first.shared.example"]);
    assert.deepEqual(counted.statements, ["host_changes"]);

    // The writer ends, and the other process continues with what it does not know yet.
    await database.release("second.shared.example");
    await ended(writer.hosts);
    await until(async () => {
      await reader.hosts.catchUp();
      return reader.hosts.get("second.shared.example") === null;
    }, "the other process writes");
    assert.notEqual(reader.hosts.get("third.shared.example"), null);
    await database.admin.query("delete from claims");
  });

  it("are loaded again where the last change in the log is another one: the database was restored", async () => {
    const folder = folderOf("restored");
    await database.hold("before.restore.example");
    const first = await loaded(folder);
    await first.hosts.catchUp();
    await ended(first.hosts);
    // With the numbers of changes that the edge has seen, and of which it knows others.
    const { rows } = await database.admin.query("select max(id) as id from host_changes");
    await database.admin.query("set session_replication_role = replica");
    await database.release("before.restore.example");
    await database.hold("restored.restore.example");
    await database.admin.query("set session_replication_role = default");
    await database.admin.query("update host_changes set hostname = 'x.example' where id = $1", [
      rows[0].id,
    ]);
    const { hosts, removed } = await loaded(folder);
    assert.equal(hosts.get("before.restore.example"), null);
    assert.notEqual(hosts.get("restored.restore.example"), null);
    assert.deepEqual(removed, ["before.restore.example"]);
    await database.admin.query("delete from claims");
  });

  it("are loaded again where the change log was swept past them", async () => {
    await database.hold("old.example", "other.example");
    const { hosts, removed } = await loaded();
    await hosts.catchUp();
    await database.release("old.example");
    await database.hold("newer.example");
    await database.admin.query(
      "delete from host_changes where id < (select max(id) from host_changes)",
    );
    await hosts.catchUp();
    assert.equal(hosts.get("old.example"), null);
    assert.notEqual(hosts.get("newer.example"), null);
    assert.deepEqual(removed, ["old.example"]);
  });

  it("are loaded again where the change log ends before what was read: the database was restored", async () => {
    await database.hold("restored.example");
    await database.release("restored.example");
    const { rows } = await database.admin.query("select max(id) as id from host_changes");
    await database.hold("undone.example");
    const { hosts, removed } = await loaded();
    await hosts.catchUp();
    await database.release("undone.example");
    await database.hold("restored.example");
    // Of that time, with its claims.
    await database.admin.query("delete from host_changes where id > $1", [rows[0].id]);
    await hosts.catchUp();
    assert.equal(hosts.get("undone.example"), null);
    assert.notEqual(hosts.get("restored.example"), null);
    assert.deepEqual(removed, ["undone.example"]);
  });

  it("are unknown once the database has been unreachable for a day, and known again when it is back", async () => {
    await database.hold("patient.example");
    const moved = createMovableClock();
    const relay = await startRelay(database.url);
    const pool = openPool(relay.url, () => undefined);
    const { hosts } = await loaded(null, { pool, clock: moved });
    await relay.cut();
    moved.advance(23.9 * hour);
    await assert.rejects(hosts.catchUp());
    assert.notEqual(hosts.get("patient.example"), null);
    moved.advance(0.2 * hour);
    await assert.rejects(hosts.catchUp());
    assert.equal(hosts.get("patient.example"), null);
    await relay.restore();
    await hosts.catchUp();
    assert.notEqual(hosts.get("patient.example"), null);
    await pool.end();
    await relay.close();
  });

  it("are not served from disk after a day, until the database is back", async () => {
    const folder = folderOf("old");
    await database.hold("aged.example");
    const moved = createMovableClock();
    const first = await loaded(folder, { clock: moved });
    await ended(first.hosts);
    const relay = await startRelay(database.url);
    const pool = openPool(relay.url, () => undefined);
    await relay.cut();
    moved.advance(23.9 * hour);
    const patient = await loaded(folder, { pool, clock: moved });
    assert.equal(patient.from, "disk");
    assert.notEqual(patient.hosts.get("aged.example"), null);
    await ended(patient.hosts);
    // A start without word from the database makes them no younger.
    moved.advance(0.2 * hour);
    const hosts = createKnownHosts({ pool, log: silent, clock: moved });
    opened.push(hosts);
    const starting = hosts.start(folder);
    await assert.rejects(hosts.catchUp());
    assert.equal(hosts.get("aged.example"), null);
    await relay.restore();
    assert.equal(await starting, "source");
    assert.notEqual(hosts.get("aged.example"), null);
    await ended(hosts);
    await pool.end();
    await relay.close();
    await database.admin.query("delete from claims");
  });
});

/** A pool that records which tables and functions are read, and fails those of one name. */
function countedPool(pool: pg.Pool) {
  const statements: string[] = [];
  let failing: string | null = null;
  const query = async (config: string | pg.QueryConfig, values?: unknown[]): Promise<unknown> => {
    const text = typeof config === "string" ? config : config.text;
    const name = /from ([a-z_]+)/.exec(text)?.[1] ?? text;
    statements.push(name);
    if (name === failing) throw new Error("the statement was cancelled");
    return await (typeof config === "string" ? pool.query(config, values) : pool.query(config));
  };
  return {
    statements,
    // The edge reads hosts by this one method.
    pool: { query } as unknown as pg.Pool,
    fail(name: string | null) {
      failing = name;
    },
  };
}
