import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseAddress, parseCidr } from "./address.ts";
import { createPolicy, type PolicyOptions } from "./policy.ts";
import { specialPurpose } from "./special-purpose.ts";

function judged(text: string, options: PolicyOptions = {}): string | null {
  const address = parseAddress(text);
  assert.ok(address !== null, text);
  return createPolicy(options)(address);
}

describe("the policy", () => {
  test("allows global unicast, up to the edges of the blocks", () => {
    const v4 = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"];
    const edges = [
      "126.255.255.255",
      "128.0.0.0",
      "169.253.255.255",
      "169.255.0.0",
      "172.15.255.255",
    ];
    const more = ["172.32.0.0", "192.0.1.0", "192.167.255.255", "198.17.255.255", "198.20.0.0"];
    const last = ["192.169.0.0", "223.255.255.255", "168.63.129.15", "168.63.129.17"];
    const v6 = ["2606:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2a00::", "2003::1"];
    const embedded = ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"];
    for (const text of [...v4, ...edges, ...more, ...last, ...v6, ...embedded]) {
      assert.equal(judged(text), null, text);
    }
  });

  test("refuses IPv6 outside 2000::/3 even where no registry has a row", () => {
    for (const text of [
      "1::",
      "200::1",
      "1fff:ffff::",
      "4000::",
      "64:ff9c::1",
      "fbff::1",
      "fe00::1",
    ]) {
      assert.match(judged(text) ?? "", /not global unicast/, text);
    }
  });

  test("judges a mapped or NAT64 address by the IPv4 address inside", () => {
    for (const prefix of ["::ffff:", "64:ff9b::"]) {
      assert.match(judged(`${prefix}10.1.2.3`) ?? "", /private use \(RFC 1918\)/);
      assert.match(judged(`${prefix}169.254.169.254`) ?? "", /instance metadata/);
    }
    assert.match(judged("::ffff:192.0.2.1", { allowPrivate: true }) ?? "", /documentation/);
    assert.equal(judged("::ffff:127.0.0.1", { allow: ["127.0.0.0/8"] }), null);
  });

  test("agrees with an independent block list on random addresses", () => {
    const list = new BlockList();
    for (const row of specialPurpose.filter((each) => each.rule !== "embedded")) {
      const [base = "", prefix] = row.block.split("/");
      list.addSubnet(base, Number(prefix), base.includes(":") ? "ipv6" : "ipv4");
    }
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        assert.equal(judged(text) !== null, list.check(text, "ipv4"), text);
      }),
      { numRuns: 2_000 },
    );
    const nearBlocks = fc.constantFrom("2001:", "2002:", "2620:4f:8000:", "3fff:", "2001:db8:");
    fc.assert(
      fc.property(nearBlocks, fc.nat(0xffff), fc.nat(0xffff), (start, one, two) => {
        const text = `${start}${one.toString(16)}::${two.toString(16)}`;
        assert.equal(judged(text) !== null, list.check(text, "ipv6"), text);
      }),
      { numRuns: 2_000 },
    );
  });

  test("every row of the table is a network with a source beside it", () => {
    for (const row of specialPurpose) {
      assert.notEqual(parseCidr(row.block), null, row.block);
      assert.match(row.source, /RFC \d+|Azure/);
    }
    const blocks = specialPurpose.map((row) => row.block);
    assert.equal(new Set(blocks).size, blocks.length);
  });
});

describe("exceptions", () => {
  test("allowPrivate: loopback opens this machine and no other private address", () => {
    for (const text of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) {
      assert.equal(judged(text, { allowPrivate: "loopback" }), null, text);
    }
    for (const text of ["10.0.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "fd00::1"]) {
      assert.notEqual(judged(text, { allowPrivate: "loopback" }), null, text);
    }
  });

  test("allowPrivate opens private space and nothing that could be worse than private", () => {
    const opened = [
      "127.0.0.1",
      "10.0.0.1",
      "172.31.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "169.254.1.1",
    ];
    for (const text of [...opened, "::1", "fd12::1", "fe80::1", "::ffff:10.0.0.1"]) {
      assert.equal(judged(text, { allowPrivate: true }), null, text);
    }
    const closed = [
      "169.254.169.254",
      "100.100.100.200",
      "fd00:ec2::254",
      "168.63.129.16",
      "0.0.0.0",
    ];
    const others = ["224.0.0.1", "255.255.255.255", "192.0.2.1", "::", "ff02::1", "2002:7f00:1::"];
    for (const text of [...closed, ...others, "::127.0.0.1", "2001::1", "64:ff9b:1::7f00:1"]) {
      assert.notEqual(judged(text, { allowPrivate: true }), null, text);
    }
  });

  test("allow opens exactly the networks it names", () => {
    const allow = ["10.1.0.0/16", "fd00:1::/32", "192.0.2.7"];
    assert.deepEqual(
      ["10.1.255.255", "fd00:1::1", "192.0.2.7"].map((text) => judged(text, { allow })),
      [null, null, null],
    );
    for (const text of ["10.2.0.0", "fd00:2::1", "192.0.2.8", "127.0.0.1"]) {
      assert.notEqual(judged(text, { allow }), null, text);
    }
  });

  test("own addresses stay closed whatever else is opened, also inside IPv6", () => {
    const options = {
      allow: ["0.0.0.0/0", "::/0"],
      allowPrivate: true,
      ownAddresses: ["8.8.4.4", "127.0.0.9"],
    };
    for (const text of ["8.8.4.4", "127.0.0.9", "::ffff:8.8.4.4", "64:ff9b::8.8.4.4"]) {
      assert.match(judged(text, options) ?? "", /address of this service/, text);
    }
    assert.equal(judged("127.0.0.8", options), null);
  });

  test("a network that cannot be read stops the start instead of being skipped", () => {
    assert.throws(() => createPolicy({ allow: ["10.0.0.1/8"] }), /not an address or network/);
    assert.throws(() => createPolicy({ ownAddresses: ["localhost"] }), /not an address or network/);
  });
});
