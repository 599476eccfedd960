import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { listen } from "@mooring/postgres";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import {
  createHostTable,
  createNotingIssuer,
  createTestTickets,
  createTestVault,
  issueParts,
} from "@mooring/testing/edge/issuing";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { openPool } from "../../db/pool.ts";
import { createPostgresCertificates } from "../../feed/postgres/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { startIssueLoop } from "../issue/issue-loop.ts";
import { NotReady } from "../issue/not-ready.ts";
import type { Permission } from "../issue/preflight.ts";
import { createDiskCache } from "./disk-cache.ts";
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
    resolvesToUs = async (): Promise<boolean> => false,
    parkedMs = 10_000,
  ): RunningSource =>
    createSource({
      feed: createPostgresCertificates({ pool, clock, permission, resolvesToUs, wake }),
      vault,
      clock,
      log: silent,
      disk,
      ticketSecrets: createTestTickets(),
      staples: null,
      hosts: createHostTable(),
      parkedMs,
    });

  async function due(hostname: string): Promise<Host> {
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    return host;
  }

  async function issue(host: Host): Promise<void> {
    const base = { pool: database.pool, vault, clock };
    const loop = startIssueLoop(
      issueParts(base, createHostTable(host), [createNotingIssuer(base)]),
    );
    await until(async () => (await database.row(host.hostname))["status"] === "issued");
    await loop.stop();
  }

  it("is the database first and memory from then on, until the name is forgotten", async () => {
    const host = await due("cached.example");
    await issue(host);
    const source = sourceOn(database.pool);
    const context = await source.contextFor(host, never);
    assert.equal(typeof context, "object");
    await database.admin.query("delete from certificates where hostname = $1", [host.hostname]);
    assert.equal(await source.contextFor(host, never), context);
    source.forget(host.hostname);
    assert.equal(await source.contextFor(host, never), "unavailable");
  });

  it("comes with the staple of its leaf, asked for before it is served", async () => {
    const host = await due("stapled.example");
    await issue(host);
    const calls: string[] = [];
    const response = Buffer.from("response");
    const source = createSource({
      feed: createPostgresCertificates({
        pool: database.pool,
        clock,
        permission: yes,
        resolvesToUs: async () => false,
        wake: () => undefined,
      }),
      vault,
      clock,
      log: silent,
      disk,
      ticketSecrets: null,
      hosts: createHostTable(),
      parkedMs: 10_000,
      staples: {
        prepare: async (chain, hostname) => {
          assert.match(chain, /BEGIN CERTIFICATE/);
          await new Promise(setImmediate);
          calls.push(`prepare ${hostname}`);
        },
        attach: () => calls.push("attach"),
        current: () => response,
        refresh: () => undefined,
        stop: () => undefined,
      },
    });
    const context = await source.contextFor(host, never);
    assert.ok(typeof context === "object");
    assert.deepEqual(calls, ["prepare stapled.example", "attach"]);
    assert.equal(source.staple(context), response);
    assert.equal(sourceOn(database.pool).staple(context), null);
  });

  it("is never the one of an older claim, nor one that has expired", async () => {
    const host = await due("older.example");
    await issue(host);
    const source = sourceOn(database.pool);
    assert.equal(typeof (await source.contextFor(host, never)), "object");
    const newer = { ...host, epoch: host.epoch + 1 };
    assert.equal(await source.contextFor(newer, never), "unavailable");
    assert.equal(disk.load(host.hostname, newer.epoch, clock.now()), null);
    clock.advance(46 * 86_400_000);
    assert.equal(disk.load(host.hostname, host.epoch, clock.now()), null);
    await database.admin.query("update certificates set due_at = $2 where hostname = $1", [
      host.hostname,
      new Date(clock.now().getTime() + 600_000),
    ]);
    assert.equal(await source.contextFor(host, never), "unavailable");
  });

  it("is the disk while the database is unreachable, for what was served before", async () => {
    const host = await due("outage.example");
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

  it("is the disk also for what only an accelerator has served", async () => {
    const host = await due("promoted.example");
    await issue(host);
    const opened = await sourceOn(database.pool).opened(host);
    const unreachable = openPool("postgres://user@127.0.0.1:1/none", () => undefined);
    const source = sourceOn(unreachable);
    assert.equal(typeof (await source.contextFor(host, never)), "object");
    assert.deepEqual(await source.opened(host), opened);
    await unreachable.end();
  });

  it("is nowhere without permission, after a failure, and for a name that resolves elsewhere", async (test) => {
    // Stopped: a refusal is remembered for two seconds, which the handshakes below may exceed.
    const at = performance.now();
    test.mock.method(performance, "now", () => at);
    const host = await database.hold("nowhere.example");
    const asked = { permission: 0, dns: 0, woken: 0 };
    const sourceAsking = (isAllowed: boolean): RunningSource =>
      sourceOn(
        database.pool,
        {
          isAllowed: async () => {
            asked.permission += 1;
            return isAllowed;
          },
        },
        () => {
          asked.woken += 1;
        },
        async () => {
          asked.dns += 1;
          return false;
        },
      );
    assert.equal(await sourceAsking(false).contextFor(host, never), "unavailable");
    assert.deepEqual(asked, { permission: 1, dns: 0, woken: 0 });
    const source = sourceAsking(true);
    for (let handshake = 0; handshake < 50; handshake += 1) {
      assert.equal(await source.contextFor(host, never), "unavailable");
    }
    assert.deepEqual(asked, { permission: 2, dns: 1, woken: 0 }, "a flood is not looked up");
    assert.deepEqual(await database.row(host.hostname), {}, "nothing is ordered");
    await database.want(host, new Date(clock.now().getTime() + 60_000));
    assert.equal(await sourceAsking(true).contextFor(host, never), "unavailable");
    assert.deepEqual(
      asked,
      { permission: 2, dns: 1, woken: 0 },
      "its next attempt is too far away",
    );
  });

  it("is an order that the handshake makes due, once DNS resolves to us, and its certificate", async () => {
    const host = await database.hold("first-visit.example");
    await database.admin.query("listen mooring_due");
    const notified = once(database.admin, "notification");
    const source = sourceOn(database.pool, yes, undefined, async () => true);
    const visits = [source.contextFor(host, never), source.contextFor(host, never)];
    await until(async () => (await database.row(host.hostname))["status"] === "pending");
    assert.equal((await notified)[0].payload, "certificates", "every edge is notified");
    await issue(host);
    source.forget(host.hostname);
    for (const context of await Promise.all(visits)) assert.equal(typeof context, "object");
  });

  it("is the order that waited for DNS, due at once by a handshake, and a refusal if it still waits", async () => {
    const host = await database.hold("waited.example");
    const source = sourceOn(database.pool, yes, undefined, async () => true);
    await database.want(host, new Date(clock.now().getTime() + 300_000));
    await database.admin.query("update certificates set waits = 5 where hostname = $1", [
      host.hostname,
    ]);
    const visit = source.contextFor(host, never);
    const dueAt = async (): Promise<number> => {
      const due = (await database.row(host.hostname))["due_at"];
      return due instanceof Date ? due.getTime() - clock.now().getTime() : Number.NaN;
    };
    await until(async () => (await dueAt()) <= 0);
    const base = { pool: database.pool, vault, clock };
    const issuer = createNotingIssuer(base);
    const preflight = { check: () => Promise.reject(new NotReady("not there yet", 1_800)) };
    const loop = startIssueLoop(issueParts(base, createHostTable(host), [issuer], { preflight }));
    assert.equal(await visit, "unavailable");
    await loop.stop();
    assert.deepEqual(issuer.orders, []);
    assert.ok((await dueAt()) > 60_000, "it waits longer each time");
  });

  it("is only what was obtained before where nothing new may begin", async () => {
    const host = await due("busy.example");
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
    const host = await due("waiting.example");
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

  it("is waited for as long as is set", async () => {
    const host = await due("long-wait.example");
    const source = sourceOn(database.pool, yes, undefined, undefined, 100);
    assert.equal(await source.contextFor(host, never), "timeout");
  });

  it("is one certificate for 20 handshakes on a new name at two edges", async () => {
    const host = await due("rush.example");
    const base = { pool: database.pool, vault, clock };
    const issuer = createNotingIssuer(base);
    const edges = [1, 2].map(() => {
      const pool = openPool(database.url, () => undefined);
      const loop = startIssueLoop(issueParts({ ...base, pool }, createHostTable(host), [issuer]));
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
