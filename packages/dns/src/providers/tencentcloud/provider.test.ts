import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  keys,
  makePlan,
  rec,
  remove,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startTencentcloud } from "../../../conformance/simulators/tencentcloud.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { tencentcloud } from "./provider.ts";
import { signTc3 } from "./tc3.ts";

const untimed = "a throttled answer has status 200 and names no pause";

runConformance(tencentcloud, {
  simulator: startTencentcloud,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
  ],
});

it("reads a zone without records, and leaves records alone that are switched off or by line", () =>
  withZone(
    tencentcloud,
    startTencentcloud,
    suiteZone,
    async ({ backend, provider, zone, signal }) => {
      assert.deepEqual(await provider.listRecords(zone, signal), { records: [], opaque: [] });
      const settings = [{ Status: "DISABLE" }, { Line: "电信", LineId: "10=0" }];
      for (const [at, extras] of settings.entries()) {
        await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
      }
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.equal(opaque.length, settings.length);
      const servers = await provider.readNameservers?.(zone, signal);
      assert.deepEqual(servers, ["ada.dnspod.net", "bob.dnspod.net"]);
    },
  ));

/** StackExchange/dnscontrol at 7a079bc2, providers/tencentdns/convert.go. */
it("writes a CNAME at the apex back as what it was", () =>
  withZone(
    tencentcloud,
    startTencentcloud,
    suiteZone,
    async ({ backend, provider, zone, signal }) => {
      const types: unknown[] = [];
      const fetch: Fetch = (url, init) => {
        const type = JSON.parse(String(init.body)).RecordType;
        if (type != null) types.push(type);
        return backend.fetch(url, init);
      };
      const watched = tencentcloud.open(backend.credentials, { fetch });
      const [old, fresh] = [rec("@", "ALIAS", "a.example.net"), rec("@", "ALIAS", "b.example.net")];
      await backend.plant?.(suiteZone, { ...old, type: "CNAME", extras: {} });
      assert.deepEqual(keys((await provider.listRecords(zone, signal)).records), keys([old]));
      await watched.apply(zone, makePlan(suiteZone, [update(fresh, old)]), signal);
      await watched.apply(zone, makePlan(suiteZone, [remove(fresh)]), signal);
      await watched.apply(zone, makePlan(suiteZone, [create(old)]), signal);
      assert.deepEqual(types, ["CNAME", "CNAME"]);
      assert.deepEqual(keys(await backend.records(suiteZone)), keys([old]));
    },
  ));

/**
 * TencentCloud/tencentcloud-sdk-nodejs at 4e0f3745, src/services/dnspod/v20210323/dnspod_models.ts:
 * without `Weight` a ModifyRecord sets none.
 */
it("keeps the weight of a record that is changed", () =>
  withZone(
    tencentcloud,
    startTencentcloud,
    suiteZone,
    async ({ backend, provider, zone, signal }) => {
      const [old, fresh] = [rec("app", "A", "192.0.2.1"), rec("app", "A", "192.0.2.2")];
      await backend.plant?.(suiteZone, { ...old, extras: { Weight: 30 } });
      const weights: unknown[] = [];
      const fetch: Fetch = (url, init) => {
        const { RecordType, Weight } = JSON.parse(String(init.body));
        if (RecordType !== undefined) weights.push(Weight);
        return backend.fetch(url, init);
      };
      const watched = tencentcloud.open(backend.credentials, { fetch });
      await watched.apply(zone, makePlan(suiteZone, [update(fresh, old)]), signal);
      await watched.apply(zone, makePlan(suiteZone, [update(old, fresh)]), signal);
      assert.deepEqual(weights, [30, 30]);
      await provider.apply(zone, makePlan(suiteZone, [remove(old)]), signal);
      assert.deepEqual(await backend.records(suiteZone), []);
    },
  ));

it("brings a TTL within the ten minutes and the week that are accepted", () =>
  withZone(
    tencentcloud,
    startTencentcloud,
    suiteZone,
    async ({ backend, provider, zone, signal }) => {
      const records = [1, 700, 999_999].map((ttl, at) => rec(`t${at}`, "A", "192.0.2.5", { ttl }));
      await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
      const stored = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
      assert.deepEqual(stored, [600, 700, 604_800]);
    },
  ));

it("asks the host of the site that was given, and no other", async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(new URL(url).host);
    const counts = { DomainCountInfo: { AllTotal: 0 }, DomainList: [] };
    return Response.json({ Response: counts });
  };
  const keys = { secret_id: "AKID1", secret_key: "secret" };
  for (const site of ["china", "international"]) {
    await tencentcloud.open({ ...keys, site }, { fetch }).listZones(new AbortController().signal);
  }
  assert.deepEqual(asked, ["dnspod.tencentcloudapi.com", "dnspod.intl.tencentcloudapi.com"]);
  assert.throws(() => tencentcloud.open({ ...keys, site: "x.example" }, { fetch }), /Site must be/);
});

/**
 * The signature that tencentcloud-sdk-nodejs-common 4.1.220, Tencent's own, makes for the same
 * request.
 */
it("signs as Tencent's own client does", () => {
  const request = {
    host: "dnspod.tencentcloudapi.com",
    body: '{"Domain":"shop.example","Offset":0,"Limit":1000}',
  };
  const keys = { id: "AKID-example", secret: "tencent-secret-example" };
  const signed = signTc3(request, keys, new Date(1_794_801_906_000));
  assert.equal(
    signed["authorization"],
    "TC3-HMAC-SHA256 Credential=AKID-example/2026-11-16/dnspod/tc3_request, SignedHeaders=content-type;host, Signature=13cca477df39f4691f8c47800a29ea6e7f40e30c315fda542159381dcbd6ecc5",
  );
});
