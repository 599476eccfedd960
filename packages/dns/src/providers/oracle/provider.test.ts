import assert from "node:assert/strict";
import { it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startOracle } from "../../../conformance/simulators/oracle.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { oracle } from "./provider.ts";

runConformance(oracle, { simulator: startOracle });

it("sends signed requests to a region of Oracle only", () =>
  withZone(oracle, startOracle, suiteZone, async ({ backend }) => {
    const environment = { fetch: () => Promise.reject(new Error("nothing is sent")) };
    for (const region of ["x.example/", "eu-frankfurt-1.example.net", "EU"]) {
      const given = { ...backend.credentials, region };
      assert.throws(() => oracle.open(given, environment), /Region must be/);
    }
  }));

it("leaves records that Oracle manages alone, and asks for the zone's servers", () =>
  withZone(oracle, startOracle, suiteZone, async ({ backend, provider, zone, signal }) => {
    const server = rec("@", "NS", "ns1.p201.dns.oraclecloud.net");
    await backend.plant?.(suiteZone, { ...server, extras: { isProtected: true } });
    const plan = makePlan(suiteZone, [create(rec("@", "NS", "ns1.example.net"))]);
    await assert.rejects(
      provider.apply(zone, plan, signal),
      (error) => error instanceof ProviderError && error.kind === "conflict",
    );
    assert.equal(backend.writeCount(), 0);
    const servers = await provider.readNameservers?.(zone, signal);
    assert.deepEqual(servers, ["ns1.p201.dns.oraclecloud.net"]);
  }));
