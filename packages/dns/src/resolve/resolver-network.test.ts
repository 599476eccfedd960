import assert from "node:assert/strict";
import { test } from "node:test";
import { resolverNetwork } from "./resolver-network.ts";

test("resolvers of one operator have one network, others their own", () => {
  const same = [
    ["1.1.1.1", "1.0.0.1", "2606:4700:4700::1111"],
    ["8.8.8.8", "8.8.4.4", "2001:4860:4860::8844"],
    ["9.9.9.9", "149.112.112.112", "2620:fe::fe"],
    ["127.0.0.53", "10.1.2.3", "192.168.1.1", "fd00::1", "::1"],
    ["192.0.2.1", "192.0.77.1"],
    ["2001:db8::1", "2001:db8:ffff::1"],
  ];
  const networks = same.map((addresses) => new Set(addresses.map(resolverNetwork)));
  assert.ok(networks.every((network) => network.size === 1));
  assert.equal(new Set(networks.flatMap((network) => [...network])).size, same.length);
});
