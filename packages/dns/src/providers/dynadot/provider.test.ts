import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startDynadot } from "../../../conformance/simulators/dynadot.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { dynadot } from "./provider.ts";
import { sign } from "./signature.ts";

runConformance(dynadot, {
  simulator: startDynadot,
  skippedSince: "2026-11-18",
  skip: [
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "a zone has one TTL, which is sent back as it is",
    },
  ],
});

const { signal } = new AbortController();

function opened(answers: (init: RequestInit) => Response) {
  const sent: RequestInit[] = [];
  const fetch: Fetch = async (_url, init) => {
    sent.push(init);
    return answers(init);
  };
  const keys = { api_key: "key", api_secret: "secret" };
  return { provider: dynadot.open(keys, { fetch, wait: async () => undefined }), sent };
}

const zone = { id: suiteZone, name: suiteZone, nameservers: [] };

function listing(glue: Readonly<Record<string, unknown>>): Response {
  return Response.json({ code: 200, message: "Success", data: { glue_info: glue } });
}

describe("a zone at Dynadot", () => {
  it("is signed as another client signs it", () => {
    const path = "/restful/v2/domains/example.com/records";
    assert.equal(sign("key", "secret", path, ""), "bmpyYo9wpBlZBrcjmZOGrHdp1nQcsesmr8fxibvpefA=");
  });

  it("keeps its TTL, whatever a new record asks for", () =>
    withZone(dynadot, startDynadot, suiteZone, async ({ backend, provider, zone: found }) => {
      await backend.seed(suiteZone, [rec("@", "A", "192.0.2.1", { ttl: 1_800 })]);
      const plan = makePlan(suiteZone, [create(rec("shop", "A", "192.0.2.2", { ttl: 600 }))]);
      await provider.apply(found, plan, signal);
      const ttls = (await backend.records(suiteZone)).map(({ ttl }) => ttl);
      assert.deepEqual(ttls, [1_800, 1_800]);
    }));

  it("shows forwards and mail aliases and sends none of them back", async () => {
    const glue = {
      glue_type: "DNS",
      ttl: "300",
      dns_main_list: [
        { record_type: "forward", record_value1: "https://a.example/", record_value2: "301" },
        { record_type: "email", record_value1: "user@example.net", record_value2: "sales" },
      ],
      dns_sub_list: [
        { record_type: "stealth", record_value1: "https://b.example/", sub_host: "www" },
      ],
    };
    const { provider, sent } = opened(({ method = "GET" }) =>
      method === "GET" ? listing(glue) : Response.json({ code: 200, message: "Success" }),
    );
    const { records, opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(records, []);
    assert.deepEqual(
      opaque.map(({ type, isAddress }) => [type, isAddress]),
      [
        ["REDIRECT", true],
        ["EMAIL", false],
        ["FRAME", true],
      ],
    );
    await provider.apply(
      zone,
      makePlan(suiteZone, [create(rec("shop", "A", "192.0.2.1"))]),
      signal,
    );
    assert.deepEqual(JSON.parse(String(sent.at(-1)?.body)), {
      dns_sub_list: [{ sub_host: "shop", record_type: "a", record_value1: "192.0.2.1" }],
      ttl: 300,
      add_dns_to_current_setting: true,
    });
  });

  it("adds nothing where the removal had no effect", async () => {
    const old = rec("shop", "A", "192.0.2.1");
    const row = { sub_host: "shop", record_type: "a", record_value1: "192.0.2.1" };
    const glue = { glue_type: "DNS", ttl: "300", dns_sub_list: [row] };
    const { provider, sent } = opened(({ method = "GET" }) =>
      method === "GET" ? listing(glue) : Response.json({ code: 200, message: "Success" }),
    );
    const plan = makePlan(suiteZone, [update(rec("shop", "A", "192.0.2.2"), old)]);
    await assert.rejects(provider.apply(zone, plan, signal), /did not remove/);
    assert.ok(!sent.some(({ method }) => method === "POST"));
  });

  it("that is elsewhere is not found, and a refusal in the body counts", async () => {
    const elsewhere = opened(() => listing({ glue_type: "NAME_SERVERS" }));
    await assert.rejects(elsewhere.provider.listRecords(zone, signal), { kind: "not_found" });
    const refusals = [
      [400, "This command requires X-Signature", "auth"],
      [403, "The domain doesn't have main dns.", "conflict"],
      [403, "The request is not allowed from the current IP address.", "auth"],
      [429, "Cannot add DNS for x. The Dns Settings reached the upper limit.", "unsupported"],
    ] as const;
    for (const [code, description, kind] of refusals) {
      for (const status of [200, code]) {
        const { provider } = opened(() =>
          Response.json({ code, message: "", error: { description } }, { status }),
        );
        await assert.rejects(provider.listRecords(zone, signal), { kind }, description);
      }
    }
  });

  it("has no service or delegation at its apex", async () => {
    const { provider, sent } = opened(() => listing({ glue_type: "DNS", ttl: "300" }));
    const plan = makePlan(suiteZone, [create(rec("@", "NS", "ns1.example.net"))]);
    await assert.rejects(provider.apply(zone, plan, signal), { kind: "unsupported" });
    assert.equal(sent.length, 1);
  });
});
