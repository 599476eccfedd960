import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startWebsupport } from "../../../conformance/simulators/websupport.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { websupport } from "./provider.ts";
import { signRequest } from "./sign-request.ts";

runConformance(websupport, { simulator: startWebsupport });

const signal = new AbortController().signal;

describe("websupport", () => {
  it("leaves records alone that have no number, and those of which only a part is shown", () =>
    withZone(websupport, startWebsupport, suiteZone, async ({ backend, provider, zone }) => {
      await backend.plant?.(suiteZone, { ...rec("www", "A", "192.0.2.1"), extras: { id: null } });
      const authority = { ...rec("@", "CAA", '0 issue "ca.example.net"'), extras: {} };
      await backend.plant?.(suiteZone, { ...authority, value: "ca.example.net" });
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.deepEqual(
        opaque.map(({ name, type }) => [name, type]),
        [
          [`www.${suiteZone}`, "A"],
          [suiteZone, "CAA"],
        ],
      );
    }));

  it("refuses what it would drop, or not accept, before it writes anything", () =>
    withZone(websupport, startWebsupport, suiteZone, async ({ backend, provider, zone }) => {
      for (const record of [
        rec("team", "NS", "ns1.example.net"),
        rec("team", "CAA", '0 issue "ca.example.net"'),
        rec("team", "MX", ".", { priority: 0 }),
        rec("_imap._tcp", "SRV", "0 0 .", { priority: 0 }),
      ]) {
        const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1")), create(record)]);
        await assert.rejects(
          provider.apply(zone, plan, signal),
          (error) => error instanceof ProviderError && error.kind === "unsupported",
        );
      }
      assert.equal(backend.writeCount(), 0);
    }));
});

/** The signature that lego's test expects for the same request. */
it("signs as another client does, and leaves the query out", () => {
  const request = { method: "GET", url: "https://rest.websupport.sk/v1/user/self/service?page=1" };
  const at = new Date("2025-06-28T01:02:03.400Z");
  const signed = signRequest(request, { apiKey: "user", secret: "secret" }, at);
  const login = Buffer.from("user:743e2257421b260ed561f3e7af4b035414636393").toString("base64");
  assert.deepEqual(signed, {
    authorization: `Basic ${login}`,
    date: "2025-06-28T01:02:03Z",
    "x-date": "2025-06-28T01:02:03Z",
  });
});
