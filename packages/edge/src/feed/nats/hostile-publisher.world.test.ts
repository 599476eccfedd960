import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type NatsWorld, type OpenFeed, openNatsWorld } from "@mooring/testing/edge/feed-world";
import { until } from "@mooring/testing/processes/until";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { Host } from "../../hosts/host.ts";
import {
  applicationSubject,
  certificateSubject,
  hostSubject,
  originsSubject,
  progressSubject,
  requestSubject,
  streamName,
} from "./subjects.ts";

/** Somebody who may write everything at the NATS server, and has no root key. */
describe("a hostile publisher", () => {
  let world: NatsWorld;
  let feed: OpenFeed;
  let hostile: NatsConnection;
  let host: Host;
  before(async () => {
    world = await openNatsWorld();
    host = await world.database.hold("victim.example");
    await world.certify(host, "the chain");
    feed = await world.open();
    await until(() => feed.hosts.get("victim.example") !== null, "the victim's name");
    const { host: servers, username: user, password: pass } = new URL(world.server.url);
    hostile = await connect({ servers, user, pass });
  });
  after(async () => {
    await hostile?.close();
    await feed?.close();
    await world?.close();
  });

  const newest = async (subject: string) =>
    (await jetstreamManager(hostile)).streams.getMessage(streamName, { last_by_subj: subject });
  /** The stream writer has seen that somebody else wrote, and has written everything again. */
  const healed = async (subject: string, wrong: string): Promise<void> =>
    until(async () => {
      const found = await newest(subject);
      return found !== null && found.string() !== wrong;
    }, `the stream writer replaces ${subject}`);
  const arrives = async (name: string): Promise<void> => {
    await world.database.hold(name);
    await until(() => feed.hosts.get(name) !== null, `${name} arrives`);
  };

  it("adds no name and changes no origin, claim, progress or certificate", async () => {
    const application = feed.hosts.applicationOf(host);
    assert.ok(application);
    const forged = [
      [hostSubject("forged.example"), { ...host, hostname: "forged.example" }],
      [hostSubject(host.hostname), { ...host, epoch: host.epoch + 1 }],
      [applicationSubject(application.id), { ...application, originUrl: "http://evil.example" }],
      [progressSubject, { writer: "x", leasedUntil: "2999-01-01", asOf: "2999-01-01" }],
      [certificateSubject(host.hostname), { hostname: host.hostname, epoch: host.epoch }],
    ] as const;
    for (const [index, [subject, value]] of forged.entries()) {
      const text = JSON.stringify(value);
      hostile.publish(subject, text);
      await healed(subject, text);
      await arrives(`after-${index}.example`);
    }
    assert.equal(feed.hosts.get("forged.example"), null);
    assert.deepEqual(feed.hosts.get(host.hostname), host);
    assert.equal(feed.hosts.applicationOf(host)?.originUrl, application.originUrl);
    const load = () => feed.certificates.load(host, new Date()).catch(() => null);
    await until(async () => (await load())?.chain === "the chain", "the victim's certificate");
  });

  it("stops nothing with values that are no values", async () => {
    for (const text of ["", "{", "null", "[]", '"x"', "\u0000", "1".repeat(100_000)]) {
      hostile.publish(hostSubject(host.hostname), text);
      hostile.publish("mooring.edge.state.unknown", text);
      await healed(hostSubject(host.hostname), text);
    }
    await arrives("alive.example");
    assert.deepEqual(feed.hosts.get(host.hostname), host);
  });

  it("does not bring a released name back by what was signed once", async () => {
    await arrives("released.example");
    const subject = hostSubject("released.example");
    const authentic = await newest(subject);
    assert.ok(authentic && world.signatures.isCurrent(authentic.header));
    await world.database.release("released.example");
    await until(() => feed.hosts.get("released.example") === null, "the release");
    hostile.publish(subject, authentic.data, { headers: authentic.header });
    await healed(subject, authentic.string());
    await arrives("later.example");
    assert.equal(feed.hosts.get("released.example"), null);
    const fresh = await world.open();
    await until(() => fresh.hosts.get("later.example") !== null, "a new edge");
    assert.equal(fresh.hosts.get("released.example"), null);
    await fresh.close();
  });

  it("answers no challenge of a CA in the place of an issuer, and reports no origin", async () => {
    let asked = 0;
    hostile.subscribe(requestSubject("http-challenge"), {
      callback(_error, message) {
        asked += 1;
        message.respond(JSON.stringify({ value: "token.key-of-somebody-else" }));
      },
    });
    await hostile.flush();
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => feed.certificates.httpChallenge(host.hostname, "token")),
    );
    assert.ok(asked >= 20);
    for (const answer of answers) {
      assert.ok(answer.status === "rejected" || answer.value === null, JSON.stringify(answer));
    }
    const before = feed.reported.length;
    hostile.publish(originsSubject, `f ${host.connectionId}`);
    await hostile.flush();
    await arrives("after-news.example");
    assert.equal(feed.reported.length, before);
  });
});
