import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startHetzner } from "../../../conformance/simulators/hetzner.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { Fetch } from "../adapter/http.ts";
import { hetzner } from "./provider.ts";

runConformance(hetzner, { simulator: startHetzner });

it("repeats a change that another one came between", () =>
  withZone(hetzner, startHetzner, suiteZone, async ({ backend, zone, signal }) => {
    let refusals = 1;
    const fetch: Fetch = async (url, init) => {
      if (init.method !== "POST" || refusals === 0) return backend.fetch(url, init);
      refusals -= 1;
      const error = { code: "conflict", message: "the resource has changed during the request" };
      return Response.json({ error }, { status: 409 });
    };
    const provider = hetzner.open(backend.credentials, { fetch, wait: async () => undefined });
    const record = rec("app", "A", "192.0.2.1");
    await provider.apply(zone, makePlan(suiteZone, [create(record)]), signal);
    assert.equal((await backend.records(suiteZone)).length, 1);
  }));
