import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  remove,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startSpaceship } from "../../../conformance/simulators/spaceship.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { spaceship } from "./provider.ts";

runConformance(spaceship, {
  simulator: startSpaceship,
  skippedSince: "2026-11-16",
  skip: [
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "no TTL above an hour is accepted; tested below",
    },
  ],
});

it("brings a TTL within the minute and the hour that are accepted", () =>
  withZone(spaceship, startSpaceship, suiteZone, async ({ backend, provider, zone, signal }) => {
    const records = [1, 600, 7_200].map((ttl, at) => rec(`t${at}`, "A", "192.0.2.5", { ttl }));
    await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
    const stored = await backend.records(suiteZone);
    assert.deepEqual(
      stored.map(({ ttl }) => ttl),
      [60, 600, 3_600],
    );
  }));

it("does not let a service record replace another", () =>
  withZone(spaceship, startSpaceship, suiteZone, async ({ backend, provider, zone, signal }) => {
    const first = rec("_sip._tcp", "SRV", "5 5060 one.example.net", { priority: 1 });
    const second = rec("_sip._tcp", "SRV", "5 5061 two.example.net", { priority: 1 });
    await backend.seed(suiteZone, [first]);
    await assert.rejects(
      provider.apply(zone, makePlan(suiteZone, [create(second)]), signal),
      (error) => error instanceof ProviderError && error.kind === "conflict",
    );
    assert.equal(backend.writeCount(), 0);
    await provider.apply(zone, makePlan(suiteZone, [remove(first), create(second)]), signal);
    assert.deepEqual(await backend.records(suiteZone), [second]);
  }));

it("shows a record of a product and does not change it", () =>
  withZone(spaceship, startSpaceship, suiteZone, async ({ backend, provider, zone, signal }) => {
    const plain = rec("go", "A", "192.0.2.7");
    await backend.plant?.(suiteZone, { ...plain, extras: { group: "product" } });
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.match(opaque[0]?.note ?? "", /Spaceship product/);
  }));
