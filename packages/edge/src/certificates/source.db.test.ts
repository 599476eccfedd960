import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { listen } from "@mooring/postgres";
import type pg from "pg";
import { until } from "../../../../test/support/until.ts";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "../../test/support/edge-database.ts";
import {
  createNotingIssuer,
  createTestVault,
  issueParts,
  tableOf,
} from "../../test/support/issuing.ts";
import { openPool } from "../db/pool.ts";
import type { Host } from "../hosts/host.ts";
import { createDiskCache } from "./disk-cache.ts";
import { startIssueLoop } from "./issue-loop.ts";
import type { Permission } from "./preflight.ts";
import { createSource, type RunningSource } from "./source.ts";

const never = new AbortController().signal;
const yes: Permission = { isAllowed: async () => true };

describe("where a handshake gets its certificate", () => {
  let database: EdgeDatabase;
  const vault = createTestVault();
  const clock = createMovableClock();
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-source-"));
  const disk = createDiskCache(directory, silent);
  before(async () => {
    database = await openEdgeDatabase();
  });
  after(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  const sourceOn = (
    pool: pg.Pool,
    permission: Permission = yes,
    wake = (): void => undefined,
  ): RunningSource => createSource({ pool, vault, clock, permission, log: silent, disk, wake });

  async function wanted(hostname: string): Promise<Host> {
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    return host;
  }

  async function issue(host: Host): Promise<void> {
    const base = { pool: database.pool, vault, clock };
    const loop = startIssueLoop(issueParts(base, tableOf(host), [createNotingIssuer(base)]));
    await until(async () => (await database.row(host.hostname))["status"] === "issued");
    await loop.stop();
  }

  it("is the database first and memory from then on, until the name is forgotten", async () => {
    const host = await wanted("cached.example");
    await issue(host);
    const source = sourceOn(database.pool);
    const context = await source.contextFor(host, never);
    assert.equal(typeof context, "object");
    await database.admin.query("delete from certificates where hostname = $1", [host.hostname]);
    assert.equal(await source.contextFor(host, never), context);
    source.forget(host.hostname);
    assert.equal(await source.contextFor(host, never), "unavailable");
  });

  it("is never the one of an older claim, nor one that has expired", async () => {
    const host = await wanted("older.example");
    await issue(host);
    const source = sourceOn(database.pool);
    assert.equal(typeof (await source.contextFor(host, never)), "object");
    const newer = { ...host, epoch: host.epoch + 1 };
    assert.equal(await source.contextFor(newer, never), "unavailable");
    assert.equal(disk.load(host.hostname, newer.epoch, clock.now()), null);
    clock.advance(46 * 86_400_000);
    assert.equal(disk.load(host.hostname, host.epoch, clock.now()), null);
    await database.admin.query("update certificates set failures = 1 where hostname = $1", [
      host.hostname,
    ]);
    assert.equal(await source.contextFor(host, never), "unavailable");
  });

  it("is the disk while the database is unreachable, for what was served before", async () => {
    const host = await wanted("outage.example");
    await issue(host);
    await sourceOn(database.pool).contextFor(host, never);
    const unreachable = openPool("postgres://user@127.0.0.1:1/none", () => undefined);
    const source = sourceOn(unreachable);
    assert.equal(typeof (await source.contextFor(host, never)), "object");
    const unseen = { ...host, hostname: "unseen.example" };
    assert.equal(await source.contextFor(unseen, never), "unavailable");
    disk.drop(host.hostname);
    source.forget(host.hostname);
    assert.equal(await source.contextFor(host, never), "unavailable");
    await unreachable.end();
  });

  it("is nowhere without a row, without permission, and after a failure", async () => {
    const host = await database.hold("nowhere.example");
    let asked = 0;
    const no: Permission = {
      isAllowed: async () => {
        asked += 1;
        return false;
      },
    };
    assert.equal(await sourceOn(database.pool, no).contextFor(host, never), "unavailable");
    assert.equal(asked, 0);
    await database.want(host, clock.now());
    let woken = 0;
    const source = sourceOn(database.pool, no, () => {
      woken += 1;
    });
    assert.equal(await source.contextFor(host, never), "unavailable");
    assert.deepEqual([asked, woken], [1, 0]);
    await database.admin.query("update certificates set failures = 1 where hostname = $1", [
      host.hostname,
    ]);
    assert.equal(await sourceOn(database.pool).contextFor(host, never), "unavailable");
  });

  it("is only what was obtained before where nothing new may begin", async () => {
    const host = await wanted("busy.example");
    let woken = 0;
    const source = sourceOn(database.pool, yes, () => {
      woken += 1;
    });
    assert.equal(await source.existing(host, never), "overloaded");
    assert.equal(woken, 0);
    await issue(host);
    assert.equal(typeof (await source.existing(host, never)), "object");
  });

  it("lets each handshake leave at its own limit while the others wait on", async () => {
    const host = await wanted("waiting.example");
    const source = sourceOn(database.pool);
    const hurried = new AbortController();
    const [leaves, stays] = [
      source.contextFor(host, hurried.signal),
      source.contextFor(host, never),
    ];
    hurried.abort();
    assert.equal(await leaves, "timeout");
    await issue(host);
    source.forget(host.hostname);
    assert.equal(typeof (await stays), "object");
  });

  it("is one certificate for 20 handshakes on a new name at two edges", async () => {
    const host = await wanted("rush.example");
    const base = { pool: database.pool, vault, clock };
    const issuer = createNotingIssuer(base);
    const edges = [1, 2].map(() => {
      const pool = openPool(database.url, () => undefined);
      const loop = startIssueLoop(issueParts({ ...base, pool }, tableOf(host), [issuer]));
      const source = sourceOn(pool, yes, loop.wake);
      const subscription = listen({
        url: database.url,
        applicationName: "mooring_edge_listen",
        role: "mooring_edge",
        channels: ["mooring_certificates"],
        onNotification: (_channel, payload) => source.forget(payload),
        onConnected: () => undefined,
        onError: () => undefined,
      });
      return { pool, loop, source, subscription };
    });
    const contexts = await Promise.all(
      edges.flatMap(({ source }) =>
        Array.from({ length: 10 }, () => source.contextFor(host, never)),
      ),
    );
    assert.deepEqual(new Set(contexts.map((context) => typeof context)), new Set(["object"]));
    assert.deepEqual(issuer.orders, [host.hostname]);
    for (const { pool, loop, subscription } of edges) {
      await loop.stop();
      await subscription.close();
      await pool.end();
    }
  });
});
