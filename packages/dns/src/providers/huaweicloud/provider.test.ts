import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startHuaweicloud } from "../../../conformance/simulators/huaweicloud.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { huaweicloud } from "./provider.ts";
import { signSdkHmac } from "./sdk-hmac.ts";

runConformance(huaweicloud, { simulator: startHuaweicloud });

const keys = { id: "AccessKey", secret: "SecretKey" };
const at = new Date("2006-01-02T15:04:05Z");
const { signal } = new AbortController();

/** Made by the official SDKs for Go (its own test) and for Node.js (3.1.211). */
describe("the signature of Huawei Cloud", () => {
  const signatures = [
    [
      "5a2ce64c865e0e6046321c6f3d5a77ba8413eeaf355c3166c03d58d02ac79624",
      { method: "GET", url: "https://example.huaweicloud.com/path?limit=1", body: "" },
      false,
    ],
    [
      "cecc2af119b18ab70b4d094c0750f3b42c02f254903179a0fc2cc72fc9db4f59",
      {
        method: "POST",
        url: "https://example.huaweicloud.com/path?key=value",
        body: '{"Name":"test","Id":1}\n',
      },
      false,
    ],
    [
      "088240e396b3345ea9a134f554403220317f9064bd4fb272a29c16ce41ee6be7",
      {
        method: "GET",
        url: "https://dns.ap-southeast-1.myhuaweicloud.com/v2/zones?limit=500&marker=a%2Fb%20c~*",
        body: "",
      },
      true,
    ],
    [
      "3433e5b43da3fbcba05aa49859f68fd4106dd35f1813e1226f10480fe6e66237",
      {
        method: "POST",
        url: "https://dns.ap-southeast-1.myhuaweicloud.com/v2.1/zones/2c9e/recordsets",
        body: '{"name":"app.conformance.example.","type":"A","ttl":300,"records":["192.0.2.1"]}',
      },
      true,
    ],
  ] as const;
  for (const [signature, request, signsHost] of signatures) {
    it(`is the SDK's: ${request.method} ${signsHost ? "with" : "without"} the host`, () => {
      const names = signsHost ? "host;x-sdk-date" : "x-sdk-date";
      assert.deepEqual(signSdkHmac(request, keys, at, signsHost), {
        "x-sdk-date": "20060102T150405Z",
        authorization: `SDK-HMAC-SHA256 Access=AccessKey, SignedHeaders=${names}, Signature=${signature}`,
      });
    });
  }
});

describe("a zone at Huawei Cloud", () => {
  it("keeps sets of one line, with a weight, of a resource, or switched off", () =>
    withZone(
      huaweicloud,
      startHuaweicloud,
      suiteZone,
      async ({ backend, provider, zone, signal: waiting }) => {
        const settings = [
          { line: "Dianxin" },
          { weight: 20 },
          { alias_target: { resource_type: "elb" }, records: [] },
          { status: "DISABLE" },
          { id: "" },
        ];
        for (const [index, extras] of settings.entries()) {
          await backend.plant?.(suiteZone, { ...rec(`app${index}`, "A", "192.0.2.1"), extras });
        }
        await backend.plant?.(suiteZone, {
          ...rec("gone", "A", "192.0.2.1"),
          extras: { status: "PENDING_DELETE" },
        });
        const { opaque, records } = await provider.listRecords(zone, waiting);
        assert.deepEqual(records, []);
        assert.equal(opaque.length, settings.length);
        for (const index of settings.keys()) {
          const plan = makePlan(suiteZone, [create(rec(`app${index}`, "A", "192.0.2.2"))]);
          await assert.rejects(provider.apply(zone, plan, waiting), { kind: "conflict" });
        }
        assert.equal(backend.writeCount(), 0);
        const servers = await provider.readNameservers?.(zone, waiting);
        assert.deepEqual(servers, ["ns1.huaweicloud-dns.com", "ns1.huaweicloud-dns.cn"]);
      },
    ));

  const opened = (recordsets: readonly unknown[], region = "") => {
    const sent: { readonly url: string; readonly init: RequestInit }[] = [];
    const fetch: Fetch = async (url, init) => {
      sent.push({ url, init });
      return Response.json({ recordsets, links: {}, metadata: { total_count: recordsets.length } });
    };
    const credentials = { access_key_id: "AK", secret_access_key: "secret", region };
    return { provider: huaweicloud.open(credentials, { fetch }), sent };
  };
  const zone = { id: "z1", name: suiteZone, nameservers: [] };
  const set = (id: string, value: string) => ({
    id,
    name: `app.${suiteZone}.`,
    type: "A",
    ttl: 300,
    records: [value],
    line: "default_view",
    weight: 1,
    description: "made by hand",
    status: "ACTIVE",
  });

  it("is not written where one name and type is stored as several sets", async () => {
    const { provider, sent } = opened([set("s1", "192.0.2.1"), set("s2", "192.0.2.2")]);
    const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.3"))]);
    await assert.rejects(provider.apply(zone, plan, signal), /several sets/);
    assert.ok(sent.every(({ init }) => init.method === "GET"));
  });

  it("keeps the description and the weight of a set that is changed", async () => {
    const { provider, sent } = opened([set("s1", "192.0.2.1")]);
    const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.3"))]);
    await provider.apply(zone, plan, signal);
    const { url, init } = sent.at(-1) ?? assert.fail("nothing was sent");
    assert.equal(
      `${init.method} ${url}`,
      `PUT https://dns.myhuaweicloud.com/v2.1/zones/z1/recordsets/s1`,
    );
    assert.deepEqual(JSON.parse(String(init.body)), {
      name: `app.${suiteZone}.`,
      type: "A",
      ttl: 300,
      records: ["192.0.2.1", "192.0.2.3"],
      weight: 1,
      description: "made by hand",
    });
  });

  it("is asked for in a region that exists, and takes no null MX", async () => {
    assert.throws(() => opened([], "ap-southeast-1.evil"), { kind: "auth" });
    const { provider, sent } = opened([], "cn-south-1");
    const plan = makePlan(suiteZone, [create(rec("@", "MX", ".", { priority: 0 }))]);
    await assert.rejects(provider.apply(zone, plan, signal), { kind: "unsupported" });
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).host),
      ["dns.cn-south-1.myhuaweicloud.com"],
    );
  });
});
