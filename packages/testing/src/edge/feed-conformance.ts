import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, it } from "node:test";
import type { Host } from "../../../edge/src/hosts/host.ts";
import { encodeMinute } from "../../../edge/src/traffic/batch.ts";
import { MinuteCounter } from "../../../edge/src/traffic/counts.ts";
import { until } from "../processes/until.ts";
import { chainOf, type FeedWorld, type OpenFeed } from "./feed-world.ts";

const hour = 3_600_000;
const never = new AbortController().signal;

/** What every feed must do, whatever it is made of. */
export function conforms(world: () => FeedWorld): void {
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

  it("takes a batch of traffic once, however often it is sent", async () => {
    const host = await hold("counted.example");
    const feed = await open();
    await arrives(feed, "counted.example");
    const counter = new MinuteCounter();
    counter.ended(host, { status: 200, bytesIn: 1, bytesOut: 2, isRefused: false });
    const at = Math.floor(Date.now() / 60_000);
    const source = { process: randomUUID(), edge: "one", startedAt: new Date() };
    const [batch] = await encodeMinute(counter.next(), source, { at, isLast: true });
    const text = batch?.text ?? "";
    assert.deepEqual(
      [await feed.traffic.report(text), await feed.traffic.report(text)],
      [true, false],
    );
    const { rows } = await world().database.admin.query(
      "select status_2xx::int as requests from traffic_hours where subject_id = $1",
      [host.connectionId],
    );
    assert.deepEqual(rows, [{ requests: 1 }]);
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
