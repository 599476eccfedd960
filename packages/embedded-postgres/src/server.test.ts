import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chown, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  killAndWait,
  makeScratch,
  processesIn,
  removeScratch,
  silent,
  startInAnotherProcess,
} from "@mooring/testing/embedded-postgres/scratch";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { isAlive, readIfPresent } from "./files.ts";
import { openLocation } from "./location.ts";
import { readPostmaster } from "./postmaster.ts";
import { LocalPostgresError } from "./programs.ts";
import { freePort, type RunningPostgres, startPostgres } from "./server.ts";

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Four clients insert rows until their server ends; returns the acknowledged rows. */
function startWriters(url: string): { readonly acked: number[]; readonly done: Promise<unknown> } {
  const acked: number[] = [];
  let next = 0;
  const write = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    // A connection that ends between two queries emits this; one that ends during a query throws.
    client.on("error", () => {});
    await client.connect();
    for (;;) {
      const row = next++;
      await client.query("insert into rows (id) values ($1)", [row]);
      acked.push(row);
    }
  };
  return { acked, done: Promise.allSettled([write(), write(), write(), write()]) };
}

describe("startPostgres", { skip: process.platform !== "linux" }, () => {
  let scratch = "";
  let dataDir = "";
  let directory = "";
  let data = "";
  let server: RunningPostgres;
  const start = (): Promise<RunningPostgres> => startPostgres({ dataDir, log: silent });
  const postmasterPid = async (): Promise<number> => (await readPostmaster(data))?.pid ?? 0;

  before(async () => {
    scratch = await makeScratch();
    dataDir = join(scratch, "data dir");
    server = await start();
    directory = (await openLocation(dataDir)).directory;
    data = join(directory, "data");
  });
  after(async () => {
    await server.stop();
    await removeScratch(scratch, dataDir);
  });

  it("creates a database with durable, loopback-only settings", async () => {
    assert.equal(server.adopted, false);
    const settings = await query<{ name: string; setting: string }>(
      server.url,
      `select name, current_setting(name) as setting from pg_settings where name in
       ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses',
        'unix_socket_directories', 'ssl', 'max_connections', 'shared_buffers', 'server_encoding')`,
    );
    assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
      data_checksums: "on",
      fsync: "on",
      full_page_writes: "on",
      listen_addresses: "127.0.0.1",
      max_connections: "200",
      server_encoding: "UTF8",
      shared_buffers: "128MB",
      ssl: "off",
      synchronous_commit: "on",
      unix_socket_directories: "",
    });
  });

  it("refuses a wrong password", async () => {
    const wrong = new URL(server.url);
    wrong.password = "wrong";
    await assert.rejects(query(wrong.href, "select 1"), { code: "28P01" });
  });

  it("writes the superuser's URL with access for its owner only", async () => {
    const file = join(dataDir, "database-url");
    assert.equal(await readFile(file, "utf8"), `${server.url}\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(directory, "password"))).mode & 0o777, 0o600);
  });

  it("stops without leaving a process, and stopping again is harmless", async () => {
    assert.ok((await processesIn(data)).length > 1);
    await server.stop();
    assert.deepEqual(await processesIn(data), []);
    await server.stop();
  });

  it("starts again on the same port with the data of before", async () => {
    const first = await start();
    await query(first.url, "create table answers as select 42 as answer");
    await first.stop();
    server = await start();
    assert.equal(server.adopted, false);
    assert.equal(server.url, first.url);
    assert.deepEqual(await query(server.url, "select answer from answers"), [{ answer: 42 }]);
  });

  it("adopts the server that a killed process left running", async () => {
    await server.stop();
    const other = startInAnotherProcess(dataDir);
    const report = await other.report;
    assert.ok("url" in report, JSON.stringify(report));
    const pid = await postmasterPid();
    other.child.kill("SIGKILL");
    await once(other.child, "close");
    server = await start();
    assert.equal(server.adopted, true);
    assert.equal(server.url, report.url);
    assert.equal(await postmasterPid(), pid);
  });

  it("loses no acknowledged row when the server is killed and started at once", async () => {
    await query(server.url, "create table rows (id bigint primary key)");
    const writers = startWriters(server.url);
    await until(() => writers.acked.length > 400);
    process.kill(await postmasterPid(), "SIGKILL");
    server = await start();
    await writers.done;
    assert.equal(server.adopted, false);
    const present = await query<{ id: string }>(server.url, "select id from rows");
    const ids = new Set(present.map(({ id }) => Number(id)));
    assert.deepEqual(
      writers.acked.filter((row) => !ids.has(row)),
      [],
    );
  });

  it("starts despite a pid file whose number now belongs to another process", async (t) => {
    const pidFile = join(data, "postmaster.pid");
    const { uid, gid } = await stat(data);
    const other = spawn("sleep", ["60"], { cwd: "/", uid, gid });
    t.after(() => other.kill("SIGKILL"));
    await once(other, "spawn");
    const text = await readFile(pidFile, "utf8");
    await killAndWait(await postmasterPid());
    await until(async () => (await processesIn(data)).length === 0);
    await writeFile(pidFile, text.replace(/^\d+/, String(other.pid)));
    await chown(pidFile, uid, gid);
    server = await start();
    assert.equal(server.adopted, false);
    assert.ok(isAlive(other.pid ?? 0));
  });

  it("takes another port when the last one is occupied, but never another than was asked for", async (t) => {
    await server.stop();
    const occupier = createServer().listen(server.port, "127.0.0.1");
    t.after(() => occupier.close());
    await once(occupier, "listening");
    const asked = startPostgres({ dataDir, log: silent, port: server.port });
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof LocalPostgresError);
      assert.match(error.message, /postgres\.log:[\s\S]*Address already in use/);
      return true;
    });
    const moved = await start();
    assert.notEqual(moved.port, server.port);
    assert.equal(await readFile(join(dataDir, "database-url"), "utf8"), `${moved.url}\n`);
    await moved.stop();
    const port = await freePort();
    const settings = ["shared_buffers=64MB"];
    server = await startPostgres({ dataDir, log: silent, port, settings });
    assert.equal(server.port, port);
    const shown = await query(server.url, "show shared_buffers");
    assert.deepEqual(shown, [{ shared_buffers: "64MB" }]);
    assert.deepEqual(await query(server.url, "select answer from answers"), [{ answer: 42 }]);
  });

  it("shows the end of the log when the server refuses to start, and no secret", async () => {
    await server.stop();
    const config = join(data, "postgresql.conf");
    const good = await readFile(config, "utf8");
    await appendFile(config, "\nno_such_setting = 1\n");
    await assert.rejects(start(), (error) => {
      assert.ok(error instanceof LocalPostgresError);
      assert.match(error.message, /no_such_setting/);
      assert.ok(!error.message.includes(new URL(server.url).password));
      return true;
    });
    await writeFile(config, good);
  });
});

describe("startPostgres from two processes at once", {
  skip: process.platform !== "linux",
}, () => {
  it("creates and runs one server that both use", async (t) => {
    const scratch = await makeScratch();
    const dataDir = join(scratch, "data");
    const starters = [startInAnotherProcess(dataDir), startInAnotherProcess(dataDir)];
    t.after(async () => {
      for (const { child } of starters) child.kill("SIGKILL");
      await (await startPostgres({ dataDir, log: silent })).stop();
      await removeScratch(scratch, dataDir);
    });
    const reports = await Promise.all(starters.map(({ report }) => report));
    const urls = reports.map((report) => ("url" in report ? report.url : report.error));
    assert.equal(new Set(urls).size, 1, urls.join("\n"));
    assert.deepEqual(reports.map((report) => "adopted" in report && report.adopted).sort(), [
      false,
      true,
    ]);
    assert.deepEqual(await query(urls[0] ?? "", "select 1 as one"), [{ one: 1 }]);
    const data = join((await openLocation(dataDir)).directory, "data");
    const postmaster = (await readPostmaster(data))?.pid;
    for (const pid of await processesIn(data)) {
      // Null for a session's process that has ended since.
      const status = await readIfPresent(`/proc/${pid}/status`).catch(() => null);
      const parent = /^PPid:\s+(\d+)/m.exec(status ?? "")?.[1];
      const isOurs = status === null || pid === postmaster || Number(parent) === postmaster;
      assert.ok(isOurs, `${pid} is another server`);
    }
  });
});
