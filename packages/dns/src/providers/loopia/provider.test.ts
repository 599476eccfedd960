import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  remove,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startLoopia } from "../../../conformance/simulators/loopia.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { loopia } from "./provider.ts";

const untimed = "a throttled answer has status 200 and names no pause";

runConformance(loopia, {
  simulator: startLoopia,
  skippedSince: "2026-11-18",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
  ],
});

const signal = new AbortController().signal;

describe("loopia", () => {
  it("removes a subdomain with its last record, and no other", () =>
    withZone(loopia, startLoopia, suiteZone, async ({ backend, provider, zone }) => {
      const [first, second] = ["192.0.2.1", "192.0.2.2"].map((value) => rec("shop", "A", value));
      assert.ok(first && second);
      await backend.seed(suiteZone, [first, second, rec("@", "A", "192.0.2.1")]);
      await provider.apply(zone, makePlan(suiteZone, [remove(first)]), signal);
      assert.deepEqual(backend.subdomains(suiteZone), ["@", "shop"]);
      const apex = rec("@", "A", "192.0.2.1");
      await provider.apply(zone, makePlan(suiteZone, [remove(second), remove(apex)]), signal);
      assert.deepEqual(backend.subdomains(suiteZone), ["@"]);
    }));

  it("waits for its share of the calls while it reads a zone, and gives up in the end", () =>
    withZone(loopia, startLoopia, suiteZone, async ({ backend, zone }) => {
      const hosts = Array.from({ length: 80 }, (_, at) => rec(`host${at}`, "A", "192.0.2.1"));
      await backend.seed(suiteZone, hosts);
      backend.allowCalls(60);
      let pauses = 0;
      const wait = async () => {
        pauses += 1;
        if (pauses === 3) backend.allowCalls(60);
      };
      const provider = loopia.open(backend.credentials, { fetch: backend.fetch, wait });
      assert.equal((await provider.listRecords(zone, signal)).records.length, 80);
      assert.equal(pauses, 3);
      backend.allowCalls(10);
      await assert.rejects(provider.listRecords(zone, signal), (error) => {
        assert.ok(error instanceof ProviderError);
        assert.deepEqual([error.kind, error.retryAfterSeconds], ["rate_limited", 60]);
        return true;
      });
    }));

  it("refuses a mail exchanger without a host before it writes anything", () =>
    withZone(loopia, startLoopia, suiteZone, async ({ backend, provider, zone }) => {
      const records = [rec("app", "A", "192.0.2.1"), rec("app", "MX", ".", { priority: 0 })];
      await assert.rejects(
        provider.apply(zone, makePlan(suiteZone, records.map(create)), signal),
        (error) => error instanceof ProviderError && error.kind === "unsupported",
      );
      assert.equal(backend.writeCount(), 0);
    }));

  it("reads a target without a closing dot as one of the zone", () =>
    withZone(loopia, startLoopia, suiteZone, async ({ backend, zone }) => {
      await backend.seed(suiteZone, [
        rec("lists", "MX", "mx.conformance.example", { priority: 5 }),
      ]);
      const fetch = async (url: string, init: RequestInit) => {
        const answer = await (await backend.fetch(url, init)).text();
        return new Response(answer.replace("mx.conformance.example.", "mx"));
      };
      const provider = loopia.open(backend.credentials, { fetch, wait: async () => undefined });
      const { records } = await provider.listRecords(zone, signal);
      assert.deepEqual(
        records.map(({ value, priority }) => [value, priority]),
        [["mx.conformance.example", 5]],
      );
    }));

  it("tells faults apart by their code", async () => {
    const kinds = { 429: "rate_limited", 401: "auth", 623: "unsupported" };
    for (const [code, kind] of Object.entries(kinds)) {
      const member = (name: string, value: string) =>
        `<member><name>${name}</name><value>${value}</value></member>`;
      const members = [
        member("faultCode", `<int>${code}</int>`),
        member("faultString", "<string>no</string>"),
      ];
      const body = `<methodResponse><fault><value><struct>${members.join("")}</struct></value></fault></methodResponse>`;
      const provider = loopia.open(
        { username: "name@loopiaapi", password: "p4ssw0rd" },
        { fetch: async () => new Response(body), wait: async () => undefined },
      );
      await assert.rejects(provider.listZones(signal), (error) => {
        assert.ok(error instanceof ProviderError);
        assert.equal(error.kind, kind, code);
        return true;
      });
    }
  });
});
