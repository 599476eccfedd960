import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startNamesilo } from "../../../conformance/simulators/namesilo.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { namesilo } from "./provider.ts";

runConformance(namesilo, {
  simulator: startNamesilo,
  without: ["SRV"],
  skippedSince: "2026-11-16",
  skip: [
    {
      test: "creates and deletes a service, and nothing twice",
      reason: "no public client writes SRV records; writing them is refused, tested below",
    },
  ],
});

const signal = new AbortController().signal;

describe("namesilo", () => {
  it("refuses a type whose form is not known before it writes anything", () =>
    withZone(namesilo, startNamesilo, suiteZone, async ({ backend, provider, zone }) => {
      const records = [
        rec("app", "A", "192.0.2.1"),
        rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 }),
      ];
      await assert.rejects(
        provider.apply(zone, makePlan(suiteZone, records.map(create)), signal),
        (error) => error instanceof ProviderError && error.kind === "unsupported",
      );
      assert.equal(backend.writeCount(), 0);
    }));

  it("does not repeat a write whose answer was lost, though it is a GET", () =>
    withZone(namesilo, startNamesilo, suiteZone, async ({ backend, zone }) => {
      const sent: string[] = [];
      const fetch: Fetch = async (url, init) => {
        const answer = await backend.fetch(url, init);
        const operation = new URL(url).pathname;
        sent.push(operation);
        if (operation.endsWith("dnsAddRecord")) throw new Error("the connection broke");
        return answer;
      };
      const provider = namesilo.open(backend.credentials, { fetch, wait: async () => undefined });
      const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
      await assert.rejects(provider.apply(zone, plan, signal));
      assert.deepEqual(sent, ["/api/dnsListRecords", "/api/dnsAddRecord"]);
    }));

  it("has its errors in answers of status 200, and never repeats the key", async () => {
    const kinds = {
      110: "auth",
      113: "auth",
      200: "not_found",
      201: "unavailable",
      400: "rate_limited",
    };
    const key = "k0123456789";
    for (const [code, kind] of Object.entries(kinds)) {
      const reply = `<reply><code>${code}</code><detail>No: ${key}</detail></reply>`;
      const fetch = async () => new Response(`<namesilo>${reply}</namesilo>`);
      const provider = namesilo.open({ api_key: key }, { fetch, wait: async () => undefined });
      await assert.rejects(provider.listZones(signal), (error) => {
        assert.ok(error instanceof ProviderError);
        assert.equal(error.kind, kind, code);
        assert.ok(!error.message.includes(key), error.message);
        return true;
      });
    }
  });
});
