import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startNjalla } from "../../../conformance/simulators/njalla.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { njalla } from "./provider.ts";

runConformance(njalla, {
  simulator: startNjalla,
  skippedSince: "2026-11-16",
  skip: [
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "there are seven TTLs, and 7200 s is none of them; tested below",
    },
  ],
});

it("raises a TTL to the next of those that there are", () =>
  withZone(njalla, startNjalla, suiteZone, async ({ backend, provider, zone, signal }) => {
    const wanted = { a: 1, b: 60, c: 61, d: 7_200, e: 999_999 };
    const records = Object.entries(wanted).map(([name, ttl]) =>
      rec(name, "A", "192.0.2.1", { ttl }),
    );
    await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
    const stored = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
    assert.deepEqual(stored, [60, 60, 300, 10_800, 86_400]);
  }));
