import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClusterMetrics, metricsMessage } from "./cluster-metrics.ts";
import {
  type CertificateStats,
  createCertificateStats,
  createEdgeRegistry,
  createStats,
} from "./metrics.ts";

function message(requests: number, connections: number, certificates?: Partial<CertificateStats>) {
  const stats = createStats();
  stats.requests = requests;
  stats.connections = connections;
  stats.refused.unknown_name = requests;
  stats.answered.set(421, requests);
  return metricsMessage(
    createEdgeRegistry({
      stats,
      certificates: { ...createCertificateStats(), ...certificates },
      hosts: { size: 7, isInMemory: () => false, takeovers: () => 0 },
    }),
  );
}

/** Sample lines by name and labels. */
async function samplesOf(cluster: ReturnType<typeof createClusterMetrics>) {
  const lines = (await cluster.metricsText()).split("\n").filter((line) => !/^(#|$)/.test(line));
  return new Map(
    lines.map((line) => {
      const [, name = "", value = ""] = /^mooring_edge_(\S+) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

describe("the metrics of several processes", () => {
  it("are those of one edge: sums, except for the hosts that all know", async () => {
    const cluster = createClusterMetrics(2);
    assert.ok(cluster.receive("one", await message(3, 1)));
    assert.ok(cluster.receive("two", await message(4, 2)));
    const samples = await samplesOf(cluster);
    assert.equal(samples.get("hosts"), 7);
    assert.equal(samples.get("requests_total"), 7);
    assert.equal(samples.get("connections"), 3);
    assert.ok((samples.get("resident_bytes") ?? 0) > process.memoryUsage.rss());
    assert.equal(samples.get('refused_total{reason="unknown_name"}'), 7);
    assert.equal(samples.get('answered_total{status="421"}'), 7);
    assert.equal(samples.get("workers"), 2);
  });

  it("never count backwards: the counters of an ended process stay in the totals", async () => {
    const cluster = createClusterMetrics(2);
    cluster.receive("one", await message(3, 1));
    cluster.receive("two", await message(4, 2));
    cluster.workerEnded("one");
    const after = await samplesOf(cluster);
    assert.deepEqual([after.get("requests_total"), after.get("connections")], [7, 2]);
    // Late, from the process that has ended.
    cluster.receive("one", await message(3, 1));
    cluster.receive("one's successor", await message(1, 1));
    cluster.workerEnded("two");
    const later = await samplesOf(cluster);
    assert.equal(later.get("requests_total"), 8);
    assert.equal(later.get('refused_total{reason="unknown_name"}'), 8);
    assert.equal(later.get("worker_restarts_total"), 2);
  });

  it("retain what an ended process counted for applications, while it is of use", async () => {
    const cluster = createClusterMetrics(1);
    const served = async (ids: readonly string[]) => {
      const stats = createStats(2_000);
      for (const id of ids) {
        stats.applications.count(id).requests["2xx"] += 1;
        stats.applications.of(id).requestTimes.observe(20);
      }
      const certificates = createCertificateStats();
      return await metricsMessage(
        createEdgeRegistry({
          stats,
          certificates,
          hosts: { size: 0, isInMemory: () => false, takeovers: () => 0 },
        }),
      );
    };
    const many = Array.from({ length: 1_001 }, (_, index) => `app-${index}`);
    cluster.receive("one", await served(["shop", "blog"]));
    cluster.workerEnded("one");
    cluster.receive("two", await served(["shop"]));
    const samples = await samplesOf(cluster);
    const requests = (id: string) => `application_requests_total{application="${id}",status="2xx"}`;
    assert.deepEqual([samples.get(requests("shop")), samples.get(requests("blog"))], [2, 1]);
    assert.equal(samples.get('application_request_seconds_count{application="shop"}'), 2);
    assert.equal(
      samples.get('application_request_seconds_bucket{le="0.01",application="shop"}'),
      0,
    );
    assert.equal(
      samples.get('application_request_seconds_bucket{le="0.025",application="shop"}'),
      2,
    );
    cluster.receive("three", await served(many));
    cluster.workerEnded("three");
    const later = await samplesOf(cluster);
    assert.equal(later.get(requests("shop")), 2);
    assert.equal(later.has(requests("blog")), false);
  });

  it("ignore other messages", () => {
    const cluster = createClusterMetrics(1);
    for (const other of [null, "ready", { type: "ready" }, 5]) {
      assert.equal(cluster.receive("one", other), false);
    }
    assert.equal(cluster.health().status, "down");
  });

  it("report health: all serve, some, or none; an unresponsive process does not serve", async () => {
    let now = 0;
    const cluster = createClusterMetrics(2, () => now);
    assert.deepEqual(cluster.health(), { status: "down", workers: 2, serving: 0 });
    cluster.receive("one", await message(0, 0));
    assert.deepEqual(cluster.health(), { status: "degraded", workers: 2, serving: 1 });
    now = 4_000;
    cluster.receive("two", await message(0, 0));
    assert.equal(cluster.health().status, "ok");
    now = 6_000;
    assert.deepEqual(cluster.health(), { status: "degraded", workers: 2, serving: 1 });
  });

  it("report the successor of a process as serving, and a planned end as no restart", async () => {
    const cluster = createClusterMetrics(1);
    cluster.receive("one", await message(3, 1));
    cluster.receive("one's successor", await message(1, 1));
    cluster.workerReplaced("one");
    assert.deepEqual(cluster.health(), { status: "ok", workers: 1, serving: 1 });
    cluster.workerEnded("one");
    const samples = await samplesOf(cluster);
    assert.equal(samples.get("requests_total"), 4);
    assert.equal(samples.get("worker_restarts_total"), 0);
    cluster.drain();
    assert.equal(cluster.health().status, "draining");
  });

  it("of certificates: counters stay when a process ends, what it saw of the rest does not", async () => {
    const cluster = createClusterMetrics(1);
    const health = { served: 9, nearEnd: 4, expired: 1, soonestEnd: null };
    cluster.receive("one", await message(0, 0, { renewed: 3, health }));
    cluster.workerEnded("one");
    const samples = await samplesOf(cluster);
    assert.equal(samples.get('certificates_total{outcome="renewed"}'), 3);
    assert.equal(samples.has("certificates_served"), false);
  });
});
