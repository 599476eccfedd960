import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cdnByFields, createCdnFinder, parseCdnRanges } from "./cdn.ts";
import { shippedRanges, shippedRangesDate } from "./shipped-ranges.ts";

describe("the CDN of an address", () => {
  it("is found in the shipped networks, in every spelling, and nowhere else", () => {
    const find = createCdnFinder();
    assert.equal(find("104.16.1.1"), "cloudflare");
    assert.equal(find("::ffff:104.16.1.1"), "cloudflare");
    assert.equal(find("2606:4700:0:0:0:0:0:1"), "cloudflare");
    assert.equal(find("151.101.1.57"), "fastly");
    assert.equal(find("15.158.27.206"), "cloudfront");
    assert.equal(find("2600:9000:1000::1"), "cloudfront");
    assert.equal(find("45.60.1.1"), "imperva");
    assert.equal(find("2a02:e980::1"), "imperva");
    assert.equal(find("192.88.135.1"), "sucuri");
    for (const other of ["104.28.0.1", "192.0.2.1", "::1", "", "cloudflare"]) {
      assert.equal(find(other), null, other);
    }
  });

  it("has shipped networks that a file might name, each of one CDN", () => {
    const file = JSON.stringify({ date: shippedRangesDate, cdns: shippedRanges });
    assert.deepEqual(parseCdnRanges(file), shippedRanges);
    const find = createCdnFinder();
    for (const [name, networks] of Object.entries(shippedRanges)) {
      for (const network of networks)
        assert.equal(find(network.split("/")[0] ?? ""), name, network);
    }
  });

  it("is read from a file that replaces the shipped networks", () => {
    const cdns = { cloudflare: ["127.0.7.0/24"], "our-cdn": ["2001:db8:7::/48"] };
    const find = createCdnFinder(parseCdnRanges(JSON.stringify({ date: "2026-11-01", cdns })));
    assert.equal(find("127.0.7.9"), "cloudflare");
    assert.equal(find("2001:db8:7::1"), "our-cdn");
    assert.equal(find("104.16.1.1"), null);
  });

  it("is not read from a file that is malformed or trusts half of the world", () => {
    const date = "2026-11-01";
    const cases: readonly (readonly [file: unknown, why: RegExp])[] = [
      [[], /the file to be an object/],
      [{ cdns: {} }, /date/],
      [{ date: "yesterday", cdns: {} }, /date/],
      [{ date, cdns: [] }, /"cdns" to be an object/],
      [{ date, cdns: { "Our CDN": [] } }, /named/],
      [{ date, cdns: { own: "10.0.0.0/8" } }, /own: expected a list/],
      [{ date, cdns: { own: ["0.0.0.0/0"] } }, /too wide/],
      [{ date, cdns: { own: ["2000::/3"] } }, /too wide/],
      [{ date, cdns: { own: ["192.0.2.1"] } }, /no network/],
      [{ date, cdns: { own: ["192.0.2.0/33"] } }, /no network/],
      [{ date, cdns: { own: [7] } }, /no network/],
    ];
    for (const [file, why] of cases) {
      assert.throws(() => parseCdnRanges(JSON.stringify(file)), why);
    }
    assert.throws(() => parseCdnRanges("{"), SyntaxError);
  });

  it("shows itself in the fields of a response", () => {
    const cases: readonly (readonly [fields: Record<string, string>, name: string | null])[] = [
      [{ server: "cloudflare" }, "cloudflare"],
      [{ "cf-ray": "8a1b2c3d4e5f-FRA" }, "cloudflare"],
      [{ "x-served-by": "cache-fra-etou8220035-FRA" }, "fastly"],
      [{ "x-amz-cf-id": "x" }, "cloudfront"],
      [{ server: "BunnyCDN-DE1-755" }, "bunny"],
      [{ server: "nginx", via: "1.1 varnish" }, null],
    ];
    for (const [fields, name] of cases) assert.equal(cdnByFields(new Headers(fields)), name);
  });
});
