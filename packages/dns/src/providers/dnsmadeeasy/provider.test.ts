import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startDnsmadeeasy } from "../../../conformance/simulators/dnsmadeeasy.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { dnsmadeeasy } from "./provider.ts";

const untimed = "a throttled answer has status 400 and names no pause";

runConformance(dnsmadeeasy, {
  simulator: startDnsmadeeasy,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
  ],
});

it("leaves records alone that are answered by location, monitored or dynamic", () =>
  withZone(
    dnsmadeeasy,
    startDnsmadeeasy,
    suiteZone,
    async ({ backend, provider, zone, signal }) => {
      const settings = [{ gtdLocation: "EUROPE" }, { failover: true }, { dynamicDns: true }];
      for (const [at, extras] of settings.entries()) {
        await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
      }
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.deepEqual(
        opaque.map(({ isAddress }) => isAddress),
        [true, true, true],
      );
      assert.deepEqual(await provider.readNameservers?.(zone, signal), ["ns10.dnsmadeeasy.com"]);
    },
  ));

it("takes a list that is shorter than announced for no answer", () =>
  withZone(dnsmadeeasy, startDnsmadeeasy, suiteZone, async ({ backend, zone, signal }) => {
    const page = { data: [], totalRecords: 900, totalPages: 2, page: 0 };
    const fetch = async () => Response.json(page);
    const provider = dnsmadeeasy.open(backend.credentials, { fetch });
    const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
    await assert.rejects(provider.apply(zone, plan, signal), /announced 900 entries and listed 0/);
    assert.equal(backend.writeCount(), 0);
  }));
