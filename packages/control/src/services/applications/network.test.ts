import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { describe, it } from "node:test";
import { normalizeNetwork } from "./network.ts";

describe("normalizeNetwork", () => {
  const table: readonly (readonly [string, string | null])[] = [
    ["192.0.2.1", "192.0.2.1/32"],
    ["192.0.2.77/24", "192.0.2.0/24"],
    ["255.255.255.255/0", "0.0.0.0/0"],
    ["::1", "::1/128"],
    ["2001:DB8:0:0:1::/32", "2001:db8::/32"],
    ["2001:db8:0:1:0:0:0:1", "2001:db8:0:1::1/128"],
    ["0:b56a:412b::/22", "0:b400::/22"],
    ["2001:0:0:1:0:0:0:0/64", "2001:0:0:1::/64"],
    ["::ffff:192.0.2.77/120", "192.0.2.0/24"],
    ["::ffff:c000:24d", "192.0.2.77/32"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::ffff:0:0/95", "::fffe:0:0/95"],
    ["64:ff9b::192.0.2.1/96", "64:ff9b::/96"],
    ["", null],
    ["example.com", null],
    ["192.0.2.1/33", null],
    ["192.0.2.1/-1", null],
    ["192.0.2.1/024", null],
    ["192.0.2.1/24/8", null],
    ["192.0.2/24", null],
    ["010.0.0.1", null],
    ["::1/129", null],
    ["fe80::1%eth0", null],
    ["[::1]", null],
    [" ::1", null],
  ];
  for (const [text, expected] of table) {
    it(`${text === "" ? "an empty text" : text} is ${expected ?? "refused"}`, () => {
      assert.equal(normalizeNetwork(text), expected);
    });
  }

  it("names the same addresses as what was written, and is its own spelling", () => {
    const random = seeded(20_261_118);
    for (let round = 0; round < 2_000; round += 1) {
      const isV4 = random() < 0.5;
      const family = isV4 ? "ipv4" : "ipv6";
      const address = isV4 ? v4 : v6;
      const base = address(random);
      const prefix = below(random, isV4 ? 33 : 129);
      const normal = normalizeNetwork(`${base}/${prefix}`) ?? assert.fail(base);
      assert.equal(normalizeNetwork(normal), normal);
      const [network = "", length = ""] = normal.split("/");
      const written = new BlockList();
      written.addSubnet(base, prefix, family);
      const stored = new BlockList();
      stored.addSubnet(network, Number(length), family);
      for (const probe of [base, address(random)]) {
        assert.equal(
          stored.check(probe, family),
          written.check(probe, family),
          `${base}/${prefix} is ${normal}, ${probe}`,
        );
      }
    }
  });
});

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

function v4(random: () => number): string {
  return Array.from({ length: 4 }, () => below(random, 256)).join(".");
}

/** With runs of zeros, and never a mapped address. */
function v6(random: () => number): string {
  const groups = Array.from({ length: 7 }, () => (random() < 0.6 ? 0 : below(random, 65_536)));
  return [0x2001, ...groups].map((group) => group.toString(16)).join(":");
}
