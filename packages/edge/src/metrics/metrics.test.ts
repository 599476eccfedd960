import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClusterMetrics, metricsMessage } from "./cluster-metrics.ts";
import { createCertificateStats, createEdgeRegistry, createStats } from "./metrics.ts";
import { startOperational } from "./operational.ts";

describe("the metrics of one process", () => {
  it("are read when they are collected, every label of a fixed list from the start", async () => {
    const stats = createStats();
    const registry = createEdgeRegistry({
      stats,
      certificates: createCertificateStats(),
      hosts: { size: 1, isInMemory: () => false, takeovers: () => 0 },
    });
    const before = (await registry.metrics()).split("\n");
    assert.ok(before.includes("mooring_edge_requests_total 0"));
    assert.ok(before.includes('mooring_edge_refused_total{reason="overloaded"} 0'));
    stats.requests += 2;
    stats.refused.overloaded += 1;
    stats.answered.set(502, 3);
    for (let collection = 0; collection < 2; collection += 1) {
      const after = (await registry.metrics()).split("\n");
      assert.ok(after.includes("mooring_edge_requests_total 2"));
      assert.ok(after.includes('mooring_edge_refused_total{reason="overloaded"} 1'));
      assert.ok(after.includes('mooring_edge_answered_total{status="502"} 3'));
    }
  });
});

describe("metrics of traffic counts", () => {
  it("are the batches that wait and that were dropped, and none where nothing is counted", async () => {
    const batches = { waiting: 3, dropped: 2 };
    const read = async (isCounted: boolean): Promise<readonly string[]> => {
      const traffic = { waiting: () => batches.waiting, dropped: () => batches.dropped };
      const registry = createEdgeRegistry({
        stats: createStats(),
        certificates: createCertificateStats(),
        hosts: { size: 1, isInMemory: () => false, takeovers: () => 0 },
        traffic: isCounted ? traffic : null,
      });
      const lines = (await registry.metrics()).split("\n");
      return lines.filter((line) => line.startsWith("mooring_edge_traffic_"));
    };
    assert.deepEqual(await read(true), [
      "mooring_edge_traffic_batches_waiting 3",
      "mooring_edge_traffic_batches_dropped_total 2",
    ]);
    assert.deepEqual(await read(false), [
      "mooring_edge_traffic_batches_waiting 0",
      "mooring_edge_traffic_batches_dropped_total 0",
    ]);
  });
});

describe("metrics of the accelerator", () => {
  it("are its names, its lost lines and its restarts, over all processes", async () => {
    const cluster = createClusterMetrics(2);
    const read = async (): Promise<readonly string[]> => {
      const lines = (await cluster.metricsText()).split("\n");
      return lines.filter((line) => line.startsWith("mooring_edge_accelerator_")).sort();
    };
    for (const [worker, promotion] of [{ size: 7, lostLines: () => 12 }, null].entries()) {
      const registry = createEdgeRegistry({
        stats: createStats(),
        certificates: createCertificateStats(),
        hosts: { size: 1, isInMemory: () => false, takeovers: () => 0 },
        promotion,
      });
      cluster.receive(`worker ${worker}`, await metricsMessage(registry));
    }
    const lost = "mooring_edge_accelerator_lines_lost_total 12";
    const names = "mooring_edge_accelerator_names 7";
    assert.deepEqual(await read(), [lost, names, "mooring_edge_accelerator_restarts_total 0"]);
    cluster.accelerated(() => 3);
    assert.deepEqual(await read(), [lost, names, "mooring_edge_accelerator_restarts_total 3"]);
  });
});

describe("metrics of certificates", () => {
  function registryOf(renewed: number, nearEnd: number) {
    const soonestEnd = new Date("2026-12-01T00:00:00.900Z");
    const certificates = {
      ...createCertificateStats(),
      renewed,
      failed: 2,
      health: { served: 9, nearEnd, expired: 1, soonestEnd },
      budgets: [
        {
          directory: "https://ca.example/dir",
          orders: 12,
          ordersLimit: 300,
          waiting: 4_000,
          heldUntil: soonestEnd,
          heldFor: "ca_rate_limited" as const,
        },
      ],
    };
    return createEdgeRegistry({
      stats: createStats(),
      certificates,
      hosts: { size: 0, isInMemory: () => false, takeovers: () => 0 },
    });
  }

  it("are summed over all processes, except where all report the same", async () => {
    const cluster = createClusterMetrics(2);
    cluster.receive("a", await metricsMessage(registryOf(3, 4)));
    cluster.receive("b", await metricsMessage(registryOf(5, 6)));
    const operational = await startOperational({ host: "127.0.0.1", port: 0 }, cluster);
    const text = await (await fetch(`http://127.0.0.1:${operational.port}/metrics`)).text();
    await operational.close();
    for (const line of [
      'mooring_edge_certificates_total{outcome="renewed"} 8',
      'mooring_edge_certificates_total{outcome="failed"} 4',
      "# TYPE mooring_edge_certificates_near_end gauge",
      "mooring_edge_certificates_near_end 6",
      "mooring_edge_certificates_expired 1",
      "mooring_edge_certificates_served 9",
      "mooring_edge_certificates_soonest_end_seconds 1796083200",
      'mooring_edge_ca_orders_left{ca="https://ca.example/dir"} 12',
      'mooring_edge_ca_orders_limit{ca="https://ca.example/dir"} 300',
      'mooring_edge_ca_names_waiting{ca="https://ca.example/dir"} 4000',
      'mooring_edge_ca_held_until_seconds{ca="https://ca.example/dir"} 1796083200',
    ]) {
      assert.ok(text.split("\n").includes(line), line);
    }
  });
});
