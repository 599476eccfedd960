import { describe } from "node:test";
import type { DnsRecord } from "../src/record.ts";
import { memoryProvider } from "./memory-provider.ts";
import { runConformance } from "./suite.ts";

const noNetwork = "nothing is sent anywhere";

describe("the reference provider", () => {
  const zones = new Map<string, readonly DnsRecord[]>();
  let writes = 0;
  const setZone = zones.set.bind(zones);
  zones.set = (name, records) => {
    if (JSON.stringify(zones.get(name)) !== JSON.stringify(records)) writes += 1;
    return setZone(name, records);
  };
  runConformance(memoryProvider(zones, "open-sesame"), {
    simulator: async () => {
      zones.clear();
      return {
        credentials: { token: "open-sesame" },
        wrongCredentials: { token: "close-sesame" },
        missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
        fetch: () => Promise.reject(new Error(noNetwork)),
        seed: async (zone, records) => void zones.set(zone, records),
        records: async (zone) => zones.get(zone) ?? [],
        writeCount: () => writes,
        fail: () => undefined,
        untilHanging: async () => undefined,
        close: async () => undefined,
      };
    },
    skippedSince: "2026-11-15",
    skip: [
      "waits as long as the provider asks, then retries",
      "hands a long wait to the caller instead of waiting",
      "gives up on persistent throttling as rate_limited",
      "reads on after one server error and reports persistent ones as unavailable",
      "takes an answer that is cut short for no answer",
      "gives up on a provider that does not answer",
      "stops at once when it is cancelled, and writes nothing",
    ].map((test) => ({ test, reason: noNetwork })),
  });
});
