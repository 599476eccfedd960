import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startSelectel } from "../../../conformance/simulators/selectel.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { selectel } from "./provider.ts";

runConformance(selectel, { simulator: startSelectel });

it("does not rewrite a set that another product manages, or with a value that is switched off", () =>
  withZone(selectel, startSelectel, suiteZone, async ({ backend, provider, zone, signal }) => {
    const settings = [{ managed_by: "cdn" }, { disabled: true }];
    for (const [at, extras] of settings.entries()) {
      await backend.plant?.(suiteZone, { ...rec(`app${at}`, "A", "192.0.2.1"), extras });
      const plan = makePlan(suiteZone, [create(rec(`app${at}`, "A", "192.0.2.2"))]);
      await assert.rejects(
        provider.apply(zone, plan, signal),
        (error) => error instanceof ProviderError && error.kind === "conflict",
      );
    }
    assert.equal(backend.writeCount(), 0);
  }));

it("takes the servers of a zone from its own NS records, and its name in any spelling", () =>
  withZone(selectel, startSelectel, suiteZone, async ({ backend, provider, zone, signal }) => {
    await backend.seed(suiteZone, [rec("@", "NS", "a.ns.selectel.ru")]);
    const [now] = await provider.listZones(signal);
    assert.deepEqual(await provider.readNameservers?.(now ?? zone, signal), ["a.ns.selectel.ru"]);
    await backend.seed("bücher.example", []);
    const names = (await provider.listZones(signal)).map(({ name }) => name);
    assert.ok(names.includes("xn--bcher-kva.example"));
  }));
