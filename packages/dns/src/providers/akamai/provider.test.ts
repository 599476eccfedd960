import assert from "node:assert/strict";
import { it } from "node:test";
import { rec, suiteZone, withZone } from "../../../conformance/bench.ts";
import { startAkamai } from "../../../conformance/simulators/akamai.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { akamai } from "./provider.ts";

runConformance(akamai, { simulator: startAkamai });

it("sends its keys to hosts of Akamai only", () => {
  const environment = { fetch: () => Promise.reject(new Error("nothing is sent")) };
  const keys = { client_token: "a", client_secret: "b", access_token: "c" };
  const hosts = ["example.net", "luna.akamaiapis.net.example.net", "a.luna.akamaiapis.net@b.c"];
  for (const host of hosts) {
    assert.throws(() => akamai.open({ host, ...keys }, environment), /luna\.akamaiapis\.net/);
  }
  akamai.open({ host: "https://akab-1.luna.akamaiapis.net/", ...keys }, environment);
});

it("leaves out zones whose records are elsewhere, and shows what leads to a property", () =>
  withZone(akamai, startAkamai, suiteZone, async ({ backend, provider, zone, signal }) => {
    await backend.seed("second.example", []);
    const marker = { ...rec("@", "TXT", "secondary"), extras: { zoneType: "SECONDARY" } };
    await backend.plant?.("second.example", marker);
    await backend.seed(suiteZone, [rec("@", "NS", "a1-23.akam.net")]);
    const mapping = {
      ...rec("@", "A", "192.0.2.1"),
      type: "AKAMAICDN",
      value: "shop.edgesuite.net",
    };
    await backend.plant?.(suiteZone, { ...mapping, extras: {} });
    const names = (await provider.listZones(signal)).map(({ name }) => name);
    assert.deepEqual(names, [suiteZone]);
    const { opaque } = await provider.listRecords(zone, signal);
    assert.deepEqual(
      opaque.map(({ type, isAddress }) => [type, isAddress]),
      [["ALIAS", true]],
    );
    assert.deepEqual(await provider.nameserversOf?.(zone, signal), ["a1-23.akam.net"]);
  }));
