import assert from "node:assert/strict";
import { it } from "node:test";
import { findProvider } from "@mooring/dns";
import { guideFor } from "./guide.ts";

it("the panel of a sandbox zone is the demo's own, where there is one", () => {
  const manifest = findProvider("sandbox") ?? null;
  const links = (demoUrl: string | null, zone: string) => {
    const config = { demoUrl, egressIpv4: [], egressIpv6: [] };
    const input = { manifest, slug: "sandbox", zone, domainConnect: false, oauth: false };
    const { token, panel } = guideFor(config, input);
    return [token?.url, panel?.url];
  };
  const own = "http://localhost:8082/dns?zone=acme.test";
  assert.deepEqual(links("http://localhost:8082/", "acme.test"), [own, own]);
  for (const [token, panel] of [
    links(null, "acme.test"),
    links("http://localhost:8082/", "acme.example"),
  ]) {
    assert.ok(token !== own && panel === undefined);
  }
});
