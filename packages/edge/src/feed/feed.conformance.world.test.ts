import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { createPki } from "@mooring/testing/acme/openssl-pki";
import { startNatsServer } from "@mooring/testing/deploy/nats-server";
import { silent } from "@mooring/testing/edge/edge-database";
import {
  type FeedWorld,
  type NatsWorld,
  type OpenFeed,
  openNatsWorld,
  openPostgresWorld,
} from "@mooring/testing/edge/feed-world";
import { until } from "@mooring/testing/processes/until";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { byVariable, readConfig } from "../../../control/src/config/config.ts";
import type { Host } from "../hosts/host.ts";
import { createOrderedWrites } from "../stream-writer/ordered-writes.ts";
import { inspectFeed } from "./inspect-feed.ts";
import { isTakenOver } from "./nats/api-errors.ts";
import { createStreamHosts, type StreamHosts } from "./nats/stream-hosts.ts";
import { applicationSubject, hostSubject, progressSubject, streamName } from "./nats/subjects.ts";

function natsSettings(env: Readonly<Record<string, string>>) {
  return byVariable(readConfig(env));
}

const hour = 3_600_000;
const never = new AbortController().signal;

/**
 * The chain of the claim's certificate; null for none, undefined where a busy machine did not
 * answer in time.
 */
async function chainOf(feed: OpenFeed, host: Host): Promise<string | null | undefined> {
  return feed.certificates.load(host, new Date()).then(
    (found) => found?.chain ?? null,
    () => undefined,
  );
}

