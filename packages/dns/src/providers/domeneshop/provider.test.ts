import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startDomeneshop } from "../../../conformance/simulators/domeneshop.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { domeneshop } from "./provider.ts";

runConformance(domeneshop, { simulator: startDomeneshop });

it("shows a web forward, which answers for its host", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, zone, signal }) => {
    const forward = { name: `www.${suiteZone}`, type: "FORWARD", ttl: 0, priority: null };
    await backend.plant?.(suiteZone, { ...forward, value: "https://example.net/", extras: {} });
    const { opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(
      opaque.map(({ name, value, isAddress }) => ({ name, value, isAddress })),
      [{ name: `www.${suiteZone}`, value: "https://example.net/", isAddress: true }],
    );
  }));

it("leaves out domains without the DNS service, and the registry's name servers", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, signal }) => {
    await backend.seed("elsewhere.example", []);
    await backend.plant?.("elsewhere.example", {
      ...rec("@", "TXT", "no DNS service"),
      extras: { withoutDns: true },
    });
    const zones = await provider.listZones(signal);
    assert.deepEqual(
      zones.map(({ name, nameservers }) => [name, nameservers]),
      [[suiteZone, []]],
    );
  }));

it("rounds a TTL up to whole minutes", () =>
  withZone(domeneshop, startDomeneshop, suiteZone, async ({ backend, provider, zone, signal }) => {
    const odd = rec("app", "A", "192.0.2.1", { ttl: 100 });
    await provider.apply(zone, makePlan(suiteZone, [create(odd)]), signal);
    assert.equal((await backend.records(suiteZone))[0]?.ttl, 120);
  }));
