import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClusterFigures, figuresMessage } from "./cluster-metrics.ts";
import { createStats, figuresOf } from "./metrics.ts";

function message(requests: number, connections: number) {
  const stats = createStats();
  stats.requests = requests;
  stats.connections = connections;
  stats.refused.unknown_name = requests;
  stats.answered.set(421, requests);
  return figuresMessage(figuresOf(stats, 7, 1_000));
}

describe("the figures of several processes", () => {
  it("are those of one edge: sums, except for the hosts that all know", () => {
    const cluster = createClusterFigures(2);
    assert.ok(cluster.hear("one", message(3, 1)));
    assert.ok(cluster.hear("two", message(4, 2)));
    const { hosts, requests, connections, refused, answered, residentBytes } = cluster.figures();
    assert.deepEqual([hosts, requests, connections, residentBytes], [7, 7, 3, 2_000]);
    assert.deepEqual([refused["unknown_name"], answered["421"]], [7, 7]);
  });

  it("never count backwards: what a process that ended had counted stays counted", () => {
    const cluster = createClusterFigures(2);
    cluster.hear("one", message(3, 1));
    cluster.hear("two", message(4, 2));
    cluster.ended("one");
    assert.equal(cluster.figures().requests, 7);
    assert.equal(cluster.figures().connections, 2);
    cluster.hear("one", message(1, 1));
    assert.equal(cluster.figures().requests, 8);
    assert.equal(cluster.restarts(), 1);
  });

  it("leave other messages alone", () => {
    const cluster = createClusterFigures(1);
    for (const other of [null, "ready", { type: "ready" }, 5]) {
      assert.equal(cluster.hear("one", other), false);
    }
    assert.equal(cluster.health().status, "down");
  });

  it("tell health: all serve, some, or none; a silent process does not serve", () => {
    let now = 0;
    const cluster = createClusterFigures(2, () => now);
    assert.deepEqual(cluster.health(), { status: "down", workers: 2, serving: 0 });
    cluster.hear("one", message(0, 0));
    assert.deepEqual(cluster.health(), { status: "degraded", workers: 2, serving: 1 });
    now = 4_000;
    cluster.hear("two", message(0, 0));
    assert.equal(cluster.health().status, "ok");
    now = 6_000;
    assert.deepEqual(cluster.health(), { status: "degraded", workers: 2, serving: 1 });
  });
});