/** What every feed must do, whatever it is made of. */
function conforms(world: () => FeedWorld): void {
  const opened: OpenFeed[] = [];
  const open = async (directory?: string): Promise<OpenFeed> => {
    const feed = await world().open(directory);
    opened.push(feed);
    return feed;
  };
  const hold = (...names: readonly string[]): Promise<Host> => world().database.hold(...names);
  const release = (name: string): Promise<void> => world().database.release(name);
  const arrives = ({ hosts }: OpenFeed, name: string): Promise<void> =>
    until(() => hosts.get(name) !== null, `${name} arrives`);
  const leaves = ({ hosts }: OpenFeed, name: string): Promise<void> =>
    until(() => hosts.get(name) === null, `${name} leaves`);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((feed) => feed.close()));
  });

  it("gives a new edge every host with its application, its certificate and the keys", async () => {
    const host = await hold("first.example", "*.wild.example", "whole.example");
    await world().certify(host, "the chain");
    const feed = await open();
    assert.equal(feed.from, "source");
    // The stream writer may still be at work on what was there a moment ago.
    await arrives(feed, "whole.example");
    assert.deepEqual(feed.hosts.get("whole.example"), host);
    assert.equal(feed.hosts.applicationOf(host)?.originUrl, "http://127.0.0.1:3000");
    assert.equal(feed.hosts.find("any.wild.example")?.coveredBy?.hostname, "*.wild.example");
    assert.equal(feed.hosts.get("unknown.example"), null);
    await until(async () => (await chainOf(feed, host)) === "the chain", "the certificate arrives");
    const older = { ...host, epoch: host.epoch - 1 };
    await until(async () => (await chainOf(feed, older)) === null, "none of an older claim");
    assert.ok((await feed.keys.ticketKeys()).length > 0);
    assert.ok((await feed.keys.assertionKeys()).length > 0);
  });

  it("passes changes on: of a host, an application, a certificate", async (t) => {
    const feed = await open();
    const host = await hold("changed.example");
    await arrives(feed, "changed.example");
    await world().database.admin.query("update applications set origin_url = $1", [
      "http://127.0.0.1:4000",
    ]);
    const url = () => feed.hosts.applicationOf(host)?.originUrl;
    await until(() => url() === "http://127.0.0.1:4000", "the origin arrives");
    await world().database.admin.query("update applications set origin_url = $1", [
      "http://127.0.0.1:3000",
    ]);
    const { admin } = world().database;
    await admin.query("update applications set edge = $1", ['{"deny": ["::/0"]}']);
    await admin.query("update connections set edge = $1", ['{"allow": ["::1/128"]}']);
    const rules = () => feed.hosts.applicationOf(feed.hosts.get(host.hostname) ?? host)?.edge.rules;
    await until(() => `${rules()?.deny} ${rules()?.allow}` === "::/0 ::1/128", "rules arrive");
    await admin.query("update applications set edge = '{}'");
    await world().certify(host, "one");
    await until(() => feed.certified.includes("changed.example"), "the certificate is announced");
    const chain = () => chainOf(feed, host);
    await until(async () => (await chain()) === "one", "the certificate arrives");
    await world().certify(host, "two");
    await until(async () => (await chain()) === "two", "its successor arrives");
    const askedAt = performance.now();
    await release("changed.example");
    await leaves(feed, "changed.example");
    t.diagnostic(`refused ${Math.round(performance.now() - askedAt)} ms after the release`);
    assert.deepEqual(feed.removed, ["changed.example"]);
    await world().database.admin.query("delete from certificates where hostname = $1", [
      "changed.example",
    ]);
    await until(async () => (await chain()) === null, "the certificate is gone");
  });

  it("passes on that a tenant is suspended, resumed, or deleted", async (t) => {
    const feed = await open();
    const host = await hold("suspended.example");
    await arrives(feed, "suspended.example");
    const mark = (column: string, value: string) =>
      world().database.admin.query(`update tenants set ${column} = ${value} where id = $1`, [
        host.tenantId,
      ]);
    const isSuspended = () => feed.hosts.applicationOf(host)?.isSuspended;
    assert.equal(isSuspended(), false);
    const askedAt = performance.now();
    await mark("suspended_at", "now()");
    await until(() => isSuspended() === true, "the suspension arrives");
    t.diagnostic(`suspended after ${Math.round(performance.now() - askedAt)} ms`);
    const later = await open();
    await until(() => later.hosts.applicationOf(host)?.isSuspended === true, "a new edge knows it");
    await mark("suspended_at", "null");
    await until(() => isSuspended() === false, "the tenant is resumed");
    await mark("deleted_at", "now()");
    await until(() => isSuspended() === true, "its names are not served until they are archived");
    await mark("deleted_at", "null");
    await until(() => isSuspended() === false, "the deletion is stopped");
  });

  it("keeps the order: a name never goes back to an older claim", async () => {
    const feed = await open();
    const epochs: number[] = [];
    const note = (): void => {
      const epoch = feed.hosts.get("order.example")?.epoch;
      if (epoch !== undefined && epoch !== epochs.at(-1)) epochs.push(epoch);
    };
    let last = await hold("order.example");
    for (let round = 0; round < 25; round += 1) {
      await release("order.example");
      last = await hold("order.example");
      note();
    }
    await until(() => {
      note();
      return feed.hosts.get("order.example")?.epoch === last.epoch;
    }, "the last claim arrives");
    assert.deepEqual(
      epochs,
      epochs.toSorted((a, b) => a - b),
    );
  });

  it("may tell everything twice, and nothing changes by it", async () => {
    await hold("twice.example", "gone.example");
    const feed = await open();
    await arrives(feed, "gone.example");
    await release("gone.example");
    await leaves(feed, "gone.example");
    await world().repeat();
    await hold("after.example");
    await arrives(feed, "after.example");
    assert.deepEqual(feed.removed, ["gone.example"]);
    assert.equal(feed.hosts.get("gone.example"), null);
    assert.notEqual(feed.hosts.get("twice.example"), null);
  });

  it("closes gaps: changes that the log no longer has", async () => {
    await hold("old.example", "lasting.example");
    const feed = await open();
    await arrives(feed, "lasting.example");
    await world().pause();
    await release("old.example");
    await hold("newer.example");
    await world().database.admin.query(
      "delete from host_changes where id < (select max(id) from host_changes)",
    );
    await world().resume();
    await leaves(feed, "old.example");
    await arrives(feed, "newer.example");
    assert.notEqual(feed.hosts.get("lasting.example"), null);
    assert.deepEqual(feed.removed, ["old.example"]);
  });

  it("continues after a restart of the edge, from its store on disk", async () => {
    const directory = world().directory();
    await hold("stays.example", "leaves.example");
    const before = await open(directory);
    await arrives(before, "leaves.example");
    await before.close();
    opened.splice(opened.indexOf(before), 1);
    await release("leaves.example");
    await hold("came.example");
    const feed = await open(directory);
    await leaves(feed, "leaves.example");
    await arrives(feed, "came.example");
    assert.notEqual(feed.hosts.get("stays.example"), null);
    const keys = () => feed.keys.ticketKeys().catch(() => []);
    await until(async () => (await keys()).length > 0, "the keys arrive");
  });

  it("lost, is used as it was, also by an edge that starts; found again, it catches up", async () => {
    const directory = world().directory();
    await hold("lost.example", "released.example");
    const feed = await open(directory);
    await arrives(feed, "released.example");
    await world().cut();
    try {
      await release("released.example");
      await hold("meanwhile.example");
      const started = await open(directory);
      assert.equal(started.from, "disk");
      for (const { hosts } of [feed, started]) assert.notEqual(hosts.get("lost.example"), null);
      const host = feed.hosts.get("lost.example");
      assert.ok(host);
      await assert.rejects(feed.certificates.load(host, new Date()));
    } finally {
      await world().restore();
    }
    for (const one of opened) {
      await arrives(one, "meanwhile.example");
      await leaves(one, "released.example");
    }
  });

  it("lost for a day, is used no longer, until it is back", async () => {
    await hold("patient.example");
    const feed = await open();
    await arrives(feed, "patient.example");
    await world().cut();
    try {
      world().clock.advance(23.5 * hour);
      assert.notEqual(feed.hosts.get("patient.example"), null);
      world().clock.advance(hour);
      await leaves(feed, "patient.example");
    } finally {
      await world().restore();
    }
    await arrives(feed, "patient.example");
  });

  it("takes reports about origins and orders for handshakes", async () => {
    const host = await hold("reported.example");
    const feed = await open();
    await arrives(feed, "reported.example");
    const failures = [new Date(), new Date(), new Date()];
    await feed.origins.report([{ connectionId: host.connectionId, failures, success: null }]);
    assert.ok((await feed.origins.failing()).has(host.connectionId));
    assert.equal(await feed.certificates.isExpected(host), false);
    // Nobody is there to permit it.
    assert.equal(await feed.certificates.order(host, never), false);
    await world().database.admin.query(
      `insert into acme_challenges (hostname, kind, token, key_authorization, expires_at)
       values ($1, 'http-01', 'token', 'answer', now() + interval '1 year')`,
      ["reported.example"],
    );
    assert.equal(await feed.certificates.httpChallenge("reported.example", "token"), "answer");
    assert.equal(await feed.certificates.httpChallenge("reported.example", "other"), null);
    assert.equal(await feed.certificates.tlsChallenge("reported.example"), null);
  });
}

