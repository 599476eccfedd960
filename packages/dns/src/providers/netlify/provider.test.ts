import assert from "node:assert/strict";
import { it } from "node:test";
import {
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startNetlify } from "../../../conformance/simulators/netlify.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { netlify } from "./provider.ts";

runConformance(netlify, { simulator: startNetlify });

/**
 * StackExchange/dnscontrol at 7a079bc2, providers/netlify/netlifyProvider.go, and libdns/netlify at
 * 0d8ede37, client.go: every change deletes before it posts.
 */
it("deletes before it posts where only the TTL or the priority changes", () =>
  withZone(netlify, startNetlify, suiteZone, async ({ backend, zone, signal }) => {
    const before = [
      rec("app", "A", "192.0.2.1", { ttl: 7_200 }),
      rec("app", "MX", "mx.example.net", { priority: 10 }),
    ] as const;
    for (const one of before) await backend.plant?.(suiteZone, { ...one, extras: {} });
    const after = [
      { ...before[0], ttl: 300 },
      { ...before[1], priority: 20 },
    ] as const;
    const sent: string[] = [];
    const fetch: Fetch = (url, init) => {
      if (init.method !== "GET") sent.push(String(init.method));
      return backend.fetch(url, init);
    };
    const provider = netlify.open(backend.credentials, { fetch });
    const plan = makePlan(suiteZone, [update(after[0], before[0]), update(after[1], before[1])]);
    await provider.apply(zone, plan, signal);
    assert.deepEqual(sent, ["DELETE", "POST", "DELETE", "POST"]);
    const stored = (await backend.records(suiteZone)).map(({ type, ttl, priority }) => [
      type,
      ttl,
      priority,
    ]);
    assert.deepEqual(stored.sort(), [
      ["A", 300, null],
      ["MX", 3_600, 20],
    ]);
  }));

it("posts a record of which only the deletion was made before a failure", () =>
  withZone(netlify, startNetlify, suiteZone, async ({ backend, provider, zone, signal }) => {
    const before = rec("app", "A", "192.0.2.1", { ttl: 7_200 });
    await backend.plant?.(suiteZone, { ...before, extras: {} });
    const plan = makePlan(suiteZone, [update({ ...before, ttl: 300 }, before)]);
    const failing: Fetch = (url, init) =>
      init.method === "POST" ? Promise.reject(new Error("reset")) : backend.fetch(url, init);
    const broken = netlify.open(backend.credentials, {
      fetch: failing,
      wait: async () => undefined,
    });
    await assert.rejects(broken.apply(zone, plan, signal));
    assert.deepEqual(await backend.records(suiteZone), []);
    await provider.apply(zone, plan, signal);
    assert.deepEqual(
      (await backend.records(suiteZone)).map(({ ttl }) => ttl),
      [300],
    );
  }));
