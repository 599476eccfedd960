import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isTooLong, readDomain } from "./domain-name.ts";

describe("a typed domain", () => {
  it("is read from a pasted URL", () => {
    const cases = [
      ["shop.acme.com", "shop.acme.com"],
      ["  HTTPS://Shop.ACME.com:443/path?x#y ", "shop.acme.com"],
      ["acme.com.", "acme.com"],
      ["bücher.example", "xn--bcher-kva.example"],
      ["http://acme.co.uk/", "acme.co.uk"],
    ] as const;
    for (const [text, hostname] of cases) {
      const read = readDomain(text);
      assert.equal(read.outcome === "ok" ? read.hostname : read.outcome, hostname);
    }
  });

  it("is classified as apex or subdomain by a guess", () => {
    const shape = (text: string) => {
      const read = readDomain(text);
      return read.outcome === "ok" ? read.shape : read.outcome;
    };
    assert.equal(shape("acme.com"), "apex");
    assert.equal(shape("acme.co.uk"), "apex");
    assert.equal(shape("www.acme.com"), "subdomain");
    assert.equal(shape("shop.acme.co.uk"), "subdomain");
  });

  it("has a problem, which is definite when more typing cannot fix it", () => {
    const cases = [
      ["mail@acme.com", "email", true],
      ["*.acme.com", "wildcard", true],
      ["my_shop.acme.com", "underscore", true],
      ["192.168.0.1", "ip", true],
      ["0x7f.1", "ip", true],
      ["[::1]", "ip", true],
      ["acme com", "characters", true],
      ["acme..com", "characters", true],
      ["-bad.test", "hyphen", true],
      ["acme.-bad.test", "hyphen", true],
      ["bad-.test", "hyphen", true],
      ["ab--cd.test", "hyphen", true],
      ["acme", "incomplete", false],
      ["acme.c", "incomplete", false],
    ] as const;
    for (const [text, problem, isDefinite] of cases) {
      assert.deepEqual(readDomain(text), { outcome: "problem", problem, isDefinite }, text);
    }
    assert.deepEqual(readDomain("  "), { outcome: "empty" });
  });

  it("is always a hostname when it is accepted", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
        const read = readDomain(text);
        if (read.outcome !== "ok") return;
        assert.match(read.hostname, /^[a-z0-9.-]+$/);
        assert.deepEqual(readDomain(read.hostname), read);
      }),
    );
  });

  it("is limited to the lengths of DNS", () => {
    assert.ok(!isTooLong(`${"a".repeat(63)}.com`));
    assert.ok(isTooLong(`${"a".repeat(64)}.com`));
    assert.ok(isTooLong(`${"a.".repeat(127)}com`));
  });
});
