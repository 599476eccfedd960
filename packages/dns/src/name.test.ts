import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type HostnameRefusal,
  isAtOrBelow,
  isSubdomainOf,
  normalizeName,
  parseHostname,
  registrableDomain,
  registryDomain,
  selfAndAncestors,
  splitHostname,
  toAbsolute,
  toRelative,
  toUnicode,
} from "./name.ts";

function key(input: string): string {
  const parsed = parseHostname(input);
  return parsed.ok ? parsed.hostname : `refused: ${parsed.reason}`;
}

describe("parseHostname", () => {
  const accepted: readonly (readonly [string, string])[] = [
    ["example.com", "example.com"],
    ["WWW.Example.COM.", "www.example.com"],
    ["bücher.de", "xn--bcher-kva.de"],
    ["BÜCHER.DE", "xn--bcher-kva.de"],
    ["bu\u0308cher.de", "xn--bcher-kva.de"],
    ["XN--BCHER-KVA.de", "xn--bcher-kva.de"],
    ["faß.de", "xn--fa-hia.de"],
    ["ｅｘａｍｐｌｅ。com", "example.com"],
    ["acme.test", "acme.test"],
    ["shop.acme.example", "shop.acme.example"],
    ["foo.github.io", "foo.github.io"],
    ["1.2.3.4.example.com", "1.2.3.4.example.com"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
    ["🍕.ws", "xn--vi8h.ws"],
  ];
  for (const [input, hostname] of accepted) {
    test(`reads ${input} as ${hostname}`, () => assert.equal(key(input), hostname));
  }

  const refused: Readonly<Record<HostnameRefusal, readonly string[]>> = {
    empty: [""],
    not_only_a_hostname: [
      "https://x.com/",
      "x.com/",
      "x.com/path",
      "x.com:443",
      "user@x.com",
      "x.com?q",
      "x.com#f",
      "//x.com",
      "x.com\\y",
    ],
    ip_literal: [
      "1.2.3.4",
      "1.2.3.4.",
      "127.1",
      "2130706433",
      "0x7f.1",
      "0x7f000001",
      "0177.0.0.1",
      "１.２.３.４",
      "1。2。3。4",
      "foo.1",
      "foo.09",
      "foo.0x",
      "::1",
      "[::1]",
      "[1.2.3.4]",
      "2001:db8::1",
      "::ffff:1.2.3.4",
    ],
    wildcard: ["*.example.com", "a.*.example.com", "*"],
    underscore: ["_x.y.com", "a_b.com", "_service-challenge.example.com"],
    empty_label: ["a..com", ".example.com", ".", "example.com..", "。com", "\u00ad.com"],
    bad_character: ["a b.com", " example.com", "example.com\n", "a%62.com", "a\tb.com", "a!.com"],
    bad_hyphen: ["xn--.com", "-a.com", "a-.com", "ab--cd.com", "a.-b.com"],
    bad_idn: ["xn--a.com", "xn--abc.com", "a\u200db.com", "\u0301a.com", "aא.com", "a\u2024b.com"],
    label_too_long: [`${"a".repeat(64)}.com`, `${"ü".repeat(63)}.com`],
    name_too_long: [`${"a.".repeat(125)}co.com`, "a".repeat(3_000)],
    single_label: ["localhost", "com", "example", "localhost."],
    public_suffix: ["co.uk", "github.io", "foo.ck", "公司.cn", "xn--55qx5d.cn", "s3.amazonaws.com"],
    reserved: [],
  };
  for (const [reason, inputs] of Object.entries(refused)) {
    for (const input of inputs) {
      test(`refuses ${JSON.stringify(input.slice(0, 40))} as ${reason}`, () => {
        const parsed = parseHostname(input);
        assert.equal(parsed.ok ? parsed.hostname : parsed.reason, reason);
        assert.ok(!parsed.ok && parsed.message.endsWith("."));
      });
    }
  }

  test("refuses the service's own names in every spelling, and below a wildcard entry", () => {
    const reserved = ["API.service.example.", "*.edge.example", "bücher.example"];
    for (const input of ["api.service.example", "a.b.Edge.example", "xn--bcher-kva.example"]) {
      const parsed = parseHostname(input, { reserved });
      assert.equal(parsed.ok ? "accepted" : parsed.reason, "reserved", input);
    }
    for (const input of ["x.api.service.example", "edge.example", "notedge.example"]) {
      assert.ok(parseHostname(input, { reserved }).ok, input);
    }
  });
});

describe("splitHostname", () => {
  test("knows suffixes of registries and of platforms, and takes unknown ones as given", () => {
    const cases = [
      ["example.com", "example.com", null, "com"],
      ["a.b.example.co.uk", "example.co.uk", "a.b", "co.uk"],
      ["foo.github.io", "foo.github.io", null, "github.io"],
      ["www.acme.test", "acme.test", "www", "test"],
      ["www.acme.example", "acme.example", "www", "example"],
      ["a.xn--55qx5d.cn", "a.xn--55qx5d.cn", null, "xn--55qx5d.cn"],
    ] as const;
    for (const [hostname, registrable, subdomain, publicSuffix] of cases) {
      assert.deepEqual(splitHostname(hostname), {
        registrableDomain: registrable,
        subdomain,
        publicSuffix,
        kind: subdomain === null ? "apex" : "subdomain",
      });
    }
  });

  test("throws on a public suffix, which is no hostname here", () => {
    assert.throws(() => splitHostname("co.uk"), RangeError);
  });

  test("distinguishes what a registry delegated from what a platform assigns", () => {
    assert.equal(registrableDomain("a.foo.github.io"), "foo.github.io");
    assert.equal(registryDomain("a.foo.github.io"), "github.io");
    assert.equal(registrableDomain("com"), null);
    assert.equal(registryDomain("com"), null);
  });
});

describe("normalizeName", () => {
  test("allows what record owners need beyond hostnames", () => {
    assert.equal(
      normalizeName("_Service-Challenge.Shop.Example.COM."),
      "_service-challenge.shop.example.com",
    );
    assert.equal(normalizeName("*.Example.com"), "*.example.com");
    assert.equal(normalizeName("com"), "com");
    assert.equal(normalizeName("r1---sn.example.com"), "r1---sn.example.com");
    assert.equal(normalizeName("_dmarc.bücher.de"), "_dmarc.xn--bcher-kva.de");
  });

  test("gives null for what cannot be a name", () => {
    for (const input of [
      "",
      ".",
      "a..b",
      "a.*.b",
      "*",
      "1.2.3.4",
      "a b.c",
      `${"a".repeat(64)}.b`,
      "a/b.c",
    ]) {
      assert.equal(normalizeName(input), null, input);
    }
    assert.equal(normalizeName("a.".repeat(128)), null);
    assert.equal(normalizeName(`*.${"a.".repeat(125)}bc`), null);
  });
});

describe("names and zones", () => {
  test("convert between relative and absolute, with @ for the apex", () => {
    assert.equal(toAbsolute("@", "example.com"), "example.com");
    assert.equal(toAbsolute("", "example.com"), "example.com");
    assert.equal(toAbsolute("a.b", "example.com"), "a.b.example.com");
    assert.equal(toRelative("example.com", "example.com"), "@");
    assert.equal(toRelative("a.b.example.com", "example.com"), "a.b");
    assert.equal(toRelative("badexample.com", "example.com"), null);
  });

  test("compare by whole labels", () => {
    assert.ok(isSubdomainOf("a.example.com", "example.com"));
    assert.ok(!isSubdomainOf("example.com", "example.com"));
    assert.ok(!isSubdomainOf("aexample.com", "example.com"));
    assert.ok(isAtOrBelow("example.com", "example.com"));
    assert.deepEqual(selfAndAncestors("a.b.com"), ["a.b.com", "b.com", "com"]);
  });

  test("show Unicode only where it is valid", () => {
    assert.equal(toUnicode("xn--bcher-kva.de"), "bücher.de");
    assert.equal(toUnicode("xn--a.de"), "xn--a.de");
  });
});
