import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  keys,
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { isKind } from "../../../conformance/cases/reading-cases.ts";
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

/** hostinger/terraform-provider-hostinger at b10ccd2e, hostinger/dns_record.go waits in between. */
it("adds at a name only when the deletion there is seen", () =>
  withZone(hostinger, startHostinger, suiteZone, async ({ backend, zone, signal }) => {
    const [old, fresh] = [rec("shop", "A", "192.0.2.1"), rec("shop", "CNAME", "edge.example.net")];
    await backend.seed(suiteZone, [old]);
    const sent: unknown[] = [];
    const fetch: Fetch = (url, init) => {
      sent.push(init.method ?? "GET");
      return backend.fetch(url, init);
    };
    const wait = async (ms: number) => void sent.push(ms);
    const provider = hostinger.open(backend.credentials, { fetch, wait });
    await provider.apply(zone, makePlan(suiteZone, [update(fresh, old)]), signal);
    assert.deepEqual(sent, ["GET", "DELETE", "GET", 1_000, "GET", 1_000, "GET", "PUT"]);
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([fresh]));
  }));

it("gives up on a deletion that is never seen, before it adds", () =>
  withZone(hostinger, startHostinger, suiteZone, async ({ backend, zone, signal }) => {
    const [old, fresh] = [rec("shop", "A", "192.0.2.1"), rec("shop", "CNAME", "edge.example.net")];
    const shown = [{ name: "shop", type: "A", ttl: 300, records: [{ content: "192.0.2.1" }] }];
    const sent: string[] = [];
    const fetch: Fetch = async (_url, { method = "GET" }) => {
      if (method !== "GET") sent.push(method);
      return Response.json(method === "GET" ? shown : {});
    };
    const wait = async () => undefined;
    const provider = hostinger.open(backend.credentials, { fetch, wait });
    const applying = provider.apply(zone, makePlan(suiteZone, [update(fresh, old)]), signal);
    await assert.rejects(applying, isKind("unavailable"));
    assert.deepEqual(sent, ["DELETE"]);
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
