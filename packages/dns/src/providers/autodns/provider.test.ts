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
import { startAutodns } from "../../../conformance/simulators/autodns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { autodns } from "./provider.ts";

runConformance(autodns, { simulator: startAutodns });

const signal = new AbortController().signal;

describe("autodns", () => {
  it("shows the main address at the apex and at www, and leaves it alone", () =>
    withZone(autodns, startAutodns, suiteZone, async ({ backend, provider, zone }) => {
      const main = { ...rec("@", "A", "192.0.2.1"), extras: { main: true, www: true } };
      await backend.plant?.(suiteZone, main);
      const { opaque, records } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.deepEqual(
        opaque.map(({ name, type, isAddress }) => [name, type, isAddress]),
        [
          [suiteZone, "A", true],
          [`www.${suiteZone}`, "A", true],
        ],
      );
      assert.deepEqual(await provider.readNameservers?.(zone, signal), [
        "a.ns14.net",
        "b.ns14.net",
        "c.ns14.net",
        "d.ns14.net",
      ]);
    }));

  it("writes a plan by one request, and names what goes as it is listed", () =>
    withZone(autodns, startAutodns, suiteZone, async ({ backend, zone }) => {
      const before = rec("lists", "MX", "a.example.net", { priority: 10, ttl: 86_400 });
      await backend.seed(suiteZone, [before]);
      const bodies: unknown[] = [];
      const fetch: Fetch = (url, init) => {
        if (url.endsWith("/_stream")) bodies.push(JSON.parse(String(init.body)));
        return backend.fetch(url, init);
      };
      const provider = autodns.open(backend.credentials, { fetch, wait: async () => undefined });
      const after = rec("lists", "MX", "b.example.net", { priority: 10 });
      const service = rec("_sip._tcp", "SRV", "5 5060 sip.example.net", { priority: 1 });
      const changes = [update(after, before), create(service)];
      await provider.apply(zone, makePlan(suiteZone, changes), signal);
      assert.deepEqual(bodies, [
        {
          adds: [
            { name: "lists", type: "MX", ttl: 3_600, value: "b.example.net.", pref: 10 },
            {
              name: "_sip._tcp",
              type: "SRV",
              ttl: 3_600,
              value: "5 5060 sip.example.net.",
              pref: 1,
            },
          ],
          // Its TTL is the zone's, which the list leaves out.
          rems: [{ name: "lists", type: "MX", value: "a.example.net.", pref: 10 }],
        },
      ]);
    }));

  it("does not repeat a change whose answer was lost, and calls a duplicate a conflict", () =>
    withZone(autodns, startAutodns, suiteZone, async ({ backend, zone }) => {
      let sent = 0;
      let isLost = true;
      const fetch: Fetch = async (url, init) => {
        const answer = await backend.fetch(url, init);
        if (!url.endsWith("/_stream")) return isLost ? answer : emptied(answer);
        sent += 1;
        if (isLost) throw new Error("the connection broke");
        return answer;
      };
      const provider = autodns.open(backend.credentials, { fetch, wait: async () => undefined });
      const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
      await assert.rejects(provider.apply(zone, plan, signal), isKind("unavailable"));
      assert.equal(sent, 1);
      isLost = false;
      await assert.rejects(provider.apply(zone, plan, signal), isKind("conflict"));
    }));
});

/** The zone as somebody saw it who did not see its records. */
async function emptied(answer: Response): Promise<Response> {
  const body: { data: { resourceRecords: unknown }[] } = JSON.parse(await answer.text());
  const data = body.data.map((one) => ({ ...one, resourceRecords: [] }));
  return new Response(JSON.stringify({ ...body, data }));
}

function isKind(kind: ProviderError["kind"]): (error: unknown) => boolean {
  return (error) => error instanceof ProviderError && error.kind === kind;
}
