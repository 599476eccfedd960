import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startExoscale } from "../../../conformance/simulators/exoscale.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { exoscale } from "./provider.ts";

runConformance(exoscale, { simulator: startExoscale });

it("shows what Exoscale manages, and takes the zone's servers from it", () =>
  withZone(exoscale, startExoscale, suiteZone, async ({ backend, provider, zone, signal }) => {
    const managed = { extras: { "system-record": true } };
    await backend.plant?.(suiteZone, { ...rec("@", "NS", "ns1.exoscale.ch"), ...managed });
    const mirror = rec("@", "TXT", "ALIAS for edge.example.net");
    await backend.plant?.(suiteZone, { ...mirror, extras: {} });
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.deepEqual(
      opaque.map(({ type }) => type),
      ["NS", "TXT"],
    );
    assert.deepEqual(await provider.readNameservers?.(zone, signal), ["ns1.exoscale.ch"]);
  }));

it("changes a priority to 0, which the API's own change refuses", () =>
  withZone(exoscale, startExoscale, suiteZone, async ({ backend, provider, signal }) => {
    const before = rec("lists", "MX", "mx.example.net", { priority: 10 });
    const after = rec("lists", "MX", "mx.example.net", { priority: 0 });
    await backend.seed(suiteZone, [before]);
    const [zone] = await provider.listZones(signal);
    assert.ok(zone !== undefined);
    await provider.apply(zone, makePlan(suiteZone, [update(after, before)]), signal);
    assert.deepEqual(await backend.records(suiteZone), [after]);
  }));

it("reports an operation that fails, or does not end", () =>
  withZone(exoscale, startExoscale, suiteZone, async ({ backend, zone, signal }) => {
    const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
    const expected = { failure: "conflict", pending: "unavailable", timeout: "unavailable" };
    for (const [state, kind] of Object.entries(expected)) {
      const operation = { id: "op1", state, reason: "conflict", message: "" };
      const fetch: Fetch = async (url, init) =>
        (init.method ?? "GET") === "GET" && !url.includes("/operation/")
          ? backend.fetch(url, init)
          : Response.json(operation);
      const wait = async () => undefined;
      const provider = exoscale.open(backend.credentials, { fetch, wait });
      await assert.rejects(
        provider.apply(zone, plan, signal),
        (error) => error instanceof ProviderError && error.kind === kind,
      );
    }
  }));
