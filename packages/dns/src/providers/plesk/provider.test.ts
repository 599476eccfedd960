import assert from "node:assert/strict";
import { it } from "node:test";
import { suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startPlesk } from "../../../conformance/simulators/plesk.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { plesk } from "./provider.ts";

runConformance(plesk, {
  simulator: startPlesk,
  skippedSince: "2026-11-18",
  skip: [
    {
      test: "creates and deletes a text of 300 characters, and nothing twice",
      reason: "Plesk documents 255 bytes as the most that a text can have",
    },
  ],
});

it("takes a subdomain for records of the zone above, unless it has its own name servers", () =>
  withZone(plesk, startPlesk, suiteZone, async ({ backend, provider, signal }) => {
    await backend.seed(`own.${suiteZone}`, []);
    const names = (await provider.listZones(signal)).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [suiteZone, `own.${suiteZone}`]);
  }));

it("leaves a record alone that has no number, and one that it cannot read", () =>
  withZone(plesk, startPlesk, suiteZone, async ({ backend, zone, signal }) => {
    const wire = { type: "A", host: `www.${suiteZone}.`, value: "192.0.2.1", opt: "", ttl: null };
    const pointer = { ...wire, id: 7, type: "PTR", host: "192.0.2.1", value: "x.", opt: "24" };
    const mail = { ...wire, id: 8, type: "MX", value: "mx.example.net.", opt: "" };
    const provider = plesk.open(backend.credentials, {
      fetch: async () =>
        Response.json([wire, { ...wire, id: "" }, { ...wire, id: "1/2" }, pointer, mail]),
    });
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.deepEqual(
      opaque.map(({ type }) => type),
      ["A", "A", "A", "PTR", "MX"],
    );
  }));