/** Beside each other: both mostly wait. */
describe("a feed of edges", { concurrency: 2 }, () => {
  describe("the feed by PostgreSQL", { concurrency: 1 }, () => {
    let world: FeedWorld;
    before(async () => {
      world = await openPostgresWorld();
    });
    after(() => world.close());
    conforms(() => world);
  });

  describe("the feed by NATS", { concurrency: 1 }, () => {
    let world: NatsWorld;
    before(async () => {
      world = await openNatsWorld();
    });
    after(() => world.close());
    conforms(() => world);

    it("serves new edges without the database, with certificates", async () => {
      const host = await world.database.hold("durable.example");
      await world.certify(host, "durable");
      const first = await world.open();
      await until(
        () =>
          first.certified.includes("durable.example") ||
          first.hosts.get("durable.example") !== null,
      );
      await until(async () => (await chainOf(first, host)) === "durable");
      await first.close();
      await world.cutDatabase();
      const feed = await world.open();
      try {
        assert.equal(feed.from, "source");
        assert.deepEqual(feed.hosts.get("durable.example"), host);
        await until(async () => (await chainOf(feed, host)) === "durable", "its certificate");
        await assert.rejects(feed.certificates.isExpected(host));
      } finally {
        await world.restoreDatabase();
      }
      await world.database.release("durable.example");
      await until(() => feed.hosts.get("durable.example") === null, "the release arrives");
      await feed.close();
    });

    it("survives a crash of the server with the loss of all that it stored", async () => {
      const directory = world.directory();
      await world.database.hold("crash.example", "vanished.example");
      const feed = await world.open(directory);
      await until(() => feed.hosts.get("vanished.example") !== null);
      await world.server.kill();
      await world.database.release("vanished.example");
      await world.server.start({ isEmpty: true });
      await until(() => feed.hosts.get("vanished.example") === null, "the new stream is read");
      assert.notEqual(feed.hosts.get("crash.example"), null);
      const started = await world.open(directory);
      await until(() => started.hosts.get("vanished.example") === null, "and by one from disk");
      assert.notEqual(started.hosts.get("crash.example"), null);
      await Promise.all([feed.close(), started.close()]);
    });

    it("brings nothing back after a day, of what was removed and is no longer in the stream", async () => {
      await world.database.hold("forgotten.example", "remembered.example");
      const feed = await world.open();
      await until(() => feed.hosts.get("remembered.example") !== null);
      await world.cut();
      const { host: servers, username: user, password: pass } = new URL(world.server.url);
      const connection = await connect({ servers, user, pass });
      const { streams } = await jetstreamManager(connection);
      const query = { last_by_subj: hostSubject("forgotten.example") };
      await world.database.release("forgotten.example");
      const newest = () => streams.getMessage(streamName, query);
      await until(async () => (await newest())?.string() === "null", "the removal is written");
      await streams.deleteMessage(streamName, (await newest())?.seq ?? 0);
      await connection.close();
      world.clock.advance(25 * hour);
      await world.restore();
      await until(() => feed.hosts.get("remembered.example") !== null, "the feed is back");
      assert.equal(feed.hosts.get("forgotten.example"), null);
      await feed.close();
    });

    it("stores an application that comes before its first host, also for the next start", async () => {
      const directory = world.directory();
      const id = "00000000-0000-7000-8000-00000000000a";
      const application = { id, tenantId: id, environment: "live", originUrl: "http://a.example" };
      const host = { hostname: "late.example", epoch: 1, environment: "live", applicationId: id };
      const put = (hosts: StreamHosts, subject: string, value: unknown) =>
        hosts.receive(subject, Buffer.from(JSON.stringify(value)));
      const way = { position: () => "today 1", start: () => undefined, restart: () => undefined };
      const opened = async (): Promise<StreamHosts> => {
        const hosts = createStreamHosts({ clock: world.clock, log: silent }, way);
        hosts.open(directory);
        await until(() => hosts.isWriter());
        return hosts;
      };
      const confirmed = async (hosts: StreamHosts): Promise<void> => {
        const isConfirmed = new Promise<void>((resolve) => hosts.onceConfirmed(resolve));
        put(hosts, progressSubject, { asOf: world.clock.now(), leasedUntil: world.clock.now() });
        await isConfirmed;
      };
      const first = await opened();
      first.begin();
      put(first, applicationSubject(id), application);
      await confirmed(first);
      await confirmed(first);
      first.close();
      const second = await opened();
      assert.equal(second.position(), "today 1");
      put(second, hostSubject("late.example"), host);
      await confirmed(second);
      const found = second.get("late.example");
      assert.ok(found);
      assert.equal(second.applicationOf(found)?.originUrl, "http://a.example");
      second.close();
    });

    it("is written by one process at a time, and by another when that ends", async () => {
      const feed = await world.open();
      const second = await world.issuer();
      await world.database.hold("both.example");
      await until(() => feed.hosts.get("both.example") !== null);
      await world.pause();
      await world.database.hold("taken-over.example");
      await until(() => feed.hosts.get("taken-over.example") !== null, "the second one writes");
      await world.resume();
      await second.close();
      await world.database.hold("back.example");
      await until(() => feed.hosts.get("back.example") !== null, "the first one writes again");
      await feed.close();
    });

    it("takes nothing from a process that was frozen while another wrote", async () => {
      const host = await world.database.hold("frozen.example");
      const { host: servers, username: user, password: pass } = new URL(world.server.url);
      const connection = await connect({ servers, user, pass });
      const manager = await jetstreamManager(connection);
      const { state } = await manager.streams.info(streamName);
      const frozen = createOrderedWrites(
        jetstream(connection),
        world.signatures,
        state.last_seq - 1,
      );
      const old = { ...host, epoch: 1 };
      await assert.rejects(frozen.put([[hostSubject(host.hostname), old]]), isTakenOver);
      await connection.close();
    });

    it("is inspected by an operator, also over TLS with a client certificate", async () => {
      const found = await inspectFeed(natsSettings({ NATS_URL: world.server.edgeUrl }));
      assert.ok(found.outcome === "reachable" && found.asOf !== null && found.replicas === 1);
      assert.ok(found.messages > 0);
      const pki = await createPki();
      const [own, client] = [
        await pki.issue("localhost", "server"),
        await pki.issue("edge", "client"),
      ];
      const server = await startNatsServer({ ...own, clientCaFile: pki.ca.certFile });
      const url = server.edgeUrl.replace("nats:", "tls:").replace("127.0.0.1", "localhost");
      const env = { NATS_URL: url, NATS_CA_FILE: pki.ca.certFile };
      const pair = { NATS_CERTIFICATE_FILE: client.certFile, NATS_KEY_FILE: client.keyFile };
      try {
        const secure = await inspectFeed(natsSettings({ ...env, ...pair }));
        assert.ok(secure.outcome === "reachable", JSON.stringify(secure));
        assert.equal(secure.replicas, 0, "without a stream");
      } finally {
        await server.close();
        await pki.remove();
      }
    });

    it("lets edges write nothing", async () => {
      const { host: servers, username: user, password: pass } = new URL(world.server.edgeUrl);
      const connection = await connect({ servers, user, pass });
      const subject = hostSubject("forged.example");
      await assert.rejects(connection.request(subject, "{}", { timeout: 10_000 }), /permission/i);
      await connection.close();
    });
  });
});
