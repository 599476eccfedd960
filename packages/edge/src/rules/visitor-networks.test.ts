import assert from "node:assert/strict";
import { describe, it } from "node:test";
import ipaddr from "ipaddr.js";
import { createVisitorNetworks, normalizeVisitor } from "./visitor-networks.ts";

describe("normalizeVisitor", () => {
  const table = {
    "192.0.2.1": "192.0.2.1",
    "::ffff:192.0.2.1": "192.0.2.1",
    "::FFFF:c000:0201": "192.0.2.1",
    "0:0:0:0:0:ffff:192.0.2.1": "192.0.2.1",
    "2001:0DB8::0001": "2001:db8::1",
    "fe80::1%eth0": "fe80::1",
    "::ffff:0:192.0.2.1": "::ffff:0:c000:201",
  };
  for (const [address, normal] of Object.entries(table)) {
    it(`${address} is ${normal}`, () => assert.equal(normalizeVisitor(address), normal));
  }
});

describe("createVisitorNetworks", () => {
  it("holds the same visitors as an independent reader of networks says", () => {
    const random = seeded(41);
    let held = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const networks = Array.from({ length: 1 + below(random, 4) }, () => randomNetwork(random));
      const isIn = createVisitorNetworks(networks);
      const near = networks.map((network) => neighbour(random, network.split("/")[0] ?? ""));
      for (const visitor of [...near, randomAddress(random)]) {
        const expected = networks.some((network) => isInByStranger(visitor, network));
        assert.equal(isIn(normalizeVisitor(visitor)), expected, `${visitor} in ${networks}`);
        held += expected ? 1 : 0;
      }
    }
    assert.ok(held > 1_000, String(held));
  });
});

function isInByStranger(visitor: string, network: string): boolean {
  const address = ipaddr.process(visitor);
  const [range, prefix] = ipaddr.parseCIDR(network);
  return address.kind() === range.kind() && address.match([range, prefix] as never);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function below(random: () => number, end: number): number {
  return Math.floor(random() * end);
}

function randomAddress(random: () => number): string {
  const v4 = (): string => Array.from({ length: 4 }, () => below(random, 256)).join(".");
  if (random() < 0.4) return v4();
  if (random() < 0.2) return `::ffff:${v4()}`;
  return Array.from({ length: 8 }, () => below(random, 65_536).toString(16)).join(":");
}

/** As the API stores them, except for bits behind the prefix. */
function randomNetwork(random: () => number): string {
  const isV4 = random() < 0.5;
  const parts = isV4
    ? Array.from({ length: 4 }, () => below(random, 256)).join(".")
    : Array.from({ length: 8 }, () => below(random, 65_536).toString(16)).join(":");
  return `${parts}/${below(random, isV4 ? 33 : 129)}`;
}

/** The address with another last part, or another first one. */
function neighbour(random: () => number, address: string): string {
  const separator = address.includes(":") ? ":" : ".";
  const parts = address.split(separator);
  const at = random() < 0.7 ? parts.length - 1 : 0;
  parts[at] = separator === "." ? String(below(random, 256)) : below(random, 65_536).toString(16);
  return parts.join(separator);
}
