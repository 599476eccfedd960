import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type NatsClusterWorld,
  type OpenFeed,
  openNatsClusterWorld,
} from "@mooring/testing/edge/feed-world";
import { until } from "@mooring/testing/processes/until";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { streamName } from "./subjects.ts";

const kills = 3;

/** Three real servers, with the stream on each: any one of them may be lost at any time. */
describe("a cluster of three NATS servers", () => {
  let world: NatsClusterWorld;
  let edge: OpenFeed;
  const expected = new Set<string>();
  let changes = 0;
  let unserved = 0;

  before(async () => {
    world = await openNatsClusterWorld();
    await world.database.hold("steady.example");
    expected.add("steady.example");
    edge = await openWhenReady();
    await until(() => edge.hosts.get("steady.example") !== null, "the first host");
  });
  after(async () => {
    await edge.close();
    await world.close();
  });

  /** A stream with three copies needs the election of its leader first. */
  async function openWhenReady(): Promise<OpenFeed> {
    let opened: OpenFeed | null = null;
    await until(async () => {
      opened = await world.open().catch(() => null);
      return opened !== null;
    }, "an edge starts from the stream");
    assert.ok(opened);
    return opened;
  }

  async function streamInfo() {
    const [first = "", ...rest] = world.cluster.url.split(",");
    const { username: user, password: pass } = new URL(first);
    const servers = [first, ...rest].map((url) => new URL(url).host);
    const connection = await connect({ servers, user, pass, timeout: 2_000 });
    try {
      const manager = await jetstreamManager(connection, { timeout: 2_000 });
      return await manager.streams.info(streamName);
    } finally {
      await connection.close();
    }
  }

  /** The server that leads the stream, with all three copies up to date. */
  async function leader(): Promise<string> {
    let name = "";
    await until(async () => {
      const info = await streamInfo().catch(() => null);
      const replicas = info?.cluster?.replicas ?? [];
      name = info?.cluster?.leader ?? "";
      return name !== "" && replicas.length === 2 && replicas.every((one) => one.current);
    }, "a leader with two current copies");
    return name;
  }

  /** Claims and releases names, and sees whether the edge still serves, until `work` has ended. */
  async function changingDuring(work: Promise<void>): Promise<void> {
    let isEnded = false;
    const ended = work.finally(() => {
      isEnded = true;
    });
    while (!isEnded) {
      const name = `name-${changes}.example`;
      await world.database.hold(name);
      expected.add(name);
      if (changes % 3 === 0) {
        await world.database.release(name);
        expected.delete(name);
      }
      changes += 1;
      if (edge.hosts.get("steady.example") === null) unserved += 1;
    }
    await ended;
  }

  const hasAll = ({ hosts }: OpenFeed): boolean =>
    hosts.size === expected.size && [...expected].every((name) => hosts.get(name) !== null);

  it(`loses no change when its leader is killed ${kills} times`, async (t) => {
    for (let round = 0; round < kills; round += 1) {
      const killed = await leader();
      await changingDuring(
        (async () => {
          await world.cluster.stop(killed, "SIGKILL");
          const before = changes;
          await until(() => changes >= before + 20, "changes without it");
          await world.cluster.start(killed);
        })(),
      );
      const startedAt = performance.now();
      await until(() => hasAll(edge), "every change arrives");
      const tookMs = Math.round(performance.now() - startedAt);
      t.diagnostic(`${killed} killed; ${changes} changes, all there ${tookMs} ms after the last`);
    }
    assert.equal(unserved, 0);
  });

  it("loses none when each server is restarted in turn", async (t) => {
    for (const name of world.cluster.names) {
      await leader();
      await changingDuring(
        (async () => {
          await world.cluster.stop(name, "SIGTERM");
          const before = changes;
          await until(() => changes >= before + 10, "changes without it");
          await world.cluster.start(name);
        })(),
      );
    }
    await until(() => hasAll(edge), "every change arrives");
    const another = await openWhenReady();
    try {
      await until(() => hasAll(another), "the stream itself has everything");
    } finally {
      await another.close();
    }
    assert.equal((await streamInfo()).config.num_replicas, 3);
    assert.equal(unserved, 0);
    t.diagnostic(`${changes} changes, ${expected.size} hosts at the end`);
  });
});
