import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestHosts } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import type { HaproxyTable } from "./haproxy-table.ts";
import { startPromoter } from "./promoter.ts";

describe("a promoter that stood still", () => {
  it("takes its names back before it renews the lease, for it may have missed a release", async (t) => {
    const calls: string[] = [];
    const note = (call: string) => async (): Promise<void> => void calls.push(call);
    let frozen = Promise.resolve();
    const table: HaproxyTable = {
      async lease() {
        await frozen;
        calls.push("lease");
        return calls.length === 1 ? "fresh" : "renewed";
      },
      clear: async () => [],
      put: note("put"),
      putCertificate: note("putCertificate"),
      dropCertificate: note("dropCertificate"),
      setAssertions: async () => undefined,
      withdraw: note("withdraw"),
      release: note("release"),
      retire: async () => false,
      dropClaim: note("dropClaim"),
    };
    const hosts = new TestHosts();
    hosts.set("a.example", { originUrl: "http://127.0.0.1:9", connectionId: "c1" });
    const silent = (): void => undefined;
    const promoter = startPromoter({
      table,
      owner: "test",
      hosts,
      certificate: async () => ({ chain: "", key: "", notAfter: new Date(8_640_000_000_000) }),
      assertion: () => "token",
      origin: async () => ({ address: "127.0.0.1", port: 9, tls: null, connections: 1 }),
      rates: { rank: () => [{ hostname: "a.example", perSecond: 100 }] },
      areStapled: false,
      now: () => new Date(),
      log: { debug: silent, info: silent, warn: silent, error: silent },
      most: 1,
      times: { tickMs: 5, rankMs: 5, leaseMs: 100 },
    });
    t.after(() => promoter.stop());
    await until(() => promoter.isPromoted("a.example"), "the promotion", 5_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    frozen = promise;
    const stoodStill = performance.now();
    await until(() => performance.now() - stoodStill > 300, "more than the lease");
    const seen = calls.length;
    resolve();
    await until(() => calls.slice(seen).includes("withdraw"), "the names taken back", 5_000);
    const after = calls.slice(seen);
    // The lease that was asked for before is one; the next one has to wait.
    assert.deepEqual(after.slice(0, after.indexOf("withdraw")), ["lease"]);
  });
});
