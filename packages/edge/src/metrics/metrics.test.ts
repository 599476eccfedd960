import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startOperational } from "../process/operational.ts";
import { createClusterFigures, figuresMessage } from "./cluster-metrics.ts";
import { createCertificateStats, createStats, figuresOf } from "./metrics.ts";

describe("figures about certificates", () => {
  function statsOf(renewed: number, nearEnd: number) {
    const soonestEnd = new Date("2026-12-01T00:00:00.900Z");
    return {
      ...createCertificateStats(),
      renewed,
      failed: 2,
      standing: { served: 9, nearEnd, expired: 1, soonestEnd },
    };
  }

  it("are counted over all processes, and told once where all tell the same", async () => {
    const cluster = createClusterFigures(2);
    cluster.hear("a", figuresMessage(figuresOf(createStats(), 0, 0, statsOf(3, 4))));
    cluster.hear("b", figuresMessage(figuresOf(createStats(), 0, 0, statsOf(5, 6))));
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
    ]) {
      assert.ok(text.split("\n").includes(line), line);
    }
  });

  it("stay counted when a process ends, while what it saw of the rest is dropped", () => {
    const cluster = createClusterFigures(1);
    cluster.hear("a", figuresMessage(figuresOf(createStats(), 0, 0, statsOf(3, 4))));
    cluster.ended("a");
    assert.equal(cluster.figures().certificates["renewed"], 3);
    assert.deepEqual(cluster.figures().standing, {});
  });
});
