import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createNetworks } from "../listen/networks.ts";
import { createForwardedClients, rememberCdn } from "./forwarded-client.ts";

describe("the client that the edge names to an origin", () => {
  const client = createForwardedClients(createNetworks(["10.0.0.0/8", "2001:db8::/32"]));

  it("is the peer, whatever an untrusted peer sends", () => {
    const fields = ["x-forwarded-for", "6.6.6.6", "forwarded", "for=6.6.6.6"];
    assert.deepEqual(client(fields, "192.0.2.1"), {
      address: "192.0.2.1",
      forwardedFor: "192.0.2.1",
      forwarded: null,
    });
  });

  it("is the last address before the trusted proxies, whose chain is continued", () => {
    const cases: readonly (readonly [chain: string, address: string])[] = [
      ["192.0.2.1", "192.0.2.1"],
      ["6.6.6.6, 192.0.2.1", "192.0.2.1"],
      ["6.6.6.6, 192.0.2.1, 10.0.0.7", "192.0.2.1"],
      ["192.0.2.1:4711", "192.0.2.1"],
      ["[2a00::1]:4711", "2a00::1"],
      ["10.0.0.8", "10.0.0.8"],
      ["192.0.2.1, unknown", "10.0.0.1"],
      ["192.0.2.1, unknown, 10.0.0.7", "10.0.0.7"],
    ];
    for (const [chain, address] of cases) {
      const found = client(["accept", "*/*", "x-forwarded-for", chain], "10.0.0.1");
      assert.deepEqual(found, { address, forwardedFor: `${chain}, 10.0.0.1`, forwarded: null });
    }
  });

  it("is found over several lines, and in Forwarded", () => {
    const lines = ["x-forwarded-for", "6.6.6.6", "x-forwarded-for", "192.0.2.1"];
    assert.equal(client(lines, "2001:db8::5").forwardedFor, "6.6.6.6, 192.0.2.1, 2001:db8::5");
    assert.deepEqual(
      client(["forwarded", 'for="[2a00::1]:80";proto=http, for=10.0.0.9'], "10.0.0.1"),
      {
        address: "2a00::1",
        forwardedFor: "2a00::1, 10.0.0.9, 10.0.0.1",
        forwarded: 'for="[2a00::1]:80";proto=http, for=10.0.0.9, for=10.0.0.1;proto=https',
      },
    );
  });

  it("is whom a CDN names, and only from the networks of that CDN", () => {
    const named = createForwardedClients(
      createNetworks(["10.0.0.0/8"]),
      rememberCdn((address) => {
        if (address.startsWith("104.16.")) return "cloudflare";
        return address.startsWith("151.101.") ? "fastly" : null;
      }),
    );
    const by = "cf-connecting-ip";
    const chained = "x-forwarded-for";
    const cases: readonly (readonly [peer: string, fields: readonly string[], address: string])[] =
      [
        ["104.16.0.1", [by, "192.0.2.1", chained, "6.6.6.6"], "192.0.2.1"],
        ["104.16.0.1", [by, "2a00::1"], "2a00::1"],
        ["104.16.0.1", [chained, "6.6.6.6, 192.0.2.1, 104.16.0.9"], "192.0.2.1"],
        ["104.16.0.1", [by, "6.6.6.6", by, "192.0.2.1"], "104.16.0.1"],
        ["104.16.0.1", [by, "unknown"], "104.16.0.1"],
        ["104.16.0.1", [], "104.16.0.1"],
        ["151.101.0.1", [by, "6.6.6.6", chained, "192.0.2.1"], "192.0.2.1"],
        ["151.101.0.1", [by, "6.6.6.6"], "151.101.0.1"],
        ["192.0.2.9", [by, "6.6.6.6", chained, "6.6.6.6"], "192.0.2.9"],
        // A balancer of ours in front of the edge names the CDN, which names the visitor.
        ["10.0.0.1", [by, "192.0.2.1", chained, "192.0.2.1, 104.16.0.1"], "192.0.2.1"],
        ["10.0.0.1", [chained, "6.6.6.6, 192.0.2.1, 151.101.0.1"], "192.0.2.1"],
        ["10.0.0.1", [by, "6.6.6.6", chained, "192.0.2.1"], "192.0.2.1"],
      ];
    for (const [peer, fields, address] of cases) {
      const found = named(fields, peer);
      assert.equal(found.address, address, `${peer} ${fields.join(" ")}`);
      const expected = address === peer ? peer : `${address}, ${peer}`;
      if (!peer.startsWith("10.")) assert.equal(found.forwardedFor, expected);
    }
  });

  it("is the trusted proxy itself when that names nobody", () => {
    const found = client([], "10.0.0.1");
    assert.deepEqual(found, { address: "10.0.0.1", forwardedFor: "10.0.0.1", forwarded: null });
  });
});
