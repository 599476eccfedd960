import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { adapters } from "../../src/providers/registry.ts";
import { rfc2136 } from "../../src/providers/rfc2136/provider.ts";
import type { DnsRecord } from "../../src/record.ts";
import { memoryProvider } from "../memory-provider.ts";
import { simulators } from "./all-simulators.ts";
import { prove, proven } from "./prove.ts";

const runs = proofSize(5, 10_000);

describe("random zones under faults", { timeout: 6 * 3_600_000 }, () => {
  it("are tried at every adapter", () => {
    const simulated = simulators.map(({ adapter }) => adapter.manifest.slug);
    // Tried at a real server, in random-zones.world.test.ts.
    const tried = new Set([...simulated, rfc2136.manifest.slug]);
    const untried = adapters.map(({ manifest }) => manifest.slug).filter((one) => !tried.has(one));
    assert.deepEqual(untried, []);
  });

  prove("the reference", runs, async () => {
    const zones = new Map<string, readonly DnsRecord[]>();
    return {
      adapter: memoryProvider(zones, "token"),
      backend: {
        credentials: { token: "token" },
        fetch: () => Promise.reject(new Error("nothing is sent")),
        seed: async (zone, records) => void zones.set(zone, records),
        records: async (zone) => zones.get(zone) ?? [],
      },
      close: async () => undefined,
    };
  });

  for (const { name, adapter, start } of simulators) {
    prove(name, runs, async () => {
      const backend = await start();
      return { adapter, backend, close: backend.close };
    });
  }

  it("have changed no unrelated record at any of them", () => {
    assert.equal(proven.length, 1 + simulators.length);
    recordPromise("G22", `${runs} zones each, ${simulators.length} adapters`, "0 changed");
  });
});
