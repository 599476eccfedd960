import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { contains, isSameAddress, parseAddress, parseCidr } from "./address.ts";

const v4 = (value: bigint) => ({ family: 4, value });
const v6 = (value: bigint) => ({ family: 6, value });

describe("parseAddress", () => {
  test("reads every form of RFC 4291 §2.2 to the same number", () => {
    const forms = [
      "2001:db8:0:0:0:0:c000:201",
      "2001:0DB8::C000:0201",
      "2001:db8::192.0.2.1",
      "2001:db8:0:0:0:0:192.0.2.1",
    ];
    for (const form of forms) {
      assert.deepEqual(parseAddress(form), v6(0x20010db80000000000000000c0000201n), form);
    }
    assert.deepEqual(parseAddress("::"), v6(0n));
    assert.deepEqual(parseAddress("::1"), v6(1n));
    assert.deepEqual(parseAddress("1::"), v6(1n << 112n));
    assert.deepEqual(parseAddress("::ffff:7f00:1"), parseAddress("::ffff:127.0.0.1"));
    assert.deepEqual(parseAddress("127.0.0.1"), v4(0x7f000001n));
  });

  test("gives back any address that was written group by group", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 128n) - 1n), (value) => {
        const digits = value.toString(16).padStart(32, "0");
        const text = digits.match(/.{4}/g)?.join(":") ?? "";
        assert.deepEqual(parseAddress(text), v6(value));
        // The WHATWG parser writes the compressed form (RFC 5952).
        const short = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        assert.deepEqual(parseAddress(short), v6(value));
      }),
    );
  });

  test("refuses what only some readers take for an address", () => {
    const odd = ["", "0177.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "127.0.0.1 ", "1.2.3.4.5"];
    const odd6 = [
      "[::1]",
      "fe80::1%eth0",
      "::1%",
      ":::",
      "1:2:3:4:5:6:7",
      "::127.1",
      "::0177.0.0.1",
    ];
    for (const text of [...odd, ...odd6]) assert.equal(parseAddress(text), null, text);
  });
});

describe("parseCidr", () => {
  test("reads a network, and an address alone as exactly that one", () => {
    assert.deepEqual(parseCidr("10.0.0.0/8"), { ...v4(10n << 24n), prefix: 8 });
    assert.deepEqual(parseCidr("::1"), { ...v6(1n), prefix: 128 });
    assert.deepEqual(parseCidr("0.0.0.0/0"), { ...v4(0n), prefix: 0 });
  });

  test("refuses host bits, impossible lengths and other text", () => {
    for (const text of [
      "10.0.0.1/8",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "all",
    ]) {
      assert.equal(parseCidr(text), null, text);
    }
  });

  test("contains its first and last address and nothing beyond, of the same family only", () => {
    const block = parseCidr("172.16.0.0/12");
    assert.ok(block !== null);
    const inside = (text: string) => {
      const address = parseAddress(text);
      return address !== null && contains(block, address);
    };
    assert.deepEqual(
      ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0", "::ac10:0"].map(inside),
      [false, true, true, false, false],
    );
  });
});

describe("isSameAddress", () => {
  test("takes a mapped address for the IPv4 address it spells", () => {
    const same = (one: string, two: string) => {
      const [a, b] = [parseAddress(one), parseAddress(two)];
      return a !== null && b !== null && isSameAddress(a, b);
    };
    assert.ok(same("::ffff:10.0.0.1", "10.0.0.1"));
    assert.ok(!same("::10.0.0.1", "10.0.0.1"));
    assert.ok(!same("::ffff:10.0.0.2", "10.0.0.1"));
  });
});
