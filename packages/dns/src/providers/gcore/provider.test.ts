import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startGcore } from "../../../conformance/simulators/gcore.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { gcore } from "./provider.ts";

runConformance(gcore, { simulator: startGcore });

const signal = new AbortController().signal;

describe("gcore", () => {
  it("leaves sets alone that answer by visitor or health, and values with settings", () =>
    withZone(gcore, startGcore, suiteZone, async ({ backend, provider, zone }) => {
      const settings = [
        { pickers: [{ type: "geodns" }] },
        { meta: { failover: { protocol: "HTTP" } } },
        { own: { countries: ["SE"] } },
        { enabled: false },
      ];
      for (const [at, extras] of settings.entries()) {
        await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
      }
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.equal(opaque.length, settings.length);
      const beside = [create(rec("app0", "A", "192.0.2.2"))];
      await assert.rejects(
        provider.apply(zone, makePlan(suiteZone, beside), signal),
        (error) => error instanceof ProviderError && error.kind === "conflict",
      );
      assert.equal(backend.writeCount(), 0);
    }));

  it("takes a list that is shorter than stated for no answer", () =>
    withZone(gcore, startGcore, suiteZone, async ({ backend, zone }) => {
      const hosts = Array.from({ length: 30 }, (_, at) => rec(`host${at}`, "A", "192.0.2.1"));
      await backend.seed(suiteZone, hosts);
      const fetch: Fetch = (url, init) => backend.fetch(url.replace("?all=true", ""), init);
      const provider = gcore.open(backend.credentials, { fetch, wait: async () => undefined });
      await assert.rejects(
        provider.listRecords(zone, signal),
        (error) => error instanceof ProviderError && error.kind === "unavailable",
      );
    }));

  it("refuses a service without a host before it writes anything", () =>
    withZone(gcore, startGcore, suiteZone, async ({ backend, provider, zone }) => {
      const records = [
        rec("app", "A", "192.0.2.1"),
        rec("_imap._tcp", "SRV", "0 0 .", { priority: 0 }),
      ];
      await assert.rejects(
        provider.apply(zone, makePlan(suiteZone, records.map(create)), signal),
        (error) => error instanceof ProviderError && error.kind === "unsupported",
      );
      assert.equal(backend.writeCount(), 0);
    }));
});
