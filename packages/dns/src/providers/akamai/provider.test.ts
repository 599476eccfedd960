import assert from "node:assert/strict";
import { it } from "node:test";
import { rec, suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startAkamai } from "../../../conformance/simulators/akamai.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { edgeGridHeader } from "./edgegrid.ts";
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
    assert.deepEqual(await provider.readNameservers?.(zone, signal), ["a1-23.akam.net"]);
  }));

/** Signatures that akamai-edgegrid 4.0.4, Akamai's own client, makes for the same requests. */
it("signs as Akamai's own client does", () => {
  const keys = {
    clientToken: "akab-client",
    clientSecret: "c2VjcmV0LXNlY3JldA==",
    accessToken: "akab-access",
  };
  const set = "/zones/shop.example/names/www.shop.example/types/A";
  const added = '{"name":"www.shop.example","type":"A","ttl":300,"rdata":["192.0.2.1"]}';
  const vectors = [
    ["GET", "/zones?showAll=true", "", "q7GR+Dug/NdpAUvP0xxEBuCGI8GaHnAByrAsB9TKPwU="],
    ["POST", set, added, "cIp0i/nzXE3lY1VMBFKKN+fDSDzuhSf21QMSTAsNjXA="],
    ["PUT", set, '{"a":1}', "D3rdc0Zme7mmf8eSAdJjIs03BzXA6qB+gnTR16TvxB0="],
  ] as const;
  for (const [method, path, body, signature] of vectors) {
    const url = `https://akab-1.luna.akamaiapis.net/config-dns/v2${path}`;
    const at = new Date("2026-11-16T04:05:06Z");
    const nonce = "a0b1c2d3-0000-4000-8000-000000000001";
    const header = edgeGridHeader(keys, { method, url, body }, at, nonce);
    const expected = `EG1-HMAC-SHA256 client_token=akab-client;access_token=akab-access;timestamp=20261116T04:05:06+0000;nonce=${nonce};signature=${signature}`;
    assert.equal(header, expected);
  }
});
