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
import { startAlidns } from "../../../conformance/simulators/alidns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { signAcs3 } from "./acs3.ts";
import { alidns } from "./provider.ts";

const untimed = "a throttled answer has status 400 and names no pause";

runConformance(alidns, {
  simulator: startAlidns,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
  ],
});

it("leaves records alone that are switched off, locked or answered by line", () =>
  withZone(alidns, startAlidns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const settings = [{ Status: "DISABLE" }, { Locked: true }, { Line: "telecom" }];
    for (const [at, extras] of settings.entries()) {
      await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
    }
    const { opaque, records } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.equal(opaque.length, settings.length);
    const servers = await provider.readNameservers?.(zone, signal);
    assert.deepEqual(servers, ["dns9.hichina.com", "dns10.hichina.com"]);
  }));

/** alibabacloud.com/help/en/alibaba-cloud-dns/latest/features: there is no type ALIAS. */
it("writes a CNAME at the apex back as what it was", () =>
  withZone(alidns, startAlidns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const types: unknown[] = [];
    const fetch: Fetch = (url, init) => {
      const type = new URLSearchParams(String(init.body)).get("Type");
      if (type != null) types.push(type);
      return backend.fetch(url, init);
    };
    const watched = alidns.open(backend.credentials, { fetch });
    const [old, fresh] = [rec("@", "ALIAS", "a.example.net"), rec("@", "ALIAS", "b.example.net")];
    await backend.plant?.(suiteZone, { ...old, type: "CNAME", extras: {} });
    assert.deepEqual(keys((await provider.listRecords(zone, signal)).records), keys([old]));
    await watched.apply(zone, makePlan(suiteZone, [update(fresh, old)]), signal);
    await watched.apply(zone, makePlan(suiteZone, [remove(fresh)]), signal);
    await watched.apply(zone, makePlan(suiteZone, [create(old)]), signal);
    assert.deepEqual(types, ["CNAME", "CNAME"]);
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([old]));
  }));

it("brings a TTL within the ten minutes and the day that are accepted", () =>
  withZone(alidns, startAlidns, suiteZone, async ({ backend, provider, zone, signal }) => {
    const records = [1, 700, 999_999].map((ttl, at) => rec(`t${at}`, "A", "192.0.2.5", { ttl }));
    await provider.apply(zone, makePlan(suiteZone, records.map(create)), signal);
    const stored = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
    assert.deepEqual(stored, [600, 700, 86_400]);
  }));

/** The signature that @alicloud/openapi-util 0.3.3, Alibaba's own, makes for the same request. */
it("signs as Alibaba's own client does", () => {
  const request = {
    host: "alidns.aliyuncs.com",
    action: "DescribeDomainRecords",
    body: "DomainName=shop.example&PageNumber=1&PageSize=500",
  };
  const keys = { id: "LTAI-example", secret: "ali-secret-example" };
  const at = new Date("2026-11-16T04:05:06Z");
  const signed = signAcs3(request, keys, at, "a0b1c2d3-0000-4000-8000-000000000001");
  assert.equal(
    signed["authorization"],
    "ACS3-HMAC-SHA256 Credential=LTAI-example,SignedHeaders=content-type;host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=a54e78f2e679e79cb978b527a77b24c7ee5a42ca53545419864d9fb92cb8db8e",
  );
});
