import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startCloudns } from "../../../conformance/simulators/cloudns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { cloudns } from "./provider.ts";

const untimed = "a throttled answer has status 200 and names no pause";

runConformance(cloudns, {
  simulator: startCloudns,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "there are thirteen TTLs, and 7200 s is none of them; tested below",
    },
  ],
});

it("raises a TTL to the next of those that there are", () =>
  withZone(cloudns, startCloudns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const wanted = { a: 1, b: 60, c: 61, d: 7_200, e: 9_999_999 };
    const records = Object.entries(wanted).map(([name, ttl]) =>
      rec(name, "A", "192.0.2.1", { ttl }),
    );
    await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
    const stored = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
    assert.deepEqual(stored, [60, 60, 300, 21_600, 2_592_000]);
  }));

it("leaves records alone whose settings a change would lose", async () => {
  const settings = [{ status: 0 }, { failover: "1" }, { "geodns-location-code": "EU" }];
  for (const extras of settings) {
    await withZone(
      cloudns,
      startCloudns,
      suiteZone,
      async ({ backend, provider, zone, signal }) => {
        await backend.plant?.(suiteZone, { ...rec("app", "A", "192.0.2.1"), extras });
        const { opaque, records } = await provider.listRecords(zone, signal);
        assert.deepEqual(records, []);
        assert.equal(opaque[0]?.isAddress, true, JSON.stringify(extras));
      },
    );
  }
});

it("takes the servers of a zone from its own NS records, and leaves out secondary zones", () =>
  withZone(cloudns, startCloudns, suiteZone, async ({ backend, provider, zone, signal }) => {
    await backend.seed("secondary.example", []);
    const marker = { ...rec("@", "TXT", "slave"), extras: { zoneType: "slave" } };
    await backend.plant?.("secondary.example", marker);
    await backend.seed(suiteZone, [rec("@", "NS", "pns31.cloudns.net")]);
    assert.deepEqual(await provider.readNameservers?.(zone, signal), ["pns31.cloudns.net"]);
    const names = (await provider.listZones(signal)).map(({ name }) => name);
    assert.deepEqual(names, [suiteZone]);
  }));

it("needs the ID of a user or of a sub-user", () => {
  const environment = { fetch: () => Promise.reject(new Error("nothing is sent")) };
  assert.throws(() => cloudns.open({ auth_password: "secret" }, environment), /ID is missing/);
});
