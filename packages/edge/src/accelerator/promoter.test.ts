import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestHosts } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { startPromoter } from "./promoter.ts";
import type { HaproxyTable } from "./runtime/haproxy-table.ts";

const silent = (): void => undefined;

function partsOf(table: HaproxyTable, names: readonly string[]) {
  const hosts = new TestHosts();
  for (const [index, name] of names.entries()) {
    hosts.set(name, { originUrl: "http://127.0.0.1:9", connectionId: `c${index}` });
  }
  return {
    table,
    owner: "test",
    hosts,
    certificate: async () => ({ chain: "", key: "", notAfter: new Date(8_640_000_000_000) }),
    assertion: (): string | null => "token",
    origin: async () => ({ address: "127.0.0.1", port: 9, tls: null, connections: 1 }),
    rates: { rank: () => names.map((hostname) => ({ hostname, perSecond: 100 })) },
    areStapled: false,
    now: () => new Date(),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    // Slots of names that a slow machine has had demoted are not free again.
    most: names.length + 10,
  };
}

const idleTable: HaproxyTable = {
  lease: async () => "renewed",
  clear: async () => [],
  cutCleared: async () => undefined,
  put: async () => undefined,
  putCertificate: async () => undefined,
  dropCertificate: async () => undefined,
  setAssertions: async () => undefined,
  withdraw: async () => undefined,
  release: async () => undefined,
  retire: async () => false,
  dropClaim: async () => undefined,
};

describe("the assertions of a minute", () => {
  it("are signed over some ticks and written all at once, again after a failure", async (t) => {
    const names = Array.from({ length: 600 }, (_, index) => `n${index}.example`);
    const writes: (readonly (readonly [string, string])[])[] = [];
    const signed = new Set<string>();
    let minute = 1;
    let isFresh = true;
    const signedAtTicks = new Set<number>();
    const table: HaproxyTable = {
      ...idleTable,
      async lease() {
        signedAtTicks.add(signed.size);
        const state = isFresh ? "fresh" : "renewed";
        isFresh = false;
        return state;
      },
      async setAssertions(tokens) {
        writes.push(tokens);
        if (writes.length === 1) throw new Error("HAProxy does not answer");
      },
    };
    const promoter = startPromoter({
      ...partsOf(table, names),
      assertion({ hostname }) {
        const token = `${hostname}-${minute}`;
        if (minute === 2) signed.add(token);
        return token;
      },
      times: { tickMs: 5, rankMs: 5, leaseMs: 10_000 },
    });
    t.after(() => promoter.stop());
    await until(() => promoter.size === names.length, "the promotions", 5_000);
    assert.deepEqual(writes, []);
    minute = 2;
    await until(() => writes.length === 2, "all of them, twice", 5_000);
    const wanted = new Map(names.map((name) => [name, `${name}-2`]));
    assert.ok([...signedAtTicks].some((size) => size > 0 && size < names.length));
    for (const write of writes) assert.deepEqual(new Map(write), wanted);
    minute = 3;
    await until(() => writes.length === 3, "those of the next minute", 5_000);
  });
});

describe("a promoter that stood still", () => {
  it("takes its names back before it renews the lease, for it may have missed a release", async (t) => {
    const calls: string[] = [];
    const note = (call: string) => async (): Promise<void> => void calls.push(call);
    let frozen = Promise.resolve();
    const table: HaproxyTable = {
      ...idleTable,
      async lease() {
        await frozen;
        calls.push("lease");
        return calls.length === 1 ? "fresh" : "renewed";
      },
      put: note("put"),
      putCertificate: note("putCertificate"),
      dropCertificate: note("dropCertificate"),
      withdraw: note("withdraw"),
      release: note("release"),
      dropClaim: note("dropClaim"),
    };
    const promoter = startPromoter({
      ...partsOf(table, ["a.example"]),
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

describe("a release that HAProxy has not answered", () => {
  it("is sent again before the lease is renewed", async (t) => {
    const calls: string[] = [];
    const table: HaproxyTable = {
      ...idleTable,
      async lease() {
        calls.push("lease");
        return calls.length === 1 ? "fresh" : "renewed";
      },
      async release() {
        calls.push("release");
        const attempts = calls.filter((call) => call === "release").length;
        if (attempts <= 3) throw new Error("HAProxy does not answer");
      },
    };
    const parts = partsOf(table, ["a.example"]);
    const promoter = startPromoter({ ...parts, times: { tickMs: 5, rankMs: 5, leaseMs: 10_000 } });
    t.after(() => promoter.stop());
    await until(() => promoter.isPromoted("a.example"), "the promotion", 5_000);
    parts.hosts.delete("a.example");
    promoter.removed("a.example");
    await until(() => !promoter.isPromoted("a.example"), "the release", 5_000);
    const first = calls.indexOf("release");
    assert.deepEqual(calls.slice(first, first + 4), Array(4).fill("release"));
  });
});
