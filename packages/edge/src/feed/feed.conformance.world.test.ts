import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createPki } from "@mooring/testing/acme/openssl-pki";
import { startNatsServer } from "@mooring/testing/deploy/nats-server";
import { silent } from "@mooring/testing/edge/edge-database";
import { conforms } from "@mooring/testing/edge/feed-conformance";
import {
  chainOf,
  type FeedWorld,
  type NatsWorld,
  openNatsWorld,
  openPostgresWorld,
} from "@mooring/testing/edge/feed-world";
import { until } from "@mooring/testing/processes/until";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { byVariable, readConfig } from "../../../control/src/config/config.ts";
import { createOrderedWrites } from "../stream-writer/ordered-writes.ts";
import { inspectFeed } from "./inspect-feed.ts";
import { isTakenOver } from "./nats/api-errors.ts";
import { createStreamHosts, type StreamHosts } from "./nats/stream-hosts.ts";
import { applicationSubject, hostSubject, progressSubject, streamName } from "./nats/subjects.ts";

function natsSettings(env: Readonly<Record<string, string>>) {
  return byVariable(readConfig(env));
}

const hour = 3_600_000;

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
