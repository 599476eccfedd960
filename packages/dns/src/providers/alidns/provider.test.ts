import assert from "node:assert/strict";
import { it } from "node:test";
import { create, planOf, rec, suiteZone, withZone } from "../../../conformance/bench.ts";
import { startAlidns } from "../../../conformance/simulators/alidns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { alidns } from "./provider.ts";

const untimed = "a throttled answer has status 400 and names no pause";

runConformance(alidns, {
  simulator: startAlidns,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
  ],
});

it("leaves records alone that are switched off, locked or answered by line", () =>
  withZone(alidns, startAlidns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const settings = [{ Status: "DISABLE" }, { Locked: true }, { Line: "telecom" }];
    for (const [at, extras] of settings.entries()) {
      await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
    }
    const { opaque, records } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.equal(opaque.length, settings.length);
    const servers = await provider.nameserversOf?.(zone, signal);
    assert.deepEqual(servers, ["dns9.hichina.com", "dns10.hichina.com"]);
  }));

it("brings a TTL within the ten minutes and the day that are accepted", () =>
  withZone(alidns, startAlidns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const records = [1, 700, 999_999].map((ttl, at) => rec(`t${at}`, "A", "192.0.2.5", { ttl }));
    await provider.apply(zone, planOf(suiteZone, records.map(create)), signal);
    const stored = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
    assert.deepEqual(stored, [600, 700, 86_400]);
  }));
