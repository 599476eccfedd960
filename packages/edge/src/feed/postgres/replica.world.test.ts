import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import {
  openReplicaWorld,
  type ReplicaFeed,
  type ReplicaWorld,
} from "@mooring/testing/edge/feed-world";
import { until } from "@mooring/testing/processes/until";
import type { Host } from "../../hosts/host.ts";
import { inspectReplica } from "./inspect-replica.ts";
import { computeLag } from "./replica.ts";

describe("how far a replica is behind", () => {
  const at = (atMs: number, position: bigint) => ({ atMs, position });
  const samples = [at(1_000, 10n), at(2_000, 20n), at(3_000, 30n)];

  it("is the age of what it has replayed, and nothing where it has everything", () => {
    const lag = (position: bigint, replayedMsAgo: number | null) =>
      computeLag(samples, { position, replayedMsAgo }, 3_500);
    assert.equal(lag(30n, 90_000), 0, "an idle primary");
    assert.equal(lag(20n, 90_000), 1_500);
    assert.equal(lag(25n, 700), 700);
    assert.equal(lag(5n, 60_000), 60_000, "older than every sample");
    assert.equal(lag(5n, null), null);
    assert.equal(computeLag([], { position: 5n, replayedMsAgo: 1 }, 0), null);
  });
});

/** Two of Debian's PostgreSQL servers with streaming replication, whose replay is paused. */
describe("a feed that reads a replica", () => {
  let world: ReplicaWorld;
  const opened: ReplicaFeed[] = [];
  before(async () => {
    world = await openReplicaWorld();
  });
  afterEach(async () => {
    await world.replay("resume");
    await Promise.all(opened.splice(0).map((feed) => feed.close()));
  });
  after(() => world.close());

  /** Without a limit an edge stays with its replica, however far it is behind. */
  const open = async (maxLag = "24h"): Promise<ReplicaFeed> => {
    const feed = await world.open({ DATABASE_REPLICA_MAX_LAG: maxLag });
    opened.push(feed);
    await until(() => feed.replica().isUsed, "the replica is read");
    return feed;
  };
  const chainOf = (feed: ReplicaFeed, host: Host): Promise<string | null | undefined> =>
    feed.certificates.load(host, new Date()).then(
      (found) => found?.chain ?? null,
      () => undefined,
    );
  /** A machine that stands still for seconds makes an edge leave its replica. */
  const hasStayed = ({ logged }: ReplicaFeed): boolean =>
    !logged.includes("replica not read, the primary is");
  const arrives = ({ hosts }: ReplicaFeed, name: string) =>
    until(() => hosts.get(name) !== null, `${name} arrives`);
  const leaves = ({ hosts }: ReplicaFeed, name: string) =>
    until(() => hosts.get(name) === null, `${name} leaves`);

  it("follows the replica: a change counts when it is replayed, and none is skipped", async (t) => {
    const feed = await open();
    await world.database.hold("gone.example", "steady.example");
    await arrives(feed, "steady.example");
    await world.replay("pause");
    await world.database.release("gone.example");
    await world.database.hold("new.example");
    // Only the primary has them, and this feed does not read it.
    const seen = ["gone.example", "new.example"].map((name) => feed.hosts.get(name) !== null);
    if (hasStayed(feed)) assert.deepEqual(seen, [true, false]);
    const resumedAt = performance.now();
    await world.replay("resume");
    await leaves(feed, "gone.example");
    t.diagnostic(`refused ${Math.round(performance.now() - resumedAt)} ms after the replay`);
    await arrives(feed, "new.example");
    assert.deepEqual(feed.removed, ["gone.example"]);
  });

  it("finds a certificate that was just stored, or replaced, though the replica lags", async () => {
    const feed = await open();
    const host = await world.database.hold("ordered.example");
    await arrives(feed, "ordered.example");
    await world.replay("pause");
    await world.certify(host, "one");
    await until(async () => (await chainOf(feed, host)) === "one", "the first one");
    await world.replay("resume");
    await until(() => feed.replica().lagMs === 0, "the replica has it");
    await world.replay("pause");
    await world.certify(host, "two");
    await until(() => feed.certified.length >= 2, "its successor is announced");
    await until(async () => (await chainOf(feed, host)) === "two", "its successor");
  });

  it("reads the primary when the replica is too far behind, and returns without going back", async () => {
    const feed = await open("1s");
    await world.database.hold("before.example");
    await arrives(feed, "before.example");
    await world.replay("pause");
    await world.database.release("before.example");
    await leaves(feed, "before.example");
    assert.equal(feed.replica().isUsed, false);
    assert.ok(feed.logged.includes("replica not read, the primary is"));
    await world.database.hold("during.example");
    await arrives(feed, "during.example");
    await world.replay("resume");
    await until(() => feed.replica().isUsed, "the replica is read again");
    assert.equal(feed.hosts.get("before.example"), null);
    assert.notEqual(feed.hosts.get("during.example"), null);
    assert.deepEqual(feed.removed, ["before.example"]);
    await world.database.hold("after.example");
    await arrives(feed, "after.example");
  });

  it("reads the primary while the replica is lost", async () => {
    const feed = await open();
    const host = await world.database.hold("lost.example");
    await arrives(feed, "lost.example");
    await world.certify(host, "chain");
    await world.cut();
    await until(async () => (await chainOf(feed, host)) === "chain", "its certificate");
    await world.database.hold("meanwhile.example");
    await arrives(feed, "meanwhile.example");
    await until(() => !feed.replica().isUsed, "the replica is left");
    await world.restore();
    await until(() => feed.replica().isUsed, "the replica is read again");
    await world.database.release("meanwhile.example");
    await leaves(feed, "meanwhile.example");
  });

  it("an operator sees how far it is behind", async () => {
    const { primaryUrl, standbyUrl } = world;
    const close = await inspectReplica(primaryUrl, standbyUrl);
    assert.ok(close.outcome === "standby" && close.lagMs !== null && close.lagMs < 60_000);
    await world.replay("pause");
    await world.database.hold("unseen.example");
    const behind = await inspectReplica(primaryUrl, standbyUrl);
    assert.ok(behind.outcome === "standby" && (behind.lagMs ?? 0) >= 1_000);
    assert.deepEqual(await inspectReplica(primaryUrl, primaryUrl), { outcome: "primary" });
    const { outcome } = await inspectReplica(primaryUrl, "postgres://nobody@127.0.0.1:1/none");
    assert.equal(outcome, "unreachable");
  });
});
