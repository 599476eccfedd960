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
import { startNetcup } from "../../../conformance/simulators/netcup.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { netcup } from "./provider.ts";

const untimed = "a throttled answer has status 200 and names no pause";

runConformance(netcup, {
  simulator: startNetcup,
  skippedSince: "2026-11-18",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
    {
      test: "lists every zone over all pages",
      reason: "the interface lists none; the domains are part of the credential",
    },
    {
      test: "raises a TTL that is too short and stores one that is not",
      reason: "records have no TTL of their own, only the zone has",
    },
  ],
});

const { signal } = new AbortController();
const initial = [rec("@", "A", "192.0.2.10"), rec("multi", "TXT", "first")];

describe("a zone at netcup", () => {
  it("is worked on in sessions that are all ended, also after a failure", () =>
    withZone(netcup, startNetcup, suiteZone, async ({ backend, provider, zone }) => {
      await backend.seed(suiteZone, initial);
      await provider.listRecords(zone, signal);
      const plan = makePlan(suiteZone, [create(rec("shop", "A", "192.0.2.1"))]);
      await provider.apply(zone, plan, signal);
      await assert.rejects(provider.listRecords(backend.missingZone, signal), {
        kind: "not_found",
      });
      assert.equal(backend.openSessions(), 0);
    }));

  it("is asked once more when the session is refused, and not without end", () =>
    withZone(netcup, startNetcup, suiteZone, async ({ backend, provider, zone }) => {
      await backend.seed(suiteZone, initial);
      backend.loseSessions(1);
      assert.equal((await provider.listRecords(zone, signal)).records.length, initial.length);
      backend.loseSessions(2);
      await assert.rejects(provider.listRecords(zone, signal), { kind: "unavailable" });
      assert.equal(backend.openSessions(), 0);
    }));

  it("may have no records, an apex by its sign, and rows without a key", () =>
    withZone(netcup, startNetcup, suiteZone, async ({ backend, provider, zone }) => {
      assert.deepEqual(await provider.listRecords(zone, signal), { records: [], opaque: [] });
      const alias = { ...rec("www", "CNAME", "example.net"), extras: { destination: "@" } };
      await backend.plant?.(suiteZone, alias);
      await backend.plant?.(suiteZone, { ...rec("app", "A", "192.0.2.1"), extras: { id: "" } });
      const { records, opaque } = await provider.listRecords(zone, signal);
      assert.deepEqual(
        records.map(({ value }) => value),
        [suiteZone],
      );
      assert.equal(opaque.length, 1);
      const plan = makePlan(suiteZone, [remove(rec("app", "A", "192.0.2.1"))]);
      await provider.apply(zone, plan, signal);
      assert.equal(backend.writeCount(), 0);
    }));

  it("takes no delegation and no null MX, and names only domains", async () => {
    await withZone(netcup, startNetcup, suiteZone, async ({ backend, provider, zone }) => {
      for (const record of [
        rec("team", "NS", "ns1.example.net"),
        rec("@", "MX", ".", { priority: 0 }),
      ]) {
        const plan = makePlan(suiteZone, [create(record)]);
        await assert.rejects(provider.apply(zone, plan, signal), { kind: "unsupported" });
      }
      assert.equal(backend.writeCount(), 0);
      const domains = "https://shop.example/";
      const given = { ...backend.credentials, domains };
      assert.throws(() => netcup.open(given, { fetch: backend.fetch }), { kind: "auth" });
    });
  });
});
