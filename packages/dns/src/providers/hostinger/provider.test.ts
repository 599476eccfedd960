import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startHostinger } from "../../../conformance/simulators/hostinger.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { hostinger } from "./provider.ts";

runConformance(hostinger, { simulator: startHostinger });

it("does not rewrite a set with a value that is switched off", () =>
  withZone(hostinger, startHostinger, suiteZone, async ({ backend, zone, signal }) => {
    const off = {
      name: "app",
      type: "A",
      ttl: 300,
      records: [{ content: "192.0.2.9", is_disabled: true }],
    };
    const fetch: Fetch = async (url, init) =>
      (init.method ?? "GET") === "GET" ? Response.json([off]) : backend.fetch(url, init);
    const provider = hostinger.open(backend.credentials, { fetch });
    const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
    await assert.rejects(provider.apply(zone, plan, signal), /switched off at Hostinger/);
    assert.equal(backend.writeCount(), 0);
  }));

it("lists no domain that has not been claimed or set up", async () => {
  const portfolio = [
    { id: 1, domain: null, status: "requested" },
    { id: 2, domain: "soon.example", status: "pending_setup" },
    { id: 3, domain: "Shop.example", status: "active" },
  ];
  const provider = hostinger.open(
    { api_token: "t0123456789" },
    { fetch: async () => Response.json(portfolio) },
  );
  const zones = await provider.listZones(new AbortController().signal);
  assert.deepEqual(
    zones.map(({ name }) => name),
    ["shop.example"],
  );
});
