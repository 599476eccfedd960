import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isTooLong, readDomain } from "./domain-name.ts";

describe("a domain that is being typed", () => {
  it("is read from whatever people paste", () => {
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

  it("is an apex or a subdomain, as far as one can tell", () => {
    const shape = (text: string) => {
      const read = readDomain(text);
      return read.outcome === "ok" ? read.shape : read.outcome;
    };
    assert.equal(shape("acme.com"), "apex");
    assert.equal(shape("acme.co.uk"), "apex");
    assert.equal(shape("www.acme.com"), "subdomain");
    assert.equal(shape("shop.acme.co.uk"), "subdomain");
  });

  it("is told what is wrong with it, at once where typing on cannot help", () => {
    const cases = [
      ["mail@acme.com", "email", true],
      ["*.acme.com", "wildcard", true],
      ["my_shop.acme.com", "underscore", true],
      ["192.168.0.1", "ip", true],
      ["0x7f.1", "ip", true],
      ["[::1]", "ip", true],
      ["acme com", "characters", true],
      ["acme..com", "characters", true],
      ["-acme.com", "characters", true],
      ["acme", "incomplete", false],
      ["acme.c", "incomplete", false],
    ] as const;
    for (const [text, problem, isDefinite] of cases) {
      assert.deepEqual(readDomain(text), { outcome: "problem", problem, isDefinite }, text);
    }
    assert.deepEqual(readDomain("  "), { outcome: "empty" });
  });

  it("is never anything but a host name, whatever is typed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
        const read = readDomain(text);
        if (read.outcome !== "ok") return;
        assert.match(read.hostname, /^[a-z0-9.-]+$/);
        assert.deepEqual(readDomain(read.hostname), read);
      }),
    );
  });

  it("has the lengths of DNS", () => {
    assert.ok(!isTooLong(`${"a".repeat(63)}.com`));
    assert.ok(isTooLong(`${"a".repeat(64)}.com`));
    assert.ok(isTooLong(`${"a.".repeat(127)}com`));
  });
});
